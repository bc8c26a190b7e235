// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Replay buffer: keeps the segments of a group while passes read them, once or many times, so that
 * every code is fetched once.
 *
 *   fill ── rivulet_replay_fill ──┬── words    Beats x 8 * Lanes bits    ── code_o
 *                                 ├── factors  Quads x 4 x 16 bits       ── factor_o
 *                                 └── tags     Segments x segment_t      ── seg_o
 *
 * Words, factors and tags are circular. Passes read them in order of filling; a pass with rewind
 * starts again at the first segment that is not released, a pass with free releases its segment
 * while it reads it. Filling goes on meanwhile, as far as there is room.
 *
 * Fill, read and pass ports, one word and one quad of factors per cycle each:
 *   - A segment is opened (seg_*), then its beats and scales arrive (rivulet_replay_fill says which
 *     and where they go). Segments, words and factors can be read from the cycle after their last
 *     write on; the word that ends a BF16 unit never comes before the factor of the unit.
 *   - seg_valid_o, seg_o: the segment of a pass that is taken now, combinational in rewind_i.
 *     take_i, with rewind_i and free_i, may come in the cycle of the last read of the pass before,
 *     which is then still a read of that pass.
 *   - code_valid_o: the next word of the pass is readable; read_i reads it and moves on.
 *   - factor_valid_o: factors 0 to factor_column_i of the present quad are readable; factor_read_i
 *     reads the quad, factor_next_i moves on to the next one, in the cycle of its last read. A
 *     segment starts on a new quad.
 *   - code_o and factor_o come two cycles after their read and stay until the next ones; lanes and
 *     columns that were not filled have any value.
 *
 * A window that is read again must fit: a pass that does not free what it reads and waits for codes
 * of a full memory would wait for ever (WindowFits_A).
 * Combinational paths: rewind_i to seg_valid_o and seg_o, factor_column_i to factor_valid_o, and
 * those of rivulet_replay_fill.
 */
module rivulet_replay
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes     = 32,
  parameter int unsigned SideLanes = 32,    // Lanes, a half or a quarter
  parameter int unsigned Group     = 128,
  parameter int unsigned Q8Only    = 0,     // only q8 and BF16 streams
  parameter int unsigned Beats     = 8192,  // words of 8 * Lanes bits
  parameter int unsigned Segments  = 16,
  parameter int unsigned Quads     = 1024,  // of factors
  parameter int unsigned Ultra     = 0      // words in UltraRAM, not in block RAM
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // Fill: segments
  input  logic                        seg_valid_i,
  output logic                        seg_ready_o,
  input  fill_seg_t                   seg_i,
  // Fill: beats
  input  logic                        beat_valid_i,
  output logic                        beat_ready_o,
  output source_e                     source_o,         // which beats are taken
  input  logic      [    8*Lanes-1:0] beat_i,           // direct
  input  logic      [8*SideLanes-1:0] beat_side_i,      // transposed and BF16
  input  logic                        side_last_i,      // transposed: last beat of the segment
  input  logic                        unit_last_i,      // BF16: last beat of a unit
  input  logic      [            7:0] exponent_i,       // BF16: of the unit
  // Fill: scales of code segments
  input  logic                        scale_valid_i,
  output logic                        scale_ready_o,
  input  logic      [           63:0] scale_i,
  // Passes
  input  logic                        rewind_i,
  output logic                        seg_valid_o,
  output segment_t                    seg_o,
  input  logic                        take_i,
  input  logic                        free_i,
  // Codes
  output logic                        code_valid_o,
  input  logic                        read_i,
  output logic      [    8*Lanes-1:0] code_o,
  // Factors
  input  logic      [            1:0] factor_column_i,  // last column of the quad that is needed
  output logic                        factor_valid_o,
  input  logic                        factor_read_i,
  input  logic                        factor_next_i,
  output logic      [           63:0] factor_o
);

  localparam int unsigned Banks = Lanes / SideLanes;
  localparam int unsigned WordW = $clog2(Beats);
  localparam int unsigned QuadW = (Quads > 1) ? $clog2(Quads) : 1;

  if (Beats < 2 || Segments == 0 || Quads == 0) begin : gen_depth_check
    $fatal(
        1,
        "rivulet_replay: Beats %0d, Segments %0d, Quads %0d, must be at least 2, 1, 1",
        Beats,
        Segments,
        Quads
    );
  end

  // Tags
  logic tag_room, tag_push;

  rivulet_replay_segments #(
    .Segments(Segments)
  ) u_segments (
    .clk_i,
    .rst_ni,
    .room_o   (tag_room),
    .push_i   (tag_push),
    .segment_i(seg_i.segment),
    .rewind_i,
    .valid_o  (seg_valid_o),
    .segment_o(seg_o),
    .take_i,
    .free_i
  );

  // What the present pass, the one that was taken last, does with what it reads.
  logic free_q, rewind;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) free_q <= 1'b0;
    else if (take_i) free_q <= free_i;
  end

  assign rewind = take_i && rewind_i;

  // Fill
  logic word_room1, word_room2, word_second, quad_room, quad_done, codes_open, factors_open;
  logic [  Banks-1:0] word_we;
  logic [8*Lanes-1:0] word;
  logic [1:0] words_done, column;
  logic [ 3:0] factor_we;
  logic [63:0] factor;

  rivulet_replay_fill #(
    .Lanes    (Lanes),
    .SideLanes(SideLanes),
    .Group    (Group),
    .Q8Only   (Q8Only)
  ) u_fill (
    .clk_i,
    .rst_ni,
    .seg_valid_i,
    .seg_ready_o,
    .seg_i,
    .beat_valid_i,
    .beat_ready_o,
    .beat_i,
    .beat_side_i,
    .side_last_i,
    .unit_last_i,
    .exponent_i,
    .scale_valid_i,
    .scale_ready_o,
    .scale_i,
    .tag_room_i    (tag_room),
    .tag_push_o    (tag_push),
    .word_room1_i  (word_room1),
    .word_room2_i  (word_room2),
    .word_we_o     (word_we),
    .word_second_o (word_second),
    .word_o        (word),
    .words_done_o  (words_done),
    .quad_room_i   (quad_room),
    .factor_we_o   (factor_we),
    .factor_o      (factor),
    .quad_done_o   (quad_done),
    .column_o      (column),
    .source_o,
    .codes_open_o  (codes_open),
    .factors_open_o(factors_open)
  );

  // Words
  logic [WordW-1:0] word_first_addr, word_second_addr, word_read_addr;

  rivulet_replay_ring #(
    .Depth(Beats)
  ) u_word_ring (
    .clk_i,
    .rst_ni,
    .push_i  (words_done),
    .first_o (word_first_addr),
    .second_o(word_second_addr),
    .room1_o (word_room1),
    .room2_o (word_room2),
    .next_i  (read_i),
    .free_i  (free_q),
    .rewind_i(rewind),
    .read_o  (word_read_addr),
    .valid_o (code_valid_o)
  );

  rivulet_replay_memory #(
    .Banks(Banks),
    .BankW(8 * SideLanes),
    .Depth(Beats),
    .Ultra(Ultra)
  ) u_words (
    .clk_i,
    .rst_ni,
    .we_i     (word_we),
    .wr_addr_i(word_second ? word_second_addr : word_first_addr),
    .wr_data_i(word),
    .rd_i     (read_i),
    .rd_addr_i(word_read_addr),
    .rd_data_o(code_o)
  );

  // Factors
  logic [QuadW-1:0] quad_write_addr, quad_read_addr, unused_quad_second;
  logic quad_valid, unused_quad_room2;

  rivulet_replay_ring #(
    .Depth(Quads)
  ) u_quad_ring (
    .clk_i,
    .rst_ni,
    .push_i  ({1'b0, quad_done}),
    .first_o (quad_write_addr),
    .second_o(unused_quad_second),
    .room1_o (quad_room),
    .room2_o (unused_quad_room2),
    .next_i  (factor_next_i),
    .free_i  (free_q),
    .rewind_i(rewind),
    .read_o  (quad_read_addr),
    .valid_o (quad_valid)
  );

  // A quad that is not complete is the one that is written: part of it may be readable.
  assign factor_valid_o = quad_valid || (factor_column_i < column);

  rivulet_replay_memory #(
    .Banks(4),
    .BankW(16),
    .Depth(Quads)
  ) u_factors (
    .clk_i,
    .rst_ni,
    .we_i     (factor_we),
    .wr_addr_i(quad_write_addr),
    .wr_data_i(factor),
    .rd_i     (factor_read_i),
    .rd_addr_i(quad_read_addr),
    .rd_data_o(factor_o)
  );

endmodule
