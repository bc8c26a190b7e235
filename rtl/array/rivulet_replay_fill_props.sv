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
  input logic                        write,
  input logic                        direct,
  input logic                        transposed,
  input logic                        bf16,
  input logic                        high_q,
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

  // Bytes of a transposed segment with this beat, and those of its codes: units of whole groups.
  logic [31:0] side_bytes, segment_bytes;
  assign side_bytes    = (side_beats_q + 32'd1) * SideLanes;
  assign segment_bytes = 32'(segment.columns) * ((Group << (2'(segment.stream) - 2'd1)) / 4);

  logic source_legal;
  assign source_legal = (seg_i.source inside {SourceDirect, SourceTransposed, SourceBf16}) &&
      ((seg_i.source == SourceBf16) == (seg_i.segment.stream == StreamBf16));

  `ASSERT_STABLE(SegStable_A, seg_valid_i, seg_ready_o, seg_i)
  `ASSERT_STABLE(DirectStable_A, beat_valid_i && direct, beat_ready_o, beat_i)
  `ASSERT_STABLE(SideStable_A, beat_valid_i && !direct, beat_ready_o, {
                 beat_side_i, side_last_i && transposed, unit_last_i && bf16,
                 bf16 ? exponent_i : 8'd0})
  `ASSERT_STABLE(ScaleStable_A, scale_valid_i, scale_ready_o, scale_i)
  `ASSERT(SegLegal_A, !seg_valid_i || seg_i.segment.empty || source_legal)
  `ASSERT(
      LanesLegal_A,
      !seg_valid_i || seg_i.segment.empty || ((seg_i.segment.lanes >= 8'd1) && (32'(seg_i.segment.lanes) <= Group)))
  `ASSERT(ColumnsLegal_A, !seg_valid_i || (seg_i.segment.columns != '0))
  `ASSERT(NoBeatsIfEmpty_A, !write || !segment.empty)
  `ASSERT(
      UnitEnd_A,
      !(write && bf16) || (unit_last_i == (high_q && (side_beats_q / 2 == (32'(segment.lanes) - 1) / SideLanes))))
  `ASSERT(SideEnd_A, !(write && transposed) || (side_last_i == (side_bytes >= segment_bytes)))

endmodule

bind rivulet_replay_fill rivulet_replay_fill_props #(
  .Lanes    (Lanes),
  .SideLanes(SideLanes),
  .Group    (Group)
) u_props (
  .segment(seg_q.segment),
  .*
);
