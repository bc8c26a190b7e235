// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_bf16_stream. */
`include "rivulet_assert.svh"

module rivulet_bf16_stream_props #(
  parameter int unsigned Lanes = 32
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               job_valid_i,
  input logic               job_ready_o,
  input logic [       15:0] job_units_i,
  input logic [        7:0] job_lanes_i,
  input logic [        4:0] job_align_w_i,
  input logic               w_valid_i,
  input logic               w_ready_o,
  input logic [8*Lanes-1:0] w_i,
  input logic               code_valid_o,
  input logic               code_ready_i,
  input logic [8*Lanes-1:0] code_o,
  input logic [        7:0] exponent_o,
  input logic               code_last_o
);

  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, {job_units_i, job_lanes_i, job_align_w_i})
  `ASSERT_STABLE(WStable_A, w_valid_i, w_ready_o, w_i)
  `ASSERT_STABLE(CodeStable_A, code_valid_o, code_ready_i, {code_last_o, exponent_o, code_o})

endmodule

bind rivulet_bf16_stream rivulet_bf16_stream_props #(.Lanes(Lanes)) u_props (.*);
