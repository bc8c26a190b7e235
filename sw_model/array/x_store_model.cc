// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/x_store_model.h"

#include <algorithm>
#include <utility>

namespace rivulet {

XStoreModel::XStoreModel(const Shape& shape)
    : shape_(shape),
      memory_(shape.slots * shape.positions * ((shape.group + shape.x_values - 1) / shape.x_values),
              Beat(shape.x_values)) {
  for (Stage& stage : stage_) stage.beat.resize(shape.x_values);
  reset();
}

void XStoreModel::reset() {
  jobs_.clear();
  beats_left_ = 0;
  for (Stage& stage : stage_) stage.valid = false;
}

XStoreModel::Outputs XStoreModel::outputs(const Inputs& in) const {
  const bool ends = beats_left_ == 0 || (beats_left_ == 1 && enters(in));
  return {.load_ready = jobs_.size() < kJobs && ends,
          .x_ready = beats_left_ != 0 && !load_.from_store && moves(in),
          .job_valid = !jobs_.empty(),
          .job = jobs_.empty() ? TileLoad{} : jobs_.front(),
          .out_valid = stage_[1].valid,
          .out = stage_[1].beat.data()};
}

void XStoreModel::clock(const Inputs& in) {
  const Outputs out = outputs(in);
  const bool enter = enters(in);
  if (moves(in)) {
    std::swap(stage_[1], stage_[0]);
    stage_[0].valid = enter;
  }
  if (enter) {
    Beat& beat = stage_[0].beat;
    if (load_.from_store) {
      beat = memory_[address_];
    } else {
      std::copy_n(in.x, shape_.x_values, beat.begin());
    }
    if (load_.keep) memory_[address_] = beat;
    ++address_;
    --beats_left_;
  }
  if (out.job_valid && in.job_ready) jobs_.pop_front();
  if (in.load_valid && out.load_ready) {
    load_ = in.load;
    const auto lanes = static_cast<size_t>(load_.lanes);
    const size_t slot_beats = memory_.size() / std::max<size_t>(shape_.slots, 1);
    beats_left_ =
        static_cast<size_t>(load_.rows) * ((lanes + shape_.x_values - 1) / shape_.x_values);
    address_ = static_cast<size_t>(load_.slot) * slot_beats;
    jobs_.push_back(load_);
  }
}

}  // namespace rivulet
