// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** What a user of rivulet_replay_segments may do: push into room, take what is there, release the
 * first segment only. */
`include "rivulet_assert.svh"

module rivulet_replay_segments_props #(
  parameter int unsigned AddrW = 2
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           room_o,
  input logic           push_i,
  input logic           valid_o,
  input logic           take_i,
  input logic           free_i,
  input logic [AddrW:0] taken,
  input logic [AddrW:0] base_q
);

  `ASSERT(PushRoom_A, !push_i || room_o)
  `ASSERT(TakeValid_A, !take_i || valid_o)
  `ASSERT(FreeInOrder_A, !(take_i && free_i) || (taken == base_q))

endmodule

bind rivulet_replay_segments rivulet_replay_segments_props #(.AddrW(AddrW)) u_props (.*);
