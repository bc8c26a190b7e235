// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Handshake rules of rivulet_read_requests. */
`include "rivulet_assert.svh"

module rivulet_read_requests_props
  import rivulet_pkg::*;
(
  input logic      clk_i,
  input logic      rst_ni,
  input logic      pass_valid_i,
  input logic      pass_ready_o,
  input pass_t     pass_i,
  input logic      req_valid_o,
  input logic      req_ready_i,
  input read_req_t req_o,
  input logic      req_transpose_o
);

  `ASSERT_STABLE(PassStable_A, pass_valid_i, pass_ready_o, pass_i)
  `ASSERT_STABLE(RequestStable_A, req_valid_o, req_ready_i, {req_transpose_o, req_o})

endmodule

bind rivulet_read_requests rivulet_read_requests_props u_props (.*);
