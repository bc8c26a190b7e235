// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Types and constants shared by all blocks.
 *
 * Formats are defined in docs/numerics.md; the codes of `tier_e` and `kind_e` are those of the tag
 * that travels with every read request.
 */
package rivulet_pkg;

  typedef logic [63:0] beat_t;
  typedef logic [15:0] bf16_t;
  typedef logic [31:0] fp32_t;
  typedef logic signed [7:0] s8_t;
  typedef logic signed [10:0] exponent_t;  // of a product

  // Delivered width of a read: the tag of a request.
  typedef enum logic [1:0] {
    TierQ0 = 2'd0,
    TierQ2 = 2'd1,
    TierQ4 = 2'd2,
    TierQ8 = 2'd3
  } tier_e;

  // What the codes are: the residual of a KV entry, or FFN (and every other linear) weights.
  typedef enum logic [0:0] {
    KindKv  = 1'd0,
    KindFfn = 1'd1
  } kind_e;

  // Calibrated parameters of the read-time views (docs/numerics.md, "Views").
  typedef struct packed {
    logic              round_half_up;  // q4: add half of the dropped range before the shift
    logic [7:0]        clamp;          // q4: clamp to +-clamp first, 1 to 128
    logic [2:0]        shift;          // q4: arithmetic right shift, 0 to 5
    logic signed [8:0] theta_p;        // q2: +1 if code >= theta_p (128 = never)
    logic signed [8:0] theta_n;        // q2: -1 if code <= theta_n (-129 = never)
  } view_t;

  // One tagged read: `codes` stored q8 codes, delivered at the width of `tier`.
  typedef struct packed {
    tier_e       tier;
    kind_e       kind;
    view_t       view;
    logic [31:0] codes;
  } read_req_t;

  // Width of the codes that a pass streams through the array.
  typedef enum logic [1:0] {
    StreamBf16 = 2'd0,  // 16-bit aligned significands, as two 8-bit slices
    StreamQ2   = 2'd1,
    StreamQ4   = 2'd2,
    StreamQ8   = 2'd3
  } stream_e;

  // One stationary tile: rows of BF16 values, aligned and turned into tables.
  typedef struct packed {
    logic        from_store;  // rows come from the x store, not from the x port
    logic        keep;        // rows from the port are kept in the x store, too
    logic [15:0] slot;        // of the x store, with from_store or keep
    logic [4:0]  align_w;     // bits of an aligned significand, 9 to AlignW
    logic [7:0]  rows;        // positions in use, 1 to Positions
    logic [7:0]  lanes;       // lanes in use, 1 to Group
  } load_t;

  // One segment: `columns` columns of one group, one unit each, fetched once into the replay buffer.
  typedef struct packed {
    logic        bf16;       // BF16 values, not codes; `tier` is not looked at
    tier_e       tier;       // TierQ0: an empty segment, nothing is fetched
    kind_e       kind;
    view_t       view;
    logic        transpose;  // units arrive one per lane (along the outputs), not one per column
    logic [4:0]  align_w;    // of BF16 values, 9 to AlignW
    logic [7:0]  lanes;      // 1 to Group
    logic [15:0] columns;    // 1 to PsumDepth
  } read_t;

  // One pass: a segment of the replay buffer meets a stationary tile. Lanes, rows and alignment are
  // those of the tile, width and columns those of the segment: a pass cannot contradict them.
  typedef struct packed {
    logic        next_tile;  // takes the next loaded tile; else the present one stays
    logic        job_first;  // first pass of a job (for the counters)
    logic        first;      // partial sums start from +0
    logic        last;       // results leave, they are not kept as partial sums
    logic        rewind;     // starts at the first segment that is not released, else goes on
    logic        free;       // the segment is released while it is read
    logic [15:0] base;       // its first column among the partial sums, a multiple of 4
  } pass_t;

  // What the replay buffer tells of a segment.
  typedef struct packed {
    stream_e     stream;
    logic        empty;    // q0: partial sums are carried, nothing is streamed
    logic [7:0]  lanes;    // that are streamed per unit
    logic [15:0] columns;
  } segment_t;

  // What the transposing buffer gathers for a segment.
  typedef struct packed {
    stream_e     stream;
    logic [7:0]  lanes;    // units that arrive, 1 to Group
    logic [15:0] columns;  // units that leave, at least 1
  } gather_t;

  // Where the beats of a segment come from.
  typedef enum logic [1:0] {
    SourceDirect     = 2'd0,  // codes in dot order, Lanes bytes a beat
    SourceTransposed = 2'd1,  // codes from the transposing buffer, SideLanes bytes a beat
    SourceBf16       = 2'd2   // BF16 values as byte slices, SideLanes bytes a beat
  } source_e;

  // A segment as it is filled into the replay buffer.
  typedef struct packed {
    segment_t   segment;
    source_e    source;
    logic [4:0] align_w;  // of BF16 values
  } fill_seg_t;

  // What travels beside the codes of one cycle through the array.
  typedef struct packed {
    logic    valid;
    stream_e stream;
    logic    bank;    // of the stationary tile
    logic    start;   // first cycle of a unit
    logic    done;    // last cycle of a unit
    logic    high;    // BF16 stream: the high byte of each lane
  } dot_ctrl_t;

  // Levels of an adder tree that sums three numbers into one: ceil(log3(inputs)).
  function automatic int unsigned tree_levels(int unsigned inputs);
    int unsigned levels;
    levels = 0;
    for (int unsigned n = inputs; n > 1; n = (n + 2) / 3) levels = levels + 1;
    return levels;
  endfunction

  // Cycles from the last beat of a row of BF16 values, `values` a beat, to its largest exponent field
  // (rivulet_row_max).
  function automatic int unsigned row_max_stages(int unsigned values);
    return 1 + ($clog2(values) + 1) / 2;
  endfunction

  // Stages of rivulet_dot_row, digits to partials: look-up, trees, and three that combine.
  function automatic int unsigned dot_stages(int unsigned lanes);
    return 1 + tree_levels(lanes / 2) + 3;
  endfunction

  // Edge units of a position: columns that a q2 beat ends, for groups of `subs` link beats at q8.
  function automatic int unsigned edge_units(int unsigned subs, bit q8_only);
    return (subs < 4 && !q8_only) ? 4 / subs : 1;
  endfunction

  // Stages of rivulet_edge: operands to result, and operands to the read of the partial sum. An
  // update reads what one EDGE_DISTANCE cycles before it has written.
  localparam int unsigned EDGE_STAGES = 9;
  localparam int unsigned EDGE_READ_STAGE = 2;
  localparam int unsigned EDGE_DISTANCE = EDGE_STAGES - EDGE_READ_STAGE + 1;
  // Whether a beat can hold several units of codes; these are then padded to whole groups.
  function automatic bit shared_beats(int unsigned subs, bit q8_only);
    return edge_units(subs, q8_only) > 1;
  endfunction

  // Cycles from the issue of a beat to the look-up of its digits: two to read the replay buffer, one
  // register of digits.
  localparam int unsigned LOOKUP_DELAY = 3;

  // A stationary tile that is handed over to the stream.
  typedef struct packed {
    logic       bank;
    logic [7:0] rows;
    logic [7:0] lanes;
    logic [4:0] align_w;
  } tile_t;

  // Four columns of results, or what is left of a segment.
  typedef struct packed {
    logic [7:0] rows;
    logic [2:0] columns;  // 1 to 4
    logic       last;     // of the pass
  } quad_t;

  // What a beat means that enters the array.
  typedef struct packed {
    stream_e    stream;
    logic       carry;        // columns of an empty segment: partial sums stay as they are
    logic       bank;         // of the stationary tile
    logic       start;        // first beat of a unit
    logic       done;         // last beat of a unit
    logic [2:0] columns;      // that it ends, if done
    logic       first;        // partial sums start from +0
    logic       last;         // to the result queue
    logic [1:0] quad_column;  // first column of the beat in its quad
    logic       quad_end;     // it ends the quad, if done
    logic [7:0] rows;
    logic [4:0] align_w;
  } issue_t;

  // Why no beat enters the array; one bit at a time.
  typedef struct packed {
    logic no_job;      // no pass
    logic first_load;  // the tile of the first pass of a job is not ready
    logic load;        // nor is that of another pass
    logic codes;
    logic scales;
    logic psum;        // partial sums are still being updated
    logic results;     // the result queue is full
  } wait_t;

  // Cycles from the issue of a beat to the write of its partial sums.
  function automatic int unsigned array_latency(int unsigned lanes);
    return LOOKUP_DELAY + dot_stages(lanes) + EDGE_STAGES;
  endfunction

  // What happened in the array in one cycle, for the counters.
  typedef struct packed {
    logic        fire;       // a beat of codes entered
    logic        carry;      // columns of an empty segment entered
    stream_e     stream;     // of the beat of codes
    logic [17:0] macs;       // products of the units that it ended
    wait_t       waits;
    logic [9:0]  special;    // updates with an Inf or NaN operand
    logic [9:0]  saturated;  // updates that made a finite partial sum infinite
  } array_events_t;

  // Zeros above the first set bit, by halving, in all places at once: a node stands at the place of
  // its uppermost bit, and where its upper half is empty, the count of the lower half is taken.
  function automatic logic [5:0] leading_zeros(logic [63:0] value);
    logic [63:0] empty, count[6];
    empty = ~value;
    for (int unsigned level = 0; level < 6; level++) begin
      for (int unsigned k = 0; k < level; k++) begin
        count[k] = (empty & (count[k] << (1 << level))) | (~empty & count[k]);
      end
      count[level] = empty;
      empty = empty & (empty << (1 << level));
    end
    for (int unsigned k = 0; k < 6; k++) leading_zeros[k] = count[k][63];
  endfunction

endpackage
