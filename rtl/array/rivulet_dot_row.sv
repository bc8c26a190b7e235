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
 * Outputs: partial_o, from bit PartialW * e up, is the partial of the unit that ends in lane e of
 * the cycle: one unit in lane 0 (q8 and BF16 always), or Edges / slices units at q4 and q2. Latency
 * from the digits to partial_o: dot_stages(Lanes) cycles; one cycle of codes per cycle, never
 * stalls. A stage moves only with its valid bit.
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
  localparam int unsigned Stages   = dot_stages(Lanes)
) (
  input  logic                           clk_i,
  // Table writes
  input  logic      [       Selects-1:0] we_i,
  input  logic                           we_bank_i,
  input  logic      [          SubW-1:0] we_sub_i,
  input  logic      [               3:0] we_entry_i,
  input  logic      [  ValueW*Pairs-1:0] we_value_i,
  // Bias terms of the row, signed; bank b from bit BiasW * b up
  input  logic      [       2*BiasW-1:0] bias_q4_i,
  input  logic      [       2*BiasW-1:0] bias_q8_i,
  input  logic      [       2*BiasW-1:0] bias_bf16_i,
  // Stream; ctrl_i[s] is the control of s cycles ago, ctrl_i[0] comes with the digits
  input  dot_ctrl_t [        Stages-1:0] ctrl_i,
  input  logic      [        4*SubW-1:0] sub_i,
  input  logic      [       8*Lanes-1:0] digits_i,     // pair i, slot j at 4 * (4 * i + j)
  output logic      [Edges*PartialW-1:0] partial_o
);

  localparam int unsigned Levels = tree_levels(Lanes / 2);
  localparam int unsigned TreeW = ValueW + $clog2(Lanes / 2);
  typedef logic signed [PartialW-1:0] partial_t;

  // The stages: look-up, trees, and three that combine.
  localparam int unsigned C1 = 1 + Levels;
  localparam int unsigned C2 = C1 + 1;
  localparam int unsigned C3 = C1 + 2;

  logic [Stages-1:0] valid;
  for (genvar s = 0; s < Stages; s++) begin : gen_valid
    assign valid[s] = ctrl_i[s].valid;
  end

  // Processing elements, transposed into one operand list per tree.
  logic [ValueW*(Lanes/2)-1:0] product0, product1, product2, product3;

  for (genvar i = 0; i < Lanes / 2; i++) begin : gen_pe
    rivulet_pe #(
      .AlignW(AlignW),
      .Subs  (Subs),
      .PeKind(PeKind)
    ) u_pe (
      .clk_i,
      .we_i(we_i[i/Pairs]),
      .we_bank_i,
      .we_sub_i,
      .we_entry_i,
      .we_value_i(we_value_i[ValueW*(i%Pairs)+:ValueW]),
      .en_i(valid[0]),
      .bank_i(ctrl_i[0].bank),
      .sub_i,
      .digits_i(digits_i[16*i+:16]),
      .sum_o({
        product3[ValueW*i+:ValueW],
        product2[ValueW*i+:ValueW],
        product1[ValueW*i+:ValueW],
        product0[ValueW*i+:ValueW]
      })
    );
  end

  logic [4*ValueW*(Lanes/2)-1:0] products;
  assign products = {product3, product2, product1, product0};

  for (genvar j = 0; j < 4; j++) begin : gen_tree
    logic signed [TreeW-1:0] sum;
    rivulet_adder_tree #(
      .Inputs(Lanes / 2),
      .Width (ValueW),
      .Levels(Levels)
    ) u_tree (
      .clk_i,
      .en_i   (valid[C1-1:1]),
      .value_i(products[ValueW*(Lanes/2)*j+:ValueW*(Lanes/2)]),
      .sum_o  (sum)
    );
  end

  // Combine 1: neighbouring slots, weight 4 between the slices of a code. Combine 2: both
  // pairs, weight 16, and the bias. Lanes that end in an earlier stage wait.
  partial_t slot0, slot1, slot2, slot3;
  assign slot0 = partial_t'(gen_tree[0].sum);
  assign slot1 = partial_t'(gen_tree[1].sum);
  assign slot2 = partial_t'(gen_tree[2].sum);
  assign slot3 = partial_t'(gen_tree[3].sum);

  // The bias of a unit, with its first cycle.
  logic bank;
  partial_t bias_q4, bias_q8, bias_bf16;
  assign bank = ctrl_i[C2].bank;
  assign bias_q4 = partial_t'($signed(bank ? bias_q4_i[2*BiasW-1:BiasW] : bias_q4_i[BiasW-1:0]));
  assign bias_q8 = partial_t'($signed(bank ? bias_q8_i[2*BiasW-1:BiasW] : bias_q8_i[BiasW-1:0]));
  assign bias_bf16 = partial_t'($signed(
      bank ? bias_bf16_i[2*BiasW-1:BiasW] : bias_bf16_i[BiasW-1:0]
  ));

  partial_t pair0_q1, pair1_q1, pair0_q2, pair1_q2, whole_q2, bias_q2;
  logic one_slice, four_slices;

  assign one_slice   = (Q8Only == 0) && (ctrl_i[C1].stream == StreamQ2);
  assign four_slices = (Q8Only != 0) || (ctrl_i[C2].stream inside {StreamQ8, StreamBf16});

  always_ff @(posedge clk_i) begin
    if (valid[C1]) begin
      pair0_q1 <= slot0 + (one_slice ? slot1 : (slot1 <<< 2));
      pair1_q1 <= slot2 + (one_slice ? slot3 : (slot3 <<< 2));
    end
    if (valid[C2]) begin
      pair0_q2 <= pair0_q1;
      pair1_q2 <= pair1_q1;
      whole_q2 <= pair0_q1 + (four_slices ? (pair1_q1 <<< 4) : pair1_q1);
    end
    if (valid[C2] && ctrl_i[C2].start) begin
      unique case (ctrl_i[C2].stream)
        StreamQ4:   bias_q2 <= (Q8Only != 0) ? '0 : bias_q4;
        StreamQ8:   bias_q2 <= bias_q8;
        StreamBf16: bias_q2 <= bias_bf16;
        default:    bias_q2 <= '0;
      endcase
    end
  end

  // Combine 3: bias and sum over the cycles of a unit. Lanes 1 to 3 hold units of one cycle.
  stream_e stream;
  partial_t whole, lane0, lane0_q;

  assign stream                  = ctrl_i[C3].stream;
  assign whole                   = ctrl_i[C3].high ? (whole_q2 <<< 8) : whole_q2;
  assign partial_o[PartialW-1:0] = lane0_q;

  always_ff @(posedge clk_i) begin
    if (valid[C3]) lane0_q <= lane0 + (ctrl_i[C3].start ? bias_q2 : lane0_q);
  end

  if (Edges == 4) begin : gen_four
    partial_t slot0_q1, slot1_q1, slot2_q1, slot3_q1, slot0_q2, slot1_q2, slot2_q2, slot3_q2;
    partial_t lane1_q, lane2_q, lane3_q;

    always_ff @(posedge clk_i) begin
      if (valid[C1]) begin
        slot0_q1 <= slot0;
        slot1_q1 <= slot1;
        slot2_q1 <= slot2;
        slot3_q1 <= slot3;
      end
      if (valid[C2]) begin
        slot0_q2 <= slot0_q1;
        slot1_q2 <= slot1_q1;
        slot2_q2 <= slot2_q1;
        slot3_q2 <= slot3_q1;
      end
      if (valid[C3]) begin
        lane1_q <= (stream == StreamQ2) ? slot1_q2 : pair1_q2 + bias_q2;
        lane2_q <= slot2_q2;
        lane3_q <= slot3_q2;
      end
    end

    assign lane0 = (stream == StreamQ2) ? slot0_q2 : ((stream == StreamQ4) ? pair0_q2 : whole);
    assign partial_o[4*PartialW-1:PartialW] = {lane3_q, lane2_q, lane1_q};

  end else if (Edges == 2) begin : gen_two
    partial_t lane1_q;

    always_ff @(posedge clk_i) if (valid[C3]) lane1_q <= pair1_q2;

    assign lane0 = (stream == StreamQ2) ? pair0_q2 : whole;
    assign partial_o[2*PartialW-1:PartialW] = lane1_q;

  end else begin : gen_one
    logic unused_pair;
    assign unused_pair = ^pair0_q2 ^ ^pair1_q2 ^ ^stream;
    assign lane0       = whole;
  end

endmodule
