// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/bf16_stream_model.h"

namespace rivulet {

Bf16StreamModel::Bf16StreamModel(size_t lanes, size_t group)
    : values_(lanes / 2), aligner_(values_, group) {}

void Bf16StreamModel::reset() {
  aligner_.reset();
  half_ = waiting_ = code_valid_ = false;
}

AlignerModel::Inputs Bf16StreamModel::aligner_inputs(const Inputs& in) const {
  AlignerModel::Inputs aligner_in{.job_valid = in.job_valid,
                                  .job_rows = in.job_units,
                                  .job_lanes = in.job_lanes,
                                  .job_align_w = in.job_align_w,
                                  .x_valid = in.w_valid,
                                  .x = in.w};
  const AlignerModel::Outputs beat = aligner_.outputs(aligner_in);
  const bool complete = half_ || beat.a_last;
  const bool out_free = !code_valid_ || in.code_ready;
  aligner_in.a_ready = !complete || (out_free && !waiting_);
  return aligner_in;
}

Bf16StreamModel::Outputs Bf16StreamModel::outputs(const Inputs& in) const {
  const AlignerModel::Outputs aligner = aligner_.outputs(aligner_inputs(in));
  return {.job_ready = aligner.job_ready,
          .w_ready = aligner.x_ready,
          .code_valid = code_valid_,
          .code = &code_,
          .code_last = code_last_};
}

// Adds an aligned beat to the bytes being collected.
void Bf16StreamModel::take(const AlignerModel::Outputs& beat) {
  const size_t first = half_ ? values_ : 0;
  for (size_t i = 0; i < values_; ++i) {
    const auto bits = static_cast<uint16_t>(beat.a[i]);
    low_.codes[first + i] = static_cast<int8_t>(bits & 0xFF);
    high_.codes[first + i] = static_cast<int8_t>(bits >> 8);
    if (!half_) low_.codes[values_ + i] = high_.codes[values_ + i] = 0;
  }
  low_.exponent = high_.exponent = beat.a_exponent;
}

void Bf16StreamModel::clock(const Inputs& in) {
  const AlignerModel::Inputs aligner_in = aligner_inputs(in);
  const AlignerModel::Outputs beat = aligner_.outputs(aligner_in);
  const bool out_free = !code_valid_ || in.code_ready;
  bool complete = false;
  if (beat.a_valid && aligner_in.a_ready) {
    take(beat);
    complete = half_ || beat.a_last;
    half_ = !complete;
  }
  if (complete) {
    code_ = low_;
    waiting_code_ = high_;
    waiting_ = code_valid_ = true;
    waiting_last_ = beat.a_last;
    code_last_ = false;
  } else if (out_free) {
    if (waiting_) code_ = waiting_code_;
    code_last_ = waiting_last_;
    code_valid_ = waiting_;
    waiting_ = false;
  }
  aligner_.clock(aligner_in);
}

}  // namespace rivulet
