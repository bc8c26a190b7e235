# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# rivulet_test(TARGET name SOURCES ... [LIBRARIES ...] [TILES ...] [RTL [SANITIZE]] [NO_CTEST])
#
# Builds a GoogleTest program from SOURCES, with the main() and the command line of tb/, and makes each of
# its tests known to ctest, in a working directory of its own. RTL marks tests that run a verilated model:
# they carry the ctest label `rtl`, are built by the target rtl_tests and repeated on the newest Verilator; all
# others carry `model`. SANITIZE: small enough to be run under the sanitizers too, with the label
# `rtl-sanitize`, in the target sanitized_tests, which holds the model tests too. A test may take ten minutes. NO_CTEST: a program that other tests run.
#
# Models are named in LIBRARIES, or as TILES if the program finds them by make_rtl_tile(). The program cannot
# write waves; --trace builds and runs a twin that can: name-traced, or with TILES one for each of them,
# name-<tile>-traced, which holds this one alone.

include(GoogleTest)
include(rivulet_models)
find_package(GTest REQUIRED)

add_custom_target(rtl_tests)
add_custom_target(model_tests)
add_custom_target(sanitized_tests)
add_dependencies(sanitized_tests model_tests)

# One program. WAVES as in tb/program_info.h.
function(_rivulet_test_program name waves)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;LIBRARIES;TWINS")
  set(RIVULET_PROGRAM ${name})
  set(RIVULET_WAVES ${waves})
  list(TRANSFORM arg_TWINS REPLACE "(.+)" "\"\\1\"")
  list(JOIN arg_TWINS ", " RIVULET_TWINS)
  configure_file(${PROJECT_SOURCE_DIR}/tb/program_info.cc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}_info.cc @ONLY)
  add_executable(${name} ${arg_SOURCES} ${CMAKE_CURRENT_BINARY_DIR}/${name}_info.cc)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} rivulet_tb GTest::gtest)
endfunction()

# A twin; built when it is asked for, after the program.
function(_rivulet_test_twin program name)
  _rivulet_test_program(${name} kBuiltIn ${ARGN})
  # Not for clang-tidy: its models may not be built.
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON EXPORT_COMPILE_COMMANDS OFF)
  add_dependencies(${name} ${program})
endfunction()

function(rivulet_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "RTL;NO_CTEST;SANITIZE" "TARGET" "SOURCES;LIBRARIES;TILES")
  if(NOT arg_TARGET OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rivulet_test: TARGET and SOURCES are needed; "
                        "not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(label model)
  if(arg_RTL)
    set(label rtl)
  endif()
  rivulet_traced(traced_libraries ${arg_LIBRARIES})
  set(waves kOnDemand)
  if(traced_libraries STREQUAL "${arg_LIBRARIES}" AND NOT arg_TILES)
    set(waves kNone)
  endif()
  # Sources that know no model by name are the same in all programs.
  if(arg_TILES)
    add_library(${arg_TARGET}_objects OBJECT ${arg_SOURCES})
    target_link_libraries(${arg_TARGET}_objects PRIVATE ${arg_LIBRARIES} rivulet_tb GTest::gtest)
    set(arg_SOURCES $<TARGET_OBJECTS:${arg_TARGET}_objects>)
  endif()
  _rivulet_test_program(${arg_TARGET} ${waves} SOURCES ${arg_SOURCES} LIBRARIES ${arg_LIBRARIES}
                        TWINS ${arg_TILES})
  if(arg_TILES)
    rivulet_link_tiles(${arg_TARGET} ${arg_TILES})
    foreach(tile IN LISTS arg_TILES)
      set(twin ${arg_TARGET}-${tile}-traced)
      _rivulet_test_twin(${arg_TARGET} ${twin} SOURCES ${arg_SOURCES} LIBRARIES ${traced_libraries})
      rivulet_link_tiles(${twin} TRACED ${tile})
    endforeach()
  elseif(waves STREQUAL "kOnDemand")
    _rivulet_test_twin(${arg_TARGET} ${arg_TARGET}-traced SOURCES ${arg_SOURCES}
                       LIBRARIES ${traced_libraries})
  endif()
  if(arg_NO_CTEST)
    return()
  endif()
  add_dependencies(${label}_tests ${arg_TARGET})
  if(arg_SANITIZE)
    string(APPEND label -sanitize)
    add_dependencies(sanitized_tests ${arg_TARGET})
  endif()
  gtest_discover_tests(${arg_TARGET}
    TEST_PREFIX ${arg_TARGET}/
    DISCOVERY_TIMEOUT 60
    NO_PRETTY_TYPES NO_PRETTY_VALUES
    PROPERTIES LABELS ${label} TIMEOUT 600)
endfunction()
