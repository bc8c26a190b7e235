// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Table builder: row buffer and adders of one position (one row of the stationary tile).
 *
 * Aligned beats are written to one half of the row buffer; the first beat of a step clears the rest
 * of the step. Pairs lane pairs a step are read from the other half. Each pair has one adder, whose
 * register walks over the sixteen entries of its table as rivulet_build_ctrl says: `clear_i` sets it
 * to zero, else it moves by plus or minus x0 or x1. `value_o` are the registers. All positions of a
 * tile share one control.
 */
module rivulet_table_builder #(
  parameter  int unsigned Group  = 128,
  parameter  int unsigned AlignW = 16,
  parameter  int unsigned Values = 4,                                // integers of a beat
  parameter  int unsigned Pairs  = 4,                                // built at a time
  localparam int unsigned Steps  = Group / (2 * Pairs),
  localparam int unsigned StepW  = (Steps > 1) ? $clog2(Steps) : 1,
  localparam int unsigned Parts  = 2 * Pairs / Values,               // beats of a step
  localparam int unsigned ValueW = AlignW + 2
) (
  input  logic                          clk_i,
  // Row buffer
  input  logic                          wr_i,
  input  logic                          wr_half_i,
  input  logic [ StepW-1:0]             wr_step_i,
  input  logic [ Parts-1:0]             wr_part_i,   // of the step: one of them
  input  logic [Values-1:0][AlignW-1:0] beat_i,
  // Walk
  input  logic                          half_i,
  input  logic [ StepW-1:0]             step_i,
  input  logic                          clear_i,
  input  logic                          along_x1_i,
  input  logic                          down_i,
  // Table entries
  output logic [ Pairs-1:0][ValueW-1:0] value_o
);

  if (Values < 2 || Parts * Values != 2 * Pairs || Steps * 2 * Pairs != Group || Parts > 16)
  begin : gen_illegal
    $fatal(1, "rivulet_table_builder: 2 * Pairs is 1 to 16 beats of 2 or more, and divides Group");
  end

  for (genvar b = 0; b < Parts; b++) begin : gen_part
    localparam int unsigned AddrW = $clog2(Steps) + 1;
    logic [Values-1:0][AlignW-1:0] mem[2 * Steps];
    logic [Values/2-1:0][ValueW-1:0] value_q;
    logic [AddrW-1:0] wr_addr, rd_addr;

    if (Steps > 1) begin : gen_addr
      assign wr_addr = {wr_half_i, wr_step_i};
      assign rd_addr = {half_i, step_i};
    end else begin : gen_addr_one_step
      logic unused_step;
      assign unused_step = ^{wr_step_i, step_i};
      assign wr_addr     = wr_half_i;
      assign rd_addr     = half_i;
    end

    always_ff @(posedge clk_i) begin
      if (wr_i && (wr_part_i[b] || wr_part_i[0])) mem[wr_addr] <= wr_part_i[b] ? beat_i : '0;
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        value_q <= '0;
      end else begin
        automatic logic [Values-1:0][AlignW-1:0] data = mem[rd_addr];
        for (int unsigned p = 0; p < Values / 2; p++) begin
          automatic logic [AlignW-1:0] x = along_x1_i ? data[2*p+1] : data[2*p];
          value_q[p] <= value_q[p] + ({{2{x[AlignW-1]}}, x} ^ {ValueW{down_i}}) + ValueW'(down_i);
        end
      end
    end
    assign value_o[Values/2*b+:Values/2] = value_q;
  end

endmodule
