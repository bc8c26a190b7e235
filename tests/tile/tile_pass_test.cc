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

// One field at a time, all ones: it sets that field of the port and no other bit, and all of them
// together set every bit, so that no field of the port is left out.
template <typename Wire, typename Command>
class FieldsTest {
 public:
  explicit FieldsTest(const Command& zero) : zero_(zero) {
    EXPECT_TRUE(to_wire(zero_).pack() == typename Wire::Words{});
  }
  ~FieldsTest() {
    for (unsigned bit = 0; bit < Wire::kBits; ++bit) {
      EXPECT_EQ(seen_[bit / 64] >> bit % 64 & 1, 1U) << "nothing sets bit " << bit;
    }
  }
  FieldsTest(const FieldsTest&) = delete;
  FieldsTest& operator=(const FieldsTest&) = delete;

  template <typename SetCommand, typename SetWire>
  void same(SetCommand&& set_command, SetWire&& set_wire) {
    Command command = zero_;
    set_command(command);
    Wire want{};
    set_wire(want);
    EXPECT_TRUE(to_wire(command) == want);
    const auto words = want.pack();
    for (size_t i = 0; i < words.size(); ++i) {
      EXPECT_EQ(seen_[i] & words[i], 0U) << "two fields share bits";
      seen_[i] |= words[i];
    }
  }

 private:
  Command zero_;
  typename Wire::Words seen_{};
};

TEST(TileCommandTest, LoadFieldsReachThePort) {
  FieldsTest<wire::Load, TileLoad> fields({.align_w = 0});
  fields.same([](auto& l) { l.lanes = 255; }, [](auto& w) { w.lanes = 255; });
  fields.same([](auto& l) { l.rows = 255; }, [](auto& w) { w.rows = 255; });
  fields.same([](auto& l) { l.align_w = 31; }, [](auto& w) { w.align_w = 31; });
  fields.same([](auto& l) { l.slot = 65535; }, [](auto& w) { w.slot = 65535; });
  fields.same([](auto& l) { l.keep = true; }, [](auto& w) { w.keep = true; });
  fields.same([](auto& l) { l.from_store = true; }, [](auto& w) { w.from_store = true; });
}

TEST(TileCommandTest, ReadFieldsReachThePort) {
  constexpr View kZero{
      .rounding = Q4Rounding::kTruncate, .clamp = 0, .shift = 0, .theta_p = 0, .theta_n = 0};
  FieldsTest<wire::Read, TileRead> fields(
      {.tier = Tier::kQ0, .kind = Kind::kKv, .view = kZero, .align_w = 0});
  fields.same([](auto& r) { r.columns = 65535; }, [](auto& w) { w.columns = 65535; });
  fields.same([](auto& r) { r.lanes = 255; }, [](auto& w) { w.lanes = 255; });
  fields.same([](auto& r) { r.align_w = 31; }, [](auto& w) { w.align_w = 31; });
  fields.same([](auto& r) { r.transpose = true; }, [](auto& w) { w.transpose = true; });
  fields.same([](auto& r) { r.view.theta_n = -1; }, [](auto& w) { w.view.theta_n = -1; });
  fields.same([](auto& r) { r.view.theta_p = -1; }, [](auto& w) { w.view.theta_p = -1; });
  fields.same([](auto& r) { r.view.shift = 7; }, [](auto& w) { w.view.shift = 7; });
  fields.same([](auto& r) { r.view.clamp = 255; }, [](auto& w) { w.view.clamp = 255; });
  fields.same([](auto& r) { r.view.rounding = Q4Rounding::kHalfUp; },
              [](auto& w) { w.view.round_half_up = true; });
  fields.same([](auto& r) { r.kind = Kind::kFfn; }, [](auto& w) { w.kind = wire::Kind::kFfn; });
  fields.same([](auto& r) { r.tier = Tier::kQ8; }, [](auto& w) { w.tier = wire::Tier::kQ8; });
  fields.same([](auto& r) { r.bf16 = true; }, [](auto& w) { w.bf16 = true; });
}

TEST(TileCommandTest, PassFieldsReachThePort) {
  FieldsTest<wire::Pass, TilePass> fields({});
  fields.same([](auto& p) { p.base = 65535; }, [](auto& w) { w.base = 65535; });
  fields.same([](auto& p) { p.free = true; }, [](auto& w) { w.free = true; });
  fields.same([](auto& p) { p.rewind = true; }, [](auto& w) { w.rewind = true; });
  fields.same([](auto& p) { p.last = true; }, [](auto& w) { w.last = true; });
  fields.same([](auto& p) { p.first = true; }, [](auto& w) { w.first = true; });
  fields.same([](auto& p) { p.job_first = true; }, [](auto& w) { w.job_first = true; });
  fields.same([](auto& p) { p.next_tile = true; }, [](auto& w) { w.next_tile = true; });
}

}  // namespace
}  // namespace rivulet
