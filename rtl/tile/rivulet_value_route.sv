// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Value route: tells where the beats of BF16 values go, read after read.
 *
 * A read in dot order brings ceil(lanes / Values) beats for each column, straight to the BF16
 * stream. One along the outputs brings, for each block of Group / 2 outputs, Group / (2 * Values)
 * beats a lane to the transposing buffer. turn_o or stream_o is high while a read is active; the
 * next one becomes active the cycle after the last beat of the one before. fire_i: a beat moves.
 */
module rivulet_value_route
  import rivulet_pkg::*;
#(
  parameter int unsigned Values = 16,  // of a beat
  parameter int unsigned Group  = 128
) (
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  read_valid_i,
  output logic  read_ready_o,
  input  read_t read_i,
  input  logic  fire_i,
  output logic  turn_o,
  output logic  stream_o,
  output logic  last_o         // the next beat is the last one of its read
);

  localparam int unsigned LaneBeats = (Values > 0) ? Group / (2 * Values) : 0;
  localparam int unsigned InnerW = $clog2(Group * LaneBeats + 1);

  typedef logic [InnerW-1:0] inner_t;
  typedef struct packed {
    logic        transpose;
    inner_t      inner;      // beats of a column or block, less one
    logic [15:0] outer;      // columns or blocks, less one
  } job_t;

  job_t job, next;
  logic next_valid, next_taken;

  always_comb begin
    job.transpose = read_i.transpose;
    if (read_i.transpose) begin
      job.inner = inner_t'(32'(read_i.lanes) * LaneBeats - 1);
      job.outer = 16'((32'(read_i.columns) - 1) / (Group / 2));
    end else begin
      job.inner = inner_t'((32'(read_i.lanes) - 1) / Values);
      job.outer = read_i.columns - 16'd1;
    end
  end

  rivulet_fifo #(
    .data_t(job_t),
    .Depth (2)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_valid_i),
    .ready_o(read_ready_o),
    .data_i (job),
    .valid_o(next_valid),
    .ready_i(next_taken),
    .data_o (next)
  );

  logic active_q, transpose_q;
  inner_t inner_q, inner_left_q;
  logic [15:0] outer_left_q;

  assign turn_o     = active_q && transpose_q;
  assign stream_o   = active_q && !transpose_q;
  assign last_o     = (inner_left_q == '0) && (outer_left_q == '0);
  assign next_taken = !active_q || (fire_i && last_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (next_taken) active_q <= next_valid;
  end

  always_ff @(posedge clk_i) begin
    if (next_taken) begin
      transpose_q  <= next.transpose;
      inner_q      <= next.inner;
      inner_left_q <= next.inner;
      outer_left_q <= next.outer;
    end else if (fire_i) begin
      inner_left_q <= (inner_left_q == '0) ? inner_q : inner_left_q - inner_t'(1);
      if (inner_left_q == '0) outer_left_q <= outer_left_q - 16'd1;
    end
  end

  // Fields that only the other blocks use.
  logic unused_read;
  assign unused_read = ^read_i;

endmodule
