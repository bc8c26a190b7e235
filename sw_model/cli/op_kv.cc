// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_kv.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sw_model/common/number.h"
#include "sw_model/kv/kv_basis.h"
#include "sw_model/kv/kv_codec.h"
#include "sw_model/kv/tier_rank.h"
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

// Three numbers with commas between them.
TierFractions fractions_of(const std::string& text) {
  TierFractions fractions{};
  std::string_view rest = text;
  for (size_t j = 0; j < fractions.size(); ++j) {
    const size_t end = j + 1 < fractions.size() ? rest.find(',') : rest.size();
    const auto value = parse_unsigned(rest.substr(0, end));
    if (end == std::string_view::npos || !value || *value > kAllEntries) {
      throw InputError(
          fmt::format("key 'cuts': '{}' is not three numbers from 0 to {} with commas between them",
                      text, kAllEntries));
    }
    fractions[j] = static_cast<uint32_t>(*value);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return fractions;
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

const OperationSpec& KvRankOperation::spec() const {
  static const OperationSpec spec{
      "kv-rank",
      "the width of each KV entry from its score",
      {{"scores", Dtype::kF32, {"N"}, "at most 8192; NaN ranks last"}},
      {{"cuts", "21185,49419,61764",
        "shares of q8, of q8 and q4, of q8, q4 and q2, in 1/65536 of the entries"}},
      {{"tiers", Dtype::kU8, {"N"}, "3 = q8, 2 = q4, 1 = q2, 0 = q0"},
       {"nan_scores", Dtype::kU32, {"1"}, "scores that are NaN"}}};
  return spec;
}

OpResult KvRankOperation::run(const OpRequest& request) const {
  check_target(request, "kv-rank");
  const auto scores = elements_of<float>(request.input.at("scores"));
  const TierMap map = rank_tiers(scores, fractions_of(request.keys.text("cuts")));
  std::vector<uint8_t> tiers;
  for (const Tier tier : map.tiers) tiers.push_back(static_cast<uint8_t>(tier));
  OpResult result;
  result.outputs["tiers"] = make_tensor<uint8_t>(Dtype::kU8, {tiers.size()}, tiers);
  result.outputs["nan_scores"] = make_tensor<uint32_t>(
      Dtype::kU32, {1}, std::vector<uint32_t>{static_cast<uint32_t>(map.nan_scores)});
  return result;
}

}  // namespace rivulet
