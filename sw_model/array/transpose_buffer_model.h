// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_transpose_buffer: codes and BF16 values that arrive along the outputs
// leave along the lanes.
//
// Beats are the bytes that travel. What the RTL leaves undefined reads as 0: the lanes past the
// gather, and what lies behind the last unit of a block. outputs() is what the ports show for the
// inputs of this cycle (it depends on registers alone); clock() is the rising edge.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/interfaces/stream.h"

namespace rivulet {

class TransposeBufferModel {
 public:
  struct Inputs {
    bool job_valid = false;
    Stream job_stream = Stream::kQ8;
    size_t job_lanes = 0;    // 1 to group
    size_t job_columns = 0;  // at least 1
    bool in_valid = false;
    const uint8_t* in = nullptr;  // `lanes` bytes; read only with in_valid
    bool out_ready = false;
  };
  struct Outputs {
    bool job_ready = false;
    bool in_ready = false;
    bool out_valid = false;
    // Only with out_valid, until the next clock()
    const uint8_t* out = nullptr;  // `lanes` bytes
    bool out_last = false;         // of the job
  };

  // `lanes` bytes of a beat, `group`: most lanes of a job.
  TransposeBufferModel(size_t lanes, size_t group);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

 private:
  struct Block {
    Stream stream = Stream::kQ8;
    size_t lanes = 0;
    size_t columns = 0;
    bool last = false;           // of the job
    bool full = false;           // written, not yet read
    std::vector<uint8_t> bytes;  // units of the lanes, one after the other
  };
  // One read of the banks on its way, with the beats that it completes.
  struct Row {
    bool complete = false;
    bool last = false;
    size_t beats = 0;
    std::vector<uint8_t> bytes;
  };

  size_t unit_bytes(Stream stream) const;     // of a lane in a block
  size_t block_columns(Stream stream) const;  // at most
  bool writes() const;
  bool block_ends() const;
  bool job_ends() const;
  bool loads(const Inputs& inputs) const;
  void write();
  void read();
  void read_whole(const Block& block, Row& row) const;
  void read_packed(const Block& block, Row& row) const;

  size_t lanes_;
  size_t group_;
  std::array<Block, 2> block_;
  // Write side
  bool active_ = false;
  Stream stream_ = Stream::kQ8;
  size_t job_lanes_ = 0;
  size_t columns_ = 0;  // from this block on
  bool in_valid_ = false;
  std::vector<uint8_t> in_;
  size_t write_block_ = 0;
  size_t write_beat_ = 0;
  // Read side
  size_t read_block_ = 0;
  size_t place_ = 0;  // byte of codes, or value, of the units
  size_t run_ = 0;    // of the lanes
  Row word_;          // in the output of the memories
  Row data_;          // in the register behind it
  Row collected_;     // complete: its beats can leave
  bool out_valid_ = false;
  Row out_;
  size_t out_beat_ = 0;
};

}  // namespace rivulet
