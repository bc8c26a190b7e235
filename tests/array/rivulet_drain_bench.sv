// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The drain with its result queues, one per position and edge unit, as they stand in rivulet_array.
 * A write goes to the same word of all queues that wr_i names. No logic.
 */
module rivulet_drain_bench #(
  parameter  int unsigned Positions = 8,
  parameter  int unsigned Edges     = 1,
  parameter  int unsigned Depth     = 512,
  parameter  int unsigned YRows     = 2,
  localparam int unsigned Words     = Depth / Edges,
  localparam int unsigned AddrW     = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          alloc_valid_i,
  output logic                          alloc_ready_o,
  input  logic [                   7:0] alloc_rows_i,
  input  logic [                   2:0] alloc_columns_i,
  input  logic                          alloc_last_i,
  output logic [             AddrW-1:0] alloc_addr_o,
  input  logic                          quad_done_i,
  input  logic [   Positions*Edges-1:0] wr_i,
  input  logic [             AddrW-1:0] wr_addr_i,
  input  logic [32*Positions*Edges-1:0] wr_data_i,
  output logic                          y_valid_o,
  input  logic                          y_ready_i,
  output logic [          64*YRows-1:0] y_o,
  output logic [         128*YRows-1:0] acc_o,
  output logic                          y_last_o
);

  logic                          step;
  logic [             AddrW-1:0] rd_addr;
  logic [32*Positions*Edges-1:0] rd_data;

  for (genvar i = 0; i < Positions * Edges; i++) begin : gen_queue
    rivulet_result_queue #(
      .Depth(Words)
    ) u_queue (
      .clk_i,
      .wr_i     (wr_i[i]),
      .wr_addr_i,
      .wr_data_i(wr_data_i[32*i+:32]),
      .step_i   (step),
      .rd_addr_i(rd_addr),
      .rd_data_o(rd_data[32*i+:32])
    );
  end

  rivulet_drain #(
    .Positions(Positions),
    .Edges    (Edges),
    .Depth    (Depth),
    .YRows    (YRows)
  ) u_drain (
    .clk_i,
    .rst_ni,
    .alloc_valid_i,
    .alloc_ready_o,
    .alloc_rows_i,
    .alloc_columns_i,
    .alloc_last_i,
    .alloc_addr_o,
    .quad_done_i,
    .step_o   (step),
    .rd_addr_o(rd_addr),
    .rd_data_i(rd_data),
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o
  );

endmodule
