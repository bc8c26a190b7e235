// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The jobs of a device as the traffic of its tile: commands and data of one job behind those of the
// one before, each stream at its own pace, data written out only when it is offered.
//
// Results go to their places as they arrive. Refuses as TileSchedule does; wrong or unexpected
// result beats throw Mismatch.

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/result_progress.h"
#include "sw_model/tile/result_walk.h"
#include "sw_model/tile/tile_job.h"
#include "sw_model/tile/tile_packer.h"
#include "sw_model/tile/tile_schedule.h"
#include "sw_model/tile/tile_traffic.h"

namespace rivulet {

class TileQueue final : public TileTraffic {
 public:
  // The geometry outlives the queue.
  TileQueue(const TileGeometry& geometry, Padding padding);

  JobId add(TileJob job);
  // Commands of the job that was added last; until it is done.
  const TileSchedule& last_schedule() const { return jobs_.back()->schedule; }
  size_t size() const { return first_ + jobs_.size(); }  // jobs that were added
  bool done(JobId id) const { return id < first_; }
  bool arrived(JobId id, const Range& rows, const Range& columns) const;

  using TileTraffic::accepted;
  using TileTraffic::arrived;
  using TileTraffic::offer;
  bool offer(TileStream stream, TileInputs& inputs) override;
  void accepted(TileStream stream) override;
  void arrived(const OutputBeat& beat) override;
  bool done() const override { return jobs_.empty(); }

 private:
  struct Job {
    Job(const TileGeometry& geometry, TileJob tile_job);

    TileJob job;
    TileSchedule schedule;
    ResultWalk walk;
    ResultProgress progress;
  };
  // The next command of one stream.
  struct Cursor {
    JobId job = 0;
    size_t command = 0;
  };
  // The data of the commands before the cursor, as far as it was not accepted.
  template <typename T>
  struct Feed {
    Cursor cursor;
    std::vector<T> data;
    size_t next = 0;
    uint64_t refused = std::numeric_limits<uint64_t>::max();  // results there were at a refusal
  };

  template <typename Command>
  const Command* command(Cursor& cursor,
                         const std::vector<Command>& (TileSchedule::*commands)() const);
  template <typename T>
  bool ready(Feed<T>& feed, const OperandReady& hook, const Range& range, size_t group) const;
  const Bf16* next_x();
  template <typename T, typename Pack>
  const T* next_operand(Feed<T>& feed, bool values, Pack pack);
  void finish_first();

  const TileGeometry& geometry_;
  TilePacker packer_;
  std::deque<std::unique_ptr<Job>> jobs_;  // those that are not done
  JobId first_ = 0;                        // the first of them
  uint64_t results_ = 0;                   // beats that have arrived
  Cursor load_, read_, pass_;
  Feed<Bf16> x_, w_;
  Feed<int8_t> word_;
  Feed<uint64_t> scale_;
};

}  // namespace rivulet
