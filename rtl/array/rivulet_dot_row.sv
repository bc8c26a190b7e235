// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * One position of the array: exact group partials of the units that stream past.
 *
 * Lanes / 2 processing elements feed four adder trees, one per digit slot j of the cycle. What the
 * slots hold depends on the stream (docs/array.md): four slices of one code (q8, BF16), two slices
 * of two parts or columns (q4), or four parts or columns (q2). The combine stages weigh the slots
 * (4^slice), add the bias that makes up for the digit range -2..1, and sum the cycles of a unit.
 *
 * Outputs: partial_o[e] is the partial of the unit that ends in lane e of the cycle: one unit in
 * lane 0 (q8 and BF16 always), or Edges / slices units at q4 and q2. Latency from the digits to
 * partial_o: 1 (PE) + ceil(log3(Lanes / 2)) (trees) + 3 cycles; one cycle of codes per cycle,
 * never stalls.
 */
module rivulet_dot_row
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes    = 32,
  parameter  int unsigned AlignW   = 16,
  parameter  int unsigned Group    = 128,
  parameter  int unsigned PeKind   = 0,
  parameter  int unsigned Q8Only   = 0,                               // only q8 and BF16 streams
  parameter  int unsigned Pairs    = 4,                               // tables written at a time
  localparam int unsigned Subs     = Group / Lanes,
  localparam int unsigned SubW     = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned Edges    = edge_units(Subs, Q8Only != 0),
  localparam int unsigned Selects  = Lanes / (2 * Pairs),
  localparam int unsigned ValueW   = AlignW + 2,
  localparam int unsigned BiasW    = AlignW + $clog2(Group) + 14,
  localparam int unsigned PartialW = 2 * AlignW + $clog2(Group) - 1,
  localparam int unsigned Levels   = tree_levels(Lanes / 2)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Table writes
  input  logic        [     Selects-1:0] we_i,
  input  logic                           we_bank_i,
  input  logic        [        SubW-1:0] we_sub_i,
  input  logic        [             3:0] we_entry_i,
  input  logic        [ValueW*Pairs-1:0] we_value_i,
  // Bias terms of the row, per bank
  input  logic        [    2*BiasW-1:0] bias_q4_i,
  input  logic        [    2*BiasW-1:0] bias_q8_i,
  input  logic        [    2*BiasW-1:0] bias_bf16_i,
  // Stream: control and digits of a beat
  input  dot_ctrl_t                     ctrl_i,
  input  logic        [     4*SubW-1:0] sub_i,                          // by slot
  input  logic        [    8*Lanes-1:0] digits_i,                       // pair i, slot j at 4 * (4 * i + j)
  output logic        [Edges-1:0][PartialW-1:0] partial_o               // signed
);

  localparam int unsigned TreeW = ValueW + $clog2(Lanes / 2);
  typedef logic signed [PartialW-1:0] partial_t;
  typedef logic signed [BiasW-1:0] bias_t;

  // Control of s cycles ago.
  dot_ctrl_t ctrl[Levels+4];
  assign ctrl[0] = ctrl_i;
  for (genvar s = 1; s < Levels + 4; s++) begin : gen_ctrl
    dot_ctrl_t ctrl_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ctrl_q <= '0;
      else ctrl_q <= ctrl[s-1];
    end
    assign ctrl[s] = ctrl_q;
  end

  logic [Levels-1:0] tree_en;
  for (genvar l = 0; l < Levels; l++) begin : gen_en
    assign tree_en[l] = ctrl[l+1].valid;
  end

  logic [SubW-1:0] sub[4];
  for (genvar j = 0; j < 4; j++) begin : gen_sub
    assign sub[j] = sub_i[SubW*j+:SubW];
  end

  // Processing elements, transposed into one operand list per tree.
  logic signed [ValueW-1:0] product[4][Lanes/2];
  for (genvar i = 0; i < Lanes / 2; i++) begin : gen_pe
    logic signed [ValueW-1:0] sum[4];
    logic [3:0] digits[4];
    for (genvar j = 0; j < 4; j++) begin : gen_digits
      assign digits[j] = digits_i[4*(4*i+j)+:4];
    end
    rivulet_pe #(
      .AlignW(AlignW),
      .Subs  (Subs),
      .PeKind(PeKind)
    ) u_pe (
      .clk_i,
      .we_i      (we_i[i/Pairs]),
      .we_bank_i,
      .we_sub_i,
      .we_entry_i,
      .we_value_i(we_value_i[ValueW*(i%Pairs)+:ValueW]),
      .en_i      (ctrl[0].valid),
      .bank_i    (ctrl[0].bank),
      .sub_i     (sub),
      .digits_i  (digits),
      .sum_o     (sum)
    );
    for (genvar j = 0; j < 4; j++) begin : gen_slot
      assign product[j][i] = sum[j];
    end
  end

  logic signed [TreeW-1:0] tree[4];
  for (genvar j = 0; j < 4; j++) begin : gen_tree
    rivulet_adder_tree #(
      .Inputs(Lanes / 2),
      .Width (ValueW),
      .Levels(Levels)
    ) u_tree (
      .clk_i,
      .en_i   (tree_en),
      .value_i(product[j]),
      .sum_o  (tree[j])
    );
  end

  // Combine 1: neighbouring slots, weight 4 between the slices of a code. Combine 2: the two
  // halves, weight 16. Lanes that end in an earlier stage wait.
  localparam int unsigned C1 = Levels + 1;
  localparam int unsigned C2 = Levels + 2;
  localparam int unsigned C3 = Levels + 3;
  partial_t half_q[2], slot_q[4], whole_q, half_q2[2], slot_q2[4];

  logic one_slice, four_slices;
  assign one_slice   = (Q8Only == 0) && (ctrl[C1].stream == StreamQ2);
  assign four_slices = (Q8Only != 0) || (ctrl[C2].stream inside {StreamQ8, StreamBf16});

  always_ff @(posedge clk_i) begin
    if (ctrl[C1].valid) begin
      for (int unsigned h = 0; h < 2; h++) begin
        half_q[h] <= partial_t'(tree[2*h]) +
            (one_slice ? partial_t'(tree[2*h+1]) : (partial_t'(tree[2*h+1]) <<< 2));
      end
      for (int unsigned j = 0; j < 4; j++) slot_q[j] <= partial_t'(tree[j]);
    end
    if (ctrl[C2].valid) begin
      whole_q <= half_q[0] + (four_slices ? (half_q[1] <<< 4) : half_q[1]);
      half_q2 <= half_q;
      slot_q2 <= slot_q;
    end
  end

  // Combine 3: bias and sum over the cycles of a unit.
  partial_t bias, lane0, addend;

  always_comb begin
    unique case (ctrl[C3].stream)
      StreamQ2:   bias = '0;
      StreamQ4:   bias = (Q8Only != 0) ? '0 : partial_t'(bias_t'(bias_q4_i[BiasW*ctrl[C3].bank+:BiasW]));
      StreamQ8:   bias = partial_t'(bias_t'(bias_q8_i[BiasW*ctrl[C3].bank+:BiasW]));
      StreamBf16: bias = partial_t'(bias_t'(bias_bf16_i[BiasW*ctrl[C3].bank+:BiasW]));
      default:    bias = '0;
    endcase
    if (Edges == 4 && ctrl[C3].stream == StreamQ2) lane0 = slot_q2[0];
    else if (Edges == 4 && ctrl[C3].stream == StreamQ4) lane0 = half_q2[0];
    else if (Edges == 2 && ctrl[C3].stream == StreamQ2) lane0 = half_q2[0];
    else lane0 = ctrl[C3].high ? (whole_q <<< 8) : whole_q;
    addend = ctrl[C3].start ? bias : partial_t'(partial_o[0]);
  end

  always_ff @(posedge clk_i) if (ctrl[C3].valid) partial_o[0] <= lane0 + addend;

  if (Edges >= 2) begin : gen_lane1
    always_ff @(posedge clk_i) begin
      if (ctrl[C3].valid) begin
        if (Edges == 4 && ctrl[C3].stream == StreamQ2) partial_o[1] <= slot_q2[1];
        else partial_o[1] <= half_q2[1] + bias;
      end
    end
  end else begin : gen_no_lane1
    logic unused_half;
    assign unused_half = ^half_q2[0] ^ ^half_q2[1];
  end

  if (Edges == 4) begin : gen_lane23
    always_ff @(posedge clk_i) begin
      if (ctrl[C3].valid) begin
        partial_o[2] <= slot_q2[2];
        partial_o[3] <= slot_q2[3];
      end
    end
  end else begin : gen_no_lane23
    logic unused_slot;
    assign unused_slot = ^slot_q2[0] ^ ^slot_q2[1] ^ ^slot_q2[2] ^ ^slot_q2[3];
  end

endmodule
