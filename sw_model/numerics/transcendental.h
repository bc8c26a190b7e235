// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#ifndef RIVULET_NUMERICS_TRANSCENDENTAL_H_
#define RIVULET_NUMERICS_TRANSCENDENTAL_H_

// exp, log, sin and cos in binary64, the same bits on every IEEE 754 machine.
//
// Fixed sequences of +, -, *, / and floor (no C library functions, no fused multiply-add). Relative
// error of exp and log below 2^-50, absolute error of sin and cos below 2^-50 (tested).
// Arguments out of range throw std::invalid_argument where said. Arithmetic: docs/numerics.md
// §12.3.

namespace rivulet {

// +Inf above 709, +0 below -708, NaN for NaN.
double exp_f64(double x);

// x must be positive, finite and normal, else std::invalid_argument.
double log_f64(double x);

struct SinCos {
  double sin = 0;
  double cos = 1;
};

// Angle in radians, |angle| <= 2^20, else std::invalid_argument.
SinCos sin_cos_f64(double angle);

}  // namespace rivulet

#endif  // RIVULET_NUMERICS_TRANSCENDENTAL_H_
