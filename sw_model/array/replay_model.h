// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Cycle model of rivulet_replay: keeps the segments of a group while passes read them, once or many
// times.
//
// outputs() is what the ports show for the inputs of this cycle; clock() is the rising edge. Words
// and factors are readable in the cycle after the beat that completes them; a read leaves two
// cycles later. Banks and columns that were not filled leave as 0 (the RTL leaves old data there).

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw_model/array/code_beat.h"
#include "sw_model/interfaces/segment.h"

namespace rivulet {

class ReplayModel {
 public:
  struct Size {
    size_t lanes = 0;
    size_t side_lanes = 0;  // lanes, a half or a quarter
    size_t edges = 0;       // columns that a q2 beat ends
    size_t beats = 0;       // words
    size_t segments = 0;
    size_t quads = 0;
  };
  // BF16 scales of four columns, or {align_w, exponent} of BF16 units.
  using Quad = std::array<uint16_t, 4>;

  struct Inputs {
    // Fill
    bool seg_valid = false;
    const FillSegment* seg = nullptr;  // read only with seg_valid
    bool beat_valid = false;
    const CodeBeat* beat = nullptr;  // of `lanes` bytes, or of `side_lanes`; only with beat_valid
    bool side_last = false;          // transposed: last beat of the segment
    bool unit_last = false;          // BF16: last beat of a unit
    bool scale_valid = false;
    const Quad* scale = nullptr;  // read only with scale_valid
    // Passes
    bool rewind = false;
    bool take = false;
    bool free = false;
    bool read = false;
    size_t factor_column = 0;
    bool factor_read = false;
    bool factor_next = false;
  };
  struct Outputs {
    bool seg_ready = false;
    bool beat_ready = false;
    BeatSource source = BeatSource::kDirect;  // which beats are taken, with beat_ready
    bool scale_ready = false;
    const Segment* seg = nullptr;  // nullptr: seg_valid_o is low
    bool code_valid = false;
    bool factor_valid = false;
    // What was read two cycles ago, or last: until the next clock()
    const CodeBeat* code = nullptr;  // without exponent
    const Quad* factor = nullptr;
  };

  explicit ReplayModel(const Size& size);

  void reset();
  Outputs outputs(const Inputs& inputs) const;
  void clock(const Inputs& inputs);

 private:
  // Numbers of things since reset: base <= read <= write <= base + depth.
  struct Ring {
    size_t write = 0;
    size_t read = 0;
    size_t base = 0;

    void step(bool next, bool free, bool rewind);
  };
  // What this cycle's beat and scale do.
  struct Fill {
    bool write = false;
    bool unit_end = false;
    bool word_end = false;
    bool codes_end = false;
    bool scale = false;
    bool factors_end = false;
  };

  size_t width() const;
  bool beat_ready() const;
  bool scale_ready() const;
  Fill fill(const Inputs& inputs) const;
  void write_beat(const Inputs& inputs, const Fill& fill);
  void write_scale(const Inputs& inputs, const Fill& fill);
  void read(const Inputs& inputs);
  void open(const FillSegment& seg);

  Size size_;
  size_t banks_;
  // Storage
  std::vector<CodeBeat> words_;
  std::vector<Quad> quads_;
  std::vector<Segment> tags_;
  Ring word_ring_;
  Ring quad_ring_;
  Ring tag_ring_;
  // The segment that is open
  FillSegment seg_;
  bool codes_open_ = false;
  bool factors_open_ = false;
  size_t columns_left_ = 0;
  size_t scales_left_ = 0;
  size_t beat_ = 0;  // of the unit
  size_t bank_ = 0;
  bool high_ = false;  // BF16: the high bytes are next
  size_t column_ = 0;  // BF16: columns in the present quad
  // Passes
  Stream stream_ = Stream::kQ8;  // of the present one
  bool free_ = false;
  // Reads on their way
  bool code_read_ = false;
  bool factor_read_ = false;
  CodeBeat code_memory_;
  size_t memory_codes_ = 0;  // of code_memory_
  CodeBeat code_;
  Quad factor_memory_{};
  Quad factor_{};
};

}  // namespace rivulet
