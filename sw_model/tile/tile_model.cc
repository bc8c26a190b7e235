// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_model.h"

namespace rivulet {
namespace {

Tier tier_of(Stream stream) { return static_cast<Tier>(stream); }

// Four BF16 of a beat, lane 0 in the low bits.
std::array<Bf16, 4> values_of(uint64_t beat) {
  std::array<Bf16, 4> values;
  for (size_t i = 0; i < values.size(); ++i) {
    values[i].bits = static_cast<uint16_t>(beat >> (16 * i));
  }
  return values;
}

constexpr size_t index_of(TileStream stream) { return static_cast<size_t>(stream); }

}  // namespace

TileModel::TileModel(const Configuration& configuration)
    : geometry_(configuration),
      converter_(configuration.link_bits()),
      transpose_(geometry_.lanes(), geometry_.group()),
      bf16_(geometry_.lanes(), geometry_.group()),
      array_(geometry_) {
  reset();
}

void TileModel::reset() {
  load_.reset();
  array_pass_.reset();
  read_.reset();
  bf16_pass_.reset();
  transpose_pass_.reset();
  route_.reset();
  requests_sent_ = 0;
  converter_.reset();
  transpose_.reset();
  bf16_.reset();
  array_.reset();
  counters_ = {};
}

ReadRequest TileModel::read_request() const {
  const TilePass& pass = read_.front();
  ReadRequest request{.tier = tier_of(pass.stream), .kind = pass.kind, .view = pass.view};
  const auto lanes = static_cast<size_t>(pass.lanes);
  const auto units = static_cast<size_t>(pass.columns);
  if (pass.transpose) {
    request.codes = static_cast<uint32_t>(lanes * geometry_.group());
  } else if (geometry_.one_request(lanes)) {
    request.codes = static_cast<uint32_t>(units * geometry_.group());
  } else {
    request.codes = static_cast<uint32_t>(lanes);
  }
  return request;
}

bool TileModel::is_last_request() const {
  const TilePass& pass = read_.front();
  return pass.transpose || geometry_.one_request(static_cast<size_t>(pass.lanes)) ||
         requests_sent_ + 1 == static_cast<size_t>(pass.columns);
}

void TileModel::evaluate(const TileInputs& in, Wires& w) {
  const TilePass& active = array_.active_pass();
  if (active.stream == Stream::kBf16) {
    w.source = Source::kBf16;
  } else {
    w.source = active.transpose ? Source::kTransposed : Source::kDirect;
  }

  // What comes from registers.
  const ConverterOutputs& converter_registers = converter_.evaluate(w.converter_in);
  const bool beat_valid = converter_registers.beat_valid;
  w.beat_last = converter_registers.beat_last;
  const bool route_valid = route_.valid();
  const bool to_transpose = route_valid && route_.front().transpose;
  w.transpose = transpose_.outputs(w.transpose_in);
  w.bf16 = bf16_.outputs(w.bf16_in);

  // The array.
  w.array_in.load_valid = load_.valid();
  w.array_in.load = &load_.front();
  w.array_in.x_valid = in.valid[index_of(TileStream::kX)];
  w.array_in.pass_valid = array_pass_.valid();
  w.array_in.pass = &array_pass_.front();
  w.array_in.scale_valid = in.valid[index_of(TileStream::kScale)];
  w.array_in.scale = in.scale;
  w.array_in.y_ready = in.y_ready;
  switch (w.source) {
    case Source::kBf16:
      w.array_in.code_valid = w.bf16.code_valid;
      w.array_in.code = w.bf16.code;
      break;
    case Source::kTransposed:
      w.array_in.code_valid = w.transpose.out_valid;
      w.array_in.code = w.transpose.out;
      break;
    case Source::kDirect:
      w.array_in.code_valid = beat_valid && route_valid && !to_transpose;
      w.array_in.code = &code_;
      break;
  }
  w.array = array_.outputs(w.array_in);

  // Back to the sources.
  w.bf16_in = {.job_valid = bf16_pass_.valid(),
               .job_units = bf16_pass_.front().columns,
               .job_lanes = bf16_pass_.front().lanes,
               .job_align_w = bf16_pass_.front().align_w,
               .w_valid = in.valid[index_of(TileStream::kW)],
               .w = in.w,
               .code_ready = w.array.code_ready && w.source == Source::kBf16};
  w.bf16 = bf16_.outputs(w.bf16_in);
  w.transpose_in = {.job_valid = transpose_pass_.valid(),
                    .job_stream = transpose_pass_.front().stream,
                    .job_lanes = static_cast<size_t>(transpose_pass_.front().lanes),
                    .job_units = static_cast<size_t>(transpose_pass_.front().columns),
                    .in_valid = beat_valid && to_transpose,
                    .in = &code_,
                    .out_ready = w.array.code_ready && w.source == Source::kTransposed};
  w.converter_in.beat_ready =
      route_valid &&
      (to_transpose ? w.transpose.in_ready : w.array.code_ready && w.source == Source::kDirect);
  w.beat_taken = beat_valid && w.converter_in.beat_ready;
  if (beat_valid && route_valid) unpack(converter_registers.beat, route_.front().stream);

  // Read requests.
  w.request_valid = read_.valid();
  w.converter_in.req_valid = w.request_valid && route_.ready();
  w.converter_in.req = read_request();
  w.converter_in.word_valid = in.valid[index_of(TileStream::kWord)];
  w.converter_in.word = {in.word, geometry_.word_codes()};
  const ConverterOutputs converter = converter_.evaluate(w.converter_in);
  w.request_taken = w.converter_in.req_valid && converter.req_ready;
  w.read_done = w.request_taken && is_last_request();

  outputs_.ready = {load_.ready() && array_pass_.ready() && read_.ready() && bf16_pass_.ready() &&
                        transpose_pass_.ready(),
                    w.array.x_ready, converter.word_ready, w.bf16.w_ready, w.array.scale_ready};
  outputs_.y_valid = w.array.y.y_valid;
  outputs_.y_last = w.array.y.y_last;
  outputs_.y = w.array.y.y;
  outputs_.acc = w.array.y.acc;
  w.pass_taken =
      in.valid[index_of(TileStream::kPass)] && outputs_.ready[index_of(TileStream::kPass)];
}

// The codes of a link beat, one by one.
void TileModel::unpack(const std::vector<uint64_t>& beat, Stream stream) {
  const unsigned width = 2U * static_cast<unsigned>(slices(stream));
  const size_t per_word = 64 / width;
  for (size_t word = 0; word < beat.size(); ++word) {
    uint64_t bits = beat[word];
    for (size_t i = 0; i < per_word; ++i) {
      // Sign extension from the top of a byte.
      const auto top = static_cast<int8_t>(static_cast<uint8_t>(bits << (8 - width)));
      code_.codes[word * per_word + i] = static_cast<int8_t>(top >> (8 - width));
      bits >>= width;
    }
  }
}

void TileModel::count(const TileInputs& in, const ArrayModel::Events& events) {
  const auto moved = [&](TileStream stream) {
    return in.valid[index_of(stream)] && outputs_.ready[index_of(stream)] ? 1U : 0U;
  };
  ++counters_.cycles;
  if (events.fire) {
    ++counters_.array_beats[static_cast<size_t>(events.stream)];
    counters_.macs[static_cast<size_t>(events.stream)] += events.macs;
  }
  counters_.wait_tile += events.wait_tile ? 1 : 0;
  counters_.wait_psum += events.wait_psum ? 1 : 0;
  counters_.stall_code += events.stall_code ? 1 : 0;
  counters_.stall_scale += events.stall_scale ? 1 : 0;
  counters_.x_beats += moved(TileStream::kX);
  counters_.w_beats += moved(TileStream::kW);
  counters_.scale_beats += moved(TileStream::kScale);
  counters_.y_beats += outputs_.y_valid && in.y_ready ? 1 : 0;
  counters_.words += moved(TileStream::kWord);
  counters_.special += events.special;
  counters_.saturated += events.saturated;
}

void TileModel::clock(const TileInputs& in, Wires& w) {
  count(in, w.array.events);
  const std::array<Bf16, 4> x = values_of(in.x);
  w.array_in.x = x.data();
  const Route route{.transpose = read_.front().transpose, .stream = read_.front().stream};

  array_.clock(w.array_in);
  bf16_.clock(w.bf16_in);
  transpose_.clock(w.transpose_in);
  converter_.clock(w.converter_in);
  route_.clock(w.request_taken, route, w.beat_taken && w.beat_last);
  if (w.request_taken) requests_sent_ = w.read_done ? 0 : requests_sent_ + 1;

  const bool load = in.pass->load;
  const bool bf16 = in.pass->stream == Stream::kBf16;
  load_.clock(w.pass_taken && load, *in.pass, w.array.load_ready);
  array_pass_.clock(w.pass_taken, *in.pass, w.array.pass_ready);
  read_.clock(w.pass_taken && !bf16, *in.pass, w.read_done);
  bf16_pass_.clock(w.pass_taken && bf16, *in.pass, w.bf16.job_ready);
  transpose_pass_.clock(w.pass_taken && in.pass->transpose, *in.pass, w.transpose.job_ready);
}

const TileOutputs& TileModel::step(const TileInputs& inputs) {
  Wires wires;
  evaluate(inputs, wires);
  clock(inputs, wires);
  return outputs_;
}

TileCounters TileModel::counters() const {
  TileCounters counters = counters_;
  counters.converter = converter_.evaluate({}).counters;
  return counters;
}

}  // namespace rivulet
