// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#include "sw_model/tile/tile_queue.h"

#include <fmt/format.h>

#include <utility>

#include "sw_model/common/device_error.h"

namespace rivulet {

TileQueue::TileQueue(const TileGeometry& geometry, Padding padding)
    : geometry_(geometry), packer_(geometry, padding) {}

TileQueue::Job::Job(const TileGeometry& geometry, TileJob tile_job)
    : job(std::move(tile_job)),
      schedule(geometry, job.product),
      walk(geometry, schedule, job.product.shape.n),
      progress(job.product.shape.m, job.product.shape.n, geometry.positions()) {}

JobId TileQueue::add(TileJob job) {
  check_job(job);
  jobs_.push_back(std::make_unique<Job>(geometry_, std::move(job)));
  return size() - 1;
}

bool TileQueue::arrived(JobId id, const Range& rows, const Range& columns) const {
  if (done(id)) return true;
  return id == first_ && jobs_.front()->progress.complete(rows, columns);
}

// The command at a cursor, moved on to the next job at the end of one; nullptr: there is none yet.
template <typename Command>
const Command* TileQueue::command(Cursor& cursor,
                                  const std::vector<Command>& (TileSchedule::*commands)() const) {
  if (cursor.job < first_) cursor = {.job = first_};
  for (; cursor.job < size(); cursor = {.job = cursor.job + 1}) {
    const std::vector<Command>& list = (jobs_[cursor.job - first_]->schedule.*commands)();
    if (cursor.command < list.size()) return &list[cursor.command];
  }
  return nullptr;
}

template <typename T>
bool TileQueue::ready(Feed<T>& feed, const OperandReady& hook, const Range& range,
                      size_t group) const {
  if (!hook) return true;
  if (feed.refused == results_) return false;
  if (hook(range, group)) return true;
  feed.refused = results_;
  return false;
}

// The next beat of x; nullptr: there is none now.
const Bf16* TileQueue::next_x() {
  while (x_.next == x_.data.size()) {
    const TileSchedule::Load* load = command(x_.cursor, &TileSchedule::loads);
    if (load == nullptr) return nullptr;
    const TileJob& job = jobs_[x_.cursor.job - first_]->job;
    const bool port = !load->command.from_store;
    if (port && !ready(x_, job.x_ready, load->rows, load->group)) return nullptr;
    x_.data.clear();
    x_.next = 0;
    packer_.add_x(job.product, *load, x_.data);
    ++x_.cursor.command;
  }
  return &x_.data[x_.next];
}

// The next element of a feed of reads; nullptr: there is none now. `values`: it feeds BF16 values,
// not codes.
template <typename T, typename Pack>
const T* TileQueue::next_operand(Feed<T>& feed, bool values, Pack pack) {
  while (feed.next == feed.data.size()) {
    const TileSchedule::Read* read = command(feed.cursor, &TileSchedule::reads);
    if (read == nullptr) return nullptr;
    const TileJob& job = jobs_[feed.cursor.job - first_]->job;
    const bool feeds = read->command.bf16 == values && !read->command.empty();
    if (feeds && !ready(feed, job.columns_ready, read->columns, read->group)) return nullptr;
    feed.data.clear();
    feed.next = 0;
    if (feeds) (packer_.*pack)(job.product, *read, feed.data);
    ++feed.cursor.command;
  }
  return &feed.data[feed.next];
}

bool TileQueue::offer(TileStream stream, TileInputs& inputs) {
  switch (stream) {
    case TileStream::kLoad: {
      const auto* load = command(load_, &TileSchedule::loads);
      if (load != nullptr) inputs.load = &load->command;
      return load != nullptr;
    }
    case TileStream::kRead: {
      const auto* read = command(read_, &TileSchedule::reads);
      if (read != nullptr) inputs.read = &read->command;
      return read != nullptr;
    }
    case TileStream::kPass: {
      const auto* pass = command(pass_, &TileSchedule::passes);
      if (pass != nullptr) inputs.pass = &pass->command;
      return pass != nullptr;
    }
    case TileStream::kX: {
      const Bf16* x = next_x();
      if (x != nullptr) inputs.x = x;
      return x != nullptr;
    }
    case TileStream::kWord: {
      const int8_t* word = next_operand(word_, false, &TilePacker::add_words);
      if (word != nullptr) inputs.word = word;
      return word != nullptr;
    }
    case TileStream::kW: {
      const Bf16* w = next_operand(w_, true, &TilePacker::add_w);
      if (w != nullptr) inputs.w = w;
      return w != nullptr;
    }
    case TileStream::kScale: {
      const uint64_t* scale = next_operand(scale_, false, &TilePacker::add_scales);
      if (scale != nullptr) inputs.scale = *scale;
      return scale != nullptr;
    }
  }
  return false;
}

void TileQueue::accepted(TileStream stream) {
  switch (stream) {
    case TileStream::kLoad:
      ++load_.command;
      break;
    case TileStream::kRead:
      ++read_.command;
      break;
    case TileStream::kPass:
      ++pass_.command;
      break;
    case TileStream::kX:
      x_.next += geometry_.x_values();
      break;
    case TileStream::kWord:
      word_.next += geometry_.word_codes();
      break;
    case TileStream::kW:
      w_.next += geometry_.stream_values();
      break;
    case TileStream::kScale:
      ++scale_.next;
      break;
  }
}

void TileQueue::arrived(const OutputBeat& beat) {
  if (jobs_.empty()) throw Mismatch("a result beat after the last one");
  Job& job = *jobs_.front();
  job.walk.store(beat, {job.job.acc, job.job.y});
  job.progress.add(job.walk.place());
  job.walk.advance();
  ++results_;
  if (job.walk.done()) finish_first();
}

// A tile that gives the last result of a job has taken all of its inputs.
void TileQueue::finish_first() {
  const TileSchedule& schedule = jobs_.front()->schedule;
  // A cursor is with a later job only if nothing is left of this one.
  const auto taken = [this](const Cursor& cursor, size_t commands, size_t left = 0) {
    return cursor.job > first_ || (cursor.command == commands && left == 0);
  };
  const auto fed = [&taken](const auto& feed, size_t commands) {
    return taken(feed.cursor, commands, feed.data.size() - feed.next);
  };
  const size_t reads = schedule.reads().size();
  if (!taken(load_, schedule.loads().size()) || !taken(read_, reads) ||
      !taken(pass_, schedule.passes().size()) || !fed(x_, schedule.loads().size()) ||
      !fed(word_, reads) || !fed(w_, reads) || !fed(scale_, reads)) {
    throw Mismatch(
        fmt::format("job {}: all results are there, but not all inputs were taken", first_));
  }
  jobs_.pop_front();
  ++first_;
}

}  // namespace rivulet
