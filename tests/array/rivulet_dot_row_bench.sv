// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Code feed and dot row, joined as in rivulet_array: digits are registered, control travels beside
 * them. done_o, stream_o and partial_o belong to the beat of 1 + dot_stages(Lanes) cycles ago.
 */
module rivulet_dot_row_bench
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes    = 32,
  parameter  int unsigned AlignW   = 16,
  parameter  int unsigned Group    = 128,
  parameter  int unsigned PeKind   = 0,
  parameter  int unsigned Q8Only   = 0,
  parameter  int unsigned Pairs    = 4,
  localparam int unsigned Subs     = Group / Lanes,
  localparam int unsigned SubW     = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned CycleW   = 1 + $clog2(2 * Subs),
  localparam int unsigned Edges    = edge_units(Subs, Q8Only != 0),
  localparam int unsigned Selects  = Lanes / (2 * Pairs),
  localparam int unsigned ValueW   = AlignW + 2,
  localparam int unsigned BiasW    = AlignW + $clog2(Group) + 14,
  localparam int unsigned PartialW = 2 * AlignW + $clog2(Group) - 1,
  localparam int unsigned Stages   = dot_stages(Lanes)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic    [       Selects-1:0] we_i,
  input  logic                         we_bank_i,
  input  logic    [          SubW-1:0] we_sub_i,
  input  logic    [               3:0] we_entry_i,
  input  logic    [  ValueW*Pairs-1:0] we_value_i,
  input  logic    [       2*BiasW-1:0] bias_q4_i,
  input  logic    [       2*BiasW-1:0] bias_q8_i,
  input  logic    [       2*BiasW-1:0] bias_bf16_i,
  input  logic                         valid_i,
  input  stream_e                      stream_i,
  input  logic                         bank_i,
  input  logic                         start_i,
  input  logic                         done_i,
  input  logic    [        CycleW-1:0] cycle_i,
  input  logic    [       8*Lanes-1:0] beat_i,
  output logic                         done_o,
  output stream_e                      stream_o,
  output logic    [Edges*PartialW-1:0] partial_o
);

  logic [4*SubW-1:0] sub, sub_q;
  logic [8*Lanes-1:0] digits, digits_q;
  dot_ctrl_t [Stages:0] ctrl_q;
  dot_ctrl_t ctrl;

  rivulet_code_feed #(
    .Lanes (Lanes),
    .Subs  (Subs),
    .Q8Only(Q8Only)
  ) u_code_feed (
    .stream_i,
    .cycle_i,
    .beat_i,
    .sub_o   (sub),
    .digits_o(digits)
  );

  assign ctrl = '{
          valid: valid_i,
          stream: stream_i,
          bank: bank_i,
          start: start_i,
          done: done_i,
          high: cycle_i[0] && (stream_i == StreamBf16)
      };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ctrl_q <= '0;
    else ctrl_q <= {ctrl_q[Stages-1:0], ctrl};
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      sub_q    <= sub;
      digits_q <= digits;
    end
  end

  rivulet_dot_row #(
    .Lanes (Lanes),
    .AlignW(AlignW),
    .Group (Group),
    .PeKind(PeKind),
    .Q8Only(Q8Only),
    .Pairs (Pairs)
  ) u_dot_row (
    .clk_i,
    .we_i,
    .we_bank_i,
    .we_sub_i,
    .we_entry_i,
    .we_value_i,
    .bias_q4_i,
    .bias_q8_i,
    .bias_bf16_i,
    .ctrl_i  (ctrl_q[Stages-1:0]),
    .sub_i   (sub_q),
    .digits_i(digits_q),
    .partial_o
  );

  assign done_o   = ctrl_q[Stages].valid && ctrl_q[Stages].done;
  assign stream_o = ctrl_q[Stages].stream;

endmodule
