// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/** Types of the tile: what its status ports show. */
package rivulet_tile_pkg;

  import rivulet_converter_pkg::*;

  // Counters since reset, 48 bits, saturating (rivulet_counter). Arrays over streams are indexed by
  // rivulet_pkg::stream_e. Stall counters name the reason why no beat entered the array in a cycle:
  // wait_* while no pass is active, stall_* within a pass; the other idle cycles had no pass to
  // run.
  typedef struct packed {
    count_t              cycles;
    count_t [3:0]        array_beats;  // cycles in which a beat entered the array
    count_t [3:0]        macs;         // lane x row products of the units that ended
    count_t              wait_tile;
    count_t              wait_psum;
    count_t              stall_code;
    count_t              stall_scale;
    count_t              x_beats;      // 64-bit beats of stationary rows
    count_t              w_beats;      // link-wide beats of BF16 streams
    count_t              scale_beats;  // 64-bit beats of scales
    count_t              y_beats;      // result beats
    count_t              words;        // stored words, 4 link widths each
    count_t              special;      // updates with an Inf or NaN operand
    count_t              saturated;    // updates that made a finite partial sum infinite
    converter_counters_t converter;
  } tile_counters_t;

  // Parameters of the build.
  typedef struct packed {
    logic [15:0] lanes;
    logic [15:0] positions;
    logic [15:0] align_w;
    logic [15:0] group;
    logic [15:0] psum_depth;
    logic [15:0] pe_kind;
    logic [15:0] q8_only;
  } tile_info_t;

endpackage
