// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sw_model/numerics/fp32.h"
#include "sw_model/tile/device_error.h"

namespace rivulet {
namespace {

constexpr Bf16 kPoisonValue{0x7FC1};  // a NaN
constexpr int8_t kPoisonCode = -128;

// Appends BF16 values as beats of four, the last one filled up with `padding`.
class BeatWriter {
 public:
  BeatWriter(std::vector<uint64_t>& beats, Bf16 padding) : beats_(beats), padding_(padding) {}

  void add(Bf16 value) {
    if (count_ == 0) beats_.push_back(0);
    beats_.back() |= static_cast<uint64_t>(value.bits) << (16 * count_);
    count_ = (count_ + 1) % TileGeometry::kBeatValues;
  }
  void fill() {
    while (count_ != 0) add(padding_);
  }

 private:
  std::vector<uint64_t>& beats_;
  Bf16 padding_;
  size_t count_ = 0;
};

// Appends `padding` until the size is a multiple of `unit`.
template <typename T>
void fill_up(std::vector<T>& values, size_t unit, T padding) {
  values.resize(ceil_divide(values.size(), unit) * unit, padding);
}

}  // namespace

TileProgram::TileProgram(const Configuration& config, Padding padding)
    : geometry_(config),
      value_padding_(padding == Padding::kPoison ? kPoisonValue : Bf16{}),
      code_padding_(padding == Padding::kPoison ? kPoisonCode : int8_t{0}) {}

void TileProgram::add(const TileProduct& product) {
  const GemmShape& shape = product.shape;
  if (product.is_bf16()) {
    check_job(shape, product.x, product.w);
  } else {
    check_job(shape, product.x, product.codes, product.scale, product.read);
  }
  if (shape.group > geometry_.group()) {
    throw std::invalid_argument(
        fmt::format("group {} is larger than the {} lanes of configuration '{}'", shape.group,
                    geometry_.group(), geometry_.configuration().name));
  }
  const size_t column_chunk = product.transpose
                                  ? std::min(geometry_.psum_depth(), geometry_.group())
                                  : geometry_.psum_depth();
  const size_t row_chunk = geometry_.positions();
  for (size_t row = 0; row < shape.m; row += row_chunk) {
    for (size_t column = 0; column < shape.n; column += column_chunk) {
      const Chunk chunk{.product = products_.size(),
                        .row = row,
                        .rows = std::min(row_chunk, shape.m - row),
                        .column = column,
                        .columns = std::min(column_chunk, shape.n - column)};
      for (size_t g = 0; g < shape.groups(); ++g) {
        add_pass(product, chunk, g, column == 0 || shape.groups() > 1);
      }
      chunks_.push_back(chunk);
    }
  }
  products_.push_back(shape);
}

void TileProgram::add_pass(const TileProduct& product, const Chunk& chunk, size_t g, bool load) {
  const GemmShape& shape = product.shape;
  TilePass pass;
  pass.stream = product.is_bf16() ? Stream::kBf16 : stream_of(product.read.tier);
  pass.kind = product.read.kind;
  pass.view = product.read.view;
  pass.transpose = product.transpose;
  pass.load = load;
  pass.first = g == 0;
  pass.last = g + 1 == shape.groups();
  pass.align_w = shape.align_w;
  pass.rows = static_cast<int>(chunk.rows);
  pass.lanes = static_cast<int>(std::min(shape.group, shape.k - g * shape.group));
  pass.columns = static_cast<int>(chunk.columns);
  geometry_.check_pass(pass);
  if (pass.load) add_x(product, pass, chunk, g);
  if (product.is_bf16()) {
    add_w(product, pass, chunk, g);
  } else {
    add_scale(product, chunk, g);
    if (pass.transpose) {
      add_transposed_codes(product, pass, chunk, g);
    } else {
      add_codes(product, pass, chunk, g);
    }
  }
  y_beats_ += geometry_.y_beats(pass);
  passes_.push_back(pass);
}

void TileProgram::add_x(const TileProduct& product, const TilePass& pass, const Chunk& chunk,
                        size_t g) {
  BeatWriter writer(x_, value_padding_);
  for (size_t row = chunk.row; row < chunk.row + chunk.rows; ++row) {
    const size_t begin = row * product.shape.k + g * product.shape.group;
    for (const Bf16 value : product.x.subspan(begin, static_cast<size_t>(pass.lanes))) {
      writer.add(value);
    }
    writer.fill();
  }
}

void TileProgram::add_scale(const TileProduct& product, const Chunk& chunk, size_t g) {
  BeatWriter writer(scale_, value_padding_);
  for (size_t column = chunk.column; column < chunk.column + chunk.columns; ++column) {
    writer.add(product.scale[column * product.shape.groups() + g]);
  }
  writer.fill();
}

void TileProgram::add_codes(const TileProduct& product, const TilePass& pass, const Chunk& chunk,
                            size_t g) {
  const auto lanes = static_cast<size_t>(pass.lanes);
  const bool one_request = geometry_.one_request(lanes);
  for (size_t column = chunk.column; column < chunk.column + chunk.columns; ++column) {
    const auto unit =
        product.codes.subspan(column * product.shape.k + g * product.shape.group, lanes);
    words_.insert(words_.end(), unit.begin(), unit.end());
    if (one_request) {
      words_.insert(words_.end(), geometry_.group() - lanes, code_padding_);
    } else {
      fill_up(words_, geometry_.word_codes(), code_padding_);
    }
  }
  fill_up(words_, geometry_.word_codes(), code_padding_);
}

void TileProgram::add_transposed_codes(const TileProduct& product, const TilePass& pass,
                                       const Chunk& chunk, size_t g) {
  for (size_t lane = 0; lane < static_cast<size_t>(pass.lanes); ++lane) {
    const size_t k = g * product.shape.group + lane;
    for (size_t output = 0; output < geometry_.group(); ++output) {
      words_.push_back(output < chunk.columns
                           ? product.codes[(chunk.column + output) * product.shape.k + k]
                           : code_padding_);
    }
  }
  fill_up(words_, geometry_.word_codes(), code_padding_);
}

void TileProgram::add_w(const TileProduct& product, const TilePass& pass, const Chunk& chunk,
                        size_t g) {
  for (size_t column = chunk.column; column < chunk.column + chunk.columns; ++column) {
    const auto unit = product.w.subspan(column * product.shape.k + g * product.shape.group,
                                        static_cast<size_t>(pass.lanes));
    w_.insert(w_.end(), unit.begin(), unit.end());
    fill_up(w_, geometry_.stream_values(), value_padding_);
  }
}

template <typename Visit>
void TileProgram::for_each_beat(Visit&& visit) const {
  constexpr size_t kColumns = TileGeometry::kBeatValues;
  for (const Chunk& chunk : chunks_) {
    for (size_t column = 0; column < chunk.columns; column += kColumns) {
      for (size_t row = 0; row < chunk.rows; ++row) {
        std::array<Place, kColumns> places{};
        for (size_t i = 0; i < kColumns; ++i) {
          places[i] = {
              .product = chunk.product,
              .index = (chunk.row + row) * products_[chunk.product].n + chunk.column + column + i,
              .valid = column + i < chunk.columns};
        }
        visit(places, column + kColumns >= chunk.columns && row + 1 == chunk.rows);
      }
    }
  }
}

std::vector<GemmResult> TileProgram::results(std::span<const OutputBeat> beats) const {
  if (beats.size() != y_beats_) {
    throw Mismatch(fmt::format("{} output beats, {} expected", beats.size(), y_beats_));
  }
  std::vector<GemmResult> results(products_.size());
  for (size_t i = 0; i < products_.size(); ++i) {
    results[i].acc.resize(products_[i].m * products_[i].n);
    results[i].y.resize(products_[i].m * products_[i].n);
  }
  size_t number = 0;
  for_each_beat([&](const auto& places, bool last) {
    const OutputBeat& beat = beats[number];
    if (beat.last != last) {
      throw Mismatch(
          fmt::format("output beat {}: last is {}, expected {}", number, beat.last, last));
    }
    for (size_t i = 0; i < places.size(); ++i) {
      const Bf16 y{static_cast<uint16_t>(beat.y >> (16 * i))};
      if (places[i].valid) {
        results[places[i].product].acc[places[i].index] = fp32_from_bits(beat.acc[i]);
        results[places[i].product].y[places[i].index] = y;
      } else if (y.bits != 0 || beat.acc[i] != 0) {
        throw Mismatch(fmt::format(
            "output beat {}: column {} lies beyond the matrix and is not zero (y 0x{:04X}, acc "
            "0x{:08X})",
            number, i, y.bits, beat.acc[i]));
      }
    }
    ++number;
  });
  return results;
}

std::vector<OutputBeat> TileProgram::beats(std::span<const GemmResult> results) const {
  if (results.size() != products_.size()) {
    throw std::invalid_argument(
        fmt::format("{} results for {} products", results.size(), products_.size()));
  }
  std::vector<OutputBeat> beats;
  beats.reserve(y_beats_);
  for_each_beat([&](const auto& places, bool last) {
    OutputBeat beat{.last = last};
    for (size_t i = 0; i < places.size(); ++i) {
      if (!places[i].valid) continue;
      const GemmResult& result = results[places[i].product];
      beat.acc[i] = fp32_bits(result.acc[places[i].index]);
      beat.y |= static_cast<uint64_t>(result.y[places[i].index].bits) << (16 * i);
    }
    beats.push_back(beat);
  });
  return beats;
}

}  // namespace rivulet
