// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/tile/random_commands.h"

#include <algorithm>

#include "sw_model/interfaces/stream.h"
#include "sw_model/numerics/accumulate.h"
#include "sw_model/numerics/align.h"
#include "sw_model/numerics/fp32.h"
#include "sw_model/numerics/view.h"

namespace rivulet {
namespace {

constexpr Bf16 kPoisonValue{0x7FC1};  // a NaN
constexpr int8_t kPoisonCode = -128;

size_t ceil_to(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }
size_t size(int value) { return static_cast<size_t>(value); }

}  // namespace

RandomCommands::RandomCommands(const Configuration& configuration, Random& random)
    : configuration_(configuration),
      group_(size(configuration.group)),
      shared_(configuration.q8_only == 0 && 4 * configuration.lanes > configuration.group),
      random_(random),
      sums_(size(configuration.psum_depth)) {}

template <typename T>
void RandomCommands::fill_up(std::vector<T>& stream, size_t unit, T poison) {
  stream.resize(ceil_to(stream.size(), unit), poison);
}

// Near one, of any finite class, or (in some jobs) Inf and NaN too, or (in others) the largest
// aligned integer of one sign.
Bf16 RandomCommands::value() {
  if (largest_) return Bf16{static_cast<uint16_t>(one_sign_ ? 0xBFFF : 0x3FFF)};
  if (specials_ && random_.chance(0.02)) {
    return Bf16{static_cast<uint16_t>(values_.draw(random_))};
  }
  if (random_.chance(0.2)) return Bf16{static_cast<uint16_t>(finite_.draw(random_))};
  const auto field = static_cast<uint64_t>(random_.between(127 - 6, 127 + 6));
  return Bf16{static_cast<uint16_t>(random_.below(2) << 15 | field << 7 | random_.below(128))};
}

View RandomCommands::view() {
  if (largest_ || random_.chance(0.3)) return {};
  return {.rounding = static_cast<Q4Rounding>(random_.below(2)),
          .clamp = static_cast<int>(random_.between(1, 128)),
          .shift = static_cast<int>(random_.between(0, 5)),
          .theta_p = static_cast<int>(random_.between(1, 128)),
          .theta_n = static_cast<int>(random_.between(-129, 0))};
}

// A tile from the port, or one from the store that has these sizes.
RandomCommands::Tile RandomCommands::load(size_t rows, size_t lanes) {
  Tile tile;
  TileLoad command{.align_w = static_cast<int>(random_.between(9, configuration_.align_w)),
                   .rows = static_cast<int>(rows),
                   .lanes = static_cast<int>(lanes)};
  for (const auto& [slot, kept] : store_) {
    if (kept.rows == rows && kept.lanes == lanes && random_.chance(0.5)) {
      tile = kept;
      command.from_store = true;
      command.slot = static_cast<int>(slot);
      ++seen_["tile from the store"];
      break;
    }
  }
  if (!command.from_store) {
    tile.rows = rows;
    tile.lanes = lanes;
    one_sign_ = random_.chance(0.5);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t lane = 0; lane < lanes; ++lane) {
        tile.x.push_back(value());
        streams_.x.push_back(tile.x.back());
      }
      fill_up(streams_.x, size(configuration_.x_values), kPoisonValue);
    }
    if (configuration_.x_tiles != 0 && random_.chance(0.4)) {
      command.keep = true;
      command.slot = static_cast<int>(random_.below(size(configuration_.x_tiles)));
      store_[size(command.slot)] = tile;
    }
  }
  tile.align_w = command.align_w;
  tile.aligned.resize(rows * lanes);
  tile.exponents.resize(rows);
  for (size_t row = 0; row < rows; ++row) {
    tile.exponents[row] =
        align_group(std::span<const Bf16>(tile.x).subspan(row * lanes, lanes), tile.align_w,
                    std::span(tile.aligned).subspan(row * lanes, lanes));
  }
  streams_.loads.push_back(command);
  return tile;
}

TileRead RandomCommands::draw_read(size_t lanes, size_t columns) {
  TileRead read{.kind = static_cast<Kind>(random_.below(2)),
                .view = view(),
                .align_w = static_cast<int>(random_.between(9, configuration_.align_w)),
                .lanes = static_cast<int>(lanes),
                .columns = static_cast<int>(columns)};
  if (configuration_.q8_only == 0) {
    const size_t kind = random_.below(9);
    read.bf16 = kind < 2;
    read.tier = static_cast<Tier>(kind == 8 ? 0 : 1 + kind % 3);
  } else {
    read.bf16 = random_.chance(0.3);
    read.tier = random_.chance(0.1) ? Tier::kQ0 : Tier::kQ8;
  }
  read.transpose = random_.chance(0.35);
  return read;
}

size_t RandomCommands::replay_beats(const TileRead& read) const {
  const size_t link = size(configuration_.lanes);
  const size_t columns = size(read.columns);
  if (read.empty()) return 0;
  if (read.bf16) return columns * 2 * (ceil_to(size(read.lanes), link) / link);
  const size_t per_beat = link * 4 / size(slices(stream_of(read.tier)));  // codes
  const size_t lanes = shared_ || read.transpose ? group_ : size(read.lanes);
  if (lanes >= per_beat) return columns * (ceil_to(lanes, per_beat) / per_beat);
  if (!shared_) return columns;
  return ceil_to(columns, per_beat / group_) / (per_beat / group_);
}

void RandomCommands::add_codes(const TileRead& read, const std::vector<int8_t>& codes) {
  const size_t lanes = size(read.lanes);
  const size_t columns = size(read.columns);
  const size_t word = 4 * size(configuration_.lanes);
  if (read.transpose) {
    for (size_t block = 0; block < columns; block += group_) {
      for (size_t lane = 0; lane < lanes; ++lane) {
        for (size_t o = block; o < block + group_; ++o) {
          streams_.words.push_back(o < columns ? codes[o * lanes + lane] : kPoisonCode);
        }
      }
      fill_up(streams_.words, word, kPoisonCode);
    }
    return;
  }
  const bool whole = shared_ || lanes == group_;
  for (size_t column = 0; column < columns; ++column) {
    streams_.words.insert(streams_.words.end(),
                          codes.begin() + static_cast<std::ptrdiff_t>(column * lanes),
                          codes.begin() + static_cast<std::ptrdiff_t>((column + 1) * lanes));
    if (whole) {
      streams_.words.insert(streams_.words.end(), group_ - lanes, kPoisonCode);
    } else {
      fill_up(streams_.words, word, kPoisonCode);
    }
  }
  fill_up(streams_.words, word, kPoisonCode);
}

void RandomCommands::add_values(const TileRead& read, const std::vector<Bf16>& values) {
  const size_t lanes = size(read.lanes);
  const size_t columns = size(read.columns);
  const size_t beat = size(configuration_.side_lanes) / 2;
  if (read.transpose) {
    for (size_t block = 0; block < columns; block += group_ / 2) {
      for (size_t lane = 0; lane < lanes; ++lane) {
        for (size_t o = block; o < block + group_ / 2; ++o) {
          streams_.w.push_back(o < columns ? values[o * lanes + lane] : kPoisonValue);
        }
      }
    }
    return;
  }
  for (size_t column = 0; column < columns; ++column) {
    streams_.w.insert(streams_.w.end(),
                      values.begin() + static_cast<std::ptrdiff_t>(column * lanes),
                      values.begin() + static_cast<std::ptrdiff_t>((column + 1) * lanes));
    fill_up(streams_.w, beat, kPoisonValue);
  }
}

RandomCommands::Columns RandomCommands::fetch(const TileRead& read) {
  Columns result{.read = read, .values = {}, .scales = {}, .exponents = {}};
  const size_t lanes = size(read.lanes);
  const size_t columns = size(read.columns);
  streams_.reads.push_back(read);
  if (read.empty()) return result;
  if (read.bf16) {
    std::vector<Bf16> values(columns * lanes);
    one_sign_ = random_.chance(0.5);
    for (Bf16& v : values) v = value();
    add_values(read, values);
    result.values.resize(columns * lanes);
    for (size_t column = 0; column < columns; ++column) {
      result.exponents.push_back(
          align_group(std::span<const Bf16>(values).subspan(column * lanes, lanes), read.align_w,
                      std::span(result.values).subspan(column * lanes, lanes)));
    }
    return result;
  }
  std::vector<int8_t> codes(columns * lanes);
  const int8_t one_sign = random_.chance(0.5) ? -128 : 127;
  for (int8_t& code : codes) code = largest_ ? one_sign : codes_.code(random_);
  add_codes(read, codes);
  for (const int8_t code : codes) result.values.push_back(view_code(code, read.tier, read.view));
  for (size_t column = 0; column < ceil_to(columns, 4); ++column) {
    if (column % 4 == 0) streams_.scales.push_back(0);
    const Bf16 scale = column < columns ? value() : kPoisonValue;
    streams_.scales.back() |= static_cast<uint64_t>(scale.bits) << (16 * (column % 4));
    result.scales.push_back(scale);
  }
  return result;
}

void RandomCommands::send(const Columns& columns, const Sums& sums) {
  const size_t rows_of_beat = size(configuration_.y_rows);
  const size_t count = size(columns.read.columns);
  for (size_t quad = 0; quad < count; quad += 4) {
    for (size_t first = 0; first < tile_.rows; first += rows_of_beat) {
      OutputBeat beat{.last = quad + 4 >= count && first + rows_of_beat >= tile_.rows};
      for (size_t r = 0; r < rows_of_beat && first + r < tile_.rows; ++r) {
        for (size_t c = 0; c < 4 && quad + c < count; ++c) {
          const float sum = sums[quad + c][first + r];
          beat.acc[r][c] = fp32_bits(sum);
          beat.y[r] |= static_cast<uint64_t>(bf16_from_float(sum).bits) << (16 * c);
        }
      }
      results_.push_back(beat);
      ++streams_.y_beats;
    }
  }
}

void RandomCommands::run(const TilePass& pass, const Columns& columns) {
  streams_.passes.push_back(pass);
  const TileRead& read = columns.read;
  const size_t count = size(read.columns);
  const size_t lanes = size(read.lanes);
  Sums sums(count);
  AccumulateCounts counts;
  for (size_t column = 0; column < count; ++column) {
    for (size_t row = 0; row < tile_.rows; ++row) {
      float acc = pass.first ? 0.0F : sums_[size(pass.base) + column][row];
      int64_t partial = 0;
      if (!read.empty()) {
        for (size_t lane = 0; lane < tile_.lanes; ++lane) {
          partial += int64_t{tile_.aligned[row * tile_.lanes + lane]} *
                     columns.values[column * lanes + lane];
        }
        acc = read.bf16 ? accumulate_aligned(acc, partial, tile_.exponents[row],
                                             columns.exponents[column], tile_.align_w, read.align_w,
                                             counts)
                        : accumulate(acc, partial, columns.scales[column], tile_.exponents[row],
                                     tile_.align_w, counts);
      }
      sums[column][row] = acc;
    }
  }
  ++seen_[read.empty() ? "empty segment"
          : read.bf16
              ? (read.transpose ? "bf16 transposed" : "bf16")
              : std::string("q8q4q2").substr(2 * (3 - size(static_cast<int>(read.tier))), 2) +
                    (read.transpose ? " transposed" : "")];
  if (pass.last) {
    send(columns, sums);
    return;
  }
  for (size_t column = 0; column < count; ++column) sums_[size(pass.base) + column] = sums[column];
}

void RandomCommands::add_job(size_t max_columns) {
  specials_ = random_.chance(0.2);
  largest_ = random_.chance(0.15);
  if (largest_) ++seen_["largest values"];
  const size_t groups = 1 + random_.below(3);
  // Segments: columns of each, and where they start among the columns of a row block.
  const size_t segments =
      1 + random_.below(std::min<size_t>(3, size(configuration_.replay_segments)));
  static constexpr std::array<size_t, 12> kColumns{1, 2, 3, 4, 5, 8, 13, 31, 32, 33, 64, 100};
  std::vector<size_t> columns, base;
  size_t all = 0;
  for (size_t s = 0; s < segments; ++s) {
    const size_t limit =
        std::min(max_columns, size(configuration_.psum_depth) - 4 * (segments - s) - all);
    columns.push_back(
        std::min(kColumns[random_.below(kColumns.size())], std::max<size_t>(1, limit)));
    base.push_back(all);
    all += ceil_to(columns.back(), 4);
  }
  const size_t row_blocks =
      1 + random_.below(std::min<size_t>(3, size(configuration_.psum_depth) / all));
  const size_t positions = size(configuration_.positions);
  std::vector<size_t> rows;
  for (size_t rb = 0; rb < row_blocks; ++rb) rows.push_back(1 + random_.below(positions));

  bool job_first = true;
  for (size_t g = 0; g < groups; ++g) {
    const size_t lanes = largest_ || random_.chance(0.5) ? group_ : 1 + random_.below(group_);
    // A window is replayed if it fits; otherwise each row block reads its own.
    std::vector<TileRead> reads;
    size_t beats = 0, quads = 0;
    for (const size_t count : columns) {
      reads.push_back(draw_read(lanes, count));
      beats += replay_beats(reads.back());
      if (!reads.back().empty()) quads += ceil_to(count, 4) / 4;
    }
    const bool fits = beats <= size(configuration_.replay_beats) &&
                      quads <= size(configuration_.replay_quads) &&
                      segments <= size(configuration_.replay_segments);
    const bool replay = fits && row_blocks > 1 && random_.chance(0.8);
    std::vector<Columns> window;
    for (size_t rb = 0; rb < row_blocks; ++rb) {
      const bool fresh = rb == 0 || !replay;
      const bool free = !replay || rb + 1 == row_blocks;
      if (fresh) window.clear();
      // A tile may have fewer lanes than its columns.
      tile_ = load(rows[rb], random_.chance(0.8) ? lanes : 1 + random_.below(lanes));
      for (size_t s = 0; s < segments; ++s) {
        if (fresh) window.push_back(fetch(reads[s]));
        const TilePass pass{.next_tile = s == 0,
                            .job_first = job_first,
                            .first = g == 0,
                            .last = g + 1 == groups,
                            .rewind = s == 0 && (rb > 0 || random_.chance(0.5)),
                            .free = free,
                            .base = static_cast<int>(rb * all + base[s])};
        job_first = false;
        run(pass, window[s]);
        if (!fresh) ++seen_["replay"];
      }
    }
  }
}

}  // namespace rivulet
