// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Input-stationary array: Positions rows of a stationary tile meet the codes or aligned BF16 values
 * of the replay buffer and update FP32 partial sums (docs/array.md).
 *
 * Shapes: Lanes lanes of codes enter per cycle at q8, 2 * Lanes at q4, 4 * Lanes at q2, Lanes / 2
 * BF16 values; every code meets all Positions rows. Results: y = x * codes^T per job, sent as FP32
 * and BF16. Arithmetic: docs/numerics.md, "Align", "Group partial" and "Accumulate".
 *
 * Timing: a beat that enters in cycle t has updated its partial sums, or is in the result queue, at
 * the end of cycle t + array_latency(Lanes). Throughput: one beat per cycle, no gap between passes;
 * the next tile loads and finished results leave meanwhile. The array never stalls once a beat has
 * entered: a quad of results has its place in the queue before its first beat enters.
 *
 * Requires: Lanes and Group powers of two, 8 <= Lanes <= Group <= 128; PsumDepth and ResultDepth
 * multiples of 4; Positions to about 16 * Group / (2 * LoadPairs) - 16 (255 with LoadPairs 2).
 */
module rivulet_array
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes       = 32,
  parameter int unsigned Positions   = 8,
  parameter int unsigned AlignW      = 16,
  parameter int unsigned Group       = 128,
  parameter int unsigned PsumDepth   = 8192,
  parameter int unsigned ResultDepth = 512,
  parameter int unsigned XValues     = 16,
  parameter int unsigned LoadPairs   = 16,
  parameter int unsigned YRows       = 2,
  parameter int unsigned PeKind      = 0,
  parameter int unsigned Q8Only      = 0
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Tiles to load
  input  logic                           load_valid_i,
  output logic                           load_ready_o,
  input  logic          [           7:0] load_rows_i,
  input  logic          [           7:0] load_lanes_i,
  input  logic          [           4:0] load_align_w_i,
  input  logic                           x_valid_i,
  output logic                           x_ready_o,
  input  logic          [16*XValues-1:0] x_i,
  // Passes
  input  logic                           pass_valid_i,
  output logic                           pass_ready_o,
  input  pass_t                          pass_i,
  // Replay buffer: codes and factors two cycles after they are read
  input  logic                           segment_valid_i,
  input  segment_t                       segment_i,
  output logic                           take_o,
  input  logic                           code_valid_i,
  output logic                           code_read_o,
  input  logic          [   8*Lanes-1:0] code_i,
  input  logic                           factor_valid_i,
  output logic          [           1:0] factor_last_o,
  output logic                           factor_read_o,
  output logic                           factor_next_o,
  input  logic          [          63:0] factor_i,
  // Results
  output logic                           y_valid_o,
  input  logic                           y_ready_i,
  output logic          [  64*YRows-1:0] y_o,
  output logic          [ 128*YRows-1:0] acc_o,
  output logic                           y_last_o,
  // Events of the cycle, for the counters
  output array_events_t                  events_o
);

  // Illegal sizes end in the messages below: what is inside gets legal ones.
  localparam bit Legal = Lanes inside {8, 16, 32, 64, 128};
  localparam int unsigned UsedLanes = Legal ? Lanes : 8;
  localparam int unsigned Subs = Group / UsedLanes;
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1;
  localparam int unsigned Edges = edge_units(Subs, Q8Only != 0);
  localparam int unsigned Selects = UsedLanes / (2 * LoadPairs);
  localparam int unsigned ValueW = AlignW + 2;
  localparam int unsigned BiasW = AlignW + $clog2(Group) + 14;
  localparam int unsigned CycleW = 1 + $clog2(2 * Subs);
  localparam int unsigned PsumWords = PsumDepth / Edges;
  localparam int unsigned PsumW = (PsumWords > 1) ? $clog2(PsumWords) : 1;
  localparam int unsigned QueueWords = ResultDepth / Edges;
  localparam int unsigned QueueW = (QueueWords > 1) ? $clog2(QueueWords) : 1;
  localparam int unsigned BuildTime = 16 * Group / (2 * LoadPairs);

  if (!Legal || !(Group inside {8, 16, 32, 64, 128}) || Group < Lanes) begin : gen_bad_lanes
    $fatal(1, "rivulet_array: Lanes and Group are powers of two, 8 to 128, Group not below Lanes");
  end
  if (LoadPairs % 2 != 0 || (Lanes / 2) % LoadPairs != 0) begin : gen_bad_pairs
    $fatal(1, "rivulet_array: LoadPairs must be even and divide Lanes / 2");
  end
  if (BuildTime <= array_latency(UsedLanes)) begin : gen_bad_load
    $fatal(1, "rivulet_array: LoadPairs is too large, a build is shorter than the pipeline");
  end
  if (AlignW < 9 || AlignW > 16 || Positions < 1 || Positions > 255) begin : gen_bad_size
    $fatal(1, "rivulet_array: AlignW is 9 to 16, Positions 1 to 255");
  end
  if (PsumDepth < 4 || PsumDepth > 65532 || PsumDepth % 4 != 0 || ResultDepth < 4 ||
      ResultDepth % 4 != 0)
  begin : gen_bad_depth
    $fatal(1, "rivulet_array: PsumDepth (to 65532) and ResultDepth are multiples of 4 from 4 up");
  end

  // Stationary tile

  logic tile_ready, tile_take, we_bank;
  tile_t tile;
  logic [Selects-1:0] we;
  logic [SubW-1:0] we_sub;
  logic [3:0] we_entry;
  logic [Positions-1:0][LoadPairs-1:0][ValueW-1:0] we_value;
  logic [1:0][Positions-1:0][7:0] exponent_field;
  logic [1:0][Positions-1:0][BiasW-1:0] bias_q4, bias_q8, bias_bf16;

  rivulet_tile_loader #(
    .Lanes      (UsedLanes),
    .Positions  (Positions),
    .AlignW     (AlignW),
    .Group      (Group),
    .XValues    (XValues),
    .Pairs      (LoadPairs),
    .LookupDelay(LOOKUP_DELAY)
  ) u_loader (
    .clk_i,
    .rst_ni,
    .job_valid_i   (load_valid_i),
    .job_ready_o   (load_ready_o),
    .job_rows_i    (load_rows_i),
    .job_lanes_i   (load_lanes_i),
    .job_align_w_i (load_align_w_i),
    .x_valid_i,
    .x_ready_o,
    .x_i,
    .tile_ready_o  (tile_ready),
    .tile_bank_o   (tile.bank),
    .tile_rows_o   (tile.rows),
    .tile_lanes_o  (tile.lanes),
    .tile_align_w_o(tile.align_w),
    .tile_take_i   (tile_take),
    .we_o          (we),
    .we_bank_o     (we_bank),
    .we_sub_o      (we_sub),
    .we_entry_o    (we_entry),
    .we_value_o    (we_value),
    .exponent_o    (exponent_field),
    .bias_q4_o     (bias_q4),
    .bias_q8_o     (bias_q8),
    .bias_bf16_o   (bias_bf16)
  );

  // Issue, and what goes beside the beats

  logic fire, quad_valid, quad_ready, quad_done, unit_scale;
  quad_t quad;
  issue_t issue, ended;
  logic [CycleW-1:0] cycle;
  logic [Edges-1:0] issue_ends, ends, special_unit;
  logic [PsumW-1:0] issue_psum_addr, psum_addr;
  logic [QueueW-1:0] issue_queue_addr, queue_addr, quad_addr;
  array_events_t issue_events;

  rivulet_issue #(
    .Lanes (UsedLanes),
    .Group (Group),
    .Q8Only(Q8Only),
    .PsumW (PsumW),
    .QueueW(QueueW)
  ) u_issue (
    .clk_i,
    .rst_ni,
    .pass_valid_i,
    .pass_ready_o,
    .pass_i,
    .tile_ready_i(tile_ready),
    .tile_i      (tile),
    .tile_take_o (tile_take),
    .segment_valid_i,
    .segment_i,
    .take_o,
    .code_valid_i,
    .code_read_o,
    .factor_valid_i,
    .factor_last_o,
    .factor_read_o,
    .factor_next_o,
    .quad_valid_o(quad_valid),
    .quad_ready_i(quad_ready),
    .quad_o      (quad),
    .quad_addr_i (quad_addr),
    .fire_o      (fire),
    .issue_o     (issue),
    .cycle_o     (cycle),
    .ends_o      (issue_ends),
    .psum_addr_o (issue_psum_addr),
    .queue_addr_o(issue_queue_addr),
    .events_o    (issue_events)
  );

  dot_ctrl_t [dot_stages(UsedLanes)-1:0] ctrl;
  logic [4*SubW-1:0] sub;
  logic [8*UsedLanes-1:0] digits;
  bf16_t [Edges-1:0] scale;
  exponent_t [Edges-1:0] exponent;

  rivulet_beat_pipe #(
    .Lanes (UsedLanes),
    .Group (Group),
    .Q8Only(Q8Only),
    .PsumW (PsumW),
    .QueueW(QueueW)
  ) u_beat_pipe (
    .clk_i,
    .rst_ni,
    .fire_i      (fire),
    .issue_i     (issue),
    .cycle_i     (cycle),
    .ends_i      (issue_ends),
    .psum_addr_i (issue_psum_addr),
    .queue_addr_i(issue_queue_addr),
    .code_i,
    .factor_i,
    .ctrl_o      (ctrl),
    .sub_o       (sub),
    .digits_o    (digits),
    .ends_o      (ends),
    .ended_o     (ended),
    .psum_addr_o (psum_addr),
    .queue_addr_o(queue_addr),
    .quad_done_o (quad_done),
    .unit_scale_o(unit_scale),
    .scale_o     (scale),
    .exponent_o  (exponent),
    .special_o   (special_unit)
  );

  // Positions and their results

  logic [Edges*Positions-1:0] special, saturated;

  rivulet_array_rows #(
    .Lanes      (UsedLanes),
    .Positions  (Positions),
    .AlignW     (AlignW),
    .Group      (Group),
    .PsumWords  (PsumWords),
    .ResultDepth(ResultDepth),
    .YRows      (YRows),
    .PeKind     (PeKind),
    .Q8Only     (Q8Only),
    .Pairs      (LoadPairs)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .we_i            (we),
    .we_bank_i       (we_bank),
    .we_sub_i        (we_sub),
    .we_entry_i      (we_entry),
    .we_value_i      (we_value),
    .exponent_field_i(exponent_field),
    .bias_q4_i       (bias_q4),
    .bias_q8_i       (bias_q8),
    .bias_bf16_i     (bias_bf16),
    .ctrl_i          (ctrl),
    .sub_i           (sub),
    .digits_i        (digits),
    .ends_i          (ends),
    .ended_i         (ended),
    .psum_addr_i     (psum_addr),
    .queue_addr_i    (queue_addr),
    .quad_done_i     (quad_done),
    .unit_scale_i    (unit_scale),
    .scale_i         (scale),
    .exponent_i      (exponent),
    .special_i       (special_unit),
    .quad_valid_i    (quad_valid),
    .quad_ready_o    (quad_ready),
    .quad_i          (quad),
    .quad_addr_o     (quad_addr),
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o,
    .special_o       (special),
    .saturated_o     (saturated)
  );

  always_comb begin
    events_o           = issue_events;
    events_o.special   = 10'($countones(special));
    events_o.saturated = 10'($countones(saturated));
  end

endmodule
