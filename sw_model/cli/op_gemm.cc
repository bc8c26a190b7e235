// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/op_gemm.h"

#include <fmt/format.h>

#include <utility>

#include "sw_model/cli/op_view.h"
#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/golden_device.h"
#include "sw_model/workload/input_error.h"

namespace rivulet {

namespace {

const std::vector<std::string> kSwitch{"0", "1"};

const KeySpec kGroupKey{"group", "128", "lanes that share an exponent and a scale"};
const KeySpec kAlignKey{"align_w", "16", "bits of an aligned significand, 9 to 16"};
const KeySpec kTransposeKey{"transpose", "0",
                            "1: the streamed operand is [K,N], stored along the outputs"};
const TensorSpec kAcc{"acc", Dtype::kF32, {"M", "N"}, "accumulators"};
const TensorSpec kY{"y", Dtype::kBf16, {"M", "N"}, "accumulators rounded to BF16"};

bool is_set(const OpKeys& keys, const char* name) { return keys.choice(name, kSwitch) == 1; }

// The inputs of a product, whose second one may be stored along the outputs.
std::vector<TensorSpec> product_inputs(const OperationSpec& spec, const OpKeys& keys) {
  std::vector<TensorSpec> inputs = spec.inputs;
  if (is_set(keys, "transpose")) std::swap(inputs[1].sizes[0], inputs[1].sizes[1]);
  return inputs;
}

GemmShape shape_of(const OpRequest& request) {
  constexpr int kMostLanes = 1 << 20;
  const bool golden = request.target == Target::kGolden;
  const Configuration& tile = request.configuration;
  const GemmShape shape{.m = request.sizes.at("M"),
                        .n = request.sizes.at("N"),
                        .k = request.sizes.at("K"),
                        .group = static_cast<size_t>(request.keys.integer("group", 1, kMostLanes)),
                        .align_w = request.keys.integer("align_w", kMinAlignWidth, kMaxAlignWidth)};
  if (!golden && shape.group > static_cast<size_t>(tile.group)) {
    throw InputError(
        fmt::format("key 'group': {} is more than the {} lanes of configuration '{}' (--set "
                    "group={}, or another config)",
                    shape.group, tile.group, tile.name, tile.group));
  }
  if (!golden && shape.align_w > tile.align_w) {
    throw InputError(fmt::format("key 'align_w': {} is more than the {} bits of configuration '{}'",
                                 shape.align_w, tile.align_w, tile.name));
  }
  return shape;
}

// Delivers codes that already have the tier's width as they are.
ReadRequest pass_through(Tier tier) {
  ReadRequest read{.tier = tier, .kind = Kind::kFfn, .view = default_view(Kind::kFfn)};
  read.view.shift = 0;
  read.view.theta_p = 1;
  read.view.theta_n = -1;
  return read;
}

void check_codes(const std::vector<int8_t>& codes, const ReadRequest& read, size_t columns) {
  for (size_t i = 0; i < codes.size() && read.tier != Tier::kQ0; ++i) {
    if (view_code(codes[i], read.tier, read.view) != codes[i]) {
      throw InputError(fmt::format("tensor 'codes': element [{},{}] is {}, outside the {}-bit tier",
                                   i / columns, i % columns, codes[i], bits_per_code(read.tier)));
    }
  }
}

// The tile of the request, checked against the golden one unless it is that.
class Tile {
 public:
  explicit Tile(const OpRequest& request) {
    auto device = make_device(request.target, request.configuration, request.options);
    if (request.target != Target::kGolden) {
      auto checked = std::make_unique<CheckedDevice>(
          std::move(device), std::make_unique<GoldenDevice>(), request.repeat);
      checked_ = checked.get();
      device_ = std::move(checked);
    } else {
      device_ = std::move(device);
    }
  }

  OpResult run(const TileProduct& product) {
    const GemmResult results = device_->run(product);
    const std::vector<size_t> size{product.shape.m, product.shape.n};
    OpResult result{.outputs = {}, .counters = device_->counters(), .values_compared = 0};
    result.outputs["acc"] = make_tensor<float>(Dtype::kF32, size, results.acc);
    result.outputs["y"] = make_tensor<Bf16>(Dtype::kBf16, size, results.y);
    if (checked_ != nullptr) result.values_compared = checked_->words_compared();
    return result;
  }

 private:
  std::unique_ptr<TileDevice> device_;
  const CheckedDevice* checked_ = nullptr;
};

std::vector<KeySpec> gemm_keys() {
  std::vector<KeySpec> keys{
      {"tier", "8", "bits of a code: 8, 4, 2 or 0 (codes are not read)"},
      kAlignKey,
      kGroupKey,
      {"stored", "0", "1: codes are stored q8 codes, read at the tier through the view below"},
      kTransposeKey};
  keys.insert(keys.end(), view_keys().begin(), view_keys().end());
  return keys;
}

}  // namespace

const OperationSpec& GemmOperation::spec() const {
  static const OperationSpec spec{
      "gemm",
      "acc = x times codes transposed, one scale per column and group",
      {{"x", Dtype::kBf16, {"M", "K"}, "stationary rows"},
       {"codes", Dtype::kI8, {"N", "K"}, "streamed codes, in the range of the tier unless stored"},
       {"scale", Dtype::kBf16, {"N", "ceil(K/group)"}, "scale of each column and group"}},
      gemm_keys(),
      {kAcc, kY}};
  return spec;
}

std::vector<TensorSpec> GemmOperation::inputs(const OpKeys& keys) const {
  return product_inputs(spec(), keys);
}

OpResult GemmOperation::run(const OpRequest& request) const {
  const GemmShape shape = shape_of(request);
  const size_t groups = request.sizes.at("ceil(K/group)");
  if (groups != shape.groups()) {
    throw InputError(fmt::format("tensor 'scale': {} groups, K {} and group {} need {}", groups,
                                 shape.k, shape.group, shape.groups()));
  }
  const bool transpose = is_set(request.keys, "transpose");
  const bool stored = is_set(request.keys, "stored");
  ReadRequest read = read_of(request.keys);
  if (!stored) read = pass_through(read.tier);
  const auto codes = elements_of<int8_t>(request.input.at("codes"));
  if (!stored) check_codes(codes, read, transpose ? shape.n : shape.k);
  const auto x = elements_of<Bf16>(request.input.at("x"));
  const auto scale = elements_of<Bf16>(request.input.at("scale"));
  return Tile(request).run({.shape = shape,
                            .x = x,
                            .codes = codes,
                            .scale = scale,
                            .read = read,
                            .transpose = transpose});
}

const OperationSpec& GemmBf16Operation::spec() const {
  static const OperationSpec spec{"gemm-bf16",
                                  "acc = x times w transposed, both aligned per row and group",
                                  {{"x", Dtype::kBf16, {"M", "K"}, "stationary rows"},
                                   {"w", Dtype::kBf16, {"N", "K"}, "streamed values"}},
                                  {kAlignKey, kGroupKey, kTransposeKey},
                                  {kAcc, kY}};
  return spec;
}

std::vector<TensorSpec> GemmBf16Operation::inputs(const OpKeys& keys) const {
  return product_inputs(spec(), keys);
}

OpResult GemmBf16Operation::run(const OpRequest& request) const {
  const GemmShape shape = shape_of(request);
  const auto x = elements_of<Bf16>(request.input.at("x"));
  const auto w = elements_of<Bf16>(request.input.at("w"));
  return Tile(request).run(
      {.shape = shape, .x = x, .w = w, .transpose = is_set(request.keys, "transpose")});
}

}  // namespace rivulet
