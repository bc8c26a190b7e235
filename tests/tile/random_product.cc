// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/random_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sw_model/tile/golden_product.h"

namespace rivulet {
namespace {

enum OperandKind : size_t { kNearOne, kEveryClass, kFewSpecials, kCancelling, kZeroRows, kLargest };

// Magnitudes 2^-6 to 2^6, any sign and fraction.
Bf16 near_one(Random& random) {
  const auto field = static_cast<uint64_t>(random.between(127 - 6, 127 + 6));
  return Bf16{static_cast<uint16_t>(random.below(2) << 15 | field << 7 | random.below(128))};
}

View random_view(Random& random) {
  if (random.chance(0.3)) return {};
  return {.rounding = static_cast<Q4Rounding>(random.below(2)),
          .clamp = static_cast<int>(random.between(1, 128)),
          .shift = static_cast<int>(random.between(0, 5)),
          .theta_p = static_cast<int>(random.between(1, 128)),
          .theta_n = static_cast<int>(random.between(-129, 0))};
}

// [n, k] as [k, n].
template <typename T>
std::vector<T> transposed(const std::vector<T>& values, size_t n, size_t k) {
  std::vector<T> result(values.size());
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < k; ++j) result[j * n + i] = values[i * k + j];
  }
  return result;
}

}  // namespace

TileProduct OwnedProduct::product() const {
  return {.shape = shape,
          .x = x,
          .codes = codes,
          .scale = scale,
          .w = w,
          .read = read,
          .transpose = transpose,
          .segments = segments,
          .lane_groups = lane_groups};
}

GemmResult OwnedProduct::golden() const { return golden_product(product()); }

std::string OwnedProduct::describe() const {
  std::string text = fmt::format(
      "{} m {} n {} k {} group {} align_w {}{}", kStreamNames[static_cast<size_t>(stream)], shape.m,
      shape.n, shape.k, shape.group, shape.align_w, transpose ? " transposed" : "");
  for (const ColumnSegment& segment : segments) {
    text += fmt::format(", {} columns q{}", segment.columns, bits_per_code(segment.read.tier));
  }
  for (const LaneGroup& group : lane_groups) {
    text += fmt::format(", {} lanes q{}", group.lanes.size(), bits_per_code(group.read.tier));
  }
  return text;
}

ProductSource::ProductSource()
    : kinds_(
          "operands",
          {"near_one", "every_finite_class", "few_specials", "cancelling", "zero_rows", "largest"},
          "tests/data/operand_classes.json") {}

std::string ProductSource::never_drawn() const {
  return kinds_.never_picked() + values_.never_drawn() + finite_.never_drawn() +
         codes_.never_drawn();
}

// `rows` rows of equal length.
void ProductSource::fill(Random& random, size_t kind, std::vector<Bf16>& values, size_t rows) {
  for (Bf16& value : values) {
    value =
        kind == kEveryClass ? Bf16{static_cast<uint16_t>(finite_.draw(random))} : near_one(random);
  }
  if (kind == kFewSpecials) {
    for (int i = 0; i < 8; ++i) {
      values[random.below(values.size())] = Bf16{static_cast<uint16_t>(values_.draw(random))};
    }
  }
  const size_t length = values.size() / rows;
  for (size_t row = 0; row < rows; ++row) {
    Bf16* first = values.data() + row * length;
    if (kind == kCancelling) {  // the second half takes back the first one
      for (size_t i = 0; i + 1 < length; i += 2) {
        first[i + 1].bits = static_cast<uint16_t>(first[i].bits ^ 0x8000);
      }
    }
    if (kind == kLargest) {
      std::fill_n(first, length, Bf16{static_cast<uint16_t>(random.chance(0.5) ? 0x3FFF : 0xBFFF)});
    }
    if (kind == kZeroRows && random.chance(0.5)) {
      for (size_t i = 0; i < length; ++i) first[i].bits = random.chance(0.5) ? 0x8000 : 0;
    }
  }
}

OwnedProduct ProductSource::draw(Random& random, const Configuration& configuration,
                                 const TileShape& shape, Stream stream, bool transpose) {
  OwnedProduct p;
  const auto group = static_cast<uint64_t>(configuration.group);
  p.shape = {.m = shape.m,
             .n = shape.n,
             .k = shape.k,
             .group = random.chance(0.8) ? group : 1 + random.below(group),
             .align_w = configuration.align_w};
  if (random.chance(0.5)) {
    p.shape.align_w = static_cast<int>(random.between(kMinAlignWidth, configuration.align_w));
  }
  p.stream = stream;
  p.transpose = transpose;
  p.read.kind = static_cast<Kind>(random.below(2));
  const size_t kind = kinds_.pick(random);
  p.x.resize(shape.m * shape.k);
  fill(random, kind, p.x, shape.m);
  if (stream == Stream::kBf16) {
    p.w.resize(shape.n * shape.k);
    fill(random,
         kinds_.pick(random) == kEveryClass ? kEveryClass
         : kind == kCancelling              ? kNearOne
                                            : kind,
         p.w, shape.n);
    if (kind == kCancelling) {  // equal neighbours, so that the pairs of x cancel
      for (size_t i = 0; i + 1 < p.w.size(); i += 2) p.w[i + 1] = p.w[i];
    }
    if (transpose) p.w = transposed(p.w, shape.n, shape.k);
    return p;
  }
  p.read.tier = static_cast<Tier>(stream);
  p.read.view = random_view(random);
  p.codes.resize(shape.n * shape.k);
  for (int8_t& code : p.codes) code = codes_.code(random);
  if (kind == kLargest) {
    p.read.view = {};
    std::fill(p.codes.begin(), p.codes.end(), random.chance(0.5) ? int8_t{-128} : int8_t{127});
  }
  if (kind == kCancelling) {
    for (size_t row = 0; row < shape.n; ++row) {
      for (size_t i = 0; i + 1 < shape.k; i += 2) {
        p.codes[row * shape.k + i + 1] = p.codes[row * shape.k + i];
      }
    }
  }
  if (transpose) p.codes = transposed(p.codes, shape.n, shape.k);
  p.scale.resize(shape.n * p.shape.groups());
  fill(random, kind == kCancelling ? static_cast<size_t>(kNearOne) : kind, p.scale, shape.n);
  return p;
}

void ProductSource::mix(Random& random, const Configuration& configuration, OwnedProduct& product) {
  constexpr std::array<size_t, 8> kColumns{1, 2, 3, 4, 7, 16, 33, 100};
  for (size_t column = 0; column < product.shape.n;) {
    const size_t left = product.shape.n - column;
    ColumnSegment segment{.columns = std::min(left, kColumns[random.below(kColumns.size())]),
                          .read = {.kind = product.read.kind, .view = random_view(random)}};
    segment.read.tier = static_cast<Tier>(random.below(4));
    if (configuration.q8_only != 0 && segment.read.tier != Tier::kQ0) {
      segment.read.tier = Tier::kQ8;
    }
    product.segments.push_back(segment);
    column += segment.columns;
  }
}

void ProductSource::gather(Random& random, const Configuration& configuration,
                           OwnedProduct& product) {
  std::vector<size_t> lanes(product.shape.k);
  std::iota(lanes.begin(), lanes.end(), size_t{0});
  for (size_t i = lanes.size(); i > 1; --i) std::swap(lanes[i - 1], lanes[random.below(i)]);
  for (size_t first = 0; first < lanes.size();) {
    const size_t size =
        std::min(lanes.size() - first,
                 random.chance(0.5) ? product.shape.group : 1 + random.below(product.shape.group));
    first += size;
    if (!product.lane_groups.empty() && random.chance(0.2)) continue;
    const auto end = lanes.begin() + static_cast<std::ptrdiff_t>(first);
    LaneGroup group{.lanes = {end - static_cast<std::ptrdiff_t>(size), end},
                    .scale = random.below(product.shape.groups()),
                    .read = {.kind = product.read.kind, .view = random_view(random)}};
    group.read.tier =
        configuration.q8_only != 0 ? Tier::kQ8 : static_cast<Tier>(1 + random.below(3));
    product.lane_groups.push_back(std::move(group));
  }
}

}  // namespace rivulet
