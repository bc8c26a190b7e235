// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/transpose_buffer_model.h"

#include <algorithm>
#include <utility>

namespace rivulet {
namespace {

size_t divide_up(size_t n, size_t d) { return (n + d - 1) / d; }

size_t code_bits(Stream stream) { return 2 * static_cast<size_t>(slices(stream)); }

// A read of the banks is a beat as it is; otherwise a byte holds codes of several outputs.
bool whole(Stream stream) { return code_bits(stream) >= 8; }

}  // namespace

TransposeBufferModel::TransposeBufferModel(size_t lanes, size_t group)
    : lanes_(lanes), group_(group), in_(lanes) {
  for (Block& block : block_) block.bytes.resize(group * group);
  for (Row* row : {&word_, &data_, &collected_, &out_}) row->bytes.resize(group);
  reset();
}

void TransposeBufferModel::reset() {
  for (Block& block : block_) block.full = false;
  active_ = in_valid_ = out_valid_ = false;
  write_block_ = write_beat_ = read_block_ = place_ = run_ = 0;
  word_.complete = data_.complete = collected_.complete = false;
}

size_t TransposeBufferModel::unit_bytes(Stream stream) const {
  return block_columns(stream) * code_bits(stream) / 8;
}

size_t TransposeBufferModel::block_columns(Stream stream) const {
  return stream == Stream::kBf16 ? group_ / 2 : group_;
}

bool TransposeBufferModel::writes() const {
  return active_ && in_valid_ && !block_[write_block_].full;
}

bool TransposeBufferModel::block_ends() const {
  return writes() && (write_beat_ + 1) * lanes_ >= job_lanes_ * unit_bytes(stream_);
}

bool TransposeBufferModel::job_ends() const {
  return block_ends() && columns_ <= block_columns(stream_);
}

// Whether the collected row takes the place of the last beat that leaves.
bool TransposeBufferModel::loads(const Inputs& in) const {
  const bool ends = in.out_ready && out_beat_ + 1 == out_.beats;
  return collected_.complete && (!out_valid_ || ends);
}

TransposeBufferModel::Outputs TransposeBufferModel::outputs(const Inputs& /*in*/) const {
  return {.job_ready = !active_ || job_ends(),
          .in_ready = !in_valid_ || writes(),
          .out_valid = out_valid_,
          .out = out_.bytes.data() + out_beat_ * lanes_,
          .out_last = out_.last && out_beat_ + 1 == out_.beats};
}

void TransposeBufferModel::write() {
  Block& block = block_[write_block_];
  const bool block_end = block_ends();
  std::ranges::copy(in_, block.bytes.begin() + static_cast<std::ptrdiff_t>(write_beat_ * lanes_));
  ++write_beat_;
  if (!block_end) return;
  block.stream = stream_;
  block.lanes = job_lanes_;
  block.columns = std::min(columns_, block_columns(stream_));
  block.last = block.columns == columns_;
  block.full = true;
  columns_ -= block.columns;
  active_ = !block.last;
  write_beat_ = 0;
  write_block_ ^= 1;
}

// q8 and BF16: the beat of a place and a run of lanes.
void TransposeBufferModel::read_whole(const Block& block, Row& row) const {
  const size_t step = code_bits(block.stream) / 8;
  const size_t first = run_ * (lanes_ / step);
  const size_t count = std::min(lanes_ / step, block.lanes - std::min(first, block.lanes));
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* unit = block.bytes.data() + (first + i) * unit_bytes(block.stream);
    std::copy_n(unit + place_ * step, step,
                row.bytes.begin() + static_cast<std::ptrdiff_t>(i * step));
  }
  row.beats = 1;
}

// q4 and q2: the units of the outputs that share a byte.
void TransposeBufferModel::read_packed(const Block& block, Row& row) const {
  const size_t bits = code_bits(block.stream);
  const size_t codes = 8 / bits;
  const size_t bytes = unit_bytes(block.stream);
  const size_t units = std::min(codes, block.columns - place_ * codes);
  const unsigned mask = (1U << bits) - 1;
  for (size_t lane = 0; lane < block.lanes; ++lane) {
    const unsigned places = block.bytes[lane * bytes + place_];
    for (size_t unit = 0; unit < units; ++unit) {
      const unsigned code = places >> (bits * unit) & mask;
      row.bytes[unit * bytes + lane / codes] |=
          static_cast<uint8_t>(code << (bits * (lane % codes)));
    }
  }
  row.beats = divide_up(units * bytes, lanes_);
}

// Reads the next run of lanes of a place into `word_`.
void TransposeBufferModel::read() {
  Block& block = block_[read_block_];
  const bool bf16 = block.stream == Stream::kBf16;
  const size_t runs = bf16 ? divide_up(block.lanes, lanes_ / 2) : group_ / lanes_;
  const size_t places =
      whole(block.stream) ? block.columns : divide_up(block.columns, 8 / code_bits(block.stream));
  const bool place_end = run_ + 1 == runs;
  const bool block_end = place_end && place_ + 1 == places;
  word_.complete = place_end || whole(block.stream);
  word_.last = block_end && block.last;
  if (word_.complete) {
    std::ranges::fill(word_.bytes, uint8_t{0});
    if (whole(block.stream)) {
      read_whole(block, word_);
    } else {
      read_packed(block, word_);
    }
  }
  run_ = place_end ? 0 : run_ + 1;
  if (place_end) place_ = block_end ? 0 : place_ + 1;
  if (block_end) {
    block.full = false;
    read_block_ ^= 1;
  }
}

void TransposeBufferModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  const bool loads_out = loads(in);
  const bool moves = !collected_.complete || loads_out;
  const bool reads = block_[read_block_].full && moves;
  const bool writes_beat = writes();

  if (loads_out) {
    std::swap(out_, collected_);
    out_beat_ = 0;
    out_valid_ = true;
  } else if (out_valid_ && in.out_ready) {
    ++out_beat_;
    out_valid_ = out_beat_ < out_.beats;
  }
  if (moves) {
    std::swap(collected_, data_);
    std::swap(data_, word_);
    word_.complete = false;
    if (reads) read();
  }
  if (writes_beat) write();
  if (out.in_ready) {
    in_valid_ = in.in_valid;
    if (in_valid_) std::copy_n(in.in, lanes_, in_.begin());
  }
  if (in.job_valid && out.job_ready) {
    active_ = true;
    stream_ = in.job_stream;
    job_lanes_ = in.job_lanes;
    columns_ = in.job_columns;
  }
}

}  // namespace rivulet
