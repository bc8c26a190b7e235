// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Tile: x store, fill, replay buffer and input-stationary array behind three streams of commands.
 *
 *   load_i   one stationary tile, from x_i or from the x store                        (load_t)
 *   read_i   one segment of columns, fetched once into the replay buffer: stored q8 codes at word_i
 *            with scales at scale_i, or BF16 values at w_i                              (read_t)
 *   pass_i   a segment meets a tile; results of `last` passes leave at y_o and acc_o  (pass_t)
 *
 * The three are taken independently, each in its own order, as far as the buffers go; a job is what
 * their order says (docs/array.md, "Streams"). Data streams are consumed in the order of the
 * commands that ask for them and may run ahead.
 *
 * Handshakes: valid/ready on every stream; valid never waits for ready, payloads hold until they
 * are accepted. Throughput: one beat of codes per cycle into the replay buffer and one out of it.
 * Commands must respect the limits of their fields; violations are asserted. rst_ni is to be
 * released synchronously to clk_i.
 * Combinational from port to port: nothing. Every valid, ready and payload that leaves is made of
 * registers alone (of the ports inside, see rivulet_fill, rivulet_replay and rivulet_x_store).
 */
module rivulet_tile
  import rivulet_pkg::*;
  import rivulet_tile_pkg::*;
  import rivulet_converter_pkg::*;
#(
  parameter  int unsigned Lanes          = 32,
  parameter  int unsigned SideLanes      = 32,        // of the BF16 stream, transposing buffer
  parameter  int unsigned Positions      = 8,
  parameter  int unsigned AlignW         = 16,
  parameter  int unsigned Group          = 128,
  parameter  int unsigned PsumDepth      = 8192,      // columns, all row blocks together
  parameter  int unsigned ResultDepth    = 512,       // columns
  parameter  int unsigned ReplayBeats    = 8192,
  parameter  int unsigned ReplaySegments = 16,
  parameter  int unsigned ReplayQuads    = 1024,      // columns, divided by 4
  parameter  int unsigned XValues        = 16,        // of a beat of stationary rows
  parameter  int unsigned LoadPairs      = 16,
  parameter  int unsigned XTiles         = 64,        // in the x store
  parameter  int unsigned YRows          = 2,         // of a result beat
  parameter  int unsigned PeKind         = 0,
  parameter  int unsigned Q8Only         = 0,         // no q4 and q2 streams, one edge unit
  localparam int unsigned LinkBits       = 8 * Lanes
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // Stationary tiles: XValues BF16 a beat
  input  logic                             load_valid_i,
  output logic                             load_ready_o,
  input  load_t                            load_i,
  input  logic                             x_valid_i,
  output logic                             x_ready_o,
  input  logic           [ 16*XValues-1:0] x_i,
  // Segments: 4 * Lanes stored codes a word, SideLanes / 2 BF16 or four BF16 scales a beat
  input  logic                             read_valid_i,
  output logic                             read_ready_o,
  input  read_t                            read_i,
  input  logic                             word_valid_i,
  output logic                             word_ready_o,
  input  logic           [ 4*LinkBits-1:0] word_i,
  input  logic                             w_valid_i,
  output logic                             w_ready_o,
  input  logic           [8*SideLanes-1:0] w_i,
  input  logic                             scale_valid_i,
  output logic                             scale_ready_o,
  input  beat_t                            scale_i,
  // Passes and their results: YRows rows of four columns a beat
  input  logic                             pass_valid_i,
  output logic                             pass_ready_o,
  input  pass_t                            pass_i,
  output logic                             y_valid_o,
  input  logic                             y_ready_i,
  output logic           [   64*YRows-1:0] y_o,
  output logic           [  128*YRows-1:0] acc_o,
  output logic                             y_last_o,
  // Status
  output tile_counters_t                   counters_o,
  output tile_info_t                       info_o
);

  // Illegal sizes end in this message: what is inside gets legal ones.
  localparam bit Legal = Lanes inside {8, 16, 32, 64, 128};
  localparam int unsigned UsedLanes = Legal ? Lanes : 8;
  localparam int unsigned UsedSideLanes = Legal ? SideLanes : 8;
  if (!Legal) begin : gen_bad_lanes
    $fatal(1, "rivulet_tile: Lanes is %0d, must be 8, 16, 32, 64 or 128", Lanes);
  end

  assign info_o = '{
          lanes: 16'(Lanes),
          side_lanes: 16'(SideLanes),
          positions: 16'(Positions),
          align_w: 16'(AlignW),
          group: 16'(Group),
          psum_depth: 16'(PsumDepth),
          result_depth: 16'(ResultDepth),
          replay_beats: 16'(ReplayBeats),
          replay_segments: 16'(ReplaySegments),
          replay_quads: 16'(ReplayQuads),
          x_values: 16'(XValues),
          load_pairs: 16'(LoadPairs),
          x_tiles: 16'(XTiles),
          y_rows: 16'(YRows),
          pe_kind: 16'(PeKind),
          q8_only: 16'(Q8Only)
      };

  // Commands
  logic load_valid, load_taken, read_valid, read_taken, pass_valid, pass_taken;
  load_t load;
  read_t read;
  pass_t pass;

  rivulet_fifo #(
    .data_t(load_t),
    .Depth (4)
  ) u_load_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(load_valid_i),
    .ready_o(load_ready_o),
    .data_i (load_i),
    .valid_o(load_valid),
    .ready_i(load_taken),
    .data_o (load)
  );
  rivulet_fifo #(
    .data_t(read_t),
    .Depth (4)
  ) u_read_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(read_valid_i),
    .ready_o(read_ready_o),
    .data_i (read_i),
    .valid_o(read_valid),
    .ready_i(read_taken),
    .data_o (read)
  );
  rivulet_fifo #(
    .data_t(pass_t),
    .Depth (4)
  ) u_pass_fifo (
    .clk_i,
    .rst_ni,
    .valid_i(pass_valid_i),
    .ready_o(pass_ready_o),
    .data_i (pass_i),
    .valid_o(pass_valid),
    .ready_i(pass_taken),
    .data_o (pass)
  );

  // Stationary rows

  logic tile_valid, tile_ready, rows_valid, rows_ready;
  logic [7:0] tile_rows, tile_lanes;
  logic [4:0] tile_align_w;
  logic [16*XValues-1:0] rows;

  rivulet_x_store #(
    .XValues  (XValues),
    .Positions(Positions),
    .Group    (Group),
    .XTiles   (XTiles)
  ) u_x_store (
    .clk_i,
    .rst_ni,
    .load_valid_i (load_valid),
    .load_ready_o (load_taken),
    .load_i       (load),
    .x_valid_i,
    .x_ready_o,
    .x_i,
    .job_valid_o  (tile_valid),
    .job_ready_i  (tile_ready),
    .job_rows_o   (tile_rows),
    .job_lanes_o  (tile_lanes),
    .job_align_w_o(tile_align_w),
    .out_valid_o  (rows_valid),
    .out_ready_i  (rows_ready),
    .out_o        (rows)
  );

  // Segments

  logic segment_valid, take, code_valid, code_read, factor_valid, factor_read, factor_next;
  segment_t segment;
  logic [LinkBits-1:0] code;
  logic [1:0] factor_last;
  logic [63:0] factor;
  converter_counters_t converter_counters;

  rivulet_fetch #(
    .Lanes    (UsedLanes),
    .SideLanes(UsedSideLanes),
    .Group    (Group),
    .AlignW   (AlignW),
    .Q8Only   (Q8Only),
    .Beats    (ReplayBeats),
    .Segments (ReplaySegments),
    .Quads    (ReplayQuads)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .read_valid_i   (read_valid),
    .read_ready_o   (read_taken),
    .read_i         (read),
    .word_valid_i,
    .word_ready_o,
    .word_i,
    .w_valid_i,
    .w_ready_o,
    .w_i,
    .scale_valid_i,
    .scale_ready_o,
    .scale_i,
    .rewind_i       (pass.rewind),
    .segment_valid_o(segment_valid),
    .segment_o      (segment),
    .take_i         (take),
    .free_i         (pass.free),
    .code_valid_o   (code_valid),
    .code_read_i    (code_read),
    .code_o         (code),
    .factor_last_i  (factor_last),
    .factor_valid_o (factor_valid),
    .factor_read_i  (factor_read),
    .factor_next_i  (factor_next),
    .factor_o       (factor),
    .converter_o    (converter_counters)
  );

  // Array

  array_events_t events;

  rivulet_array #(
    .Lanes      (UsedLanes),
    .Positions  (Positions),
    .AlignW     (AlignW),
    .Group      (Group),
    .PsumDepth  (PsumDepth),
    .ResultDepth(ResultDepth),
    .XValues    (XValues),
    .LoadPairs  (LoadPairs),
    .YRows      (YRows),
    .PeKind     (PeKind),
    .Q8Only     (Q8Only)
  ) u_array (
    .clk_i,
    .rst_ni,
    .load_valid_i   (tile_valid),
    .load_ready_o   (tile_ready),
    .load_rows_i    (tile_rows),
    .load_lanes_i   (tile_lanes),
    .load_align_w_i (tile_align_w),
    .x_valid_i      (rows_valid),
    .x_ready_o      (rows_ready),
    .x_i            (rows),
    .pass_valid_i   (pass_valid),
    .pass_ready_o   (pass_taken),
    .pass_i         (pass),
    .segment_valid_i(segment_valid),
    .segment_i      (segment),
    .take_o         (take),
    .code_valid_i   (code_valid),
    .code_read_o    (code_read),
    .code_i         (code),
    .factor_valid_i (factor_valid),
    .factor_last_o  (factor_last),
    .factor_read_o  (factor_read),
    .factor_next_o  (factor_next),
    .factor_i       (factor),
    .y_valid_o,
    .y_ready_i,
    .y_o,
    .acc_o,
    .y_last_o,
    .events_o       (events)
  );

  rivulet_tile_counters u_counters (
    .clk_i,
    .rst_ni,
    .array_i    (events),
    .load_i     (tile_valid && tile_ready),
    .x_i        (x_valid_i && x_ready_o),
    .w_i        (w_valid_i && w_ready_o),
    .scale_i    (scale_valid_i && scale_ready_o),
    .y_i        (y_valid_o && y_ready_i),
    .word_i     (word_valid_i && word_ready_o),
    .converter_i(converter_counters),
    .counters_o
  );

endmodule
