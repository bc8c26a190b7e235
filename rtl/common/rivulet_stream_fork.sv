// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Fork of one valid/ready stream into Outputs streams: each word goes to every output once.
 *
 * An output takes a word when it is ready, whatever the others do; the word is accepted at the input
 * in the cycle in which the last output takes it. No payload passes through: connect the input's data
 * to all outputs, it holds until then. With `select_i` a word goes to some of the outputs only: bit i
 * for output i, steady with the word; a word for none is accepted at once.
 *
 * Latency 0. Throughput 1 word per cycle. An output can be at most one word ahead of the others.
 * Combinational paths: valid_i and select_i to valid_o, those and ready_i to ready_o; never from
 * ready_i to valid_o.
 */
module rivulet_stream_fork #(
  parameter int unsigned Outputs = 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               valid_i,
  output logic               ready_o,
  input  logic [Outputs-1:0] select_i,
  output logic [Outputs-1:0] valid_o,
  input  logic [Outputs-1:0] ready_i
);

  if (Outputs == 0) begin : gen_outputs_check
    $fatal(1, "rivulet_stream_fork: Outputs is 0, must be at least 1");
  end

  logic [Outputs-1:0] taken_q;  // outputs that have the present word

  assign valid_o = {Outputs{valid_i}} & select_i & ~taken_q;
  assign ready_o = (select_i & ~taken_q & ~ready_i) == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
    end else if (valid_i) begin
      taken_q <= ready_o ? '0 : taken_q | (select_i & ready_i);
    end
  end

endmodule
