// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Pass control: decides in every cycle whether a beat of the replay buffer enters the array, and what
 * it means.
 *
 * Passes are taken in order, the next one in the cycle in which the last beat of the present one
 * enters, so that a stream of passes has no gap. A pass is taken when the tile it asks for is ready
 * and its segment is open. Within a pass a beat waits for
 *   - its codes, and the scales of the columns that it ends (BF16 units bring their exponent);
 *   - partial sums that are still being updated: the same columns entered fewer than HazardCycles
 *     cycles ago (rivulet_hazard);
 *   - room in the result queue, when it opens a quad of a `last` pass.
 * Columns of an empty segment (q0) are carried: Edges of them a cycle, without codes.
 *
 * fire_o marks the cycle in which a beat enters; the other outputs of the issue group describe it.
 * Every cycle is one of: fire_o with codes, fire_o that carries, or exactly one bit of wait_o.
 */
module rivulet_pass_ctrl
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes        = 32,
  parameter  int unsigned Group        = 128,
  parameter  int unsigned Q8Only       = 0,                              // only q8 and BF16
  parameter  int unsigned WordW        = 11,                             // address of partial sums
  parameter  int unsigned HazardCycles = 8,
  localparam int unsigned Subs         = Group / Lanes,
  localparam int unsigned Edges        = edge_units(Subs, Q8Only != 0),
  localparam int unsigned CycleW       = 1 + $clog2(2 * Subs)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Passes
  input  logic                  pass_valid_i,
  output logic                  pass_ready_o,
  input  pass_t                 pass_i,
  // Tile loader
  input  logic                  tile_ready_i,
  input  tile_t                 tile_i,
  output logic                  tile_take_o,
  // Replay buffer
  input  logic                  segment_valid_i,  // of the segment that pass_i would take
  input  segment_t              segment_i,
  output logic                  take_o,
  input  logic                  code_valid_i,
  output logic                  code_read_o,
  input  logic                  factor_valid_i,   // of the quad that is looked at
  output logic     [       1:0] factor_last_o,    // last column of the quad that is needed
  output logic                  factor_read_o,
  output logic                  factor_next_o,    // the quad is used up
  // Result queue
  input  logic                  quad_ready_i,
  output logic                  quad_valid_o,     // a quad is opened
  output quad_t                 quad_o,
  // Issue
  output logic                  fire_o,
  output issue_t                issue_o,
  output logic     [CycleW-1:0] cycle_o,          // of the unit
  output logic     [ WordW-1:0] word_o,           // of the partial sums
  output logic     [ Edges-1:0] ends_o,           // edge units that end a column
  output logic     [      15:0] macs_o,           // products of a column
  // Why nothing enters
  output wait_t                 wait_o
);

  pass_t pass_q;
  segment_t segment_q;
  tile_t tile_q;
  logic active_q;
  logic [15:0] column_q;  // among the partial sums
  logic [15:0] left_q;  // columns of the segment that have not ended
  logic [1:0] quad_column_q;  // of the segment, modulo 4
  logic [CycleW-1:0] cycle_q, last_cycle_q;
  logic [2:0] width_q;
  logic last_q;  // the next columns that end are the last ones of the segment
  logic [15:0] macs_q;

  // Columns that one beat ends.
  function automatic logic [2:0] columns_per_beat(stream_e stream, logic empty);
    if (empty || stream == StreamQ2) return 3'(Edges);
    return (stream == StreamQ4 && Edges == 4) ? 3'd2 : 3'd1;
  endfunction

  // Index of the last beat of a unit.
  function automatic logic [CycleW-1:0] last_cycle(stream_e stream, logic [7:0] lanes);
    logic [7:0] last;
    last = lanes - 8'd1;
    unique case (stream)
      StreamQ2: return CycleW'(32'(last) / (4 * Lanes));
      StreamQ4: return CycleW'(32'(last) / (2 * Lanes));
      StreamQ8: return CycleW'(32'(last) / Lanes);
      default:  return CycleW'(2 * (32'(last) / Lanes) + 1);
    endcase
  endfunction

  // Take the next pass.
  logic tile_ok, take, pass_end;
  logic [2:0] take_width;

  assign take_width   = columns_per_beat(segment_i.stream, segment_i.empty);
  assign tile_ok      = !pass_i.next_tile || tile_ready_i;
  assign pass_ready_o = tile_ok && segment_valid_i && (!active_q || pass_end);
  assign take         = pass_valid_i && pass_ready_o;
  assign take_o       = take;
  assign tile_take_o  = take && pass_i.next_tile;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else if (take) active_q <= 1'b1;
    else if (pass_end) active_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      pass_q       <= pass_i;
      segment_q    <= segment_i;
      last_cycle_q <= last_cycle(segment_i.stream, segment_i.lanes);
      width_q      <= take_width;
    end
    if (tile_take_o) begin
      tile_q <= tile_i;
      macs_q <= 16'(tile_i.lanes) * 16'(tile_i.rows);
    end
  end

  // Walk over the columns of the pass.
  logic done, ends_quad, codes_ok, factors_ok, psum_ok, results_ok, hazard;
  logic [2:0] columns;

  assign done = segment_q.empty || (cycle_q == last_cycle_q) || (width_q > 3'd1);
  assign columns = last_q ? left_q[2:0] : width_q;
  assign pass_end = fire_o && done && last_q;
  assign ends_quad = (3'(quad_column_q) + columns == 3'd4) || last_q;

  assign codes_ok = segment_q.empty || code_valid_i;
  assign factors_ok = segment_q.empty || !done || factor_valid_i;
  assign psum_ok = !done || pass_q.first || !hazard;
  assign results_ok = !done || !pass_q.last || (quad_column_q != '0) || quad_ready_i;
  assign fire_o = active_q && codes_ok && factors_ok && psum_ok && results_ok;

  assign code_read_o = fire_o && !segment_q.empty;
  assign factor_last_o = quad_column_q + 2'(columns - 3'd1);
  assign factor_read_o = code_read_o && done;
  assign factor_next_o = factor_read_o && ends_quad;

  assign quad_valid_o = fire_o && done && pass_q.last && (quad_column_q == '0);
  assign quad_o = '{
          rows: tile_q.rows,
          columns: (left_q < 16'd4) ? left_q[2:0] : 3'd4,
          last: left_q <= 16'd4
      };

  always_ff @(posedge clk_i) begin
    if (take) begin
      column_q <= pass_i.base;
      left_q <= segment_i.columns;
      last_q <= segment_i.columns <= 16'(take_width);
      quad_column_q <= '0;
      cycle_q <= '0;
    end else if (fire_o) begin
      cycle_q <= done ? '0 : cycle_q + CycleW'(1);
      if (done) begin
        column_q      <= column_q + 16'(width_q);
        left_q        <= left_q - 16'(width_q);
        last_q        <= left_q <= 16'({width_q, 1'b0});
        quad_column_q <= quad_column_q + 2'(width_q);
      end
    end
  end

  // Edge units of a full beat from a column on, and those that end a column of the segment.
  function automatic logic [Edges-1:0] edges_from(logic [15:0] column, logic [2:0] number);
    for (int unsigned e = 0; e < Edges; e++) begin
      edges_from[e] = ((e - 32'(column) % Edges) < 32'(number));
    end
  endfunction

  logic [Edges-1:0] ends;
  assign ends   = done ? edges_from(column_q, columns) : '0;
  assign ends_o = ends;
  assign word_o = WordW'(column_q / 16'(Edges));

  // The beat behind the present one that ends columns: of this pass, or the first one of the next.
  logic switches;
  logic [15:0] next_column;
  logic [2:0] next_width;
  assign switches    = !active_q || last_q;
  assign next_column = switches ? pass_i.base : column_q + 16'(width_q);
  assign next_width  = switches ? take_width : width_q;

  rivulet_hazard #(
    .WordW (WordW),
    .Edges (Edges),
    .Cycles(HazardCycles)
  ) u_hazard (
    .clk_i,
    .rst_ni,
    .fire_i      (fire_o),
    .word_i      (word_o),
    .edges_i     (edges_from(column_q, width_q)),
    .ends_i      (active_q ? ends : '0),
    .move_i      (!active_q || (fire_o && done)),
    .next_word_i (WordW'(next_column / 16'(Edges))),
    .next_edges_i(edges_from(next_column, next_width)),
    .hazard_o    (hazard)
  );

  assign issue_o = '{
          stream: segment_q.stream,
          carry: segment_q.empty,
          bank: tile_q.bank,
          start: cycle_q == '0,
          done: done,
          columns: columns,
          first: pass_q.first,
          last: pass_q.last,
          quad_column: quad_column_q,
          quad_end: ends_quad,
          rows: tile_q.rows,
          align_w: tile_q.align_w
      };
  assign cycle_o = cycle_q;
  assign macs_o = macs_q;

  always_comb begin
    wait_o = '0;
    if (!active_q) begin
      if (!pass_valid_i) wait_o.no_job = 1'b1;
      else if (pass_i.next_tile && (!tile_ready_i || segment_valid_i)) begin
        wait_o.first_load = pass_i.job_first;
        wait_o.load       = !pass_i.job_first;
      end else wait_o.codes = 1'b1;
    end else if (!codes_ok) wait_o.codes = 1'b1;
    else if (!factors_ok) wait_o.scales = 1'b1;
    else if (!psum_ok) wait_o.psum = 1'b1;
    else if (!results_ok) wait_o.results = 1'b1;
  end

  // The tile and the replay buffer look at the rest of the pass.
  logic unused_pass;
  assign unused_pass = ^{pass_q.next_tile, pass_q.job_first, pass_q.rewind, pass_q.free,
                         pass_q.base, segment_q.lanes, segment_q.columns, tile_q.lanes};

endmodule
