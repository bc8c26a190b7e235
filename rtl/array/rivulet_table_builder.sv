// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Table builder: fills the tables of one position (one row of the stationary tile).
 *
 * The table of a lane pair (x0, x1) holds d0 * x0 + d1 * x1 for the sixteen pairs of digits
 * d0, d1 in -2..1 (docs/array.md). A walk over the 4 x 4 digit grid that starts at (0, 0) and moves
 * one digit by one step at a time needs one adder per pair: each entry is the previous one plus or
 * minus x0 or x1.
 *
 * The aligned integers of the row are written to a buffer, two pairs a beat. After `start_i`,
 * Pairs pairs are built at a time, one entry of each per cycle: Group / (2 * Pairs) * 16 cycles in
 * all; lanes of beats that were not written since the row began are zero. `done_o` is high in the
 * cycle that writes the last entries.
 */
module rivulet_table_builder
  import rivulet_pkg::*;
#(
  parameter  int unsigned Group  = 128,
  parameter  int unsigned AlignW = 16,
  parameter  int unsigned Pairs  = 4,                                // built at a time, even
  localparam int unsigned Steps  = Group / (2 * Pairs),
  localparam int unsigned StepW  = (Steps > 1) ? $clog2(Steps) : 1,
  localparam int unsigned ValueW = AlignW + 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // Row buffer: beats of four aligned integers
  input  logic                    beat_valid_i,
  input  logic                    beat_first_i,  // first beat of a row
  input  logic [    4*AlignW-1:0] beat_i,
  // Build
  input  logic                    start_i,
  output logic                    busy_o,
  output logic                    done_o,
  // Table entries
  output logic                    we_o,
  output logic [       StepW-1:0] step_o,        // which Pairs pairs
  output logic [             3:0] entry_o,       // {d1, d0}
  output logic [ValueW*Pairs-1:0] value_o
);

  localparam int unsigned BeatsPerStep = Pairs / 2;
  localparam int unsigned Beats = Group / 4;
  localparam int unsigned BeatW = $clog2(Beats + 1);

  if ((Pairs % 2) != 0 || (Group % (2 * Pairs)) != 0) begin : gen_illegal
    $fatal(1, "rivulet_table_builder: Pairs must be even and divide Group / 2");
  end

  typedef logic signed [AlignW-1:0] int_t;
  typedef logic signed [ValueW-1:0] value_t;

  // The walk: entry {d1, d0} of each position and how the next one is reached.
  typedef struct packed {
    logic [3:0] entry;
    logic       along_x1;  // the step to the next entry moves d1, else d0
    logic       down;      // and takes one away
  } move_t;

  function automatic move_t walk(logic [3:0] position);
    unique case (position)
      4'd0:    return '{entry: 4'b00_00, along_x1: 1'b0, down: 1'b1};
      4'd1:    return '{entry: 4'b00_11, along_x1: 1'b1, down: 1'b1};
      4'd2:    return '{entry: 4'b11_11, along_x1: 1'b0, down: 1'b0};
      4'd3:    return '{entry: 4'b11_00, along_x1: 1'b0, down: 1'b0};
      4'd4:    return '{entry: 4'b11_01, along_x1: 1'b1, down: 1'b1};
      4'd5:    return '{entry: 4'b10_01, along_x1: 1'b0, down: 1'b1};
      4'd6:    return '{entry: 4'b10_00, along_x1: 1'b0, down: 1'b1};
      4'd7:    return '{entry: 4'b10_11, along_x1: 1'b0, down: 1'b1};
      4'd8:    return '{entry: 4'b10_10, along_x1: 1'b1, down: 1'b0};
      4'd9:    return '{entry: 4'b11_10, along_x1: 1'b1, down: 1'b0};
      4'd10:   return '{entry: 4'b00_10, along_x1: 1'b1, down: 1'b0};
      4'd11:   return '{entry: 4'b01_10, along_x1: 1'b0, down: 1'b0};
      4'd12:   return '{entry: 4'b01_11, along_x1: 1'b0, down: 1'b0};
      4'd13:   return '{entry: 4'b01_00, along_x1: 1'b0, down: 1'b0};
      4'd14:   return '{entry: 4'b01_01, along_x1: 1'b1, down: 1'b1};
      default: return '{entry: 4'b00_01, along_x1: 1'b0, down: 1'b0};
    endcase
  endfunction

  // Row buffer, one memory per beat of a step.
  logic [BeatW-1:0] beats_q;  // beats of the row so far
  logic [BeatW-1:0] wr_beat;
  assign wr_beat = beat_first_i ? '0 : beats_q;
  always_ff @(posedge clk_i) if (beat_valid_i) beats_q <= wr_beat + BeatW'(1);

  // Progress.
  logic              busy_q;
  logic  [StepW-1:0] step_q;
  logic  [      3:0] position_q;
  move_t             move;

  assign busy_o  = busy_q;
  assign we_o    = busy_q;
  assign step_o  = step_q;
  assign move    = walk(position_q);
  assign entry_o = move.entry;
  assign done_o  = busy_q && (position_q == 4'd15) && (step_q == StepW'(Steps - 1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      step_q     <= '0;
      position_q <= '0;
    end else if (busy_q) begin
      position_q <= position_q + 4'd1;
      if (position_q == 4'd15) step_q <= done_o ? '0 : step_q + StepW'(1);
      if (done_o) busy_q <= 1'b0;
    end else if (start_i) begin
      busy_q <= 1'b1;
    end
  end

  for (genvar b = 0; b < BeatsPerStep; b++) begin : gen_beat
    logic [4*AlignW-1:0] mem     [Steps];
    logic [4*AlignW-1:0] data;
    logic                written;

    always_ff @(posedge clk_i) begin
      if (beat_valid_i && ((32'(wr_beat) % BeatsPerStep) == b)) begin
        mem[StepW'(32'(wr_beat)/BeatsPerStep)] <= beat_i;
      end
    end
    assign written = (32'(step_q) * BeatsPerStep + b) < 32'(beats_q);
    assign data    = written ? mem[step_q] : '0;

    for (genvar p = 0; p < 2; p++) begin : gen_pair
      int_t x0, x1, x;
      value_t value_q, delta;
      assign x0    = data[2*AlignW*p+:AlignW];
      assign x1    = data[2*AlignW*p+AlignW+:AlignW];
      assign x     = move.along_x1 ? x1 : x0;
      assign delta = value_t'(x) ^ {ValueW{move.down}};
      always_ff @(posedge clk_i) begin
        if (!busy_q || (position_q == 4'd15)) value_q <= '0;
        else value_q <= value_q + delta + value_t'({1'b0, move.down});
      end
      assign value_o[ValueW*(2*b+p)+:ValueW] = value_q;
    end
  end

endmodule
