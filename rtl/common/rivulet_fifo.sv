// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * First-in first-out buffer for a valid/ready stream; Depth words, any Depth from 1 up.
 *
 * Latency 1 cycle (no fall-through). Throughput 1 word per cycle at every depth. From Depth 2 on
 * ready_o comes from registers only, and a full buffer takes its next word one cycle after one has
 * left, which costs the output nothing. Depth 1 is a rivulet_stream_reg, whose ready passes
 * through.
 * In reset ready_o is 1 and valid_o is 0; nothing is taken before the first clock edge outside
 * reset.
 * Storage is not reset (LUTRAM: written on the clock, read combinationally).
 */
module rivulet_fifo #(
  parameter  type         data_t = logic         [7:0],
  parameter  int unsigned Depth  = 2,
  localparam int unsigned Width  = $bits(data_t)         // what a bound property module can take
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

  if (Depth == 0) begin : gen_depth_check
    $fatal(1, "rivulet_fifo: Depth is 0, must be at least 1");
  end else if (Depth == 1) begin : gen_one
    rivulet_stream_reg #(
      .data_t  (data_t),
      .CutReady(1'b0)
    ) u_reg (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o,
      .data_i,
      .valid_o,
      .ready_i,
      .data_o
    );
  end else begin : gen_many
    localparam int unsigned PointerBits = $clog2(Depth);
    localparam logic [PointerBits-1:0] LAST = PointerBits'(Depth - 1);

    data_t mem_q[Depth];
    logic [PointerBits-1:0] write_q, read_q;
    logic full_q, empty_q;
    logic push, pop;

    function automatic logic [PointerBits-1:0] after(logic [PointerBits-1:0] pointer);
      return pointer == LAST ? '0 : pointer + PointerBits'(1);
    endfunction

    assign ready_o = !full_q;
    assign valid_o = !empty_q;
    assign data_o  = mem_q[read_q];
    assign push    = valid_i && ready_o;
    assign pop     = valid_o && ready_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        write_q <= '0;
        read_q  <= '0;
        full_q  <= 1'b0;
        empty_q <= 1'b1;
      end else begin
        if (push) write_q <= after(write_q);
        if (pop) read_q <= after(read_q);
        if (push != pop) begin
          full_q  <= push && after(write_q) == read_q;
          empty_q <= pop && after(read_q) == write_q;
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (push) mem_q[write_q] <= data_i;
    end
  end

endmodule
