// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "tests/numerics/mpfr_oracle.h"

namespace rivulet::oracle {

MpfrOracle::MpfrOracle() {
  mpfr_init2(a_, 64);
  mpfr_init2(b_, 64);
  mpfr_init2(addend_, 96);
  mpfr_init2(rounded_bf16_, 8);
  mpfr_init2(rounded_fp32_, 24);
}

MpfrOracle::~MpfrOracle() {
  mpfr_clears(a_, b_, addend_, rounded_bf16_, rounded_fp32_, static_cast<mpfr_ptr>(nullptr));
}

void MpfrOracle::set(mpfr_ptr target, const Format& format, uint32_t bits) {
  if (format.is_zero(bits)) {
    mpfr_set_zero(target, format.sign(bits) != 0 ? -1 : 1);
    return;
  }
  const long significand = (1L << format.fraction_bits) + static_cast<long>(format.fraction(bits));
  const int exponent = static_cast<int>(format.field(bits)) - 127 - format.fraction_bits;
  mpfr_set_si_2exp(target, format.sign(bits) != 0 ? -significand : significand, exponent,
                   MPFR_RNDN);
}

uint32_t MpfrOracle::encode(const Format& format, mpfr_srcptr rounded) {
  if (mpfr_nan_p(rounded) != 0) return format.nan();
  const uint32_t sign = mpfr_signbit(rounded) != 0 ? 1 : 0;
  const uint32_t zero = sign << (format.fraction_bits + 8);
  if (mpfr_inf_p(rounded) != 0) return format.infinity(sign);
  if (mpfr_zero_p(rounded) != 0) return zero;
  const auto top = static_cast<int>(mpfr_get_exp(rounded)) - 1;  // floor(log2 |value|)
  if (top > 127) return format.infinity(sign);
  if (top < -126) return zero;
  // The significand of a normal value is an integer below 2^24 once scaled, exact in a double.
  const double scaled = mpfr_get_d(rounded, MPFR_RNDN);
  const double unit = __builtin_ldexp(scaled < 0 ? -scaled : scaled, format.fraction_bits - top);
  const auto significand = static_cast<uint32_t>(unit);
  return zero | static_cast<uint32_t>(top + 127) << format.fraction_bits |
         (significand - (1U << format.fraction_bits));
}

uint32_t MpfrOracle::round(const Format& format, mpfr_srcptr value) {
  mpfr_set(rounded(format), value, MPFR_RNDN);
  return encode(format, rounded(format));
}

uint32_t MpfrOracle::convert(uint32_t fp32) {
  if (kFp32.is_nan(fp32)) return kNan16;
  if (kFp32.is_infinite(fp32)) return kBf16.infinity(kFp32.sign(fp32));
  set(a_, kFp32, fp32);
  return round(kBf16, a_);
}

uint32_t MpfrOracle::round_double(const Format& format, double value) {
  mpfr_set_d(rounded(format), value, MPFR_RNDN);
  return encode(format, rounded(format));
}

uint32_t MpfrOracle::add(const Format& format, uint32_t a, uint32_t b) {
  if (format.is_nan(a) || format.is_nan(b)) return format.nan();
  if (format.is_infinite(a) || format.is_infinite(b)) {
    if (format.is_infinite(a) && format.is_infinite(b) && a != b) return format.nan();
    return format.is_infinite(a) ? a : b;
  }
  set(a_, format, a);
  set(b_, format, b);
  mpfr_add(rounded(format), a_, b_, MPFR_RNDN);
  if (mpfr_zero_p(rounded(format)) != 0) return 0;
  return encode(format, rounded(format));
}

uint32_t MpfrOracle::multiply(const Format& format, uint32_t a, uint32_t b) {
  if (format.is_nan(a) || format.is_nan(b)) return format.nan();
  const uint32_t sign = format.sign(a) ^ format.sign(b);
  if (format.is_infinite(a) || format.is_infinite(b)) {
    return format.is_zero(a) || format.is_zero(b) ? format.nan() : format.infinity(sign);
  }
  set(a_, format, a);
  set(b_, format, b);
  mpfr_mul(rounded(format), a_, b_, MPFR_RNDN);
  return encode(format, rounded(format));
}

uint32_t MpfrOracle::multiply_integer(const Format& result, uint32_t bf16, int factor) {
  if (kBf16.field(bf16) == 255) return result.nan();
  set(a_, kBf16, bf16);
  mpfr_mul_si(rounded(result), a_, factor, MPFR_RNDN);
  if (mpfr_zero_p(rounded(result)) != 0) return 0;
  return encode(result, rounded(result));
}

uint32_t MpfrOracle::divide_to_bf16(uint32_t fp32, int divisor) {
  set(a_, kFp32, fp32);
  mpfr_div_si(rounded_bf16_, a_, divisor, MPFR_RNDN);
  return encode(kBf16, rounded_bf16_);
}

MpfrOracle::Step MpfrOracle::accumulate(uint32_t acc, int64_t partial, uint32_t scale, bool special,
                                        int exponent) {
  if (special || kBf16.field(scale) == 255) return {kNan32, true, false};
  if (kFp32.is_nan(acc)) return {kNan32, false, false};
  if (kFp32.is_infinite(acc)) return {acc, false, false};
  set(a_, kFp32, acc);
  set(b_, kBf16, scale);
  mpfr_mul_si(addend_, b_, partial, MPFR_RNDN);         // exact: 8 + 64 bits
  mpfr_mul_2si(addend_, addend_, exponent, MPFR_RNDN);  // exact
  mpfr_add(rounded_fp32_, a_, addend_, MPFR_RNDN);      // the one rounding
  if (mpfr_zero_p(rounded_fp32_) != 0) return {0, false, false};
  const uint32_t sum = encode(kFp32, rounded_fp32_);
  return {sum, false, kFp32.is_infinite(sum)};
}

}  // namespace rivulet::oracle
