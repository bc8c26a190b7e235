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

  // One pass: `columns` columns, one unit (a group of codes) each, meet one stationary
  // tile. Passes of one job follow each other in rising group order, with the same `columns` and
  // `rows`.
  typedef struct packed {
    stream_e     stream;
    kind_e       kind;
    view_t       view;
    logic        transpose;  // units arrive one per lane (along the outputs), not one per column
    logic        load;       // a new stationary tile is loaded for this pass
    logic        first;      // partial sums start from +0
    logic        last;       // partial sums are rounded and sent out after this pass
    logic [4:0]  align_w;    // bits of an aligned significand, 9 to AlignW; used with `load`
    logic [7:0]  rows;       // positions in use, 1 to Positions; used with `load`
    logic [7:0]  lanes;      // lanes in use, 1 to Group
    logic [15:0] columns;    // 1 to PsumDepth, one unit each
  } pass_t;

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

  // Edge units of a position: columns that a q2 beat ends, for groups of `subs` link beats at q8.
  function automatic int unsigned edge_units(int unsigned subs, bit q8_only);
    return (subs < 4 && !q8_only) ? 4 / subs : 1;
  endfunction

  // What happened in the array in one cycle, for the counters.
  typedef struct packed {
    logic        fire;         // a beat of codes entered
    stream_e     stream;       // its stream
    logic [17:0] macs;         // products of the units that it ended
    logic        wait_tile;    // no pass is active: the next one waits for its tile,
    logic        wait_psum;    // or for partial sums
    logic        stall_code;   // a pass is active but has no codes,
    logic        stall_scale;  // or no scale
    logic [9:0]  special;      // updates with an Inf or NaN operand
    logic [9:0]  saturated;    // updates that made a finite partial sum infinite
  } array_events_t;

endpackage
