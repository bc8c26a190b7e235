// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Fill: turns reads into segments of the replay buffer.
 *
 * Codes pass the precision converter and go to the segment directly (dot order, Lanes bytes a beat)
 * or through the transposing buffer (SideLanes bytes a beat); BF16 values pass the aligner as
 * two-slice beats of SideLanes lanes, those along the outputs through the transposing buffer first.
 * Reads are taken in order and run ahead of the segments as far as the small buffers go. A q0 read
 * opens an empty segment and moves nothing.
 *
 * Throughput: one beat a cycle on each path. Combinational paths: beat_ready_i to word_ready_o
 * (converter).
 */
module rivulet_fill
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
#(
  parameter  int unsigned Lanes     = 32,
  parameter  int unsigned SideLanes = 32,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned AlignW    = 16,
  parameter  int unsigned Q8Only    = 0,
  localparam int unsigned LinkBits  = 8 * Lanes,
  localparam int unsigned SideBits  = 8 * SideLanes
) (
  input logic clk_i,
  input logic rst_ni,
  // Reads
  input logic read_valid_i,
  output logic read_ready_o,
  input read_t read_i,
  // Stored q8 codes: 4 * Lanes a word
  input logic word_valid_i,
  output logic word_ready_o,
  input logic [4*LinkBits-1:0] word_i,
  // BF16 values: SideLanes / 2 a beat
  input logic w_valid_i,
  output logic w_ready_o,
  input logic [SideBits-1:0] w_i,
  // Segments and their beats
  output logic seg_valid_o,
  input logic seg_ready_i,
  output fill_seg_t seg_o,
  input source_e source_i,  // of the segment that is filled
  output logic beat_valid_o,
  input logic beat_ready_i,
  output logic [LinkBits-1:0] beat_o,  // SourceDirect
  output logic [SideBits-1:0] side_o,  // the other sources
  output logic side_last_o,  // SourceTransposed: last of the segment
  output logic unit_last_o,  // SourceBf16: last of its unit
  output logic [7:0] exponent_o,  // SourceBf16
  // Status
  output converter_counters_t converter_o
);

  localparam bit Shared = shared_beats(Group / Lanes, Q8Only != 0);

  // ---------------------------------------------------------------------------------------------
  // A read goes to every block that has a part in it

  logic read_fire, codes, turned;
  logic seg_ready, code_read_ready, turn_ready, stream_ready, value_ready, stream_kind_ready;

  assign codes = !read_i.bf16 && (read_i.tier != TierQ0);
  assign turned = read_i.transpose && (read_i.bf16 || codes);
  assign read_ready_o = seg_ready && code_read_ready && turn_ready && stream_ready &&
      value_ready && stream_kind_ready;
  assign read_fire = read_valid_i && read_ready_o;

  fill_seg_t seg;
  always_comb begin
    seg.source = SourceDirect;
    if (read_i.bf16) seg.source = SourceBf16;
    else if (turned) seg.source = SourceTransposed;
    unique case (read_i.tier)
      TierQ2:  seg.segment.stream = StreamQ2;
      TierQ4:  seg.segment.stream = StreamQ4;
      default: seg.segment.stream = StreamQ8;
    endcase
    if (read_i.bf16) seg.segment.stream = StreamBf16;
    seg.segment.empty   = !read_i.bf16 && !codes;
    seg.segment.columns = read_i.columns;
    seg.segment.lanes   = (codes && (Shared || read_i.transpose)) ? 8'(Group) : read_i.lanes;
    seg.align_w         = read_i.align_w;
  end

  rivulet_fifo #(
    .data_t(fill_seg_t),
    .Depth (4)
  ) u_seg_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire),
    .ready_o(seg_ready),
    .data_i (seg),
    .valid_o(seg_valid_o),
    .ready_i(seg_ready_i),
    .data_o (seg_o)
  );

  // ---------------------------------------------------------------------------------------------
  // Codes

  logic direct_valid, direct_ready, part_valid, part_ready, part_last;
  logic [SideBits-1:0] part;

  rivulet_code_source #(
    .Lanes    (Lanes),
    .SideLanes(SideLanes),
    .Group    (Group),
    .Q8Only   (Q8Only)
  ) u_code_source (
    .clk_i,
    .rst_ni,
    .read_valid_i  (read_fire && codes),
    .read_ready_o  (code_read_ready),
    .read_i,
    .word_valid_i,
    .word_ready_o,
    .word_i,
    .direct_valid_o(direct_valid),
    .direct_ready_i(direct_ready),
    .direct_o      (beat_o),
    .part_valid_o  (part_valid),
    .part_ready_i  (part_ready),
    .part_o        (part),
    .part_last_o   (part_last),
    .converter_o
  );

  // ---------------------------------------------------------------------------------------------
  // BF16 values: to the transposing buffer or to the stream

  logic value_turn, value_stream, value_last;

  rivulet_value_route #(
    .Values(SideLanes / 2),
    .Group (Group)
  ) u_value_route (
    .clk_i,
    .rst_ni,
    .read_valid_i(read_fire && read_i.bf16),
    .read_ready_o(value_ready),
    .read_i      (read_i),
    .fire_i      (w_valid_i && w_ready_o),
    .turn_o      (value_turn),
    .stream_o    (value_stream),
    .last_o      (value_last)
  );

  // ---------------------------------------------------------------------------------------------
  // Operands along the outputs

  logic turn_out_valid, turn_out_ready, turn_out_bf16, turn_out_last, turn_w_ready;
  logic [SideBits-1:0] turn_out;

  rivulet_turn #(
    .SideLanes(SideLanes),
    .Group    (Group)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .read_valid_i(read_fire && turned),
    .read_ready_o(turn_ready),
    .read_i      ('{stream: seg.segment.stream, lanes: read_i.lanes, columns: read_i.columns}),
    .part_valid_i(part_valid),
    .part_ready_o(part_ready),
    .part_i      (part),
    .part_last_i (part_last),
    .w_valid_i   (w_valid_i && value_turn),
    .w_ready_o   (turn_w_ready),
    .w_i,
    .w_last_i    (value_last),
    .out_valid_o (turn_out_valid),
    .out_ready_i (turn_out_ready),
    .out_o       (turn_out),
    .out_bf16_o  (turn_out_bf16),
    .out_last_o  (turn_out_last)
  );

  // ---------------------------------------------------------------------------------------------
  // BF16 stream: units from the port or from the transposing buffer

  logic stream_valid, stream_taken, stream_open, stream_turned;
  logic units_valid, units_ready, units_last, code_valid, code_ready;
  logic [SideBits-1:0] code;
  read_t stream;

  rivulet_fifo #(
    .data_t(read_t),
    .Depth (4)
  ) u_stream_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire && read_i.bf16),
    .ready_o(stream_ready),
    .data_i (read_i),
    .valid_o(stream_valid),
    .ready_i(stream_taken),
    .data_o (stream)
  );

  // Whether the read whose values come in passes the transposing buffer.
  rivulet_fifo #(
    .data_t(logic),
    .Depth (8)
  ) u_stream_kind (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire && read_i.bf16),
    .ready_o(stream_kind_ready),
    .data_i (read_i.transpose),
    .valid_o(stream_open),
    .ready_i(units_valid && units_ready && units_last),
    .data_o (stream_turned)
  );

  assign units_valid = stream_open && (stream_turned
      ? (turn_out_valid && turn_out_bf16) : (w_valid_i && value_stream));
  assign units_last = stream_turned ? turn_out_last : value_last;

  rivulet_bf16_stream #(
    .Lanes (SideLanes),
    .Group (Group),
    .AlignW(AlignW)
  ) u_bf16_stream (
    .clk_i,
    .rst_ni,
    .job_valid_i  (stream_valid),
    .job_ready_o  (stream_taken),
    .job_units_i  (stream.columns),
    .job_lanes_i  (stream.lanes),
    .job_align_w_i(stream.align_w),
    .w_valid_i    (units_valid),
    .w_ready_o    (units_ready),
    .w_i          (stream_turned ? turn_out : w_i),
    .code_valid_o (code_valid),
    .code_ready_i (code_ready),
    .code_o       (code),
    .exponent_o,
    .code_last_o  (unit_last_o)
  );

  assign w_ready_o = (value_turn && turn_w_ready) ||
      (value_stream && stream_open && !stream_turned && units_ready);

  // ---------------------------------------------------------------------------------------------
  // The segment that is filled takes the beats of its source

  always_comb begin
    unique case (source_i)
      SourceTransposed: beat_valid_o = turn_out_valid && !turn_out_bf16;
      SourceBf16:       beat_valid_o = code_valid;
      default:          beat_valid_o = direct_valid;
    endcase
  end

  assign side_o = (source_i == SourceBf16) ? code : turn_out;
  assign side_last_o = turn_out_last;

  assign code_ready = beat_ready_i && (source_i == SourceBf16);
  assign direct_ready = beat_ready_i && (source_i == SourceDirect);
  assign turn_out_ready = turn_out_bf16 ? (stream_open && stream_turned && units_ready)
      : (beat_ready_i && (source_i == SourceTransposed));

  // Fields that only the other blocks need.
  logic unused_fields;
  assign unused_fields = ^stream;

endmodule
