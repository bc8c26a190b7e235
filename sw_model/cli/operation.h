// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// One operation of `rivulet op`: what it reads, its keys, what it writes, and how it runs.
//
// Everything is checked before anything runs: unknown or missing tensors, dtypes, ranks, sizes that
// disagree, unknown keys and values out of range throw InputError.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sw_model/cli/op_keys.h"
#include "sw_model/cli/target.h"
#include "sw_model/workload/safetensors.h"

namespace rivulet {

struct TensorSpec {
  std::string name;
  Dtype dtype = Dtype::kF32;
  std::vector<std::string> sizes;  // names; equal names are equal sizes
  std::string meaning;

  std::string shape_text() const;  // "[M,K]"
};

struct OperationSpec {
  std::string name;
  std::string summary;
  std::vector<TensorSpec> inputs;
  std::vector<KeySpec> keys;
  std::vector<TensorSpec> outputs;
};

using Sizes = std::map<std::string, size_t>;  // by the names of TensorSpec

struct OpRequest {
  const TensorFile& input;
  const Sizes& sizes;
  const OpKeys& keys;
  Target target;
  const Configuration& configuration;
  DeviceOptions options;
  std::string repeat;  // the command that repeats the run
};

struct OpResult {
  std::map<std::string, Tensor> outputs;
  Counters counters;
  uint64_t values_compared = 0;  // with the golden model; 0 on the golden target
};

class Operation {
 public:
  virtual ~Operation() = default;
  virtual const OperationSpec& spec() const = 0;
  // The inputs, which may depend on the keys.
  virtual std::vector<TensorSpec> inputs(const OpKeys& /*keys*/) const { return spec().inputs; }
  virtual OpResult run(const OpRequest& request) const = 0;
};

// All operations in the order of their names.
const std::vector<std::unique_ptr<Operation>>& operations();
const Operation& operation(const std::string& name);

// The sizes of the inputs of operation `name`, all at least 1.
Sizes check_inputs(const std::string& name, const std::vector<TensorSpec>& inputs,
                   const TensorFile& input);

}  // namespace rivulet
