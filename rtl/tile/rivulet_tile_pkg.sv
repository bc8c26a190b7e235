// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Types of the tile: what its status ports show. */
package rivulet_tile_pkg;

  import rivulet_converter_pkg::*;

  // Counters since reset, 48 bits, saturating (rivulet_counter). Arrays over streams are indexed by
  // rivulet_pkg::stream_e. Every cycle is counted once among array_beats, carry_beats and the
  // wait_* counters, which name the reason why no beat entered the array: they add up to `cycles`.
  typedef struct packed {
    count_t              cycles;
    count_t [3:0]        array_beats;      // cycles in which a beat of codes entered the array
    count_t              carry_beats;      // cycles in which columns of an empty segment entered
    count_t [3:0]        macs;             // lane x row products of the units that ended
    count_t              wait_no_job;      // no pass to run
    count_t              wait_first_load;  // the tile of the first pass of a job
    count_t              wait_load;        // the tile of another pass
    count_t              wait_codes;       // codes of the segment
    count_t              wait_scales;      // scales of the segment
    count_t              wait_psum;        // partial sums that are still being updated
    count_t              wait_results;     // room for results
    count_t              loads;            // stationary tiles
    count_t              x_beats;          // beats of stationary rows
    count_t              w_beats;          // beats of BF16 streams
    count_t              scale_beats;      // 64-bit beats of scales
    count_t              y_beats;          // result beats
    count_t              words;            // stored words, 4 link widths each
    count_t              special;          // updates with an Inf or NaN operand
    count_t              saturated;        // updates that made a finite partial sum infinite
    converter_counters_t converter;
  } tile_counters_t;

  // Parameters of the build.
  typedef struct packed {
    logic [15:0] lanes;
    logic [15:0] side_lanes;
    logic [15:0] positions;
    logic [15:0] align_w;
    logic [15:0] group;
    logic [15:0] psum_depth;
    logic [15:0] result_depth;
    logic [15:0] replay_beats;
    logic [15:0] replay_segments;
    logic [15:0] replay_quads;
    logic [15:0] x_values;
    logic [15:0] load_pairs;
    logic [15:0] x_tiles;
    logic [15:0] y_rows;
    logic [15:0] pe_kind;
    logic [15:0] q8_only;
  } tile_info_t;

endpackage
