// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tile loader: turns rows of BF16 values into the tables of the array, one bank ahead of the
 * stream.
 *
 * A job brings `rows` rows (positions) of `lanes` values, ceil(lanes / XValues) beats a row. Rows
 * are aligned one after the other and buffered; then the tables of all rows are built at once, by
 * one control (rivulet_build_ctrl, hand-over rule there), Pairs lane pairs of each row at a time.
 * While one tile streams from one bank of tables, the next one is built in the other bank, and the
 * one after that is buffered in the other half of the row buffers. Lanes that were not loaded are
 * zero. Positions past `rows` are written too, with what their row buffers hold.
 *
 * Throughput: a tile every max(rows * ceil(lanes / XValues), BuildTime) cycles, BuildTime = 16 *
 * Group / (2 * Pairs).
 * Latency: a build starts as soon as the first step of the last row is buffered, for a row comes
 * out of the aligner faster than it is built. If nothing waits, tile_ready_o rises
 * row_max_stages(XValues) + 2 + Parts + BuildTime - LookupDelay cycles after the last x beat was
 * accepted, Parts = min(2 * Pairs / XValues, ceil(lanes / XValues)) (edge and kv260: 68).
 * Combinational from port to port: x_valid_i and job_valid_i to job_ready_o.
 */
module rivulet_tile_loader
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Positions = 8,
  parameter int unsigned AlignW = 16,
  parameter int unsigned Group = 128,
  parameter int unsigned XValues = 8,  // BF16 values of a beat
  parameter int unsigned Pairs = 4,  // built at a time, per position
  parameter int unsigned LookupDelay = 3,  // cycles from a beat that enters to its look-ups
  localparam int unsigned Subs = Group / Lanes,  // parts of a group, one per table
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned Selects = Lanes / (2 * Pairs),  // groups of Pairs tables
  localparam int unsigned ValueW = AlignW + 2,
  localparam int unsigned SumW = AlignW + $clog2(Group),
  localparam int unsigned BiasW = SumW + 14  // of a BF16 stream, the widest
) (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  // Job
  input  logic                                             job_valid_i,
  output logic                                             job_ready_o,
  input  logic [           7:0]                            job_rows_i,
  input  logic [           7:0]                            job_lanes_i,
  input  logic [           4:0]                            job_align_w_i,
  // BF16 rows
  input  logic                                             x_valid_i,
  output logic                                             x_ready_o,
  input  logic [16*XValues-1:0]                            x_i,
  // Hand-over
  output logic                                             tile_ready_o,
  output logic                                             tile_bank_o,
  output logic [           7:0]                            tile_rows_o,
  output logic [           7:0]                            tile_lanes_o,
  output logic [           4:0]                            tile_align_w_o,
  input  logic                                             tile_take_i,
  // Table writes: Pairs entries of every position
  output logic [   Selects-1:0]                            we_o,
  output logic                                             we_bank_o,
  output logic [      SubW-1:0]                            we_sub_o,
  output logic [           3:0]                            we_entry_o,
  output logic [ Positions-1:0][    Pairs-1:0][ValueW-1:0] we_value_o,
  // Exponent field and bias terms of each row, per bank: sum of the lanes times 2, 42 and 10922
  output logic [           1:0][Positions-1:0][       7:0] exponent_o,
  output logic [           1:0][Positions-1:0][ BiasW-1:0] bias_q4_o,
  output logic [           1:0][Positions-1:0][ BiasW-1:0] bias_q8_o,
  output logic [           1:0][Positions-1:0][ BiasW-1:0] bias_bf16_o
);

  localparam int unsigned Steps = Group / (2 * Pairs);
  localparam int unsigned StepW = (Steps > 1) ? $clog2(Steps) : 1;
  localparam int unsigned Parts = 2 * Pairs / XValues;  // beats of a step
  localparam int unsigned Beats = Group / XValues;
  localparam int unsigned BeatW = $clog2(Beats + 1);
  localparam int unsigned RowW = (Positions > 1) ? $clog2(Positions) : 1;

  // The sum of the last row is known this late after its first step is buffered; then every row
  // passes the bias pipeline once.
  if (Beats - Parts + tree_levels(XValues) + Positions + 6 > 16 * Steps) begin : gen_illegal
    $fatal(1, "rivulet_tile_loader: a build is too short for its rows, fewer Positions or Pairs");
  end

  typedef logic [RowW-1:0] row_idx_t;
  typedef logic [BeatW-1:0] beat_idx_t;

  typedef struct packed {
    logic [7:0] rows;
    logic [7:0] lanes;
    logic [4:0] align_w;
  } job_t;

  // -----------------------------------------------------------------------------------------------
  // Aligner, and the jobs whose rows are on their way through it

  job_t fill_job;
  logic aligner_ready, jobs_ready;
  logic a_valid, a_ready, a_last, a_fire, fill_end;
  logic [XValues-1:0][AlignW-1:0] a_beat;
  logic [7:0] a_exponent;
  logic unused_fill_valid;  // an aligned beat has its job

  assign job_ready_o = aligner_ready && jobs_ready;

  rivulet_aligner #(
    .Values(XValues),
    .Group (Group),
    .AlignW(AlignW)
  ) u_aligner (
    .clk_i,
    .rst_ni,
    .job_valid_i (job_valid_i && jobs_ready),
    .job_ready_o (aligner_ready),
    .job_rows_i  ({8'd0, job_rows_i}),
    .job_lanes_i,
    .job_align_w_i,
    .x_valid_i,
    .x_ready_o,
    .x_i,
    .a_valid_o   (a_valid),
    .a_ready_i   (a_ready),
    .a_o         (a_beat),
    .a_exponent_o(a_exponent),
    .a_last_o    (a_last)
  );

  rivulet_fifo #(
    .data_t(job_t),
    .Depth (2)
  ) u_jobs (
    .clk_i,
    .rst_ni,
    .valid_i(job_valid_i && aligner_ready),
    .ready_o(jobs_ready),
    .data_i ('{rows: job_rows_i, lanes: job_lanes_i, align_w: job_align_w_i}),
    .valid_o(unused_fill_valid),
    .ready_i(fill_end),
    .data_o (fill_job)
  );

  // -----------------------------------------------------------------------------------------------
  // Fill: aligned beats to one half of the row buffers

  // Half being filled; row and place of the next beat.
  logic half_q;
  row_idx_t row_q;
  beat_idx_t beat_q;
  // Of each half: a tile waits for its build from the first step of its last row on, and the half
  // is full from the last beat to the end of the build.
  logic [1:0] waiting_q, full_q;
  job_t job_q[2];
  logic [StepW-1:0] fill_step;
  logic [Parts-1:0] fill_part;
  logic last_row, first_step;
  logic start, done, bank;

  assign fill_step = StepW'(beat_q / beat_idx_t'(Parts));
  for (genvar p = 0; p < Parts; p++) begin : gen_fill_part
    assign fill_part[p] = (32'(beat_q) % Parts == p);
  end

  assign a_ready    = !full_q[half_q];
  assign a_fire     = a_valid && a_ready;
  assign last_row   = (8'(row_q) == fill_job.rows - 8'd1);
  assign first_step = a_fire && last_row && (fill_step == '0) && (fill_part[Parts-1] || a_last);
  assign fill_end   = a_fire && last_row && a_last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      half_q <= 1'b0;
      row_q  <= '0;
      beat_q <= '0;
    end else if (a_fire) begin
      beat_q <= a_last ? '0 : beat_q + beat_idx_t'(1);
      if (a_last) row_q <= last_row ? '0 : row_q + row_idx_t'(1);
      half_q <= half_q ^ fill_end;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q    <= '0;
      waiting_q <= '0;
    end else begin
      for (int unsigned h = 0; h < 2; h++) begin
        if (fill_end && (half_q == 1'(h))) full_q[h] <= 1'b1;
        else if (done && (bank == 1'(h))) full_q[h] <= 1'b0;
        if (start && (bank != 1'(h))) waiting_q[h] <= 1'b0;
        else if (first_step && (half_q == 1'(h))) waiting_q[h] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) if (a_fire) job_q[half_q] <= fill_job;

  // -----------------------------------------------------------------------------------------------
  // Build

  job_t build_job, tile_q;
  logic busy, clear, along_x1, down, closing;
  logic [StepW-1:0] step, last_step;

  rivulet_build_ctrl #(
    .Steps      (Steps),
    .LookupDelay(LookupDelay)
  ) u_ctrl (
    .clk_i,
    .rst_ni,
    .buffered_i (waiting_q[!bank] || (first_step && (half_q != bank))),
    .start_o    (start),
    .closing_o  (closing),
    .tile_ready_o,
    .tile_take_i,
    .bank_o     (bank),
    .busy_o     (busy),
    .done_o     (done),
    .step_o     (step),
    .last_step_i(last_step),
    .clear_o    (clear),
    .entry_o    (we_entry_o),
    .along_x1_o (along_x1),
    .down_o     (down)
  );

  assign build_job = job_q[bank];
  assign last_step = StepW'((build_job.lanes - 8'd1) / 8'(2 * Pairs));
  always_ff @(posedge clk_i) if (closing) tile_q <= build_job;

  assign tile_bank_o    = bank;
  assign tile_rows_o    = tile_q.rows;
  assign tile_lanes_o   = tile_q.lanes;
  assign tile_align_w_o = tile_q.align_w;

  for (genvar m = 0; m < Positions; m++) begin : gen_position
    rivulet_table_builder #(
      .Group (Group),
      .AlignW(AlignW),
      .Values(XValues),
      .Pairs (Pairs)
    ) u_builder (
      .clk_i,
      .wr_i      (a_fire && (row_q == row_idx_t'(m))),
      .wr_half_i (half_q),
      .wr_step_i (fill_step),
      .wr_part_i (fill_part),
      .beat_i    (a_beat),
      .half_i    (bank),
      .step_i    (step),
      .clear_i   (clear),
      .along_x1_i(along_x1),
      .down_i    (down),
      .value_o   (we_value_o[m])
    );
  end

  rivulet_tile_bias #(
    .Positions(Positions),
    .AlignW   (AlignW),
    .Group    (Group),
    .Values   (XValues)
  ) u_bias (
    .clk_i,
    .rst_ni,
    .beat_valid_i(a_fire),
    .beat_last_i (a_last),
    .half_i      (half_q),
    .row_i       (row_q),
    .exponent_i  (a_exponent),
    .beat_i      (a_beat),
    .busy_i      (busy),
    .done_i      (done),
    .bank_i      (bank),
    .exponent_o,
    .bias_q4_o,
    .bias_q8_o,
    .bias_bf16_o
  );

  // Which tables a step is: a group of Pairs of them, in one part of the lanes' group.
  assign we_bank_o = bank;
  if (Selects > 1) begin : gen_select
    localparam int unsigned SelectW = $clog2(Selects);
    for (genvar s = 0; s < Selects; s++) begin : gen_we
      localparam int unsigned Select = s;
      assign we_o[s] = busy && (32'(step[SelectW-1:0]) == Select);
    end
    if (Subs > 1) begin : gen_sub
      assign we_sub_o = step[StepW-1:SelectW];
    end else begin : gen_no_sub
      assign we_sub_o = '0;
    end
  end else begin : gen_no_select
    assign we_o     = busy;
    assign we_sub_o = step;
  end

endmodule
