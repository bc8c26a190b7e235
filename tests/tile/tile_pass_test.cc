// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// What a tile refuses, and the bits of its commands.

#include "sw_model/interfaces/tile_pass.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "sw_model/interfaces/tile_geometry.h"
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

// Whether `action` throws std::invalid_argument with a message that holds `part`.
template <typename Action>
void expect_refused(Action action, const std::string& part) {
  try {
    action();
    ADD_FAILURE() << "accepted, expected an error about " << part;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(TileProgramErrors, RefusesWhatTheTileCannotRun) {
  const GemmShape shape{.m = 1, .n = 1, .k = 1, .group = 32};
  const auto refuses = [](const Configuration& config, const TileProduct& product,
                          const std::string& part) {
    TileProgram program(config);
    expect_refused([&] { program.add(product); }, part);
    EXPECT_EQ(program.products(), 0U);
    EXPECT_TRUE(program.streams().passes.empty());
  };
  const Configuration unit = configuration("unit");
  refuses(unit, one_by_one({.m = 1, .n = 1, .k = 1, .group = 64}, false), "group 64");
  refuses(unit, one_by_one({.m = 1, .n = 1, .k = 1, .group = 32, .align_w = 8}, false),
          "align_w 8");
  refuses(unit, one_by_one({.m = 1, .n = 1, .k = 1, .group = 32, .align_w = 17}, true),
          "align_w 17");
  Configuration narrow = unit;
  narrow.align_w = 12;
  refuses(narrow, one_by_one({.m = 1, .n = 1, .k = 1, .group = 32, .align_w = 13}, false),
          "align_w is 13, it must be 9 to 12");

  TileProduct product = one_by_one(shape, false);
  product.segments = {{.columns = 2}};
  refuses(unit, product, "the segments have 2 columns, the product has 1");
  product.segments = {{.columns = 1}, {.columns = 0}};
  refuses(unit, product, "a segment has no columns");
  product = one_by_one(shape, true);
  product.segments = {{.columns = 1}};
  refuses(unit, product, "a product of BF16 values has no codes, segments or lane groups");
  Configuration q8_only = unit;
  q8_only.q8_only = 1;
  product = one_by_one(shape, false);
  product.read.tier = Tier::kQ4;
  refuses(q8_only, product, "tier is 4, it must be 8 bits");
}

TEST(TileGeometryErrors, RefusesAnIllegalConfiguration) {
  const auto refuses = [](const std::string& part, auto&& change) {
    Configuration config = configuration("unit");
    change(config);
    expect_refused([&] { TileGeometry geometry(config); }, part);
  };
  refuses("Lanes is 12", [](Configuration& c) { c.lanes = 12; });
  refuses("Lanes is 24", [](Configuration& c) { c.lanes = c.group = c.side_lanes = 24; });
  refuses("Lanes is 256", [](Configuration& c) { c.lanes = c.group = 256; });
  refuses("Lanes is 0", [](Configuration& c) { c.lanes = 0; });
  refuses("SideLanes is 2", [](Configuration& c) { c.side_lanes = 2; });
  refuses("SideLanes is 16", [](Configuration& c) { c.side_lanes = 16; });
  refuses("Group is 24", [](Configuration& c) { c.group = 24; });
  refuses("Group is 4", [](Configuration& c) { c.group = 4; });
  refuses("Positions is 0", [](Configuration& c) { c.positions = 0; });
  refuses("AlignW is 8", [](Configuration& c) { c.align_w = 8; });
  refuses("PsumDepth is 0", [](Configuration& c) { c.psum_depth = 0; });
  refuses("PsumDepth is 6", [](Configuration& c) { c.psum_depth = 6; });
  refuses("PsumDepth is 65536", [](Configuration& c) { c.psum_depth = 65536; });
  refuses("ResultDepth is 0", [](Configuration& c) { c.result_depth = 0; });
  refuses("ResultDepth is 10", [](Configuration& c) { c.result_depth = 10; });
  refuses("ReplayBeats is 31", [](Configuration& c) { c.replay_beats = 31; });
  refuses("ReplaySegments is 0", [](Configuration& c) { c.replay_segments = 0; });
  refuses("ReplayQuads is 0", [](Configuration& c) { c.replay_quads = 0; });
  refuses("XValues is 3", [](Configuration& c) { c.x_values = 3; });
  refuses("XValues is 1", [](Configuration& c) { c.x_values = 1; });
  refuses("LoadPairs is 1", [](Configuration& c) { c.load_pairs = 1; });
  refuses("LoadPairs is 3", [](Configuration& c) { c.load_pairs = 3; });
  refuses("LoadPairs is 2", [](Configuration& c) { c.load_pairs = 2; });  // half a beat of x
  refuses("LoadPairs is 4", [](Configuration& c) { c.group = 8; });       // built too fast
  refuses("Positions is 60", [](Configuration& c) { c.positions = 60; });
  refuses("XTiles is -1", [](Configuration& c) { c.x_tiles = -1; });
  refuses("YRows is 0", [](Configuration& c) { c.y_rows = 0; });
  refuses("YRows is 5", [](Configuration& c) { c.y_rows = 5; });
  refuses("PeKind is 2", [](Configuration& c) { c.pe_kind = 2; });
  refuses("Q8Only is 2", [](Configuration& c) { c.q8_only = 2; });
}

TEST(TileGeometryErrors, RefusesIllegalCommands) {
  Configuration unit = configuration("unit");
  unit.align_w = 12;
  const TileGeometry geometry(unit);
  const auto load = [&](const std::string& part, TileLoad command) {
    expect_refused([&] { geometry.check_load(command); }, part);
  };
  geometry.check_load({.keep = true, .slot = 3, .align_w = 12, .rows = 3, .lanes = 32});
  load("align_w is 13", {.align_w = 13, .rows = 3, .lanes = 32});
  load("rows is 4, it must be 1 to 3", {.align_w = 12, .rows = 4, .lanes = 32});
  load("rows is 0", {.align_w = 12, .rows = 0, .lanes = 32});
  load("lanes is 33", {.align_w = 12, .rows = 3, .lanes = 33});
  load("slot is 4, it must be 0 to 3",
       {.keep = true, .slot = 4, .align_w = 9, .rows = 1, .lanes = 1});
  load("keep is 1", {.from_store = true, .keep = true, .align_w = 9, .rows = 1, .lanes = 1});
  Configuration no_store = unit;
  no_store.x_tiles = 0;
  expect_refused(
      [&] {
        TileGeometry(no_store).check_load({.keep = true, .align_w = 9, .rows = 1, .lanes = 1});
      },
      "XTiles is 0");

  const auto read = [&](const std::string& part, TileRead command) {
    expect_refused([&] { geometry.check_read(command); }, part);
  };
  geometry.check_read({.lanes = 32, .columns = 80});
  read("lanes is 0", {.lanes = 0, .columns = 80});
  read("lanes is 33", {.lanes = 33, .columns = 80});
  read("columns is 81, it must be 1 to 80", {.lanes = 32, .columns = 81});
  read("columns is 0", {.lanes = 32, .columns = 0});
  read("align_w is 16", {.bf16 = true, .align_w = 16, .lanes = 32, .columns = 1});

  const auto pass = [&](const std::string& part, TilePass command, size_t columns) {
    expect_refused([&] { geometry.check_pass(command, columns); }, part);
  };
  geometry.check_pass({.base = 76}, 4);
  pass("base is 76, it must be 0 to 75", {.base = 76}, 5);
  pass("base is 2, it must be a multiple of 4", {.base = 2}, 4);
  pass("columns is 81", {.base = 0}, 81);
}

// The bits of a command, as one number.
template <typename Command>
unsigned __int128 packed(const Command& command) {
  const auto words = command.pack();
  unsigned __int128 value = 0;
  for (size_t i = words.size(); i-- > 0;) value = value << 32 | words[i];
  return value;
}
unsigned __int128 field(int low, int width) {
  return ((static_cast<unsigned __int128>(1) << width) - 1) << low;
}

// One field at a time, all ones, from the least significant field up.
TEST(TileCommandTest, LoadFieldsAreInTheBitsOfThePackage) {
  const auto bits = [](auto&& set) {
    TileLoad load{.align_w = 0};
    set(load);
    return packed(load);
  };
  EXPECT_TRUE(bits([](TileLoad&) {}) == 0);
  EXPECT_TRUE(bits([](TileLoad& l) { l.lanes = 255; }) == field(0, 8));
  EXPECT_TRUE(bits([](TileLoad& l) { l.rows = 255; }) == field(8, 8));
  EXPECT_TRUE(bits([](TileLoad& l) { l.align_w = 31; }) == field(16, 5));
  EXPECT_TRUE(bits([](TileLoad& l) { l.slot = 65535; }) == field(21, 16));
  EXPECT_TRUE(bits([](TileLoad& l) { l.keep = true; }) == field(37, 1));
  EXPECT_TRUE(bits([](TileLoad& l) { l.from_store = true; }) == field(38, 1));
}

TEST(TileCommandTest, ReadFieldsAreInTheBitsOfThePackage) {
  const auto bits = [](auto&& set) {
    TileRead read{.tier = Tier::kQ0, .kind = Kind::kKv, .view = {}, .align_w = 0};
    read.view = {
        .rounding = Q4Rounding::kTruncate, .clamp = 0, .shift = 0, .theta_p = 0, .theta_n = 0};
    set(read);
    return packed(read);
  };
  EXPECT_TRUE(bits([](TileRead&) {}) == 0);
  EXPECT_TRUE(bits([](TileRead& r) { r.columns = 65535; }) == field(0, 16));
  EXPECT_TRUE(bits([](TileRead& r) { r.lanes = 255; }) == field(16, 8));
  EXPECT_TRUE(bits([](TileRead& r) { r.align_w = 31; }) == field(24, 5));
  EXPECT_TRUE(bits([](TileRead& r) { r.transpose = true; }) == field(29, 1));
  EXPECT_TRUE(bits([](TileRead& r) { r.view.theta_n = -1; }) == field(30, 9));
  EXPECT_TRUE(bits([](TileRead& r) { r.view.theta_p = -1; }) == field(39, 9));
  EXPECT_TRUE(bits([](TileRead& r) { r.view.shift = 7; }) == field(48, 3));
  EXPECT_TRUE(bits([](TileRead& r) { r.view.clamp = 255; }) == field(51, 8));
  EXPECT_TRUE(bits([](TileRead& r) { r.view.rounding = Q4Rounding::kHalfUp; }) == field(59, 1));
  EXPECT_TRUE(bits([](TileRead& r) { r.kind = Kind::kFfn; }) == field(60, 1));
  EXPECT_TRUE(bits([](TileRead& r) { r.tier = Tier::kQ8; }) == field(61, 2));
  EXPECT_TRUE(bits([](TileRead& r) { r.bf16 = true; }) == field(63, 1));
}

TEST(TileCommandTest, PassFieldsAreInTheBitsOfThePackage) {
  const auto bits = [](auto&& set) {
    TilePass pass;
    set(pass);
    return packed(pass);
  };
  EXPECT_TRUE(bits([](TilePass&) {}) == 0);
  EXPECT_TRUE(bits([](TilePass& p) { p.base = 65535; }) == field(0, 16));
  EXPECT_TRUE(bits([](TilePass& p) { p.free = true; }) == field(16, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.rewind = true; }) == field(17, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.last = true; }) == field(18, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.first = true; }) == field(19, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.job_first = true; }) == field(20, 1));
  EXPECT_TRUE(bits([](TilePass& p) { p.next_tile = true; }) == field(21, 1));
}

}  // namespace
}  // namespace rivulet
