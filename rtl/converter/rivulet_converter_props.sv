// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_converter, legal view parameters, and the shape of its output. */
`include "rivulet_assert.svh"

module rivulet_converter_props
  import rivulet_pkg::*;
#(
  parameter int unsigned LinkBits = 64
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic                       req_valid_i,
  input logic                       req_ready_o,
  input read_req_t                  req_i,
  input logic                       word_valid_i,
  input logic                       word_ready_o,
  input logic      [4*LinkBits-1:0] word_i,
  input logic                       beat_valid_o,
  input logic                       beat_ready_i,
  input logic      [  LinkBits-1:0] beat_o,
  input logic                       beat_last_o,
  input logic                       active_q,
  input logic                       beat_valid,
  input logic                       beat_ready
);

  `ASSERT_STABLE(ReqStable_A, req_valid_i, req_ready_o, req_i)
  `ASSERT_STABLE(WordStable_A, word_valid_i, word_ready_o, word_i)
  `ASSERT_STABLE(BeatStable_A, beat_valid_o, beat_ready_i, {beat_last_o, beat_o})

  // A code is shifted by at most 5, clamped to at least 1 and at most 128.
  `ASSERT(ShiftLegal_A, !req_valid_i || req_i.view.shift <= 3'd5)
  `ASSERT(ClampLegal_A, !req_valid_i || (req_i.view.clamp >= 8'd1 && req_i.view.clamp <= 8'd128))

  // No bubble: with a request under way, its word there and the link ready, a beat each cycle.
  `ASSERT_NEXT(NoBubble_A, active_q && word_valid_i && beat_ready, beat_valid_o)
  // A word is only taken while a request is under way, and together with a beat.
  `ASSERT(WordWithBeat_A, !(word_valid_i && word_ready_o) || (beat_valid && beat_ready))

endmodule

bind rivulet_converter rivulet_converter_props #(.LinkBits(LinkBits)) u_props (.*);
