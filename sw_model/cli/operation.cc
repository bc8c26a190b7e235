// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/operation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sw_model/cli/op_convert.h"
#include "sw_model/cli/op_gemm.h"
#include "sw_model/cli/op_kv.h"
#include "sw_model/cli/op_quantize.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

template <typename Items, typename Name>
std::string names_of(const Items& items, const Name& name) {
  std::vector<std::string> names;
  std::transform(items.begin(), items.end(), std::back_inserter(names), name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_tensor(const TensorSpec& spec, const Tensor& tensor, Sizes& sizes) {
  if (tensor.dtype != spec.dtype) {
    throw InputError(fmt::format("tensor '{}': dtype {}, expected {}", spec.name,
                                 dtype_name(tensor.dtype), dtype_name(spec.dtype)));
  }
  if (tensor.shape.size() != spec.sizes.size()) {
    throw InputError(fmt::format("tensor '{}': shape {}, expected {}", spec.name,
                                 tensor.shape_text(), spec.shape_text()));
  }
  for (size_t i = 0; i < spec.sizes.size(); ++i) {
    const auto [known, is_new] = sizes.emplace(spec.sizes[i], tensor.shape[i]);
    if (tensor.shape[i] == 0) {
      throw InputError(fmt::format("tensor '{}': shape {}, {} must be at least 1", spec.name,
                                   tensor.shape_text(), spec.sizes[i]));
    }
    if (known->second != tensor.shape[i]) {
      throw InputError(fmt::format("tensor '{}': shape {}, expected {} with {} = {}", spec.name,
                                   tensor.shape_text(), spec.shape_text(), spec.sizes[i],
                                   known->second));
    }
  }
}

}  // namespace

std::string TensorSpec::shape_text() const { return fmt::format("[{}]", fmt::join(sizes, ",")); }

const std::vector<std::unique_ptr<Operation>>& operations() {
  static const std::vector<std::unique_ptr<Operation>> all = [] {
    std::vector<std::unique_ptr<Operation>> result;
    result.push_back(std::make_unique<ConvertOperation>());
    result.push_back(std::make_unique<GemmOperation>());
    result.push_back(std::make_unique<GemmBf16Operation>());
    result.push_back(std::make_unique<KvBasisOperation>());
    result.push_back(std::make_unique<KvEncodeOperation>());
    result.push_back(std::make_unique<KvRankOperation>());
    result.push_back(std::make_unique<QuantizeOperation>());
    return result;
  }();
  return all;
}

const Operation& operation(const std::string& name) {
  for (const auto& candidate : operations()) {
    if (candidate->spec().name == name) return *candidate;
  }
  throw InputError(
      fmt::format("unknown operation '{}' (known: {})", name,
                  names_of(operations(), [](const auto& entry) { return entry->spec().name; })));
}

Sizes check_inputs(const std::string& name, const std::vector<TensorSpec>& inputs,
                   const TensorFile& input) {
  for (const auto& entry : input.tensors) {
    const std::string& tensor = entry.first;
    const auto known = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const TensorSpec& spec) { return spec.name == tensor; });
    if (known == inputs.end()) {
      throw InputError(
          fmt::format("unknown tensor '{}' ({} reads: {})", tensor, name,
                      names_of(inputs, [](const TensorSpec& spec) { return spec.name; })));
    }
  }
  Sizes sizes;
  for (const TensorSpec& spec : inputs) check_tensor(spec, input.at(spec.name), sizes);
  return sizes;
}

}  // namespace rivulet
