// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Variants of a program: the same program with other RTL models linked in, built when first asked
// for.
//
// A variant stands beside the program or, installed, in ../libexec/rivulet. In a build tree it is
// built by CMake if it is missing or older than the program that asks for it; one build at a time,
// other processes wait for the lock. Nothing is downloaded. The tree is the folder above the
// program that holds CMakeCache.txt, or the one that the file .build_tree beside the program names.

#pragma once

#include <stdexcept>
#include <string>

namespace rivulet {

// A variant that does not exist and cannot be built here, or whose build failed.
class VariantError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether the variant is there, and whether it could be built here.
bool has_variant(const std::string& name);
bool can_build_variants();

// Runs the variant `name` in the place of this process, with the same arguments. `what` says what
// it adds ("the RTL model of configuration 'kv260'"), for messages, which go to standard error;
// `remedy` says what helps where it cannot be built. Throws VariantError.
[[noreturn]] void run_variant(const std::string& name, const std::string& what,
                              const std::string& remedy);

}  // namespace rivulet
