// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/replay_model.h"

#include <algorithm>

namespace rivulet {

ReplayModel::ReplayModel(const Size& size)
    : size_(size),
      banks_(size.lanes / size.side_lanes),
      words_(size.beats),
      quads_(size.quads),
      tags_(size.segments) {
  reset();
}

void ReplayModel::reset() {
  word_ring_ = quad_ring_ = tag_ring_ = {};
  codes_open_ = factors_open_ = false;
  column_ = 0;
  free_ = false;
  code_read_ = factor_read_ = false;
}

// A word that is read belongs to the pass before the one that rewinds.
void ReplayModel::Ring::step(bool next, bool free, bool rewind) {
  if (next) ++read;
  if (free) base = read;
  if (rewind) read = base;
}

// Columns that a beat can end.
size_t ReplayModel::width() const {
  if (seg_.source != BeatSource::kDirect) return 1;
  if (seg_.segment.stream == Stream::kQ2) return size_.edges;
  return seg_.segment.stream == Stream::kQ4 && size_.edges == 4 ? 2 : 1;
}

bool ReplayModel::beat_ready() const {
  if (!codes_open_) return false;
  const size_t room = word_ring_.base + size_.beats - word_ring_.write;
  if (seg_.source != BeatSource::kBf16) return room >= 1;
  return room >= 2 && quad_ring_.write < quad_ring_.base + size_.quads;
}

bool ReplayModel::scale_ready() const {
  return factors_open_ && quad_ring_.write < quad_ring_.base + size_.quads;
}

ReplayModel::Fill ReplayModel::fill(const Inputs& in) const {
  Fill fill;
  const Segment& segment = seg_.segment;
  fill.write = in.beat_valid && beat_ready();
  if (fill.write) {
    const bool last_bank = bank_ + 1 == banks_;
    switch (seg_.source) {
      case BeatSource::kDirect:
        fill.word_end = true;
        fill.unit_end = beat_ == (segment.lanes - 1) / beat_codes(segment.stream, size_.lanes);
        break;
      case BeatSource::kTransposed:
        fill.word_end = last_bank || in.side_last;
        fill.codes_end = in.side_last;
        break;
      case BeatSource::kBf16:
        fill.word_end = high_ && (last_bank || in.unit_last);
        fill.unit_end = high_ && in.unit_last;
        break;
    }
    if (fill.unit_end) fill.codes_end = columns_left_ <= width();
  }
  fill.scale = in.scale_valid && scale_ready();
  fill.factors_end = fill.scale && scales_left_ <= 4;
  return fill;
}

ReplayModel::Outputs ReplayModel::outputs(const Inputs& in) const {
  const Fill now = fill(in);
  const size_t taken = in.rewind ? tag_ring_.base : tag_ring_.read;
  return {.seg_ready = tag_ring_.write < tag_ring_.base + size_.segments &&
                       (!codes_open_ || now.codes_end) && (!factors_open_ || now.factors_end),
          .beat_ready = beat_ready(),
          .source = seg_.source,
          .scale_ready = scale_ready(),
          .seg = taken < tag_ring_.write ? &tags_[taken % size_.segments] : nullptr,
          .code_valid = word_ring_.read < word_ring_.write,
          .factor_valid = quad_ring_.read < quad_ring_.write || in.factor_column < column_,
          .code = &code_,
          .factor = &factor_};
}

void ReplayModel::write_beat(const Inputs& in, const Fill& now) {
  const bool bf16 = seg_.source == BeatSource::kBf16;
  const size_t lanes = seg_.source == BeatSource::kDirect ? size_.lanes : size_.side_lanes;
  const size_t count = beat_codes(seg_.segment.stream, lanes);
  CodeBeat& word = words_[(word_ring_.write + (high_ ? 1 : 0)) % size_.beats];
  if (bank_ == 0) word.codes.fill(0);
  std::copy_n(in.beat->codes.begin(), count,
              word.codes.begin() + static_cast<std::ptrdiff_t>(bank_ * count));
  if (bf16 && now.unit_end) {
    Quad& quad = quads_[quad_ring_.write % size_.quads];
    if (column_ == 0) quad = {};
    quad[column_++] = static_cast<uint16_t>(seg_.align_w << 8 | in.beat->exponent);
    if (column_ == 4 || now.codes_end) {
      column_ = 0;
      ++quad_ring_.write;
    }
  }
  if (now.word_end) {
    word_ring_.write += bf16 ? 2 : 1;
    bank_ = 0;
  } else if (!bf16 || high_) {
    ++bank_;
  }
  high_ = bf16 && !high_;
  beat_ = now.unit_end ? 0 : beat_ + 1;
  if (now.unit_end) columns_left_ -= std::min(columns_left_, width());
  if (now.codes_end) codes_open_ = false;
}

void ReplayModel::write_scale(const Inputs& in, const Fill& now) {
  quads_[quad_ring_.write++ % size_.quads] = *in.scale;
  scales_left_ -= std::min<size_t>(scales_left_, 4);
  if (now.factors_end) factors_open_ = false;
}

// The read pipeline; memories as they were before this edge.
void ReplayModel::read(const Inputs& in) {
  if (code_read_) std::copy_n(code_memory_.codes.begin(), memory_codes_, code_.codes.begin());
  if (factor_read_) factor_ = factor_memory_;
  if (in.read) {
    memory_codes_ = beat_codes(stream_, size_.lanes);
    std::copy_n(words_[word_ring_.read % size_.beats].codes.begin(), memory_codes_,
                code_memory_.codes.begin());
  }
  if (in.factor_read) factor_memory_ = quads_[quad_ring_.read % size_.quads];
  code_read_ = in.read;
  factor_read_ = in.factor_read;
}

void ReplayModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  const Fill now = fill(in);
  const bool rewinds = in.take && in.rewind;
  read(in);
  word_ring_.step(in.read, free_, rewinds);
  quad_ring_.step(in.factor_next, free_, rewinds);
  if (in.take) {
    stream_ = out.seg->stream;
    free_ = in.free;
    if (in.rewind) tag_ring_.read = tag_ring_.base;
    ++tag_ring_.read;
    if (in.free) tag_ring_.base = tag_ring_.read;
  }
  if (now.write) write_beat(in, now);
  if (now.scale) write_scale(in, now);
  if (in.seg_valid && out.seg_ready) open(*in.seg);
}

void ReplayModel::open(const FillSegment& seg) {
  tags_[tag_ring_.write++ % size_.segments] = seg.segment;
  seg_ = seg;
  codes_open_ = !seg.segment.empty;
  factors_open_ = codes_open_ && seg.source != BeatSource::kBf16;
  columns_left_ = scales_left_ = seg.segment.columns;
  beat_ = bank_ = 0;
  high_ = false;
}

}  // namespace rivulet
