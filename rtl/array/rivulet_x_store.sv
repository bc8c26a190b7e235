// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * X store: rows of stationary tiles that are loaded more than once.
 *
 * Takes load commands in order. Each one becomes a job of the loader, and rows * ceil(lanes /
 * XValues) beats: from the x port, or from slot `slot` of the store. `keep` writes the beats from
 * the port to the slot on their way. A slot holds a full tile; its beats lie one behind the other,
 * so that a load from the store names the rows and lanes with which the slot was kept.
 *
 * Beats of both kinds travel through the same two stages, in which the memory is read (address,
 * output register): a beat leaves two cycles after it was accepted, one per cycle, from load to
 * load too, and a slot can be loaded by the command behind the one that keeps it. The next command
 * is accepted with the last beat of the one before; its job is offered one cycle later.
 * Combinational from port to port: x_valid_i and out_ready_i to load_ready_o, out_ready_i to
 * x_ready_o.
 *
 * Without slots (XTiles = 0) there is no memory, and every load comes from the port.
 */
module rivulet_x_store
  import rivulet_pkg::*;
#(
  parameter int unsigned XValues   = 16,   // BF16 values of a beat
  parameter int unsigned Positions = 8,    // most rows of a tile
  parameter int unsigned Group     = 128,  // most lanes of a row
  parameter int unsigned XTiles    = 64    // slots
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Load commands
  input  logic                   load_valid_i,
  output logic                   load_ready_o,
  input  load_t                  load_i,
  // Rows from outside
  input  logic                   x_valid_i,
  output logic                   x_ready_o,
  input  logic  [16*XValues-1:0] x_i,
  // Jobs of the loader
  output logic                   job_valid_o,
  input  logic                   job_ready_i,
  output logic  [           7:0] job_rows_o,
  output logic  [           7:0] job_lanes_o,
  output logic  [           4:0] job_align_w_o,
  // Rows of the loader
  output logic                   out_valid_o,
  input  logic                   out_ready_i,
  output logic  [16*XValues-1:0] out_o
);

  localparam int unsigned Beats = (Group + XValues - 1) / XValues;
  localparam int unsigned SlotBeats = Positions * Beats;
  localparam int unsigned Words = (XTiles > 0) ? XTiles * SlotBeats : 1;
  localparam int unsigned AddrW = (Words > 1) ? $clog2(Words) : 1;

  if (XValues == 0 || (XValues & (XValues - 1)) != 0) begin : gen_illegal
    $fatal(1, "rivulet_x_store: XValues must be a power of two");
  end

  typedef logic [16*XValues-1:0] row_beat_t;

  typedef struct packed {
    logic [7:0] rows;
    logic [7:0] lanes;
    logic [4:0] align_w;
  } job_t;

  // -----------------------------------------------------------------------------------------------
  // The load under way

  logic active_q, from_store_q, keep_q;
  logic [      7:0] rows_q;  // rows left, this one included
  logic [      7:0] last_beat_q;  // beats of a row - 1
  logic [      7:0] left_q;  // beats of this row after the next one
  logic [AddrW-1:0] addr_q;  // of the next beat in the store
  logic [      7:0] load_last_beat;
  logic load_fire, jobs_ready, move, beat_fire, last;
  job_t job;

  assign x_ready_o      = active_q && !from_store_q && move;
  assign beat_fire      = active_q && move && (from_store_q || x_valid_i);
  assign last           = (left_q == '0) && (rows_q == 8'd1);
  assign load_ready_o   = jobs_ready && (!active_q || (beat_fire && last));
  assign load_fire      = load_valid_i && load_ready_o;
  assign load_last_beat = (load_i.lanes - 8'd1) / 8'(XValues);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q     <= 1'b0;
      from_store_q <= 1'b0;
      keep_q       <= 1'b0;
      rows_q       <= '0;
      left_q       <= '0;
    end else if (load_fire) begin
      active_q     <= 1'b1;
      from_store_q <= load_i.from_store;
      keep_q       <= load_i.keep;
      rows_q       <= load_i.rows;
      left_q       <= load_last_beat;
    end else if (beat_fire) begin
      active_q <= !last;
      left_q   <= (left_q == '0) ? last_beat_q : left_q - 8'd1;
      if (left_q == '0) rows_q <= rows_q - 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_fire) begin
      last_beat_q <= load_last_beat;
      addr_q      <= AddrW'(32'(load_i.slot) * SlotBeats);
    end else if (beat_fire) begin
      addr_q <= addr_q + AddrW'(1);
    end
  end

  rivulet_fifo #(
    .data_t(job_t),
    .Depth (2)
  ) u_jobs (
    .clk_i,
    .rst_ni,
    .valid_i(load_valid_i && (!active_q || (beat_fire && last))),
    .ready_o(jobs_ready),
    .data_i ('{rows: load_i.rows, lanes: load_i.lanes, align_w: load_i.align_w}),
    .valid_o(job_valid_o),
    .ready_i(job_ready_i),
    .data_o (job)
  );

  assign job_rows_o    = job.rows;
  assign job_lanes_o   = job.lanes;
  assign job_align_w_o = job.align_w;

  // -----------------------------------------------------------------------------------------------
  // Two stages, which move together. A beat of the port waits in the first one, then shares the
  // output register with the memory.

  logic valid_q, from_port_q;
  row_beat_t x_q, read, out_q;

  assign move  = !out_valid_o || out_ready_i;
  assign out_o = out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= 1'b0;
      out_valid_o <= 1'b0;
    end else if (move) begin
      valid_q     <= beat_fire;
      out_valid_o <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_fire) begin
      from_port_q <= !from_store_q;
      if (!from_store_q) x_q <= x_i;
    end
    if (move && valid_q) out_q <= from_port_q ? x_q : read;
  end

  if (XTiles > 0) begin : gen_store
    (* ram_style = "ultra" *) row_beat_t mem[Words];
    row_beat_t read_q;
    always_ff @(posedge clk_i) begin
      if (beat_fire) begin
        if (keep_q) mem[addr_q] <= x_i;
        if (from_store_q) read_q <= mem[addr_q];
      end
    end
    assign read = read_q;
  end else begin : gen_no_store
    logic unused_addr;
    assign unused_addr = ^{addr_q, keep_q, load_i.slot};
    assign read        = '0;
  end

endmodule
