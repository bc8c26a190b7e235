// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// Jobs in flight on the cycle model: operands that are computed from the results of earlier jobs as
// those arrive, against the golden device; and what a queue of jobs must refuse.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sw_model/common/device_error.h"
#include "sw_model/tile/checked_device.h"
#include "sw_model/tile/golden_device.h"
#include "sw_model/tile/result_progress.h"
#include "sw_model/tile/tile_queue.h"
#include "tb/options.h"
#include "tb/report.h"
#include "tb/tile/clocked_device.h"
#include "tests/tile/random_product.h"
#include "tests/tile/small_configurations.h"

namespace rivulet {
namespace {

// A product whose x are the results of the one before, copied when the device asks for them.
class Link {
 public:
  Link(OwnedProduct product, const Link* before) : product_(std::move(product)), before_(before) {
    result_.acc.resize(product_.shape.m * product_.shape.n);
    result_.y.resize(result_.acc.size());
    if (before_ != nullptr) std::fill(product_.x.begin(), product_.x.end(), Bf16{0x7FC1});
    asked_.resize(product_.product().groups());
  }

  void submit(TileDevice& device) {
    TileJob job{.product = product_.product(), .acc = result_.acc, .y = result_.y};
    if (before_ != nullptr) {
      job.x_ready = [this, &device](const Range& rows, size_t group) {
        return x_ready(device, rows, group);
      };
    }
    id_ = device.submit(std::move(job));
  }
  JobId id() const { return id_; }
  const GemmShape& shape() const { return product_.shape; }
  size_t refusals() const { return refusals_; }

 private:
  bool x_ready(const TileDevice& device, const Range& rows, size_t group) {
    EXPECT_LE(rows.end(), shape().m);
    // The first questions come in rising order.
    EXPECT_LE(rows.first, asked_[group]);
    asked_[group] = std::max(asked_[group], rows.end());
    const TileProduct product = product_.product();
    const size_t lanes = product.lanes(group);
    for (size_t i = 0; i < lanes; ++i) {
      if (!device.arrived(before_->id_, rows, {product.lane(group, i), 1})) {
        ++refusals_;
        return false;
      }
    }
    for (size_t row = rows.first; row < rows.end(); ++row) {
      for (size_t i = 0; i < lanes; ++i) {
        const size_t lane = product.lane(group, i);
        product_.x[row * shape().k + lane] = before_->result_.y[row * before_->shape().n + lane];
      }
    }
    return true;
  }

  OwnedProduct product_;
  const Link* before_;
  GemmResult result_;
  JobId id_ = 0;
  std::vector<size_t> asked_;  // rows, by group
  size_t refusals_ = 0;
};

class TileJobsTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Tile, TileJobsTest,
                         testing::Values("unit", "edge", "kv260", "group1", "group2", "group8",
                                         "q8only"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(TileJobsTest, OperandsFollowResults) {
  const Configuration& config = tested_configuration(GetParam());
  ProductSource source;
  size_t refusals = 0;
  for (const uint64_t seed : options().seeds(4)) {
    Random random(seed);
    const double stall = seed % 2 == 0 ? 0 : 0.2;
    CheckedDevice device(
        make_cycle_device(config, {.seed = seed, .stall_in = stall, .stall_out = stall}),
        std::make_unique<GoldenDevice>(), options().repeat_command(report().current_test(), seed));
    std::vector<std::unique_ptr<Link>> chain;
    const size_t m = 1 + random.below(3 * static_cast<size_t>(config.positions) + 5);
    uint64_t expected = 0;
    for (size_t i = 0; i < 8; ++i) {
      const TileShape shape{
          .m = m,
          .n = 1 + random.below(150),
          .k = chain.empty() ? 1 + random.below(150) : 1 + random.below(chain.back()->shape().n)};
      const auto stream =
          static_cast<Stream>(config.q8_only != 0 ? 3 * random.below(2) : random.below(4));
      OwnedProduct product = source.draw(random, config, shape, stream, random.chance(0.4));
      if (product.transpose && stream != Stream::kBf16 && random.chance(0.5)) {
        source.gather(random, config, product);
      }
      chain.push_back(
          std::make_unique<Link>(std::move(product), chain.empty() ? nullptr : chain.back().get()));
      chain.back()->submit(device);
      expected += 2 * shape.m * shape.n;
      if (random.chance(0.2)) device.wait(chain[random.below(chain.size())]->id());
    }
    device.wait(chain.back()->id());
    EXPECT_EQ(device.words_compared(), expected);
    const Counters counters = device.counters();
    EXPECT_EQ(counters.jobs, chain.size());
    for (const auto& link : chain) refusals += link->refusals();
    report().add_compared("words", device.words_compared());
    report().add_simulation(counters.cycles);
  }
  EXPECT_GT(refusals, 0U);
}

// A hook is not asked again before another result has arrived.
TEST(TileJobsHooks, AreAskedOncePerResultBeat) {
  const Configuration& config = configuration("unit");
  const auto device = make_cycle_device(config, {});
  Random random(1);
  ProductSource source;
  const OwnedProduct first = source.draw(random, config, {7, 40, 70}, Stream::kQ8);
  const OwnedProduct second = source.draw(random, config, {7, 9, 40}, Stream::kQ8);
  GemmResult results[2];
  for (const auto& [i, p] : {std::pair(0, &first), std::pair(1, &second)}) {
    results[i].acc.resize(p->shape.m * p->shape.n);
    results[i].y.resize(p->shape.m * p->shape.n);
  }
  size_t x_asked = 0;
  size_t columns_asked = 0;
  device->submit({.product = first.product(), .acc = results[0].acc, .y = results[0].y});
  const JobId id = device->submit({.product = second.product(),
                                   .acc = results[1].acc,
                                   .y = results[1].y,
                                   .x_ready =
                                       [&](const Range&, size_t) {
                                         ++x_asked;
                                         return device->arrived(0, {0, 7}, {0, 40});
                                       },
                                   .columns_ready =
                                       [&](const Range&, size_t) {
                                         ++columns_asked;
                                         return device->arrived(0, {0, 7}, {0, 40});
                                       }});
  device->wait(id);
  const TileGeometry tile(config);
  const TileSchedule schedule(tile, second.product());
  const size_t beats = 10 * 5;  // of the first job, at most
  EXPECT_GT(x_asked, schedule.loads().size());
  EXPECT_LE(x_asked, schedule.loads().size() + beats + 1);
  EXPECT_LE(columns_asked, 2 * (schedule.reads().size() + beats + 1));  // codes and scales
}

TEST(TileJobsErrors, WrongResultsAreMismatches) {
  const TileGeometry tile(configuration("unit"));
  Random random(1);
  ProductSource source;
  const OwnedProduct p = source.draw(random, tile.configuration(), {1, 3, 5}, Stream::kQ8);
  GemmResult result{.acc = std::vector<float>(3), .y = std::vector<Bf16>(3), .counts = {}};
  const auto with_job = [&](const auto& action) {
    TileQueue queue(tile, Padding::kZero);
    queue.add({.product = p.product(), .acc = result.acc, .y = result.y});
    action(queue);
  };
  OutputBeat beat{.last = true};
  with_job([&](TileQueue& queue) { EXPECT_THROW(queue.arrived(beat), Mismatch); });  // too early
  with_job([&](TileQueue& queue) {
    OutputBeat wrong = beat;
    wrong.last = false;
    EXPECT_THROW(queue.arrived(wrong), Mismatch);
  });
  with_job([&](TileQueue& queue) {
    OutputBeat wrong = beat;
    wrong.acc[1][0] = 1;  // a second row
    EXPECT_THROW(queue.arrived(wrong), Mismatch);
  });
  TileQueue empty(tile, Padding::kZero);
  EXPECT_TRUE(empty.done());
  EXPECT_THROW(empty.arrived(beat), Mismatch);
}

TEST(TileJobsErrors, WrongJobsAreRefused) {
  const auto device = make_cycle_device(configuration("unit"), {});
  Random random(1);
  ProductSource source;
  const OwnedProduct p = source.draw(random, configuration("unit"), {1, 3, 5}, Stream::kQ8);
  GemmResult result{.acc = std::vector<float>(2), .y = std::vector<Bf16>(3), .counts = {}};
  EXPECT_THROW(device->submit({.product = p.product(), .acc = result.acc, .y = result.y}),
               std::invalid_argument);
  EXPECT_THROW(device->wait(0), std::logic_error);
  EXPECT_EQ(device->counters().jobs, 0U);
}

TEST(ResultProgressTest, RowBlocksAndColumns) {
  ResultProgress progress(5, 6, 4);
  const auto add = [&](Range rows, Range columns, bool last_rows) {
    progress.add({.rows = rows, .columns = columns, .last_rows = last_rows, .last = false});
  };
  add({0, 2}, {0, 4}, false);
  EXPECT_FALSE(progress.complete({0, 1}, {0, 1}));
  add({2, 2}, {0, 4}, true);
  EXPECT_TRUE(progress.complete({0, 4}, {0, 4}));
  EXPECT_TRUE(progress.complete({3, 1}, {1, 2}));
  EXPECT_FALSE(progress.complete({3, 1}, {3, 2}));
  EXPECT_FALSE(progress.complete({3, 2}, {0, 1}));
  add({4, 1}, {0, 4}, true);
  add({4, 1}, {4, 2}, true);
  EXPECT_TRUE(progress.complete({4, 1}, {0, 6}));
  EXPECT_TRUE(progress.complete({0, 5}, {0, 4}));
  EXPECT_FALSE(progress.complete({0, 5}, {0, 6}));
}

}  // namespace
}  // namespace rivulet
