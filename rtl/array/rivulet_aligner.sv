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
 * row holds an Inf or a NaN, its integers are not to be used).
 *
 * Two rows are buffered, so that one beat per cycle is sustained; the first beat of a row leaves
 * two cycles after its last beat was accepted. A new job is accepted once the rows of the previous
 * one have arrived. Requires 1 <= lanes <= Group and 9 <= align_w <= AlignW.
 */
module rivulet_aligner
  import rivulet_pkg::*;
#(
  parameter int unsigned Values = 4,    // BF16 values per beat
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

  localparam int unsigned Beats = (Group + Values - 1) / Values;
  localparam int unsigned BeatBits = (Beats > 1) ? $clog2(Beats) : 1;
  // An integer and the nine bits under it that rounding can see.
  localparam int unsigned WideBits = AlignW - 1 + 9;

  typedef logic [BeatBits-1:0] beat_idx_t;

  // What the read side needs to know of a buffered row.
  typedef struct packed {
    beat_idx_t  last;      // index of the last beat
    logic [7:0] exponent;
    logic [4:0] align_w;
  } row_t;

  function automatic logic [AlignW-1:0] align(bf16_t x, logic [7:0] exponent, logic [4:0] align_w);
    logic [         8:0] distance;
    logic [         4:0] shift;
    logic [         7:0] significand;
    logic [WideBits-1:0] wide;
    logic [  AlignW-2:0] magnitude;
    distance    = {1'b0, exponent} - {1'b0, x[14:7]} + 9'(AlignW) - 9'(align_w);
    shift       = (distance > 9'd31) ? 5'd31 : distance[4:0];
    significand = (x[14:7] == '0) ? '0 : {1'b1, x[6:0]};
    wide        = {significand, (WideBits - 8)'(0)} >> shift;
    magnitude   = wide[WideBits-1:9] + (AlignW - 1)'(wide[8] && (wide[9] || (wide[7:0] != '0)));
    return x[15] ? -{1'b0, magnitude} : {1'b0, magnitude};
  endfunction

  // Job and write side.
  logic             active_q;
  logic      [15:0] rows_q;  // rows still to arrive
  logic      [ 7:0] lanes_q;
  logic      [ 4:0] align_w_q;
  logic             wr_bank_q;
  beat_idx_t        wr_beat_q;
  logic      [ 7:0] max_q;  // largest exponent field of the row so far
  logic      [ 1:0] full_q;
  row_t             row_q                                              [2];
  logic wr_fire, wr_last, rd_done;
  beat_idx_t                 last_beat;
  logic      [16*Values-1:0] x_masked;
  logic      [          7:0] max_d;

  assign x_ready_o   = active_q && !full_q[wr_bank_q];
  assign wr_fire     = x_valid_i && x_ready_o;
  assign last_beat   = beat_idx_t'((lanes_q - 8'd1) / 8'(Values));
  assign wr_last     = wr_fire && (wr_beat_q == last_beat);
  assign job_ready_o = !active_q || (wr_last && (rows_q == 16'd1));

  always_comb begin
    max_d = (wr_beat_q == '0) ? '0 : max_q;
    for (int unsigned v = 0; v < Values; v++) begin
      x_masked[16*v+:16] = (32'(wr_beat_q) * Values + v < 32'(lanes_q)) ? x_i[16*v+:16] : '0;
      if (x_masked[16*v+7+:8] > max_d) max_d = x_masked[16*v+7+:8];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q  <= 1'b0;
      rows_q    <= '0;
      lanes_q   <= 8'd1;
      align_w_q <= 5'(AlignW);
    end else if (job_valid_i && job_ready_o) begin
      active_q  <= (job_rows_i != '0);
      rows_q    <= job_rows_i;
      lanes_q   <= job_lanes_i;
      align_w_q <= job_align_w_i;
    end else if (wr_last) begin
      active_q <= (rows_q != 16'd1);
      rows_q   <= rows_q - 16'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_bank_q <= 1'b0;
      wr_beat_q <= '0;
    end else if (wr_fire) begin
      wr_bank_q <= wr_bank_q ^ wr_last;
      wr_beat_q <= wr_last ? '0 : wr_beat_q + beat_idx_t'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (wr_fire) max_q <= max_d;
    if (wr_last) row_q[wr_bank_q] <= '{last: last_beat, exponent: max_d, align_w: align_w_q};
  end

  logic [16*Values-1:0] mem[2*Beats];
  logic [BeatBits:0] wr_addr, rd_addr;
  always_ff @(posedge clk_i) if (wr_fire) mem[wr_addr] <= x_masked;

  // Read side.
  logic rd_bank_q, rd_fire;
  beat_idx_t                 rd_beat_q;
  row_t                      rd_row;
  logic      [16*Values-1:0] rd_data;

  if (Beats > 1) begin : gen_addr
    assign wr_addr = (BeatBits + 1)'(wr_beat_q) + (wr_bank_q ? (BeatBits + 1)'(Beats) : '0);
    assign rd_addr = (BeatBits + 1)'(rd_beat_q) + (rd_bank_q ? (BeatBits + 1)'(Beats) : '0);
  end else begin : gen_addr_single
    assign wr_addr = {1'b0, wr_bank_q};
    assign rd_addr = {1'b0, rd_bank_q};
  end

  assign rd_row  = row_q[rd_bank_q];
  assign rd_data = mem[rd_addr];
  assign rd_fire = full_q[rd_bank_q] && (!a_valid_o || a_ready_i);
  assign rd_done = rd_fire && (rd_beat_q == rd_row.last);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_bank_q <= 1'b0;
      rd_beat_q <= '0;
      a_valid_o <= 1'b0;
    end else begin
      if (rd_fire) begin
        rd_bank_q <= rd_bank_q ^ rd_done;
        rd_beat_q <= rd_done ? '0 : rd_beat_q + beat_idx_t'(1);
      end
      if (!a_valid_o || a_ready_i) a_valid_o <= rd_fire;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
    end else begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (wr_last && (wr_bank_q == 1'(b))) full_q[b] <= 1'b1;
        else if (rd_done && (rd_bank_q == 1'(b))) full_q[b] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_fire) begin
      for (int unsigned v = 0; v < Values; v++) begin
        a_o[AlignW*v+:AlignW] <= align(rd_data[16*v+:16], rd_row.exponent, rd_row.align_w);
      end
      a_exponent_o <= rd_row.exponent;
      a_last_o     <= rd_done;
    end
  end

endmodule
