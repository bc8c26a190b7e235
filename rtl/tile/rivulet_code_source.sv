// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Codes of the reads: requests to the precision converter, and where the beats of each request go.
 *
 * Reads of codes are taken in order into a FIFO of four. Each becomes one or more requests
 * (rivulet_read_requests); the beats of a request leave in dot order at direct_*, Lanes bytes a beat,
 * or, of operands along the outputs, in parts of SideLanes bytes at part_*, for the transposing
 * buffer; part_last_o with the last part of a read. One beat, or part, per cycle.
 * Combinational paths: direct_ready_i and part_ready_i to word_ready_o (converter), word_valid_i to
 * none.
 */
module rivulet_code_source
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
#(
  parameter  int unsigned Lanes     = 32,
  parameter  int unsigned SideLanes = 32,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned Q8Only    = 0,
  localparam int unsigned LinkBits  = 8 * Lanes,
  localparam int unsigned SideBits  = 8 * SideLanes
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // Reads of codes
  input  logic                                 read_valid_i,
  output logic                                 read_ready_o,
  input  read_t                                read_i,
  // Stored q8 codes: 4 * Lanes a word
  input  logic                                 word_valid_i,
  output logic                                 word_ready_o,
  input  logic                [4*LinkBits-1:0] word_i,
  // Beats in dot order
  output logic                                 direct_valid_o,
  input  logic                                 direct_ready_i,
  output logic                [  LinkBits-1:0] direct_o,
  // Parts of beats along the outputs
  output logic                                 part_valid_o,
  input  logic                                 part_ready_i,
  output logic                [  SideBits-1:0] part_o,
  output logic                                 part_last_o,     // of its read
  // Status
  output converter_counters_t                  converter_o
);

  localparam int unsigned Parts = Lanes / SideLanes;
  localparam int unsigned PartW = $clog2(Parts + 1);

  logic request_valid, request_taken;
  read_t request_read;
  rivulet_fifo #(
    .data_t(read_t),
    .Depth (4)
  ) u_request_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_valid_i),
    .ready_o(read_ready_o),
    .data_i (read_i),
    .valid_o(request_valid),
    .ready_i(request_taken),
    .data_o (request_read)
  );

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

  logic narrow_ready, request_last;

  rivulet_stream_narrow #(
    .Width(SideBits),
    .Ratio(Parts)
  ) u_narrow (
    .clk_i,
    .rst_ni,
    .in_valid_i (beat_valid && route_valid && route.transpose),
    .in_ready_o (narrow_ready),
    .in_i       (beat),
    .in_last_i  (beat_last),
    .in_parts_i (route.parts),
    .out_valid_o(part_valid_o),
    .out_ready_i(part_ready_i),
    .out_o      (part_o),
    .out_last_o (request_last)
  );

  assign part_last_o    = request_last && route.last;
  assign direct_valid_o = beat_valid && route_valid && !route.transpose;
  assign direct_o       = beat;
  assign beat_ready     = route_valid && (route.transpose ? narrow_ready : direct_ready_i);

endmodule
