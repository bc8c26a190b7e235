// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * BF16 stream: units of BF16 values to byte-sliced code beats with their exponent.
 *
 * A job brings `units` units of `lanes` values, ceil(lanes / (Lanes / 2)) beats of Lanes / 2 values
 * each. Every unit is aligned to its own largest exponent (docs/numerics.md, "Align") and leaves as
 * ceil(lanes / Lanes) pairs of code beats: the low bytes of the 16-bit integers of Lanes lanes, then
 * their high bytes, with the exponent field of the unit beside them.
 *
 * Throughput: one code beat per cycle. Latency: that of rivulet_aligner for the beat that completes
 * a pair, and one cycle. Uncut combinational path: code_ready_i to the ready of the aligner.
 */
module rivulet_bf16_stream #(
  parameter int unsigned Lanes  = 32,
  parameter int unsigned Group  = 128,
  parameter int unsigned AlignW = 16
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // Job
  input  logic               job_valid_i,
  output logic               job_ready_o,
  input  logic [       15:0] job_units_i,
  input  logic [        7:0] job_lanes_i,
  input  logic [        4:0] job_align_w_i,
  // BF16 beats
  input  logic               w_valid_i,
  output logic               w_ready_o,
  input  logic [8*Lanes-1:0] w_i,
  // Code beats
  output logic               code_valid_o,
  input  logic               code_ready_i,
  output logic [8*Lanes-1:0] code_o,
  output logic [        7:0] exponent_o,
  output logic               code_last_o     // last beat of a unit
);

  localparam int unsigned Values = Lanes / 2;

  typedef logic signed [AlignW-1:0] int_t;
  typedef logic signed [15:0] wide_t;

  logic a_valid, a_ready, a_last, a_fire;
  logic [AlignW*Values-1:0] a_beat;
  logic [              7:0] a_exponent;

  rivulet_aligner #(
    .Values(Values),
    .Group (Group),
    .AlignW(AlignW)
  ) u_aligner (
    .clk_i,
    .rst_ni,
    .job_valid_i,
    .job_ready_o,
    .job_rows_i  (job_units_i),
    .job_lanes_i,
    .job_align_w_i,
    .x_valid_i   (w_valid_i),
    .x_ready_o   (w_ready_o),
    .x_i         (w_i),
    .a_valid_o   (a_valid),
    .a_ready_i   (a_ready),
    .a_o         (a_beat),
    .a_exponent_o(a_exponent),
    .a_last_o    (a_last)
  );

  // Integers as bytes of Lanes / 2 lanes.
  logic [8*Values-1:0] low, high, low_q, high_q;  // _q: of the first of two beats
  wide_t wide;

  always_comb begin
    for (int unsigned v = 0; v < Values; v++) begin
      wide         = wide_t'(int_t'(a_beat[AlignW*v+:AlignW]));
      low[8*v+:8]  = wide[7:0];
      high[8*v+:8] = wide[15:8];
    end
  end

  // Lanes lanes are complete with the second beat, or with the last one of a unit. The low bytes
  // then leave, the high bytes wait one beat.
  logic               first_beat_q;  // the first of two beats has arrived
  logic               waiting_q;  // high bytes to send
  logic [8*Lanes-1:0] waiting_code_q;
  logic               waiting_last_q;
  logic complete, out_free;

  assign complete = first_beat_q || a_last;
  assign out_free = !code_valid_o || code_ready_i;
  assign a_ready  = !complete || (out_free && !waiting_q);
  assign a_fire   = a_valid && a_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_beat_q <= 1'b0;
      waiting_q    <= 1'b0;
      code_valid_o <= 1'b0;
    end else begin
      if (a_fire) first_beat_q <= !complete;
      if (a_fire && complete) begin
        waiting_q    <= 1'b1;
        code_valid_o <= 1'b1;
      end else if (out_free) begin
        waiting_q    <= 1'b0;
        code_valid_o <= waiting_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (a_fire && !first_beat_q) begin
      low_q  <= low;
      high_q <= high;
    end
    if (a_fire && complete) begin
      code_o         <= first_beat_q ? {low, low_q} : {(8 * Values)'(0), low};
      waiting_code_q <= first_beat_q ? {high, high_q} : {(8 * Values)'(0), high};
      waiting_last_q <= a_last;
      exponent_o     <= a_exponent;
      code_last_o    <= 1'b0;
    end else if (out_free && waiting_q) begin
      code_o      <= waiting_code_q;
      code_last_o <= waiting_last_q;
    end
  end

endmodule
