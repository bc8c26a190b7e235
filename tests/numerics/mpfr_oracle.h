// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Oracle of floating-point results on GNU MPFR: exact operands, one correct rounding by MPFR, then
// the range rule of docs/numerics.md §3. Written apart from sw_model/numerics and without using it.
//
// Bit patterns in, bit patterns out. Not thread-safe (one MPFR scratch per object).

#pragma once

#include <mpfr.h>

#include <cstdint>

namespace rivulet::oracle {

constexpr uint32_t kNan32 = 0x7FC00000;
constexpr uint32_t kNan16 = 0x7FC0;

// A float with 8 exponent bits: BF16 for 7 fraction bits, FP32 for 23.
struct Format {
  int fraction_bits;

  uint32_t sign(uint32_t bits) const { return bits >> (fraction_bits + 8); }
  uint32_t field(uint32_t bits) const { return (bits >> fraction_bits) & 0xFF; }
  uint32_t fraction(uint32_t bits) const { return bits & ((1U << fraction_bits) - 1); }
  uint32_t infinity(uint32_t sign) const {
    return sign << (fraction_bits + 8) | 255U << fraction_bits;
  }
  uint32_t nan() const { return infinity(0) | 1U << (fraction_bits - 1); }
  bool is_nan(uint32_t bits) const { return field(bits) == 255 && fraction(bits) != 0; }
  bool is_infinite(uint32_t bits) const { return field(bits) == 255 && fraction(bits) == 0; }
  bool is_zero(uint32_t bits) const { return field(bits) == 0; }  // subnormals read as zero
};
constexpr Format kBf16{7};
constexpr Format kFp32{23};

class MpfrOracle {
 public:
  MpfrOracle();
  ~MpfrOracle();
  MpfrOracle(const MpfrOracle&) = delete;
  MpfrOracle& operator=(const MpfrOracle&) = delete;

  // RN of any MPFR number, an exact value of its own precision.
  uint32_t round(const Format& format, mpfr_srcptr value);

  uint32_t convert(uint32_t fp32);  // FP32 to BF16
  uint32_t round_double(const Format& format, double value);
  uint32_t add(const Format& format, uint32_t a, uint32_t b);  // both of `format`
  uint32_t multiply(const Format& format, uint32_t a, uint32_t b);
  uint32_t multiply_integer(const Format& result, uint32_t bf16, int factor);
  uint32_t divide_to_bf16(uint32_t fp32, int divisor);

  struct Step {
    uint32_t acc;
    bool special;
    bool saturated;
  };
  // RN_f32(acc + partial * scale * 2^exponent); `exponent` is that of §6.
  Step accumulate(uint32_t acc, int64_t partial, uint32_t scale, bool special, int exponent);

 private:
  // Sets `target` to the exact value of a finite pattern.
  static void set(mpfr_ptr target, const Format& format, uint32_t bits);
  // The range rule on `target`, which MPFR has rounded to the format's precision.
  static uint32_t encode(const Format& format, mpfr_srcptr rounded);
  mpfr_ptr rounded(const Format& format) {
    return format.fraction_bits == 7 ? rounded_bf16_ : rounded_fp32_;
  }

  mpfr_t a_, b_, addend_, rounded_bf16_, rounded_fp32_;
};

}  // namespace rivulet::oracle
