// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Rules of the ports of rivulet_replay, and that the window of passes that read again fits. */
`include "rivulet_assert.svh"

module rivulet_replay_props
  import rivulet_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic code_valid_o,
  input logic factor_valid_o,
  input logic factor_read_i,
  input logic factor_next_i,
  input logic quad_valid,
  input logic beat_ready_o,
  input logic quad_room,
  input logic codes_open,
  input logic factors_open,
  input logic newest_taken     // the segment that is filled is that of the present pass
);

  `ASSERT(FactorReadable_A, !factor_read_i || factor_valid_o)
  `ASSERT(FactorNext_A, !factor_next_i || quad_valid)
  // Neither side can go on, and nothing will be released.
  `ASSERT(WindowFits_A, !(newest_taken && codes_open && !code_valid_o && !beat_ready_o))
  `ASSERT(FactorsFit_A, !(newest_taken && factors_open && !quad_valid && !quad_room))

endmodule

bind rivulet_replay rivulet_replay_props u_props (
  .newest_taken(u_segments.next_q == u_segments.write_q),
  .*
);
