// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Combinational leading-zero count: count_o zeros above the first set bit, Width if there is none.
 */
module rivulet_lzc #(
  parameter  int unsigned Width  = 40,
  localparam int unsigned CountW = $clog2(Width + 1)
) (
  input  logic [ Width-1:0] data_i,
  output logic [CountW-1:0] count_o
);

  // Halving: a node covers twice the span of its two inputs; an empty upper half adds its length.
  // The word is padded with ones, so that an empty one counts Width.
  localparam int unsigned Levels = $clog2(Width + 1);
  localparam int unsigned Leaves = 1 << Levels;

  always_comb begin
    logic [Leaves-1:0] word;
    logic [Leaves-1:0] empty;
    logic [Levels-1:0] count [Leaves];
    word  = {data_i, {(Leaves - Width) {1'b1}}};
    empty = '0;
    for (int unsigned i = 0; i < Leaves; i++) begin
      count[i] = '0;
      empty[i] = !word[Leaves-1-i];
    end
    for (int unsigned l = 0; l < Levels; l++) begin
      for (int unsigned i = 0; i < (Leaves >> (l + 1)); i++) begin
        count[i]    = empty[2*i] ? count[2*i+1] : count[2*i];
        count[i][l] = empty[2*i];
        empty[i]    = empty[2*i] && empty[2*i+1];
      end
    end
    count_o = CountW'(count[0]);
  end

endmodule
