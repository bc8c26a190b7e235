// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/cli/op_inputs.h"

namespace rivulet {

Tensor OpInputs::bf16(const std::vector<size_t>& shape) {
  Tensor tensor{Dtype::kBf16, shape, {}};
  std::vector<uint16_t> values(tensor.elements());
  for (uint16_t& value : values) value = static_cast<uint16_t>(values_.draw(random_));
  return make_tensor<uint16_t>(Dtype::kBf16, shape, values);
}

TensorFile OpInputs::make(const Problem& p) {
  TensorFile file;
  file.tensors["x"] = bf16({p.m, p.k});
  if (p.bits == 16) {
    file.tensors["w"] = bf16({p.n, p.k});
    return file;
  }
  file.tensors["scale"] = bf16({p.n, (p.k + p.group - 1) / p.group});
  std::vector<int8_t> codes(p.n * p.k);
  const int64_t most = p.bits == 2 ? 1 : (1 << (p.bits - 1)) - 1;
  const int64_t least = p.bits == 2 ? -1 : -(1 << (p.bits - 1));
  for (int8_t& code : codes) code = static_cast<int8_t>(random_.between(least, most));
  file.tensors["codes"] = make_tensor<int8_t>(Dtype::kI8, {p.n, p.k}, codes);
  return file;
}

std::vector<std::string> op_arguments(const std::string& name, const std::string& in,
                                      const std::string& out,
                                      const std::vector<std::string>& settings) {
  std::vector<std::string> words{"op", name, "--in", in, "--out", out};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return words;
}

}  // namespace rivulet
