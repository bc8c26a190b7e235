// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Drain: sends the results of `last` passes, quad by quad, as FP32 and rounded to BF16
 * (docs/numerics.md, "Rounding to BF16 and FP32").
 *
 * A quad is four columns of all positions. It takes 4 / Edges words of each result queue: edge
 * unit e holds the columns e, e + Edges, ... A quad is allocated when its first column enters the
 * array (at the same time it says what it will hold), filled by the edge units, announced by
 * quad_done_i in the cycle of its last write, read, and free again. Quads are used in a circle.
 *
 * Each quad gives ceil(rows / YRows) beats of YRows rows and four columns, row by row; rows and
 * columns that it does not have are zero. First beat 3 + 4 / Edges cycles after quad_done_i; one
 * beat per cycle, from quad to quad too, if a quad has at least 4 / Edges of them. Results come from
 * registers. y_ready_i acts on step_o and so on the read enables of the result queues.
 */
module rivulet_drain
  import rivulet_pkg::*;
#(
  parameter  int unsigned Positions = 8,
  parameter  int unsigned Edges     = 1,                                // 1, 2 or 4
  parameter  int unsigned Depth     = 512,                              // columns in the queue
  parameter  int unsigned YRows     = 2,
  localparam int unsigned Quads     = Depth / 4,
  localparam int unsigned Reads     = 4 / Edges,                        // words of a quad
  localparam int unsigned Words     = Quads * Reads,
  localparam int unsigned AddrW     = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned WordW     = 32 * Positions * Edges
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Allocation of a quad
  input  logic                 alloc_valid_i,
  output logic                 alloc_ready_o,
  input  logic [          7:0] alloc_rows_i,     // 1 to Positions
  input  logic [          2:0] alloc_columns_i,  // 1 to 4
  input  logic                 alloc_last_i,     // of its pass
  output logic [    AddrW-1:0] alloc_addr_o,     // its first word
  input  logic                 quad_done_i,      // of the oldest quad that is not done
  // Result queues, the same word of every position and edge unit
  output logic                 step_o,
  output logic [    AddrW-1:0] rd_addr_o,
  input  logic [    WordW-1:0] rd_data_i,        // position m, edge e at 32 * (Edges * m + e)
  // Results
  output logic                 y_valid_o,
  input  logic                 y_ready_i,
  output logic [ 64*YRows-1:0] y_o,              // row r, column c at 16 * (4 * r + c)
  output logic [128*YRows-1:0] acc_o,            // row r, column c at 32 * (4 * r + c)
  output logic                 y_last_o          // of a pass
);

  if (!(Edges inside {1, 2, 4}) || Depth < 4 || Depth % 4 != 0) begin : gen_bad_depth
    $fatal(1, "rivulet_drain: Edges is 1, 2 or 4, Depth a multiple of 4");
  end
  if (Positions < 1 || Positions > 255) begin : gen_bad_positions
    $fatal(1, "rivulet_drain: Positions is 1 to 255");
  end

  localparam int unsigned QuadW = (Quads > 1) ? $clog2(Quads) : 1;
  localparam int unsigned CountW = $clog2(Quads + 1);
  localparam int unsigned ReadW = (Reads > 1) ? $clog2(Reads) : 1;
  // Rows in registers: a whole number of beats.
  localparam int unsigned Rows = (Positions + YRows - 1) / YRows * YRows;
  localparam int unsigned RowsW = $clog2(Rows + 1);
  localparam int unsigned BeatW = 128 * YRows;

  typedef logic [QuadW-1:0] quad_t;
  typedef logic [CountW-1:0] count_t;
  typedef struct packed {
    logic             last;
    logic [2:0]       columns;
    logic [RowsW-1:0] rows;
  } meta_t;

  function automatic quad_t after(quad_t quad);
    return (quad == quad_t'(Quads - 1)) ? '0 : quad + quad_t'(1);
  endfunction

  function automatic bf16_t round(fp32_t acc);
    if ((acc[30:23] == 8'hFF) && (acc[22:0] != '0)) return 16'h7FC0;
    return acc[31:16] + 16'(acc[15] && (acc[16] || (acc[14:0] != '0)));
  endfunction

  // Quads: the circle, those that are free and those that wait to be read.
  quad_t alloc_quad_q, rd_quad_q;
  count_t free_q, done_q;
  logic [ReadW-1:0] word_q;  // of the quad that is read
  logic alloc, rd, rd_last;

  assign alloc_ready_o = (free_q != '0);
  assign alloc         = alloc_valid_i && alloc_ready_o;
  assign alloc_addr_o  = AddrW'(32'(alloc_quad_q) * Reads);
  assign rd_addr_o     = AddrW'(32'(rd_quad_q) * Reads) + AddrW'(word_q);
  assign rd            = step_o && (done_q != '0);
  assign rd_last       = rd && (word_q == ReadW'(Reads - 1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      alloc_quad_q <= '0;
      rd_quad_q    <= '0;
      word_q       <= '0;
      free_q       <= count_t'(Quads);
      done_q       <= '0;
    end else begin
      if (alloc) alloc_quad_q <= after(alloc_quad_q);
      if (rd) word_q <= rd_last ? '0 : word_q + ReadW'(1);
      if (rd_last) rd_quad_q <= after(rd_quad_q);
      free_q <= free_q + count_t'(rd_last) - count_t'(alloc);
      done_q <= done_q + count_t'(quad_done_i) - count_t'(rd_last);
    end
  end

  // What a quad holds, read as its words are.
  meta_t meta_in, meta;
  assign meta_in = '{last: alloc_last_i, columns: alloc_columns_i, rows: RowsW'(alloc_rows_i)};

  rivulet_result_queue #(
    .Depth(Quads),
    .Width($bits(meta_t))
  ) u_meta (
    .clk_i,
    .wr_i     (alloc),
    .wr_addr_i(alloc_quad_q),
    .wr_data_i(meta_in),
    .step_i   (step_o),
    .rd_addr_i(rd_quad_q),
    .rd_data_o(meta)
  );

  // Words on their way through the two registers of a read. The last word of a quad stays there
  // until the quad before it is sent, and all that is behind it waits.
  logic valid_q1, last_q1, valid_q2, last_q2;
  logic load, sent;

  assign load   = valid_q2 && last_q2 && (!y_valid_o || sent);
  assign step_o = load || !(valid_q2 && last_q2);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q1 <= 1'b0;
      valid_q2 <= 1'b0;
    end else if (step_o) begin
      valid_q1 <= rd;
      valid_q2 <= valid_q1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_o) begin
      last_q1 <= rd_last;
      last_q2 <= last_q1;
    end
  end

  // The words of a quad, the first one lowest: those that have arrived and the present one.
  logic [Reads*WordW-1:0] words;

  if (Reads > 1) begin : gen_collect
    logic [(Reads-1)*WordW-1:0] words_q;
    assign words = {rd_data_i, words_q};
    always_ff @(posedge clk_i) if (valid_q2 && !last_q2) words_q <= words[Reads*WordW-1:WordW];
  end else begin : gen_whole
    assign words = rd_data_i;
  end

  // Send: the lowest YRows rows are the output; the others move down beat by beat.
  logic [128*Rows-1:0] rows_q, rows_d;
  logic [RowsW-1:0] left_q;  // rows that are not sent
  logic             last_q;
  logic             beat_last;

  assign beat_last = (32'(left_q) <= YRows);
  assign sent      = y_valid_o && y_ready_i && beat_last;
  assign acc_o     = rows_q[BeatW-1:0];
  assign y_last_o  = last_q && beat_last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) y_valid_o <= 1'b0;
    else if (load) y_valid_o <= 1'b1;
    else if (sent) y_valid_o <= 1'b0;
  end

  // A new quad row by row, and zero where there is nothing.
  always_comb begin
    rows_d = (Rows > YRows) ? (128 * Rows)'(rows_q >> BeatW) : rows_q;
    if (load) begin
      for (int unsigned m = 0; m < Rows; m++) begin
        for (int unsigned c = 0; c < 4; c++) begin
          if (m < Positions && RowsW'(m) < meta.rows && 3'(c) < meta.columns) begin
            rows_d[32*(4*m+c)+:32] = words[WordW*(c/Edges)+32*(Edges*(m%Positions)+c%Edges)+:32];
          end else begin
            rows_d[32*(4*m+c)+:32] = '0;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load || (y_valid_o && y_ready_i)) begin
      rows_q <= rows_d;
      left_q <= load ? meta.rows : left_q - RowsW'(YRows);
      last_q <= load ? meta.last : last_q;
      for (int unsigned i = 0; i < 4 * YRows; i++) y_o[16*i+:16] <= round(rows_d[32*i+:32]);
    end
  end

endmodule
