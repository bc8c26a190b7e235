// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

// rivulet_replay: every port in every cycle against the cycle model, every word and every factor
// that is read against what was filled, throughput and latency. Fills of random segments under
// stalls meet random legal orders of passes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "Vreplay_edge.h"
#include "Vreplay_edge_params.h"
#include "Vreplay_group.h"
#include "Vreplay_group_params.h"
#include "Vreplay_half.h"
#include "Vreplay_half_params.h"
#include "Vreplay_kv260.h"
#include "Vreplay_kv260_params.h"
#include "Vreplay_one.h"
#include "Vreplay_one_params.h"
#include "Vreplay_q8.h"
#include "Vreplay_q8_params.h"
#include "Vreplay_unit.h"
#include "Vreplay_unit_params.h"
#include "sw_model/array/replay_model.h"
#include "tb/bench.h"
#include "tb/wire_bits.h"
#include "tb/wire_port.h"

namespace rivulet {
namespace {

template <typename TopType, typename ParamsType>
struct Dut {
  using Top = TopType;
  using Params = ParamsType;
};

size_t ceil_divide(size_t value, size_t divisor) { return (value + divisor - 1) / divisor; }

unsigned code_bits(Stream stream) {
  return stream == Stream::kBf16 ? 8 : static_cast<unsigned>(2 * slices(stream));
}

// Bytes of a word or of a side beat, and which of them were filled.
struct Bytes {
  explicit Bytes(size_t count) : value(count), known(count) {}

  std::vector<uint8_t> value;
  std::vector<bool> known;
};

// A byte that tells where it stands.
uint8_t coded(uint64_t segment, uint64_t word, uint64_t byte) {
  uint64_t hash = (segment << 40 | word << 16 | byte) * 0x9E37'79B9'7F4A'7C15;
  hash = (hash ^ hash >> 29) * 0xBF58'476D'1CE4'E5B9;
  return static_cast<uint8_t>(hash >> 56);
}

CodeBeat codes_of(const uint8_t* bytes, size_t count, Stream stream) {
  CodeBeat beat;
  const unsigned width = code_bits(stream);
  const size_t per_byte = 8 / width;
  for (size_t i = 0; i < count * per_byte; ++i) {
    const unsigned raw = bytes[i / per_byte] >> (width * (i % per_byte));
    beat.codes[i] = static_cast<int8_t>(static_cast<int8_t>(raw << (8 - width)) >> (8 - width));
  }
  return beat;
}

std::vector<uint8_t> bytes_of(const CodeBeat& beat, size_t count, Stream stream) {
  std::vector<uint8_t> bytes(count);
  const unsigned width = code_bits(stream);
  const size_t per_byte = 8 / width;
  for (size_t i = 0; i < count * per_byte; ++i) {
    const unsigned code = static_cast<uint8_t>(beat.codes[i]) & ((1U << width) - 1);
    bytes[i / per_byte] |= static_cast<uint8_t>(code << (width * (i % per_byte)));
  }
  return bytes;
}

// What a test wants to have met; each must happen.
struct Coverage {
  uint64_t rewind_at_last_read = 0;      // take in the cycle of the last read of a pass
  uint64_t rewind_at_last_released = 0;  // that releases
  uint64_t take_at_last_read = 0;        // without rewind
  uint64_t one_beat_segments = 0;
  uint64_t empty_segments = 0;
  uint64_t exact_windows = 0;   // words of a window that is read again = Beats
  uint64_t bf16_odd_banks = 0;  // BF16 units that do not fill their last words
  uint64_t full = 0;            // cycles in which a beat waits for room
  uint64_t ahead = 0;           // most segments that are filled and not taken
};

template <typename D>
class ReplayBench {
 public:
  using P = typename D::Params;
  static constexpr size_t kLanes = P::kLanes;
  static constexpr size_t kSideLanes = P::kSideLanes;
  static constexpr size_t kGroup = P::kGroup;
  static constexpr size_t kBanks = kLanes / kSideLanes;
  static constexpr size_t kSubs = kGroup / kLanes;
  static constexpr bool kQ8Only = P::kQ8Only != 0;
  static constexpr size_t kEdges = kSubs < 4 && !kQ8Only ? 4 / kSubs : 1;
  static constexpr size_t kBeats = P::kBeats;
  static constexpr size_t kSegments = P::kSegments;
  static constexpr size_t kQuads = P::kQuads;

  struct Rates {
    Stall seg = Stall::never();
    Stall beat = Stall::never();
    Stall scale = Stall::never();
    double take = 1;
    double read = 1;
    double extra_factor_read = 0;
  };

  ReplayBench(uint64_t seed, const Rates& rates)
      : bench_("replay", seed, {.max_cycles = 3'000'000, .max_idle_cycles = 1'000'000}),
        top_(bench_.top()),
        model_({.lanes = kLanes,
                .side_lanes = kSideLanes,
                .edges = kEdges,
                .beats = kBeats,
                .segments = kSegments,
                .quads = kQuads}),
        rates_(rates),
        segs_(bench_.template source<kSegBits>("seg", stall_in_or(rates.seg), top_.seg_valid_i,
                                               top_.seg_ready_o, top_.seg_i)),
        beats_(bench_.template source_with<kBeatBits>(
            "beat", stall_in_or(rates.beat), top_.beat_valid_i, top_.beat_ready_o,
            [this](const Bits<kBeatBits>& word) { drive_beat(word); })),
        scales_(bench_.template source<64>("scale", stall_in_or(rates.scale), top_.scale_valid_i,
                                           top_.scale_ready_o, top_.scale_i)) {
    idle();
    bench_.reset();
  }

  // Words and quads of a segment.
  static size_t words_of(const Segment& segment) {
    if (segment.empty) return 0;
    if (segment.stream == Stream::kBf16) {
      return segment.columns * 2 * ceil_divide(segment.lanes, kLanes);
    }
    const size_t units = units_of_word(segment.stream);
    if (units > 1) return ceil_divide(segment.columns, units);
    return segment.columns * ceil_divide(segment.lanes * code_bits(segment.stream), 8 * kLanes);
  }
  static size_t quads_of(const Segment& segment) {
    return segment.empty ? 0 : ceil_divide(segment.columns, 4);
  }

  // A random segment of at most `words` words (0: a segment of no words) and `quads` quads.
  FillSegment draw(Random& random, size_t words, size_t quads, size_t most_columns) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      FillSegment seg;
      Segment& segment = seg.segment;
      seg.align_w = static_cast<int>(random.between(9, 31));
      if (words == 0 || random.chance(0.1)) break;
      const auto streams = std::to_array({Stream::kBf16, Stream::kQ8, Stream::kQ4, Stream::kQ2});
      segment.stream = streams[random.below(kQ8Only ? 2 : 4)];
      segment.lanes = 1 + random.below(kGroup);
      seg.source = BeatSource::kDirect;
      if (segment.stream == Stream::kBf16) {
        seg.source = BeatSource::kBf16;
      } else if (random.chance(0.4)) {
        seg.source = BeatSource::kTransposed;
        segment.lanes = kGroup;
      } else if ((kEdges > 1 && !kQ8Only) || random.chance(0.3)) {
        segment.lanes = kGroup;
      }
      segment.columns = random.chance(0.2) ? 1 : 1 + random.below(most_columns);
      while (segment.columns > 1 && (words_of(segment) > words || quads_of(segment) > quads)) {
        segment.columns = segment.columns * 3 / 4;
      }
      if (words_of(segment) <= words && quads_of(segment) <= quads) return seg;
    }
    FillSegment seg;
    seg.segment = {.stream = Stream::kQ8,
                   .empty = true,
                   .lanes = 1 + random.below(kGroup),
                   .columns = 1 + random.below(1000)};
    return seg;
  }

  // Random segments; every now and then one that makes a window as large as the memory.
  void add_segments(size_t count, size_t most_columns, double exact_chance) {
    Random& random = bench_.random();
    size_t words = kBeats;
    size_t quads = kQuads;
    for (size_t i = 0; i < count; ++i) {
      const FillSegment rest = whole(words);
      const bool exact = words_of(rest.segment) == words && quads_of(rest.segment) <= quads &&
                         random.chance(exact_chance);
      const FillSegment seg = exact ? rest : draw(random, words, quads, most_columns);
      add_segment(seg);
      words -= words_of(seg.segment);
      quads -= quads_of(seg.segment);
      if (exact || random.chance(0.2)) {
        words = kBeats;
        quads = kQuads;
      }
    }
  }
  // q8 codes of as many words; one less where a unit takes two.
  static FillSegment whole(size_t words) {
    const size_t lanes = words % kSubs == 0 || (kEdges > 1 && !kQ8Only) ? kGroup : kLanes;
    return {.segment = {.stream = Stream::kQ8,
                        .empty = words < lanes / kLanes,
                        .lanes = lanes,
                        .columns = std::max<size_t>(1, words * kLanes / lanes)},
            .source = BeatSource::kDirect,
            .align_w = 9};
  }
  void add_segment(const FillSegment& seg) {
    segs_.push(bits_of(to_wire(seg)));
    Filled filled{.seg = seg, .words = {}, .quads = {}};
    const Segment& segment = seg.segment;
    filled.words.assign(words_of(segment), Bytes(kLanes));
    filled.quads.resize(quads_of(segment));
    if (!segment.empty) fill(filled);
    if (segment.empty) ++coverage_.empty_segments;
    if (filled.words.size() == 1) ++coverage_.one_beat_segments;
    filled_.push_back(std::move(filled));
  }

  // A random legal order of passes over all segments.
  void add_random_passes(Random& random, double free_chance) {
    size_t base = 0;  // first segment that is not released
    size_t next = 0;
    while (base < filled_.size()) {
      const bool rewind = next == filled_.size() || !fits(base, next) || random.chance(0.3);
      const size_t segment = rewind ? base : next;
      const bool free = segment == base && random.chance(free_chance);
      add_pass({.segment = segment, .rewind = rewind, .free = free}, base);
      next = segment + 1;
      if (free) ++base;
    }
  }
  // Windows of `length` segments, or as many as fit, read `times` times.
  void add_windows(size_t length, size_t times) {
    for (size_t base = 0; base < filled_.size();) {
      size_t end = base + 1;
      while (end < filled_.size() && end - base < length && fits(base, end)) ++end;
      for (size_t time = 1; time <= times; ++time) {
        for (size_t segment = base; segment < end; ++segment) {
          add_pass({.segment = segment, .rewind = segment == base, .free = time == times}, base);
        }
      }
      base = end;
    }
  }

  void run() {
    const auto check = [this] { cycle(); };
    bench_.run([this] { return passes_.empty() && !active_ && arrivals_.empty(); }, check);
    for (int i = 0; i < 5 && bench_.running(); ++i) bench_.cycle(check);
  }
  bool finish() {
    Scoreboard& board = bench_.scoreboard();
    for (const char* port : {"seg_ready_o", "beat_ready_o", "scale_ready_o", "seg_valid_o",
                             "code_valid_o", "factor_valid_o"}) {
      board.channel(port).expect(cycles_);
    }
    board.channel("segments taken").expect(expected_takes_);
    board.channel("words read").expect(expected_words_);
    board.channel("factors read").expect(expected_factors_);
    if (!segs_.empty() || !beats_.empty() || !scales_.empty()) board.error("not all was taken");
    return bench_.finish();
  }
  const Coverage& coverage() const { return coverage_; }
  uint64_t words() const { return expected_words_; }
  const std::vector<uint64_t>& read_cycles() const { return read_cycles_; }
  uint64_t first_open() const { return first_open_; }

 private:
  static constexpr unsigned kSegBits = wire::FillSeg::kBits;
  // Both kinds of beat, last of the segment, last of the unit, exponent.
  static constexpr unsigned kMarks = 8 * (kLanes + kSideLanes);
  static constexpr unsigned kBeatBits = kMarks + 10;

  struct Filled {
    FillSegment seg;
    std::vector<Bytes> words;
    std::vector<ReplayModel::Quad> quads;
  };
  struct Pass {
    size_t segment = 0;
    bool rewind = false;
    bool free = false;
  };
  // What comes out in a cycle: a word or a quad of factors 0 to `column`.
  struct Arrival {
    uint64_t cycle = 0;
    const Bytes* word = nullptr;
    const ReplayModel::Quad* quad = nullptr;
    size_t column = 0;
    Stream stream = Stream::kQ8;
  };

  static size_t units_of_word(Stream stream) {
    if (stream == Stream::kQ2) return kEdges;
    return stream == Stream::kQ4 && kEdges == 4 ? 2 : 1;
  }
  static uint64_t pack(const Segment& segment) { return to_wire(segment).pack()[0]; }

  // Whether segments [base, last] can be kept at the same time.
  bool fits(size_t base, size_t last) const {
    size_t words = 0;
    size_t quads = 0;
    for (size_t i = base; i <= last; ++i) {
      words += filled_[i].words.size();
      quads += filled_[i].quads.size();
    }
    return words <= kBeats && quads <= kQuads && last - base < kSegments;
  }

  void add_pass(const Pass& pass, size_t base) {
    const Filled& filled = filled_[pass.segment];
    passes_.push_back(pass);
    ++expected_takes_;
    expected_words_ += filled.words.size();
    const Segment& segment = filled.seg.segment;
    if (!segment.empty) expected_factors_ += ceil_divide(segment.columns, width_of(segment));
    if (!pass.rewind && !pass.free) {
      size_t words = 0;
      for (size_t i = base; i <= pass.segment; ++i) words += filled_[i].words.size();
      if (words == kBeats) ++coverage_.exact_windows;
    }
  }
  // Columns that a word can end.
  static size_t width_of(const Segment& segment) {
    return segment.stream == Stream::kBf16 ? 1 : units_of_word(segment.stream);
  }
  // Words of a unit, at least 1.
  static size_t unit_words(const Segment& segment) {
    if (segment.stream == Stream::kBf16) return 2 * ceil_divide(segment.lanes, kLanes);
    return ceil_divide(segment.lanes * code_bits(segment.stream), 8 * kLanes);
  }

  // ---- Fill

  Bits<kBeatBits> noise() {
    Bits<kBeatBits> beat;
    for (unsigned low = 0; low < kBeatBits; low += 64) beat.set(low, 64, bench_.random().next());
    return beat;
  }
  // Fills one bank of a word, or all.
  void fill_bytes(Bytes& word, size_t number, size_t first, size_t count) {
    for (size_t i = first; i < first + count; ++i) {
      word.value[i] = coded(filled_.size(), number, i);
      word.known[i] = true;
    }
  }
  Bits<kBeatBits> side_beat(const Bytes& word, size_t bank) {
    Bits<kBeatBits> beat = noise();
    for (size_t i = 0; i < kSideLanes; ++i) {
      beat.set(static_cast<unsigned>(8 * (kLanes + i)), 8, word.value[kSideLanes * bank + i]);
    }
    return beat;
  }
  void fill(Filled& filled) {
    const Segment& segment = filled.seg.segment;
    Random& random = bench_.random();
    if (filled.seg.source == BeatSource::kDirect) {
      for (size_t w = 0; w < filled.words.size(); ++w) {
        fill_bytes(filled.words[w], w, 0, kLanes);
        Bits<kBeatBits> beat = noise();
        for (size_t i = 0; i < kLanes; ++i) {
          beat.set(static_cast<unsigned>(8 * i), 8, filled.words[w].value[i]);
        }
        beats_.push(beat);
      }
    } else if (filled.seg.source == BeatSource::kTransposed) {
      const size_t bytes = segment.columns * kGroup * code_bits(segment.stream) / 8;
      const size_t count = ceil_divide(bytes, kSideLanes);
      for (size_t k = 0; k < count; ++k) {
        Bytes& word = filled.words[k / kBanks];
        fill_bytes(word, k / kBanks, k % kBanks * kSideLanes, kSideLanes);
        Bits<kBeatBits> beat = side_beat(word, k % kBanks);
        beat.set(kMarks, 1, k + 1 == count ? 1 : 0);
        beats_.push(beat);
      }
    } else {
      fill_bf16(filled);
      return;
    }
    for (ReplayModel::Quad& quad : filled.quads) {
      Bits<64> bits(random.next());
      scales_.push(bits);
      for (unsigned i = 0; i < 4; ++i) quad[i] = static_cast<uint16_t>(bits.get(16 * i, 16));
    }
  }
  void fill_bf16(Filled& filled) {
    const Segment& segment = filled.seg.segment;
    const size_t pairs = ceil_divide(segment.lanes, kSideLanes);
    if (pairs % kBanks != 0) ++coverage_.bf16_odd_banks;
    for (size_t unit = 0; unit < segment.columns; ++unit) {
      const auto exponent = static_cast<uint8_t>(bench_.random().next());
      for (size_t k = 0; k < 2 * pairs; ++k) {
        const size_t bank = k / 2 % kBanks;
        const size_t w = unit * unit_words(segment) + k / 2 / kBanks * 2 + k % 2;
        fill_bytes(filled.words[w], w, bank * kSideLanes, kSideLanes);
        Bits<kBeatBits> beat = side_beat(filled.words[w], bank);
        beat.set(kMarks + 1, 1, k + 1 == 2 * pairs ? 1 : 0);
        beat.set(kMarks + 2, 8, exponent);
        beats_.push(beat);
      }
      filled.quads[unit / 4][unit % 4] = static_cast<uint16_t>(filled.seg.align_w << 8 | exponent);
    }
  }
  void drive_beat(const Bits<kBeatBits>& word) {
    Bits<8 * kLanes> direct;
    Bits<8 * kSideLanes> side;
    for (unsigned i = 0; i < kLanes; ++i) direct.set(8 * i, 8, word.get(8 * i, 8));
    for (unsigned i = 0; i < kSideLanes; ++i) side.set(8 * i, 8, word.get(8 * (kLanes + i), 8));
    write_port(top_.beat_i, direct);
    write_port(top_.beat_side_i, side);
    top_.side_last_i = word.get(kMarks, 1);
    top_.unit_last_i = word.get(kMarks + 1, 1);
    top_.exponent_i = word.get(kMarks + 2, 8);
  }

  // ---- Passes

  void idle() {
    top_.take_i = top_.read_i = top_.factor_read_i = top_.factor_next_i = 0;
    top_.rewind_i = top_.free_i = top_.factor_column_i = 0;
  }
  // What the pass side does in this cycle: reads as pass control does, and takes.
  void drive_passes() {
    Random& random = bench_.random();
    idle();
    top_.free_i = random.chance(0.5) ? 1 : 0;
    top_.rewind_i = passes_.empty() ? random.chance(0.5) : passes_.front().rewind;
    const Filled* filled = active_ ? &filled_[pass_.segment] : nullptr;
    const bool wants = active_ && word_ < filled->words.size();
    bool ends_unit = false;
    size_t last_column = 0;
    if (wants) {
      const Segment& segment = filled->seg.segment;
      const size_t unit = word_ / unit_words(segment);
      ends_unit = (word_ + 1) % unit_words(segment) == 0;
      last_column = std::min((unit + 1) * width_of(segment), segment.columns) - 1;
      top_.factor_column_i = last_column % 4;
    } else {
      top_.factor_column_i = random.below(4);
    }
    top_.eval();
    bool pass_ends = active_ && !wants;
    if (wants && top_.code_valid_o != 0) {
      // A word that ends a BF16 unit is never there before its factor.
      if (ends_unit && filled->seg.source == BeatSource::kBf16) {
        bench_.scoreboard().channel("BF16 factor with its word").expect(1);
        bench_.scoreboard().channel("BF16 factor with its word").compare(1, top_.factor_valid_o);
      }
      if ((!ends_unit || top_.factor_valid_o != 0) && random.chance(rates_.read)) {
        pass_ends = read(*filled, ends_unit, last_column);
      }
    }
    if (wants && top_.read_i == 0 && top_.factor_valid_o != 0 &&
        random.chance(rates_.extra_factor_read)) {
      read_factor(*filled, last_column);
      ++expected_factors_;
    }
    if (!passes_.empty() && top_.seg_valid_o != 0 && (!active_ || pass_ends) &&
        random.chance(rates_.take)) {
      take(pass_ends && top_.read_i != 0);
    } else if (pass_ends) {
      active_ = false;
    }
    top_.eval();
  }
  // Reads the next word; whether it is the last one of the pass.
  bool read(const Filled& filled, bool ends_unit, size_t last_column) {
    top_.read_i = 1;
    arrivals_.push_back({.cycle = bench_.cycle() + 2,
                         .word = &filled.words[word_],
                         .stream = filled.seg.segment.stream});
    read_cycles_.push_back(bench_.cycle());
    ++word_;
    const bool last = word_ == filled.words.size();
    if (ends_unit) {
      read_factor(filled, last_column);
      top_.factor_next_i = last || last_column % 4 == 3 ? 1 : 0;
    }
    return last;
  }
  void read_factor(const Filled& filled, size_t last_column) {
    top_.factor_read_i = 1;
    const bool all = filled.seg.source != BeatSource::kBf16;
    arrivals_.push_back({.cycle = bench_.cycle() + 2,
                         .quad = &filled.quads[last_column / 4],
                         .column = all ? 3 : last_column % 4});
  }
  void take(bool at_last_read) {
    if (at_last_read) {
      const Pass& next = passes_.front();
      ++(!next.rewind ? coverage_.take_at_last_read
         : pass_.free ? coverage_.rewind_at_last_released
                      : coverage_.rewind_at_last_read);
    }
    pass_ = passes_.front();
    passes_.pop_front();
    active_ = true;
    word_ = 0;
    top_.take_i = 1;
    top_.free_i = pass_.free;
    coverage_.ahead = std::max(coverage_.ahead, opened_ - pass_.segment - 1);
    bench_.scoreboard()
        .channel("segments taken")
        .compare(pack(filled_[pass_.segment].seg.segment), uint64_t{top_.seg_o});
  }

  // ---- Comparison

  void cycle() {
    drive_passes();
    receive();
    compare();
    ++cycles_;
    if (top_.beat_valid_i != 0 && top_.beat_ready_o == 0) ++coverage_.full;
    if (top_.seg_valid_i != 0 && top_.seg_ready_o != 0 && opened_++ == 0) {
      first_open_ = bench_.cycle();
    }
  }
  static Bits<8 * kLanes> masked(const std::vector<uint8_t>& value, const Bytes& mask) {
    Bits<8 * kLanes> bits;
    for (unsigned i = 0; i < kLanes; ++i) bits.set(8 * i, 8, mask.known[i] ? value[i] : 0);
    return bits;
  }
  Bits<8 * kLanes> code(const Bytes& mask) const {
    const auto port = read_port<8 * kLanes>(top_.code_o);
    Bits<8 * kLanes> bits;
    for (unsigned i = 0; i < kLanes; ++i)
      bits.set(8 * i, 8, mask.known[i] ? port.get(8 * i, 8) : 0);
    return bits;
  }
  static uint64_t factors(const ReplayModel::Quad& quad, size_t last_column) {
    uint64_t bits = 0;
    for (size_t i = 0; i <= last_column; ++i) bits |= uint64_t{quad[i]} << (16 * i);
    return bits;
  }
  uint64_t factor(size_t last_column) const {
    return top_.factor_o & (~uint64_t{0} >> (48 - 16 * last_column));
  }
  // What was read two cycles ago, against what was filled.
  void receive() {
    for (; !arrivals_.empty() && arrivals_.front().cycle == bench_.cycle(); arrivals_.pop_front()) {
      const Arrival& arrival = arrivals_.front();
      if (arrival.word != nullptr) {
        held_word_ = arrival;
        bench_.scoreboard()
            .channel("words read")
            .compare(masked(arrival.word->value, *arrival.word), code(*arrival.word));
      } else {
        held_quad_ = arrival;
        bench_.scoreboard()
            .channel("factors read")
            .compare(factors(*arrival.quad, arrival.column), factor(arrival.column));
      }
    }
  }
  void compare() {
    const FillSegment seg = from_wire(read_struct<wire::FillSeg>(top_.seg_i));
    const CodeBeat beat = model_beat();
    ReplayModel::Quad scale;
    for (unsigned i = 0; i < 4; ++i) scale[i] = static_cast<uint16_t>(top_.scale_i >> (16 * i));
    const ReplayModel::Inputs in{.seg_valid = top_.seg_valid_i != 0,
                                 .seg = &seg,
                                 .beat_valid = top_.beat_valid_i != 0,
                                 .beat = &beat,
                                 .side_last = top_.side_last_i != 0,
                                 .unit_last = top_.unit_last_i != 0,
                                 .scale_valid = top_.scale_valid_i != 0,
                                 .scale = &scale,
                                 .rewind = top_.rewind_i != 0,
                                 .take = top_.take_i != 0,
                                 .free = top_.free_i != 0,
                                 .read = top_.read_i != 0,
                                 .factor_column = top_.factor_column_i,
                                 .factor_read = top_.factor_read_i != 0,
                                 .factor_next = top_.factor_next_i != 0};
    const ReplayModel::Outputs want = model_.outputs(in);
    Scoreboard& board = bench_.scoreboard();
    const auto flag = [&board](const char* port, bool expected, uint64_t got) {
      board.channel(port).compare(expected ? 1 : 0, got);
    };
    flag("seg_ready_o", want.seg_ready, top_.seg_ready_o);
    flag("beat_ready_o", want.beat_ready, top_.beat_ready_o);
    flag("scale_ready_o", want.scale_ready, top_.scale_ready_o);
    flag("seg_valid_o", want.seg != nullptr, top_.seg_valid_o);
    flag("code_valid_o", want.code_valid, top_.code_valid_o);
    flag("factor_valid_o", want.factor_valid, top_.factor_valid_o);
    const auto value = [&board](const char* port, const auto& expected, const auto& got) {
      board.channel(port).expect(1);
      board.channel(port).compare(expected, got);
    };
    if (want.seg != nullptr) value("seg_o", pack(*want.seg), uint64_t{top_.seg_o});
    if (want.beat_ready) {
      value("source_o", static_cast<uint64_t>(want.source), uint64_t{top_.source_o});
    }
    if (held_word_.word != nullptr) {
      const Bytes& mask = *held_word_.word;
      value("code_o", masked(bytes_of(*want.code, kLanes, held_word_.stream), mask), code(mask));
    }
    if (held_quad_.quad != nullptr) {
      value("factor_o", factors(*want.factor, held_quad_.column), factor(held_quad_.column));
    }
    model_.clock(in);
    if (top_.seg_valid_i != 0 && top_.seg_ready_o != 0) open_ = seg;
  }
  // The beat on the ports as the model takes it.
  CodeBeat model_beat() {
    const bool direct = open_.source == BeatSource::kDirect;
    const auto direct_bits = read_port<8 * kLanes>(top_.beat_i);
    const auto side_bits = read_port<8 * kSideLanes>(top_.beat_side_i);
    std::array<uint8_t, kLanes> bytes{};
    const size_t count = direct ? kLanes : kSideLanes;
    for (unsigned i = 0; i < count; ++i) {
      bytes[i] = static_cast<uint8_t>(direct ? direct_bits.get(8 * i, 8) : side_bits.get(8 * i, 8));
    }
    CodeBeat beat = codes_of(bytes.data(), count, open_.segment.stream);
    beat.exponent = static_cast<uint8_t>(top_.exponent_i);
    return beat;
  }

  Bench<typename D::Top> bench_;
  typename D::Top& top_;
  ReplayModel model_;
  Rates rates_;
  Source<kSegBits>& segs_;
  Source<kBeatBits>& beats_;
  Source<64>& scales_;
  std::deque<Filled> filled_;
  // Fill, as the ports show it
  FillSegment open_;
  size_t opened_ = 0;
  uint64_t first_open_ = 0;
  // Passes
  std::deque<Pass> passes_;
  Pass pass_;
  bool active_ = false;
  size_t word_ = 0;  // next one of the pass
  std::deque<Arrival> arrivals_;
  Arrival held_word_;
  Arrival held_quad_;
  // Counts
  uint64_t expected_takes_ = 0;
  uint64_t expected_words_ = 0;
  uint64_t expected_factors_ = 0;
  uint64_t cycles_ = 0;
  std::vector<uint64_t> read_cycles_;
  Coverage coverage_;
};

template <typename D>
class ReplayTest : public testing::Test {};
using Duts =
    testing::Types<Dut<Vreplay_unit, Vreplay_unitParams>, Dut<Vreplay_edge, Vreplay_edgeParams>,
                   Dut<Vreplay_kv260, Vreplay_kv260Params>, Dut<Vreplay_one, Vreplay_oneParams>,
                   Dut<Vreplay_half, Vreplay_halfParams>, Dut<Vreplay_group, Vreplay_groupParams>,
                   Dut<Vreplay_q8, Vreplay_q8Params>>;
TYPED_TEST_SUITE(ReplayTest, Duts);

template <typename B>
typename B::Rates random_rates(Random& random) {
  const std::vector<Stall> stalls{Stall::never(), Stall::random(0.1), Stall::random(0.8),
                                  Stall::alternate(), Stall::bursts(7, 5)};
  const auto stall = [&] { return stalls[random.below(stalls.size())]; };
  const auto rates = std::to_array({1.0, 0.9, 0.5, 0.15});
  const auto rate = [&] { return rates[random.below(rates.size())]; };
  return {.seg = stall(),
          .beat = stall(),
          .scale = stall(),
          .take = rate(),
          .read = rate(),
          .extra_factor_read = random.chance(0.5) ? 0.3 : 0};
}

void add(Coverage& sum, const Coverage& run) {
  sum.rewind_at_last_read += run.rewind_at_last_read;
  sum.rewind_at_last_released += run.rewind_at_last_released;
  sum.take_at_last_read += run.take_at_last_read;
  sum.one_beat_segments += run.one_beat_segments;
  sum.empty_segments += run.empty_segments;
  sum.exact_windows += run.exact_windows;
  sum.bf16_odd_banks += run.bf16_odd_banks;
  sum.full += run.full;
  sum.ahead = std::max(sum.ahead, run.ahead);
}

// Random segments in a random legal order of passes, released one by one.
TYPED_TEST(ReplayTest, RandomPasses) {
  using B = ReplayBench<TypeParam>;
  const bool large = B::kBeats > 1000;
  Coverage coverage;
  for (const uint64_t seed : options().seeds(large ? 4 : 40)) {
    Random random(seed);
    B bench(seed, random_rates<B>(random));
    bench.add_segments(large ? 25 : 60, large ? 150 : 20, large ? 0 : 0.3);
    bench.add_random_passes(random, random.chance(0.5) ? 0.7 : 0.3);
    bench.run();
    ASSERT_TRUE(bench.finish());
    add(coverage, bench.coverage());
  }
  if (options().seed) return;
  EXPECT_GT(coverage.rewind_at_last_read, 0);
  EXPECT_GT(coverage.rewind_at_last_released, 0);
  EXPECT_GT(coverage.empty_segments, 0);
  if (!large) {
    EXPECT_GT(coverage.one_beat_segments, 0);
    EXPECT_GT(coverage.full, 0);
  }
  if (B::kBanks > 1) {
    EXPECT_GT(coverage.bf16_odd_banks, 0);
  }
}

// Windows of one segment, of two, ..., of as many as fit; read once to three times, released last.
TYPED_TEST(ReplayTest, Windows) {
  using B = ReplayBench<TypeParam>;
  const bool large = B::kBeats > 1000;
  Coverage coverage;
  for (const uint64_t seed : options().seeds(large ? 1 : 4)) {
    for (size_t length = 1; length <= B::kSegments; length += large ? 5 : 1) {
      for (size_t times = 1; times <= 3; ++times) {
        Random random(100 * seed + 10 * length + times);
        B bench(seed, random_rates<B>(random));
        bench.add_segments(large ? 20 : 40, large ? 100 : 20, large ? 0.02 : 0.5);
        bench.add_windows(length, times);
        bench.run();
        ASSERT_TRUE(bench.finish());
        add(coverage, bench.coverage());
      }
    }
  }
  if (options().seed) return;
  if (B::kSegments > 1) {
    EXPECT_GT(coverage.take_at_last_read, 0);
    EXPECT_GT(coverage.ahead, 0);
  }
  if (B::kSegments > 2) {
    EXPECT_GT(coverage.ahead, 1);
  }
}

// A window as large as the memory, read again and again, and the next one behind it.
TYPED_TEST(ReplayTest, WindowAsLargeAsTheMemory) {
  using B = ReplayBench<TypeParam>;
  const size_t most_parts = std::min({B::kSegments, B::kQuads, B::kBeats});
  for (const size_t parts : {size_t{1}, most_parts}) {
    B bench(parts, {});
    for (size_t window = 0; window < 3; ++window) {
      size_t words = B::kBeats;
      size_t quads = 0;
      for (size_t part = parts; part > 0; --part) {
        const FillSegment seg = B::whole(words / part);
        bench.add_segment(seg);
        words -= B::words_of(seg.segment);
        quads += B::quads_of(seg.segment);
      }
      ASSERT_EQ(words, 0);
      ASSERT_LE(quads, B::kQuads);
    }
    bench.add_windows(parts, 3);
    bench.run();
    ASSERT_TRUE(bench.finish());
    if (parts > 1) {
      EXPECT_EQ(bench.coverage().exact_windows, 6);
    }
  }
}

// Fill and read at one word a cycle, without a gap from segment to segment; the first word is read
// in the second cycle after the one that opens its segment: opened, written, read.
TYPED_TEST(ReplayTest, FullThroughput) {
  using B = ReplayBench<TypeParam>;
  if (B::kSegments == 1 || B::kQuads == 1) {
    GTEST_SKIP() << "what is filled waits for the only tag or quad";
  }
  B bench(2, {});
  const size_t most = std::min<size_t>(B::kBeats, 9);
  for (size_t i = 0; i < 40; ++i) bench.add_segment(B::whole(2 + i % (most - 1)));
  bench.add_windows(1, 1);
  bench.run();
  ASSERT_TRUE(bench.finish());
  EXPECT_EQ(bench.read_cycles().front(), bench.first_open() + 2);
  EXPECT_EQ(bench.read_cycles().back() - bench.read_cycles().front() + 1, bench.words());
}

}  // namespace
}  // namespace rivulet
