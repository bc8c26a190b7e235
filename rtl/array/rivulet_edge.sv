// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Edge unit: one group partial, its scale and its exponent update an FP32 partial sum, with one
 * rounding (docs/numerics.md, "Accumulate").
 *
 *   acc = RN_f32(acc + partial * scale * 2^e)
 *
 * The product and its exponent are exact; the sum is formed in a window of the product's width and
 * three more bits (guard, guard, sticky), which decides every rounding. With carry_i the partial
 * sum is kept bit for bit, whatever the other operands are.
 *
 * What the sum becomes, the first line that applies:
 *
 *   carry_i                                     acc as it is (+0 with first_i)
 *   special_i                                   NaN 7FC00000
 *   acc is Inf or NaN, not with first_i         acc as it is
 *   partial, scale or product is zero           acc, a subnormal one counts as zero: +0
 *   the exact sum is zero                       +0, whatever the signs were
 *   bits below the 24th: less than a half       down: the 24 bits
 *     exactly a half                            to the even 24 bits
 *     more than a half (or a carry out)         up; a carry counts the exponent up
 *   rounded, 2^128 or more                      Inf of its sign; saturated_o
 *   rounded, below 2^-126                       zero of its sign (subnormals are flushed)
 *
 * One update per cycle, never stalls. The partial sum is read EDGE_READ_STAGE cycles after valid_i,
 * unless it starts from +0; its value is expected on acc_i two cycles after that. The result leaves
 * EDGE_STAGES cycles after valid_i. Two updates of one partial sum must be at least EDGE_DISTANCE
 * cycles apart. All outputs come from registers.
 */
module rivulet_edge
  import rivulet_pkg::*;
#(
  parameter  int unsigned AlignW   = 16,
  parameter  int unsigned Group    = 128,
  parameter  int unsigned AddrW    = 13,
  parameter  int unsigned TagW     = 1,
  localparam int unsigned PartialW = 2 * AlignW + $clog2(Group) - 1
) (
  input logic clk_i,
  input logic rst_ni,
  // Operands
  input logic valid_i,
  input logic signed [PartialW-1:0] partial_i,
  input logic unit_scale_i,  // BF16 stream: the scale is one
  input bf16_t scale_i,
  input logic signed [10:0] exponent_i,  // of the product's unit: value = product * 2^exponent
  input logic special_i,  // an operand is Inf or NaN
  input logic first_i,  // the partial sum starts from +0
  input logic carry_i,  // nothing is added
  input logic [AddrW-1:0] addr_i,  // of the partial sum
  input logic [TagW-1:0] tag_i,  // comes back with the result
  // Partial sum
  output logic rd_o,
  output logic [AddrW-1:0] rd_addr_o,
  input fp32_t acc_i,
  // Result
  output logic wr_o,
  output logic [AddrW-1:0] wr_addr_o,
  output logic [TagW-1:0] wr_tag_o,
  output fp32_t acc_o,
  output logic saturated_o  // a finite sum became Inf
);

  // Widths: an integer partial of codes (at most 8 bits) and its product with the 8-bit significand
  // of a scale; the magnitude holds either that product or a BF16 partial.
  localparam int unsigned CodeW = AlignW + $clog2(Group) + 7;
  localparam int unsigned ProductW = CodeW + 8;
  localparam int unsigned MagW = ((ProductW > PartialW) ? ProductW : PartialW) - 1;
  localparam int unsigned SumW = MagW + 4;  // carry, magnitude, guard, guard, sticky
  localparam int unsigned LowW = 17;  // unsigned lower part of a partial, for an 18-bit multiplier
  localparam int unsigned LowProductW = LowW + 9;
  localparam int unsigned HighProductW = ProductW - LowW;

  localparam fp32_t NAN = 32'h7FC0_0000;

  typedef logic signed [10:0] exp_t;
  typedef logic signed [33:0] exp_frac_t;
  localparam exp_t EXP_ZERO = -11'sd1024;  // below any other: the exponent field of a zero

  // What travels beside the operands.
  typedef struct packed {
    logic             special;
    logic             first;
    logic             carry;
    logic [AddrW-1:0] addr;
    logic [TagW-1:0]  tag;
  } side_t;

  logic [EDGE_STAGES:1] valid_q;
  logic [EDGE_STAGES:0] valid;  // by stage

  assign valid = {valid_q, valid_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid[EDGE_STAGES-1:0];
  end

  for (genvar s = 0; s <= EDGE_STAGES; s++) begin : gen_stage
    side_t side;
    if (s == 0) begin : gen_in
      assign side = {special_i, first_i, carry_i, addr_i, tag_i};
    end else begin : gen_reg
      always_ff @(posedge clk_i) if (valid[s-1]) side <= gen_stage[s-1].side;
    end
  end

  side_t read, ordered, written;  // when the partial sum is read, in stage 5, with the result
  assign read      = gen_stage[EDGE_READ_STAGE].side;
  assign ordered   = gen_stage[4].side;
  assign written   = gen_stage[EDGE_STAGES].side;

  assign rd_o      = valid[EDGE_READ_STAGE] && !read.first;
  assign rd_addr_o = read.addr;
  assign wr_o      = valid[EDGE_STAGES];
  assign wr_addr_o = written.addr;
  assign wr_tag_o  = written.tag;

  // 1: products of the significand with both parts of the partial.
  logic signed [ LowProductW-1:0] low_q1;
  logic signed [HighProductW-1:0] high_q1;
  logic signed [    PartialW-1:0] partial_q1;
  logic unit_q1, negative_q1;
  exp_t              exp_q1;
  logic signed [8:0] significand;

  assign significand = (scale_i[14:7] == '0) ? '0 : {2'b01, scale_i[6:0]};

  always_ff @(posedge clk_i) begin
    if (valid[0]) begin
      low_q1 <= LowProductW'($signed({1'b0, partial_i[LowW-1:0]})) * LowProductW'(significand);
      high_q1 <= HighProductW'($signed(partial_i[CodeW-1:LowW])) * HighProductW'(significand);
      partial_q1 <= partial_i;
      unit_q1 <= unit_scale_i;
      negative_q1 <= !unit_scale_i && scale_i[15];
      exp_q1 <= exponent_i;
    end
  end

  // 2: product.
  logic signed [MagW:0] product_q2;
  logic                 negative_q2;
  exp_t                 exp_q2;

  always_ff @(posedge clk_i) begin
    if (valid[1]) begin
      product_q2 <= unit_q1 ? (MagW + 1)'(partial_q1) : (MagW + 1)'($signed(
          {high_q1, LowW'(0)}
      )) + (MagW + 1)'(low_q1);
      negative_q2 <= negative_q1;
      exp_q2 <= exp_q1;
    end
  end

  // 3: sign and magnitude.
  logic [MagW-1:0] mag_q3;
  logic            negative_q3;
  exp_t            exp_q3;

  always_ff @(posedge clk_i) begin
    if (valid[2]) begin
      mag_q3      <= product_q2[MagW] ? MagW'(-product_q2) : product_q2[MagW-1:0];
      negative_q3 <= product_q2[MagW] ^ negative_q2;
      exp_q3      <= exp_q2;
    end
  end

  // 4: normalize the addend: its first significant bit goes to the top. From here on exponents are
  // biased as the field of an FP32 number, but may be beyond its range.
  logic [MagW-1:0] mag_q4;
  logic            negative_q4;
  exp_t            exp_q4;

  always_ff @(posedge clk_i) begin
    if (valid[3]) begin
      automatic logic [5:0] zeros = leading_zeros({mag_q3, {(64 - MagW) {1'b1}}});
      mag_q4 <= mag_q3 << zeros;
      negative_q4 <= negative_q3;
      exp_q4 <= (mag_q3 == '0) ? EXP_ZERO : exp_q3 + exp_t'(MagW - 1 + 127) - exp_t'({1'b0, zeros});
    end
  end

  // 5: order by magnitude. The shift is that of the exponents alone: where they are equal it is
  // zero in either order, and a zero has no bit to lose.
  logic [MagW-1:0] big_q5, small_q5;
  logic subtract_q5, negative_q5, hold_q5;
  exp_t        exp_q5;
  logic  [5:0] shift_q5;
  fp32_t       held_q5;

  always_ff @(posedge clk_i) begin
    if (valid[4]) begin
      automatic logic acc_zero = ordered.first || (acc_i[30:23] == '0);
      automatic logic acc_negative = !ordered.first && acc_i[31];
      automatic exp_t acc_exp = exp_t'({3'b0, acc_i[30:23]});
      automatic logic [MagW-1:0] acc_mag = acc_zero ? '0 : {1'b1, acc_i[22:0], (MagW - 24)'(0)};
      // Exponent and fraction as one number. Behind its 24 bits acc has none, the addend may have.
      automatic exp_frac_t acc_place = {acc_exp, acc_i[22:0]};
      automatic exp_frac_t addend_place = {exp_q4, mag_q4[MagW-2-:23]};
      automatic logic acc_bigger = !acc_zero && (acc_place > addend_place);
      automatic exp_t distance = (acc_exp > exp_q4) ? acc_exp - exp_q4 : exp_q4 - acc_exp;

      big_q5      <= acc_bigger ? acc_mag : mag_q4;
      small_q5    <= acc_bigger ? mag_q4 : acc_mag;
      shift_q5    <= distance[5:0] | {6{distance[10:6] != '0}};
      subtract_q5 <= acc_negative ^ negative_q4;
      negative_q5 <= acc_bigger ? acc_negative : negative_q4;
      exp_q5      <= acc_bigger ? acc_exp : exp_q4;
      hold_q5     <= ordered.carry || ordered.special || (!acc_zero && acc_i[30:23] == 8'hFF);
      held_q5     <= ordered.carry ? (ordered.first ? '0 : acc_i) : (ordered.special ? NAN : acc_i);
    end
  end

  // 6: align the smaller one.
  logic [MagW-1:0] big_q6;
  logic [MagW+2:0] small_q6;
  logic subtract_q6, negative_q6, hold_q6;
  exp_t  exp_q6;
  fp32_t held_q6;

  always_ff @(posedge clk_i) begin
    if (valid[5]) begin
      automatic logic [MagW+1:0] wide = {small_q5, 2'b00};
      automatic logic [MagW+1:0] lost = wide & ~({(MagW + 2) {1'b1}} << shift_q5);
      small_q6    <= {wide >> shift_q5, lost != '0};
      big_q6      <= big_q5;
      subtract_q6 <= subtract_q5;
      negative_q6 <= negative_q5;
      exp_q6      <= exp_q5;
      hold_q6     <= hold_q5;
      held_q6     <= held_q5;
    end
  end

  // 7: add.
  logic [SumW-1:0] sum_q7;
  logic negative_q7, hold_q7;
  exp_t  exp_q7;
  fp32_t held_q7;

  always_ff @(posedge clk_i) begin
    if (valid[6]) begin
      sum_q7 <= {1'b0, big_q6, 3'd0} + ({1'b0, small_q6} ^ {SumW{subtract_q6}}) +
          SumW'(subtract_q6);
      negative_q7 <= negative_q6;
      exp_q7 <= exp_q6;
      hold_q7 <= hold_q6;
      held_q7 <= held_q6;
    end
  end

  // 8: normalize the sum to 24 bits, guard and sticky.
  logic [22:0] frac_q8;  // the leading one is understood
  logic guard_q8, sticky_q8, zero_q8, negative_q8, hold_q8;
  exp_t  exp_q8;
  fp32_t held_q8;

  always_ff @(posedge clk_i) begin
    if (valid[7]) begin
      automatic logic [5:0] zeros = leading_zeros({sum_q7, {(64 - SumW) {1'b1}}});
      automatic logic [SumW-1:0] norm = sum_q7 << zeros;
      frac_q8     <= norm[SumW-2-:23];
      guard_q8    <= norm[SumW-25];
      sticky_q8   <= (norm[SumW-26:0] != '0);
      zero_q8     <= (sum_q7 == '0);
      negative_q8 <= negative_q7;
      exp_q8      <= exp_q7 + 11'sd1 - exp_t'({1'b0, zeros});
      hold_q8     <= hold_q7;
      held_q8     <= held_q7;
    end
  end

  // 9: round and pack. A carry out of the fraction counts the exponent up.
  typedef struct packed {
    exp_t        exp;
    logic [22:0] frac;
  } rounded_t;

  always_ff @(posedge clk_i) begin
    if (valid[8]) begin
      automatic rounded_t sum = {exp_q8, frac_q8} + 34'(guard_q8 && (sticky_q8 || frac_q8[0]));
      saturated_o <= 1'b0;
      if (hold_q8) acc_o <= held_q8;
      else if (zero_q8) acc_o <= '0;
      else if (sum.exp >= 11'sd255) begin
        acc_o       <= {negative_q8, 8'hFF, 23'd0};
        saturated_o <= 1'b1;
      end else if (sum.exp <= 11'sd0) acc_o <= {negative_q8, 31'd0};
      else acc_o <= {negative_q8, sum.exp[7:0], sum.frac};
    end
  end

  logic unused_side;
  assign unused_side = ^{read, ordered, written};

endmodule
