// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Operands along the outputs: parts of code beats and beats of BF16 values through the transposing
 * buffer, read after read.
 *
 * A read is taken by three FIFOs at once (its job, and its kind for both sides), with read_valid_i;
 * read_ready_o: all three have room. While a read of codes comes in, part_* is taken, while one of
 * BF16 values does, w_*: w_ready_o says that its beats go here. out_bf16_o tells the kind of what
 * leaves. Timing: rivulet_transpose_buffer. Combinational: part_valid_i, w_valid_i and *_last_i to
 * none of the outputs; ready outputs come from registers.
 */
module rivulet_turn
  import rivulet_pkg::*;
#(
  parameter  int unsigned SideLanes = 32,
  parameter  int unsigned Group     = 128,
  localparam int unsigned SideBits  = 8 * SideLanes
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Reads along the outputs
  input  logic                   read_valid_i,
  output logic                   read_ready_o,
  input  gather_t                read_i,
  // Codes
  input  logic                   part_valid_i,
  output logic                   part_ready_o,
  input  logic    [SideBits-1:0] part_i,
  input  logic                   part_last_i,   // of its read
  // BF16 values
  input  logic                   w_valid_i,
  output logic                   w_ready_o,
  input  logic    [SideBits-1:0] w_i,
  input  logic                   w_last_i,      // of its read
  // Units along the lanes
  output logic                   out_valid_o,
  input  logic                   out_ready_i,
  output logic    [SideBits-1:0] out_o,
  output logic                   out_bf16_o,
  output logic                   out_last_o     // of its read
);

  logic job_ready, in_kind_ready, out_kind_ready;
  assign read_ready_o = job_ready && in_kind_ready && out_kind_ready;

  logic job_valid, job_taken, in_valid, in_ready, in_last, in_open, in_bf16;
  logic turned_valid, out_open;
  gather_t job;

  rivulet_fifo #(
    .data_t(gather_t),
    .Depth (4)
  ) u_job_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_valid_i),
    .ready_o(job_ready),
    .data_i (read_i),
    .valid_o(job_valid),
    .ready_i(job_taken),
    .data_o (job)
  );

  // Whether the read that comes in, and the one that goes out, is of BF16 values.
  rivulet_fifo #(
    .data_t(logic),
    .Depth (8)
  ) u_in_kind (
    .clk_i,
    .rst_ni,
    .valid_i(read_valid_i),
    .ready_o(in_kind_ready),
    .data_i (read_i.stream == StreamBf16),
    .valid_o(in_open),
    .ready_i(in_valid && in_ready && in_last),
    .data_o (in_bf16)
  );
  rivulet_fifo #(
    .data_t(logic),
    .Depth (8)
  ) u_out_kind (
    .clk_i,
    .rst_ni,
    .valid_i(read_valid_i),
    .ready_o(out_kind_ready),
    .data_i (read_i.stream == StreamBf16),
    .valid_o(out_open),
    .ready_i(out_valid_o && out_ready_i && out_last_o),
    .data_o (out_bf16_o)
  );

  assign in_valid     = in_open && (in_bf16 ? w_valid_i : part_valid_i);
  assign in_last      = in_bf16 ? w_last_i : part_last_i;
  assign part_ready_o = in_open && !in_bf16 && in_ready;
  assign w_ready_o    = in_open && in_bf16 && in_ready;

  rivulet_transpose_buffer #(
    .Lanes(SideLanes),
    .Group(Group)
  ) u_transpose_buffer (
    .clk_i,
    .rst_ni,
    .job_valid_i(job_valid),
    .job_ready_o(job_taken),
    .job_i      (job),
    .in_valid_i (in_valid),
    .in_ready_o (in_ready),
    .in_i       (in_bf16 ? w_i : part_i),
    .out_valid_o(turned_valid),
    .out_ready_i(out_ready_i && out_open),
    .out_o,
    .out_last_o
  );

  assign out_valid_o = turned_valid && out_open;

endmodule
