// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tile: read requests, precision converter, transposing buffer, BF16 stream and input-stationary
 * array behind one stream of pass commands.
 *
 * Each pass names what it needs of the other streams (docs/array.md, "Streams"): stationary rows at
 * x_i if it loads a tile, stored q8 codes at word_i or BF16 values at w_i, scales at scale_i, and,
 * if it is the last one of its job, results at y_o and acc_o. Streams are consumed in the order of
 * the passes and may run ahead of them as far as the buffers go.
 *
 * Handshakes: valid/ready on every stream; valid never waits for ready, payloads hold until they
 * are accepted. Throughput: one link beat of codes per cycle. A pass must respect the limits of
 * pass_t; violations are asserted. rst_ni is to be released synchronously to clk_i.
 */
module rivulet_tile
  import rivulet_pkg::*;
  import rivulet_tile_pkg::*;
  import rivulet_converter_pkg::*;
#(
  parameter  int unsigned Lanes     = 32,
  parameter  int unsigned Positions = 8,
  parameter  int unsigned AlignW    = 16,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned PsumDepth = 512,
  parameter  int unsigned PeKind    = 0,
  parameter  int unsigned Q8Only    = 0,         // no q4 and q2 streams, one edge unit
  parameter  int unsigned LoadPairs = 4,
  localparam int unsigned LinkBits  = 8 * Lanes
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // Commands
  input  logic                            pass_valid_i,
  output logic                            pass_ready_o,
  input  pass_t                           pass_i,
  // Stationary rows: four BF16 a beat
  input  logic                            x_valid_i,
  output logic                            x_ready_o,
  input  beat_t                           x_i,
  // Stored q8 codes: 4 * Lanes a word
  input  logic                            word_valid_i,
  output logic                            word_ready_o,
  input  logic           [4*LinkBits-1:0] word_i,
  // BF16 streams: Lanes / 2 values a beat
  input  logic                            w_valid_i,
  output logic                            w_ready_o,
  input  logic           [  LinkBits-1:0] w_i,
  // Scales: four BF16 a beat
  input  logic                            scale_valid_i,
  output logic                            scale_ready_o,
  input  beat_t                           scale_i,
  // Results: four columns of one row a beat
  output logic                            y_valid_o,
  input  logic                            y_ready_i,
  output beat_t                           y_o,
  output logic           [         127:0] acc_o,
  output logic                            y_last_o,
  // Status
  output tile_counters_t                  counters_o,
  output tile_info_t                      info_o
);

  assign info_o = '{
          lanes: 16'(Lanes),
          positions: 16'(Positions),
          align_w: 16'(AlignW),
          group: 16'(Group),
          psum_depth: 16'(PsumDepth),
          pe_kind: 16'(PeKind),
          q8_only: 16'(Q8Only)
      };

  // ---------------------------------------------------------------------------------------------
  // A command goes to every block that has a part in it

  logic pass_fire, streams_bf16;
  logic load_ready, array_ready, read_ready, bf16_ready, transpose_ready;

  assign pass_ready_o = load_ready && array_ready && read_ready && bf16_ready && transpose_ready;
  assign pass_fire    = pass_valid_i && pass_ready_o;
  assign streams_bf16 = (pass_i.stream == StreamBf16);

  logic load_valid, load_taken, array_valid, array_taken, read_valid, read_taken;
  logic bf16_valid, bf16_taken, transpose_valid, transpose_taken;
  pass_t load, array, read, bf16, transpose;

  rivulet_fifo #(
    .data_t(pass_t),
    .Depth (2)
  ) u_load_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(pass_fire && pass_i.load),
    .ready_o(load_ready),
    .data_i (pass_i),
    .valid_o(load_valid),
    .ready_i(load_taken),
    .data_o (load)
  );
  rivulet_fifo #(
    .data_t(pass_t),
    .Depth (4)
  ) u_array_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(pass_fire),
    .ready_o(array_ready),
    .data_i (pass_i),
    .valid_o(array_valid),
    .ready_i(array_taken),
    .data_o (array)
  );
  rivulet_fifo #(
    .data_t(pass_t),
    .Depth (2)
  ) u_read_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(pass_fire && !streams_bf16),
    .ready_o(read_ready),
    .data_i (pass_i),
    .valid_o(read_valid),
    .ready_i(read_taken),
    .data_o (read)
  );
  rivulet_fifo #(
    .data_t(pass_t),
    .Depth (2)
  ) u_bf16_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(pass_fire && streams_bf16),
    .ready_o(bf16_ready),
    .data_i (pass_i),
    .valid_o(bf16_valid),
    .ready_i(bf16_taken),
    .data_o (bf16)
  );
  rivulet_fifo #(
    .data_t(pass_t),
    .Depth (2)
  ) u_transpose_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(pass_fire && pass_i.transpose),
    .ready_o(transpose_ready),
    .data_i (pass_i),
    .valid_o(transpose_valid),
    .ready_i(transpose_taken),
    .data_o (transpose)
  );

  // ---------------------------------------------------------------------------------------------
  // Codes: from the converter, directly or through the transposing buffer, or from the BF16 stream

  logic req_valid, req_ready, req_transpose, conv_req_ready, route_ready;
  read_req_t req;

  rivulet_read_requests #(
    .Lanes (Lanes),
    .Group (Group),
    .Q8Only(Q8Only)
  ) u_read_requests (
    .clk_i,
    .rst_ni,
    .pass_valid_i   (read_valid),
    .pass_ready_o   (read_taken),
    .pass_i         (read),
    .req_valid_o    (req_valid),
    .req_ready_i    (req_ready),
    .req_o          (req),
    .req_transpose_o(req_transpose)
  );
  assign req_ready = conv_req_ready && route_ready;

  logic beat_valid, beat_ready, beat_last;
  logic [LinkBits-1:0] beat;
  converter_counters_t converter_counters;

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
    .counters_o  (converter_counters)
  );

  // Where the beats of each request go.
  logic route_valid, route_transpose;
  rivulet_fifo #(
    .data_t(logic),
    .Depth (4)
  ) u_route_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(req_valid && conv_req_ready),
    .ready_o(route_ready),
    .data_i (req_transpose),
    .valid_o(route_valid),
    .ready_i(beat_valid && beat_ready && beat_last),
    .data_o (route_transpose)
  );

  logic transpose_in_ready, turned_valid, turned_ready;
  logic [LinkBits-1:0] turned;

  rivulet_transpose_buffer #(
    .Lanes(Lanes),
    .Group(Group)
  ) u_transpose_buffer (
    .clk_i,
    .rst_ni,
    .job_valid_i (transpose_valid),
    .job_ready_o (transpose_taken),
    .job_stream_i(transpose.stream),
    .job_lanes_i (transpose.lanes),
    .job_units_i (transpose.columns[7:0]),
    .in_valid_i  (beat_valid && route_valid && route_transpose),
    .in_ready_o  (transpose_in_ready),
    .in_i        (beat),
    .out_valid_o (turned_valid),
    .out_ready_i (turned_ready),
    .out_o       (turned)
  );

  logic bf16_code_valid, bf16_code_ready;
  logic [LinkBits-1:0] bf16_code;
  logic [         7:0] bf16_exponent;

  rivulet_bf16_stream #(
    .Lanes (Lanes),
    .Group (Group),
    .AlignW(AlignW)
  ) u_bf16_stream (
    .clk_i,
    .rst_ni,
    .job_valid_i  (bf16_valid),
    .job_ready_o  (bf16_taken),
    .job_units_i  (bf16.columns),
    .job_lanes_i  (bf16.lanes),
    .job_align_w_i(bf16.align_w),
    .w_valid_i,
    .w_ready_o,
    .w_i,
    .code_valid_o (bf16_code_valid),
    .code_ready_i (bf16_code_ready),
    .code_o       (bf16_code),
    .exponent_o   (bf16_exponent)
  );

  // The array says which kind of codes its active pass takes.
  typedef enum logic [1:0] {
    SourceDirect,
    SourceTransposed,
    SourceBf16
  } source_e;

  source_e source;
  stream_e active_stream;
  logic active_transpose, code_valid, code_ready;
  logic [LinkBits-1:0] code;

  always_comb begin
    if (active_stream == StreamBf16) source = SourceBf16;
    else source = active_transpose ? SourceTransposed : SourceDirect;
    unique case (source)
      SourceBf16: begin
        code_valid = bf16_code_valid;
        code       = bf16_code;
      end
      SourceTransposed: begin
        code_valid = turned_valid;
        code       = turned;
      end
      default: begin
        code_valid = beat_valid && route_valid && !route_transpose;
        code       = beat;
      end
    endcase
  end

  assign bf16_code_ready = code_ready && (source == SourceBf16);
  assign turned_ready = code_ready && (source == SourceTransposed);
  assign beat_ready      = route_valid &&
      (route_transpose ? transpose_in_ready : (code_ready && (source == SourceDirect)));

  // ---------------------------------------------------------------------------------------------
  // Array

  array_events_t events;

  rivulet_array #(
    .Lanes    (Lanes),
    .Positions(Positions),
    .AlignW   (AlignW),
    .Group    (Group),
    .PsumDepth(PsumDepth),
    .PeKind   (PeKind),
    .Q8Only   (Q8Only),
    .LoadPairs(LoadPairs)
  ) u_array (
    .clk_i,
    .rst_ni,
    .load_valid_i      (load_valid),
    .load_ready_o      (load_taken),
    .load_rows_i       (load.rows),
    .load_lanes_i      (load.lanes),
    .load_align_w_i    (load.align_w),
    .x_valid_i,
    .x_ready_o,
    .x_i,
    .pass_valid_i      (array_valid),
    .pass_ready_o      (array_taken),
    .pass_i            (array),
    .active_stream_o   (active_stream),
    .active_transpose_o(active_transpose),
    .code_valid_i      (code_valid),
    .code_ready_o      (code_ready),
    .code_i            (code),
    .code_exponent_i   (bf16_exponent),
    .scale_valid_i,
    .scale_ready_o,
    .scale_i,
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o,
    .events_o          (events)
  );

  rivulet_tile_counters u_counters (
    .clk_i,
    .rst_ni,
    .array_i    (events),
    .x_i        (x_valid_i && x_ready_o),
    .w_i        (w_valid_i && w_ready_o),
    .scale_i    (scale_valid_i && scale_ready_o),
    .y_i        (y_valid_o && y_ready_i),
    .word_i     (word_valid_i && word_ready_o),
    .converter_i(converter_counters),
    .counters_o
  );

  // Fields of the commands that the single blocks do not need.
  logic unused_fields;
  assign unused_fields = ^{load, bf16, transpose};

endmodule
