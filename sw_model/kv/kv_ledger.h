// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Entries that were read of the prefix, by width; shared by the models of an evaluation.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sw_model/numerics/view.h"

namespace rivulet {

struct KvLedger {
  static constexpr size_t kRaw = 4;   // BF16, before the basis exists
  static constexpr size_t kNone = 5;  // neither codes nor side data
  using Counts = std::array<std::atomic<uint64_t>, 6>;
  Counts keys{}, values{};  // by Tier, then raw, then none

  void add(Counts& counts, size_t kind) { counts[kind].fetch_add(1, std::memory_order_relaxed); }
  // Bits that were read for an element, with scales (not at q0) and coefficients; 0 if none was.
  double bits_per_element(size_t d) const {
    double bits = 0, elements = 0;
    for (const Counts* counts : {&keys, &values}) {
      for (size_t kind = 0; kind < counts->size(); ++kind) {
        const auto entries = static_cast<double>((*counts)[kind].load());
        const auto lanes = static_cast<double>(d);
        elements += entries * lanes;
        bits += entries * entry_bits(kind, lanes);
      }
    }
    return elements == 0 ? 0 : bits / elements;
  }

 private:
  static double entry_bits(size_t kind, double d) {
    if (kind == kNone) return 0;
    if (kind == kRaw) return 16 * d;
    const auto tier = static_cast<Tier>(kind);
    return d * bits_per_code(tier) + (tier == Tier::kQ0 ? 32 : 48);
  }
};

}  // namespace rivulet
