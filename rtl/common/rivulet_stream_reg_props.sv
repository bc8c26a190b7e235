// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_stream_reg, on both sides. */
`include "rivulet_assert.svh"

module rivulet_stream_reg_props #(
  parameter int unsigned Width = 8
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_o,
  input logic [Width-1:0] data_i,
  input logic             valid_o,
  input logic             ready_i,
  input logic [Width-1:0] data_o
);

  `ASSERT_STABLE(InStable_A, valid_i, ready_o, data_i)
  `ASSERT_STABLE(OutStable_A, valid_o, ready_i, data_o)
  // The latency is one cycle: a word that is taken leaves something to offer.
  `ASSERT_NEXT(TakenIsOffered_A, valid_i && ready_o, valid_o)

endmodule

bind rivulet_stream_reg rivulet_stream_reg_props #(.Width(Width)) u_props (.*);
