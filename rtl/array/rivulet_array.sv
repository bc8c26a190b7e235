// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Input-stationary array: Positions rows of a stationary tile meet a stream of 8, 4 or 2-bit codes
 * or of aligned BF16 values, and update FP32 partial sums (docs/array.md).
 *
 * Shapes: Lanes lanes of codes enter per cycle at q8, 2 * Lanes at q4, 4 * Lanes at q2, Lanes / 2
 * BF16 values; every code meets all Positions rows. Results: y = x * codes^T per job, sent as FP32
 * and BF16. Arithmetic: docs/numerics.md, "Align", "Group partial" and "Accumulate".
 *
 * Timing: a beat that enters in cycle t (code_valid_i and code_ready_o) has updated its partial
 * sums at the end of cycle t + Latency. Throughput: one beat per cycle, no gap between passes; the
 * next tile loads meanwhile. The array never stalls once a beat has entered; back-pressure on the
 * results reaches the input through the second half of the partial sums.
 *
 * Requires: Lanes and Group powers of two, 8 <= Lanes <= Group <= 128; PsumDepth (columns per half) a
 * multiple of 4, 4 to 32764.
 */
module rivulet_array
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes     = 32,
  parameter int unsigned Positions = 8,
  parameter int unsigned AlignW    = 16,
  parameter int unsigned Group     = 128,
  parameter int unsigned PsumDepth = 512,
  parameter int unsigned PeKind    = 0,
  parameter int unsigned Q8Only    = 0,
  parameter int unsigned LoadPairs = 4
) (
  input logic clk_i,
  input logic rst_ni,
  // Tiles to load
  input logic load_valid_i,
  output logic load_ready_o,
  input logic [7:0] load_rows_i,
  input logic [7:0] load_lanes_i,
  input logic [4:0] load_align_w_i,
  input logic x_valid_i,
  output logic x_ready_o,
  input beat_t x_i,
  // Passes and their streams
  input logic pass_valid_i,
  output logic pass_ready_o,
  input pass_t pass_i,
  output stream_e active_stream_o,  // of the pass whose codes are taken now
  output logic active_transpose_o,
  input logic code_valid_i,
  output logic code_ready_o,
  input logic [8*Lanes-1:0] code_i,
  input logic [7:0] code_exponent_i,  // exponent field of the unit, BF16 streams only
  input logic scale_valid_i,
  output logic scale_ready_o,
  input beat_t scale_i,
  // Results
  output logic y_valid_o,
  input logic y_ready_i,
  output beat_t y_o,
  output logic [127:0] acc_o,
  output logic y_last_o,
  // Events of the cycle, for the counters
  output array_events_t events_o
);

  localparam int unsigned Subs = Group / Lanes;
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1;
  localparam int unsigned Edges = edge_units(Subs, Q8Only != 0);
  localparam int unsigned Levels = tree_levels(Lanes / 2);
  localparam int unsigned Selects = Lanes / (2 * LoadPairs);
  localparam int unsigned ValueW = AlignW + 2;
  localparam int unsigned BiasW = AlignW + $clog2(Group) + 14;
  localparam int unsigned PartialW = 2 * AlignW + $clog2(Group) - 1;
  localparam int unsigned CycleW = 1 + $clog2(2 * Subs);
  localparam int unsigned Words = PsumDepth / Edges;  // per half and edge
  localparam int unsigned AddrW = (Words > 1) ? $clog2(Words) : 1;
  // Stages of the dot rows (digits to partials), of the edges (operands to write), and all of them
  // behind the input register.
  localparam int unsigned DotStages = Levels + 4;
  localparam int unsigned EdgeStages = 7;
  localparam int unsigned Latency = 1 + DotStages + EdgeStages;
  localparam int unsigned BuildTime = 16 * Group / (2 * LoadPairs);

  if (!(Lanes inside {8, 16, 32, 64, 128}) || !(Group inside {8, 16, 32, 64, 128}) || Group < Lanes)
  begin : gen_bad_lanes
    $fatal(1, "rivulet_array: Lanes and Group are powers of two, 8 to 128, Group not below Lanes");
  end
  if (LoadPairs % 2 != 0 || (Lanes / 2) % LoadPairs != 0) begin : gen_bad_pairs
    $fatal(1, "rivulet_array: LoadPairs must be even and divide Lanes / 2");
  end
  if (BuildTime <= Latency) begin : gen_bad_load
    $fatal(
        1,
        "rivulet_array: LoadPairs is too large, a tile would be built faster than the pipeline ends"
    );
  end
  if (AlignW < 9 || AlignW > 16 || Positions < 1 || Positions > 255) begin : gen_bad_size
    $fatal(1, "rivulet_array: AlignW is 9 to 16, Positions 1 to 255");
  end
  if (PsumDepth < 4 || PsumDepth > 32764 || PsumDepth % 4 != 0) begin : gen_bad_depth
    $fatal(1, "rivulet_array: PsumDepth is a multiple of 4 from 4 to 32764");
  end

  // ---------------------------------------------------------------------------------------------
  // Stationary tile

  logic tile_ready, tile_bank, tile_take;
  logic        [                 7:0] tile_rows;
  logic        [                 4:0] tile_align_w;
  logic        [         Selects-1:0] we           [Positions];
  logic                               we_bank;
  logic        [            SubW-1:0] we_sub       [Positions];
  logic        [                 3:0] we_entry     [Positions];
  logic        [ValueW*LoadPairs-1:0] we_value     [Positions];
  logic        [                 7:0] exponent     [        2] [Positions];
  logic signed [           BiasW-1:0] bias_q4      [        2] [Positions];
  logic signed [           BiasW-1:0] bias_q8      [        2] [Positions];
  logic signed [           BiasW-1:0] bias_bf16    [        2] [Positions];

  logic [7:0] tile_lanes;
  rivulet_tile_loader #(
    .Lanes    (Lanes),
    .Positions(Positions),
    .AlignW   (AlignW),
    .Group    (Group),
    .Pairs    (LoadPairs)
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
    .tile_bank_o   (tile_bank),
    .tile_rows_o   (tile_rows),
    .tile_lanes_o  (tile_lanes),
    .tile_align_w_o(tile_align_w),
    .tile_take_i   (tile_take),
    .we_o          (we),
    .we_bank_o     (we_bank),
    .we_sub_o      (we_sub),
    .we_entry_o    (we_entry),
    .we_value_o    (we_value),
    .exponent_o    (exponent),
    .bias_q4_o     (bias_q4),
    .bias_q8_o     (bias_q8),
    .bias_bf16_o   (bias_bf16)
  );

  // ---------------------------------------------------------------------------------------------
  // Issue

  logic fire, issue_bank, unit_start, unit_done, first, half, last;
  stream_e              stream;
  logic    [       7:0] rows;
  logic    [       4:0] align_w;
  logic    [CycleW-1:0] cycle;
  logic [15:0] column, columns_of_pass, macs_per_unit;
  logic [2:0] columns;
  logic in_flight, drain_done, drain_done_half;
  logic wait_tile, wait_psum, stall_code, stall_scale;

  rivulet_pass_ctrl #(
    .Lanes (Lanes),
    .Group (Group),
    .Q8Only(Q8Only)
  ) u_pass_ctrl (
    .clk_i,
    .rst_ni,
    .pass_valid_i,
    .pass_ready_o,
    .pass_i,
    .tile_ready_i     (tile_ready),
    .tile_bank_i      (tile_bank),
    .tile_rows_i      (tile_rows),
    .tile_align_w_i   (tile_align_w),
    .tile_take_o      (tile_take),
    .in_flight_i      (in_flight),
    .drain_done_i     (drain_done),
    .drain_done_half_i(drain_done_half),
    .code_valid_i,
    .code_ready_o,
    .scale_valid_i,
    .scale_ready_o,
    .fire_o           (fire),
    .stream_o         (stream),
    .transpose_o      (active_transpose_o),
    .bank_o           (issue_bank),
    .rows_o           (rows),
    .align_w_o        (align_w),
    .cycle_o          (cycle),
    .start_o          (unit_start),
    .done_o           (unit_done),
    .column_o         (column),
    .columns_o        (columns),
    .first_o          (first),
    .half_o           (half),
    .last_o           (last),
    .units_o          (columns_of_pass),
    .macs_per_unit_o  (macs_per_unit),
    .wait_tile_o      (wait_tile),
    .wait_psum_o      (wait_psum),
    .stall_code_o     (stall_code),
    .stall_scale_o    (stall_scale)
  );

  assign active_stream_o = stream;

  // Digits, one register behind the input.
  logic [SubW-1:0] sub     [          4];
  logic [SubW-1:0] sub_q   [          4];
  logic [     3:0] digits  [4*(Lanes/2)];
  logic [     3:0] digits_q[4*(Lanes/2)];

  rivulet_code_feed #(
    .Lanes (Lanes),
    .Subs  (Subs),
    .Q8Only(Q8Only)
  ) u_code_feed (
    .stream_i(stream),
    .cycle_i (cycle),
    .beat_i  (code_i),
    .sub_o   (sub),
    .digits_o(digits)
  );

  always_ff @(posedge clk_i) begin
    if (fire) begin
      sub_q    <= sub;
      digits_q <= digits;
    end
  end

  // Control beside the data; stage 0 comes with the digits, stage DotStages with the partials.
  typedef struct packed {
    logic             first;
    logic             half;
    logic [4:0]       align_w;
    logic [7:0]       rows;
    logic [AddrW-1:0] addr;
    logic [Edges-1:0] valid;    // edges that end a column, if the stage is valid
    logic [63:0]      scales;   // four BF16, or the exponent field of a BF16 unit
  } unit_t;

  dot_ctrl_t ctrl   [DotStages+1];
  unit_t     unit   [DotStages+1];
  unit_t     unit_d;

  always_comb begin
    unit_d.first   = first;
    unit_d.half    = half;
    unit_d.align_w = align_w;
    unit_d.rows    = rows;
    unit_d.addr    = AddrW'(column / 16'(Edges));
    unit_d.scales  = (stream == StreamBf16) ? 64'(code_exponent_i) : scale_i;
    for (int unsigned e = 0; e < Edges; e++) begin
      unit_d.valid[e] = unit_done && ((e - 32'(column) % Edges) < 32'(columns));
    end
  end

  for (genvar s = 0; s <= DotStages; s++) begin : gen_stage
    dot_ctrl_t ctrl_q;
    unit_t     unit_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ctrl_q <= '0;
      else if (s == 0) begin
        ctrl_q <= '{
            valid: fire,
            stream: stream,
            bank: issue_bank,
            start: unit_start,
            done: unit_done,
            high: cycle[0] && (stream == StreamBf16)
        };
      end else ctrl_q <= ctrl[(s==0)?0 : s-1];
    end
    always_ff @(posedge clk_i) begin
      if (s == 0) unit_q <= unit_d;
      else unit_q <= unit[(s==0)?0 : s-1];
    end
    assign ctrl[s] = ctrl_q;
    assign unit[s] = unit_q;
  end

  // ---------------------------------------------------------------------------------------------
  // Edge operands that all rows share

  unit_t   ended;
  stream_e ended_stream;
  logic ended_bank, unit_scale;
  logic        [Edges-1:0] edge_valid;
  logic                    special_unit [Edges];
  bf16_t                   scale        [Edges];
  logic signed [     10:0] exponent_base[Edges];

  assign ended        = unit[DotStages];
  assign ended_stream = ctrl[DotStages].stream;
  assign ended_bank   = ctrl[DotStages].bank;
  assign edge_valid   = ctrl[DotStages].valid ? ended.valid : '0;
  assign unit_scale   = (ended_stream == StreamBf16);

  always_comb begin
    for (int unsigned e = 0; e < Edges; e++) begin
      // The scales of a beat belong to columns 4n to 4n + 3.
      scale[e] = ended.scales[16*((32'(ended.addr)*Edges+e)%4)+:16];
      if (unit_scale) begin
        special_unit[e] = (ended.scales[7:0] == 8'hFF);
        exponent_base[e] = $signed({3'b0, ended.scales[7:0]}) - 11'sd250 -
            $signed({5'b0, ended.align_w, 1'b0});
      end else begin
        special_unit[e] = (scale[e][14:7] == 8'hFF);
        exponent_base[e] = $signed({3'b0, scale[e][14:7]}) - 11'sd259 -
            $signed({6'b0, ended.align_w});
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Positions: dot products, edge units, partial sums

  logic drain_rd, drain_rd_half;
  logic  [AddrW-1:0] drain_addr;
  fp32_t             drain_data [Positions][Edges];
  logic              special    [Positions][Edges];
  logic              saturated  [Positions][Edges];

  for (genvar m = 0; m < Positions; m++) begin : gen_row
    localparam int unsigned Row = m;
    logic signed [PartialW-1:0] partial[Edges];
    logic signed [BiasW-1:0] row_bias_q4[2], row_bias_q8[2], row_bias_bf16[2];
    logic       row_active;
    logic [7:0] row_exponent;

    for (genvar b = 0; b < 2; b++) begin : gen_bank
      assign row_bias_q4[b]   = bias_q4[b][m];
      assign row_bias_q8[b]   = bias_q8[b][m];
      assign row_bias_bf16[b] = bias_bf16[b][m];
    end
    assign row_active   = (Row < 32'(ended.rows));
    assign row_exponent = exponent[ended_bank][m];

    rivulet_dot_row #(
      .Lanes (Lanes),
      .AlignW(AlignW),
      .Group (Group),
      .PeKind(PeKind),
      .Q8Only(Q8Only),
      .Pairs (LoadPairs)
    ) u_dot_row (
      .clk_i,
      .we_i       (we[m]),
      .we_bank_i  (we_bank),
      .we_sub_i   (we_sub[m]),
      .we_entry_i (we_entry[m]),
      .we_value_i (we_value[m]),
      .bias_q4_i  (row_bias_q4),
      .bias_q8_i  (row_bias_q8),
      .bias_bf16_i(row_bias_bf16),
      .ctrl_i     (ctrl[0:Levels+3]),
      .sub_i      (sub_q),
      .digits_i   (digits_q),
      .partial_o  (partial)
    );

    for (genvar e = 0; e < Edges; e++) begin : gen_edge
      logic signed [PartialW-1:0] operand;
      logic rd, rd_half, wr, wr_half, edge_saturated;
      logic [AddrW-1:0] rd_addr, wr_addr;
      fp32_t rd_data, wr_data;

      // Which lane of the beat ended this edge's column.
      if (e == 0) begin : gen_lane0
        assign operand = partial[0];
      end else if (e == 1) begin : gen_lane1
        assign operand = (ended_stream == StreamQ2 || (Edges == 4 && ended_stream == StreamQ4))
            ? partial[1] : partial[0];
      end else if (e == 2) begin : gen_lane2
        assign operand = (ended_stream == StreamQ2) ? partial[2] : partial[0];
      end else begin : gen_lane3
        assign operand = (ended_stream == StreamQ2) ? partial[3]
            : ((ended_stream == StreamQ4) ? partial[1] : partial[0]);
      end

      assign special[m][e] = edge_valid[e] && row_active &&
          (special_unit[e] || (row_exponent == 8'hFF));

      rivulet_edge #(
        .AlignW(AlignW),
        .Group (Group),
        .AddrW (AddrW + 1)
      ) u_edge (
        .clk_i,
        .rst_ni,
        .valid_i     (edge_valid[e] && row_active),
        .partial_i   (operand),
        .unit_scale_i(unit_scale),
        .scale_i     (scale[e]),
        .exponent_i  (exponent_base[e] + $signed({3'b0, row_exponent})),
        .special_i   (special[m][e]),
        .first_i     (ended.first),
        .addr_i      ({ended.half, ended.addr}),
        .rd_o        (rd),
        .rd_addr_o   ({rd_half, rd_addr}),
        .acc_i       (rd_data),
        .wr_o        (wr),
        .wr_addr_o   ({wr_half, wr_addr}),
        .acc_o       (wr_data),
        .saturated_o (edge_saturated)
      );
      assign saturated[m][e] = wr && edge_saturated;

      rivulet_psum #(
        .Depth(Words)
      ) u_psum (
        .clk_i,
        .rd_i        (rd),
        .rd_half_i   (rd_half),
        .rd_addr_i   (rd_addr),
        .rd_data_o   (rd_data),
        .wr_i        (wr),
        .wr_half_i   (wr_half),
        .wr_addr_i   (wr_addr),
        .wr_data_i   (wr_data),
        .drain_i     (drain_rd),
        .drain_half_i(drain_rd_half),
        .drain_addr_i(drain_addr),
        .drain_data_o(drain_data[m][e])
      );
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Drain: a job starts when the last update of its half is written. Two halves never wait at once:
  // one that waits starts when the other one's drain ends, long before that one can be full again.

  typedef struct packed {
    logic [15:0] columns_of_pass;
    logic [7:0]  rows;
  } job_t;

  logic [Latency-1:0] valid_q, last_q, half_q;  // stage by stage behind the input
  job_t       job_q         [2];  // per half
  logic [1:0] job_pending_q;
  logic job_ready, job_half, job_fire;

  assign in_flight = (valid_q != '0);
  assign job_half  = job_pending_q[1];
  assign job_fire  = (job_pending_q != '0) && job_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q       <= '0;
      last_q        <= '0;
      job_pending_q <= '0;
    end else begin
      valid_q <= {valid_q[Latency-2:0], fire};
      last_q  <= {last_q[Latency-2:0], fire && last};
      for (int unsigned h = 0; h < 2; h++) begin
        if (last_q[Latency-1] && (half_q[Latency-1] == 1'(h))) job_pending_q[h] <= 1'b1;
        else if (job_fire && (job_half == 1'(h))) job_pending_q[h] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    half_q <= {half_q[Latency-2:0], half};
    if (fire && last) job_q[half] <= '{columns_of_pass: columns_of_pass, rows: rows};
  end

  rivulet_drain #(
    .Positions(Positions),
    .Edges    (Edges),
    .Depth    (Words)
  ) u_drain (
    .clk_i,
    .rst_ni,
    .job_valid_i(job_pending_q != '0),
    .job_ready_o(job_ready),
    .job_half_i (job_half),
    .job_units_i(job_q[job_half].columns_of_pass),
    .job_rows_i (job_q[job_half].rows),
    .done_o     (drain_done),
    .done_half_o(drain_done_half),
    .rd_o       (drain_rd),
    .rd_half_o  (drain_rd_half),
    .rd_addr_o  (drain_addr),
    .rd_data_i  (drain_data),
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o
  );

  // ---------------------------------------------------------------------------------------------
  // Events

  always_comb begin
    events_o.fire        = fire;
    events_o.stream      = stream;
    events_o.macs        = (fire && unit_done) ? 18'(columns) * 18'(macs_per_unit) : '0;
    events_o.wait_tile   = wait_tile;
    events_o.wait_psum   = wait_psum;
    events_o.stall_code  = stall_code;
    events_o.stall_scale = stall_scale;
    events_o.special     = '0;
    events_o.saturated   = '0;
    for (int unsigned m = 0; m < Positions; m++) begin
      for (int unsigned e = 0; e < Edges; e++) begin
        events_o.special   = events_o.special + 10'(special[m][e]);
        events_o.saturated = events_o.saturated + 10'(saturated[m][e]);
      end
    end
  end

endmodule
