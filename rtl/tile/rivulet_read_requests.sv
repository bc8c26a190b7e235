// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Read requests of a pass: the tagged reads that bring its codes (docs/array.md, "Streams").
 *
 * One request covers the whole pass where its units follow each other without a gap on the link:
 * whole groups, several units in a beat, or units along the outputs. Otherwise (a short last group)
 * every unit is a request of its own. One request per cycle; BF16 passes have none and must not be
 * offered. The transpose bit of the pass goes beside each request.
 */
module rivulet_read_requests
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes  = 32,
  parameter int unsigned Group  = 128,
  parameter int unsigned Q8Only = 0
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  logic      pass_valid_i,
  output logic      pass_ready_o,
  input  pass_t     pass_i,
  output logic      req_valid_o,
  input  logic      req_ready_i,
  output read_req_t req_o,
  output logic      req_transpose_o
);

  // A beat can hold several units.
  localparam bit SharedBeats = (4 * Lanes > Group) && (Q8Only == 0);

  logic whole, last;
  logic [15:0] unit_q;  // requests of the pass that were sent

  assign whole = pass_i.transpose || SharedBeats || (32'(pass_i.lanes) == Group);
  assign last  = whole || (unit_q == pass_i.columns - 16'd1);

  always_comb begin
    unique case (pass_i.stream)
      StreamQ2: req_o.tier = TierQ2;
      StreamQ4: req_o.tier = TierQ4;
      default:  req_o.tier = TierQ8;
    endcase
    req_o.kind = pass_i.kind;
    req_o.view = pass_i.view;
    if (pass_i.transpose) req_o.codes = 32'(pass_i.lanes) * Group;
    else if (whole) req_o.codes = 32'(pass_i.columns) * Group;
    else req_o.codes = 32'(pass_i.lanes);
  end

  assign req_valid_o     = pass_valid_i;
  assign req_transpose_o = pass_i.transpose;
  assign pass_ready_o    = req_ready_i && last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unit_q <= '0;
    else if (req_valid_o && req_ready_i) unit_q <= last ? '0 : unit_q + 16'd1;
  end

  // Fields that only the other blocks use.
  logic unused_pass;
  assign unused_pass = ^{pass_i.load, pass_i.first, pass_i.last, pass_i.align_w, pass_i.rows};

endmodule
