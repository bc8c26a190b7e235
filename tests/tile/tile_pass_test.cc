// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// What a tile refuses, and the bits of a pass command.

#include "sw_model/tile/tile_pass.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "sw_model/tile/tile_geometry.h"
#include "sw_model/tile/tile_program.h"

namespace rivulet {
namespace {

// A product of one lane, one row, one column.
TileProduct one_by_one(GemmShape shape, bool bf16) {
  static const std::vector<Bf16> value{Bf16{0x3F80}};
  static const std::vector<int8_t> code{1};
  if (bf16) return {.shape = shape, .x = value, .w = value};
  return {.shape = shape, .x = value, .codes = code, .scale = value};
}

TEST(TileProgramErrors, RefusesWhatTheTileCannotRun) {
  const Configuration unit = configuration("unit");
  const auto refuses = [&](GemmShape shape, bool bf16, const std::string& names) {
    TileProgram program(unit);
    try {
      program.add(one_by_one(shape, bf16));
      FAIL() << "accepted, expected an error about " << names;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(names), std::string::npos) << error.what();
    }
  };
  refuses({.m = 1, .n = 1, .k = 1, .group = 64}, false, "group 64");
  refuses({.m = 1, .n = 1, .k = 1, .group = 32, .align_w = 8}, false, "align_w 8");
  refuses({.m = 1, .n = 1, .k = 1, .group = 32, .align_w = 17}, true, "align_w 17");
  Configuration narrow = unit;
  narrow.align_w = 12;
  TileProgram program(narrow);
  const GemmShape wide{.m = 1, .n = 1, .k = 1, .group = 32, .align_w = 13};
  EXPECT_THROW(program.add(one_by_one(wide, false)), std::invalid_argument);

  TileProduct product = one_by_one({.m = 1, .n = 1, .k = 1, .group = 32}, false);
  product.read.tier = Tier::kQ0;
  EXPECT_THROW(program.add(product), std::invalid_argument);
}

TEST(TileProgramErrors, RefusesAnIllegalConfiguration) {
  const auto refuses = [](auto&& change) {
    Configuration config = configuration("unit");
    change(config);
    EXPECT_THROW(TileGeometry{config}, std::invalid_argument);
  };
  refuses([](Configuration& c) { c.lanes = 12; });
  refuses([](Configuration& c) { c.lanes = c.group = 24; });
  refuses([](Configuration& c) { c.lanes = c.group = 256; });
  refuses([](Configuration& c) { c.psum_depth = 6; });
  refuses([](Configuration& c) { c.psum_depth = 32768; });
  refuses([](Configuration& c) { c.lanes = 0; });
  refuses([](Configuration& c) { c.group = 24; });
  refuses([](Configuration& c) { c.group = 4; });
  refuses([](Configuration& c) { c.positions = 0; });
  refuses([](Configuration& c) { c.align_w = 8; });
  refuses([](Configuration& c) { c.psum_depth = 0; });
}

TEST(TilePassTest, FieldsAreInTheBitsOfThePackage) {
  // One field at a time, all ones, from the least significant field of pass_t up.
  const auto bits = [](auto&& set) {
    TilePass pass{.stream = Stream::kBf16, .kind = Kind::kKv, .view = {}, .align_w = 0};
    pass.view = {
        .rounding = Q4Rounding::kTruncate, .clamp = 0, .shift = 0, .theta_p = 0, .theta_n = 0};
    set(pass);
    const TilePass::Packed packed = pass.pack();
    unsigned __int128 value = 0;
    for (size_t i = packed.size(); i-- > 0;) value = value << 32 | packed[i];
    return value;
  };
  const auto field = [](int low, int width) {
    return ((static_cast<unsigned __int128>(1) << width) - 1) << low;
  };
  EXPECT_TRUE(bits([](TilePass&) {}) == 0);
  EXPECT_TRUE(bits([](TilePass& p) { p.columns = 65535; }) == field(0, 16));
  EXPECT_TRUE(bits([](TilePass& p) { p.lanes = 255; }) == field(16, 8));
  EXPECT_TRUE(bits([](TilePass& p) { p.rows = 255; }) == field(24, 8));
  EXPECT_TRUE(bits([](TilePass& p) { p.align_w = 31; }) == field(32, 5));
  EXPECT_TRUE(bits([](TilePass& p) { p.last = true; }) == field(37, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.first = true; }) == field(38, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.load = true; }) == field(39, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.transpose = true; }) == field(40, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.view.theta_n = -1; }) == field(41, 9));
  EXPECT_TRUE(bits([](TilePass& p) { p.view.theta_p = -1; }) == field(50, 9));
  EXPECT_TRUE(bits([](TilePass& p) { p.view.shift = 7; }) == field(59, 3));
  EXPECT_TRUE(bits([](TilePass& p) { p.view.clamp = 255; }) == field(62, 8));
  EXPECT_TRUE(bits([](TilePass& p) { p.view.rounding = Q4Rounding::kHalfUp; }) == field(70, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.kind = Kind::kFfn; }) == field(71, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.stream = Stream::kQ8; }) == field(72, 2));
}

}  // namespace
}  // namespace rivulet
