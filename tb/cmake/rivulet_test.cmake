# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# rivulet_test(TARGET name SOURCES ... [LIBRARIES ...] [RTL])
#
# Builds a GoogleTest program from SOURCES, with the main() and the command line of tb/, and makes each of
# its tests known to ctest, in the working directory of the project. RTL marks tests that run a verilated model: they carry the ctest label
# `rtl`, are built by the target rtl_tests and repeated on the newest Verilator; all others carry `model`. A test
# may take ten minutes.

include(GoogleTest)
find_package(GTest REQUIRED)

add_custom_target(rtl_tests)
add_custom_target(model_tests)

function(rivulet_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "RTL" "TARGET" "SOURCES;LIBRARIES")
  if(NOT arg_TARGET OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rivulet_test: TARGET and SOURCES are needed; "
                        "not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(label model)
  if(arg_RTL)
    set(label rtl)
  endif()
  add_executable(${arg_TARGET} ${arg_SOURCES})
  target_link_libraries(${arg_TARGET} PRIVATE ${arg_LIBRARIES} rivulet_tb GTest::gtest)
  add_dependencies(${label}_tests ${arg_TARGET})
  gtest_discover_tests(${arg_TARGET}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    TEST_PREFIX ${arg_TARGET}/
    DISCOVERY_TIMEOUT 60
    NO_PRETTY_TYPES NO_PRETTY_VALUES
    PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
