// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_aligner. */
`include "rivulet_assert.svh"

module rivulet_aligner_props #(
  parameter int unsigned Values = 4,
  parameter int unsigned AlignW = 16
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     job_valid_i,
  input logic                     job_ready_o,
  input logic [             15:0] job_rows_i,
  input logic [              7:0] job_lanes_i,
  input logic [              4:0] job_align_w_i,
  input logic                     x_valid_i,
  input logic                     x_ready_o,
  input logic [    16*Values-1:0] x_i,
  input logic                     a_valid_o,
  input logic                     a_ready_i,
  input logic [AlignW*Values-1:0] a_o,
  input logic [              7:0] a_exponent_o,
  input logic                     a_last_o
);

  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, {job_rows_i, job_lanes_i, job_align_w_i})
  `ASSERT_STABLE(XStable_A, x_valid_i, x_ready_o, x_i)
  `ASSERT_STABLE(AlignedStable_A, a_valid_o, a_ready_i, {a_last_o, a_exponent_o, a_o})

endmodule

bind rivulet_aligner rivulet_aligner_props #(
  .Values(Values),
  .AlignW(AlignW)
) u_props (.*);
