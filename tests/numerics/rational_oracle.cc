// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/numerics/rational_oracle.h"

#include <algorithm>

namespace rivulet::oracle {

mpq_class power_of_two(int exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2,
                static_cast<unsigned long>(exponent < 0 ? -exponent : exponent));
  return exponent < 0 ? mpq_class(1, power) : mpq_class(power);
}

mpz_class floor(const mpq_class& value) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

mpz_class round_half_even(const mpq_class& value) {
  mpz_class below = floor(value);
  const mpq_class rest = value - below;
  const mpq_class half(1, 2);
  if (rest > half || (rest == half && mpz_odd_p(below.get_mpz_t()) != 0)) below += 1;
  return below;
}

mpz_class round_half_up(const mpq_class& value) { return floor(value + mpq_class(1, 2)); }

mpq_class value_of(const Format& format, uint32_t bits) {
  if (format.is_zero(bits)) return 0;
  const mpz_class significand((1U << format.fraction_bits) + format.fraction(bits));
  const int exponent = static_cast<int>(format.field(bits)) - 127 - format.fraction_bits;
  const mpq_class magnitude = mpq_class(significand) * power_of_two(exponent);
  return format.sign(bits) != 0 ? mpq_class(-magnitude) : magnitude;
}

uint32_t round(const Format& format, const mpq_class& value) {
  if (value == 0) return 0;
  const uint32_t sign = value < 0 ? 1 : 0;
  const mpq_class magnitude = abs(value);
  int top = static_cast<int>(mpz_sizeinbase(magnitude.get_num_mpz_t(), 2)) -
            static_cast<int>(mpz_sizeinbase(magnitude.get_den_mpz_t(), 2));
  while (power_of_two(top) > magnitude) --top;
  while (power_of_two(top + 1) <= magnitude) ++top;
  mpz_class significand = round_half_even(magnitude * power_of_two(format.fraction_bits - top));
  if (significand == mpz_class(2U << format.fraction_bits)) {
    significand /= 2;
    ++top;
  }
  if (top > 127) return format.infinity(sign);
  const uint32_t zero = sign << (format.fraction_bits + 8);
  if (top < -126) return zero;
  const auto fraction = static_cast<uint32_t>(significand.get_ui()) - (1U << format.fraction_bits);
  return zero | static_cast<uint32_t>(top + 127) << format.fraction_bits | fraction;
}

Aligned align(const std::vector<uint32_t>& lanes, int align_w) {
  Aligned result;
  for (const uint32_t lane : lanes) {
    result.exponent = std::max(result.exponent, static_cast<int>(kBf16.field(lane)));
  }
  for (const uint32_t lane : lanes) {
    const mpq_class scaled =
        value_of(kBf16, lane) * power_of_two(align_w - 2 - (result.exponent - 127));
    result.values.push_back(round_half_even(scaled).get_si());
  }
  return result;
}

Quantized quantize(const std::vector<uint32_t>& weights) {
  mpq_class largest = 0;
  for (const uint32_t weight : weights) {
    largest = std::max(largest, mpq_class(abs(value_of(kFp32, weight))));
  }
  Quantized result{.scale = round(kBf16, largest / 127), .codes = {}};
  for (const uint32_t weight : weights) {
    if (result.scale == 0) {
      result.codes.push_back(0);
      continue;
    }
    const mpz_class code = round_half_even(value_of(kFp32, weight) / value_of(kBf16, result.scale));
    result.codes.push_back(std::clamp<int64_t>(code.get_si(), -127, 127));
  }
  return result;
}

}  // namespace rivulet::oracle
