// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Requests to a converter with their words, and the beats that it gives.
//
// Words are 4 link beats wide, the last one of a request filled up with `filler`.

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "sw_model/converter/converter_cycle.h"
#include "sw_model/interfaces/block_traffic.h"

namespace rivulet {

class ConverterTraffic final : public BlockTraffic<ConverterBlock> {
 public:
  using Filler = std::function<int8_t()>;  // codes beyond the last one

  explicit ConverterTraffic(int link_bits) : link_bits_(link_bits) {}

  // A request for codes.size() codes; request.codes is set. Returns its number of link beats.
  // More than 2^32 - 1 codes: std::invalid_argument.
  size_t add(ReadRequest request, std::span<const int8_t> codes, const Filler& filler);

  // Called for each beat and each accepted request, in the cycle in which it transfers.
  std::function<void(const ConverterOutputs&)> on_beat;
  std::function<void(const ReadRequest&)> on_request;

  bool offer(size_t input, ConverterInputs& inputs) override;
  void accepted(size_t input) override;
  void arrived(size_t output, const ConverterOutputs& outputs) override;
  bool done() const override { return requests_.empty() && words_.empty() && beats_left_ == 0; }

 private:
  int link_bits_;
  std::deque<ReadRequest> requests_;
  std::deque<std::vector<int8_t>> words_;
  size_t beats_left_ = 0;
};

}  // namespace rivulet
