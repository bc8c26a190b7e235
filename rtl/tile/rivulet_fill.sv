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
  localparam int unsigned Parts = Lanes / SideLanes;
  localparam int unsigned PartW = $clog2(Parts + 1);

  // ---------------------------------------------------------------------------------------------
  // A read goes to every block that has a part in it

  logic read_fire, codes, turned;
  logic seg_ready, request_ready, turn_ready, stream_ready, value_ready;
  logic turn_in_kind_ready, turn_out_kind_ready, stream_kind_ready;

  assign codes = !read_i.bf16 && (read_i.tier != TierQ0);
  assign turned = read_i.transpose && (read_i.bf16 || codes);
  assign read_ready_o = seg_ready && request_ready && turn_ready && stream_ready && value_ready &&
      turn_in_kind_ready && turn_out_kind_ready && stream_kind_ready;
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

  logic request_valid, request_taken;
  read_t request_read;
  rivulet_fifo #(
    .data_t(read_t),
    .Depth (4)
  ) u_request_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire && codes),
    .ready_o(request_ready),
    .data_i (read_i),
    .valid_o(request_valid),
    .ready_i(request_taken),
    .data_o (request_read)
  );

  // ---------------------------------------------------------------------------------------------
  // Codes: read requests, converter, and where the beats of each request go

  typedef struct packed {
    logic             transpose;
    logic [PartW-1:0] parts;
    logic             last;       // request of its read
  } route_t;

  logic req_valid, conv_req_ready, route_ready, route_valid;
  logic beat_valid, beat_ready, beat_last;
  read_req_t req;
  route_t route_in, route;
  logic [LinkBits-1:0] beat;

  rivulet_read_requests #(
    .Lanes    (Lanes),
    .SideLanes(SideLanes),
    .Group    (Group),
    .Q8Only   (Q8Only)
  ) u_read_requests (
    .clk_i,
    .rst_ni,
    .read_valid_i   (request_valid),
    .read_ready_o   (request_taken),
    .read_i         (request_read),
    .req_valid_o    (req_valid),
    .req_ready_i    (conv_req_ready && route_ready),
    .req_o          (req),
    .req_transpose_o(route_in.transpose),
    .req_parts_o    (route_in.parts),
    .req_last_o     (route_in.last)
  );

  rivulet_converter #(
    .LinkBits(LinkBits)
  ) u_converter (
    .clk_i,
    .rst_ni,
    .req_valid_i (req_valid && route_ready),
    .req_ready_o (conv_req_ready),
    .req_i       (req),
    .word_valid_i,
    .word_ready_o,
    .word_i,
    .beat_valid_o(beat_valid),
    .beat_ready_i(beat_ready),
    .beat_o      (beat),
    .beat_last_o (beat_last),
    .counters_o  (converter_o)
  );

  rivulet_fifo #(
    .data_t(route_t),
    .Depth (4)
  ) u_route_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(req_valid && conv_req_ready),
    .ready_o(route_ready),
    .data_i (route_in),
    .valid_o(route_valid),
    .ready_i(beat_valid && beat_ready && beat_last),
    .data_o (route)
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
  // Transposing buffer

  logic narrow_valid, narrow_ready, narrow_in_ready, narrow_last;
  logic [SideBits-1:0] narrow;

  rivulet_stream_narrow #(
    .Width(SideBits),
    .Ratio(Parts)
  ) u_narrow (
    .clk_i,
    .rst_ni,
    .in_valid_i (beat_valid && route_valid && route.transpose),
    .in_ready_o (narrow_in_ready),
    .in_i       (beat),
    .in_last_i  (beat_last),
    .in_parts_i (route.parts),
    .out_valid_o(narrow_valid),
    .out_ready_i(narrow_ready),
    .out_o      (narrow),
    .out_last_o (narrow_last)
  );

  logic turn_valid, turn_taken, turn_in_valid, turn_in_ready, turn_in_last;
  logic turn_out_valid, turn_out_ready, turn_out_last;
  logic turn_in_open, turn_in_bf16, turn_out_open, turn_out_bf16;
  logic [SideBits-1:0] turn_out;
  gather_t turn;

  rivulet_fifo #(
    .data_t(gather_t),
    .Depth (4)
  ) u_turn_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire && turned),
    .ready_o(turn_ready),
    .data_i ('{stream: seg.segment.stream, lanes: read_i.lanes, columns: read_i.columns}),
    .valid_o(turn_valid),
    .ready_i(turn_taken),
    .data_o (turn)
  );

  // Whether the read that comes in, and the one that goes out, is of BF16 values.
  rivulet_fifo #(
    .data_t(logic),
    .Depth (8)
  ) u_turn_in_kind (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire && turned),
    .ready_o(turn_in_kind_ready),
    .data_i (read_i.bf16),
    .valid_o(turn_in_open),
    .ready_i(turn_in_valid && turn_in_ready && turn_in_last),
    .data_o (turn_in_bf16)
  );
  rivulet_fifo #(
    .data_t(logic),
    .Depth (8)
  ) u_turn_out_kind (
    .clk_i,
    .rst_ni,
    .valid_i(read_fire && turned),
    .ready_o(turn_out_kind_ready),
    .data_i (read_i.bf16),
    .valid_o(turn_out_open),
    .ready_i(turn_out_valid && turn_out_ready && turn_out_last),
    .data_o (turn_out_bf16)
  );

  assign turn_in_valid = turn_in_open && (turn_in_bf16 ? (w_valid_i && value_turn) : narrow_valid);
  assign turn_in_last  = turn_in_bf16 ? value_last : (narrow_last && route.last);
  assign narrow_ready  = turn_in_open && !turn_in_bf16 && turn_in_ready;

  rivulet_transpose_buffer #(
    .Lanes(SideLanes),
    .Group(Group)
  ) u_transpose_buffer (
    .clk_i,
    .rst_ni,
    .job_valid_i(turn_valid),
    .job_ready_o(turn_taken),
    .job_i      (turn),
    .in_valid_i (turn_in_valid),
    .in_ready_o (turn_in_ready),
    .in_i       (turn_in_bf16 ? w_i : narrow),
    .out_valid_o(turn_out_valid),
    .out_ready_i(turn_out_ready),
    .out_o      (turn_out),
    .out_last_o (turn_out_last)
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
      ? (turn_out_valid && turn_out_open && turn_out_bf16) : (w_valid_i && value_stream));
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

  assign w_ready_o = (value_turn && turn_in_open && turn_in_bf16 && turn_in_ready) ||
      (value_stream && stream_open && !stream_turned && units_ready);

  // ---------------------------------------------------------------------------------------------
  // The segment that is filled takes the beats of its source

  always_comb begin
    unique case (source_i)
      SourceTransposed: beat_valid_o = turn_out_valid && turn_out_open && !turn_out_bf16;
      SourceBf16:       beat_valid_o = code_valid;
      default:          beat_valid_o = beat_valid && route_valid && !route.transpose;
    endcase
  end

  assign beat_o = beat;
  assign side_o = (source_i == SourceBf16) ? code : turn_out;
  assign side_last_o = turn_out_last;

  assign code_ready = beat_ready_i && (source_i == SourceBf16);
  assign turn_out_ready = turn_out_open &&
      (turn_out_bf16 ? (stream_open && stream_turned && units_ready)
                     : (beat_ready_i && (source_i == SourceTransposed)));
  logic direct_ready;
  assign direct_ready = beat_ready_i && (source_i == SourceDirect);
  assign beat_ready   = route_valid && (route.transpose ? narrow_in_ready : direct_ready);

  // Fields that only the other blocks need.
  logic unused_fields;
  assign unused_fields = ^stream;

endmodule
