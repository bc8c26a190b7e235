// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Register stage for a valid/ready stream.
 *
 * CutReady = 0: one entry. Cuts the forward path (valid, data); ready passes through
 * combinationally.
 * CutReady = 1: two entries (skid buffer). Cuts both paths: ready_o comes straight from a register.
 *
 * Latency 1 cycle. Throughput 1 word per cycle in either form. In reset ready_o is 1 and valid_o is
 * 0; nothing is taken before the first clock edge outside reset. Data registers are not reset.
 */
module rivulet_stream_reg #(
  parameter  type         data_t   = logic         [7:0],
  parameter  bit          CutReady = 1'b0,
  localparam int unsigned Width    = $bits(data_t)         // what a bound property module can take
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  valid_i,
  output logic  ready_o,
  input  data_t data_i,
  output logic  valid_o,
  input  logic  ready_i,
  output data_t data_o
);

  logic  valid_q;
  data_t data_q;

  assign valid_o = valid_q;
  assign data_o  = data_q;

  if (CutReady) begin : gen_cut_ready
    // The skid entry takes the word that arrives in the first cycle of a stall.
    logic  skid_valid_q;
    data_t skid_q;
    logic  advance;

    assign ready_o = !skid_valid_q;
    assign advance = !valid_q || ready_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q      <= 1'b0;
        skid_valid_q <= 1'b0;
      end else if (advance) begin
        valid_q      <= skid_valid_q || valid_i;
        skid_valid_q <= 1'b0;
      end else begin
        skid_valid_q <= skid_valid_q || valid_i;
      end
    end

    always_ff @(posedge clk_i) begin
      if (advance) data_q <= skid_valid_q ? skid_q : data_i;
    end
    always_ff @(posedge clk_i) begin
      if (ready_o) skid_q <= data_i;
    end
  end else begin : gen_pass_ready
    assign ready_o = !valid_q || ready_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
      end else if (ready_o) begin
        valid_q <= valid_i;
      end
    end

    always_ff @(posedge clk_i) begin
      if (ready_o && valid_i) data_q <= data_i;
    end
  end

endmodule
