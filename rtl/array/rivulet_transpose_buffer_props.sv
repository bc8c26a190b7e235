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
  input gather_t               job_i,
  input logic                  in_valid_i,
  input logic                  in_ready_o,
  input logic    [8*Lanes-1:0] in_i,
  input logic                  out_valid_o,
  input logic                  out_ready_i,
  input logic    [8*Lanes-1:0] out_o,
  input logic                  out_last_o
);

  logic lanes_legal;
  assign lanes_legal = (job_i.lanes != '0) && (32'(job_i.lanes) <= Group);

  `ASSERT(JobLegal_A, !job_valid_i || (lanes_legal && job_i.columns != '0))
  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, job_i)
  `ASSERT_STABLE(InStable_A, in_valid_i, in_ready_o, in_i)
  `ASSERT_STABLE(OutStable_A, out_valid_o, out_ready_i, {out_last_o, out_o})

endmodule

bind rivulet_transpose_buffer rivulet_transpose_buffer_props #(
  .Lanes(Lanes),
  .Group(Group)
) u_props (.*);
