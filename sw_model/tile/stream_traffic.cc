// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/stream_traffic.h"

#include "sw_model/common/device_error.h"

namespace rivulet {

StreamTraffic::StreamTraffic(const TileGeometry& geometry, const TileStreams& streams)
    : geometry_(geometry),
      streams_(streams),
      counts_{streams.loads.size(),
              streams.reads.size(),
              streams.passes.size(),
              streams.x.size() / geometry.x_values(),
              streams.words.size() / geometry.word_codes(),
              streams.w.size() / geometry.stream_values(),
              streams.scales.size()} {
  beats_.reserve(streams.y_beats);
}

bool StreamTraffic::offer(TileStream stream, TileInputs& inputs) {
  const size_t i = next_[static_cast<size_t>(stream)];
  if (i == counts_[static_cast<size_t>(stream)]) return false;
  switch (stream) {
    case TileStream::kLoad:
      inputs.load = &streams_.loads[i];
      break;
    case TileStream::kRead:
      inputs.read = &streams_.reads[i];
      break;
    case TileStream::kPass:
      inputs.pass = &streams_.passes[i];
      break;
    case TileStream::kX:
      inputs.x = &streams_.x[i * geometry_.x_values()];
      break;
    case TileStream::kWord:
      inputs.word = &streams_.words[i * geometry_.word_codes()];
      break;
    case TileStream::kW:
      inputs.w = &streams_.w[i * geometry_.stream_values()];
      break;
    case TileStream::kScale:
      inputs.scale = streams_.scales[i];
      break;
  }
  return true;
}

void StreamTraffic::arrived(const OutputBeat& beat) {
  if (beats_.size() == streams_.y_beats) throw Mismatch("a result beat after the last one");
  beats_.push_back(beat);
}

}  // namespace rivulet
