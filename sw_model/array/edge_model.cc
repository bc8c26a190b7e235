// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/array/edge_model.h"

#include "sw_model/numerics/accumulate.h"
#include "sw_model/numerics/fp32.h"

namespace rivulet {

void EdgeModel::reset() {
  for (Update& update : stage_) update.in.valid = false;
}

EdgeModel::Outputs EdgeModel::outputs() const {
  const Update& reader = stage_[kReadStage];
  const Update& writer = stage_[kStages];
  return {.read = reader.in.valid && !reader.in.first,
          .read_address = reader.in.address,
          .write = writer.in.valid,
          .write_address = writer.in.address,
          .write_tag = writer.in.tag,
          .acc = writer.acc,
          .saturated = writer.saturated};
}

void EdgeModel::clock(const Inputs& in) {
  for (size_t s = kStages; s > 1; --s) stage_[s] = stage_[s - 1];
  stage_[1].in = in;
  Update& update = stage_[kReadStage + 3];  // in the cycle before, its partial sum was at the port
  if (!update.in.valid) return;
  const float acc = update.in.first ? 0.0F : in.acc;
  update.saturated = false;
  if (update.in.carry || update.in.special) {
    update.acc = update.in.carry ? acc : kFp32CanonicalNan;
    return;
  }
  const Bf16 scale = update.in.scale;
  const int significand = scale.negative() ? -scale.significand() : scale.significand();
  AccumulateCounts counts;
  update.acc = add_exact(
      acc, static_cast<__int128>(update.in.partial) * (update.in.unit_scale ? 1 : significand),
      update.in.exponent, counts);
  update.saturated = counts.saturated != 0;
}

}  // namespace rivulet
