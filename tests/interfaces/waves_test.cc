// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// What a wave viewer is given (tb/waves): names of codes, and the filter that takes structs apart.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "sw_model/interfaces/wire/read_req.h"
#include "sw_model/interfaces/wire/source.h"
#include "sw_model/interfaces/wire/stream.h"
#include "sw_model/interfaces/wire/tile_counters.h"
#include "tb/options.h"
#include "tb/project_root.h"
#include "tb/random.h"
#include "tb/wire_bits.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

std::map<std::string, std::string> filter(const std::string& type) {
  std::ifstream file(project_file("tb/waves/" + type + ".filter"));
  EXPECT_TRUE(file.good()) << type;
  std::map<std::string, std::string> names;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string shown;
    std::string name;
    words >> shown >> name;
    EXPECT_TRUE(names.emplace(shown, name).second) << line;
  }
  return names;
}

// Lines in, lines out; a non-zero exit status fails the test.
std::string decode(const std::string& type, const std::string& values) {
  const std::string command =
      fmt::format("printf '{}' | '{}' {} 2>&1", values, project_file("tb/waves/decode"), type);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> part{};
  while (fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();
  return text;
}

TEST(WavesTest, FiltersHaveTheCodesInHexadecimalAndBinary) {
  using Names = std::map<std::string, std::string>;
  EXPECT_EQ(filter("kind_e"), (Names{{"0", "KindKv"}, {"1", "KindFfn"}}));
  const Names source = filter("source_e");
  EXPECT_EQ(source.size(), 6U);
  EXPECT_EQ(source.at(fmt::format("{:x}", static_cast<int>(wire::Source::kBf16))), "SourceBf16");
  EXPECT_EQ(source.at(fmt::format("{:02b}", static_cast<int>(wire::Source::kTransposed))),
            "SourceTransposed");
  const Names stream = filter("stream_e");
  EXPECT_EQ(stream.at(fmt::format("{:x}", static_cast<int>(wire::Stream::kQ4))), "StreamQ4");
  EXPECT_EQ(stream.at(fmt::format("{:02b}", static_cast<int>(wire::Stream::kQ8))), "StreamQ8");
}

TEST(WavesTest, DecodeAgreesWithTheStruct) {
  constexpr std::array<const char*, 4> kTiers{"TierQ0", "TierQ2", "TierQ4", "TierQ8"};
  Random random(options().seeds(1).front());
  std::string values;
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    const auto req = wire::ReadReq::unpack({random.next(), random.next()});
    values += hex(bits_of(req)) + "\\n";
    const wire::View& view = req.view;
    expected += fmt::format(
        "tier={} kind={} view.round_half_up={:d} view.clamp={} view.shift={} view.theta_p={} "
        "view.theta_n={} codes={}\n",
        kTiers.at(static_cast<size_t>(req.tier)),
        req.kind == wire::Kind::kKv ? "KindKv" : "KindFfn", view.round_half_up, view.clamp,
        view.shift, view.theta_p, view.theta_n, req.codes);
  }
  EXPECT_EQ(decode("read_req_t", values), expected);
}

TEST(WavesTest, DecodeOfAnArray) {
  wire::TileCounters counters;
  counters.macs = {1, 22, 333, 0xffff'ffff'ffff};
  counters.converter.beats[0] = 7;
  const std::string text = decode("tile_counters_t", hex(bits_of(counters)));
  EXPECT_NE(text.find(" macs[0]=1 macs[1]=22 macs[2]=333 macs[3]=281474976710655 "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" converter.beats[0]=7 converter.beats[1]=0 "), std::string::npos) << text;
}

TEST(WavesTest, DecodeOfOtherDigitsAndOfNoNumber) {
  const std::string one = "rows=0 columns=0 last=1\n";
  EXPECT_EQ(decode("quad_t", "001\\n1\\n000000000001"), one + one + one);
  // An unknown value, too many digits, bits beyond the struct.
  EXPECT_EQ(decode("quad_t", "xxx\\n0001\\n\\n"), "xxx\n0001\n\n");
  EXPECT_EQ(decode("load_t", "8000000000\\n"), "8000000000\n");  // 40 bits, the struct has 39
  EXPECT_NE(decode("no_t", "0").find("no struct 'no_t'; there are: view_t "), std::string::npos);
}

}  // namespace
}  // namespace rivulet
