// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_quantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sw_model/numerics/quantize.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

const OperationSpec& QuantizeOperation::spec() const {
  static const OperationSpec spec{
      "quantize",
      "real weights as stored q8 codes and scales, round to nearest even",
      {{"w", Dtype::kF32, {"N", "K"}, "weights, finite"}},
      {{"group", "128", "lanes that share a scale"}},
      {{"codes", Dtype::kI8, {"N", "K"}, "stored codes, -127 to 127"},
       {"scale", Dtype::kBf16, {"N", "ceil(K/group)"}, "scale of each row and group"}}};
  return spec;
}

OpResult QuantizeOperation::run(const OpRequest& request) const {
  constexpr int kMostLanes = 1 << 20;
  if (request.target != Target::kGolden) {
    throw InputError("quantize is done on the host: it has no target 'cycle' or 'rtl'");
  }
  const size_t n = request.sizes.at("N"), k = request.sizes.at("K");
  const auto w = elements_of<float>(request.input.at("w"));
  const auto bad = std::find_if(w.begin(), w.end(), [](float x) { return !std::isfinite(x); });
  if (bad != w.end()) {
    const auto place = static_cast<size_t>(bad - w.begin());
    throw InputError(fmt::format("tensor 'w': element [{},{}] is {}, weights are finite", place / k,
                                 place % k, *bad));
  }
  const auto group = static_cast<size_t>(request.keys.integer("group", 1, kMostLanes));
  const QuantizedMatrix q = quantize_matrix(w, n, k, group);
  OpResult result;
  result.outputs["codes"] = make_tensor<int8_t>(Dtype::kI8, {n, k}, q.codes);
  result.outputs["scale"] = make_tensor<Bf16>(Dtype::kBf16, {n, q.groups}, q.scales);
  return result;
}

}  // namespace rivulet
