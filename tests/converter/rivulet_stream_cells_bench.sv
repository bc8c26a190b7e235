// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The stream cells, for their tests: rivulet_stream_reg in both forms and rivulet_fifo at depths 1,
 * 2, 3, 4, 5, 7 and 13, of which cell_i connects one to the ports; a rivulet_stream_fork of three
 * outputs; and a small rivulet_counter.
 */
module rivulet_stream_cells_bench #(
  localparam int unsigned Fifos               = 7,
  localparam int unsigned Cells               = 2 + Fifos,
  localparam int unsigned Depths      [Fifos] = '{1, 2, 3, 4, 5, 7, 13},
  localparam int unsigned CountBits           = 7,
  localparam int unsigned CountAddBits        = 3
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // 0 and 1: stream registers, ready passed and cut; then the FIFOs. Steady outside reset.
  input  logic [             3:0] cell_i,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [            15:0] data_i,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [            15:0] data_o,
  input  logic                    fork_valid_i,
  output logic                    fork_ready_o,
  input  logic [             2:0] fork_select_i,
  output logic                    fork_valid0_o,
  output logic                    fork_valid1_o,
  output logic                    fork_valid2_o,
  input  logic                    fork_ready0_i,
  input  logic                    fork_ready1_i,
  input  logic                    fork_ready2_i,
  input  logic                    count_en_i,
  input  logic [CountAddBits-1:0] count_add_i,
  output logic [   CountBits-1:0] count_o
);

  typedef struct packed {
    logic [6:0] high;
    logic [8:0] low;
  } data_t;

  logic [Cells-1:0] in_valid, in_ready, out_valid, out_ready;
  data_t [Cells-1:0] out_data;

  always_comb begin
    in_valid          = '0;
    out_ready         = '0;
    in_valid[cell_i]  = valid_i;
    out_ready[cell_i] = ready_i;
  end
  assign ready_o = in_ready[cell_i];
  assign valid_o = out_valid[cell_i];
  assign data_o  = out_data[cell_i];

  for (genvar i = 0; i < 2; i++) begin : gen_regs
    rivulet_stream_reg #(
      .data_t  (data_t),
      .CutReady(i == 1)
    ) u_reg (
      .clk_i,
      .rst_ni,
      .valid_i(in_valid[i]),
      .ready_o(in_ready[i]),
      .data_i (data_t'(data_i)),
      .valid_o(out_valid[i]),
      .ready_i(out_ready[i]),
      .data_o (out_data[i])
    );
  end

  for (genvar i = 2; i < int'(Cells); i++) begin : gen_fifos
    rivulet_fifo #(
      .data_t(data_t),
      .Depth (Depths[i-2])
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .valid_i(in_valid[i]),
      .ready_o(in_ready[i]),
      .data_i (data_t'(data_i)),
      .valid_o(out_valid[i]),
      .ready_i(out_ready[i]),
      .data_o (out_data[i])
    );
  end

  rivulet_stream_fork #(
    .Outputs(3)
  ) u_fork (
    .clk_i,
    .rst_ni,
    .valid_i (fork_valid_i),
    .ready_o (fork_ready_o),
    .select_i(fork_select_i),
    .valid_o ({fork_valid2_o, fork_valid1_o, fork_valid0_o}),
    .ready_i ({fork_ready2_i, fork_ready1_i, fork_ready0_i})
  );

  rivulet_counter #(
    .Width   (CountBits),
    .AddWidth(CountAddBits)
  ) u_counter (
    .clk_i,
    .rst_ni,
    .en_i   (count_en_i),
    .add_i  (count_add_i),
    .count_o(count_o)
  );

endmodule
