// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/workload/golden_weights.h"

#include <algorithm>
#include <stdexcept>

#include "sw_model/numerics/view.h"

namespace rivulet {

namespace {

std::vector<Bf16> to_bf16(const std::vector<float>& values) {
  std::vector<Bf16> result(values.size());
  std::transform(values.begin(), values.end(), result.begin(), bf16_from_float);
  return result;
}

void append_rows(Matrix& to, const Matrix& from, size_t first, size_t count) {
  const auto begin = from.values.begin() + static_cast<std::ptrdiff_t>(first * from.columns);
  to.values.insert(to.values.end(), begin,
                   begin + static_cast<std::ptrdiff_t>(count * from.columns));
  to.columns = from.columns;
  to.rows += count;
}

// The rows of one matrix after those of the other.
Matrix stacked(const std::vector<const Matrix*>& parts) {
  Matrix result;
  for (const Matrix* part : parts) append_rows(result, *part, 0, part->rows);
  return result;
}

// `size` rows of the first, the same of the second, and so on.
Matrix interleaved(const Matrix& first, const Matrix& second, size_t size) {
  Matrix result;
  for (size_t row = 0; row < first.rows; row += size) {
    const size_t count = std::min(size, first.rows - row);
    append_rows(result, first, row, count);
    append_rows(result, second, row, count);
  }
  return result;
}

std::vector<float> stacked(const std::vector<const std::vector<float>*>& parts) {
  std::vector<float> result;
  for (const auto* part : parts) result.insert(result.end(), part->begin(), part->end());
  return result;
}

// Scales with which the codes of a tier come closest to the stored ones in each group.
void fit_scales(QuantizedMatrix& matrix, const ReadRequest& read) {
  for (size_t row = 0; row < matrix.rows; ++row) {
    for (size_t g = 0; g < matrix.groups; ++g) {
      int64_t product = 0;
      int64_t square = 0;
      for (size_t i = g * matrix.group; i < std::min((g + 1) * matrix.group, matrix.lanes); ++i) {
        const int8_t code = matrix.codes[row * matrix.lanes + i];
        const int8_t seen = view_code(code, read.tier, read.view);
        product += code * seen;
        square += seen * seen;
      }
      Bf16& scale = matrix.scales[row * matrix.groups + g];
      scale = square == 0 ? Bf16{}
                          : bf16_from_double(to_float(scale) * static_cast<double>(product) /
                                             static_cast<double>(square));
    }
  }
}

}  // namespace

TileProduct GoldenWeights::Linear::operand(size_t n) const {
  if (!bf16.empty()) {
    return {.shape = {}, .x = {}, .w = std::span(bf16).first(n * columns), .read = read};
  }
  return {.shape = {},
          .x = {},
          .codes = std::span(q8.codes).first(n * columns),
          .scale = std::span(q8.scales).first(n * q8.groups),
          .read = read};
}

GoldenWeights::GoldenWeights(const ModelConfig& model_config, const ModelWeights& weights,
                             WeightFormat format, size_t lanes_per_group, Tier tier)
    : config(model_config),
      group(lanes_per_group),
      embedding(to_bf16(weights.embedding.values)),
      final_norm(to_bf16(weights.final_norm)) {
  if (tier == Tier::kQ0) throw std::invalid_argument("weights at q0 are no weights");
  const auto linear = [&](const Matrix& matrix, const std::vector<float>& bias = {}) {
    Linear result{.rows = matrix.rows,
                  .columns = matrix.columns,
                  .q8 = {},
                  .bf16 = {},
                  .bias = to_bf16(bias),
                  .read = {.tier = tier, .view = default_view(Kind::kFfn)}};
    if (format == WeightFormat::kBf16) {
      result.bf16 = to_bf16(matrix.values);
      return result;
    }
    result.q8 = quantize_matrix(matrix.values, matrix.rows, matrix.columns, group);
    if (tier != Tier::kQ8) fit_scales(result.q8, result.read);
    return result;
  };
  for (const LayerWeights& layer : weights.layers) {
    layers.push_back({.input_norm = to_bf16(layer.input_norm),
                      .post_attention_norm = to_bf16(layer.post_attention_norm),
                      .kvq = linear(stacked({&layer.k, &layer.v, &layer.q}),
                                    stacked({&layer.k_bias, &layer.v_bias, &layer.q_bias})),
                      .o = linear(layer.o),
                      .gate_up = linear(interleaved(layer.gate, layer.up, group)),
                      .down = linear(layer.down)});
  }
}

}  // namespace rivulet
