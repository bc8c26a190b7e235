// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_replay_fill, the limits of a segment, and the marks of its beats. */
`include "rivulet_assert.svh"

module rivulet_replay_fill_props
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes     = 32,
  parameter int unsigned SideLanes = 32,
  parameter int unsigned Group     = 128
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input logic                        seg_valid_i,
  input logic                        seg_ready_o,
  input fill_seg_t                   seg_i,
  input logic                        open,
  input logic                        beat_valid_i,
  input logic                        beat_ready_o,
  input logic      [    8*Lanes-1:0] beat_i,
  input logic      [8*SideLanes-1:0] beat_side_i,
  input logic                        side_last_i,
  input logic                        unit_last_i,
  input logic      [            7:0] exponent_i,
  input logic                        codes_open_o,
  input logic                        write,
  input logic                        direct,
  input logic                        transposed,
  input logic                        bf16,
  input segment_t                    segment,        // that is open
  input logic                        scale_valid_i,
  input logic                        scale_ready_o,
  input logic      [           63:0] scale_i
);

  // Side beats before this one: of the segment, or of the BF16 unit.
  logic [31:0] side_beats_q;
  always_ff @(posedge clk_i) begin
    if (open) side_beats_q <= '0;
    else if (write) side_beats_q <= (bf16 && unit_last_i) ? '0 : side_beats_q + 32'd1;
  end

  // The last beat of a BF16 unit; of a transposed segment, whose units are whole groups.
  logic [31:0] pairs, unit_bytes, segment_bytes;
  logic unit_end, side_end;
  assign pairs         = (32'(segment.lanes) + SideLanes - 1) / SideLanes;
  assign unit_end      = (side_beats_q == 2 * pairs - 1);
  assign unit_bytes    = (Group << (2'(segment.stream) - 2'd1)) / 4;
  assign segment_bytes = 32'(segment.columns) * unit_bytes;
  assign side_end      = ((side_beats_q + 32'd1) * SideLanes >= segment_bytes);

  logic empty, source_legal, lanes_legal, columns_legal;
  assign empty = seg_i.segment.empty;
  assign source_legal = (seg_i.source inside {SourceDirect, SourceTransposed, SourceBf16}) &&
      ((seg_i.source == SourceBf16) == (seg_i.segment.stream == StreamBf16));
  assign lanes_legal = (seg_i.segment.lanes >= 8'd1) && (32'(seg_i.segment.lanes) <= Group);
  assign columns_legal = (seg_i.segment.columns != '0);

  // A beat is offered to the segment that is open; what is offered before is nobody's yet.
  logic direct_valid, side_valid;
  logic [9:0] side_marks;
  assign direct_valid = codes_open_o && beat_valid_i && direct;
  assign side_valid   = codes_open_o && beat_valid_i && !direct;
  assign side_marks   = bf16 ? {1'b1, unit_last_i, exponent_i} : {9'd0, side_last_i};

  `ASSERT_STABLE(SegStable_A, seg_valid_i, seg_ready_o, seg_i)
  `ASSERT_STABLE(DirectStable_A, direct_valid, beat_ready_o, beat_i)
  `ASSERT_STABLE(SideStable_A, side_valid, beat_ready_o, {beat_side_i, side_marks})
  `ASSERT_STABLE(ScaleStable_A, scale_valid_i, scale_ready_o, scale_i)
  `ASSERT(SourceLegal_A, !seg_valid_i || empty || source_legal)
  `ASSERT(LanesLegal_A, !seg_valid_i || empty || lanes_legal)
  `ASSERT(ColumnsLegal_A, !seg_valid_i || columns_legal)
  `ASSERT(NoBeatsIfEmpty_A, !write || !segment.empty)
  `ASSERT(UnitEnd_A, !(write && bf16) || (unit_last_i == unit_end))
  `ASSERT(SideEnd_A, !(write && transposed) || (side_last_i == side_end))

endmodule

bind rivulet_replay_fill rivulet_replay_fill_props #(
  .Lanes    (Lanes),
  .SideLanes(SideLanes),
  .Group    (Group)
) u_props (
  .segment(seg_q.segment),
  .*
);
