// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * What goes beside the codes of a beat, from its entry to the edge units, and the digits of its codes.
 *
 * A beat enters with fire_i. Its codes and factors come two cycles later from the replay buffer, its
 * digits leave LOOKUP_DELAY cycles after fire_i, with ctrl_o[0]; ctrl_o[s] follows s cycles later.
 * The units that it ends leave with the operands of the edge units dot_stages(Lanes) cycles after
 * the digits, when rivulet_dot_row shows their partials. One beat per cycle, never stalls. All
 * outputs come from registers.
 */
module rivulet_beat_pipe
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes  = 32,
  parameter  int unsigned Group  = 128,
  parameter  int unsigned Q8Only = 0,
  parameter  int unsigned PsumW  = 13,                             // address of partial sums
  parameter  int unsigned QueueW = 9,                              // address in the result queue
  localparam int unsigned Subs   = Group / Lanes,
  localparam int unsigned SubW   = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned Edges  = edge_units(Subs, Q8Only != 0),
  localparam int unsigned CycleW = 1 + $clog2(2 * Subs)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // A beat enters
  input  logic                              fire_i,
  input  issue_t                            issue_i,
  input  logic      [           CycleW-1:0] cycle_i,       // of the unit
  input  logic      [            Edges-1:0] ends_i,        // edge units that end a column
  input  logic      [            PsumW-1:0] psum_addr_i,
  input  logic      [           QueueW-1:0] queue_addr_i,
  // Two cycles later
  input  logic      [          8*Lanes-1:0] code_i,
  input  logic      [                 63:0] factor_i,      // of its quad
  // Digits, and the control of the dot rows by the cycles since the digits
  output dot_ctrl_t [dot_stages(Lanes)-1:0] ctrl_o,
  output logic      [           4*SubW-1:0] sub_o,
  output logic      [          8*Lanes-1:0] digits_o,
  // Units that end
  output logic      [            Edges-1:0] ends_o,        // by edge unit
  output issue_t                            ended_o,
  output logic      [            PsumW-1:0] psum_addr_o,
  output logic      [           QueueW-1:0] queue_addr_o,
  output logic                              quad_done_o,   // they end a quad of results
  output logic                              unit_scale_o,
  output bf16_t     [            Edges-1:0] scale_o,
  output exponent_t [            Edges-1:0] exponent_o,
  output logic      [            Edges-1:0] special_o
);

  localparam int unsigned DotStages = dot_stages(Lanes);

  // A beat beside its codes.
  typedef struct packed {
    issue_t            issue;
    logic [CycleW-1:0] cycle;
    logic [Edges-1:0]  ends;
    logic [PsumW-1:0]  psum_addr;
    logic [QueueW-1:0] queue_addr;
  } beat_t;

  // Beside the codes: LOOKUP_DELAY cycles to the digits, then through the dot rows

  logic [LOOKUP_DELAY:0] lookup_valid;
  beat_t lookup[LOOKUP_DELAY+1];
  assign lookup_valid[0] = fire_i;
  assign lookup[0] = '{
          issue: issue_i,
          cycle: cycle_i,
          ends: ends_i,
          psum_addr: psum_addr_i,
          queue_addr: queue_addr_i
      };

  for (genvar s = 1; s <= LOOKUP_DELAY; s++) begin : gen_lookup
    logic  valid_q;
    beat_t beat_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= lookup_valid[s-1];
    end
    always_ff @(posedge clk_i) if (lookup_valid[s-1]) beat_q <= lookup[s-1];
    assign lookup_valid[s] = valid_q;
    assign lookup[s]       = beat_q;
  end

  // Digits, from the codes of the replay buffer.
  beat_t fed;
  logic fed_valid;
  logic [4*SubW-1:0] sub;
  logic [8*Lanes-1:0] digits;
  logic [63:0] factors_q;

  assign fed       = lookup[LOOKUP_DELAY-1];
  assign fed_valid = lookup_valid[LOOKUP_DELAY-1];

  rivulet_code_feed #(
    .Lanes (Lanes),
    .Subs  (Subs),
    .Q8Only(Q8Only)
  ) u_code_feed (
    .stream_i(fed.issue.stream),
    .cycle_i (fed.cycle),
    .beat_i  (code_i),
    .sub_o   (sub),
    .digits_o(digits)
  );

  always_ff @(posedge clk_i) begin
    if (fed_valid) begin
      sub_o     <= sub;
      digits_o  <= digits;
      factors_q <= factor_i;
    end
  end

  beat_t looked_up;
  assign looked_up = lookup[LOOKUP_DELAY];

  // Control of the dot rows, by the cycles since the digits.
  assign ctrl_o[0] = '{
          valid: lookup_valid[LOOKUP_DELAY],
          stream: looked_up.issue.stream,
          bank: looked_up.issue.bank,
          start: looked_up.issue.start,
          done: looked_up.issue.done,
          high: looked_up.cycle[0] && (looked_up.issue.stream == StreamBf16)
      };
  for (genvar s = 1; s < DotStages; s++) begin : gen_ctrl
    dot_ctrl_t ctrl_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ctrl_q <= '0;
      else ctrl_q <= ctrl_o[s-1];
    end
    assign ctrl_o[s] = ctrl_q;
  end

  logic [DotStages:0] dot_valid;  // of the units that end
  beat_t dot[DotStages+1];
  logic [63:0] factors[DotStages];
  assign dot_valid[0] = lookup_valid[LOOKUP_DELAY] && looked_up.issue.done;
  assign dot[0]       = looked_up;
  assign factors[0]   = factors_q;

  for (genvar s = 1; s <= DotStages; s++) begin : gen_dot
    logic  valid_q;
    beat_t beat_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= dot_valid[s-1];
    end
    always_ff @(posedge clk_i) if (dot_valid[s-1]) beat_q <= dot[s-1];
    assign dot_valid[s] = valid_q;
    assign dot[s]       = beat_q;
    if (s < DotStages) begin : gen_factors
      logic [63:0] stage_q;
      always_ff @(posedge clk_i) if (dot_valid[s-1]) stage_q <= factors[s-1];
      assign factors[s] = stage_q;
    end
  end

  // Units that end, and the operands that all positions share
  beat_t ended;
  assign ended        = dot[DotStages];
  assign ends_o       = dot_valid[DotStages] ? ended.ends : '0;
  assign ended_o      = ended.issue;
  assign psum_addr_o  = ended.psum_addr;
  assign queue_addr_o = ended.queue_addr;
  assign quad_done_o  = dot_valid[DotStages] && ended.issue.last && ended.issue.quad_end;

  rivulet_edge_operands #(
    .Edges(Edges)
  ) u_edge_operands (
    .clk_i,
    .valid_i      (dot_valid[DotStages-1]),
    .stream_i     (dot[DotStages-1].issue.stream),
    .align_w_i    (dot[DotStages-1].issue.align_w),
    .quad_column_i(dot[DotStages-1].issue.quad_column),
    .factors_i    (factors[DotStages-1]),
    .unit_scale_o,
    .scale_o,
    .exponent_o,
    .special_o
  );

  // What the single stages do not need.
  logic unused_fields;
  assign unused_fields = ^{ended, fed};

endmodule
