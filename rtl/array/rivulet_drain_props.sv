// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_drain: a waiting job and a waiting result hold. */
`include "rivulet_assert.svh"

module rivulet_drain_props
  import rivulet_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input logic          job_valid_i,
  input logic          job_ready_o,
  input logic          job_half_i,
  input logic  [ 15:0] job_units_i,
  input logic  [  7:0] job_rows_i,
  input logic          y_valid_o,
  input logic          y_ready_i,
  input beat_t         y_o,
  input logic  [127:0] acc_o,
  input logic          y_last_o
);

  `ASSERT_STABLE(JobStable_A, job_valid_i, job_ready_o, {job_half_i, job_units_i, job_rows_i})
  `ASSERT_STABLE(YStable_A, y_valid_o, y_ready_i, {y_last_o, acc_o, y_o})

endmodule

bind rivulet_drain rivulet_drain_props u_props (.*);
