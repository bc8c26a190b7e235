// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Fill side of the replay buffer: opens segments, and says where each beat and each scale goes.
 *
 *   direct      a beat fills a word (Lanes bytes)
 *   transposed  beat k of the segment fills bank k mod Banks of word k / Banks (SideLanes bytes each)
 *   BF16        the beats of a unit are pairs, low bytes and high bytes of SideLanes lanes: pair j
 *               fills bank j mod Banks of words 2*(j / Banks) and 2*(j / Banks) + 1 of the unit
 *
 * A word (BF16: a pair of words) is readable from the cycle after the beat that completes it on: all
 * banks are written, or the segment (BF16: the unit) ends.
 * Factors: a scale beat is a quad, of four columns of codes. A BF16 unit writes the factor of its
 * column, {align_w, exponent}, with its last beat; a quad ends with its fourth column or with the
 * segment.
 *
 * A segment is open until its last beat and its last factor are written; the next one opens in that
 * cycle or later. An empty segment has neither.
 * No latency: beats and scales go through to the memories. Combinational paths: beat_valid_i,
 * *_last_i and scale_valid_i to seg_ready_o; room to all ready outputs.
 */
module rivulet_replay_fill
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes     = 32,
  parameter  int unsigned SideLanes = 32,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned Q8Only    = 0,                  // only q8 and BF16 streams
  localparam int unsigned Banks     = Lanes / SideLanes,
  localparam int unsigned BankBits  = 8 * SideLanes
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // Segments
  input  logic                     seg_valid_i,
  output logic                     seg_ready_o,
  input  fill_seg_t                seg_i,
  // Beats
  input  logic                     beat_valid_i,
  output logic                     beat_ready_o,
  input  logic      [ 8*Lanes-1:0] beat_i,         // direct
  input  logic      [BankBits-1:0] beat_side_i,    // transposed and BF16
  input  logic                     side_last_i,    // transposed: last beat of the segment
  input  logic                     unit_last_i,    // BF16: last beat of a unit
  input  logic      [         7:0] exponent_i,     // BF16: of the unit
  // Scales
  input  logic                     scale_valid_i,
  output logic                     scale_ready_o,
  input  logic      [        63:0] scale_i,
  // Tags
  input  logic                     tag_room_i,
  output logic                     tag_push_o,
  // Words
  input  logic                     word_room1_i,   // the next word is free,
  input  logic                     word_room2_i,   // and the one after it
  output logic      [   Banks-1:0] word_we_o,
  output logic                     word_second_o,  // written is the one after the next
  output logic      [ 8*Lanes-1:0] word_o,
  output logic      [         1:0] words_done_o,   // that become readable
  // Factors
  input  logic                     quad_room_i,
  output logic      [         3:0] factor_we_o,
  output logic      [        63:0] factor_o,
  output logic                     quad_done_o,
  output logic      [         1:0] column_o,       // columns of the next quad that are readable
  // The segment that is open, for codes and for factors
  output source_e                  source_o,       // of its beats
  output logic                     codes_open_o,
  output logic                     factors_open_o
);

  localparam int unsigned LogLanes = $clog2(Lanes);
  localparam int unsigned BankW = (Banks > 1) ? $clog2(Banks) : 1;
  localparam int unsigned Subs = Group / Lanes;
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1;
  localparam int unsigned Edges = edge_units(Subs, Q8Only != 0);

  if (Lanes != 2 ** LogLanes || Group % Lanes != 0) begin : gen_lanes_check
    $fatal(
        1,
        "rivulet_replay_fill: Lanes is %0d, must be a power of two that divides Group (%0d)",
        Lanes,
        Group
    );
  end
  if (SideLanes * Banks != Lanes || !(Banks inside {1, 2, 4})) begin : gen_side_lanes_check
    $fatal(
        1,
        "rivulet_replay_fill: SideLanes is %0d, must be Lanes (%0d), a half or a quarter",
        SideLanes,
        Lanes
    );
  end

  // Columns that a beat can end.
  function automatic logic [15:0] beat_columns(source_e source, stream_e stream);
    if (source != SourceDirect) return 16'd1;
    unique case (stream)
      StreamQ2: return 16'(Edges);
      StreamQ4: return (Edges == 4) ? 16'd2 : 16'd1;
      default:  return 16'd1;
    endcase
  endfunction

  // Index of the last direct beat of a unit: q8 Lanes codes a beat, q4 twice, q2 four times that.
  function automatic logic [SubW-1:0] last_beat(stream_e stream, logic [7:0] lanes);
    return SubW'((lanes - 8'd1) >> (4'(LogLanes) + 4'd3 - 4'(stream)));
  endfunction

  // Segments: the one that is open, for codes and (codes only) for their scales.
  fill_seg_t seg_q;
  logic codes_open_q, factors_open_q;
  logic open, codes_end, factors_end;
  assign seg_ready_o = tag_room_i && (!codes_open_q || codes_end) &&
      (!factors_open_q || factors_end);
  assign open = seg_valid_i && seg_ready_o;
  assign tag_push_o = open;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      codes_open_q   <= 1'b0;
      factors_open_q <= 1'b0;
    end else if (open) begin
      codes_open_q   <= !seg_i.segment.empty;
      factors_open_q <= !seg_i.segment.empty && (seg_i.source != SourceBf16);
    end else begin
      if (codes_end) codes_open_q <= 1'b0;
      if (factors_end) factors_open_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (open) seg_q <= seg_i;
  end

  // Columns whose codes are to come (direct, BF16), and that their end is the next one.
  logic [15:0] width, width_of_next, left_q;
  logic unit_end, last_unit_q;
  assign width         = beat_columns(seg_q.source, seg_q.segment.stream);
  assign width_of_next = beat_columns(seg_i.source, seg_i.segment.stream);

  always_ff @(posedge clk_i) begin
    if (open) begin
      left_q      <= seg_i.segment.columns;
      last_unit_q <= (seg_i.segment.columns <= width_of_next);
    end else if (unit_end) begin
      left_q      <= left_q - width;
      last_unit_q <= (left_q - width <= width);
    end
  end

  // Beats: of a unit (direct), low or high bytes (BF16), bank (BF16 and transposed).
  logic [SubW-1:0] beat_q, last_beat_q;
  logic [BankW-1:0] bank_q;
  logic high_q;
  logic direct, transposed, bf16, write, last_bank, word_end;
  assign direct = (seg_q.source == SourceDirect);
  assign transposed = (seg_q.source == SourceTransposed);
  assign bf16 = (seg_q.source == SourceBf16);
  assign beat_ready_o = codes_open_q && (bf16 ? word_room2_i && quad_room_i : word_room1_i);
  assign write = beat_valid_i && beat_ready_o;
  assign unit_end = write && (direct ? beat_q == last_beat_q : bf16 && high_q && unit_last_i);
  assign codes_end = transposed ? write && side_last_i : unit_end && last_unit_q;
  assign last_bank = (bank_q == BankW'(Banks - 1));
  assign word_end = direct || (transposed && (last_bank || side_last_i)) ||
      (bf16 && high_q && (last_bank || unit_last_i));

  always_ff @(posedge clk_i) begin
    if (open) begin
      beat_q      <= '0;
      last_beat_q <= last_beat(seg_i.segment.stream, seg_i.segment.lanes);
      bank_q      <= '0;
      high_q      <= 1'b0;
    end else if (write) begin
      beat_q <= unit_end ? '0 : beat_q + SubW'(1);
      high_q <= bf16 && !high_q;
      if (!bf16 || high_q) bank_q <= word_end ? '0 : bank_q + BankW'(1);
    end
  end

  assign word_second_o = high_q;
  assign words_done_o  = !(write && word_end) ? 2'd0 : (bf16 ? 2'd2 : 2'd1);
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    localparam logic [BankW-1:0] Bank = BankW'(b);
    assign word_we_o[b] = write && (direct || (bank_q == Bank));
    assign word_o[BankBits*b+:BankBits] = direct ? beat_i[BankBits*b+:BankBits] : beat_side_i;
  end

  // Factors: columns whose scales are to come, and that their end is the next quad; columns of the
  // present quad that are written (BF16).
  logic [15:0] scales_left_q;
  logic last_quad_q;
  logic [1:0] column_q;
  logic scale, bf16_factor;
  assign scale_ready_o = factors_open_q && quad_room_i;
  assign scale         = scale_valid_i && scale_ready_o;
  assign factors_end   = scale && last_quad_q;
  assign bf16_factor   = bf16 && unit_end;
  assign factor_o      = bf16 ? {4{3'd0, seg_q.align_w, exponent_i}} : scale_i;
  assign factor_we_o   = scale ? 4'b1111 : (bf16_factor ? 4'd1 << column_q : 4'b0000);
  assign quad_done_o   = scale || (bf16_factor && ((column_q == 2'd3) || codes_end));
  assign column_o      = column_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) column_q <= '0;
    else if (quad_done_o) column_q <= '0;
    else if (bf16_factor) column_q <= column_q + 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (open) begin
      scales_left_q <= seg_i.segment.columns;
      last_quad_q   <= (seg_i.segment.columns <= 16'd4);
    end else if (scale) begin
      scales_left_q <= scales_left_q - 16'd4;
      last_quad_q   <= (scales_left_q <= 16'd8);
    end
  end

  assign source_o       = seg_q.source;
  assign codes_open_o   = codes_open_q;
  assign factors_open_o = factors_open_q || (codes_open_q && bf16);

endmodule
