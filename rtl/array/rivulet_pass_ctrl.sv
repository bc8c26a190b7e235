// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Pass control: decides in every cycle whether a beat of codes enters the array, and what it means.
 *
 * Passes are taken in order, the next one in the same cycle in which the last beat of the previous
 * one enters, so that a stream of passes has no gap. A pass waits while
 *   - it loads a tile that is not built yet (wait_tile_o),
 *   - it opens a half of the partial sums that is still being drained (wait_psum_o), or
 *   - it adds to partial sums that may still be on their way: fewer than HazardUnits columns and
 *     units in flight (wait_psum_o).
 * Within a pass a beat waits for its codes (stall_code_o) and, when it ends a unit, for the scale
 * (stall_scale_o); BF16 streams have no scales.
 *
 * fire_o marks the cycle in which a beat enters; the other outputs of the issue group describe it.
 */
module rivulet_pass_ctrl
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes       = 32,
  parameter  int unsigned Group       = 128,
  parameter  int unsigned Q8Only      = 0,                              // only q8 and BF16 streams
  parameter  int unsigned HazardUnits = 32,
  localparam int unsigned Subs        = Group / Lanes,
  localparam int unsigned Edges       = edge_units(Subs, Q8Only != 0),
  localparam int unsigned CycleW      = 1 + $clog2(2 * Subs)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Passes
  input  logic                 pass_valid_i,
  output logic                 pass_ready_o,
  input  pass_t                pass_i,
  // Tile loader
  input  logic                 tile_ready_i,
  input  logic                 tile_bank_i,
  input  logic    [       7:0] tile_rows_i,
  input  logic    [       4:0] tile_align_w_i,
  output logic                 tile_take_o,
  // State of the partial sums
  input  logic                 in_flight_i,
  input  logic                 drain_done_i,
  input  logic                 drain_done_half_i,
  // Streams
  input  logic                 code_valid_i,
  output logic                 code_ready_o,
  input  logic                 scale_valid_i,
  output logic                 scale_ready_o,
  // Issue
  output logic                 fire_o,
  output stream_e              stream_o,           // of the active pass
  output logic                 transpose_o,
  output logic                 bank_o,
  output logic    [       7:0] rows_o,
  output logic    [       4:0] align_w_o,
  output logic    [CycleW-1:0] cycle_o,            // of the unit
  output logic                 start_o,            // first beat of a unit
  output logic                 done_o,             // last beat of a unit
  output logic    [      15:0] column_o,           // first column of the beat
  output logic    [       2:0] columns_o,          // columns that the beat ends, if done_o
  output logic                 first_o,            // partial sums start from +0
  output logic                 half_o,
  output logic                 last_o,             // last beat of a pass that closes its half
  output logic    [      15:0] units_o,
  output logic    [      15:0] macs_per_unit_o,
  // Why nothing enters
  output logic                 wait_tile_o,
  output logic                 wait_psum_o,
  output logic                 stall_code_o,
  output logic                 stall_scale_o
);

  pass_t pass_q;
  logic active_q, bank_q, half_q;
  logic [7:0] rows_q;
  logic [4:0] align_w_q;
  logic [15:0] column_q, macs_q;
  logic [CycleW-1:0] cycle_q;
  logic [1:0] half_busy_q;

  // Columns that one beat ends.
  function automatic logic [2:0] columns_per_beat(stream_e stream);
    unique case (stream)
      StreamQ2: return 3'(Edges);
      StreamQ4: return (Edges == 4) ? 3'd2 : 3'd1;
      default:  return 3'd1;
    endcase
  endfunction

  // Index of the last beat of a unit. Where a beat can hold several units, codes in dot order come
  // in whole groups.
  function automatic logic [CycleW-1:0] last_cycle(stream_e stream, logic transpose,
                                                   logic [7:0] lanes);
    logic [7:0] last;
    last = lanes - 8'd1;
    if (Edges > 1 && stream != StreamBf16 && !transpose) last = 8'(Group - 1);
    unique case (stream)
      StreamQ2: return CycleW'(32'(last) / (4 * Lanes));
      StreamQ4: return CycleW'(32'(last) / (2 * Lanes));
      StreamQ8: return CycleW'(32'(last) / Lanes);
      default:  return CycleW'(2 * (32'(last) / Lanes) + 1);
    endcase
  endfunction

  logic half, tile_ok, psum_ok, take, pass_end, needs_scale;
  logic [15:0] left;
  logic [CycleW-1:0] unit_last;
  logic [2:0] width;

  // Take the next pass.
  assign half = half_q ^ pass_i.first;
  assign tile_ok = !pass_i.load || tile_ready_i;
  assign psum_ok      = pass_i.first ? !half_busy_q[half]
      : ((32'(pass_i.columns) >= HazardUnits) || !(in_flight_i || active_q));
  assign pass_ready_o = tile_ok && psum_ok && (!active_q || pass_end);
  assign take = pass_valid_i && pass_ready_o;
  assign tile_take_o = take && pass_i.load;
  assign wait_tile_o = pass_valid_i && !active_q && !tile_ok;
  assign wait_psum_o = pass_valid_i && !active_q && tile_ok && !psum_ok;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q    <= 1'b0;
      half_q      <= 1'b0;
      bank_q      <= 1'b0;
      half_busy_q <= '0;
    end else begin
      if (take) active_q <= 1'b1;
      else if (pass_end) active_q <= 1'b0;
      if (take) half_q <= half;
      if (tile_take_o) bank_q <= tile_bank_i;
      for (int unsigned h = 0; h < 2; h++) begin
        if (take && pass_i.first && (half == 1'(h))) half_busy_q[h] <= 1'b1;
        else if (drain_done_i && (drain_done_half_i == 1'(h))) half_busy_q[h] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) pass_q <= pass_i;
    if (tile_take_o) begin
      rows_q    <= tile_rows_i;
      align_w_q <= tile_align_w_i;
    end
  end

  // Walk over the columns of the pass.
  assign width = columns_per_beat(pass_q.stream);
  assign left = pass_q.columns - column_q;
  assign unit_last = last_cycle(pass_q.stream, pass_q.transpose, pass_q.lanes);
  assign done_o = (cycle_q == unit_last) || (width > 3'd1);
  assign columns_o = (left < 16'(width)) ? left[2:0] : width;
  assign pass_end = fire_o && done_o && (left <= 16'(width));
  assign needs_scale = done_o && (pass_q.stream != StreamBf16);
  assign code_ready_o = active_q && (!needs_scale || scale_valid_i);
  assign fire_o = code_ready_o && code_valid_i;
  assign scale_ready_o = fire_o && needs_scale &&
      (pass_end || (3'(column_q[1:0]) + columns_o == 3'd4));
  assign stall_code_o = active_q && !code_valid_i;
  assign stall_scale_o = active_q && code_valid_i && !code_ready_o;

  always_ff @(posedge clk_i) begin
    if (take) begin
      column_q <= '0;
      cycle_q  <= '0;
    end else if (fire_o) begin
      cycle_q <= done_o ? '0 : cycle_q + CycleW'(1);
      if (done_o) column_q <= column_q + 16'(width);
    end
  end

  assign stream_o        = pass_q.stream;
  assign transpose_o     = pass_q.transpose;
  assign bank_o          = bank_q;
  assign rows_o          = rows_q;
  assign align_w_o       = align_w_q;
  assign cycle_o         = cycle_q;
  assign start_o         = (cycle_q == '0);
  assign column_o        = column_q;
  assign first_o         = pass_q.first;
  assign half_o          = half_q;
  assign last_o          = pass_end && pass_q.last;
  assign units_o         = pass_q.columns;
  assign macs_per_unit_o = macs_q;

  always_ff @(posedge clk_i) begin
    if (take) macs_q <= 16'(pass_i.lanes) * (pass_i.load ? 16'(tile_rows_i) : 16'(rows_q));
  end

  // Fields of the pass that only the other blocks use.
  logic unused_pass;
  assign unused_pass = ^{pass_q.kind, pass_q.view, pass_q.load, pass_q.align_w,
                         pass_q.rows, pass_i.kind, pass_i.view, pass_i.transpose, pass_i.align_w,
                         pass_i.rows};

endmodule
