// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Programs, executed by an interpreter that keeps operands instead of sums: every operand carries
// its own position as its value, every ignored place carries poison, and each output must have met
// exactly the operands of its row and column, in rising order of k.

#include "sw_model/tile/tile_program.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "sw_model/common/device_error.h"
#include "sw_model/numerics/fp32.h"
#include "tb/report.h"

namespace rivulet {
namespace {

constexpr uint16_t kPoisonBits = 0x7FC1;
constexpr int8_t kPoisonCode = -128;

size_t size(int value) { return static_cast<size_t>(value); }

// A value that tells where it was: distinct from poison, and from its neighbours in every
// direction.
Bf16 value_at(size_t row, size_t k) {
  return Bf16{static_cast<uint16_t>((row * 311 + k) % 0x7F00)};
}
int8_t code_at(size_t column, size_t k) {
  return static_cast<int8_t>(static_cast<int>((column * 89 + k) % 255) - 127);
}
Bf16 scale_at(size_t column, size_t g) {
  return Bf16{static_cast<uint16_t>((0x1000 + column * 37 + g) % 0x7F00)};
}

enum class Order {
  kCodes,
  kTransposed,
  kMixed,
  kMixedTransposed,
  kGathered,
  kBf16,
  kBf16Transposed
};

// Operands of one product.
struct Operands {
  Operands(GemmShape shape, Order order) : shape(shape), order(order) {
    for (size_t row = 0; row < shape.m; ++row) {
      for (size_t k = 0; k < shape.k; ++k) x.push_back(value_at(row, k));
    }
    codes.resize(shape.n * shape.k);
    w.resize(shape.n * shape.k);
    for (size_t column = 0; column < shape.n; ++column) {
      for (size_t k = 0; k < shape.k; ++k) {
        const size_t place = is_transposed() ? k * shape.n + column : column * shape.k + k;
        codes[place] = code_at(column, k);
        w[place] = value_at(column + 1000, k);
      }
      for (size_t g = 0; g < shape.groups(); ++g) scale.push_back(scale_at(column, g));
    }
    if (order == Order::kGathered) gather();
    if (order != Order::kMixed && order != Order::kMixedTransposed) return;
    constexpr std::array<size_t, 5> kColumns{3, 1, 40, 6, 130};
    for (size_t column = 0, i = 0; column < shape.n; ++i) {
      const size_t columns = std::min(shape.n - column, kColumns[i % kColumns.size()]);
      segments.push_back({.columns = columns, .read = {.tier = static_cast<Tier>((i + 3) % 4)}});
      column += columns;
    }
  }
  bool is_bf16() const { return order == Order::kBf16 || order == Order::kBf16Transposed; }
  bool is_transposed() const {
    return order == Order::kTransposed || order == Order::kMixedTransposed ||
           order == Order::kGathered || order == Order::kBf16Transposed;
  }
  TileProduct product() const {
    if (is_bf16()) return {.shape = shape, .x = x, .w = w, .transpose = is_transposed()};
    return {.shape = shape,
            .x = x,
            .codes = codes,
            .scale = scale,
            .read = {.tier = Tier::kQ4},
            .transpose = is_transposed(),
            .segments = segments,
            .lane_groups = lane_groups};
  }
  // Every fifth lane is not read; the others come from the last one down, in groups of many sizes.
  void gather() {
    for (size_t lane = shape.k, size = 1; lane-- > 0;) {
      if (lane % 5 == 3 && lane_groups.size() > 1) continue;
      if (lane_groups.empty() || lane_groups.back().lanes.size() == size) {
        size = std::min(shape.group, 1 + lane * 7 % 40);
        const size_t i = lane_groups.size();
        lane_groups.push_back({.lanes = {},
                               .scale = (i + 1) % shape.groups(),
                               .read = {.tier = static_cast<Tier>(1 + i % 3)}});
      }
      lane_groups.back().lanes.push_back(lane);
    }
  }
  size_t groups() const { return lane_groups.empty() ? shape.groups() : lane_groups.size(); }
  std::vector<size_t> lanes(size_t g) const {
    if (!lane_groups.empty()) return lane_groups[g].lanes;
    std::vector<size_t> lanes;
    for (size_t k = g * shape.group; k < std::min(shape.k, (g + 1) * shape.group); ++k) {
      lanes.push_back(k);
    }
    return lanes;
  }
  Tier tier(size_t column, size_t g) const {
    if (!lane_groups.empty()) return lane_groups[g].read.tier;
    for (const ColumnSegment& segment : segments) {
      if (column < segment.columns) return segment.read.tier;
      column -= segment.columns;
    }
    return Tier::kQ4;
  }

  GemmShape shape;
  Order order;
  std::vector<Bf16> x, scale, w;
  std::vector<int8_t> codes;
  std::vector<ColumnSegment> segments;
  std::vector<LaneGroup> lane_groups;
};

// Executes the commands of a program as the interface of the tile describes them.
class Interpreter {
 public:
  struct Tile {
    TileLoad load;
    std::vector<uint16_t> x;  // [rows, lanes]
  };
  struct Column {
    TileRead read;
    std::vector<int> operands;  // codes, or bits of BF16 values
    uint16_t scale = 0;
  };
  // What met in one update.
  struct Term {
    const Tile* tile;
    size_t row;  // of the tile
    const Column* column;
  };
  using Sum = std::vector<Term>;

  explicit Interpreter(const TileProgram& program)
      : program_(program),
        s_(program.streams()),
        geometry_(program.geometry()),
        psum_(geometry_.psum_depth(), std::vector<Sum>(geometry_.positions())) {
    for (const TilePass& pass : s_.passes) run(pass);
    EXPECT_EQ(loads_, s_.loads.size());
    EXPECT_EQ(reads_, s_.reads.size());
    EXPECT_EQ(base_, window_.size()) << "segments that are never released";
    EXPECT_EQ(x_, s_.x.size());
    EXPECT_EQ(words_, s_.words.size());
    EXPECT_EQ(w_, s_.w.size());
    EXPECT_EQ(scales_, s_.scales.size());
    EXPECT_EQ(poison_missing_, 0U);
  }

  // The sums of each output, by product.
  std::vector<std::vector<Sum>> outputs() const {
    std::vector<std::vector<Sum>> outputs;
    for (const GemmResult& result : program_.results(beats_)) {
      outputs.emplace_back();
      for (const float number : result.acc) outputs.back().push_back(sums_.at(fp32_bits(number)));
    }
    return outputs;
  }
  size_t output_count() const { return sums_.size(); }

 private:
  struct Segment {
    TileRead read;
    std::vector<const Column*> columns;
  };

  void poison(bool is_poison) { poison_missing_ += is_poison ? 0 : 1; }

  void load() {
    const TileLoad& load = s_.loads.at(loads_++);
    EXPECT_LE(load.rows, geometry_.configuration().positions);
    if (load.from_store) {
      tile_ = store_.at(load.slot);
      EXPECT_EQ(std::tuple(tile_->load.rows, tile_->load.lanes, tile_->load.align_w),
                std::tuple(load.rows, load.lanes, load.align_w));
      return;
    }
    const size_t before = x_;
    Tile tile{.load = load, .x = {}};
    for (int row = 0; row < load.rows; ++row) {
      for (int lane = 0; lane < load.lanes; ++lane) tile.x.push_back(s_.x.at(x_++).bits);
      while (x_ % geometry_.x_values() != 0) poison(s_.x.at(x_++).bits == kPoisonBits);
    }
    EXPECT_EQ(x_ - before, geometry_.x_beats(load) * geometry_.x_values());
    tiles_.push_back(tile);
    tile_ = &tiles_.back();
    if (!load.keep) return;
    EXPECT_LT(size(load.slot), geometry_.x_tiles());
    store_[load.slot] = tile_;
  }

  // Units of one read, [column][lane], from a stream.
  template <typename Next>
  std::vector<std::vector<int>> units(const TileRead& read, bool padded, size_t outputs, Next next,
                                      int poison_value) {
    const size_t columns = size(read.columns);
    const size_t lanes = size(read.lanes);
    std::vector<std::vector<int>> units(columns, std::vector<int>(lanes));
    if (read.transpose) {
      for (size_t block = 0; block < columns; block += outputs) {
        for (size_t lane = 0; lane < lanes; ++lane) {
          for (size_t o = block; o < block + outputs; ++o) {
            const int value = next();
            if (o < columns) {
              units[o][lane] = value;
            } else {
              poison(value == poison_value);
            }
          }
        }
        end_request(read, next, poison_value);
      }
      return units;
    }
    for (std::vector<int>& unit : units) {
      for (int& value : unit) value = next();
      if (padded) {
        for (size_t i = lanes; i < geometry_.group(); ++i) poison(next() == poison_value);
      } else {
        end_request(read, next, poison_value);
      }
    }
    end_request(read, next, poison_value);
    return units;
  }
  template <typename Next>
  void end_request(const TileRead& read, Next next, int poison_value) {
    const size_t& place = read.bf16 ? w_ : words_;
    const size_t beat = read.bf16 ? geometry_.stream_values() : geometry_.word_codes();
    while (place % beat != 0) poison(next() == poison_value);
  }

  void read() {
    const TileRead& read = s_.reads.at(reads_++);
    const auto before = std::tuple(words_, w_, scales_);
    const size_t lanes = size(read.lanes);
    std::vector<std::vector<int>> values(size(read.columns));
    if (read.bf16) {
      values = units(
          read, false, geometry_.group() / 2, [&] { return int{s_.w.at(w_++).bits}; }, kPoisonBits);
    } else if (!read.empty()) {
      const bool padded = lanes == geometry_.group() || geometry_.edges() > 1;
      values = units(
          read, padded, geometry_.group(), [&] { return int{s_.words.at(words_++)}; }, kPoisonCode);
    }
    Segment segment{.read = read, .columns = {}};
    for (size_t i = 0; i < values.size(); ++i) {
      columns_.push_back({.read = read, .operands = values[i], .scale = 0});
      if (!read.bf16 && !read.empty()) {
        columns_.back().scale =
            static_cast<uint16_t>(s_.scales.at(scales_ + i / 4) >> (16 * (i % 4)));
      }
      segment.columns.push_back(&columns_.back());
    }
    if (!read.bf16 && !read.empty()) {
      for (size_t i = values.size(); i % 4 != 0; ++i) {
        poison(static_cast<uint16_t>(s_.scales.at(scales_ + i / 4) >> (16 * (i % 4))) ==
               kPoisonBits);
      }
      scales_ += (values.size() + 3) / 4;
    }
    const auto after = std::tuple(words_, w_, scales_);
    EXPECT_EQ(std::get<0>(after) - std::get<0>(before),
              geometry_.words(read) * geometry_.word_codes());
    EXPECT_EQ(std::get<1>(after) - std::get<1>(before),
              geometry_.w_beats(read) * geometry_.stream_values());
    EXPECT_EQ(std::get<2>(after) - std::get<2>(before), geometry_.scale_beats(read));
    window_.push_back(segment);
  }

  // What is not released must fit, or the tile would wait for ever.
  void check_window() const {
    size_t beats = 0, quads = 0;
    for (size_t i = base_; i < next_; ++i) {
      beats += geometry_.replay_beats(window_[i].read);
      quads += geometry_.replay_quads(window_[i].read);
    }
    const Configuration& c = geometry_.configuration();
    EXPECT_LE(beats, size(c.replay_beats));
    EXPECT_LE(quads, size(c.replay_quads));
    EXPECT_LE(next_ - base_, size(c.replay_segments));
  }

  void run(const TilePass& pass) {
    if (pass.next_tile) load();
    if (pass.rewind) next_ = base_;
    while (next_ >= window_.size()) read();
    const Segment& segment = window_[next_++];
    if (pass.free) {
      base_ = next_;
    } else {
      check_window();
    }
    const size_t columns = segment.columns.size();
    ASSERT_EQ(pass.base % 4, 0);
    ASSERT_LE(size(pass.base) + columns, geometry_.psum_depth());
    std::vector<std::vector<Sum>> sums(columns, std::vector<Sum>(size(tile_->load.rows)));
    for (size_t c = 0; c < columns; ++c) {
      for (size_t r = 0; r < sums[c].size(); ++r) {
        Sum& kept = psum_[size(pass.base) + c][r];
        if (!pass.first) sums[c][r] = kept;
        sums[c][r].push_back({tile_, r, segment.columns[c]});
        if (!pass.last) kept = sums[c][r];
      }
    }
    if (pass.last) send(sums);
  }

  // The beats of a pass; each place holds the number of its sum.
  void send(const std::vector<std::vector<Sum>>& sums) {
    const size_t rows = sums[0].size();
    const size_t before = beats_.size();
    for (size_t quad = 0; quad < sums.size(); quad += 4) {
      for (size_t row = 0; row < rows; row += geometry_.y_rows()) {
        OutputBeat beat;
        for (size_t r = 0; r < geometry_.y_rows() && row + r < rows; ++r) {
          for (size_t c = 0; c < 4 && quad + c < sums.size(); ++c) {
            beat.acc[r][c] = static_cast<uint32_t>(sums_.size());
            sums_.push_back(sums[quad + c][row + r]);
          }
        }
        beats_.push_back(beat);
      }
    }
    beats_.back().last = true;
    EXPECT_EQ(beats_.size() - before, geometry_.y_beats(rows, sums.size()));
  }

  const TileProgram& program_;
  const TileStreams& s_;
  const TileGeometry& geometry_;
  size_t loads_ = 0, reads_ = 0, x_ = 0, words_ = 0, w_ = 0, scales_ = 0;
  size_t poison_missing_ = 0;
  std::deque<Tile> tiles_;
  std::deque<Column> columns_;
  std::map<int, const Tile*> store_;
  const Tile* tile_ = nullptr;
  std::vector<Segment> window_;  // all of them; those from base_ on are not released
  size_t base_ = 0, next_ = 0;
  std::vector<std::vector<Sum>> psum_;  // [column][row]
  std::vector<Sum> sums_;
  std::vector<OutputBeat> beats_;
};

// Whether an output met what it should; empty if so.
std::string difference(const Operands& o, size_t row, size_t column, const Interpreter::Sum& sum) {
  const GemmShape& s = o.shape;
  if (sum.size() != o.groups()) return "groups";
  for (size_t g = 0; g < o.groups(); ++g) {
    const Interpreter::Term& term = sum[g];
    const TileLoad& load = term.tile->load;
    const TileRead& read = term.column->read;
    const std::vector<size_t> lanes = o.lanes(g);
    if (size(load.lanes) != lanes.size() || size(read.lanes) != lanes.size()) return "lanes";
    if (load.align_w != s.align_w || (o.is_bf16() && read.align_w != s.align_w)) return "align_w";
    if (read.bf16 != o.is_bf16() || read.transpose != o.is_transposed()) return "order";
    if (!o.is_bf16() && read.tier != o.tier(column, g)) return "tier";
    const size_t scale = o.lane_groups.empty() ? g : o.lane_groups[g].scale;
    if (!read.empty() && !read.bf16 && term.column->scale != scale_at(column, scale).bits) {
      return "scale";
    }
    for (size_t i = 0; i < lanes.size(); ++i) {
      const size_t k = lanes[i];
      if (term.tile->x[term.row * lanes.size() + i] != value_at(row, k).bits) return "x";
      const int operand =
          o.is_bf16() ? int{value_at(column + 1000, k).bits} : int{code_at(column, k)};
      if (!read.empty() && term.column->operands[i] != operand) return "operand";
    }
  }
  return "";
}

// Checks every output of the products of a program.
void check(const TileProgram& program, const std::vector<Operands>& products) {
  const Interpreter interpreter(program);
  if (testing::Test::HasFailure()) return;
  const auto outputs = interpreter.outputs();
  ASSERT_EQ(outputs.size(), products.size());
  size_t expected = 0;
  for (size_t p = 0; p < products.size(); ++p) {
    const GemmShape& s = products[p].shape;
    for (size_t i = 0; i < s.m * s.n; ++i) {
      ASSERT_EQ(difference(products[p], i / s.n, i % s.n, outputs[p][i]), "")
          << "product " << p << ", output " << i / s.n << ", " << i % s.n;
    }
    expected += s.m * s.n;
  }
  EXPECT_EQ(interpreter.output_count(), expected);
  report().add_compared("outputs", expected);
}

// The named configurations, and one with as little as there can be.
Configuration configuration_of(const std::string& name) {
  if (name != "small") return configuration(name);
  Configuration small = configuration("unit");
  small.replay_beats = 32;
  small.replay_segments = 1;
  small.replay_quads = 3;
  small.x_tiles = 0;
  return small;
}

// Two products in one program, on each configuration and in each order; sizes around every border.
class TileProgramTest : public testing::TestWithParam<std::tuple<const char*, Order>> {};

TEST_P(TileProgramTest, EveryOutputMeetsItsOperands) {
  const auto& [name, order] = GetParam();
  const TileGeometry tile(configuration_of(name));
  const size_t positions = tile.positions();
  const size_t group = tile.group();
  const std::vector<std::array<size_t, 3>> shapes{
      {1, 1, 1},
      {positions, 5, tile.lanes() + 1},
      {2 * positions + 1, 45, 2 * group + 3},
      {1, tile.psum_depth() + 1, 1},
      {positions + 1, 301, group},
      {4 * positions, 131, group + 1},
      {65, 9, 17},
      {1, 77, 3 * group},
  };
  for (const auto& [m, n, k] : shapes) {
    SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
    const std::vector<Operands> products{
        {{.m = m, .n = n, .k = k, .group = tile.group()}, order},
        {{.m = 2, .n = 3, .k = k, .group = 8, .align_w = 12}, order}};
    TileProgram program(tile.configuration(), Padding::kPoison);
    for (const Operands& o : products) program.add(o.product());
    EXPECT_EQ(program.products(), 2U);
    check(program, products);
    if (HasFailure()) return;
  }
}

std::string parameter_name(const testing::TestParamInfo<TileProgramTest::ParamType>& info) {
  constexpr std::array<const char*, 7> kNames{
      "codes", "transposed", "mixed", "mixed_transposed", "gathered", "bf16", "bf16_transposed"};
  return std::string(std::get<0>(info.param)) + "_" +
         kNames[static_cast<size_t>(std::get<1>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(All, TileProgramTest,
                         testing::Combine(testing::Values("unit", "edge", "kv260", "small"),
                                          testing::Values(Order::kCodes, Order::kTransposed,
                                                          Order::kMixed, Order::kMixedTransposed,
                                                          Order::kGathered, Order::kBf16,
                                                          Order::kBf16Transposed)),
                         parameter_name);

// Rows share what was fetched, stripes share the tiles.
TEST(TileProgramTraffic, CodesAreReadOnceForManyRows) {
  for (const char* name : {"edge", "kv260"}) {
    const TileGeometry tile(configuration(name));
    const auto program_of = [&](size_t m, size_t n) {
      const Operands o({.m = m, .n = n, .k = 3 * tile.group(), .group = tile.group()},
                       Order::kCodes);
      TileProgram program(tile.configuration());
      program.add(o.product());
      return program;
    };
    const TileProgram one = program_of(1, 300);
    const TileProgram many = program_of(64, 300);
    EXPECT_EQ(many.streams().words.size(), one.streams().words.size()) << name;
    EXPECT_EQ(many.streams().scales.size(), one.streams().scales.size()) << name;
    EXPECT_EQ(many.streams().x.size(), 64 * one.streams().x.size()) << name;
    const TileProgram striped = program_of(64, 2500);
    EXPECT_GT(striped.streams().reads.size(), many.streams().reads.size()) << name;
    EXPECT_EQ(striped.streams().x.size(), many.streams().x.size()) << name;
  }
}

// A tile that fits all of the rows and k is loaded once.
TEST(TileProgramTraffic, OneTileIsLoadedOnce) {
  const TileGeometry tile(configuration("unit"));
  const Operands o({.m = 2, .n = 5 * tile.psum_depth(), .k = 7, .group = 8}, Order::kCodes);
  TileProgram program(tile.configuration());
  program.add(o.product());
  EXPECT_EQ(program.streams().loads.size(), 1U);
  EXPECT_EQ(program.streams().passes.size(), 5U);
  EXPECT_TRUE(program.streams().passes[0].job_first);
  EXPECT_FALSE(program.streams().passes[1].job_first);
}

// Outputs go back to where they belong, and only as many and as marked as they should be.
TEST(TileProgramResults, OutputsReturnToTheirPlaces) {
  const TileGeometry tile(configuration("unit"));
  TileProgram program(tile.configuration());
  std::vector<Operands> operands;
  operands.emplace_back(
      GemmShape{.m = 2 * tile.positions() + 1, .n = tile.psum_depth() + 3, .k = 5, .group = 8},
      Order::kMixed);
  operands.emplace_back(GemmShape{.m = 1, .n = 1, .k = 9, .group = 8}, Order::kBf16);
  std::vector<GemmResult> results;
  for (const Operands& o : operands) {
    program.add(o.product());
    GemmResult result;
    for (size_t i = 0; i < o.shape.m * o.shape.n; ++i) {
      result.acc.push_back(static_cast<float>(i + 1));
      result.y.push_back(Bf16{static_cast<uint16_t>(i + 1)});
    }
    results.push_back(result);
  }
  std::vector<OutputBeat> beats = program.beats(results);
  EXPECT_EQ(beats.size(), program.streams().y_beats);
  const std::vector<GemmResult> back = program.results(beats);
  ASSERT_EQ(back.size(), results.size());
  uint64_t compared = 0;
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].acc, results[i].acc);
    EXPECT_EQ(back[i].y, results[i].y);
    compared += back[i].acc.size() + back[i].y.size();
  }
  report().add_compared("outputs", compared);

  // The very first beat: rows 0 and 1, columns 0 to 2; the second one: row 2.
  EXPECT_EQ(beats[0].y[0], 0x0000'0003'0002'0001U);
  EXPECT_EQ(beats[0].acc[1][0], fp32_bits(static_cast<float>(operands[0].shape.n + 1)));
  EXPECT_EQ(beats[1].acc[0][0], fp32_bits(static_cast<float>(2 * operands[0].shape.n + 1)));
  EXPECT_EQ(beats[1].y[1], 0U);
  EXPECT_TRUE(beats.back().last);

  beats.back().last = false;
  EXPECT_THROW(program.results(beats), Mismatch);
  beats.back().last = true;
  beats.back().acc[0][3] = 1;  // one column only: the others must be zero
  EXPECT_THROW(program.results(beats), Mismatch);
  beats.back().acc[0][3] = 0;
  beats.back().y[1] = 1;  // and one row
  EXPECT_THROW(program.results(beats), Mismatch);
  beats.pop_back();
  EXPECT_THROW(program.results(beats), Mismatch);
}

}  // namespace
}  // namespace rivulet
