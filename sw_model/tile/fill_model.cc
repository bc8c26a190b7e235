// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/fill_model.h"

#include <bit>

namespace rivulet {
namespace {

Stream stream_of_read(const TileRead& read) {
  if (read.bf16) return Stream::kBf16;
  return read.tier == Tier::kQ0 ? Stream::kQ8 : stream_of(read.tier);
}

const uint8_t* bytes_of(const std::vector<uint64_t>& beat) {
  static_assert(std::endian::native == std::endian::little);
  return reinterpret_cast<const uint8_t*>(beat.data());
}

// The codes of packed bytes, sign-extended.
void unpack(const uint8_t* bytes, size_t size, Stream stream, CodeBeat& beat) {
  const unsigned width = stream == Stream::kBf16 ? 8 : 2U * static_cast<unsigned>(slices(stream));
  size_t code = 0;
  for (size_t i = 0; i < size; ++i) {
    unsigned bits = bytes[i];
    for (unsigned place = 0; place < 8; place += width) {
      const auto top = static_cast<int8_t>(static_cast<uint8_t>(bits << (8 - width)));
      beat.codes[code++] = static_cast<int8_t>(top >> (8 - width));
      bits >>= width;
    }
  }
}

}  // namespace

FillModel::FillModel(const TileGeometry& geometry)
    : geometry_(geometry),
      group_(geometry.group()),
      lanes_(geometry.lanes()),
      side_lanes_(static_cast<size_t>(geometry.configuration().side_lanes)),
      converter_(geometry.configuration().link_bits()),
      values_(side_lanes_ / 2, group_),
      turn_(side_lanes_, group_),
      stream_(side_lanes_, group_) {
  reset();
}

void FillModel::reset() {
  segments_.reset();
  requests_.reset();
  turns_.reset();
  streams_.reset();
  route_.reset();
  turn_in_bf16_.reset();
  turn_out_.reset();
  stream_turned_.reset();
  requests_sent_ = part_ = 0;
  converter_.reset();
  values_.reset();
  turn_.reset();
  stream_.reset();
}

FillSegment FillModel::segment_of(const TileRead& read) const {
  FillSegment fill;
  fill.segment.stream = stream_of_read(read);
  fill.segment.empty = read.empty();
  fill.segment.columns = static_cast<size_t>(read.columns);
  fill.segment.lanes = static_cast<size_t>(read.lanes);
  fill.align_w = read.align_w;
  if (read.bf16) {
    fill.source = BeatSource::kBf16;
  } else if (!read.empty()) {
    if (read.transpose) fill.source = BeatSource::kTransposed;
    if (read.transpose || geometry_.edges() > 1) fill.segment.lanes = group_;
  }
  return fill;
}

ReadRequest FillModel::request() const {
  const TileRead& read = requests_.front();
  ReadRequest request{.tier = read.tier, .kind = read.kind, .view = read.view};
  const auto lanes = static_cast<size_t>(read.lanes);
  size_t codes = lanes;
  if (read.transpose) {
    codes = lanes * group_;
  } else if (geometry_.edges() > 1 || lanes == group_) {
    codes = static_cast<size_t>(read.columns) * group_;
  }
  request.codes = static_cast<uint32_t>(codes);
  return request;
}

bool FillModel::last_request() const {
  const TileRead& read = requests_.front();
  const auto columns = static_cast<size_t>(read.columns);
  if (read.transpose) return requests_sent_ + 1 == ceil_divide(columns, group_);
  if (geometry_.edges() > 1 || static_cast<size_t>(read.lanes) == group_) return true;
  return requests_sent_ + 1 == columns;
}

FillModel::Route FillModel::route() const {
  const TileRead& read = requests_.front();
  const Stream stream = stream_of_read(read);
  const size_t bytes =
      static_cast<size_t>(read.lanes) * group_ * static_cast<size_t>(slices(stream)) / 4;
  const size_t parts = ceil_divide(bytes, side_lanes_);
  return {.transpose = read.transpose,
          .stream = stream,
          .parts = (parts - 1) % (lanes_ / side_lanes_) + 1,
          .last = last_request()};
}

void FillModel::evaluate(const Inputs& in) {
  Wires& w = wires_;
  Outputs& out = outputs_;
  // What comes from registers.
  w.converter = converter_.evaluate(w.converter_in);
  w.turn = turn_.outputs(w.turn_in);
  w.stream = stream_.outputs(w.stream_in);
  const bool beat_valid = w.converter.beat_valid && route_.valid();
  const bool to_turn = beat_valid && route_.front().transpose;

  // Into the transposing buffer: parts of the converter's beats, or values.
  const bool turn_bf16 = turn_in_bf16_.front();
  const size_t parts = lanes_ / side_lanes_;
  const bool part_ends = part_ + 1 == (w.converter.beat_last ? route_.front().parts : parts);
  w.turn_in.job_valid = turns_.valid();
  w.turn_in.job_stream = stream_of_read(turns_.front());
  w.turn_in.job_lanes = static_cast<size_t>(turns_.front().lanes);
  w.turn_in.job_columns = static_cast<size_t>(turns_.front().columns);
  w.turn_in.in_valid =
      turn_in_bf16_.valid() && (turn_bf16 ? in.w_valid && values_.turn() : to_turn);
  w.turn_in.in = turn_bf16 ? reinterpret_cast<const uint8_t*>(in.w)
                           : bytes_of(w.converter.beat) + part_ * side_lanes_;
  w.turn_in_last =
      turn_bf16 ? values_.last() : w.converter.beat_last && part_ends && route_.front().last;
  w.narrow_taken = to_turn && turn_in_bf16_.valid() && !turn_bf16 && w.turn.in_ready;
  w.narrow_last = w.narrow_taken && part_ends;

  // Into the BF16 stream: values, or units from the transposing buffer.
  const bool turned = stream_turned_.front();
  const bool turn_out_bf16 = turn_out_.valid() && turn_out_.front() == Stream::kBf16;
  const bool turn_out_codes = turn_out_.valid() && turn_out_.front() != Stream::kBf16;
  w.stream_in.job_valid = streams_.valid();
  w.stream_in.job_units = streams_.front().columns;
  w.stream_in.job_lanes = streams_.front().lanes;
  w.stream_in.job_align_w = streams_.front().align_w;
  w.stream_in.w_valid = stream_turned_.valid() && (turned ? w.turn.out_valid && turn_out_bf16
                                                          : in.w_valid && values_.stream());
  w.stream_in.w = turned ? reinterpret_cast<const Bf16*>(w.turn.out) : in.w;
  w.units_last = turned ? w.turn.out_last : values_.last();
  const bool units_taken = stream_turned_.valid() && w.stream.w_ready;

  // Out to the segment that is filled.
  w.stream_in.code_ready = in.beat_ready && in.source == BeatSource::kBf16;
  w.turn_in.out_ready = (turn_out_bf16 && turned && units_taken) ||
                        (turn_out_codes && in.beat_ready && in.source == BeatSource::kTransposed);
  w.converter_in.beat_ready =
      route_.valid() &&
      (route_.front().transpose ? w.narrow_last
                                : in.beat_ready && in.source == BeatSource::kDirect);
  switch (in.source) {
    case BeatSource::kTransposed:
      out.beat_valid = w.turn.out_valid && turn_out_codes;
      break;
    case BeatSource::kBf16:
      out.beat_valid = w.stream.code_valid;
      break;
    case BeatSource::kDirect:
      out.beat_valid = beat_valid && !route_.front().transpose;
      break;
  }
  out.side_last = w.turn.out_last;
  out.unit_last = w.stream.code_last;

  // Read requests.
  w.converter_in.req_valid = requests_.valid() && route_.ready();
  w.converter_in.req = request();
  w.converter_in.word_valid = in.word_valid;
  w.converter_in.word = {in.word, geometry_.word_codes()};
  const ConverterOutputs converter = converter_.evaluate(w.converter_in);
  w.request_taken = w.converter_in.req_valid && converter.req_ready;

  out.word_ready = converter.word_ready;
  out.w_ready = (values_.turn() && turn_in_bf16_.valid() && turn_bf16 && w.turn.in_ready) ||
                (values_.stream() && !turned && units_taken);
  out.read_ready = segments_.ready() && requests_.ready() && turns_.ready() && streams_.ready() &&
                   values_.read_ready() && turn_in_bf16_.ready() && turn_out_.ready() &&
                   stream_turned_.ready();
  out.seg_valid = segments_.valid();
  out.seg = &segments_.front();
}

FillModel::Outputs FillModel::outputs(const Inputs& in) {
  evaluate(in);
  return outputs_;
}

const CodeBeat* FillModel::beat(BeatSource source) {
  switch (source) {
    case BeatSource::kTransposed:
      unpack(wires_.turn.out, side_lanes_, turn_out_.front(), beat_);
      return &beat_;
    case BeatSource::kBf16:
      return wires_.stream.code;
    case BeatSource::kDirect:
      break;
  }
  unpack(bytes_of(wires_.converter.beat), lanes_, route_.front().stream, beat_);
  return &beat_;
}

void FillModel::clock(const Inputs& in) {
  evaluate(in);
  Wires& w = wires_;
  const TileRead& read = *in.read;
  const bool fire = in.read_valid && outputs_.read_ready;
  const bool codes = fire && !read.bf16 && !read.empty();
  const bool turned = fire && read.transpose && !read.empty();
  const bool bf16 = fire && read.bf16;
  const bool request_done = w.request_taken && last_request();
  const bool beat_taken = w.converter.beat_valid && w.converter_in.beat_ready;

  if (w.narrow_taken) part_ = w.narrow_last ? 0 : part_ + 1;
  route_.clock(w.request_taken, route(), beat_taken && w.converter.beat_last);
  if (w.request_taken) requests_sent_ = request_done ? 0 : requests_sent_ + 1;
  turn_in_bf16_.clock(turned, read.bf16, w.turn_in.in_valid && w.turn.in_ready && w.turn_in_last);
  turn_out_.clock(turned, stream_of_read(read),
                  w.turn.out_valid && w.turn_in.out_ready && w.turn.out_last);
  stream_turned_.clock(bf16, read.transpose,
                       w.stream_in.w_valid && w.stream.w_ready && w.units_last);
  values_.clock(bf16, read, in.w_valid && outputs_.w_ready);
  turns_.clock(turned, read, w.turn.job_ready);
  streams_.clock(bf16, read, w.stream.job_ready);
  segments_.clock(fire, segment_of(read), in.seg_ready);
  requests_.clock(codes, read, request_done);
  // Payloads of one block are those of another: the consumer first.
  stream_.clock(w.stream_in);
  turn_.clock(w.turn_in);
  converter_.clock(w.converter_in);
}

}  // namespace rivulet
