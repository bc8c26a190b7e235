// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * One position of the array: the dot products of one row of the stationary tile, the edge units that
 * scale and accumulate them, its partial sums, and its part of the result queue.
 *
 * ended_i and the operands of the edge units come in the cycle in which the dot row shows the group
 * partials of those units. One beat per cycle, never stalls. Results of `last` passes go to the
 * result queue instead of the partial sums: EDGE_STAGES cycles after ended_i.
 */
module rivulet_array_row
  import rivulet_pkg::*;
#(
  parameter  int unsigned Row        = 0,                                         // its number
  parameter  int unsigned Lanes      = 32,
  parameter  int unsigned AlignW     = 16,
  parameter  int unsigned Group      = 128,
  parameter  int unsigned PsumWords  = 8192,                                      // of an edge unit
  parameter  int unsigned QueueWords = 512,                                       // of an edge unit
  parameter  int unsigned PeKind     = 0,
  parameter  int unsigned Q8Only     = 0,
  parameter  int unsigned Pairs      = 4,
  localparam int unsigned Subs       = Group / Lanes,
  localparam int unsigned SubW       = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned Edges      = edge_units(Subs, Q8Only != 0),
  localparam int unsigned Selects    = Lanes / (2 * Pairs),
  localparam int unsigned ValueW     = AlignW + 2,
  localparam int unsigned BiasW      = AlignW + $clog2(Group) + 14,
  localparam int unsigned PartialW   = 2 * AlignW + $clog2(Group) - 1,
  localparam int unsigned PsumW      = (PsumWords > 1) ? $clog2(PsumWords) : 1,
  localparam int unsigned QueueW     = (QueueWords > 1) ? $clog2(QueueWords) : 1
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // Table writes
  input  logic      [          Selects-1:0] we_i,
  input  logic                              we_bank_i,
  input  logic      [             SubW-1:0] we_sub_i,
  input  logic      [                  3:0] we_entry_i,
  input  logic      [     ValueW*Pairs-1:0] we_value_i,
  // Exponent field and sum of the row, per bank
  input  logic      [                 15:0] exponents_i,
  input  logic      [          2*BiasW-1:0] bias_q4_i,
  input  logic      [          2*BiasW-1:0] bias_q8_i,
  input  logic      [          2*BiasW-1:0] bias_bf16_i,
  // Stream
  input  dot_ctrl_t [dot_stages(Lanes)-1:0] ctrl_i,           // by the cycles since the digits
  input  logic      [           4*SubW-1:0] sub_i,
  input  logic      [          8*Lanes-1:0] digits_i,
  // Units that end
  input  logic      [            Edges-1:0] ends_i,           // by edge unit
  input  issue_t                            ended_i,
  input  logic      [            PsumW-1:0] psum_addr_i,
  input  logic      [           QueueW-1:0] queue_addr_i,
  input  logic                              unit_scale_i,
  input  bf16_t     [            Edges-1:0] scale_i,
  input  exponent_t [            Edges-1:0] exponent_i,
  input  logic      [            Edges-1:0] special_i,
  // Result queue
  input  logic                              queue_step_i,
  input  logic      [           QueueW-1:0] queue_rd_addr_i,
  output logic      [         32*Edges-1:0] queue_rd_data_o,
  // Events
  output logic      [            Edges-1:0] special_o,        // updates with an Inf or NaN
  output logic      [            Edges-1:0] saturated_o       // sums that became infinite
);

  typedef struct packed {
    logic              last;
    logic [QueueW-1:0] queue_addr;
  } tag_t;
  typedef logic signed [PartialW-1:0] partial_t;

  partial_t [Edges-1:0] partial;

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
    .ctrl_i,
    .sub_i,
    .digits_i,
    .partial_o(partial)
  );

  logic row_active;
  logic [7:0] row_exponent;
  assign row_active   = (Row < 32'(ended_i.rows));
  assign row_exponent = exponents_i[8*ended_i.bank+:8];

  for (genvar e = 0; e < Edges; e++) begin : gen_edge
    partial_t operand;
    logic valid, special, rd, wr, edge_saturated;
    logic [PsumW-1:0] rd_addr, wr_addr;
    fp32_t rd_data, wr_data;
    tag_t tag_in, tag;

    // Which lane of the beat ended this edge unit's column.
    if (e == 0) begin : gen_lane0
      assign operand = partial[0];
    end else if (e == 1) begin : gen_lane1
      assign operand = (ended_i.stream == StreamQ2 || (Edges == 4 && ended_i.stream == StreamQ4))
          ? partial[1] : partial[0];
    end else if (e == 2) begin : gen_lane2
      assign operand = (ended_i.stream == StreamQ2) ? partial[2] : partial[0];
    end else begin : gen_lane3
      assign operand = (ended_i.stream == StreamQ2) ? partial[3]
          : ((ended_i.stream == StreamQ4) ? partial[1] : partial[0]);
    end

    assign valid        = ends_i[e] && row_active;
    assign special      = special_i[e] || (row_exponent == 8'hFF);
    assign special_o[e] = valid && special && !ended_i.carry;
    assign tag_in       = '{last: ended_i.last, queue_addr: queue_addr_i};

    rivulet_edge #(
      .AlignW(AlignW),
      .Group (Group),
      .AddrW (PsumW),
      .TagW  ($bits(tag_t))
    ) u_edge (
      .clk_i,
      .rst_ni,
      .valid_i    (valid),
      .partial_i  (operand),
      .unit_scale_i,
      .scale_i    (scale_i[e]),
      .exponent_i (exponent_i[e] + exponent_t'({3'b0, row_exponent})),
      .special_i  (special),
      .first_i    (ended_i.first),
      .carry_i    (ended_i.carry),
      .addr_i     (psum_addr_i),
      .tag_i      (tag_in),
      .rd_o       (rd),
      .rd_addr_o  (rd_addr),
      .acc_i      (rd_data),
      .wr_o       (wr),
      .wr_addr_o  (wr_addr),
      .wr_tag_o   (tag),
      .acc_o      (wr_data),
      .saturated_o(edge_saturated)
    );
    assign saturated_o[e] = wr && edge_saturated;

    rivulet_psum #(
      .Depth(PsumWords)
    ) u_psum (
      .clk_i,
      .rd_i     (rd),
      .rd_addr_i(rd_addr),
      .rd_data_o(rd_data),
      .wr_i     (wr && !tag.last),
      .wr_addr_i(wr_addr),
      .wr_data_i(wr_data)
    );

    rivulet_result_queue #(
      .Depth(QueueWords)
    ) u_queue (
      .clk_i,
      .wr_i     (wr && tag.last),
      .wr_addr_i(tag.queue_addr),
      .wr_data_i(wr_data),
      .step_i   (queue_step_i),
      .rd_addr_i(queue_rd_addr_i),
      .rd_data_o(queue_rd_data_o[32*e+:32])
    );
  end

  // Fields of a beat that this position does not need.
  logic unused_ended;
  assign unused_ended = ^ended_i;

endmodule
