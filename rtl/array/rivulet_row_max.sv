// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Maximum of the exponent fields of a row that arrives in beats of Values fields.
 *
 * A balanced tree takes the maximum of a beat, one comparison more that of the row. A register
 * stands after the first level and then after every second one, so that two comparisons follow each
 * other in a cycle at most. One beat per cycle, without back-pressure. The maximum of a row stands
 * at the output, combinational and for one cycle, row_max_stages(Values) - 1 cycles after its last
 * beat came in: in the same cycle for one field, one later for 2 and 4, two for 8 and 16, three for
 * 32 and 64.
 */
module rivulet_row_max
  import rivulet_pkg::*;
#(
  parameter int unsigned Values = 4  // a power of two
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Fields
  input  logic                   valid_i,
  input  logic                   last_i,   // last beat of a row
  input  logic [Values-1:0][7:0] field_i,
  // Maximum of a row
  output logic                   valid_o,
  output logic [       7:0]      max_o
);

  localparam int unsigned Levels = $clog2(Values);

  if (Values != (1 << Levels)) begin : gen_illegal
    $fatal(1, "rivulet_row_max: Values must be a power of two");
  end

  function automatic logic [7:0] larger(logic [7:0] a, logic [7:0] b);
    return (a > b) ? a : b;
  endfunction

  for (genvar l = 0; l <= Levels; l++) begin : gen_level
    localparam int unsigned Fields = Values >> l;
    logic valid, last;
    logic [Fields-1:0][7:0] field;

    if (l == 0) begin : gen_in
      assign valid = valid_i;
      assign last  = last_i;
      assign field = field_i;
    end else begin : gen_larger
      if (l % 2 == 1) begin : gen_reg
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) valid <= 1'b0;
          else valid <= gen_level[l-1].valid;
        end
        always_ff @(posedge clk_i) begin
          if (gen_level[l-1].valid) begin
            last <= gen_level[l-1].last;
            for (int unsigned f = 0; f < Fields; f++) begin
              field[f] <= larger(gen_level[l-1].field[2*f], gen_level[l-1].field[2*f+1]);
            end
          end
        end
      end else begin : gen_wire
        assign valid = gen_level[l-1].valid;
        assign last  = gen_level[l-1].last;
        for (genvar f = 0; f < Fields; f++) begin : gen_field
          assign field[f] = larger(gen_level[l-1].field[2*f], gen_level[l-1].field[2*f+1]);
        end
      end
    end
  end

  // Largest field of the row before this beat; nothing is smaller than zero.
  logic [7:0] max_q;

  assign valid_o = gen_level[Levels].valid && gen_level[Levels].last;
  assign max_o   = larger(gen_level[Levels].field[0], max_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) max_q <= '0;
    else if (gen_level[Levels].valid) max_q <= gen_level[Levels].last ? '0 : max_o;
  end

endmodule
