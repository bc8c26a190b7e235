// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// The bench library itself: each way in which a bench must turn red does so.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <functional>

#include "Vstream_cells.h"
#include "tb/bench.h"

namespace rivulet {
namespace {

std::string errors_of(const std::function<void()>& action) {
  testing::internal::CaptureStderr();
  action();
  return testing::internal::GetCapturedStderr();
}

class BenchLibrary : public testing::Test {
 protected:
  const std::uint64_t cycle_ = 1234;
  Scoreboard scoreboard_{{.name = "demo", .seed = 7, .cycle = &cycle_}};
};

TEST_F(BenchLibrary, MismatchIsExplainedOnceAndFails) {
  Channel& channel = scoreboard_.channel("word");
  channel.expect(3);
  scoreboard_.note([] { return std::string("the transaction before"); });
  const std::string text = errors_of([&] {
    channel.compare(Bits<80>(5), Bits<80>(5));
    channel.compare(Bits<80>(0xab), Bits<80>(0xcd), [](const Bits<80>& bits) {
      return "decoded " + std::to_string(bits.get(0, 8));
    });
    channel.compare(1, 2);
  });
  for (const char* part : {"demo", "cycle 1234", "word", "000000000000000000ab", "decoded 171",
                           "000000000000000000cd", "decoded 205", "the transaction before",
                           "--seed 7", "--filter 'BenchLibrary.MismatchIsExplainedOnceAndFails'",
                           "--trace-start 1034 --trace-stop 1284"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in:\n" << text;
  }
  EXPECT_EQ(text.find("expected"), text.rfind("expected")) << "only the first mismatch is printed";
  EXPECT_FALSE(scoreboard_.ok());
  EXPECT_NE(errors_of([&] { EXPECT_FALSE(scoreboard_.finish()); }).find("2 errors"),
            std::string::npos);
}

TEST_F(BenchLibrary, WrongCountFails) {
  scoreboard_.channel("word").compare(1, 1);
  scoreboard_.channel("word").expect(2);
  const std::string text = errors_of([&] { EXPECT_FALSE(scoreboard_.finish()); });
  EXPECT_NE(text.find("1 values compared, 2 expected"), std::string::npos) << text;
}

TEST_F(BenchLibrary, CountWithoutExpectationFails) {
  scoreboard_.channel("word").compare(1, 1);
  errors_of([&] { EXPECT_FALSE(scoreboard_.finish()); });
}

TEST_F(BenchLibrary, NothingComparedFails) {
  errors_of([&] { EXPECT_FALSE(scoreboard_.finish()); });
}

TEST_F(BenchLibrary, MatchingCountPasses) {
  scoreboard_.channel("word").compare(1, 1);
  scoreboard_.channel("word").expect(1);
  EXPECT_TRUE(scoreboard_.finish());
}

TEST(BenchBits, FieldsAcrossWords) {
  Bits<200> bits;
  Random random(options().seeds(1).front());
  for (int i = 0; i < 2000; ++i) {
    const auto width = static_cast<unsigned>(random.between(1, 64));
    const auto low = static_cast<unsigned>(random.below(200 - width + 1));
    const Bits<200> before = bits;
    const std::uint64_t value = random.next();
    bits.set(low, width, value);
    EXPECT_EQ(bits.get(low, width),
              width == 64 ? value : value & ((std::uint64_t{1} << width) - 1));
    for (unsigned bit = 0; bit < 200; ++bit) {
      const std::uint64_t want =
          bit < low || bit >= low + width ? before.get(bit, 1) : value >> (bit - low) & 1;
      ASSERT_EQ(bits.get(bit, 1), want);
    }
    VlWide<7> port;
    write_port(port, bits);
    EXPECT_EQ(read_port<200>(port), bits);
  }
}

TEST(BenchStall, Patterns) {
  Random random(options().seeds(1).front());
  const auto pattern = [&random](Stall stall, std::uint64_t transfers) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += stall.next(random, transfers) ? 's' : '.';
    return text;
  };
  EXPECT_EQ(pattern(Stall::never(), 0), "........");
  EXPECT_EQ(pattern(Stall::alternate(), 0), ".s.s.s.s");
  EXPECT_EQ(pattern(Stall::bursts(3, 2), 0), "...ss...");
  EXPECT_EQ(pattern(Stall::at_transfer(5, 3), 5), "sss.....");
  EXPECT_EQ(pattern(Stall::at_transfer(5, 3), 4), "........");
  int stalled = 0;
  Stall half = Stall::random(0.9);
  for (int i = 0; i < 10'000; ++i) stalled += half.next(random, 0) ? 1 : 0;
  EXPECT_NEAR(stalled, 9'000, 200);
  EXPECT_THROW(Stall::random(1.0), std::invalid_argument);
}

TEST(BenchWatchdog, StopsARunThatDoesNotEnd) {
  if (options().max_cycles) GTEST_SKIP() << "tests the limits of the bench, not --max-cycles";
  Watchdog idle(1000, 3);
  EXPECT_FALSE(idle.tick(false) || idle.tick(false) || idle.tick(true) || idle.tick(false) ||
               idle.tick(false));
  EXPECT_TRUE(idle.tick(false));
  Watchdog total(3, 1000);
  EXPECT_FALSE(total.tick(true) || total.tick(true));
  EXPECT_TRUE(total.tick(true));
}

// Registers without reset start at random values: another seed, another value; the same, the same.
TEST(BenchSimulation, InitialValuesComeFromTheSeed) {
  const auto first_data = [](std::uint64_t seed) {
    Simulation<Vstream_cells> simulation(seed);
    std::vector<unsigned> data;
    for (unsigned cell = 0; cell < 9; ++cell) {
      simulation.top().cell_i = cell;
      simulation.settle();
      data.push_back(simulation.top().data_o);
    }
    return data;
  };
  EXPECT_EQ(first_data(3), first_data(3));
  EXPECT_NE(first_data(3), first_data(4));
}

// Runs this program again with other arguments.
int exit_code_of(const std::string& arguments) {
  const std::string command = options().program + " " + arguments + " >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(BenchCommandLine, ExitCodes) {
  EXPECT_EQ(exit_code_of("--help"), kExitPass);
  EXPECT_EQ(exit_code_of("--list"), kExitPass);
  EXPECT_EQ(exit_code_of("--filter StreamCells.Counter --seed 11"), kExitPass);
  EXPECT_EQ(exit_code_of("--trase"), kExitUsage);
  EXPECT_EQ(exit_code_of("word"), kExitUsage);
  EXPECT_EQ(exit_code_of("--seed x"), kExitUsage);
  EXPECT_EQ(exit_code_of("--stall-in 1.5"), kExitUsage);
  EXPECT_EQ(exit_code_of("--trace-start 5"), kExitUsage);
  EXPECT_EQ(exit_code_of("--gtest_no_such_flag"), kExitUsage);
  EXPECT_EQ(exit_code_of("--filter No.Such"), kExitUsage);
  EXPECT_EQ(exit_code_of("--config nosuch"), kExitUsage);
  EXPECT_EQ(exit_code_of("--filter StreamCells.Stalls --max-cycles 5"), kExitTimeout);
}

}  // namespace
}  // namespace rivulet
