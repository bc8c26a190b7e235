# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# rivulet_verilate(TARGET name TOP module [CONFIG unit|edge|kv260] [PARAMS ...] [SOURCES ...])
#
# A cycle-accurate C++ model of an RTL module as the static libraries `name`, without waves, and `name-traced`,
# which can write them. Each is built when a program that links it is.
#   - the class is V<name>, in "V<name>.h", so that several configurations of one module can be
#     linked into one program (but not `name` and `name-traced`);
#   - "V<name>_params.h" holds `rivulet::V<name>Params`, the parameter values the model was built with,
#     as constants kLanes, kPositions, ...
# Nothing is built twice: a second request for the same module with the same parameters and sources gives
# the first model another name (V<name> is then an alias of the first class).
# PARAMS sets top-level parameters, each as one of
#   Lanes          the value of Lanes in the named configuration (rtl/configs.json)
#   Depth=Lanes    the same, for a parameter of another name
#   Depth=7        a number
# SOURCES: SystemVerilog files beside rtl/rtl.f, relative to the caller. Warnings are errors; assertions and
# randomized initial values are on.
# Models named in RIVULET_NETLISTS are made from the synthesized netlist of the module instead of its RTL, with
# the same class and ports.
#
# rivulet_traced(out name...): the libraries, each as its traced twin if it has one.

include(rivulet_verilator)

set(RIVULET_NETLISTS "" CACHE STRING "Models that are made from synthesized netlists")
set(_rivulet_cmake_dir ${CMAKE_CURRENT_LIST_DIR})

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

function(rivulet_traced out)
  set(twins "")
  foreach(library IN LISTS ARGN)
    if(TARGET ${library}-traced)
      set(library ${library}-traced)
    endif()
    list(APPEND twins ${library})
  endforeach()
  set(${out} ${twins} PARENT_SCOPE)
endfunction()

# The library `name` in folder `dir`, with the class `prefix`. TRACED: with waves.
function(_rivulet_model name dir prefix)
  cmake_parse_arguments(PARSE_ARGV 3 arg "TRACED;NETLIST" "TOP;LABEL" "PARAMS;SOURCES;INCLUDE")
  # Verilator runs in the project's directory and names files from there, in messages of assertions too.
  set(files ${PROJECT_SOURCE_DIR}/rtl/lint/waivers.vlt ${PROJECT_SOURCE_DIR}/rtl/lint/model.vlt
            ${PROJECT_SOURCE_DIR}/rtl/rtl.f ${arg_SOURCES})
  set(relative_files "")
  foreach(file IN LISTS files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(file MATCHES "\\.f$")
      list(APPEND relative_files -F)
    endif()
    list(APPEND relative_files ${file})
  endforeach()

  list(JOIN RIVULET_CCACHE_COMMAND " " objcache)
  list(TRANSFORM arg_PARAMS PREPEND "-G" OUTPUT_VARIABLE parameters)
  set(checks -Wall --assert)
  set(synthesize "")
  if(arg_NETLIST)
    # Generated text of the mapper and the vendor's cells: not ours to lint, and free of assertions.
    set(checks -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT)
    set(relative_files ${dir}/netlist.v ${PROJECT_SOURCE_DIR}/build/venv/yosys_share/xilinx/cells_sim.v)
    set(synthesize COMMAND ${PROJECT_SOURCE_DIR}/fpga/synth/netlist ${arg_TOP} ${dir}/netlist.v
                   ${arg_PARAMS} ${arg_SOURCES})
    set(parameters "")
    file(GLOB_RECURSE sources ${PROJECT_SOURCE_DIR}/rtl/*.sv ${PROJECT_SOURCE_DIR}/rtl/*.svh
                              ${PROJECT_SOURCE_DIR}/fpga/synth/*.py)
    list(APPEND files ${sources})
  endif()
  set(waves "")
  set(with_waves "")
  set(runtime rivulet_verilated)
  if(arg_TRACED)
    set(waves --trace-fst --trace-structs --output-split-ctrace 1000)
    set(with_waves " with waves")
    set(runtime rivulet_verilated-traced)
  endif()

  set(archive ${dir}/${prefix}__ALL.a)
  # Functions and files are split: a compiler takes minutes for one trace function of a large model.
  # The generated C++ is compiled by its own makefile; OPT_SLOW is for what runs once (set-up, trace
  # declarations). CFG_CXXFLAGS_PCH_I is unset, and PYTHON3 is a name that Debian does
  # not have, in the newest release as packaged for Python.
  add_custom_command(
    OUTPUT ${archive} ${dir}/${prefix}.h
    ${synthesize}
    COMMAND ${_rivulet_clean_environment} ${_rivulet_verilator_path} --cc -Mdir ${dir} --prefix ${prefix}
            --top-module ${arg_TOP}
            ${parameters} ${checks} ${waves} --no-timing
            --x-assign unique --x-initial unique -O3 --unroll-count 300
            --output-split 10000 --output-split-cfuncs 1000
            -CFLAGS ${_rivulet_model_flags}
            ${relative_files}
    COMMAND ${_rivulet_clean_environment} ${_rivulet_make} --no-print-directory -s -j ${_rivulet_cores}
            -C ${dir} -f ${prefix}.mk
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
    COMMENT "Verilating ${arg_LABEL} -> ${prefix}${with_waves}"
    VERBATIM)
  file(MAKE_DIRECTORY ${dir})
  add_custom_target(${name}_build DEPENDS ${archive} ${dir}/${prefix}.h)
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${archive})
  add_dependencies(${name} ${name}_build)
  target_include_directories(${name} SYSTEM INTERFACE ${dir} ${arg_INCLUDE})
  target_link_libraries(${name} INTERFACE ${runtime})
endfunction()

function(rivulet_verilate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;TOP;CONFIG" "PARAMS;SOURCES")
  if(NOT arg_TARGET OR NOT arg_TOP OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "rivulet_verilate: TARGET and TOP are needed; "
                        "not understood: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(prefix V${arg_TARGET})
  set(params_dir ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.params)
  set(parameters "")
  set(constants "")
  foreach(entry IN LISTS arg_PARAMS)
    _rivulet_parameter(${entry} "${arg_CONFIG}" name value)
    list(APPEND parameters ${name}=${value})
    string(APPEND constants "  static constexpr int k${name} = ${value};\n")
  endforeach()
  list(SORT parameters)
  file(CONFIGURE OUTPUT ${params_dir}/${prefix}_params.h CONTENT
"// Parameters that the RTL model ${prefix} was built with. Generated: see tb/cmake/rivulet_verilate.cmake.
#pragma once
namespace rivulet {
struct ${prefix}Params {
${constants}};
}  // namespace rivulet
" @ONLY)

  set(netlist "")
  if(arg_TARGET IN_LIST RIVULET_NETLISTS)
    set(netlist NETLIST)
  endif()
  string(SHA256 key "${arg_TOP}|${parameters}|${arg_SOURCES}|${netlist}")
  get_property(first GLOBAL PROPERTY rivulet_model_${key})
  get_property(requested GLOBAL PROPERTY rivulet_models_requested)
  get_property(built GLOBAL PROPERTY rivulet_models_built)
  math(EXPR requested "${requested} + 1")
  set_property(GLOBAL PROPERTY rivulet_models_requested ${requested})
  if(first)
    file(CONFIGURE OUTPUT ${params_dir}/${prefix}.h CONTENT
"// The same model under another name. Generated: see tb/cmake/rivulet_verilate.cmake.
#pragma once
#include \"V${first}.h\"
using ${prefix} = V${first};
" @ONLY)
    foreach(twin "" "-traced")
      add_library(${arg_TARGET}${twin} INTERFACE)
      target_include_directories(${arg_TARGET}${twin} SYSTEM INTERFACE ${params_dir})
      target_link_libraries(${arg_TARGET}${twin} INTERFACE ${first}${twin})
    endforeach()
    return()
  endif()
  set_property(GLOBAL PROPERTY rivulet_model_${key} ${arg_TARGET})
  math(EXPR built "${built} + 1")
  set_property(GLOBAL PROPERTY rivulet_models_built ${built})
  set(common ${netlist} TOP ${arg_TOP} LABEL "${arg_TOP} ${arg_CONFIG}" PARAMS ${parameters}
             SOURCES ${arg_SOURCES} INCLUDE ${params_dir})
  _rivulet_model(${arg_TARGET} ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.verilated ${prefix} ${common})
  _rivulet_model(${arg_TARGET}-traced ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.traced ${prefix} TRACED
                 ${common})
endfunction()

# The models of this build, for the log of the configuration.
function(rivulet_report_models)
  get_property(requested GLOBAL PROPERTY rivulet_models_requested)
  get_property(built GLOBAL PROPERTY rivulet_models_built)
  message(STATUS "RTL models: ${requested} requested, ${built} different")
endfunction()
