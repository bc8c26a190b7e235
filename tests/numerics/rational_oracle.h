// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Oracle on exact rationals (GMP): the formulas of docs/numerics.md written down a second time,
// with no floating point at all. Slow; written apart from sw_model/numerics and without using it.

#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "tests/numerics/mpfr_oracle.h"

namespace rivulet::oracle {

mpq_class power_of_two(int exponent);
mpz_class floor(const mpq_class& value);
mpz_class round_half_even(const mpq_class& value);
mpz_class round_half_up(const mpq_class& value);

// Exact value of a finite pattern; subnormals are zero.
mpq_class value_of(const Format& format, uint32_t bits);

// RN of an exact value (§3); zero gives +0.
uint32_t round(const Format& format, const mpq_class& value);

// §4 for one group of BF16 patterns.
struct Aligned {
  int exponent = 0;
  std::vector<int64_t> values;
};
Aligned align(const std::vector<uint32_t>& lanes, int align_w);

// §11 for one group of finite FP32 patterns.
struct Quantized {
  uint32_t scale = 0;
  std::vector<int64_t> codes;
};
Quantized quantize(const std::vector<uint32_t>& weights);

}  // namespace rivulet::oracle
