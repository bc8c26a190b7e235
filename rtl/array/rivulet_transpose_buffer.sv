// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Transposing buffer: codes and BF16 values that arrive along the outputs leave along the lanes.
 *
 * A job gathers `lanes` lanes (1 to Group) for any number of columns, block by block: a block is
 * Group outputs of codes, or Group / 2 of BF16; the last one may use fewer. Beats of Lanes bytes:
 *   in   lane by lane the whole unit of a lane: its packed codes (BF16 values) for all outputs of
 *        the block. Units that are shorter than a beat follow each other without gaps.
 *   out  column by column. Codes: units of Group codes, packed, several to a beat where they fit
 *        (lanes past the gather hold any value). BF16: ceil(lanes / (Lanes / 2)) beats a unit.
 * Either way a block starts on a new beat, and what lies behind its last unit is not used.
 *
 * Two blocks are buffered: one is written while the other one is read. Throughput: one beat in and
 * one beat out per cycle at every width, over blocks and jobs; a job of q4 or q2 that follows one of
 * q8 or BF16 costs Group / Lanes - 1 cycles once, and so may the last columns of q4 and q2. Latency:
 * the first beat of q8 and BF16 leaves 6 cycles after the last beat of its block was accepted, of q4
 * and q2 Group / Lanes - 1 cycles later. A beat may be accepted before its job. Uncut combinational
 * paths: none; every ready and valid output comes from registers alone.
 *
 * How: rivulet_transpose_banks, and rivulet_transpose_pack where a byte holds 2 or 4 outputs.
 */
module rivulet_transpose_buffer
  import rivulet_pkg::*;
  import rivulet_transpose_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Group = 128
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Job
  input  logic                  job_valid_i,
  output logic                  job_ready_o,
  input  gather_t               job_i,
  // Units along the outputs
  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  logic    [8*Lanes-1:0] in_i,
  // Units along the lanes
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic    [8*Lanes-1:0] out_o,
  output logic                  out_last_o    // last beat of the job
);

  if (!(Lanes inside {4, 8, 16, 32, 64, 128}) || !(Group inside {8, 16, 32, 64, 128}) ||
      Group < Lanes)
  begin : gen_bad_size
    $fatal(
        1,
        "rivulet_transpose_buffer: Lanes (4 to 128) and Group (8 to 128) are powers of two, ",
        "and a beat is not longer than a group"
    );
  end

  localparam int unsigned LogLanes = $clog2(Lanes);
  localparam int unsigned LogGroup = $clog2(Group);
  localparam int unsigned LogRows = LogGroup - LogLanes;  // rows that hold a byte of every lane
  localparam int unsigned AddrW = LogGroup + LogRows;
  localparam int unsigned BeatsW = (LogRows > 0) ? LogRows : 1;

  typedef logic [8*Lanes-1:0] row_t;
  typedef logic [LogLanes-1:0] bank_t;
  typedef logic [AddrW-1:0] addr_t;
  typedef logic [LogGroup-1:0] idx_t;  // of a lane, an output, or a place of a unit
  typedef logic [LogRows:0] run_t;
  typedef logic [BeatsW-1:0] beats_t;

  // A block that has been written.
  typedef struct packed {
    stream_e stream;
    run_t    last_run;    // of a place
    idx_t    last_place;
    beats_t  last_beats;  // of the last place, minus 1; for q4 and q2
    logic    last;        // of the job
  } block_t;

  // What goes with a row of bytes.
  typedef struct packed {
    stream_e stream;
    bank_t   swap;
    logic    complete;  // see rivulet_transpose_pack
    beats_t  beats;
    logic    last;
  } row_info_t;

  // Tables by stream.
  addr_t  [3:0] last_addr_of;  // of a block
  idx_t   [3:0] last_place_of;
  beats_t [3:0] last_beats_of;
  bank_t  [3:0] wr_swap_of;  // of the next beat
  addr_t  [3:0] rd_addr_of;
  bank_t  [3:0] rd_swap_of;

  // Write side: beat by beat of a block, block by block of the job.
  logic active_q, in_valid_q, wr_buffer_q;
  stream_e        stream_q;
  idx_t           last_lane_q;
  logic    [15:0] left_q;  // columns from this block on, minus 1
  row_t           in_q;
  addr_t wr_addr_q, next_addr;
  bank_t       wr_swap_q;
  logic  [1:0] full_q;
  idx_t        last_output;  // of the block
  logic bf16, more, write, block_done, job_done;

  assign bf16        = (stream_q == StreamBf16);
  assign more        = (left_q >> (bf16 ? LogGroup - 1 : LogGroup)) != '0;
  assign last_output = more ? (bf16 ? idx_t'(Group / 2 - 1) : idx_t'(Group - 1)) : idx_t'(left_q);

  assign write       = active_q && in_valid_q && !full_q[wr_buffer_q];
  assign block_done  = write && (wr_addr_q == last_addr_of[stream_q]);
  assign job_done    = block_done && !more;
  assign in_ready_o  = !in_valid_q || write;
  assign job_ready_o = !active_q || job_done;
  assign next_addr   = wr_addr_q + addr_t'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q    <= 1'b0;
      in_valid_q  <= 1'b0;
      wr_buffer_q <= 1'b0;
      wr_addr_q   <= '0;
      wr_swap_q   <= '0;
    end else begin
      if (job_ready_o) active_q <= job_valid_i;
      if (in_ready_o) in_valid_q <= in_valid_i;
      if (write) begin
        wr_buffer_q <= wr_buffer_q ^ block_done;
        wr_addr_q   <= block_done ? '0 : next_addr;
        wr_swap_q   <= block_done ? '0 : wr_swap_of[stream_q];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      stream_q    <= job_i.stream;
      last_lane_q <= idx_t'(job_i.lanes - 8'd1);
      left_q      <= job_i.columns - 16'd1;
    end else if (block_done) begin
      left_q <= left_q - (bf16 ? 16'(Group / 2) : 16'(Group));
    end
    if (in_valid_i && in_ready_o) in_q <= in_i;
  end

  block_t [1:0] block_q;
  logic rd_buffer_q, read_done;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
    end else begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (block_done && (wr_buffer_q == 1'(b))) full_q[b] <= 1'b1;
        else if (read_done && (rd_buffer_q == 1'(b))) full_q[b] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (block_done) begin
      block_q[wr_buffer_q] <= '{
          stream: stream_q,
          last_run: bf16 ? run_t'(last_lane_q >> (LogLanes - 1)) : run_t'(Group / Lanes - 1),
          last_place: last_place_of[stream_q],
          last_beats: last_beats_of[stream_q],
          last: !more
      };
    end
  end

  // Read side: place by place, as many lanes at a time as a row holds.
  block_t rd_block;
  idx_t   place_q;
  run_t   run_q;
  addr_t  rd_addr;
  logic read, move, whole, place_end, block_end;

  assign rd_block  = block_q[rd_buffer_q];
  assign rd_addr   = rd_addr_of[rd_block.stream];
  assign read      = full_q[rd_buffer_q] && move;
  assign place_end = (run_q == rd_block.last_run);
  assign block_end = place_end && (place_q == rd_block.last_place);
  assign read_done = read && block_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_buffer_q <= 1'b0;
      place_q     <= '0;
      run_q       <= '0;
    end else if (read) begin
      rd_buffer_q <= rd_buffer_q ^ block_end;
      run_q       <= place_end ? '0 : run_q + run_t'(1);
      if (place_end) place_q <= block_end ? '0 : place_q + idx_t'(1);
    end
  end

  for (genvar t = 0; t < 4; t++) begin : gen_stream
    localparam int unsigned Places = log_places(t, LogGroup);
    localparam int unsigned Swaps = log_swaps(t, LogGroup, LogLanes);
    localparam int unsigned Beats = log_beats(t, LogGroup, LogLanes);
    localparam int unsigned Step = log_step(t);
    localparam int unsigned Outputs = log_outputs(t);
    localparam int unsigned Units = LogLanes - Step - Swaps;  // of a beat, if more than one

    // Beats of a lane, or lanes of a beat.
    assign last_addr_of[t] = (addr_t'(last_lane_q) >> Units << Beats) | addr_t'((1 << Beats) - 1);
    assign wr_swap_of[t] = bank_t'(next_addr[Beats+:Swaps]) << Step;

    // Place {beat of the unit, place in the beat}.
    assign rd_addr_of[t] = (addr_t'(run_q) << Places) | (addr_t'(place_q[Swaps-1:0]) << Beats) |
        (addr_t'(place_q) >> Swaps);
    assign rd_swap_of[t] = bank_t'(place_q[Swaps-1:0]) << Step;

    // The last byte of the last unit, among those of all outputs of its place.
    assign last_place_of[t] = last_output >> Outputs;
    if (Outputs > 0) begin : gen_packed
      assign last_beats_of[t] = beats_t'({last_output[Outputs-1:0], {Places{1'b1}}} >> LogLanes);
    end else begin : gen_whole
      assign last_beats_of[t] = '0;
    end
  end

  // What goes with the rows.
  logic word_valid_q, data_valid_q;
  row_info_t rd_info, word_info_q, data_info_q;
  row_t row;

  assign whole = (rd_block.stream == StreamQ8) || (rd_block.stream == StreamBf16);
  always_comb begin
    rd_info = '{
        stream: rd_block.stream,
        swap: rd_swap_of[rd_block.stream],
        complete: whole || place_end,
        beats: beats_t'(Group / Lanes - 1),
        last: block_end && rd_block.last
    };
    if (whole) rd_info.beats = '0;
    else if (place_q == rd_block.last_place) rd_info.beats = rd_block.last_beats;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_valid_q <= 1'b0;
      data_valid_q <= 1'b0;
    end else if (move) begin
      word_valid_q <= read;
      data_valid_q <= word_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      word_info_q <= rd_info;
      data_info_q <= word_info_q;
    end
  end

  rivulet_transpose_banks #(
    .Lanes(Lanes),
    .Group(Group)
  ) u_banks (
    .clk_i,
    .write_i    (write),
    .wr_addr_i  ({wr_buffer_q, wr_addr_q}),
    .wr_swap_i  (wr_swap_q),
    .wr_data_i  (in_q),
    .read_i     (read),
    .rd_addr_i  ({rd_buffer_q, rd_addr}),
    .rd_stream_i(rd_block.stream),
    .move_i     (move),
    .rd_swap_i  (data_info_q.swap),
    .rd_data_o  (row)
  );

  rivulet_transpose_pack #(
    .Lanes(Lanes),
    .Group(Group)
  ) u_pack (
    .clk_i,
    .rst_ni,
    .row_valid_i   (data_valid_q),
    .row_ready_o   (move),
    .row_i         (row),
    .row_stream_i  (data_info_q.stream),
    .row_complete_i(data_info_q.complete),
    .row_beats_i   (data_info_q.beats),
    .row_last_i    (data_info_q.last),
    .out_valid_o,
    .out_ready_i,
    .out_o,
    .out_last_o
  );

endmodule
