# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# The simulator: which Verilator, how its C++ is compiled, and its run-time library.
#
#   RIVULET_VERILATOR            the program (default: verilator of the PATH)
#   RIVULET_MODEL_OPTIMIZATION   of the C++ of the models
#   target rivulet_verilated         headers and run time of this Verilator release, shared by all models
#   target rivulet_verilated-traced  the same with the writer of waves (FST); defines VM_TRACE

set(RIVULET_VERILATOR "verilator" CACHE STRING "Verilator program that builds the RTL models")

# A VERILATOR_ROOT of the user belongs to another Verilator; make looks at CDPATH's neighbours only through
# the shell, which must not either.
set(_rivulet_clean_environment ${CMAKE_COMMAND} -E env --unset=VERILATOR_ROOT --unset=CDPATH)

find_program(_rivulet_verilator_path ${RIVULET_VERILATOR} NO_CACHE)
if(NOT _rivulet_verilator_path)
  message(FATAL_ERROR "Verilator '${RIVULET_VERILATOR}' not found. Run `.ci/setup build` (Debian's) or "
                      "`.ci/setup python` (newest, build/venv/verilator/bin/verilator).")
endif()
execute_process(COMMAND ${_rivulet_clean_environment} ${_rivulet_verilator_path} --getenv VERILATOR_ROOT
                OUTPUT_VARIABLE _rivulet_verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "Verilator: ${_rivulet_verilator_path} (root ${_rivulet_verilator_root})")

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_library(_rivulet_lz4 lz4 REQUIRED)
find_program(_rivulet_make NAMES make gmake REQUIRED)

# Compiler flags of generated code: it is compiled by make, outside the flags of this project.
# -fcf-protection=none and no frame pointers: speed. Sanitizers: addresses only, because generated
# code shifts and wraps by design.
set(_rivulet_model_flags -fcf-protection=none)
if(RIVULET_SANITIZE)
  list(APPEND _rivulet_model_flags -fsanitize=address -fno-omit-frame-pointer)
endif()
list(JOIN _rivulet_model_flags " " _rivulet_model_flags)
set(_rivulet_default_optimization -O3)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(_rivulet_default_optimization -O1)
endif()
set(RIVULET_MODEL_OPTIMIZATION ${_rivulet_default_optimization}
    CACHE STRING "Optimization of the C++ of the models: -O3 runs fastest, -O0 compiles fastest")

add_library(rivulet_verilated STATIC
  ${_rivulet_verilator_root}/include/verilated.cpp ${_rivulet_verilator_root}/include/verilated_threads.cpp)
target_include_directories(rivulet_verilated SYSTEM PUBLIC
  ${_rivulet_verilator_root}/include ${_rivulet_verilator_root}/include/vltstd)
target_compile_definitions(rivulet_verilated PUBLIC VERILATOR=1 VM_COVERAGE=0 VM_SC=0 VL_TIME_CONTEXT)
target_compile_options(rivulet_verilated PRIVATE -w)
target_link_libraries(rivulet_verilated PUBLIC Threads::Threads)

add_library(rivulet_verilated-traced STATIC EXCLUDE_FROM_ALL
  ${_rivulet_verilator_root}/include/verilated_fst_c.cpp)
target_compile_definitions(rivulet_verilated-traced PUBLIC VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0)
target_compile_options(rivulet_verilated-traced PRIVATE -w)
target_link_libraries(rivulet_verilated-traced PUBLIC rivulet_verilated ZLIB::ZLIB ${_rivulet_lz4})

include(ProcessorCount)
processorcount(_rivulet_cores)
# One model is compiled at a time, with all cores: Ninja does not know of make's own jobs.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS rivulet_verilate=1)
