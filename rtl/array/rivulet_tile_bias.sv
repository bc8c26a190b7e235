// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Exponent and bias terms of the rows of a tile, per bank of tables.
 *
 * A bias term is the sum of the aligned integers of a row times 2, 42 or 10922 (docs/array.md §1).
 * Sums are formed while the rows are buffered and kept beside the row buffers. While a tile is
 * built, its rows pass one after the other, again and again, through one pipeline that forms the
 * multiples; what it has found when the build is done goes to the registers of the bank, all rows
 * at once, one cycle later. So they are valid from LookupDelay + 2 cycles after the tile is taken
 * on, until LookupDelay + 1 and a build time after the next one is taken.
 */
module rivulet_tile_bias #(
  parameter  int unsigned Positions = 8,
  parameter  int unsigned AlignW    = 16,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned Values    = 4,                                        // of a beat
  localparam int unsigned RowW      = (Positions > 1) ? $clog2(Positions) : 1,
  localparam int unsigned BiasW     = AlignW + $clog2(Group) + 14
) (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // Aligned beats that are buffered
  input  logic                                        beat_valid_i,
  input  logic                                        beat_last_i,   // of the row
  input  logic                                        half_i,
  input  logic [  RowW-1:0]                           row_i,
  input  logic [       7:0]                           exponent_i,
  input  logic [Values-1:0][   AlignW-1:0]            beat_i,
  // Build
  input  logic                                        busy_i,
  input  logic                                        done_i,
  input  logic                                        bank_i,
  // Per bank and position
  output logic [       1:0][Positions-1:0][      7:0] exponent_o,
  output logic [       1:0][Positions-1:0][BiasW-1:0] bias_q4_o,
  output logic [       1:0][Positions-1:0][BiasW-1:0] bias_q8_o,
  output logic [       1:0][Positions-1:0][BiasW-1:0] bias_bf16_o
);

  localparam int unsigned Levels = rivulet_pkg::tree_levels(Values);
  localparam int unsigned SumW = AlignW + $clog2(Group);
  localparam int unsigned BeatSumW = AlignW + $clog2(Values);

  typedef logic [RowW-1:0] row_idx_t;
  typedef logic signed [SumW-1:0] sum_t;
  typedef logic signed [SumW+5:0] times_42_t;
  typedef logic signed [BiasW-1:0] bias_t;

  typedef struct packed {
    logic       last;
    logic       half;
    row_idx_t   row;
    logic [7:0] exponent;
  } beat_t;

  typedef struct packed {
    logic [7:0] exponent;
    sum_t       sum;
  } row_t;

  // -----------------------------------------------------------------------------------------------
  // Sum of a row

  logic [Levels-1:0] valid_q, enable;
  beat_t beat_q[Levels];
  logic signed [BeatSumW-1:0] beat_sum;

  assign enable = Levels'({valid_q, beat_valid_i});
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= enable;
  end
  for (genvar l = 0; l < Levels; l++) begin : gen_level
    if (l == 0) begin : gen_first
      always_ff @(posedge clk_i) begin
        if (enable[0]) begin
          beat_q[0] <= '{last: beat_last_i, half: half_i, row: row_i, exponent: exponent_i};
        end
      end
    end else begin : gen_next
      always_ff @(posedge clk_i) if (enable[l]) beat_q[l] <= beat_q[l-1];
    end
  end

  rivulet_adder_tree #(
    .Inputs(Values),
    .Width (AlignW),
    .Levels(Levels)
  ) u_tree (
    .clk_i,
    .en_i   (enable),
    .value_i(beat_i),
    .sum_o  (beat_sum)
  );

  logic summed, first_q;
  beat_t sum_beat;
  sum_t sum_q, sum_d;
  row_t mem[2**(RowW+1)];

  assign summed   = valid_q[Levels-1];
  assign sum_beat = beat_q[Levels-1];
  assign sum_d    = sum_t'(beat_sum) + (first_q ? '0 : sum_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_q <= 1'b1;
    else if (summed) first_q <= sum_beat.last;
  end

  always_ff @(posedge clk_i) begin
    if (summed) begin
      sum_q <= sum_d;
      if (sum_beat.last) begin
        mem[{sum_beat.half, sum_beat.row}] <= '{exponent: sum_beat.exponent, sum: sum_d};
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Multiples: read, times 42, times 10922 = 42 * 260 + 2

  row_idx_t row_q, read_row_q, times_row_q, next_row_q;
  row_t read_q, times_q, next_q;
  times_42_t times_42_q, next_42_q;
  bias_t next_10922_q;

  function automatic times_42_t times_42(sum_t sum);
    return (times_42_t'(sum) <<< 5) + (times_42_t'(sum) <<< 3) + (times_42_t'(sum) <<< 1);
  endfunction
  function automatic bias_t times_10922(times_42_t sum_42, sum_t sum);
    return (bias_t'(sum_42) <<< 8) + (bias_t'(sum_42) <<< 2) + (bias_t'(sum) <<< 1);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) row_q <= '0;
    else if (busy_i) row_q <= (row_q == row_idx_t'(Positions - 1)) ? '0 : row_q + row_idx_t'(1);
  end

  always_ff @(posedge clk_i) begin
    if (busy_i) begin
      read_row_q   <= row_q;
      read_q       <= mem[{bank_i, row_q}];
      times_row_q  <= read_row_q;
      times_q      <= read_q;
      times_42_q   <= times_42(read_q.sum);
      next_row_q   <= times_row_q;
      next_q       <= times_q;
      next_42_q    <= times_42_q;
      next_10922_q <= times_10922(times_42_q, times_q.sum);
    end
  end

  logic [1:0] done_q;  // per bank
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= '0;
    else done_q <= {done_i && bank_i, done_i && !bank_i};
  end

  for (genvar m = 0; m < Positions; m++) begin : gen_row
    row_t      built_q;
    times_42_t built_42_q;
    bias_t     built_10922_q;
    always_ff @(posedge clk_i) begin
      if (busy_i && (next_row_q == row_idx_t'(m))) begin
        built_q       <= next_q;
        built_42_q    <= next_42_q;
        built_10922_q <= next_10922_q;
      end
    end

    for (genvar b = 0; b < 2; b++) begin : gen_bank
      row_t      bank_q;
      times_42_t bank_42_q;
      bias_t     bank_10922_q;
      always_ff @(posedge clk_i) begin
        if (done_q[b]) begin
          bank_q       <= built_q;
          bank_42_q    <= built_42_q;
          bank_10922_q <= built_10922_q;
        end
      end
      assign exponent_o[b][m]  = bank_q.exponent;
      assign bias_q4_o[b][m]   = bias_t'(bank_q.sum) <<< 1;
      assign bias_q8_o[b][m]   = bias_t'(bank_42_q);
      assign bias_bf16_o[b][m] = bank_10922_q;
    end
  end

endmodule
