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

  for (genvar i = 0; i < Lanes / 2; i++) begin : gen_pair
    for (genvar j = 0; j < 4; j++) begin : gen_slot
      logic [3:0] q8, q4, q2;
      logic flip_q8, flip_q4;
      assign q8 = {beat_i[16*i+8+2*j+:2], beat_i[16*i+2*j+:2]};
      assign q4 = {
        beat_i[4*((j/2)*Lanes+2*i+1)+2*(j%2)+:2], beat_i[4*((j/2)*Lanes+2*i)+2*(j%2)+:2]
      };
      assign q2 = beat_i[2*(j*Lanes+2*i)+:4];
      assign flip_q8 = (j < 3) || ((stream_i == StreamBf16) && !cycle_i[0]);
      assign flip_q4 = (j % 2) == 0;
      always_comb begin
        unique case ((Q8Only != 0) ? StreamQ8 : stream_i)
          StreamQ2: digits_o[4*(4*i+j)+:4] = q2;
          StreamQ4: digits_o[4*(4*i+j)+:4] = q4 ^ {flip_q4, 1'b0, flip_q4, 1'b0};
          default:  digits_o[4*(4*i+j)+:4] = q8 ^ {flip_q8, 1'b0, flip_q8, 1'b0};
        endcase
      end
    end
  end

endmodule
