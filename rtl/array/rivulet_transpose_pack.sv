// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Output stage of the transposing buffer: rows of bytes, one per lane, to beats in dot order.
 *
 * q8 and BF16: a row is a beat. q4 and q2: a byte holds codes of u = 2 or 4 outputs; Group / Lanes
 * rows, a byte of every lane, are collected and leave as Group / Lanes beats: u units of Group codes
 * each, lane 0 lowest (docs/numerics.md, "Packing"). The last rows of a job may leave as fewer beats.
 *
 * While beats leave, the next rows are collected: one row in and one beat out per cycle. A beat
 * leaves two cycles after the row that completes it was taken. Uncut: out_ready_i to row_ready_o.
 *
 * Where K > 1 units share a beat, the banks give lane x * K + s of a row at byte s * Lanes / K + x.
 * The way from there to the beats is wiring and one multiplexer of four inputs per bit.
 */
module rivulet_transpose_pack
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes = 32,                            // bytes of a row and of a beat
  parameter  int unsigned Group = 128,
  localparam int unsigned Rows  = Group / Lanes,                 // with a byte of every lane
  localparam int unsigned RowW  = (Rows > 1) ? $clog2(Rows) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Rows of bytes
  input  logic                  row_valid_i,
  output logic                  row_ready_o,
  input  logic    [8*Lanes-1:0] row_i,
  input  stream_e               row_stream_i,
  input  logic                  row_complete_i,  // with this row, beats can leave:
  input  logic    [   RowW-1:0] row_beats_i,     // their number - 1,
  input  logic                  row_last_i,      // whether they are the last ones of the job
  // Beats in dot order
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic    [8*Lanes-1:0] out_o,
  output logic                  out_last_o
);

  localparam int unsigned BeatW = 8 * Lanes;

  typedef logic [Rows*BeatW-1:0] rows_t;

  // Collected rows, the newest one on top.
  rows_t              rows_q;
  stream_e            stream_q;
  logic    [RowW-1:0] beats_q;
  logic complete_q, last_q, load;

  assign row_ready_o = !complete_q || load;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) complete_q <= 1'b0;
    else if (row_ready_o) complete_q <= row_valid_i && row_complete_i;
  end

  // First bit of the byte of a lane among the rows, at `unit` bytes a unit.
  function automatic int unsigned byte_of(int unsigned lane, int unsigned unit);
    int unsigned in_row;
    in_row = lane % Lanes;
    if (unit < Lanes) in_row = (in_row % (Lanes / unit)) * unit + in_row / (Lanes / unit);
    return 8 * (lane / Lanes * Lanes + in_row);
  endfunction

  // Beats that leave, the next one at the bottom.
  rows_t            out_q;
  logic  [RowW-1:0] left_q;  // beats after this one
  logic             out_last_q;
  logic             out_end;

  assign out_end    = out_ready_i && (left_q == '0);
  assign load       = complete_q && (!out_valid_o || out_end);
  assign out_o      = out_q[BeatW-1:0];
  assign out_last_o = out_last_q && (left_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_valid_o <= 1'b0;
    else if (!out_valid_o || out_end) out_valid_o <= complete_q;
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      // Whole rows, or the codes of one output after the other: byte b of q4 (q2) holds codes of an
      // output out of those of a byte, for the lanes from a lane on.
      unique case (stream_q)
        StreamQ2: begin
          for (int unsigned b = 0; b < Group; b++) begin
            for (int unsigned c = 0; c < 4; c++) begin
              out_q[8*b+2*c+:2] <= rows_q[byte_of(4*(b%(Group/4))+c, Group/4)+2*(b/(Group/4))+:2];
            end
          end
        end
        StreamQ4: begin
          for (int unsigned b = 0; b < Group; b++) begin
            for (int unsigned c = 0; c < 2; c++) begin
              out_q[8*b+4*c+:4] <= rows_q[byte_of(2*(b%(Group/2))+c, Group/2)+4*(b/(Group/2))+:4];
            end
          end
        end
        default: out_q <= rows_t'(rows_q >> (BeatW * (Rows - 1)));
      endcase
      left_q     <= beats_q;
      out_last_q <= last_q;
    end else if (out_valid_o && out_ready_i) begin
      out_q  <= rows_t'(out_q >> BeatW);
      left_q <= left_q - RowW'(1);
    end
    if (row_valid_i && row_ready_o) begin
      rows_q   <= rows_t'({row_i, rows_q} >> BeatW);
      stream_q <= row_stream_i;
      beats_q  <= row_beats_i;
      last_q   <= row_last_i;
    end
  end

endmodule
