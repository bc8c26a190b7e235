// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Hazard rule of rivulet_edge: a partial sum is not read while an earlier update of it is on its
 * way. The pipeline does not check this itself; rivulet_pass_ctrl keeps short passes apart.
 */
`include "rivulet_assert.svh"

module rivulet_edge_props
  import rivulet_pkg::*;
#(
  parameter int unsigned AddrW = 9
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic [AddrW-1:0] addr_i,
  input logic             rd_o,
  input logic [AddrW-1:0] rd_addr_o
);

  localparam int unsigned Stages = EDGE_STAGES;

  // Updates by age; entry s was an input s + 1 cycles ago. A read belongs to entry
  // EDGE_READ_STAGE - 1.
  logic [Stages-1:0] valid_q;
  logic [ AddrW-1:0] addr_q  [Stages];
  logic              hazard;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Stages-2:0], valid_i};
  end
  always_ff @(posedge clk_i) begin
    addr_q[0] <= addr_i;
    for (int unsigned s = 1; s < Stages; s++) addr_q[s] <= addr_q[s-1];
  end
  always_comb begin
    hazard = 1'b0;
    for (int unsigned s = EDGE_READ_STAGE; s < Stages; s++) begin
      hazard = hazard || (valid_q[s] && (addr_q[s] == rd_addr_o));
    end
  end

  `ASSERT(ReadAfterWrite_A, !(rd_o && hazard))

endmodule

bind rivulet_edge rivulet_edge_props #(.AddrW(AddrW)) u_props (.*);
