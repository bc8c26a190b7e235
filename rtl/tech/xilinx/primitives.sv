// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Port lists of the AMD primitives that the cells of this folder use, for a synthesis front end
// that wants to see every module; the tool's own library has their contents.

module LUT6_2 #(
  parameter logic [63:0] INIT = '0
) (
  input  logic I0,
  I1,
  I2,
  I3,
  I4,
  I5,
  output logic O5,
  O6
);
endmodule

module CARRY4 (
  input  logic       CI,
  CYINIT,
  input  logic [3:0] DI,
  S,
  output logic [3:0] O,
  CO
);
endmodule

module RAM32M16 (
  input  logic       WCLK,
  WE,
  input  logic [4:0] ADDRA,
  ADDRB,
  ADDRC,
  ADDRD,
  ADDRE,
  ADDRF,
  ADDRG,
  ADDRH,
  input  logic [1:0] DIA,
  DIB,
  DIC,
  DID,
  DIE,
  DIF,
  DIG,
  DIH,
  output logic [1:0] DOA,
  DOB,
  DOC,
  DOD,
  DOE,
  DOF,
  DOG,
  DOH
);
endmodule
