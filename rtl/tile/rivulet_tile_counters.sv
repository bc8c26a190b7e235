// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Counters of the tile, from the events of a cycle. A counter shows an event two cycles later; the
 * counters of the converter show theirs after one.
 */
module rivulet_tile_counters
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
  import rivulet_tile_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  array_events_t       array_i,
  input  logic                load_i,       // handshakes of the streams
  input  logic                x_i,
  input  logic                w_i,
  input  logic                scale_i,
  input  logic                y_i,
  input  logic                word_i,
  input  converter_counters_t converter_i,
  output tile_counters_t      counters_o
);

  // Events that count one at a time, in the order of the outputs below.
  localparam int unsigned Ones = 15;
  logic          [Ones-1:0] one_q;
  count_t                   one_count[Ones];
  array_events_t            array_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      one_q   <= '0;
      array_q <= '0;
    end else begin
      array_q <= array_i;
      one_q <= {
        load_i,
        word_i,
        y_i,
        scale_i,
        w_i,
        x_i,
        array_i.waits.results,
        array_i.waits.psum,
        array_i.waits.scales,
        array_i.waits.codes,
        array_i.waits.load,
        array_i.waits.first_load,
        array_i.waits.no_job,
        array_i.carry,
        1'b1
      };
    end
  end

  for (genvar i = 0; i < Ones; i++) begin : gen_one
    rivulet_counter #(
      .Width   (COUNT_BITS),
      .AddWidth(1)
    ) u_counter (
      .clk_i,
      .rst_ni,
      .en_i   (one_q[i]),
      .add_i  (1'b1),
      .count_o(one_count[i])
    );
  end

  for (genvar s = 0; s < 4; s++) begin : gen_stream
    logic entered;
    count_t beats, macs;
    assign entered = array_q.fire && (array_q.stream == stream_e'(s));
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
      .add_i  (array_q.macs),
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
    .en_i   (array_q.special != '0),
    .add_i  (array_q.special),
    .count_o(counters_o.special)
  );
  rivulet_counter #(
    .Width   (COUNT_BITS),
    .AddWidth(10)
  ) u_saturated (
    .clk_i,
    .rst_ni,
    .en_i   (array_q.saturated != '0),
    .add_i  (array_q.saturated),
    .count_o(counters_o.saturated)
  );

  // Counted one by one, above.
  logic unused_events;
  assign unused_events              = ^array_q;

  assign counters_o.cycles          = one_count[0];
  assign counters_o.carry_beats     = one_count[1];
  assign counters_o.wait_no_job     = one_count[2];
  assign counters_o.wait_first_load = one_count[3];
  assign counters_o.wait_load       = one_count[4];
  assign counters_o.wait_codes      = one_count[5];
  assign counters_o.wait_scales     = one_count[6];
  assign counters_o.wait_psum       = one_count[7];
  assign counters_o.wait_results    = one_count[8];
  assign counters_o.x_beats         = one_count[9];
  assign counters_o.w_beats         = one_count[10];
  assign counters_o.scale_beats     = one_count[11];
  assign counters_o.y_beats         = one_count[12];
  assign counters_o.words           = one_count[13];
  assign counters_o.loads           = one_count[14];
  assign counters_o.converter       = converter_i;

endmodule
