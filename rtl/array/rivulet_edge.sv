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
 * three more bits (guard, guard, sticky), which decides every rounding. Fixed latency: the partial
 * sum is read two cycles after valid_i (its value arrives one cycle later on acc_i) and written
 * seven cycles after valid_i. One update per cycle; two updates of one column must be at least
 * six cycles apart.
 */
module rivulet_edge
  import rivulet_pkg::*;
#(
  parameter  int unsigned AlignW   = 16,
  parameter  int unsigned Group    = 128,
  parameter  int unsigned AddrW    = 9,
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
  input logic [AddrW-1:0] addr_i,  // of the partial sum
  // Partial sum memory
  output logic rd_o,
  output logic [AddrW-1:0] rd_addr_o,
  input fp32_t acc_i,
  output logic wr_o,
  output logic [AddrW-1:0] wr_addr_o,
  output fp32_t acc_o,
  output logic saturated_o  // with wr_o: a finite sum became Inf
);

  // Widths: an integer partial of codes (at most 8 bits) and its product with the 8-bit significand
  // of a scale; the magnitude holds either that product or a BF16 partial.
  localparam int unsigned CodeW = AlignW + $clog2(Group) + 7;
  localparam int unsigned ProductW = CodeW + 8;
  localparam int unsigned MagW = ((ProductW > PartialW) ? ProductW : PartialW) - 1;
  localparam int unsigned SumW = MagW + 4;  // carry, magnitude, guard, guard, sticky
  localparam int unsigned MagLzW = $clog2(MagW + 1);
  localparam int unsigned SumLzW = $clog2(SumW + 1);

  localparam fp32_t NAN = 32'h7FC0_0000;

  typedef logic signed [10:0] exp_t;
  localparam exp_t EXP_ZERO = -11'sd1023;  // below any other: the exponent of a zero

  typedef struct packed {
    logic             special;
    logic             first;
    logic [AddrW-1:0] addr;
  } tag_t;

  logic valid_q[1:7];
  tag_t tag_q  [1:7];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned s = 1; s <= 7; s++) valid_q[s] <= 1'b0;
    end else begin
      valid_q[1] <= valid_i;
      for (int unsigned s = 2; s <= 7; s++) valid_q[s] <= valid_q[s-1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) tag_q[1] <= '{special: special_i, first: first_i, addr: addr_i};
    for (int unsigned s = 2; s <= 7; s++) if (valid_q[s-1]) tag_q[s] <= tag_q[s-1];
  end

  // 1: product.
  logic signed [   MagW:0] product_q;
  exp_t                    exp_q;
  logic                    negative_q;
  logic signed [CodeW-1:0] code_partial;
  logic signed [      8:0] significand;

  assign code_partial = partial_i[CodeW-1:0];
  assign significand  = (scale_i[14:7] == '0) ? '0 : {2'b01, scale_i[6:0]};

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      product_q  <= unit_scale_i ? (MagW + 1)'(partial_i)
                                 : (MagW + 1)'(ProductW'(code_partial) * ProductW'(significand));
      exp_q <= exponent_i;
      negative_q <= !unit_scale_i && scale_i[15];
    end
  end

  // 2: sign and magnitude.
  logic [MagW-1:0] mag_q2;
  logic            neg_q2;
  exp_t            exp_q2;

  always_ff @(posedge clk_i) begin
    if (valid_q[1]) begin
      mag_q2 <= product_q[MagW] ? MagW'(-product_q) : product_q[MagW-1:0];
      neg_q2 <= product_q[MagW] ^ negative_q;
      exp_q2 <= exp_q;
    end
  end

  // 3: normalize the addend; the partial sum is read meanwhile.
  logic [  MagW-1:0] mag_q3;
  logic              neg_q3;
  exp_t              exp_q3;
  logic [  MagW-1:0] mag_norm;
  logic [MagLzW-1:0] mag_lz;
  logic              unused_mag_sticky;

  assign rd_o      = valid_q[2] && !tag_q[2].first;
  assign rd_addr_o = tag_q[2].addr;

  rivulet_lzc #(
    .Width(MagW)
  ) u_mag_lzc (
    .data_i (mag_q2),
    .count_o(mag_lz)
  );
  rivulet_shifter #(
    .Width (MagW),
    .ShiftW(MagLzW),
    .Left  (1'b1)
  ) u_mag_normalize (
    .data_i  (mag_q2),
    .shift_i (mag_lz),
    .data_o  (mag_norm),
    .sticky_o(unused_mag_sticky)
  );

  always_ff @(posedge clk_i) begin
    if (valid_q[2]) begin
      mag_q3 <= mag_norm;
      neg_q3 <= neg_q2;
      exp_q3 <= (mag_q2 == '0) ? EXP_ZERO : exp_q2 + exp_t'(MagW - 1) - exp_t'(mag_lz);
    end
  end

  // 4: order and align. Both operands have their first significant bit at the top of MagW bits.
  fp32_t            acc;
  logic  [MagW-1:0] acc_mag;
  exp_t             acc_exp;
  logic             acc_bigger;
  exp_t             distance;
  logic  [MagW-1:0] small_mag;
  logic  [MagW+1:0] small_shifted;
  logic             small_sticky;
  logic  [     5:0] shift;

  logic  [MagW-1:0] big_q4;
  logic  [MagW+2:0] small_q4;
  logic subtract_q4, neg_q4, hold_q4;
  exp_t  exp_q4;
  fp32_t held_q4;

  always_comb begin
    acc     = tag_q[3].first ? '0 : acc_i;
    acc_mag = {acc[30:23] != '0, acc[22:0], (MagW - 24)'(0)};
    if (acc[30:23] == '0) acc_mag = '0;
    acc_exp    = (acc[30:23] == '0) ? EXP_ZERO : exp_t'({3'b0, acc[30:23]}) - 11'sd127;
    acc_bigger = (acc_exp > exp_q3) || ((acc_exp == exp_q3) && (acc_mag > mag_q3));
    distance   = acc_bigger ? acc_exp - exp_q3 : exp_q3 - acc_exp;
    shift      = (distance > exp_t'(MagW + 2)) ? 6'(MagW + 2) : distance[5:0];
    small_mag  = acc_bigger ? mag_q3 : acc_mag;
  end

  rivulet_shifter #(
    .Width (MagW + 2),
    .ShiftW(6),
    .Left  (1'b0)
  ) u_align (
    .data_i  ({small_mag, 2'd0}),
    .shift_i (shift),
    .data_o  (small_shifted),
    .sticky_o(small_sticky)
  );

  always_ff @(posedge clk_i) begin
    if (valid_q[3]) begin
      big_q4      <= acc_bigger ? acc_mag : mag_q3;
      small_q4    <= {small_shifted, small_sticky};
      subtract_q4 <= acc[31] ^ neg_q3;
      neg_q4      <= acc_bigger ? acc[31] : neg_q3;
      exp_q4      <= acc_bigger ? acc_exp : exp_q3;
      hold_q4     <= tag_q[3].special || (acc[30:23] == 8'hFF);
      held_q4     <= (tag_q[3].special || (acc[22:0] != '0)) ? NAN : acc;
    end
  end

  // 5: add.
  logic [SumW-1:0] sum_q5;
  logic neg_q5, hold_q5;
  exp_t  exp_q5;
  fp32_t held_q5;

  always_ff @(posedge clk_i) begin
    if (valid_q[4]) begin
      sum_q5  <= {1'b0, big_q4, 3'd0} + ({1'b0, small_q4} ^ {SumW{subtract_q4}}) +
          SumW'(subtract_q4);
      neg_q5 <= neg_q4;
      exp_q5 <= exp_q4;
      hold_q5 <= hold_q4;
      held_q5 <= held_q4;
    end
  end

  // 6: normalize the sum to 24 bits, guard and sticky.
  logic [  SumW-1:0] sum_norm;
  logic [SumLzW-1:0] sum_lz;
  logic              unused_sum_sticky;
  logic [      22:0] frac_q6;  // the leading one is understood
  logic guard_q6, sticky_q6, neg_q6, hold_q6, zero_q6;
  exp_t  exp_q6;
  fp32_t held_q6;

  rivulet_lzc #(
    .Width(SumW)
  ) u_sum_lzc (
    .data_i (sum_q5),
    .count_o(sum_lz)
  );
  rivulet_shifter #(
    .Width (SumW),
    .ShiftW(SumLzW),
    .Left  (1'b1)
  ) u_sum_normalize (
    .data_i  (sum_q5),
    .shift_i (sum_lz),
    .data_o  (sum_norm),
    .sticky_o(unused_sum_sticky)
  );

  always_ff @(posedge clk_i) begin
    if (valid_q[5]) begin
      frac_q6   <= sum_norm[SumW-2-:23];
      guard_q6  <= sum_norm[SumW-25];
      sticky_q6 <= (sum_norm[SumW-26:0] != '0);
      zero_q6   <= !sum_norm[SumW-1];
      exp_q6    <= exp_q5 + 11'sd128 - exp_t'(sum_lz);  // biased exponent field
      neg_q6    <= neg_q5;
      hold_q6   <= hold_q5;
      held_q6   <= held_q5;
    end
  end

  // 7: round and pack.
  logic  [23:0] rounded;  // carry and fraction
  exp_t         field;
  fp32_t        result;
  logic         overflow;

  always_comb begin
    rounded  = {1'b0, frac_q6} + 24'(guard_q6 && (sticky_q6 || frac_q6[0]));
    field    = exp_q6 + exp_t'({1'b0, rounded[23]});
    overflow = 1'b0;
    if (hold_q6) result = held_q6;
    else if (zero_q6) result = '0;
    else if (field >= 11'sd255) begin
      result   = {neg_q6, 8'hFF, 23'd0};
      overflow = 1'b1;
    end else if (field <= 11'sd0) result = {neg_q6, 31'd0};
    else result = {neg_q6, field[7:0], rounded[22:0]};
  end

  always_ff @(posedge clk_i) begin
    if (valid_q[6]) begin
      acc_o       <= result;
      saturated_o <= overflow;
    end
  end

  assign wr_o      = valid_q[7];
  assign wr_addr_o = tag_q[7].addr;

  logic unused_tag;
  assign unused_tag = tag_q[7].special ^ tag_q[7].first;

endmodule
