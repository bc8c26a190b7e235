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
 * Latency: request accepted to its first beat 2 cycles, word to beat 1 cycle. Throughput: one beat
 * per cycle at every width, also from one request to the next. An empty request (q0 or n = 0) is
 * accepted at any time; it costs a cycle only if no other request is under way in that cycle. A
 * word is not stored: it stays at word_i, by the handshake rule, for its 4 (q8), 2 (q4) or 1 (q2)
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

  localparam int unsigned Q8Codes = LinkBits / 8;  // codes a beat at q8
  localparam int unsigned Q4Codes = LinkBits / 4;
  localparam int unsigned Q2Codes = LinkBits / 2;
  localparam int unsigned SliceBits = $clog2(Q2Codes + 1);  // a beat has Q2Codes 2-bit slices

  typedef struct packed {
    logic [LinkBits-1:0] codes;
    logic                last;
    tier_e               tier;
  } beat_payload_t;

  // ---------------------------------------------------------------------------------------------
  // The request under way
  // ---------------------------------------------------------------------------------------------
  logic  active_q;
  tier_e tier_q;
  lane_view_t view_q, view_d;
  logic [31:0] left_q;  // codes of the request that are not yet in a beat
  logic [ 1:0] quarter_q;  // where in the word the present beat starts

  logic req_empty, req_start, beat_valid, beat_ready, beat_fire, last, word_end;
  logic [ 2:0] step;  // quarters of a word that a beat uses up
  logic [31:0] step_codes;

  always_comb begin
    unique case (tier_q)
      TierQ8:  step = 3'd1;
      TierQ4:  step = 3'd2;
      default: step = 3'd4;
    endcase
    unique case (tier_q)
      TierQ8:  step_codes = Q8Codes;
      TierQ4:  step_codes = Q4Codes;
      default: step_codes = Q2Codes;
    endcase
  end

  assign req_empty    = req_i.tier == TierQ0 || req_i.codes == '0;
  assign req_ready_o  = req_empty || !active_q || (beat_fire && last);
  assign req_start    = req_valid_i && req_ready_o && !req_empty;
  assign last         = left_q <= step_codes;
  assign word_end     = last || 3'(quarter_q) + step == 3'd4;
  assign beat_valid   = active_q && word_valid_i;
  assign beat_fire    = beat_valid && beat_ready;
  assign word_ready_o = active_q && beat_ready && word_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q  <= 1'b0;
      quarter_q <= 2'd0;
    end else begin
      if (req_start) begin
        active_q <= 1'b1;
      end else if (beat_fire && last) begin
        active_q <= 1'b0;
      end
      if (beat_fire) quarter_q <= word_end ? 2'd0 : quarter_q + 2'(step);
    end
  end

  rivulet_view_prepare u_prepare (
    .tier_i     (req_i.tier),
    .view_i     (req_i.view),
    .lane_view_o(view_d)
  );

  always_ff @(posedge clk_i) begin
    if (req_start) begin
      tier_q <= req_i.tier;
      view_q <= view_d;
      left_q <= req_i.codes;
    end else if (beat_fire) begin
      left_q <= left_q - step_codes;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Lanes: a beat takes a quarter (q8), a half (q4) or all (q2) of the word
  // ---------------------------------------------------------------------------------------------
  logic [8*Q4Codes-1:0] half;  // at q2 the lower half
  logic [LinkBits-1:0] q8_codes, q4_codes, q2_codes;

  assign half     = word_i[8*Q4Codes*32'(quarter_q[1])+:8*Q4Codes];
  assign q8_codes = half[8*Q8Codes*32'(quarter_q[0])+:8*Q8Codes];

  for (genvar i = 0; i < int'(Q2Codes); i++) begin : gen_lanes
    s8_t code;
    logic above, below;

    rivulet_view_compare u_compare (
      .code_i (code),
      .upper_i(view_q.upper),
      .lower_i(view_q.lower),
      .above_o(above),
      .below_o(below)
    );
    assign q2_codes[2*i+:2] = {below && !above, above || below};

    if (i < int'(Q4Codes)) begin : gen_q4
      assign code = s8_t'(half[8*i+:8]);
      rivulet_view_q4 u_q4 (
        .code_i (code),
        .shift_i(view_q.shift),
        .round_i(view_q.round),
        .above_i(above),
        .below_i(below),
        .high_i (view_q.high),
        .low_i  (view_q.low),
        .code_o (q4_codes[4*i+:4])
      );
    end else begin : gen_q2_only
      assign code = s8_t'(word_i[8*i+:8]);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The beat: one of the three, without the lanes beyond the request's last code
  // ---------------------------------------------------------------------------------------------
  logic [SliceBits-1:0] slices;  // 2-bit slices that hold codes
  logic [ LinkBits-1:0] mask;
  beat_payload_t beat_d, beat_q;

  always_comb begin
    unique case (tier_q)
      TierQ8:  slices = {left_q[SliceBits-3:0], 2'b00};
      TierQ4:  slices = {left_q[SliceBits-2:0], 1'b0};
      default: slices = left_q[SliceBits-1:0];
    endcase
    if (!last) slices = SliceBits'(Q2Codes);
    for (int unsigned i = 0; i < Q2Codes; i++) begin
      mask[2*i+:2] = {2{SliceBits'(i) < slices}};
    end
    unique case (tier_q)
      TierQ8:  beat_d.codes = q8_codes & mask;
      TierQ4:  beat_d.codes = q4_codes & mask;
      default: beat_d.codes = q2_codes & mask;
    endcase
    beat_d.last = last;
    beat_d.tier = tier_q;
  end

  rivulet_stream_reg #(
    .data_t  (beat_payload_t),
    .CutReady(1'b0)
  ) u_beat_reg (
    .clk_i,
    .rst_ni,
    .valid_i(beat_valid),
    .ready_o(beat_ready),
    .data_i (beat_d),
    .valid_o(beat_valid_o),
    .ready_i(beat_ready_i),
    .data_o (beat_q)
  );

  assign beat_o      = beat_q.codes;
  assign beat_last_o = beat_q.last;

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
    .beat_tier_i(beat_q.tier),
    .counters_o
  );

  // Both kinds use the same formula; the tag carries the kind for the counters of the read engine.
  logic unused_kind;
  assign unused_kind = req_i.kind;

endmodule
