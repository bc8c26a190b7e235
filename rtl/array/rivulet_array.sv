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
 * multiples of 4.
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

  localparam int unsigned Subs = Group / Lanes;
  localparam int unsigned SubW = (Subs > 1) ? $clog2(Subs) : 1;
  localparam int unsigned Edges = edge_units(Subs, Q8Only != 0);
  localparam int unsigned Selects = Lanes / (2 * LoadPairs);
  localparam int unsigned ValueW = AlignW + 2;
  localparam int unsigned BiasW = AlignW + $clog2(Group) + 14;
  localparam int unsigned CycleW = 1 + $clog2(2 * Subs);
  localparam int unsigned PsumWords = PsumDepth / Edges;
  localparam int unsigned PsumW = (PsumWords > 1) ? $clog2(PsumWords) : 1;
  localparam int unsigned QueueWords = ResultDepth / Edges;
  localparam int unsigned QueueW = (QueueWords > 1) ? $clog2(QueueWords) : 1;
  localparam int unsigned DotStages = dot_stages(Lanes);
  localparam int unsigned BuildTime = 16 * Group / (2 * LoadPairs);

  if (!(Lanes inside {8, 16, 32, 64, 128}) || !(Group inside {8, 16, 32, 64, 128}) || Group < Lanes)
  begin : gen_bad_lanes
    $fatal(1, "rivulet_array: Lanes and Group are powers of two, 8 to 128, Group not below Lanes");
  end
  if (LoadPairs % 2 != 0 || (Lanes / 2) % LoadPairs != 0) begin : gen_bad_pairs
    $fatal(1, "rivulet_array: LoadPairs must be even and divide Lanes / 2");
  end
  if (BuildTime <= array_latency(Lanes)) begin : gen_bad_load
    $fatal(
        1,
        "rivulet_array: LoadPairs is too large, a tile would be built faster than the pipeline ends"
    );
  end
  if (AlignW < 9 || AlignW > 16 || Positions < 1 || Positions > 255) begin : gen_bad_size
    $fatal(1, "rivulet_array: AlignW is 9 to 16, Positions 1 to 255");
  end
  if (PsumDepth < 4 || PsumDepth > 65532 || PsumDepth % 4 != 0 || ResultDepth < 4 ||
      ResultDepth % 4 != 0)
  begin : gen_bad_depth
    $fatal(1, "rivulet_array: PsumDepth (to 65532) and ResultDepth are multiples of 4 from 4 up");
  end

  // ---------------------------------------------------------------------------------------------
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
    .Lanes      (Lanes),
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

  // ---------------------------------------------------------------------------------------------
  // Issue

  // A beat beside its codes.
  typedef struct packed {
    issue_t            issue;
    logic [CycleW-1:0] cycle;       // of the unit
    logic [Edges-1:0]  ends;        // edge units that end a column
    logic [PsumW-1:0]  psum_addr;
    logic [QueueW-1:0] queue_addr;
  } beat_t;

  logic fire, quad_valid, quad_ready;
  quad_t quad;
  issue_t issue;
  logic [CycleW-1:0] cycle;
  logic [PsumW-1:0] psum_addr;
  logic [Edges-1:0] issue_ends;
  beat_t issued;
  logic [15:0] macs;
  wait_t waits;
  logic [QueueW-1:0] quad_addr, quad_addr_q;

  rivulet_pass_ctrl #(
    .Lanes       (Lanes),
    .Group       (Group),
    .Q8Only      (Q8Only),
    .WordW       (PsumW),
    .HazardCycles(EDGE_DISTANCE - 1)
  ) u_pass_ctrl (
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
    .quad_ready_i(quad_ready),
    .quad_valid_o(quad_valid),
    .quad_o      (quad),
    .fire_o      (fire),
    .issue_o     (issue),
    .cycle_o     (cycle),
    .word_o      (psum_addr),
    .ends_o      (issue_ends),
    .macs_o      (macs),
    .wait_o      (waits)
  );

  // Columns of a quad follow each other in its words.
  assign issued = '{
          issue: issue,
          cycle: cycle,
          ends: issue_ends,
          psum_addr: psum_addr,
          queue_addr:
          (
          quad_valid ? quad_addr : quad_addr_q
          ) +
          QueueW
          '(
          32'(issue.quad_column) / Edges
          )
      };
  always_ff @(posedge clk_i) if (quad_valid) quad_addr_q <= quad_addr;

  // ---------------------------------------------------------------------------------------------
  // Beside the codes: LOOKUP_DELAY cycles to the digits, then through the dot rows

  logic [LOOKUP_DELAY:0] lookup_valid;
  beat_t lookup[LOOKUP_DELAY+1];
  assign lookup_valid[0] = fire;
  assign lookup[0]       = issued;

  for (genvar s = 1; s <= LOOKUP_DELAY; s++) begin : gen_lookup
    logic  valid_q;
    beat_t beat_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= lookup_valid[s-1];
    end
    always_ff @(posedge clk_i) if (lookup_valid[s-1]) beat_q <= lookup[s-1];
    assign lookup_valid[s] = valid_q;
    assign lookup[s]       = beat_q;
  end

  // Digits, from the codes of the replay buffer.
  beat_t fed;
  logic  fed_valid;
  logic [4*SubW-1:0] sub, sub_q;
  logic [8*Lanes-1:0] digits, digits_q;
  logic [63:0] factors_q;

  assign fed       = lookup[LOOKUP_DELAY-1];
  assign fed_valid = lookup_valid[LOOKUP_DELAY-1];

  rivulet_code_feed #(
    .Lanes (Lanes),
    .Subs  (Subs),
    .Q8Only(Q8Only)
  ) u_code_feed (
    .stream_i(fed.issue.stream),
    .cycle_i (fed.cycle),
    .beat_i  (code_i),
    .sub_o   (sub),
    .digits_o(digits)
  );

  always_ff @(posedge clk_i) begin
    if (fed_valid) begin
      sub_q     <= sub;
      digits_q  <= digits;
      factors_q <= factor_i;
    end
  end

  beat_t looked_up;
  assign looked_up = lookup[LOOKUP_DELAY];

  // Control of the dot rows, by the cycles since the digits.
  dot_ctrl_t [DotStages-1:0] ctrl;
  assign ctrl[0] = '{
          valid: lookup_valid[LOOKUP_DELAY],
          stream: looked_up.issue.stream,
          bank: looked_up.issue.bank,
          start: looked_up.issue.start,
          done: looked_up.issue.done,
          high: looked_up.cycle[0] && (looked_up.issue.stream == StreamBf16)
      };
  for (genvar s = 1; s < DotStages; s++) begin : gen_ctrl
    dot_ctrl_t ctrl_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ctrl_q <= '0;
      else ctrl_q <= ctrl[s-1];
    end
    assign ctrl[s] = ctrl_q;
  end

  logic [DotStages:0] dot_valid;  // of the units that end
  beat_t dot[DotStages+1];
  logic [63:0] factors[DotStages];
  assign dot_valid[0] = lookup_valid[LOOKUP_DELAY] && looked_up.issue.done;
  assign dot[0]       = looked_up;
  assign factors[0]   = factors_q;

  for (genvar s = 1; s <= DotStages; s++) begin : gen_dot
    logic  valid_q;
    beat_t beat_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= dot_valid[s-1];
    end
    always_ff @(posedge clk_i) if (dot_valid[s-1]) beat_q <= dot[s-1];
    assign dot_valid[s] = valid_q;
    assign dot[s]       = beat_q;
    if (s < DotStages) begin : gen_factors
      logic [63:0] stage_q;
      always_ff @(posedge clk_i) if (dot_valid[s-1]) stage_q <= factors[s-1];
      assign factors[s] = stage_q;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Units that end: operands that all positions share, then the positions

  beat_t ended;
  logic ended_valid, unit_scale;
  logic [Edges-1:0] ends, special_unit;
  bf16_t [Edges-1:0] scale;
  exponent_t [Edges-1:0] exponent;

  assign ended       = dot[DotStages];
  assign ended_valid = dot_valid[DotStages];
  assign ends        = ended_valid ? ended.ends : '0;

  rivulet_edge_operands #(
    .Edges(Edges)
  ) u_edge_operands (
    .clk_i,
    .valid_i      (dot_valid[DotStages-1]),
    .stream_i     (dot[DotStages-1].issue.stream),
    .align_w_i    (dot[DotStages-1].issue.align_w),
    .quad_column_i(dot[DotStages-1].issue.quad_column),
    .factors_i    (factors[DotStages-1]),
    .unit_scale_o (unit_scale),
    .scale_o      (scale),
    .exponent_o   (exponent),
    .special_o    (special_unit)
  );

  logic queue_step;
  logic [QueueW-1:0] queue_rd_addr;
  logic [32*Edges*Positions-1:0] queue_rd_data;
  logic [Edges*Positions-1:0] special, saturated;

  for (genvar m = 0; m < Positions; m++) begin : gen_row
    rivulet_array_row #(
      .Row       (m),
      .Lanes     (Lanes),
      .AlignW    (AlignW),
      .Group     (Group),
      .PsumWords (PsumWords),
      .QueueWords(QueueWords),
      .PeKind    (PeKind),
      .Q8Only    (Q8Only),
      .Pairs     (LoadPairs)
    ) u_row (
      .clk_i,
      .rst_ni,
      .we_i           (we),
      .we_bank_i      (we_bank),
      .we_sub_i       (we_sub),
      .we_entry_i     (we_entry),
      .we_value_i     (we_value[m]),
      .exponents_i    ({exponent_field[1][m], exponent_field[0][m]}),
      .bias_q4_i      ({bias_q4[1][m], bias_q4[0][m]}),
      .bias_q8_i      ({bias_q8[1][m], bias_q8[0][m]}),
      .bias_bf16_i    ({bias_bf16[1][m], bias_bf16[0][m]}),
      .ctrl_i         (ctrl),
      .sub_i          (sub_q),
      .digits_i       (digits_q),
      .ends_i         (ends),
      .ended_i        (ended.issue),
      .psum_addr_i    (ended.psum_addr),
      .queue_addr_i   (ended.queue_addr),
      .unit_scale_i   (unit_scale),
      .scale_i        (scale),
      .exponent_i     (exponent),
      .special_i      (special_unit),
      .queue_step_i   (queue_step),
      .queue_rd_addr_i(queue_rd_addr),
      .queue_rd_data_o(queue_rd_data[32*Edges*m+:32*Edges]),
      .special_o      (special[Edges*m+:Edges]),
      .saturated_o    (saturated[Edges*m+:Edges])
    );
  end

  // ---------------------------------------------------------------------------------------------
  // Results: a quad is done when the edge units write its last column

  logic [EDGE_STAGES-1:0] quad_done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) quad_done_q <= '0;
    else begin
      quad_done_q <= {
        quad_done_q[EDGE_STAGES-2:0], ended_valid && ended.issue.last && ended.issue.quad_end
      };
    end
  end

  rivulet_drain #(
    .Positions(Positions),
    .Edges    (Edges),
    .Depth    (ResultDepth),
    .YRows    (YRows)
  ) u_drain (
    .clk_i,
    .rst_ni,
    .alloc_valid_i  (quad_valid),
    .alloc_ready_o  (quad_ready),
    .alloc_rows_i   (quad.rows),
    .alloc_columns_i(quad.columns),
    .alloc_last_i   (quad.last),
    .alloc_addr_o   (quad_addr),
    .quad_done_i    (quad_done_q[EDGE_STAGES-1]),
    .step_o         (queue_step),
    .rd_addr_o      (queue_rd_addr),
    .rd_data_i      (queue_rd_data),
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o
  );

  // ---------------------------------------------------------------------------------------------
  // Events

  assign events_o = '{
          fire: code_read_o,
          carry: fire && issue.carry,
          stream: issue.stream,
          macs: (code_read_o && issue.done) ? 18'(issue.columns) * 18'(macs) : '0,
          waits: waits,
          special: 10'($countones(special)),
          saturated: 10'($countones(saturated))
      };

  // What the single stages do not need.
  logic unused_fields;
  assign unused_fields = ^{ended, fed};

endmodule
