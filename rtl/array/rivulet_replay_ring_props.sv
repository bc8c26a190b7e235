// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** What a user of rivulet_replay_ring may do: write where there is room, read what is readable,
 * release in order. */
`include "rivulet_assert.svh"

module rivulet_replay_ring_props #(
  parameter int unsigned Depth = 64,
  parameter int unsigned AddrW = 6
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [      1:0] push_i,
  input logic             room1_o,
  input logic             room2_o,
  input logic             next_i,
  input logic             free_i,
  input logic             valid_o,
  input logic [  AddrW:0] read_q,
  input logic [  AddrW:0] base_q,
  input logic [AddrW-1:0] first_o
);

  `ASSERT(PushOne_A, (push_i != 2'd1) || room1_o)
  `ASSERT(PushTwo_A, (push_i != 2'd2) || room2_o)
  `ASSERT(PushNotThree_A, push_i != 2'd3)
  `ASSERT(ReadReadable_A, !next_i || valid_o)
  `ASSERT(FreeInOrder_A, !free_i || (read_q == base_q))
  `ASSERT(InRange_A, 32'(first_o) < Depth)

endmodule

bind rivulet_replay_ring rivulet_replay_ring_props #(
  .Depth(Depth),
  .AddrW(AddrW)
) u_props (.*);
