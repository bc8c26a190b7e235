// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_read_requests; a read that moves nothing is never offered. */
`include "rivulet_assert.svh"

module rivulet_read_requests_props
  import rivulet_pkg::*;
(
  input logic      clk_i,
  input logic      rst_ni,
  input logic      read_valid_i,
  input logic      read_ready_o,
  input read_t     read_i,
  input logic      req_valid_o,
  input logic      req_ready_i,
  input read_req_t req_o,
  input logic      req_transpose_o,
  input logic      req_last_o
);

  `ASSERT_STABLE(ReadStable_A, read_valid_i, read_ready_o, read_i)
  `ASSERT_STABLE(RequestStable_A, req_valid_o, req_ready_i, {req_last_o, req_transpose_o, req_o})
  `ASSERT(NotEmpty_A, !read_valid_i || (!read_i.bf16 && read_i.tier != TierQ0))
  `ASSERT(Sizes_A, !read_valid_i || (read_i.lanes != '0 && read_i.columns != '0))

endmodule

bind rivulet_read_requests rivulet_read_requests_props u_props (.*);
