// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_program.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sw_model/common/device_error.h"

namespace rivulet {

TileProgram::TileProgram(const Configuration& config, Padding padding)
    : geometry_(config), packer_(geometry_, padding) {}

void TileProgram::add(const TileProduct& product) {
  entries_.push_back({product.shape, TileSchedule(geometry_, product)});
  const TileSchedule& schedule = entries_.back().schedule;
  for (const TileSchedule::Load& load : schedule.loads()) {
    streams_.loads.push_back(load.command);
    packer_.add_x(product, load, streams_.x);
  }
  for (const TileSchedule::Read& read : schedule.reads()) {
    streams_.reads.push_back(read.command);
    packer_.add_words(product, read, streams_.words);
    packer_.add_w(product, read, streams_.w);
    packer_.add_scales(product, read, streams_.scales);
  }
  for (const TileSchedule::Pass& pass : schedule.passes()) {
    streams_.passes.push_back(pass.command);
    if (pass.command.last) {
      streams_.y_beats += geometry_.y_beats(pass.rows.count, pass.columns.count);
    }
  }
}

std::vector<GemmResult> TileProgram::results(std::span<const OutputBeat> beats) const {
  if (beats.size() != streams_.y_beats) {
    throw Mismatch(fmt::format("{} output beats, {} expected", beats.size(), streams_.y_beats));
  }
  std::vector<GemmResult> results;
  auto beat = beats.begin();
  for (const Entry& entry : entries_) {
    const size_t size = entry.shape.m * entry.shape.n;
    GemmResult& result = results.emplace_back(
        GemmResult{.acc = std::vector<float>(size), .y = std::vector<Bf16>(size), .counts = {}});
    for (ResultWalk walk(geometry_, entry.schedule, entry.shape.n); !walk.done(); walk.advance()) {
      walk.store(*beat++, {result.acc, result.y});
    }
  }
  return results;
}

std::vector<OutputBeat> TileProgram::beats(std::span<const GemmResult> results) const {
  if (results.size() != entries_.size()) {
    throw std::invalid_argument(
        fmt::format("{} results for {} products", results.size(), entries_.size()));
  }
  std::vector<OutputBeat> beats;
  beats.reserve(streams_.y_beats);
  for (size_t i = 0; i < results.size(); ++i) {
    GemmResult result = results[i];
    const Entry& entry = entries_[i];
    for (ResultWalk walk(geometry_, entry.schedule, entry.shape.n); !walk.done(); walk.advance()) {
      beats.push_back(walk.beat({result.acc, result.y}));
    }
  }
  return beats;
}

}  // namespace rivulet
