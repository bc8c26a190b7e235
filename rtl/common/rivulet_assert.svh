// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Assertion macros, checked on every rising clock edge outside reset.
 *
 * Properties are boolean: every tool of the project reads them (simulation, synthesis, proof), and no
 * tool-dependent branch can leave one out. They hold in every verilated model; a violation prints
 * the hierarchical name and the text of the property and ends the run with an error.
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

`define ASSERT(name, expr, clk = clk_i, rst_n = rst_ni)                            \
  name: assert property (@(posedge clk) disable iff (!(rst_n)) (expr))             \
    else $error("%m: violated: %s", `"expr`");

`define ASSERT_NEXT(name, pre, post, clk = clk_i, rst_n = rst_ni)                  \
  name: assert property (@(posedge clk) disable iff (!(rst_n))                     \
      (!$past(rst_n) || !$past(pre) || (post)))                                    \
    else $error("%m: violated: %s, one cycle after: %s", `"post`", `"pre`");

`define ASSERT_STABLE(name, valid, ready, data, clk = clk_i, rst_n = rst_ni)       \
  name: assert property (@(posedge clk) disable iff (!(rst_n))                     \
      (!$past(rst_n) || !$past((valid) && !(ready)) || ((valid) && $stable(data)))) \
    else $error("%m: violated: %s withdrawn or %s changed before %s",              \
                `"valid`", `"data`", `"ready`");

`endif
