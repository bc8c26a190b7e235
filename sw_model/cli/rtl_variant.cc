// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/cli/rtl_variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "tb/converter/rtl_converter.h"
#include "tb/tile/rtl_tile.h"
#include "tb/variant.h"

namespace rivulet {

namespace {

std::string variant_name(const std::string& kind, const std::string& configuration, bool traced) {
  return fmt::format("rivulet-{}-{}{}", kind, configuration, traced ? "-traced" : "");
}

std::vector<std::string> present() {
  std::vector<std::string> names;
  for (const Configuration& entry : configurations()) {
    if (has_variant(variant_name("tile", entry.name, false))) names.push_back(entry.name);
  }
  return names;
}

std::string present_text() {
  const std::vector<std::string> names = present();
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void run(const std::string& kind, const Configuration& configuration, bool traced) {
  std::vector<std::string> wanted = present();
  wanted.push_back(configuration.name);
  const std::string remedy =
      traced ? "waves need the command in its build tree: build/bin/rivulet"
             : fmt::format("RTL models here: {}; in the source tree: make install CONFIGS=\"{}\"",
                           present_text(), fmt::join(wanted, " "));
  run_variant(variant_name(kind, configuration.name, traced),
              fmt::format("the RTL model of the {} of configuration '{}'{}", kind,
                          configuration.name, traced ? ", with waves" : ""),
              remedy);
}

}  // namespace

void need_rtl_tile(const Configuration& configuration, bool traced) {
  if (!has_rtl_tile(configuration, traced)) run("tile", configuration, traced);
}

void need_rtl_converter(const Configuration& configuration, bool traced) {
  if (!has_rtl_converter(configuration, traced)) run("converter", configuration, traced);
}

std::string describe_rtl_variants() {
  return fmt::format("RTL models: {}; {}", present_text(),
                     can_build_variants()
                         ? "others are built when first asked for"
                         : "others: make install CONFIGS=\"...\" in the source tree");
}

}  // namespace rivulet
