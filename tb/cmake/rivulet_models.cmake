# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# Programs that find their RTL models by the name of a configuration.
#
# rivulet_link_tiles(program [TRACED] name...): the verilated tiles `tile_<name>`, for make_rtl_tile()
# rivulet_link_converters(program [TRACED] name...): the converters `cli_converter_<name>`, for make_rtl_converter()
#
# A program without one of these has no model of that kind, and says so.

function(_rivulet_link_models program template models maker)
  cmake_parse_arguments(PARSE_ARGV 4 arg "TRACED" "" "")
  set(RIVULET_INCLUDES "")
  set(RIVULET_ENTRIES "")
  set(libraries "")
  foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
    string(APPEND RIVULET_INCLUDES "#include \"V${models}_${name}.h\"\n")
    string(APPEND RIVULET_ENTRIES "{\"${name}\", ${maker}<V${models}_${name}>, kTracedModels},\n      ")
    list(APPEND libraries ${models}_${name})
  endforeach()
  if(arg_TRACED)
    rivulet_traced(libraries ${libraries})
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/${template} ${CMAKE_CURRENT_BINARY_DIR}/${program}_${models}s.cc @ONLY)
  target_sources(${program} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${program}_${models}s.cc)
  target_link_libraries(${program} PRIVATE ${libraries})
endfunction()

function(rivulet_link_tiles program)
  _rivulet_link_models(${program} tb/tile/verilated_configurations.cc.in tile
                       make_verilated_tile ${ARGN})
endfunction()

function(rivulet_link_converters program)
  _rivulet_link_models(${program} tb/converter/verilated_converters.cc.in cli_converter
                       make_verilated_converter ${ARGN})
endfunction()
