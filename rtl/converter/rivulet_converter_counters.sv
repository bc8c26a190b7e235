// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Traffic counters of the converter, per tier: codes of accepted requests, beats accepted by the
 * link. An event shows one cycle later. Counters saturate, see rivulet_counter.
 */
module rivulet_converter_counters
  import rivulet_pkg::*;
  import rivulet_converter_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       req_fire_i,
  input  tier_e                      req_tier_i,
  input  logic                [31:0] req_codes_i,
  input  logic                       beat_fire_i,
  input  tier_e                      beat_tier_i,
  output converter_counters_t        counters_o
);

  for (genvar t = 0; t < 4; t++) begin : gen_tiers
    rivulet_counter #(
      .Width   (COUNT_BITS),
      .AddWidth(COUNT_ADD_BITS)
    ) u_codes (
      .clk_i,
      .rst_ni,
      .en_i   (req_fire_i && req_tier_i == tier_e'(t)),
      .add_i  (req_codes_i),
      .count_o(counters_o.codes[t])
    );

    if (t == 0) begin : gen_no_beats
      assign counters_o.beats[t] = '0;
    end else begin : gen_beats
      rivulet_counter #(
        .Width   (COUNT_BITS),
        .AddWidth(COUNT_ADD_BITS)
      ) u_beats (
        .clk_i,
        .rst_ni,
        .en_i   (beat_fire_i && beat_tier_i == tier_e'(t)),
        .add_i  (COUNT_ADD_BITS'(1)),
        .count_o(counters_o.beats[t])
      );
    end
  end

endmodule
