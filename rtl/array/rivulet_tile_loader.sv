// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tile loader: turns rows of BF16 values into the tables of the array, one bank ahead of the
 * stream.
 *
 * A job brings `rows` rows (positions) of `lanes` values, ceil(lanes / 4) beats of four values a
 * row. Rows are aligned one after the other and built in parallel, each by its own builder; while
 * one tile streams from one bank of tables, the next one is built in the other bank, and the rows
 * of the one after that are already aligned and buffered. `tile_ready_o` says that the bank
 * `tile_bank_o` is complete; `tile_take_i` hands it to the stream and frees the other bank, whose
 * last read must have been issued in the same cycle or before.
 *
 * Throughput: a tile every 16 * Group / (2 * Pairs) + ceil(rows / 2) * ceil(lanes / 4) + 1 cycles:
 * a row is buffered again when its builder has ended, so half of the rows wait for the builders.
 * All of it is hidden behind the stream of the tile before, if that takes longer.
 *
 * The exponent and the bias terms of a row change bank registers only when its builder ends. The
 * stream uses them a fixed number of cycles after the last read of the old tables, fewer than a
 * builder takes (checked at elaboration by rivulet_array).
 */
module rivulet_tile_loader
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Positions = 8,
  parameter int unsigned AlignW = 16,
  parameter int unsigned Group = 128,
  parameter int unsigned Pairs = 4,  // pairs a builder fills at a time
  localparam int unsigned Subs = Group / Lanes,  // parts of a group, one per table
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned Selects = Lanes / (2 * Pairs),  // groups of Pairs tables
  localparam int unsigned ValueW = AlignW + 2,
  localparam int unsigned SumW = AlignW + $clog2(Group),
  localparam int unsigned BiasW = SumW + 14  // of a BF16 stream, the widest
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // Job
  input  logic                           job_valid_i,
  output logic                           job_ready_o,
  input  logic        [             7:0] job_rows_i,
  input  logic        [             7:0] job_lanes_i,
  input  logic        [             4:0] job_align_w_i,
  // BF16 rows
  input  logic                           x_valid_i,
  output logic                           x_ready_o,
  input  beat_t                          x_i,
  // Hand-over
  output logic                           tile_ready_o,
  output logic                           tile_bank_o,
  output logic        [             7:0] tile_rows_o,
  output logic        [             4:0] tile_align_w_o,
  input  logic                           tile_take_i,
  // Table writes, per position
  output logic        [     Selects-1:0] we_o          [Positions],
  output logic                           we_bank_o,
  output logic        [        SubW-1:0] we_sub_o      [Positions],
  output logic        [             3:0] we_entry_o    [Positions],
  output logic        [ValueW*Pairs-1:0] we_value_o    [Positions],
  // Exponent field and bias terms of each row, per bank: sum of the lanes times 2, 42 and 10922
  output logic        [             7:0] exponent_o    [        2][Positions],
  output logic signed [       BiasW-1:0] bias_q4_o     [        2][Positions],
  output logic signed [       BiasW-1:0] bias_q8_o     [        2][Positions],
  output logic signed [       BiasW-1:0] bias_bf16_o   [        2][Positions]
);

  localparam int unsigned Steps = Group / (2 * Pairs);
  localparam int unsigned StepW = (Steps > 1) ? $clog2(Steps) : 1;
  localparam int unsigned RowW = (Positions > 1) ? $clog2(Positions) : 1;

  typedef logic [RowW-1:0] row_idx_t;
  typedef logic signed [AlignW-1:0] int_t;
  typedef logic signed [SumW-1:0] sum_t;
  typedef logic signed [BiasW-1:0] bias_t;

  // Jobs: the aligner works on the newest one, the builders on the oldest of at most two.
  typedef struct packed {
    logic [7:0] rows;
    logic [4:0] align_w;
  } job_t;

  logic aligner_ready, job_fire;
  job_t       job_q                        [2];
  logic [1:0] jobs_q;  // jobs in the queue

  assign job_ready_o = aligner_ready && (jobs_q != 2'd2);
  assign job_fire    = job_valid_i && job_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) jobs_q <= '0;
    else jobs_q <= jobs_q + 2'(job_fire) - 2'(tile_take_i);
  end

  always_ff @(posedge clk_i) begin
    if (tile_take_i) job_q[0] <= job_q[1];
    if (job_fire) begin
      if (jobs_q - 2'(tile_take_i) == 2'd0)
        job_q[0] <= '{rows: job_rows_i, align_w: job_align_w_i};
      else job_q[1] <= '{rows: job_rows_i, align_w: job_align_w_i};
    end
  end

  // Aligner and the row it is sending.
  logic a_valid, a_ready, a_last, a_first_q;
  logic     [4*AlignW-1:0] a_beat;
  logic     [         7:0] a_exponent;
  row_idx_t                a_row_q;
  logic                    a_fire;
  logic     [         7:0] a_rows_q;  // rows of its job

  rivulet_aligner #(
    .Values(4),
    .Group (Group),
    .AlignW(AlignW)
  ) u_aligner (
    .clk_i,
    .rst_ni,
    .job_valid_i (job_valid_i && (jobs_q != 2'd2)),
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

  // Rows of the jobs whose rows are still on the way through the aligner, oldest first.
  logic [7:0] align_rows_q [2];
  logic [1:0] align_jobs_q;
  logic       align_done;

  assign align_done = a_fire && a_last && (8'(a_row_q) == a_rows_q - 8'd1);
  assign a_rows_q   = align_rows_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) align_jobs_q <= '0;
    else align_jobs_q <= align_jobs_q + 2'(job_fire) - 2'(align_done);
  end

  always_ff @(posedge clk_i) begin
    if (align_done) align_rows_q[0] <= align_rows_q[1];
    if (job_fire) begin
      if (align_jobs_q - 2'(align_done) == 2'd0) align_rows_q[0] <= job_rows_i;
      else align_rows_q[1] <= job_rows_i;
    end
  end

  // A row buffer is full from the last beat of its row until its builder ends.
  logic [Positions-1:0] full_q, built_q, builder_busy, builder_done, builder_start;

  assign a_ready = !full_q[a_row_q];
  assign a_fire  = a_valid && a_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      a_row_q   <= '0;
      a_first_q <= 1'b1;
    end else if (a_fire) begin
      a_first_q <= a_last;
      if (a_last) a_row_q <= align_done ? '0 : a_row_q + row_idx_t'(1);
    end
  end

  // Sum of the lanes of the row, then its multiples, one stage each.
  sum_t sum_q, beat_sum;
  logic sum_valid_q, sum_valid_q2, sum_valid_q3;
  row_idx_t sum_row_q, sum_row_q2, sum_row_q3;
  bias_t sum_q2, sum_q3, times_42_q2, times_42_q3, times_10922_q3;
  logic [7:0] sum_exponent_q;

  always_comb begin
    beat_sum = '0;
    for (int unsigned v = 0; v < 4; v++) begin
      beat_sum = beat_sum + sum_t'(int_t'(a_beat[AlignW*v+:AlignW]));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_valid_q  <= 1'b0;
      sum_valid_q2 <= 1'b0;
      sum_valid_q3 <= 1'b0;
    end else begin
      sum_valid_q  <= a_fire && a_last;
      sum_valid_q2 <= sum_valid_q;
      sum_valid_q3 <= sum_valid_q2;
    end
  end

  always_ff @(posedge clk_i) begin
    if (a_fire) begin
      sum_q          <= beat_sum + (a_first_q ? '0 : sum_q);
      sum_row_q      <= a_row_q;
      sum_exponent_q <= a_exponent;
    end
    if (sum_valid_q) begin
      sum_row_q2  <= sum_row_q;
      sum_q2      <= bias_t'(sum_q);
      times_42_q2 <= (bias_t'(sum_q) <<< 5) + (bias_t'(sum_q) <<< 3) + (bias_t'(sum_q) <<< 1);
    end
    if (sum_valid_q2) begin
      sum_row_q3     <= sum_row_q2;
      sum_q3         <= sum_q2;
      times_42_q3    <= times_42_q2;
      times_10922_q3 <= (times_42_q2 <<< 8) + (times_42_q2 <<< 2) + (sum_q2 <<< 1);
    end
  end

  // Builders. `bank_q` is the bank being built.
  logic bank_q;
  logic [Positions-1:0] row_mask;

  always_comb begin
    for (int unsigned m = 0; m < Positions; m++) row_mask[m] = (8'(m) < job_q[0].rows);
  end

  assign tile_ready_o   = (jobs_q != '0) && ((built_q & row_mask) == row_mask);
  assign tile_bank_o    = bank_q;
  assign tile_rows_o    = job_q[0].rows;
  assign tile_align_w_o = job_q[0].align_w;
  assign we_bank_o      = bank_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bank_q  <= 1'b0;
      full_q  <= '0;
      built_q <= '0;
    end else begin
      bank_q <= bank_q ^ tile_take_i;
      for (int unsigned m = 0; m < Positions; m++) begin
        if (a_fire && a_last && (a_row_q == row_idx_t'(m))) full_q[m] <= 1'b1;
        else if (builder_done[m]) full_q[m] <= 1'b0;
      end
      built_q <= tile_take_i ? '0 : (built_q | builder_done);
    end
  end

  for (genvar m = 0; m < Positions; m++) begin : gen_row
    logic             we;
    logic [StepW-1:0] step;
    logic [      7:0] row_exponent_q;
    bias_t row_sum_q, row_42_q, row_10922_q;
    logic  [7:0] exponent_q [2];
    bias_t       bias_q4_q  [2];
    bias_t       bias_q8_q  [2];
    bias_t       bias_bf16_q[2];

    // A builder whose row is full waits while its table of the current tile stands.
    // So does one whose row is not part of that tile.
    assign builder_start[m] = full_q[m] && !built_q[m] && !builder_busy[m] && row_mask[m];

    rivulet_table_builder #(
      .Group (Group),
      .AlignW(AlignW),
      .Pairs (Pairs)
    ) u_builder (
      .clk_i,
      .rst_ni,
      .beat_valid_i(a_fire && (a_row_q == row_idx_t'(m))),
      .beat_first_i(a_first_q),
      .beat_i      (a_beat),
      .start_i     (builder_start[m]),
      .busy_o      (builder_busy[m]),
      .done_o      (builder_done[m]),
      .we_o        (we),
      .step_o      (step),
      .entry_o     (we_entry_o[m]),
      .value_o     (we_value_o[m])
    );

    if (Selects > 1) begin : gen_select
      localparam int unsigned SelectW = $clog2(Selects);
      for (genvar s = 0; s < Selects; s++) begin : gen_we
        localparam int unsigned Select = s;
        assign we_o[m][s] = we && (32'(step[SelectW-1:0]) == Select);
      end
      if (Subs > 1) begin : gen_sub
        assign we_sub_o[m] = step[StepW-1:SelectW];
      end else begin : gen_no_sub
        assign we_sub_o[m] = '0;
      end
    end else begin : gen_no_select
      assign we_o[m]     = we;
      assign we_sub_o[m] = step;
    end

    always_ff @(posedge clk_i) begin
      if (sum_valid_q && (sum_row_q == row_idx_t'(m))) row_exponent_q <= sum_exponent_q;
      if (sum_valid_q3 && (sum_row_q3 == row_idx_t'(m))) begin
        row_sum_q   <= sum_q3;
        row_42_q    <= times_42_q3;
        row_10922_q <= times_10922_q3;
      end
      if (builder_done[m]) begin
        exponent_q[bank_q]  <= row_exponent_q;
        bias_q4_q[bank_q]   <= row_sum_q <<< 1;
        bias_q8_q[bank_q]   <= row_42_q;
        bias_bf16_q[bank_q] <= row_10922_q;
      end
    end

    for (genvar b = 0; b < 2; b++) begin : gen_bank
      assign exponent_o[b][m]  = exponent_q[b];
      assign bias_q4_o[b][m]   = bias_q4_q[b];
      assign bias_q8_o[b][m]   = bias_q8_q[b];
      assign bias_bf16_o[b][m] = bias_bf16_q[b];
    end
  end

endmodule
