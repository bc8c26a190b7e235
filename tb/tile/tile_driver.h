// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// Drives the ports of a clocked tile with its traffic: offers what the input streams have next, and
// hands over the result beats.
//
// Every port is held back as `stalls` says; an offer, once made, stands until it is accepted. No
// allocation per cycle. TimeOut (device_error.h) after `max_cycles`, or when no port transfers for
// `max_idle_cycles`, with the state of every handshake.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sw_model/interfaces/tile_geometry.h"
#include "sw_model/tile/clocked_tile.h"
#include "sw_model/tile/output_beat.h"
#include "sw_model/tile/tile_streams.h"
#include "sw_model/tile/tile_traffic.h"
#include "tb/random.h"

namespace rivulet {

// When a port is held back. Index of a port: TileStream of an input, kOutputPort of the output.
constexpr size_t kOutputPort = kTileStreams;
constexpr size_t kTilePorts = kTileStreams + 1;

class TileStalls {
 public:
  virtual ~TileStalls() = default;
  // Asked once a cycle for every port that could offer or accept.
  virtual bool stalled(size_t port, uint64_t transfers) = 0;
};

// Each cycle on its own, with one probability for inputs and one for outputs.
class RandomStalls final : public TileStalls {
 public:
  RandomStalls(double stall_in, double stall_out, uint64_t seed);
  bool stalled(size_t port, uint64_t transfers) override;

 private:
  double stall_in_;
  double stall_out_;
  Random random_;
};

struct TileLimits {
  uint64_t max_cycles = 0;  // of all runs together; 0 = no limit
  uint64_t max_idle_cycles = 20'000;
};

// What stands at an input that is not offered: always the same, or something else each cycle.
enum class IdlePayload { kHold, kNoise };

class TileDriver {
 public:
  // `tile` and `stalls` outlive the driver.
  TileDriver(ClockedTile& tile, TileStalls& stalls, TileLimits limits,
             IdlePayload idle_payload = IdlePayload::kHold, uint64_t noise_seed = 0);

  // One cycle. An element that was offered is offered until it is accepted, so all steps until the
  // traffic is done are made with the same one.
  void step(TileTraffic& traffic);
  // Runs the streams to their last output beat and returns the beats in order of arrival.
  std::vector<OutputBeat> run(const TileStreams& streams);
  // Cycles without any offer; an output beat or the acceptance of anything throws Mismatch.
  void idle(uint64_t cycles);

  // Of all runs.
  uint64_t cycles() const { return cycles_; }

 private:
  struct Port {
    bool offering = false;
    uint64_t transfers = 0;
  };

  void offer(TileTraffic& traffic);
  void make_noise(size_t stream);
  void rest(size_t stream);
  bool take(TileTraffic& traffic, const TileOutputs& outputs);
  void check_progress(bool progress, const TileOutputs& outputs);
  std::string handshakes(const TileOutputs& outputs) const;

  ClockedTile& tile_;
  TileGeometry geometry_;
  TileStalls& stalls_;
  TileLimits limits_;
  IdlePayload idle_payload_;
  Random random_;
  std::vector<uint64_t> noise_;
  TileLoad noise_load_;
  TileRead noise_read_;
  TilePass noise_pass_;
  TileInputs inputs_;
  TileInputs rest_;  // what stands at inputs that are not offered
  std::array<Port, kTilePorts> ports_{};
  uint64_t cycles_ = 0;
  uint64_t idle_cycles_ = 0;
};

}  // namespace rivulet
