// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_transpose_buffer: codes that arrive along the outputs leave along the
// lanes.
//
// Two jobs are buffered. One operation moves min(codes of a beat, group) codes each way per cycle.
// Lanes past the gather leave as 0 (the RTL leaves old data there, which meets zeros).
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/array/code_beat.h"

namespace rivulet {

class TransposeBufferModel {
 public:
  struct Inputs {
    bool job_valid = false;
    Stream job_stream = Stream::kQ8;
    size_t job_lanes = 0;
    size_t job_units = 0;
    bool in_valid = false;
    const CodeBeat* in = nullptr;  // read only with in_valid
    bool out_ready = false;
  };
  struct Outputs {
    bool job_ready = false;
    bool in_ready = false;
    bool out_valid = false;
    const CodeBeat* out = nullptr;  // only with out_valid, until the next clock()
  };

  TransposeBufferModel(size_t lanes, size_t group);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

 private:
  struct Job {
    Stream stream = Stream::kQ8;
    size_t lanes = 0;
    size_t units = 0;
    std::vector<int8_t> codes;  // [lane, output]
    bool full = false;
  };
  // One operation on its way from the banks to the output.
  struct Middle {
    bool valid = false;
    bool last = false;  // of its beat
    size_t place = 0;   // of its first code in the beat
    size_t count = 0;
    std::array<int8_t, CodeBeat::kMaxCodes> codes{};
  };

  // Codes of an operation, and operations (units) of a beat.
  size_t codes(const Job& job) const;
  size_t beat_units(const Job& job) const;
  bool ends_in_beat(const Job& job) const;
  void write(const CodeBeat& beat);
  void read();

  size_t lanes_;
  size_t group_;
  std::array<Job, 2> job_;
  // Write side
  bool writing_ = false;
  size_t write_job_ = 0;
  size_t lane_ = 0;
  size_t part_ = 0;  // of the outputs of a lane
  // Read side
  size_t read_job_ = 0;
  size_t output_ = 0;
  size_t run_ = 0;  // of the lanes of an output
  Middle middle_;
  bool out_valid_ = false;
  bool out_open_ = false;  // the output beat waits for more units
  CodeBeat out_;
};

}  // namespace rivulet
