// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_kv.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sw_model/kv/kv_basis.h"
#include "sw_model/kv/kv_codec.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

void check_target(const OpRequest& request, const char* name) {
  if (request.target != Target::kGolden) {
    throw InputError(fmt::format("{} has no target 'cycle' or 'rtl': use --target golden", name));
  }
}

// Elements of a matrix, all finite.
std::vector<Bf16> finite(const OpRequest& request, const std::string& name, size_t columns) {
  const auto elements = elements_of<Bf16>(request.input.at(name));
  const auto bad =
      std::find_if(elements.begin(), elements.end(), [](Bf16 value) { return value.is_special(); });
  if (bad != elements.end()) {
    const auto place = static_cast<size_t>(bad - elements.begin());
    throw InputError(fmt::format("tensor '{}': element [{},{}] is {}, entries are finite", name,
                                 place / columns, place % columns, to_float(*bad)));
  }
  return {elements.begin(), elements.end()};
}

}  // namespace

const OperationSpec& KvBasisOperation::spec() const {
  static const OperationSpec spec{
      "kv-basis",
      "the two leading eigenvectors of the Gram matrix of KV entries",
      {{"x", Dtype::kBf16, {"N", "d"}, "keys before RoPE, or values; finite, d at least 2"}},
      {{"tokens", "128", "entries, the first ones, that the basis is fitted to"}},
      {{"u", Dtype::kBf16, {"d", "2"}, "the basis"},
       {"eigenvalues", Dtype::kF32, {"2"}, "descending"}}};
  return spec;
}

OpResult KvBasisOperation::run(const OpRequest& request) const {
  constexpr int kMostTokens = 1 << 20;
  check_target(request, "kv-basis");
  const size_t n = request.sizes.at("N"), d = request.sizes.at("d");
  const auto tokens = static_cast<size_t>(request.keys.integer("tokens", 1, kMostTokens));
  if (d < 2) throw InputError("tensor 'x': d is 1, a basis of two vectors needs at least 2");
  if (n < tokens) {
    throw InputError(
        fmt::format("tensor 'x': {} entries, the basis is fitted to {} (key 'tokens')", n, tokens));
  }
  const std::vector<Bf16> x = finite(request, "x", d);
  const KvBasis basis = kv_basis(std::span<const Bf16>(x).first(tokens * d), d);
  OpResult result;
  result.outputs["u"] = make_tensor<Bf16>(Dtype::kBf16, {d, 2}, basis.u);
  result.outputs["eigenvalues"] = make_tensor<float>(
      Dtype::kF32, {2}, std::vector<float>(basis.eigenvalues.begin(), basis.eigenvalues.end()));
  return result;
}

const OperationSpec& KvEncodeOperation::spec() const {
  static const OperationSpec spec{
      "kv-encode",
      "KV entries as coefficients of a basis, a scale and the q8 codes of the residual",
      {{"x", Dtype::kBf16, {"N", "d"}, "keys before RoPE, or values; finite"},
       {"u", Dtype::kBf16, {"d", "2"}, "the basis, as of kv-basis; finite"}},
      {},
      {{"codes", Dtype::kI8, {"N", "d"}, "stored codes, -127 to 127"},
       {"sigma", Dtype::kBf16, {"N"}, "scale of each entry"},
       {"c", Dtype::kBf16, {"N", "2"}, "coefficients"}}};
  return spec;
}

OpResult KvEncodeOperation::run(const OpRequest& request) const {
  check_target(request, "kv-encode");
  const size_t n = request.sizes.at("N"), d = request.sizes.at("d");
  if (request.input.at("u").shape[1] != 2) {
    throw InputError(
        fmt::format("tensor 'u': shape {}, expected [d,2]", request.input.at("u").shape_text()));
  }
  const std::vector<Bf16> x = finite(request, "x", d);
  const std::vector<Bf16> u = finite(request, "u", 2);
  std::vector<int8_t> codes(n * d);
  std::vector<Bf16> sigma, c;
  for (size_t i = 0; i < n; ++i) {
    try {
      const KvSide side = kv_encode(std::span<const Bf16>(x).subspan(i * d, d), u,
                                    std::span(codes).subspan(i * d, d));
      sigma.push_back(side.sigma);
      c.insert(c.end(), side.c.begin(), side.c.end());
    } catch (const std::invalid_argument& problem) {
      throw InputError(fmt::format("tensor 'x': entry {}: {}", i, problem.what()));
    }
  }
  OpResult result;
  result.outputs["codes"] = make_tensor<int8_t>(Dtype::kI8, {n, d}, codes);
  result.outputs["sigma"] = make_tensor<Bf16>(Dtype::kBf16, {n}, sigma);
  result.outputs["c"] = make_tensor<Bf16>(Dtype::kBf16, {n, 2}, c);
  return result;
}

}  // namespace rivulet
