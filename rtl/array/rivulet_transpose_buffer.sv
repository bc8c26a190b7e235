// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Transposing buffer: codes that arrive along the outputs leave along the reduction.
 *
 * A job gathers `lanes` units (1 to Group); unit i holds the Group codes that input lane i has for
 * the outputs 0 to Group - 1, in the beats of the converter. The job leaves as `units` units in dot
 * order: unit o holds the codes of output o for lanes 0 to lanes - 1, in the beats that the array
 * expects; a short gather takes only the beats that it fills. Lanes past the gather and units past
 * the job in its last beat hold old data (the array multiplies them by zero or ignores them).
 *
 * Two jobs are buffered: one is written while the other one is read. Throughput: one operation of
 * min(codes of a beat, Group) codes per cycle each way: one beat per cycle, except where one beat
 * holds several units (Lanes > Group / 4 at q4 and q2): then one unit per cycle. First beat out
 * three cycles after the last operation in.
 *
 * How: min(4 * Lanes, Group) banks, each as wide as its share of a beat (two bits, or more where a
 * beat holds several units). An operation moves one code to or from every place, a place being one
 * bank or, for wide codes, a few of them. Code o of lane i lies at place i ^ o (modulo the places),
 * so that both a run of outputs of one lane and a run of lanes of one output meet every place once;
 * a butterfly network puts them in order.
 */
module rivulet_transpose_buffer
  import rivulet_pkg::*;
#(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Group = 128
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Job
  input  logic                  job_valid_i,
  output logic                  job_ready_o,
  input  stream_e               job_stream_i,  // not StreamBf16
  input  logic    [        7:0] job_lanes_i,   // 1 to Group
  input  logic    [        7:0] job_units_i,   // 1 to Group
  // Units along the outputs
  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  logic    [8*Lanes-1:0] in_i,
  // Units along the lanes
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic    [8*Lanes-1:0] out_o
);

  if (!(Lanes inside {8, 16, 32, 64, 128}) || !(Group inside {8, 16, 32, 64, 128}) || Group < Lanes)
  begin : gen_bad_size
    $fatal(1, "rivulet_transpose_buffer: Lanes and Group are powers of two, 8 to 128");
  end

  localparam int unsigned LogBeat = $clog2(4 * Lanes);  // two-bit slices of a beat
  localparam int unsigned LogGroup = $clog2(Group);
  localparam int unsigned LogBanks = (LogBeat < LogGroup) ? LogBeat : LogGroup;
  localparam int unsigned Banks = 1 << LogBanks;
  localparam int unsigned BankW = 8 * Lanes / Banks;
  localparam int unsigned Depth = Group * Group / Lanes;  // words of a bank, per job, at q8
  localparam int unsigned AddrW = $clog2(Depth);
  localparam int unsigned IdxW = LogGroup + 1;  // lane, output, or number of them

  typedef logic [IdxW-1:0] idx_t;
  typedef logic [3:0] log_t;
  typedef logic [8*Lanes-1:0] row_t;
  typedef logic [LogBanks-1:0] bank_t;

  typedef struct packed {
    stream_e stream;
    idx_t    lanes;
    idx_t    outputs;
  } job_t;

  function automatic int unsigned log_slices_of(int unsigned stream);
    return (stream == 32'(StreamQ2)) ? 0 : ((stream == 32'(StreamQ4)) ? 1 : 2);
  endfunction
  // Codes of an operation, and units of a beat.
  function automatic int unsigned log_codes_of(int unsigned stream);
    return (LogBeat - log_slices_of(stream) < LogGroup) ? LogBeat - log_slices_of(stream) :
        LogGroup;
  endfunction
  function automatic int unsigned log_units_of(int unsigned stream);
    return LogBeat - log_slices_of(stream) - log_codes_of(stream);
  endfunction

  function automatic log_t log_codes(stream_e stream);
    unique case (stream)
      StreamQ2: return log_t'(log_codes_of(32'(StreamQ2)));
      StreamQ4: return log_t'(log_codes_of(32'(StreamQ4)));
      default:  return log_t'(log_codes_of(32'(StreamQ8)));
    endcase
  endfunction
  function automatic log_t log_units(stream_e stream);
    unique case (stream)
      StreamQ2: return log_t'(log_units_of(32'(StreamQ2)));
      StreamQ4: return log_t'(log_units_of(32'(StreamQ4)));
      default:  return log_t'(log_units_of(32'(StreamQ8)));
    endcase
  endfunction

  // n modulo 2^log, and n / 2^log.
  function automatic idx_t low(idx_t n, log_t log);
    return n & ~({IdxW{1'b1}} << log);
  endfunction
  function automatic idx_t high(idx_t n, log_t log);
    return n >> log;
  endfunction

  // First bank of place n of an operation, modulo the places.
  function automatic bank_t bank(idx_t n, stream_e stream);
    return bank_t'(low(n, log_codes(stream)) << (log_t'(LogBanks) - log_codes(stream)));
  endfunction

  // Word of a bank that holds lane `lane` and part `part` of its outputs.
  function automatic logic [AddrW-1:0] address(idx_t lane, idx_t part, stream_e stream);
    return AddrW'(({{AddrW{1'b0}}, lane} << (log_t'(LogGroup) - log_codes(stream))) |
                  (AddrW + IdxW)'(part));
  endfunction

  // Unit `part` of a beat to the places of an operation and back. The rest of a place is not used.
  row_t spread  [4];  // indexed by stream
  row_t gathered[4];  // the unit, at every part of the beat
  row_t ordered;
  idx_t in_part;

  for (genvar t = 1; t < 4; t++) begin : gen_stream
    localparam int unsigned CodeW = 2 << log_slices_of(t);
    localparam int unsigned Codes = 1 << log_codes_of(t);
    localparam int unsigned PlaceW = 8 * Lanes / Codes;
    localparam int unsigned Units = 1 << log_units_of(t);
    always_comb begin
      spread[t] = in_i;
      for (int unsigned c = 0; c < Codes; c++) begin
        if (Units > 1) spread[t][PlaceW*c+:CodeW] = in_i[CodeW*(32'(in_part)*Codes+c)+:CodeW];
        for (int unsigned u = 0; u < Units; u++) begin
          gathered[t][CodeW*(u*Codes+c)+:CodeW] = ordered[PlaceW*c+:CodeW];
        end
      end
    end
  end
  logic unused_part;
  assign unused_part = ^in_part;
  assign spread[0]   = '0;
  assign gathered[0] = '0;

  // Job registers: the write side and the read side take turns on two buffers.
  logic wr_active_q, wr_buffer_q, rd_buffer_q;
  logic [1:0] full_q;
  job_t       job_q  [2];
  job_t wr_job, rd_job;

  assign wr_job      = job_q[wr_buffer_q];
  assign rd_job      = job_q[rd_buffer_q];
  assign job_ready_o = !wr_active_q && !full_q[wr_buffer_q];

  // The number of outputs matters to the read side only; small groups need fewer bits.
  logic unused_job;
  assign unused_job = ^{wr_job.outputs, job_lanes_i, job_units_i};

  // Write side: lane by lane, part by part of its outputs (or unit by unit of the beat).
  idx_t lane_q, part_q;
  logic write, lane_end, beat_end, wr_done;

  assign write = wr_active_q && in_valid_i;
  assign lane_end = (part_q == high(idx_t'(Group), log_codes(wr_job.stream)) - idx_t'(1));
  assign wr_done = write && lane_end && (lane_q == wr_job.lanes - idx_t'(1));
  assign in_part = low(lane_q, log_units(wr_job.stream));
  assign beat_end = (lane_q == wr_job.lanes - idx_t'(1)) || (low(
      lane_q + idx_t'(1), log_units(wr_job.stream)
  ) == '0);
  assign in_ready_o = wr_active_q && ((log_units(wr_job.stream) == '0) || beat_end);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_active_q <= 1'b0;
      wr_buffer_q <= 1'b0;
      lane_q      <= '0;
      part_q      <= '0;
    end else if (job_valid_i && job_ready_o) begin
      wr_active_q <= 1'b1;
      lane_q      <= '0;
      part_q      <= '0;
    end else if (write) begin
      part_q <= lane_end ? '0 : part_q + idx_t'(1);
      if (lane_end) lane_q <= lane_q + idx_t'(1);
      if (wr_done) begin
        wr_active_q <= 1'b0;
        wr_buffer_q <= !wr_buffer_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_valid_i && job_ready_o) begin
      job_q[wr_buffer_q] <= '{
          stream: job_stream_i,
          lanes: idx_t'(job_lanes_i),
          outputs: idx_t'(job_units_i)
      };
    end
  end

  row_t           wr_row;
  logic [AddrW:0] wr_addr;
  assign wr_addr = {wr_buffer_q, address(lane_q, part_q, wr_job.stream)};

  rivulet_butterfly #(
    .LogColumns(LogBanks),
    .ColumnW   (BankW)
  ) u_wr_butterfly (
    .data_i  (spread[wr_job.stream]),
    .select_i(bank(lane_q, wr_job.stream)),
    .data_o  (wr_row)
  );

  // Read side: output by output, part by part of its lanes.
  idx_t output_q, run_q;
  logic read, rd_last_run, rd_done;
  logic mid_valid_q, mid_move, out_move;

  assign read        = full_q[rd_buffer_q] && (!mid_valid_q || mid_move);
  assign rd_last_run = (run_q == high(rd_job.lanes - idx_t'(1), log_codes(rd_job.stream)));
  assign rd_done     = read && rd_last_run && (output_q == rd_job.outputs - idx_t'(1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_buffer_q <= 1'b0;
      output_q    <= '0;
      run_q       <= '0;
    end else if (read) begin
      run_q <= rd_last_run ? '0 : run_q + idx_t'(1);
      if (rd_last_run) output_q <= rd_done ? '0 : output_q + idx_t'(1);
      rd_buffer_q <= rd_buffer_q ^ rd_done;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q <= '0;
    end else begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (wr_done && (wr_buffer_q == 1'(b))) full_q[b] <= 1'b1;
        else if (rd_done && (rd_buffer_q == 1'(b))) full_q[b] <= 1'b0;
      end
    end
  end

  // What the banks' read addresses share: the first lane of the run, the lanes within a run, the
  // part of the outputs, and how far a lane number is from a word address.
  idx_t run_base, run_mask, rd_part;
  log_t rd_shift;
  assign run_base = run_q << log_codes(rd_job.stream);
  assign run_mask = ~({IdxW{1'b1}} << log_codes(rd_job.stream));
  assign rd_part  = high(output_q, log_codes(rd_job.stream));
  assign rd_shift = log_t'(LogGroup) - log_codes(rd_job.stream);

  row_t rd_row;
  for (genvar k = 0; k < Banks; k++) begin : gen_bank
    // The place of this bank, per stream; its lane of the run is that place ^ the output number.
    localparam idx_t PlaceQ2 = idx_t'(k >> (LogBanks - log_codes_of(32'(StreamQ2))));
    localparam idx_t PlaceQ4 = idx_t'(k >> (LogBanks - log_codes_of(32'(StreamQ4))));
    localparam idx_t PlaceQ8 = idx_t'(k >> (LogBanks - log_codes_of(32'(StreamQ8))));
    (* ram_style = "block" *) logic [BankW-1:0] mem[2*Depth];
    logic [BankW-1:0] data_q;
    idx_t place, lane;
    logic [AddrW:0] rd_addr;

    assign place = (rd_job.stream == StreamQ2) ? PlaceQ2
        : ((rd_job.stream == StreamQ4) ? PlaceQ4 : PlaceQ8);
    assign lane = run_base | ((place ^ output_q) & run_mask);
    assign rd_addr = {
      rd_buffer_q, AddrW'(({{AddrW{1'b0}}, lane} << rd_shift) | (AddrW + IdxW)'(rd_part))
    };

    always_ff @(posedge clk_i) begin
      if (write) mem[wr_addr] <= wr_row[BankW*k+:BankW];
      if (read) data_q <= mem[rd_addr];
    end
    assign rd_row[BankW*k+:BankW] = data_q;
  end

  // Middle stage: what the bank outputs hold. Output stage: a beat, of one unit or several.
  stream_e mid_stream_q;
  idx_t    mid_output_q;
  logic    mid_last_q;    // of the beat

  always_ff @(posedge clk_i) begin
    if (read) begin
      mid_stream_q <= rd_job.stream;
      mid_output_q <= output_q;
      mid_last_q   <= rd_done || (low(output_q + idx_t'(1), log_units(rd_job.stream)) == '0);
    end
  end

  assign out_move = !out_valid_o || out_ready_i;
  assign mid_move = mid_valid_q && out_move;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mid_valid_q <= 1'b0;
      out_valid_o <= 1'b0;
    end else begin
      if (read) mid_valid_q <= 1'b1;
      else if (mid_move) mid_valid_q <= 1'b0;
      if (out_move) out_valid_o <= mid_valid_q && mid_last_q;
    end
  end

  rivulet_butterfly #(
    .LogColumns(LogBanks),
    .ColumnW   (BankW)
  ) u_rd_butterfly (
    .data_i  (rd_row),
    .select_i(bank(mid_output_q, mid_stream_q)),
    .data_o  (ordered)
  );

  // A unit goes to its quarters of the beat.
  idx_t mid_part;
  assign mid_part = low(mid_output_q, log_units(mid_stream_q));
  for (genvar r = 0; r < 4; r++) begin : gen_quarter
    localparam int unsigned QuarterW = 2 * Lanes;
    logic hit;
    // Quarter r belongs to unit r / (4 / units).
    assign hit = (mid_part == high(idx_t'(r), log_t'(2) - log_units(mid_stream_q)));
    always_ff @(posedge clk_i) begin
      if (mid_move && hit) begin
        out_o[QuarterW*r+:QuarterW] <= gathered[mid_stream_q][QuarterW*r+:QuarterW];
      end
    end
  end

endmodule
