// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Counters of the tile, from the events of a cycle. A counter shows an event in the next cycle.
 */
module rivulet_tile_counters
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
  import rivulet_tile_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  array_events_t       array_i,
  input  logic                x_i,          // handshakes of the streams
  input  logic                w_i,
  input  logic                scale_i,
  input  logic                y_i,
  input  logic                word_i,
  input  converter_counters_t converter_i,
  output tile_counters_t      counters_o
);

  // Events that count one at a time, in the order of the outputs below.
  localparam int unsigned Ones = 10;
  logic   [Ones-1:0] one;
  count_t            one_count[Ones];

  assign one = {
    word_i,
    y_i,
    scale_i,
    w_i,
    x_i,
    array_i.stall_scale,
    array_i.stall_code,
    array_i.wait_psum,
    array_i.wait_tile,
    1'b1
  };

  for (genvar i = 0; i < Ones; i++) begin : gen_one
    rivulet_counter #(
      .Width   (COUNT_BITS),
      .AddWidth(1)
    ) u_counter (
      .clk_i,
      .rst_ni,
      .en_i   (one[i]),
      .add_i  (1'b1),
      .count_o(one_count[i])
    );
  end

  for (genvar s = 0; s < 4; s++) begin : gen_stream
    logic entered;
    count_t beats, macs;
    assign entered = array_i.fire && (array_i.stream == stream_e'(s));
    rivulet_counter #(
      .Width   (COUNT_BITS),
      .AddWidth(1)
    ) u_beats (
      .clk_i,
      .rst_ni,
      .en_i   (entered),
      .add_i  (1'b1),
      .count_o(beats)
    );
    rivulet_counter #(
      .Width   (COUNT_BITS),
      .AddWidth(18)
    ) u_macs (
      .clk_i,
      .rst_ni,
      .en_i   (entered),
      .add_i  (array_i.macs),
      .count_o(macs)
    );
    assign counters_o.array_beats[s] = beats;
    assign counters_o.macs[s]        = macs;
  end

  rivulet_counter #(
    .Width   (COUNT_BITS),
    .AddWidth(10)
  ) u_special (
    .clk_i,
    .rst_ni,
    .en_i   (1'b1),
    .add_i  (array_i.special),
    .count_o(counters_o.special)
  );
  rivulet_counter #(
    .Width   (COUNT_BITS),
    .AddWidth(10)
  ) u_saturated (
    .clk_i,
    .rst_ni,
    .en_i   (1'b1),
    .add_i  (array_i.saturated),
    .count_o(counters_o.saturated)
  );

  assign counters_o.cycles      = one_count[0];
  assign counters_o.wait_tile   = one_count[1];
  assign counters_o.wait_psum   = one_count[2];
  assign counters_o.stall_code  = one_count[3];
  assign counters_o.stall_scale = one_count[4];
  assign counters_o.x_beats     = one_count[5];
  assign counters_o.w_beats     = one_count[6];
  assign counters_o.scale_beats = one_count[7];
  assign counters_o.y_beats     = one_count[8];
  assign counters_o.words       = one_count[9];
  assign counters_o.converter   = converter_i;

endmodule
