// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Fetch: reads become segments of the replay buffer (rivulet_fill), where passes find them
 * (rivulet_replay). Every stored code crosses the ports of this module once.
 *
 * Ports as in these two. Combinational paths: scale_valid_i to scale_ready_o none; rewind_i to
 * segment_valid_o and segment_o, factor_last_i to factor_valid_o.
 */
module rivulet_fetch
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
#(
  parameter  int unsigned Lanes     = 32,
  parameter  int unsigned SideLanes = 32,
  parameter  int unsigned Group     = 128,
  parameter  int unsigned AlignW    = 16,
  parameter  int unsigned Q8Only    = 0,
  parameter  int unsigned Beats     = 8192,
  parameter  int unsigned Segments  = 16,
  parameter  int unsigned Quads     = 1024,
  localparam int unsigned LinkBits  = 8 * Lanes
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  // Reads
  input  logic                                  read_valid_i,
  output logic                                  read_ready_o,
  input  read_t                                 read_i,
  // Stored codes, BF16 values, scales
  input  logic                                  word_valid_i,
  output logic                                  word_ready_o,
  input  logic                [ 4*LinkBits-1:0] word_i,
  input  logic                                  w_valid_i,
  output logic                                  w_ready_o,
  input  logic                [8*SideLanes-1:0] w_i,
  input  logic                                  scale_valid_i,
  output logic                                  scale_ready_o,
  input  beat_t                                 scale_i,
  // Passes
  input  logic                                  rewind_i,
  output logic                                  segment_valid_o,
  output segment_t                              segment_o,
  input  logic                                  take_i,
  input  logic                                  free_i,
  // Codes and factors, two cycles after they are read
  output logic                                  code_valid_o,
  input  logic                                  code_read_i,
  output logic                [   LinkBits-1:0] code_o,
  input  logic                [            1:0] factor_last_i,
  output logic                                  factor_valid_o,
  input  logic                                  factor_read_i,
  input  logic                                  factor_next_i,
  output logic                [           63:0] factor_o,
  // Status
  output converter_counters_t                   converter_o
);

  logic seg_valid, seg_ready, beat_valid, beat_ready, side_last, unit_last;
  fill_seg_t seg;
  source_e source;
  logic [LinkBits-1:0] beat;
  logic [8*SideLanes-1:0] side;
  logic [7:0] exponent;

  rivulet_fill #(
    .Lanes    (Lanes),
    .SideLanes(SideLanes),
    .Group    (Group),
    .AlignW   (AlignW),
    .Q8Only   (Q8Only)
  ) u_fill (
    .clk_i,
    .rst_ni,
    .read_valid_i,
    .read_ready_o,
    .read_i,
    .word_valid_i,
    .word_ready_o,
    .word_i,
    .w_valid_i,
    .w_ready_o,
    .w_i,
    .seg_valid_o (seg_valid),
    .seg_ready_i (seg_ready),
    .seg_o       (seg),
    .source_i    (source),
    .beat_valid_o(beat_valid),
    .beat_ready_i(beat_ready),
    .beat_o      (beat),
    .side_o      (side),
    .side_last_o (side_last),
    .unit_last_o (unit_last),
    .exponent_o  (exponent),
    .converter_o
  );

  rivulet_replay #(
    .Lanes    (Lanes),
    .SideLanes(SideLanes),
    .Group    (Group),
    .Q8Only   (Q8Only),
    .Beats    (Beats),
    .Segments (Segments),
    .Quads    (Quads),
    .Ultra    ((Beats >= 2048) ? 1 : 0)
  ) u_replay (
    .clk_i,
    .rst_ni,
    .seg_valid_i    (seg_valid),
    .seg_ready_o    (seg_ready),
    .seg_i          (seg),
    .beat_valid_i   (beat_valid),
    .beat_ready_o   (beat_ready),
    .source_o       (source),
    .beat_i         (beat),
    .beat_side_i    (side),
    .side_last_i    (side_last),
    .unit_last_i    (unit_last),
    .exponent_i     (exponent),
    .scale_valid_i,
    .scale_ready_o,
    .scale_i,
    .rewind_i,
    .seg_valid_o    (segment_valid_o),
    .seg_o          (segment_o),
    .take_i,
    .free_i,
    .code_valid_o,
    .read_i         (code_read_i),
    .code_o,
    .factor_column_i(factor_last_i),
    .factor_valid_o,
    .factor_read_i,
    .factor_next_i,
    .factor_o
  );

endmodule
