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

// Appends `padding` until the size is a multiple of `unit`.
template <typename T>
void fill_up(std::vector<T>& values, size_t unit, T padding) {
  values.resize(round_up(values.size(), unit), padding);
}

std::vector<ColumnSegment> segments_of(const TileProduct& product) {
  if (!product.segments.empty()) return product.segments;
  return {{.columns = product.shape.n, .read = product.read}};
}

}  // namespace

TileProgram::TileProgram(const Configuration& config, Padding padding)
    : geometry_(config),
      value_padding_(padding == Padding::kPoison ? kPoisonValue : Bf16{}),
      code_padding_(padding == Padding::kPoison ? kPoisonCode : int8_t{0}) {}

void TileProgram::check(const TileProduct& product) const {
  const GemmShape& shape = product.shape;
  if (product.is_bf16()) {
    check_job(shape, product.x, product.w);
    if (!product.segments.empty()) {
      throw std::invalid_argument("a product of BF16 values has no segments");
    }
  } else {
    check_job(shape, product.x, product.codes, product.scale, product.read);
  }
  if (shape.group > geometry_.group()) {
    throw std::invalid_argument(
        fmt::format("group {} is larger than the {} lanes of configuration '{}'", shape.group,
                    geometry_.group(), geometry_.configuration().name));
  }
  geometry_.check_load({.align_w = shape.align_w, .rows = 1, .lanes = 1});
  size_t columns = 0;
  for (const ColumnSegment& segment : segments_of(product)) {
    if (segment.columns == 0) throw std::invalid_argument("a segment has no columns");
    columns += segment.columns;
    geometry_.check_read({.bf16 = product.is_bf16(),
                          .tier = segment.read.tier,
                          .view = segment.read.view,
                          .align_w = shape.align_w,
                          .lanes = 1,
                          .columns = 1});
  }
  if (columns != shape.n) {
    throw std::invalid_argument(
        fmt::format("the segments have {} columns, the product has {}", columns, shape.n));
  }
}

void TileProgram::add(const TileProduct& product) {
  check(product);
  const std::vector<ColumnSegment> segments = segments_of(product);
  const TilePlan plan(geometry_, product.shape, segments, product.is_bf16(), product.transpose);
  const size_t first_pass = streams_.passes.size();
  for (const TilePlan::Rows& rows : plan.row_chunks()) add_rows(product, plan, rows);
  streams_.passes[first_pass].job_first = true;
  products_.push_back(product.shape);
}

void TileProgram::add_rows(const TileProduct& product, const TilePlan& plan,
                           const TilePlan::Rows& rows) {
  const GemmShape& shape = product.shape;
  const size_t row_blocks = ceil_divide(rows.count, geometry_.positions());
  const std::vector<TilePlan::Stripe> stripes = plan.stripes(row_blocks);
  const size_t tiles = row_blocks * shape.groups();
  const Job job{.product = product,
                .plan = plan,
                .rows = rows,
                .row_blocks = row_blocks,
                .keep_tile = tiles == 1,
                .store = stripes.size() > 1 && tiles > 1 && tiles <= geometry_.x_tiles()};
  for (size_t s = 0; s < stripes.size(); ++s) {
    for (size_t g = 0; g < shape.groups(); ++g) {
      const size_t first = g * shape.group;
      const Group group{
          .number = g, .first = first, .lanes = std::min(shape.group, shape.k - first)};
      for (const TilePlan::Piece& piece : stripes[s].pieces) add_read(job, group, piece);
      for (size_t block = 0; block < row_blocks; ++block) {
        const bool load = s == 0 || !job.keep_tile;
        if (load) add_load(job, group, block, s == 0);
        add_passes(job, group, stripes[s], block, load);
      }
    }
  }
}

void TileProgram::add_load(const Job& job, const Group& group, size_t row_block,
                           bool first_stripe) {
  const size_t first = row_block * geometry_.positions();
  const size_t rows = std::min(geometry_.positions(), job.rows.count - first);
  const TileLoad load{
      .from_store = job.store && !first_stripe,
      .keep = job.store && first_stripe,
      .slot = job.store ? static_cast<int>(group.number * job.row_blocks + row_block) : 0,
      .align_w = job.product.shape.align_w,
      .rows = static_cast<int>(rows),
      .lanes = static_cast<int>(group.lanes)};
  geometry_.check_load(load);
  streams_.loads.push_back(load);
  if (load.from_store) return;
  for (size_t row = job.rows.first + first; row < job.rows.first + first + rows; ++row) {
    const auto values = job.product.x.subspan(row * job.product.shape.k + group.first, group.lanes);
    streams_.x.insert(streams_.x.end(), values.begin(), values.end());
    fill_up(streams_.x, geometry_.x_values(), value_padding_);
  }
}

void TileProgram::add_read(const Job& job, const Group& group, const TilePlan::Piece& piece) {
  const TileProduct& product = job.product;
  const TileRead read = job.plan.read_of(piece, group.lanes);
  geometry_.check_read(read);
  streams_.reads.push_back(read);
  if (read.empty()) return;
  const size_t k = product.shape.k;
  const size_t outputs = geometry_.block_outputs(read.bf16);
  if (read.bf16) {
    const size_t beat = geometry_.stream_values();
    if (read.transpose) {
      add_transposed(streams_.w, product.w, k, group, piece, outputs, beat, value_padding_);
    } else {
      add_units(streams_.w, product.w, k, group, piece, beat, beat, value_padding_);
    }
    return;
  }
  const size_t word = geometry_.word_codes();
  if (read.transpose) {
    add_transposed(streams_.words, product.codes, k, group, piece, outputs, word, code_padding_);
  } else {
    const size_t unit = geometry_.whole_units(group.lanes) ? geometry_.group() : word;
    add_units(streams_.words, product.codes, k, group, piece, unit, word, code_padding_);
  }
  add_scales(product, group, piece);
}

// Columns one after the other, each padded to a multiple of `unit`.
template <typename T>
void TileProgram::add_units(std::vector<T>& stream, std::span<const T> source, size_t k,
                            const Group& group, const TilePlan::Piece& piece, size_t unit,
                            size_t beat, T padding) const {
  for (size_t column = piece.column; column < piece.column + piece.columns; ++column) {
    const auto values = source.subspan(column * k + group.first, group.lanes);
    stream.insert(stream.end(), values.begin(), values.end());
    stream.resize(stream.size() + round_up(group.lanes, unit) - group.lanes, padding);
  }
  fill_up(stream, beat, padding);
}

// Blocks of columns, each lane by lane.
template <typename T>
void TileProgram::add_transposed(std::vector<T>& stream, std::span<const T> source, size_t k,
                                 const Group& group, const TilePlan::Piece& piece, size_t outputs,
                                 size_t beat, T padding) const {
  for (size_t block = 0; block < piece.columns; block += outputs) {
    for (size_t lane = group.first; lane < group.first + group.lanes; ++lane) {
      for (size_t i = block; i < block + outputs; ++i) {
        stream.push_back(i < piece.columns ? source[(piece.column + i) * k + lane] : padding);
      }
    }
    fill_up(stream, beat, padding);
  }
}

void TileProgram::add_scales(const TileProduct& product, const Group& group,
                             const TilePlan::Piece& piece) {
  for (size_t quad = 0; quad < piece.columns; quad += TileGeometry::kQuad) {
    uint64_t beat = 0;
    for (size_t i = 0; i < TileGeometry::kQuad; ++i) {
      const size_t column = piece.column + quad + i;
      const Bf16 scale = quad + i < piece.columns
                             ? product.scale[column * product.shape.groups() + group.number]
                             : value_padding_;
      beat |= static_cast<uint64_t>(scale.bits) << (16 * i);
    }
    streams_.scales.push_back(beat);
  }
}

void TileProgram::add_passes(const Job& job, const Group& group, const TilePlan::Stripe& stripe,
                             size_t row_block, bool next_tile) {
  const size_t row = row_block * geometry_.positions();
  const size_t rows = std::min(geometry_.positions(), job.rows.count - row);
  bool first_piece = true;
  for (const TilePlan::Piece& piece : stripe.pieces) {
    const size_t base = row_block * stripe.psum_columns + piece.psum_column;
    const TilePass pass{.next_tile = next_tile && first_piece,
                        .first = group.number == 0,
                        .last = group.number + 1 == job.product.shape.groups(),
                        .rewind = first_piece,
                        .free = row_block + 1 == job.row_blocks,
                        .base = static_cast<int>(base)};
    geometry_.check_pass(pass, piece.columns);
    streams_.passes.push_back(pass);
    first_piece = false;
    if (!pass.last) continue;
    chunks_.push_back({.product = products_.size(),
                       .row = job.rows.first + row,
                       .rows = rows,
                       .column = piece.column,
                       .columns = piece.columns});
    streams_.y_beats += geometry_.y_beats(rows, piece.columns);
  }
}

template <typename Visit>
void TileProgram::for_each_beat(Visit&& visit) const {
  constexpr size_t kQuad = TileGeometry::kQuad;
  const size_t y_rows = geometry_.y_rows();
  for (const Chunk& chunk : chunks_) {
    for (size_t column = 0; column < chunk.columns; column += kQuad) {
      for (size_t row = 0; row < chunk.rows; row += y_rows) {
        std::array<std::array<Place, kQuad>, TileOutputs::kMaxYRows> places{};
        for (size_t r = 0; r < y_rows && row + r < chunk.rows; ++r) {
          const size_t first =
              (chunk.row + row + r) * products_[chunk.product].n + chunk.column + column;
          for (size_t c = 0; c < kQuad && column + c < chunk.columns; ++c) {
            places[r][c] = {.product = chunk.product, .index = first + c, .valid = true};
          }
        }
        visit(places, column + kQuad >= chunk.columns && row + y_rows >= chunk.rows);
      }
    }
  }
}

std::vector<GemmResult> TileProgram::results(std::span<const OutputBeat> beats) const {
  if (beats.size() != streams_.y_beats) {
    throw Mismatch(fmt::format("{} output beats, {} expected", beats.size(), streams_.y_beats));
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
    for (size_t r = 0; r < places.size(); ++r) {
      for (size_t c = 0; c < places[r].size(); ++c) {
        const Place& place = places[r][c];
        const Bf16 y{static_cast<uint16_t>(beat.y[r] >> (16 * c))};
        if (place.valid) {
          results[place.product].acc[place.index] = fp32_from_bits(beat.acc[r][c]);
          results[place.product].y[place.index] = y;
        } else if (y.bits != 0 || beat.acc[r][c] != 0) {
          throw Mismatch(fmt::format(
              "output beat {}: row {}, column {} lies beyond the matrix and is not zero (y "
              "0x{:04X}, acc 0x{:08X})",
              number, r, c, y.bits, beat.acc[r][c]));
        }
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
  beats.reserve(streams_.y_beats);
  for_each_beat([&](const auto& places, bool last) {
    OutputBeat beat{.last = last};
    for (size_t r = 0; r < places.size(); ++r) {
      for (size_t c = 0; c < places[r].size(); ++c) {
        const Place& place = places[r][c];
        if (!place.valid) continue;
        const GemmResult& result = results[place.product];
        beat.acc[r][c] = fp32_bits(result.acc[place.index]);
        beat.y[r] |= static_cast<uint64_t>(result.y[place.index].bits) << (16 * c);
      }
    }
    beats.push_back(beat);
  });
  return beats;
}

}  // namespace rivulet
