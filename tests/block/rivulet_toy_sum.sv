// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * The example of "a new block in a day" (CONTRIBUTING.md): sums of packets of signed bytes.
 *
 * A packet is one to 256 values, the last one marked. Its sum is offered in the cycle after the
 * last value was accepted; a value a cycle while sums are taken at once. in_ready_o depends on
 * sum_ready_i in the same cycle, and on nothing else outside.
 */
module rivulet_toy_sum (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  logic [ 7:0] in_value_i,
  input  logic        in_last_i,
  output logic        sum_valid_o,
  input  logic        sum_ready_i,
  output logic [15:0] sum_o,
  output logic [15:0] packets_o     // sums taken, modulo 2^16
);

  typedef logic signed [15:0] sum_t;

  logic first_q, accept;
  sum_t sum_q, sum_d;

  assign in_ready_o = !sum_valid_o || sum_ready_i;
  assign accept     = in_valid_i && in_ready_o;
  assign sum_d      = (first_q ? sum_t'(0) : sum_q) + sum_t'($signed(in_value_i));
  assign sum_o      = sum_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q     <= 1'b1;
      sum_valid_o <= 1'b0;
      packets_o   <= '0;
    end else begin
      if (sum_valid_o && sum_ready_i) begin
        sum_valid_o <= 1'b0;
        packets_o   <= packets_o + 16'd1;
      end
      if (accept) begin
        first_q     <= in_last_i;
        sum_valid_o <= in_last_i;
      end
    end
  end
  always_ff @(posedge clk_i) if (accept) sum_q <= sum_d;

endmodule
