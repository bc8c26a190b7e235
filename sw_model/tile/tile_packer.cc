// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_packer.h"

#include <algorithm>

namespace rivulet {
namespace {

constexpr Bf16 kPoisonValue{0x7FC1};  // a NaN
constexpr int8_t kPoisonCode = -128;

// Appends `padding` until the size is a multiple of `unit`.
template <typename T>
void fill_up(std::vector<T>& values, size_t unit, T padding) {
  values.resize(round_up(values.size(), unit), padding);
}

// Appends the values of one group of lanes in a row of k.
template <typename T>
void add_lanes(const TileProduct& product, size_t group, std::span<const T> row,
               std::vector<T>& stream) {
  const size_t lanes = product.lanes(group);
  if (product.lane_groups.empty()) {
    const auto values = row.subspan(product.lane(group, 0), lanes);
    stream.insert(stream.end(), values.begin(), values.end());
    return;
  }
  for (const size_t lane : product.lane_groups[group].lanes) stream.push_back(row[lane]);
}

}  // namespace

TilePacker::TilePacker(const TileGeometry& geometry, Padding padding)
    : geometry_(geometry),
      value_padding_(padding == Padding::kPoison ? kPoisonValue : Bf16{}),
      code_padding_(padding == Padding::kPoison ? kPoisonCode : int8_t{0}) {}

void TilePacker::add_x(const TileProduct& product, const TileSchedule::Load& load,
                       std::vector<Bf16>& x) const {
  if (load.command.from_store) return;
  const size_t k = product.shape.k;
  for (size_t row = load.rows.first; row < load.rows.end(); ++row) {
    add_lanes(product, load.group, product.x.subspan(row * k, k), x);
    fill_up(x, geometry_.x_values(), value_padding_);
  }
}

void TilePacker::add_words(const TileProduct& product, const TileSchedule::Read& read,
                           std::vector<int8_t>& words) const {
  if (read.command.bf16 || read.command.empty()) return;
  const bool whole = geometry_.whole_units(static_cast<size_t>(read.command.lanes));
  add_operand(product, read, product.codes, whole ? geometry_.group() : geometry_.word_codes(),
              geometry_.word_codes(), code_padding_, words);
}

void TilePacker::add_w(const TileProduct& product, const TileSchedule::Read& read,
                       std::vector<Bf16>& w) const {
  if (!read.command.bf16) return;
  add_operand(product, read, product.w, geometry_.stream_values(), geometry_.stream_values(),
              value_padding_, w);
}

// In dot order column by column, each padded to a multiple of `unit`; along the outputs in blocks
// of columns, each lane by lane. Both in whole beats, blocks too.
template <typename T>
void TilePacker::add_operand(const TileProduct& product, const TileSchedule::Read& read,
                             std::span<const T> operand, size_t unit, size_t beat, T padding,
                             std::vector<T>& stream) const {
  const size_t lanes = product.lanes(read.group);
  if (!product.transpose) {
    const size_t k = product.shape.k;
    for (size_t column = read.columns.first; column < read.columns.end(); ++column) {
      add_lanes(product, read.group, operand.subspan(column * k, k), stream);
      stream.resize(stream.size() + round_up(lanes, unit) - lanes, padding);
    }
    fill_up(stream, beat, padding);
    return;
  }
  const size_t outputs = geometry_.block_outputs(product.is_bf16());
  for (size_t first = read.columns.first; first < read.columns.end(); first += outputs) {
    const size_t columns = std::min(outputs, read.columns.end() - first);
    for (size_t i = 0; i < lanes; ++i) {
      const auto values =
          operand.subspan(product.lane(read.group, i) * product.shape.n + first, columns);
      stream.insert(stream.end(), values.begin(), values.end());
      stream.resize(stream.size() + outputs - columns, padding);
    }
    fill_up(stream, beat, padding);
  }
}

void TilePacker::add_scales(const TileProduct& product, const TileSchedule::Read& read,
                            std::vector<uint64_t>& scales) const {
  if (read.command.bf16 || read.command.empty()) return;
  const size_t groups = product.shape.groups();
  const size_t group = product.scale_group(read.group);
  for (size_t quad = read.columns.first; quad < read.columns.end(); quad += TileGeometry::kQuad) {
    uint64_t beat = 0;
    for (size_t i = 0; i < TileGeometry::kQuad; ++i) {
      const Bf16 scale = quad + i < read.columns.end() ? product.scale[(quad + i) * groups + group]
                                                       : value_padding_;
      beat |= static_cast<uint64_t>(scale.bits) << (16 * i);
    }
    scales.push_back(beat);
  }
}

}  // namespace rivulet
