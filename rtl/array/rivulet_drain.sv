// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Drain: sends the finished partial sums of a job out, as FP32 and rounded to BF16.
 *
 * A job is one half of the partial sum memories: `units` columns of `rows` positions. Columns leave
 * in quads, and within a quad row after row: each output beat holds four columns of one row
 * (columns beyond `units` are zero), last_o marks the end of the job. A quad is read in 4 / Edges
 * cycles, all positions at once, while the quad before it is sent: one beat per cycle with at
 * least 4 / Edges + 2 rows. Results: docs/numerics.md, "BF16 output". done_o pulses when the last beat is accepted.
 */
module rivulet_drain
  import rivulet_pkg::*;
#(
  parameter  int unsigned Positions = 8,
  parameter  int unsigned Edges     = 1,
  parameter  int unsigned Depth     = 512,                             // words per half and edge
  localparam int unsigned AddrW     = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // Job
  input  logic              job_valid_i,
  output logic              job_ready_o,
  input  logic              job_half_i,
  input  logic  [     15:0] job_units_i,
  input  logic  [      7:0] job_rows_i,
  output logic              done_o,
  output logic              done_half_o,
  // Partial sums, the same word of every position and edge
  output logic              rd_o,
  output logic              rd_half_o,
  output logic  [AddrW-1:0] rd_addr_o,
  input  fp32_t             rd_data_i  [Positions][Edges],
  // Results
  output logic              y_valid_o,
  input  logic              y_ready_i,
  output beat_t             y_o,                            // four BF16
  output logic  [    127:0] acc_o,                          // four FP32
  output logic              y_last_o
);

  localparam int unsigned Reads = 4 / Edges;  // per quad
  localparam int unsigned ReadW = (Reads > 1) ? $clog2(Reads) : 1;
  localparam int unsigned RowW = (Positions > 1) ? $clog2(Positions) : 1;

  typedef logic [RowW-1:0] row_idx_t;

  function automatic bf16_t round(fp32_t acc);
    if ((acc[30:23] == 8'hFF) && (acc[22:0] != '0)) return 16'h7FC0;
    return acc[31:16] + 16'(acc[15] && (acc[16] || (acc[14:0] != '0)));
  endfunction

  // Read side: walks over the words of the half, Reads per quad.
  logic active_q, half_q;
  logic [15:0] units_q, unit_q;  // unit_q: first column of the quad that is read
  logic [7:0] rows_q;
  logic [ReadW-1:0] read_q, read_q2;
  logic [AddrW-1:0] addr_q;
  logic rd_q, quad_end_q, quad_last_q, take_q;
  logic read_last, job_last, fill_free;

  assign job_ready_o = !active_q;
  assign read_last   = (read_q == ReadW'(Reads - 1));
  assign job_last    = (32'(unit_q) + 4 >= 32'(units_q));
  assign rd_o        = active_q && take_q && fill_free;
  assign rd_half_o   = half_q;
  assign rd_addr_o   = addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      take_q   <= 1'b0;
    end else if (job_valid_i && job_ready_o) begin
      active_q <= 1'b1;
      take_q   <= 1'b1;
    end else begin
      if (rd_o && read_last && job_last) take_q <= 1'b0;
      if (done_o) active_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      half_q  <= job_half_i;
      units_q <= job_units_i;
      rows_q  <= job_rows_i;
      unit_q  <= '0;
      read_q  <= '0;
      addr_q  <= '0;
    end else if (rd_o) begin
      addr_q <= addr_q + AddrW'(1);
      read_q <= read_last ? '0 : read_q + ReadW'(1);
      if (read_last) unit_q <= unit_q + 16'd4;
    end
  end

  // Fill side: the words arrive one cycle later. Columns past the last one become zero.
  fp32_t fill_q[Positions][4];
  fp32_t send_q[Positions][4];
  logic filled_q, fill_last_q;
  logic [15:0] left_q;  // columns from the word that arrives on
  logic        move;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rd_q <= 1'b0;
    else rd_q <= rd_o;
  end

  always_ff @(posedge clk_i) begin
    if (rd_o) begin
      read_q2     <= read_q;
      quad_end_q  <= read_last;
      quad_last_q <= job_last;
      left_q      <= units_q - unit_q - 16'(32'(read_q) * Edges);
    end
    if (rd_q) begin
      for (int unsigned m = 0; m < Positions; m++) begin
        for (int unsigned c = 0; c < 4; c++) begin
          if (ReadW'(c / Edges) == read_q2) begin
            fill_q[m][c] <= ($signed({1'b0, left_q}) > $signed(17'(c % Edges)) && !left_q[15]) ?
                rd_data_i[m][c%Edges] : '0;
          end
        end
      end
      fill_last_q <= quad_last_q;
    end
  end

  // A quad is read only when the fill registers are free or are being moved on. The last word may
  // still be on its way when the quad before it leaves.
  logic reading_q;  // a quad is partly read or on its way
  assign fill_free = !filled_q && !(reading_q && (read_q == '0));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      filled_q  <= 1'b0;
      reading_q <= 1'b0;
    end else begin
      if (rd_q && quad_end_q) filled_q <= 1'b1;
      else if (move) filled_q <= 1'b0;
      if (rd_o) reading_q <= 1'b1;
      else if (rd_q && quad_end_q) reading_q <= 1'b0;
    end
  end

  // Send side.
  logic sending_q, send_last_q, row_last;
  row_idx_t row_q;

  assign row_last    = (8'(row_q) == rows_q - 8'd1);
  assign move        = filled_q && (!sending_q || (y_ready_i && row_last));
  assign y_valid_o   = sending_q;
  assign y_last_o    = send_last_q && row_last;
  assign done_o      = sending_q && y_ready_i && y_last_o;
  assign done_half_o = half_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sending_q <= 1'b0;
      row_q     <= '0;
    end else if (move) begin
      sending_q <= 1'b1;
      row_q     <= '0;
    end else if (sending_q && y_ready_i) begin
      sending_q <= !row_last;
      row_q     <= row_q + row_idx_t'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      send_q      <= fill_q;
      send_last_q <= fill_last_q;
    end
  end

  always_comb begin
    for (int unsigned c = 0; c < 4; c++) begin
      acc_o[32*c+:32] = send_q[row_q][c];
      y_o[16*c+:16]   = round(send_q[row_q][c]);
    end
  end

endmodule
