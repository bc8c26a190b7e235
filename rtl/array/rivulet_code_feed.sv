// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Code feed: spreads one link beat over the digit slots of the array (docs/array.md).
 *
 * Combinational. Slot j of lane pair i takes two digits, {d1, d0} for lanes 2i + 1 and 2i, from the
 * slice and the part of the group that the stream puts there:
 *
 *   q8     slice j of both codes             BF16   slice j of the low or the high bytes
 *   q4     slice j % 2, lanes of half j / 2  q2     the only slice, lanes of quarter j
 *
 * A slice is read as a two's complement digit -2..1. Slices below the top one of their code are
 * unsigned, so their upper bit is inverted, which subtracts two; the bias of rivulet_dot_row makes
 * up for it.
 */
module rivulet_code_feed
  import rivulet_pkg::*;
#(
  parameter  int unsigned Lanes  = 32,
  parameter  int unsigned Subs   = 4,
  parameter  int unsigned Q8Only = 0,                              // only q8 and BF16 streams
  localparam int unsigned SubW   = (Subs > 1) ? $clog2(Subs) : 1,
  localparam int unsigned CycleW = 1 + $clog2(2 * Subs)
) (
  input  stream_e               stream_i,
  input  logic    [ CycleW-1:0] cycle_i,   // of the unit
  input  logic    [8*Lanes-1:0] beat_i,
  output logic    [ 4*SubW-1:0] sub_o,     // by slot
  output logic    [8*Lanes-1:0] digits_o   // pair i, slot j at 4 * (4 * i + j)
);

  always_comb begin
    for (int unsigned j = 0; j < 4; j++) begin
      unique case (stream_i)
        StreamQ2: sub_o[SubW*j+:SubW] = SubW'((32'(cycle_i) * 4 + j) % Subs);
        StreamQ4: sub_o[SubW*j+:SubW] = SubW'((32'(cycle_i) * 2 + j / 2) % Subs);
        StreamQ8: sub_o[SubW*j+:SubW] = SubW'(32'(cycle_i) % Subs);
        default:  sub_o[SubW*j+:SubW] = SubW'((32'(cycle_i) / 2) % Subs);
      endcase
    end
  end

  // Digits of a lane pair stand in 16 bits, {d1, d0} of slot 3 to slot 0. Bytes 1 and 0 of a q8 beat
  // are the codes of a pair, their slices a3 a2 a1 a0 and b3 b2 b1 b0:
  //   a3 a2 a1 a0 b3 b2 b1 b0  ->  a3 a2 b3 b2 a1 a0 b1 b0  ->  a3 b3 a2 b2 a1 b1 a0 b0
  // A byte of a q4 beat holds the codes of a pair, so that the second step is enough.
  logic [8*Lanes-1:0] pairs;  // of q4, from both halves of the beat; of q8, after the first step
  logic [15:0] flip_q8;  // the upper bit of a slice below the top one is inverted

  assign flip_q8 = ((stream_i == StreamBf16) && !cycle_i[0]) ? 16'hAAAA : 16'h0AAA;

  always_comb begin
    pairs = '0;
    unique case ((Q8Only != 0) ? StreamQ8 : stream_i)
      StreamQ2: begin
        for (int unsigned i = 0; i < Lanes / 2; i++) begin
          digits_o[16*i+:16] = {
            beat_i[6*Lanes+4*i+:4], beat_i[4*Lanes+4*i+:4], beat_i[2*Lanes+4*i+:4], beat_i[4*i+:4]
          };
        end
      end
      StreamQ4: begin
        for (int unsigned i = 0; i < Lanes / 2; i++) begin
          pairs[16*i+:16] = {beat_i[4*Lanes+8*i+:8], beat_i[8*i+:8]};
        end
        digits_o = ((pairs & {Lanes{8'hC3}}) | ((pairs & {Lanes{8'h30}}) >> 2) |
                    ((pairs & {Lanes{8'h0C}}) << 2)) ^ {(Lanes / 2) {16'h0A0A}};
      end
      default: begin
        pairs = (beat_i & {(Lanes / 2) {16'hF00F}}) | ((beat_i & {(Lanes / 2) {16'h0F00}}) >> 4) |
            ((beat_i & {(Lanes / 2) {16'h00F0}}) << 4);
        digits_o = ((pairs & {Lanes{8'hC3}}) | ((pairs & {Lanes{8'h30}}) >> 2) |
                    ((pairs & {Lanes{8'h0C}}) << 2)) ^ {(Lanes / 2) {flip_q8}};
      end
    endcase
  end

endmodule
