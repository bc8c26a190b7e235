// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * All positions of the array and the way of their results out: Positions rows (rivulet_array_row)
 * that see the same digits and operands, and the drain that reads their result queues in step.
 *
 * Table writes, digits, control and operands as in rivulet_array_row. A quad of results is opened
 * with quad_valid_i when its first beat enters the array; quad_done_i comes with the units that end
 * its last column. Results leave at y_o and acc_o (rivulet_drain).
 */
module rivulet_array_rows
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Positions = 8,
  parameter int unsigned AlignW = 16,
  parameter int unsigned Group = 128,
  parameter int unsigned PsumWords = 8192,  // of an edge unit
  parameter int unsigned ResultDepth = 512,  // columns
  parameter int unsigned YRows = 2,
  parameter int unsigned PeKind = 0,
  parameter int unsigned Q8Only = 0,
  parameter int unsigned Pairs = 16,  // loaded at a time
  localparam int unsigned Subs = Group / Lanes,
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned Edges = edge_units(Subs, Q8Only != 0),
  localparam int unsigned Selects = Lanes / (2 * Pairs),
  localparam int unsigned ValueW = AlignW + 2,
  localparam int unsigned BiasW = AlignW + $clog2(Group) + 14,
  localparam int unsigned PsumW = (PsumWords > 1) ? $clog2(PsumWords) : 1,
  localparam int unsigned QueueWords = ResultDepth / Edges,
  localparam int unsigned QueueW = (QueueWords > 1) ? $clog2(QueueWords) : 1
) (
  input  logic                                                         clk_i,
  input  logic                                                         rst_ni,
  // Table writes
  input  logic      [          Selects-1:0]                            we_i,
  input  logic                                                         we_bank_i,
  input  logic      [             SubW-1:0]                            we_sub_i,
  input  logic      [                  3:0]                            we_entry_i,
  input  logic      [        Positions-1:0][    Pairs-1:0][ValueW-1:0] we_value_i,
  // Exponent field and sum of each row, per bank
  input  logic      [                  1:0][Positions-1:0][       7:0] exponent_field_i,
  input  logic      [                  1:0][Positions-1:0][ BiasW-1:0] bias_q4_i,
  input  logic      [                  1:0][Positions-1:0][ BiasW-1:0] bias_q8_i,
  input  logic      [                  1:0][Positions-1:0][ BiasW-1:0] bias_bf16_i,
  // Stream
  input  dot_ctrl_t [dot_stages(Lanes)-1:0]                            ctrl_i,
  input  logic      [           4*SubW-1:0]                            sub_i,
  input  logic      [          8*Lanes-1:0]                            digits_i,
  // Units that end
  input  logic      [            Edges-1:0]                            ends_i,
  input  issue_t                                                       ended_i,
  input  logic      [            PsumW-1:0]                            psum_addr_i,
  input  logic      [           QueueW-1:0]                            queue_addr_i,
  input  logic                                                         quad_done_i,
  input  logic                                                         unit_scale_i,
  input  bf16_t     [            Edges-1:0]                            scale_i,
  input  exponent_t [            Edges-1:0]                            exponent_i,
  input  logic      [            Edges-1:0]                            special_i,
  // Quads of results
  input  logic                                                         quad_valid_i,
  output logic                                                         quad_ready_o,
  input  quad_t                                                        quad_i,
  output logic      [           QueueW-1:0]                            quad_addr_o,
  // Results
  output logic                                                         y_valid_o,
  input  logic                                                         y_ready_i,
  output logic      [         64*YRows-1:0]                            y_o,
  output logic      [        128*YRows-1:0]                            acc_o,
  output logic                                                         y_last_o,
  // Events, by position and edge unit
  output logic      [  Edges*Positions-1:0]                            special_o,
  output logic      [  Edges*Positions-1:0]                            saturated_o
);

  logic queue_step;
  logic [QueueW-1:0] queue_rd_addr;
  logic [32*Edges*Positions-1:0] queue_rd_data;

  for (genvar m = 0; m < Positions; m++) begin : gen_row
    rivulet_array_row #(
      .Row       (m),
      .Lanes     (Lanes),
      .AlignW    (AlignW),
      .Group     (Group),
      .PsumWords (PsumWords),
      .QueueWords(QueueWords),
      .PeKind    (PeKind),
      .Q8Only    (Q8Only),
      .Pairs     (Pairs)
    ) u_row (
      .clk_i,
      .rst_ni,
      .we_i,
      .we_bank_i,
      .we_sub_i,
      .we_entry_i,
      .we_value_i     (we_value_i[m]),
      .exponents_i    ({exponent_field_i[1][m], exponent_field_i[0][m]}),
      .bias_q4_i      ({bias_q4_i[1][m], bias_q4_i[0][m]}),
      .bias_q8_i      ({bias_q8_i[1][m], bias_q8_i[0][m]}),
      .bias_bf16_i    ({bias_bf16_i[1][m], bias_bf16_i[0][m]}),
      .ctrl_i,
      .sub_i,
      .digits_i,
      .ends_i,
      .ended_i,
      .psum_addr_i,
      .queue_addr_i,
      .unit_scale_i,
      .scale_i,
      .exponent_i,
      .special_i,
      .queue_step_i   (queue_step),
      .queue_rd_addr_i(queue_rd_addr),
      .queue_rd_data_o(queue_rd_data[32*Edges*m+:32*Edges]),
      .special_o      (special_o[Edges*m+:Edges]),
      .saturated_o    (saturated_o[Edges*m+:Edges])
    );
  end

  // ---------------------------------------------------------------------------------------------
  // Results: a quad is done when the edge units write its last column

  logic [EDGE_STAGES-1:0] quad_done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) quad_done_q <= '0;
    else begin
      quad_done_q <= {quad_done_q[EDGE_STAGES-2:0], quad_done_i};
    end
  end

  rivulet_drain #(
    .Positions(Positions),
    .Edges    (Edges),
    .Depth    (ResultDepth),
    .YRows    (YRows)
  ) u_drain (
    .clk_i,
    .rst_ni,
    .alloc_valid_i  (quad_valid_i),
    .alloc_ready_o  (quad_ready_o),
    .alloc_rows_i   (quad_i.rows),
    .alloc_columns_i(quad_i.columns),
    .alloc_last_i   (quad_i.last),
    .alloc_addr_o   (quad_addr_o),
    .quad_done_i    (quad_done_q[EDGE_STAGES-1]),
    .step_o         (queue_step),
    .rd_addr_o      (queue_rd_addr),
    .rd_data_i      (queue_rd_data),
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o
  );

endmodule
