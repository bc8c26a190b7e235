// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Aligner: rows of BF16 values to signed integers that share one exponent (docs/numerics.md,
 * "Align").
 *
 * A job announces `rows` rows of `lanes` values. Each row arrives as ceil(lanes / Values) beats,
 * lane 0 in the low bits; values beyond `lanes` in its last beat read as +0. A row leaves as the
 * same number of beats of AlignW-bit integers, each with the exponent field of the row (255 = the
 * row holds an Inf or a NaN, its integers are not to be used). A new job is accepted once the rows
 * of the previous one have arrived. Requires 1 <= lanes <= Group and 9 <= align_w <= AlignW.
 *
 * Beats wait in a FIFO for the maximum of their row; it holds the beats of one row and those that
 * arrive while the maximum is on its way, so that one beat per cycle is sustained over rows and
 * jobs, whatever their lengths. Three registers follow: shift distance, shifted, rounded.
 *
 * Latency: the first beat of a row leaves row_max_stages(Values) + 3 cycles after its last beat was
 * accepted (5 for 4 values, 6 for 16, 7 for 32 and 64), the others one per cycle behind it.
 * Combinational from port to port: x_valid_i to job_ready_o.
 */
module rivulet_aligner
  import rivulet_pkg::*;
#(
  parameter int unsigned Values = 4,    // BF16 values per beat, a power of two up to 64
  parameter int unsigned Group  = 128,  // most lanes of a row
  parameter int unsigned AlignW = 16    // bits of an integer
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // Job
  input  logic                     job_valid_i,
  output logic                     job_ready_o,
  input  logic [             15:0] job_rows_i,
  input  logic [              7:0] job_lanes_i,
  input  logic [              4:0] job_align_w_i,
  // BF16 beats
  input  logic                     x_valid_i,
  output logic                     x_ready_o,
  input  logic [    16*Values-1:0] x_i,
  // Aligned beats
  output logic                     a_valid_o,
  input  logic                     a_ready_i,
  output logic [AlignW*Values-1:0] a_o,
  output logic [              7:0] a_exponent_o,
  output logic                     a_last_o        // last beat of a row
);

  if (!(Values inside {1, 2, 4, 8, 16, 32, 64})) begin : gen_illegal
    $fatal(1, "rivulet_aligner: Values must be a power of two up to 64");
  end

  localparam int unsigned Beats = (Group + Values - 1) / Values;
  localparam int unsigned BeatW = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int unsigned Depth = Beats + row_max_stages(Values);
  // An integer and the nine bits under it that rounding can see.
  localparam int unsigned WideW = AlignW - 1 + 9;

  typedef logic [BeatW-1:0] beat_idx_t;

  // What the read side needs of a beat.
  typedef struct packed {
    logic                    last;  // of its row
    logic [2:0]              drop;  // AlignW - align_w
    logic [Values-1:0][15:0] x;
  } masked_t;

  function automatic logic [4:0] distance(logic [7:0] exponent, logic [7:0] field,
                                          logic [2:0] drop);
    logic [8:0] difference;
    difference = {1'b0, exponent} - {1'b0, field} + 9'(drop);
    return (difference > 9'd31) ? 5'd31 : difference[4:0];
  endfunction

  // To nearest, ties to even. -(m + up) is ~m + !up: one addition rounds and negates.
  function automatic logic [AlignW-1:0] round(logic sign, logic [WideW-1:0] wide);
    logic up, carry;
    up    = wide[8] && (wide[9] || (wide[7:0] != '0));
    carry = up ^ sign;
    return ({1'b0, wide[WideW-1:9]} ^ {AlignW{sign}}) + AlignW'(carry);
  endfunction

  // -----------------------------------------------------------------------------------------------
  // Job and write side

  logic                   active_q;
  logic      [      15:0] rows_q;  // rows still to arrive
  logic                   last_row_q;  // rows_q == 1
  beat_idx_t              last_beat_q;  // index of the last beat of a row
  beat_idx_t              left_q;  // beats of the row after the next one
  logic                   x_last_q;  // left_q == 0
  logic      [Values-1:0] tail_q;  // values of a last beat that belong to the row
  logic      [       2:0] drop_q;
  beat_idx_t              job_last_beat;
  logic job_fire, x_fire, row_end, fifo_ready;
  masked_t                   masked;
  logic    [Values-1:0][7:0] field;

  assign x_ready_o     = active_q && fifo_ready;
  assign x_fire        = x_valid_i && x_ready_o;
  assign row_end       = x_fire && x_last_q;
  assign job_ready_o   = !active_q || (row_end && last_row_q);
  assign job_fire      = job_valid_i && job_ready_o;
  assign job_last_beat = beat_idx_t'((job_lanes_i - 8'd1) / 8'(Values));

  always_comb begin
    masked = '{last: x_last_q, drop: drop_q, x: x_i};
    if (x_last_q) begin
      for (int unsigned v = 0; v < Values; v++) if (!tail_q[v]) masked.x[v] = '0;
    end
    for (int unsigned v = 0; v < Values; v++) field[v] = masked.x[v][14:7];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q   <= 1'b0;
      rows_q     <= '0;
      last_row_q <= 1'b0;
      left_q     <= '0;
      x_last_q   <= 1'b1;
    end else if (job_fire) begin
      active_q   <= (job_rows_i != '0);
      rows_q     <= job_rows_i;
      last_row_q <= (job_rows_i == 16'd1);
      left_q     <= job_last_beat;
      x_last_q   <= (job_last_beat == '0);
    end else if (x_fire) begin
      if (x_last_q) begin
        active_q   <= !last_row_q;
        rows_q     <= rows_q - 16'd1;
        last_row_q <= (rows_q == 16'd2);
      end
      left_q   <= x_last_q ? last_beat_q : left_q - beat_idx_t'(1);
      x_last_q <= x_last_q ? (last_beat_q == '0) : (left_q == beat_idx_t'(1));
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_fire) begin
      last_beat_q <= job_last_beat;
      drop_q      <= 3'(5'(AlignW) - job_align_w_i);
      for (int unsigned v = 0; v < Values; v++) begin
        tail_q[v] <= 8'(v) <= (job_lanes_i - 8'd1) % 8'(Values);
      end
    end
  end

  // -----------------------------------------------------------------------------------------------
  // Beats, and maxima of the rows that are complete

  masked_t beat;
  logic [7:0] max, exponent;
  logic max_valid, exponent_valid, move, read;
  logic unused_beat_valid, unused_max_ready;  // a row with a maximum has beats, and vice versa

  rivulet_fifo #(
    .data_t(masked_t),
    .Depth (Depth)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .valid_i(x_fire),
    .ready_o(fifo_ready),
    .data_i (masked),
    .valid_o(unused_beat_valid),
    .ready_i(read),
    .data_o (beat)
  );

  rivulet_row_max #(
    .Values(Values)
  ) u_max (
    .clk_i,
    .rst_ni,
    .valid_i(x_fire),
    .last_i (x_last_q),
    .field_i(field),
    .valid_o(max_valid),
    .max_o  (max)
  );

  rivulet_fifo #(
    .data_t(logic [7:0]),
    .Depth (Depth)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .valid_i(max_valid),
    .ready_o(unused_max_ready),
    .data_i (max),
    .valid_o(exponent_valid),
    .ready_i(read && beat.last),
    .data_o (exponent)
  );

  // -----------------------------------------------------------------------------------------------
  // Read side: three stages that move together

  logic distance_valid_q, shifted_valid_q;
  logic distance_last_q, shifted_last_q;
  logic [7:0] distance_exponent_q, shifted_exponent_q;

  assign move = !a_valid_o || a_ready_i;
  assign read = exponent_valid && move;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      distance_valid_q <= 1'b0;
      shifted_valid_q  <= 1'b0;
      a_valid_o        <= 1'b0;
    end else if (move) begin
      distance_valid_q <= exponent_valid;
      shifted_valid_q  <= distance_valid_q;
      a_valid_o        <= shifted_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) begin
      distance_last_q     <= beat.last;
      distance_exponent_q <= exponent;
    end
    if (move && distance_valid_q) begin
      shifted_last_q     <= distance_last_q;
      shifted_exponent_q <= distance_exponent_q;
    end
    if (move && shifted_valid_q) begin
      a_last_o     <= shifted_last_q;
      a_exponent_o <= shifted_exponent_q;
    end
  end

  for (genvar v = 0; v < Values; v++) begin : gen_lane
    logic distance_sign_q, shifted_sign_q;
    logic [      4:0] distance_q;
    logic [      7:0] significand_q;
    logic [WideW-1:0] shifted_q;

    always_ff @(posedge clk_i) begin
      if (read) begin
        distance_sign_q <= beat.x[v][15];
        distance_q      <= distance(exponent, beat.x[v][14:7], beat.drop);
        significand_q   <= (beat.x[v][14:7] == '0) ? '0 : {1'b1, beat.x[v][6:0]};
      end
      if (move && distance_valid_q) begin
        shifted_sign_q <= distance_sign_q;
        shifted_q      <= {significand_q, (WideW - 8)'(0)} >> distance_q;
      end
      if (move && shifted_valid_q) a_o[AlignW*v+:AlignW] <= round(shifted_sign_q, shifted_q);
    end
  end

endmodule
