# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# cmake -D IN=V__ver.d -D OUT=depfile -D TARGET=archive -D DIRECTORY=dir -P verilator_depfile.cmake
# Rewrites the dependency file of a Verilator run into one whose only target is TARGET and whose
# relative paths start at DIRECTORY.

file(READ ${IN} text)
string(REGEX REPLACE "^[^:]*:" "" text "${text}")
string(REGEX REPLACE "[ \t\n]+" ";" paths "${text}")
set(lines "${TARGET}:")
foreach(path IN LISTS paths)
  if(path)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${DIRECTORY} NORMALIZE)
    string(APPEND lines " \\\n ${path}")
  endif()
endforeach()
file(WRITE ${OUT} "${lines}\n")
