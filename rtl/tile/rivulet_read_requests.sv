// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Read requests of a segment of codes: the tagged reads that bring them (docs/array.md, "Streams").
 *
 * One request covers a segment in dot order whose units follow each other without a gap on the link:
 * whole groups, or several units in a beat. Otherwise (a short last group) every unit is a request of
 * its own. A segment along the outputs has one request for each block of Group outputs. One request
 * per cycle. BF16 and q0 segments have none and must not be offered. Beside each request goes where
 * its beats are sent.
 */
module rivulet_read_requests
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes     = 32,
  parameter  int unsigned SideLanes = 32,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned Q8Only    = 0,
  localparam int unsigned Parts     = Lanes / SideLanes,
  localparam int unsigned PartW     = $clog2(Parts + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  read_valid_i,
  output logic                  read_ready_o,
  input  read_t                 read_i,
  output logic                  req_valid_o,
  input  logic                  req_ready_i,
  output read_req_t             req_o,
  output logic                  req_transpose_o,  // to the transposing buffer
  output logic      [PartW-1:0] req_parts_o,      // that its last beat fills, of SideLanes bytes
  output logic                  req_last_o        // last request of the segment
);

  localparam bit Shared = shared_beats(Group / Lanes, Q8Only != 0);
  localparam int unsigned LogGroup = $clog2(Group);
  localparam int unsigned LogSide = $clog2(SideLanes);

  logic whole, last;
  logic [15:0] sent_q;  // requests of the segment that were sent
  logic [15:0] blocks;
  logic [15:0] bytes;  // of a block as delivered

  assign whole  = Shared || (32'(read_i.lanes) == Group);
  assign blocks = 16'((32'(read_i.columns) + Group - 1) >> LogGroup);

  always_comb begin
    if (read_i.transpose) last = (sent_q == blocks - 16'd1);
    else last = whole || (sent_q == read_i.columns - 16'd1);
  end

  always_comb begin
    req_o.tier = read_i.tier;
    req_o.kind = read_i.kind;
    req_o.view = read_i.view;
    if (read_i.transpose) req_o.codes = 32'(read_i.lanes) * Group;
    else if (whole) req_o.codes = 32'(read_i.columns) * Group;
    else req_o.codes = 32'(read_i.lanes);
  end

  // Bytes of a block, in parts of SideLanes bytes, modulo the parts of a beat.
  always_comb begin
    logic [15:0] parts;
    bytes = 16'(read_i.lanes) << LogGroup;
    if (read_i.tier == TierQ4) bytes = bytes >> 1;
    if (read_i.tier == TierQ2) bytes = bytes >> 2;
    parts       = (bytes + 16'(SideLanes - 1)) >> LogSide;
    req_parts_o = PartW'((parts - 16'd1) % 16'(Parts)) + PartW'(1);
  end

  assign req_valid_o     = read_valid_i;
  assign req_transpose_o = read_i.transpose;
  assign req_last_o      = last;
  assign read_ready_o    = req_ready_i && last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sent_q <= '0;
    else if (req_valid_o && req_ready_i) sent_q <= last ? '0 : sent_q + 16'd1;
  end

  // Fields that only the other blocks use.
  logic unused_read;
  assign unused_read = ^{read_i.bf16, read_i.align_w};

endmodule
