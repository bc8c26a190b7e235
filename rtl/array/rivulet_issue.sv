// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Issue: the beats that enter the array (rivulet_pass_ctrl), their places in the partial sums and in
 * the result queue, and the events of the cycle.
 *
 * fire_o marks the cycle in which a beat enters; issue_o, cycle_o, ends_o and the addresses describe
 * it. A quad of results is opened with its first beat and gets its address in the same cycle:
 * combinational from quad_ready_i, quad_addr_i and what rivulet_pass_ctrl names.
 */
module rivulet_issue
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes  = 32,
  parameter  int unsigned Group  = 128,
  parameter  int unsigned Q8Only = 0,
  parameter  int unsigned PsumW  = 13,                             // address of partial sums
  parameter  int unsigned QueueW = 9,                              // address in the result queue
  localparam int unsigned Subs   = Group / Lanes,
  localparam int unsigned Edges  = edge_units(Subs, Q8Only != 0),
  localparam int unsigned CycleW = 1 + $clog2(2 * Subs)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // Passes
  input  logic                       pass_valid_i,
  output logic                       pass_ready_o,
  input  pass_t                      pass_i,
  // Tile loader
  input  logic                       tile_ready_i,
  input  tile_t                      tile_i,
  output logic                       tile_take_o,
  // Replay buffer
  input  logic                       segment_valid_i,
  input  segment_t                   segment_i,
  output logic                       take_o,
  input  logic                       code_valid_i,
  output logic                       code_read_o,
  input  logic                       factor_valid_i,
  output logic          [       1:0] factor_last_o,
  output logic                       factor_read_o,
  output logic                       factor_next_o,
  // Quads of results
  output logic                       quad_valid_o,
  input  logic                       quad_ready_i,
  output quad_t                      quad_o,
  input  logic          [QueueW-1:0] quad_addr_i,      // of the quad that is opened
  // Beats
  output logic                       fire_o,
  output issue_t                     issue_o,
  output logic          [CycleW-1:0] cycle_o,          // of the unit
  output logic          [ Edges-1:0] ends_o,           // edge units that end a column
  output logic          [ PsumW-1:0] psum_addr_o,
  output logic          [QueueW-1:0] queue_addr_o,
  // Events, but for those of the edge units
  output array_events_t              events_o
);

  logic [15:0] macs;
  wait_t waits;

  rivulet_pass_ctrl #(
    .Lanes       (Lanes),
    .Group       (Group),
    .Q8Only      (Q8Only),
    .WordW       (PsumW),
    .HazardCycles(EDGE_DISTANCE - 1)
  ) u_pass_ctrl (
    .clk_i,
    .rst_ni,
    .pass_valid_i,
    .pass_ready_o,
    .pass_i,
    .tile_ready_i,
    .tile_i,
    .tile_take_o,
    .segment_valid_i,
    .segment_i,
    .take_o,
    .code_valid_i,
    .code_read_o,
    .factor_valid_i,
    .factor_last_o,
    .factor_read_o,
    .factor_next_o,
    .quad_ready_i,
    .quad_valid_o,
    .quad_o,
    .fire_o,
    .issue_o,
    .cycle_o,
    .word_o(psum_addr_o),
    .ends_o,
    .macs_o(macs),
    .wait_o(waits)
  );

  // Columns of a quad follow each other in its words.
  logic [QueueW-1:0] quad_addr_q;
  assign queue_addr_o = (quad_valid_o ? quad_addr_i : quad_addr_q) +
      QueueW'(32'(issue_o.quad_column) / Edges);
  always_ff @(posedge clk_i) if (quad_valid_o) quad_addr_q <= quad_addr_i;

  assign events_o = '{
          fire: code_read_o,
          carry: fire_o && issue_o.carry,
          stream: issue_o.stream,
          macs: (code_read_o && issue_o.done) ? 18'(issue_o.columns) * 18'(macs) : '0,
          waits: waits,
          special: '0,
          saturated: '0
      };

endmodule
