// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/interfaces/tile_geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "sw_model/interfaces/array_timing.h"
#include "sw_model/interfaces/stream.h"
#include "sw_model/numerics/align.h"

namespace rivulet {
namespace {

size_t size(int value) { return static_cast<size_t>(value); }

void check_range(const std::string& what, const char* parameter, int value, int low, int high) {
  if (value < low || value > high) {
    throw std::invalid_argument(
        fmt::format("{}: {} is {}, it must be {} to {}", what, parameter, value, low, high));
  }
}

void check(bool legal, const std::string& what, const char* parameter, int value,
           const std::string& rule) {
  if (!legal) {
    throw std::invalid_argument(
        fmt::format("{}: {} is {}, it must be {}", what, parameter, value, rule));
  }
}

}  // namespace

TileGeometry::TileGeometry(const Configuration& configuration)
    : configuration_(configuration),
      lanes_(size(configuration_.lanes)),
      side_lanes_(size(configuration_.side_lanes)),
      positions_(size(configuration_.positions)),
      group_(size(configuration_.group)),
      psum_depth_(size(configuration_.psum_depth)) {
  constexpr int kMostColumns = 65532;
  const Configuration& c = configuration_;
  const std::string what = fmt::format("configuration '{}'", c.name);
  check_range(what, "Lanes", c.lanes, 8, 128);
  check_range(what, "Positions", c.positions, 1, 255);
  check_range(what, "AlignW", c.align_w, kMinAlignWidth, kMaxAlignWidth);
  check_range(what, "Group", c.group, c.lanes, 128);
  check_widths();
  check_range(what, "PsumDepth", c.psum_depth, 4, kMostColumns);
  check(c.psum_depth % 4 == 0, what, "PsumDepth", c.psum_depth, "a multiple of 4");
  check_range(what, "ResultDepth", c.result_depth, 4, kMostColumns);
  check(c.result_depth % 4 == 0, what, "ResultDepth", c.result_depth, "a multiple of 4");
  // A quad of columns of any stream.
  check_range(what, "ReplayBeats", c.replay_beats, static_cast<int>(8 * sub()), 1 << 24);
  check_range(what, "ReplaySegments", c.replay_segments, 1, 1 << 16);
  check_range(what, "ReplayQuads", c.replay_quads, 1, 1 << 24);
  check_range(what, "XTiles", c.x_tiles, 0, 1 << 16);
  check_range(what, "YRows", c.y_rows, 1, static_cast<int>(kMaxYRows));
  check_range(what, "PeKind", c.pe_kind, 0, 1);
  check_range(what, "Q8Only", c.q8_only, 0, 1);
  check_loader();
}

void TileGeometry::check_widths() const {
  const Configuration& c = configuration_;
  const std::string what = fmt::format("configuration '{}'", c.name);
  check(std::has_single_bit(lanes_), what, "Lanes", c.lanes, "a power of two");
  check(group_ % lanes_ == 0 && std::has_single_bit(sub()), what, "Group", c.group,
        fmt::format("Lanes ({}) times a power of two", c.lanes));
  check(c.side_lanes >= 4 &&
            (c.side_lanes == c.lanes || 2 * c.side_lanes == c.lanes || 4 * c.side_lanes == c.lanes),
        what, "SideLanes", c.side_lanes,
        fmt::format("Lanes ({}), a half or a quarter of it, and at least 4", c.lanes));
}

void TileGeometry::check_loader() const {
  const Configuration& c = configuration_;
  const std::string what = fmt::format("configuration '{}'", c.name);
  check_range(what, "XValues", c.x_values, 2, 64);
  check(std::has_single_bit(x_values()), what, "XValues", c.x_values, "a power of two");
  check_range(what, "LoadPairs", c.load_pairs, 2, c.lanes / 2);
  check(c.load_pairs % 2 == 0 && c.lanes / 2 % c.load_pairs == 0, what, "LoadPairs", c.load_pairs,
        fmt::format("even and a divisor of Lanes / 2 ({})", c.lanes / 2));
  const int parts = 2 * c.load_pairs / c.x_values;
  check(parts * c.x_values == 2 * c.load_pairs && parts >= 1 && parts <= 16, what, "LoadPairs",
        c.load_pairs, fmt::format("1 to 16 beats of XValues ({}) values, halved", c.x_values));
  const int build = 16 * c.group / (2 * c.load_pairs);
  const auto latency = static_cast<int>(kLookupDelay + dot_stages(lanes_) + kEdgeStages);
  check(build > latency, what, "LoadPairs", c.load_pairs,
        fmt::format("so small that a tile is built in more than the {} cycles of the array (it "
                    "takes {})",
                    latency, build));
  const int sums =
      c.group / c.x_values - parts + static_cast<int>(tree_levels(x_values())) + c.positions + 6;
  check(sums <= build, what, "Positions", c.positions,
        fmt::format("so small that the sums of its rows are there in the {} cycles of a build (it "
                    "takes {})",
                    build, sums));
}

size_t TileGeometry::load_cycles() const {
  const size_t build = 16 * group_ / (2 * size(configuration_.load_pairs));
  return std::max(build, positions_ * ceil_divide(group_, x_values()));
}

size_t TileGeometry::x_beats(const TileLoad& load) const {
  if (load.from_store) return 0;
  return size(load.rows) * ceil_divide(size(load.lanes), x_values());
}

size_t TileGeometry::words(const TileRead& read) const {
  if (read.bf16 || read.empty()) return 0;
  const size_t lanes = size(read.lanes);
  const size_t columns = size(read.columns);
  if (read.transpose) {
    return ceil_divide(columns, group_) * ceil_divide(lanes * group_, word_codes());
  }
  if (whole_units(lanes)) return ceil_divide(columns * group_, word_codes());
  return columns * ceil_divide(lanes, word_codes());
}

size_t TileGeometry::w_beats(const TileRead& read) const {
  if (!read.bf16) return 0;
  const size_t lanes = size(read.lanes);
  const size_t columns = size(read.columns);
  if (!read.transpose) return columns * ceil_divide(lanes, stream_values());
  const size_t outputs = block_outputs(true);
  return ceil_divide(columns, outputs) * lanes * (outputs / stream_values());
}

size_t TileGeometry::link_beats(const TileRead& read) const {
  if (read.bf16 || read.empty()) return 0;
  const size_t lanes = size(read.lanes);
  const size_t columns = size(read.columns);
  const size_t beat = 8 * lanes_ / size(bits_per_code(read.tier));  // codes
  if (read.transpose) return ceil_divide(columns, group_) * ceil_divide(lanes * group_, beat);
  if (whole_units(lanes)) return ceil_divide(columns * group_, beat);
  return columns * ceil_divide(lanes, beat);
}

size_t TileGeometry::scale_beats(const TileRead& read) const {
  return read.bf16 ? 0 : replay_quads(read);
}

size_t TileGeometry::replay_beats(const TileRead& read) const {
  if (read.empty()) return 0;
  const size_t columns = size(read.columns);
  const size_t lanes = size(read.lanes);
  if (read.bf16) return columns * 2 * ceil_divide(lanes, lanes_);
  const size_t beat = lanes_ * 4 / size(slices(stream_of(read.tier)));  // codes
  const size_t unit = shared_beats() || read.transpose ? group_ : lanes;
  if (unit >= beat || !shared_beats()) return columns * ceil_divide(unit, beat);
  return ceil_divide(columns, beat / group_);
}

size_t TileGeometry::replay_quads(const TileRead& read) const {
  return read.empty() ? 0 : ceil_divide(size(read.columns), kQuad);
}

size_t TileGeometry::y_beats(size_t rows, size_t columns) const {
  return ceil_divide(columns, kQuad) * ceil_divide(rows, y_rows());
}

void TileGeometry::check_load(const TileLoad& load) const {
  const std::string what = fmt::format("load on configuration '{}'", configuration_.name);
  check_range(what, "align_w", load.align_w, kMinAlignWidth, configuration_.align_w);
  check_range(what, "rows", load.rows, 1, configuration_.positions);
  check_range(what, "lanes", load.lanes, 1, configuration_.group);
  if (!load.from_store && !load.keep) return;
  check(!load.from_store || !load.keep, what, "keep", 1, "0 for a tile from the x store");
  check(configuration_.x_tiles > 0, what, "XTiles", 0, "at least 1 for a tile of the x store");
  check_range(what, "slot", load.slot, 0, configuration_.x_tiles - 1);
}

void TileGeometry::check_read(const TileRead& read) const {
  const std::string what = fmt::format("read on configuration '{}'", configuration_.name);
  if (read.bf16) {
    check_range(what, "align_w", read.align_w, kMinAlignWidth, configuration_.align_w);
  } else if (!read.empty()) {
    check_view(read.view);
    check(configuration_.q8_only == 0 || read.tier == Tier::kQ8, what, "tier",
          bits_per_code(read.tier), "8 bits, the configuration has no narrower streams");
  }
  check_range(what, "lanes", read.lanes, 1, configuration_.group);
  check_range(what, "columns", read.columns, 1, configuration_.psum_depth);
}

void TileGeometry::check_pass(const TilePass& pass, size_t columns) const {
  const std::string what = fmt::format("pass on configuration '{}'", configuration_.name);
  check_range(what, "columns", static_cast<int>(columns), 1, configuration_.psum_depth);
  check_range(what, "base", pass.base, 0, configuration_.psum_depth - static_cast<int>(columns));
  check(pass.base % 4 == 0, what, "base", pass.base, "a multiple of 4");
}

}  // namespace rivulet
