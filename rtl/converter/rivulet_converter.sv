// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Precision converter: stored q8 codes in, packed q8, q4 or q2 codes out, as each request's tag
 * says.
 *
 * A request of n codes takes ceil(n / (LinkBits/2)) words of LinkBits/2 stored codes (lane 0 in the
 * least significant bits; each request starts on a new word) and gives ceil(n*p / LinkBits) beats
 * of p-bit codes; unused bits of its last beat are 0 and beat_last_o is 1 with it. A request with
 * tier q0 or n = 0 takes no word and gives no beat.
 *
 * Latency: request accepted to its first beat 3 cycles, word to beat 1 cycle. Throughput: one beat
 * per cycle at every width, also from one request to the next. One request waits while another is
 * under way. An empty request (q0 or n = 0) is accepted at any time; it costs a cycle only if no other
 * request waits, or has a beat after the present one, in the cycle after it. A word is not stored: it stays at word_i, by the handshake rule, for its 4 (q8), 2 (q4) or 1 (q2)
 * beats and is accepted with the last of them.
 *
 * Combinational paths: beat_ready_i and word_valid_i to req_ready_o, beat_ready_i to word_ready_o.
 * In reset req_ready_o is 1, word_ready_o and beat_valid_o are 0.
 * View parameters out of range (shift > 5, clamp 0 or > 128) are the requester's error; asserted.
 * Arithmetic: docs/numerics.md, sections 9 and 10. Theory of operation: docs/converter.md.
 */
module rivulet_converter
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
#(
  parameter int unsigned LinkBits = 64  // a multiple of 64
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // Tagged requests.
  input  logic                                 req_valid_i,
  output logic                                 req_ready_o,
  input  read_req_t                            req_i,
  // Stored codes.
  input  logic                                 word_valid_i,
  output logic                                 word_ready_o,
  input  logic                [4*LinkBits-1:0] word_i,
  // The link.
  output logic                                 beat_valid_o,
  input  logic                                 beat_ready_i,
  output logic                [  LinkBits-1:0] beat_o,
  output logic                                 beat_last_o,
  // Status.
  output converter_counters_t                  counters_o
);

  if (LinkBits == 0 || LinkBits % 64 != 0) begin : gen_link_check
    $fatal(1, "rivulet_converter: LinkBits must be a multiple of 64");
  end

  localparam int unsigned Parts = LinkBits / 64;
  localparam int unsigned Slices = LinkBits / 2;  // 2-bit slices of a beat, codes of a word
  localparam int unsigned SliceBits = $clog2(Slices + 1);

  // ---------------------------------------------------------------------------------------------
  // The next request
  // ---------------------------------------------------------------------------------------------
  logic next_valid, next_ready, req_empty, next_in_ready;
  read_req_t next;

  assign req_empty   = req_i.tier == TierQ0 || req_i.codes == '0;
  assign req_ready_o = req_empty || next_in_ready;

  rivulet_stream_reg #(
    .data_t  (read_req_t),
    .CutReady(1'b0)
  ) u_next (
    .clk_i,
    .rst_ni,
    .valid_i(req_valid_i && !req_empty),
    .ready_o(next_in_ready),
    .data_i (req_i),
    .valid_o(next_valid),
    .ready_i(next_ready),
    .data_o (next)
  );

  // ---------------------------------------------------------------------------------------------
  // The request under way. What is left of it counts 2-bit slices: each beat but the last has the
  // same number, at every width. `last` is that of the next beat.
  // ---------------------------------------------------------------------------------------------
  logic active_q, last_q;
  tier_e tier_q;
  lane_view_t view_q, view_d;
  logic [33:0] left_q, next_left;
  logic [1:0] quarter_q;  // where in the word the next beat starts
  logic start, beat_valid, beat_ready, beat_fire, word_end;
  logic [2:0] quarter_end;

  always_comb begin
    unique case (next.tier)
      TierQ8:  next_left = {next.codes, 2'b00};
      TierQ4:  next_left = {1'b0, next.codes, 1'b0};
      default: next_left = {2'b00, next.codes};
    endcase
    unique case (tier_q)
      TierQ8:  quarter_end = 3'(quarter_q) + 3'd1;
      TierQ4:  quarter_end = 3'(quarter_q) + 3'd2;
      default: quarter_end = 3'd4;
    endcase
  end

  assign next_ready   = !active_q || (beat_fire && last_q);
  assign start        = next_valid && next_ready;
  assign word_end     = last_q || quarter_end[2];
  assign beat_valid   = active_q && word_valid_i;
  assign beat_fire    = beat_valid && beat_ready;
  assign word_ready_o = active_q && beat_ready && word_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q  <= 1'b0;
      quarter_q <= 2'd0;
    end else begin
      if (next_ready) active_q <= next_valid;
      if (beat_fire) quarter_q <= word_end ? 2'd0 : quarter_end[1:0];
    end
  end

  rivulet_view_prepare u_prepare (
    .tier_i     (next.tier),
    .view_i     (next.view),
    .lane_view_o(view_d)
  );

  always_ff @(posedge clk_i) begin
    if (start) begin
      tier_q <= next.tier;
      view_q <= view_d;
      left_q <= next_left;
      last_q <= next_left <= 34'(Slices);
    end else if (beat_fire) begin
      left_q <= left_q - 34'(Slices);
      last_q <= left_q <= 34'(2 * Slices);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The beat, in parts of 64 bits: a quarter (q8), a half (q4) or all (q2) of the word
  // ---------------------------------------------------------------------------------------------
  logic beat_valid_q, beat_last_q;
  tier_e beat_tier_q;
  // The word; its upper half in place of the lower one too, for the second beat of two at q4. q2 and
  // q4 see the same codes[i], so that the same two comparators serve both.
  s8_t [Slices-1:0] codes;
  logic [LinkBits-1:0] quarter;
  logic [31:0] tail_mask;  // slices below the end, in the part that holds the end

  assign codes = {
    word_i[4*LinkBits-1:2*LinkBits],
    quarter_q[1] ? word_i[4*LinkBits-1:2*LinkBits] : word_i[2*LinkBits-1:0]
  };
  assign quarter = quarter_q[0] ? codes[Slices/2-1:Slices/4] : codes[Slices/4-1:0];
  assign tail_mask = ~(32'hffff_ffff << left_q[4:0]);

  assign beat_ready = !beat_valid_q || beat_ready_i;
  assign beat_valid_o = beat_valid_q;
  assign beat_last_o = beat_last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_valid_q <= 1'b0;
    end else if (beat_ready) begin
      beat_valid_q <= beat_valid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_fire) begin
      beat_last_q <= last_q;
      beat_tier_q <= tier_q;
    end
  end

  for (genvar i = 0; i < int'(Parts); i++) begin : gen_part
    localparam logic [SliceBits-6:0] Part = (SliceBits - 5)'(i);
    logic [63:0] part_q;

    // All slices, and those that hold codes.
    function automatic logic [63:0] delivered();
      unique case (tier_q)
        TierQ8:  return quarter[64*i+:64];
        TierQ4:  return part_q4(codes[16*i+:16], view_q);
        default: return part_q2(codes[32*i+:32], view_q.upper, view_q.lower);
      endcase
    endfunction

    function automatic logic [63:0] mask();
      logic full, ends;
      if (!last_q) return '1;
      full = left_q[SliceBits-1:5] > Part;
      ends = left_q[SliceBits-1:5] == Part;
      for (int unsigned j = 0; j < 32; j++) mask[2*j+:2] = {2{full || (ends && tail_mask[j])}};
    endfunction

    always_ff @(posedge clk_i) begin
      if (beat_fire) part_q <= delivered() & mask();
    end

    assign beat_o[64*i+:64] = part_q;
  end

  // ---------------------------------------------------------------------------------------------
  // Counters
  // ---------------------------------------------------------------------------------------------
  rivulet_converter_counters u_counters (
    .clk_i,
    .rst_ni,
    .req_fire_i (req_valid_i && req_ready_o),
    .req_tier_i (req_i.tier),
    .req_codes_i(req_i.codes),
    .beat_fire_i(beat_valid_o && beat_ready_i),
    .beat_tier_i(beat_tier_q),
    .counters_o
  );

  // Both kinds use the same formula; the tag carries the kind for the counters of the read engine.
  logic unused_kind;
  assign unused_kind = next.kind;

endmodule
