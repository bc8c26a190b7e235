// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Packed structs of the packages taken apart by the RTL itself: field by field, for layout_test.cc. */
module rivulet_interfaces_bench
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
  import rivulet_tile_pkg::*;
(
  // 65 bits, signed fields, a struct in a struct.
  input  read_req_t        req_i,
  output logic      [ 1:0] tier_o,
  output logic             kind_o,
  output logic             round_half_up_o,
  output logic      [ 7:0] clamp_o,
  output logic      [ 2:0] shift_o,
  output logic      [15:0] theta_p_o,        // sign-extended
  output logic      [15:0] theta_n_o,
  output logic      [31:0] codes_o,

  // Fields of another package.
  input  fill_seg_t        seg_i,
  output logic      [ 1:0] stream_o,
  output logic             empty_o,
  output logic      [ 7:0] lanes_o,
  output logic      [15:0] columns_o,
  output logic      [ 1:0] source_o,
  output logic      [ 4:0] align_w_o,

  // A struct of flags, numbers around it.
  input  array_events_t        events_i,
  output logic          [17:0] macs_o,
  output logic                 psum_o,
  output logic          [ 9:0] saturated_o,

  // Many words, arrays, the counters of another package.
  input  tile_counters_t       counters_i,
  input  logic           [1:0] index_i,
  output count_t               cycles_o,
  output count_t               array_beats_o,
  output count_t               words_o,
  output count_t               converter_codes_o,
  output count_t               converter_beats_o
);

  assign tier_o            = req_i.tier;
  assign kind_o            = req_i.kind;
  assign round_half_up_o   = req_i.view.round_half_up;
  assign clamp_o           = req_i.view.clamp;
  assign shift_o           = req_i.view.shift;
  assign theta_p_o         = 16'(req_i.view.theta_p);
  assign theta_n_o         = 16'(req_i.view.theta_n);
  assign codes_o           = req_i.codes;

  assign stream_o          = seg_i.segment.stream;
  assign empty_o           = seg_i.segment.empty;
  assign lanes_o           = seg_i.segment.lanes;
  assign columns_o         = seg_i.segment.columns;
  assign source_o          = seg_i.source;
  assign align_w_o         = seg_i.align_w;

  assign macs_o            = events_i.macs;
  assign psum_o            = events_i.waits.psum;
  assign saturated_o       = events_i.saturated;

  assign cycles_o          = counters_i.cycles;
  assign array_beats_o     = counters_i.array_beats[index_i];
  assign words_o           = counters_i.words;
  assign converter_codes_o = counters_i.converter.codes[index_i];
  assign converter_beats_o = counters_i.converter.beats[index_i];

  logic unused;
  assign unused = ^{events_i, counters_i};

endmodule
