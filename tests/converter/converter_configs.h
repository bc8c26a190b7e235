// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The verilated configurations of the converter that the tests run on.

#pragma once

#include <gtest/gtest.h>

#include <string>

#include "Vconverter_link1024.h"
#include "Vconverter_link1024_params.h"
#include "Vconverter_link192.h"
#include "Vconverter_link192_params.h"
#include "Vconverter_link256.h"
#include "Vconverter_link256_params.h"
#include "Vconverter_link64.h"
#include "Vconverter_link64_params.h"
#include "tb/options.h"

namespace rivulet {

template <typename Model, typename Params>
struct ConverterConfig {
  using Top = Model;
  static constexpr int kLinkBits = Params::kLinkBits;
  static std::string name() { return "link" + std::to_string(kLinkBits); }
};

using ConverterConfigs =
    testing::Types<ConverterConfig<Vconverter_link64, Vconverter_link64Params>,
                   ConverterConfig<Vconverter_link192, Vconverter_link192Params>,
                   ConverterConfig<Vconverter_link256, Vconverter_link256Params>,
                   ConverterConfig<Vconverter_link1024, Vconverter_link1024Params>>;

struct ConverterConfigName {
  template <typename Config>
  static std::string GetName(int) {  // NOLINT(readability-identifier-naming): GoogleTest's name
    return Config::name();
  }
};

// A test suite that is repeated on every configuration; --config leaves one.
template <typename Config>
class ConverterSuite : public testing::Test {
 protected:
  void SetUp() override {
    if (!options().selects_config(Config::name())) GTEST_SKIP() << "not " << options().config;
  }
};

}  // namespace rivulet
