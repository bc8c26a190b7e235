// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_convert.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw_model/cli/op_view.h"
#include "sw_model/common/device_error.h"
#include "sw_model/numerics/pack.h"

namespace rivulet {

namespace {

std::vector<KeySpec> convert_keys() {
  std::vector<KeySpec> keys{{"tier", "8", "bits of a delivered code: 8, 4, 2 or 0"}};
  keys.insert(keys.end(), view_keys().begin(), view_keys().end());
  return keys;
}

// Compares codes, beats and the number of each; returns how many values were compared.
uint64_t compare(const Delivery& expected, const Delivery& got, const std::string& repeat) {
  const auto check = [&](const char* name, const auto& want, const auto& have, auto to_number) {
    const auto [w, h] = std::mismatch(want.begin(), want.end(), have.begin(), have.end());
    if (w == want.end() && h == have.end()) return;
    const auto text = [&](auto at, auto end) {
      return at == end ? std::string("nothing") : fmt::format("{:#x}", to_number(*at));
    };
    throw Mismatch(fmt::format("MISMATCH in {}[{}]: expected {}, got {}\n  repeat with: {}", name,
                               w - want.begin(), text(w, want.end()), text(h, have.end()), repeat));
  };
  check("codes", expected.codes, got.codes, [](int8_t code) { return static_cast<int>(code); });
  check("beats", expected.beats, got.beats, [](uint64_t beat) { return beat; });
  return expected.codes.size() + expected.beats.size() + 2;
}

}  // namespace

const OperationSpec& ConvertOperation::spec() const {
  static const OperationSpec spec{
      "convert",
      "stored q8 codes as delivered at a tier, and packed into 64-bit beats",
      {{"codes", Dtype::kI8, {"n"}, "stored codes"}},
      convert_keys(),
      {{"codes", Dtype::kI8, {"n"}, "delivered codes; absent at tier 0"},
       {"beats", Dtype::kU8, {"bytes"}, "packed beats, 8 bytes each, least significant first"}}};
  return spec;
}

OpResult ConvertOperation::run(const OpRequest& request) const {
  const ReadRequest read = read_of(request.keys);
  const auto codes = elements_of<int8_t>(request.input.at("codes"));
  const auto converter = make_converter(request.target, request.configuration, request.options);
  const Delivery delivery = converter->convert(codes, read);
  OpResult result{.outputs = {}, .counters = converter->counters(), .values_compared = 0};
  if (request.target != Target::kGolden) {
    result.values_compared =
        compare(GoldenConverter().convert(codes, read), delivery, request.repeat);
  }
  const std::vector<uint8_t> bytes = beat_bytes(delivery.beats);
  result.outputs["beats"] = make_tensor<uint8_t>(Dtype::kU8, {bytes.size()}, bytes);
  if (read.tier != Tier::kQ0) {
    result.outputs["codes"] =
        make_tensor<int8_t>(Dtype::kI8, {delivery.codes.size()}, delivery.codes);
  }
  return result;
}

}  // namespace rivulet
