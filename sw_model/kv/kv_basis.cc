// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/kv/kv_basis.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rivulet {

KvBasis kv_basis(std::span<const Bf16> x, size_t d) {
  if (d < 2 || x.empty() || x.size() % d != 0) {
    throw std::invalid_argument("KV basis: x is [n,d] with n at least 1 and d at least 2");
  }
  if (std::any_of(x.begin(), x.end(), [](Bf16 value) { return value.is_special(); })) {
    throw std::invalid_argument("KV basis: an entry holds NaN or Inf");
  }
  const auto size = static_cast<Eigen::Index>(d);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(size, size);
  for (size_t row = 0; row < x.size(); row += d) {
    for (Eigen::Index i = 0; i < size; ++i) {
      const double left = static_cast<double>(to_float(x[row + static_cast<size_t>(i)]));
      for (Eigen::Index j = 0; j <= i; ++j) {
        gram(i, j) += left * static_cast<double>(to_float(x[row + static_cast<size_t>(j)]));
      }
    }
  }
  // Reads the lower triangle; eigenvalues rise.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  if (solver.info() != Eigen::Success) throw std::runtime_error("KV basis: no eigenvectors found");
  KvBasis basis{.u = std::vector<Bf16>(2 * d), .eigenvalues = {}};
  for (Eigen::Index j = 0; j < 2; ++j) {
    const Eigen::VectorXd vector = solver.eigenvectors().col(size - 1 - j);
    Eigen::Index largest = 0;
    for (Eigen::Index i = 1; i < size; ++i) {
      if (std::abs(vector(i)) > std::abs(vector(largest))) largest = i;
    }
    const double sign = vector(largest) < 0 ? -1 : 1;
    for (Eigen::Index i = 0; i < size; ++i) {
      basis.u[static_cast<size_t>(2 * i + j)] = bf16_from_double(sign * vector(i));
    }
    basis.eigenvalues[static_cast<size_t>(j)] =
        static_cast<float>(std::max(0.0, solver.eigenvalues()(size - 1 - j)));
  }
  return basis;
}

}  // namespace rivulet
