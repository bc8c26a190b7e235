// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// A real number of 300 bits on GNU MPFR, for oracles of functions.

#pragma once

#include <mpfr.h>

#include <cstdint>

#include "tests/numerics/mpfr_oracle.h"

namespace rivulet::oracle {

class Real {
 public:
  explicit Real(double value = 0) {
    mpfr_init2(value_, 300);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Real(const Real& other) {
    mpfr_init2(value_, 300);
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }

  friend Real operator+(Real a, const Real& b) { return a.apply(mpfr_add, b); }
  friend Real operator-(Real a, const Real& b) { return a.apply(mpfr_sub, b); }
  friend Real operator*(Real a, const Real& b) { return a.apply(mpfr_mul, b); }
  friend Real operator/(Real a, const Real& b) { return a.apply(mpfr_div, b); }
  friend Real operator-(Real a) { return a.apply(mpfr_neg); }
  friend Real exp(Real a) { return a.apply(mpfr_exp); }
  friend Real log(Real a) { return a.apply(mpfr_log); }
  friend Real sqrt(Real a) { return a.apply(mpfr_sqrt); }
  friend Real sin(Real a) { return a.apply(mpfr_sin); }
  friend Real cos(Real a) { return a.apply(mpfr_cos); }
  friend Real abs(Real a) { return a.apply(mpfr_abs); }

  // Whether `bits` is RN(this) of a format, or RN of a value that is off by less than 2^-44 of
  // this: the error that a chain of binary64 operations may make before its one rounding.
  bool rounds_to(MpfrOracle& mpfr, const Format& format, uint32_t bits) const {
    if (mpfr.round(format, value_) == bits) return true;
    const Real slack(0x1p-44);
    const Real above = *this + *this * slack;
    const Real below = *this - *this * slack;
    return mpfr.round(format, above.value_) == bits || mpfr.round(format, below.value_) == bits;
  }

 private:
  using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  Real& apply(Unary f) {
    f(value_, value_, MPFR_RNDN);
    return *this;
  }
  Real& apply(Binary f, const Real& b) {
    f(value_, value_, b.value_, MPFR_RNDN);
    return *this;
  }

  mpfr_t value_;
};

}  // namespace rivulet::oracle
