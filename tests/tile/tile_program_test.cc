// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The streams of a program, element by element: every operand carries its own position as its
// value, every ignored place carries poison, and the test walks the passes in the order that the
// tile promises to read them.

#include "sw_model/tile/tile_program.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/device_error.h"
#include "tb/report.h"

namespace rivulet {
namespace {

constexpr uint16_t kPoisonBits = 0x7FC1;
constexpr int8_t kPoisonCode = -128;

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

enum class Order { kCodes, kTransposed, kBf16 };

// Operands of one product.
struct Operands {
  Operands(GemmShape shape, Order order) : shape(shape), order(order) {
    for (size_t row = 0; row < shape.m; ++row) {
      for (size_t k = 0; k < shape.k; ++k) x.push_back(value_at(row, k));
    }
    for (size_t column = 0; column < shape.n; ++column) {
      for (size_t k = 0; k < shape.k; ++k) {
        codes.push_back(code_at(column, k));
        w.push_back(value_at(column + 1000, k));
      }
      for (size_t g = 0; g < shape.groups(); ++g) scale.push_back(scale_at(column, g));
    }
  }
  TileProduct product() const {
    if (order == Order::kBf16) return {.shape = shape, .x = x, .w = w};
    return {.shape = shape,
            .x = x,
            .codes = codes,
            .scale = scale,
            .read = {.tier = Tier::kQ4},
            .transpose = order == Order::kTransposed};
  }

  GemmShape shape;
  Order order;
  std::vector<Bf16> x, scale, w;
  std::vector<int8_t> codes;
};

// Reads the streams of a program front to back.
class Walker {
 public:
  explicit Walker(const TileProgram& program) : program_(program) {}

  const TilePass& pass() { return program_.passes().at(passes_++); }
  // One row of values as beats; poison beyond them.
  template <typename Expected>
  void beats(const std::vector<uint64_t>& stream, size_t& next, size_t count, Expected expected) {
    for (size_t i = 0; i < (count + 3) / 4 * 4; ++i) {
      const auto bits = static_cast<uint16_t>(stream.at(next + i / 4) >> (16 * (i % 4)));
      check(i < count ? expected(i).bits : kPoisonBits, bits);
    }
    next += (count + 3) / 4;
  }
  template <typename Expected>
  void x(size_t count, Expected expected) {
    beats(program_.x(), x_, count, expected);
  }
  template <typename Expected>
  void scale(size_t count, Expected expected) {
    beats(program_.scale(), scale_, count, expected);
  }
  void code(int8_t expected) { check(expected, program_.words().at(words_++)); }
  void end_request() {
    while (words_ % program_.geometry().word_codes() != 0) code(kPoisonCode);
  }
  template <typename Expected>
  void w(size_t count, Expected expected) {
    const size_t beat = program_.geometry().stream_values();
    for (size_t i = 0; i < (count + beat - 1) / beat * beat; ++i) {
      check(i < count ? expected(i).bits : kPoisonBits, program_.w().at(w_++).bits);
    }
  }
  void expect_end() {
    EXPECT_EQ(passes_, program_.passes().size());
    EXPECT_EQ(x_, program_.x().size());
    EXPECT_EQ(scale_, program_.scale().size());
    EXPECT_EQ(words_, program_.words().size());
    EXPECT_EQ(w_, program_.w().size());
    EXPECT_EQ(mismatches_, 0U);
    report().add_compared("stream elements", compared_);
  }

 private:
  template <typename T>
  void check(T expected, T got) {
    ++compared_;
    if (expected == got) return;
    if (mismatches_++ == 0) {
      ADD_FAILURE() << "pass " << passes_ - 1 << ", element " << compared_ - 1 << ": expected "
                    << expected << ", got " << got;
    }
  }

  const TileProgram& program_;
  size_t passes_ = 0, x_ = 0, scale_ = 0, words_ = 0, w_ = 0;
  uint64_t compared_ = 0, mismatches_ = 0;
};

// Walks one product as the interface of the tile describes it.
void walk(Walker& walker, const Operands& o, const TileGeometry& tile) {
  const GemmShape& s = o.shape;
  const size_t depth =
      o.order == Order::kTransposed ? std::min(tile.psum_depth(), tile.group()) : tile.psum_depth();
  for (size_t row = 0; row < s.m; row += tile.positions()) {
    const size_t rows = std::min(tile.positions(), s.m - row);
    for (size_t column = 0; column < s.n; column += depth) {
      const size_t units = std::min(depth, s.n - column);
      for (size_t g = 0; g < s.groups(); ++g) {
        const size_t first_k = g * s.group;
        const size_t lanes = std::min(s.group, s.k - first_k);
        const TilePass& pass = walker.pass();
        EXPECT_EQ(pass.stream, o.order == Order::kBf16 ? Stream::kBf16 : Stream::kQ4);
        EXPECT_EQ(pass.transpose, o.order == Order::kTransposed);
        EXPECT_EQ(pass.load, column == 0 || s.groups() > 1);
        EXPECT_EQ(pass.first, g == 0);
        EXPECT_EQ(pass.last, g == s.groups() - 1);
        EXPECT_EQ(std::tuple(pass.rows, pass.lanes, pass.columns, pass.align_w),
                  std::tuple(static_cast<int>(rows), static_cast<int>(lanes),
                             static_cast<int>(units), s.align_w));
        for (size_t r = 0; pass.load && r < rows; ++r) {
          walker.x(lanes, [&](size_t i) { return value_at(row + r, first_k + i); });
        }
        if (o.order == Order::kBf16) {
          for (size_t u = 0; u < units; ++u) {
            walker.w(lanes, [&](size_t i) { return value_at(column + u + 1000, first_k + i); });
          }
          continue;
        }
        walker.scale(units, [&](size_t i) { return scale_at(column + i, g); });
        if (o.order == Order::kTransposed) {
          for (size_t lane = 0; lane < lanes; ++lane) {
            for (size_t output = 0; output < tile.group(); ++output) {
              walker.code(output < units ? code_at(column + output, first_k + lane) : kPoisonCode);
            }
          }
        } else {
          const bool whole = lanes == tile.group() || tile.group() / tile.lanes() < 4;
          for (size_t u = 0; u < units; ++u) {
            for (size_t i = 0; i < lanes; ++i) walker.code(code_at(column + u, first_k + i));
            for (size_t i = lanes; whole && i < tile.group(); ++i) walker.code(kPoisonCode);
            if (!whole) walker.end_request();
          }
        }
        walker.end_request();
      }
    }
  }
}

// Two products in one program, on each configuration and in each order; sizes around every border.
class TileProgramTest : public testing::TestWithParam<std::tuple<const char*, Order>> {};

TEST_P(TileProgramTest, EveryElementIsInItsPlace) {
  const auto& [name, order] = GetParam();
  const TileGeometry tile(configuration(name));
  const std::vector<size_t> sizes_m{1, tile.positions(), 2 * tile.positions() + 1};
  const std::vector<size_t> sizes_n{1, 5, tile.psum_depth(), tile.psum_depth() + 1};
  const std::vector<size_t> sizes_k{1, tile.lanes() + 1, tile.group(), 2 * tile.group() + 3};
  for (const size_t m : sizes_m) {
    for (const size_t n : sizes_n) {
      for (const size_t k : sizes_k) {
        SCOPED_TRACE(testing::Message() << "m " << m << " n " << n << " k " << k);
        const Operands first({.m = m, .n = n, .k = k, .group = tile.group()}, order);
        const Operands second({.m = 1, .n = 3, .k = k, .group = 8, .align_w = 12}, order);
        TileProgram program(tile.configuration(), Padding::kPoison);
        program.add(first.product());
        program.add(second.product());
        Walker walker(program);
        walk(walker, first, tile);
        walk(walker, second, tile);
        walker.expect_end();
        if (HasFailure()) return;
      }
    }
  }
}

// Outputs go back to where they belong, and only as many and as marked as they should be.
TEST_P(TileProgramTest, OutputsReturnToTheirPlaces) {
  const auto& [name, order] = GetParam();
  const TileGeometry tile(configuration(name));
  TileProgram program(tile.configuration());
  std::vector<Operands> operands;
  operands.emplace_back(
      GemmShape{.m = 2 * tile.positions() + 1, .n = tile.psum_depth() + 3, .k = 5, .group = 8},
      order);
  operands.emplace_back(GemmShape{.m = 1, .n = 1, .k = 9, .group = 8}, order);
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
  EXPECT_EQ(beats.size(), program.y_beat_count());
  const std::vector<GemmResult> back = program.results(beats);
  ASSERT_EQ(back.size(), results.size());
  uint64_t compared = 0;
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].acc, results[i].acc);
    EXPECT_EQ(back[i].y, results[i].y);
    compared += back[i].acc.size() + back[i].y.size();
  }
  report().add_compared("outputs", compared);

  // The very first beat: row 0, columns 0 to 3; the second one: row 1, the same columns.
  EXPECT_EQ(beats[0].y, 0x0004'0003'0002'0001U);
  EXPECT_EQ(beats[1].acc[0], fp32_bits(static_cast<float>(operands[0].shape.n + 1)));
  EXPECT_TRUE(beats.back().last);

  beats.back().last = false;
  EXPECT_THROW(program.results(beats), Mismatch);
  beats.back().last = true;
  beats.back().acc[3] = 1;  // one column only: the others must be zero
  EXPECT_THROW(program.results(beats), Mismatch);
  beats.pop_back();
  EXPECT_THROW(program.results(beats), Mismatch);
}

std::string parameter_name(const testing::TestParamInfo<TileProgramTest::ParamType>& info) {
  constexpr std::array<const char*, 3> kNames{"codes", "transposed", "bf16"};
  return std::string(std::get<0>(info.param)) + "_" +
         kNames[static_cast<size_t>(std::get<1>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(All, TileProgramTest,
                         testing::Combine(testing::Values("unit", "edge", "kv260"),
                                          testing::Values(Order::kCodes, Order::kTransposed,
                                                          Order::kBf16)),
                         parameter_name);

}  // namespace
}  // namespace rivulet
