// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_transpose_buffer, and the limits of a job. */
`include "rivulet_assert.svh"

module rivulet_transpose_buffer_props
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Group = 128
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  job_valid_i,
  input logic                  job_ready_o,
  input stream_e               job_stream_i,
  input logic    [        7:0] job_lanes_i,
  input logic    [        7:0] job_units_i,
  input logic                  in_valid_i,
  input logic                  in_ready_o,
  input logic    [8*Lanes-1:0] in_i,
  input logic                  out_valid_o,
  input logic                  out_ready_i,
  input logic    [8*Lanes-1:0] out_o
);

  logic lanes_legal, units_legal;
  assign lanes_legal = (job_lanes_i >= 8'd1) && (32'(job_lanes_i) <= Group);
  assign units_legal = (job_units_i >= 8'd1) && (32'(job_units_i) <= Group);

  `ASSERT(JobLegal_A, !job_valid_i || (job_stream_i != StreamBf16 && lanes_legal && units_legal))
  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, {job_stream_i, job_lanes_i, job_units_i})
  `ASSERT_STABLE(InStable_A, in_valid_i, in_ready_o, in_i)
  `ASSERT_STABLE(OutStable_A, out_valid_o, out_ready_i, out_o)

endmodule

bind rivulet_transpose_buffer rivulet_transpose_buffer_props #(
  .Lanes(Lanes),
  .Group(Group)
) u_props (.*);
