// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** rivulet_fifo keeps its words in order, and its bound properties hold. */
module proof_fifo #(
  parameter int unsigned Depth = 2
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       mark_i,
  input logic       valid_i,
  input logic [1:0] data_i,
  input logic       ready_i
);

  logic ready, valid;
  logic [1:0] data;

  rivulet_fifo #(
    .data_t(logic [1:0]),
    .Depth (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o(valid),
    .ready_i,
    .data_o (data)
  );

  proof_reset u_reset (.*);

  proof_order #(
    .Width(2),
    .Most (Depth)
  ) u_order (
    .clk_i,
    .rst_ni,
    .mark_i,
    .in_fire_i (valid_i && ready),
    .in_i      (data_i),
    .out_fire_i(valid && ready_i),
    .out_i     (data)
  );

endmodule
