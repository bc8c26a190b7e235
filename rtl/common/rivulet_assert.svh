// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Assertion macros, checked on every rising clock edge outside reset.
 *
 * Properties are boolean: every tool of the project reads them (simulation, synthesis), and no
 * tool-dependent branch can leave one out. They hold in every verilated model; a violation prints
 * the hierarchical name and the text of the property and ends the run with an error. They are
 * immediate assertions on registers of their own, for a sampled property copies all it looks at in
 * every cycle: that was a third of the simulation of the tile.
 *
 *   `ASSERT(Name_A, expr)                        expr holds in every cycle
 *   `ASSERT_NEXT(Name_A, pre, post)              post holds in the cycle after one in which pre held
 *   `ASSERT_STABLE(Name_A, valid, ready, data)   an offer is not withdrawn or changed before it is
 *                                                accepted: both valid and data hold
 *
 * Clock and reset default to clk_i and rst_ni; other ones are given as last arguments. Each macro is
 * violated on purpose in tests/common.
 */

`ifndef RIVULET_ASSERT_SVH
`define RIVULET_ASSERT_SVH

`define ASSERT(name, expr, clk = clk_i, rst_n = rst_ni)                             \
  always_ff @(posedge clk) begin                                                   \
    if (rst_n) begin                                                               \
      name: assert (expr) else $error("%m: violated: %s", `"expr`");               \
    end                                                                            \
  end

// name``_pre_q: pre held in the cycle before, outside reset.
`define ASSERT_NEXT(name, pre, post, clk = clk_i, rst_n = rst_ni)                  \
  logic name``_pre_q;                                                              \
  always_ff @(posedge clk or negedge rst_n) begin                                  \
    if (!rst_n) name``_pre_q <= 1'b0;                                              \
    else name``_pre_q <= pre;                                                      \
  end                                                                              \
  always_ff @(posedge clk) begin                                                   \
    if (rst_n && name``_pre_q) begin                                               \
      name: assert (post)                                                          \
        else $error("%m: violated: %s, one cycle after: %s", `"post`", `"pre`");   \
    end                                                                            \
  end

// name``_wait_q: an offer was not accepted in the cycle before; name``_data_q: what it was in its
// first cycle.
`define ASSERT_STABLE(name, valid, ready, data, clk = clk_i, rst_n = rst_ni)       \
  logic name``_wait_q;                                                             \
  logic [$bits(data)-1:0] name``_data_q;                                           \
  always_ff @(posedge clk or negedge rst_n) begin                                  \
    if (!rst_n) name``_wait_q <= 1'b0;                                             \
    else name``_wait_q <= (valid) && !(ready);                                     \
  end                                                                              \
  always_ff @(posedge clk) begin                                                   \
    if ((valid) && !(ready) && !name``_wait_q) name``_data_q <= data;              \
    if (rst_n && name``_wait_q) begin                                              \
      name: assert ((valid) && (name``_data_q == (data)))                          \
        else $error("%m: violated: %s withdrawn or %s changed before %s",          \
                    `"valid`", `"data`", `"ready`");                               \
    end                                                                            \
  end

`endif
