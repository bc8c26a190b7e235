// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// The tile for the harness of tb/block.

#include <cstddef>
#include <cstring>
#include <string>

#include "sw_model/tile/clocked_tile.h"
#include "tb/block/block_ports.h"
#include "tb/tile/tile_noise.h"
#include "tb/wire_port.h"

namespace rivulet {

template <>
struct BlockPorts<TileBlock> {
  using Noise = TileNoise;

  static bool same(size_t /*output*/, const TileOutputs& a, const TileOutputs& b) {
    return a.y == b.y && a.acc == b.acc && a.y_last == b.y_last;
  }
  static std::string text(size_t output, const TileOutputs& outputs);
  static std::string text(const TileCounters& counters);

  template <typename Top>
  static void set(Top& top, const TileInputs& in) {
    const auto valid = [&in](TileStream stream) { return in.valid[static_cast<size_t>(stream)]; };
    top.load_valid_i = valid(TileStream::kLoad);
    top.read_valid_i = valid(TileStream::kRead);
    top.pass_valid_i = valid(TileStream::kPass);
    top.x_valid_i = valid(TileStream::kX);
    top.word_valid_i = valid(TileStream::kWord);
    top.w_valid_i = valid(TileStream::kW);
    top.scale_valid_i = valid(TileStream::kScale);
    top.y_ready_i = in.y_ready;
    write_struct(top.load_i, to_wire(*in.load));
    write_struct(top.read_i, to_wire(*in.read));
    write_struct(top.pass_i, to_wire(*in.pass));
    copy_to_port(top.x_i, in.x);
    copy_to_port(top.word_i, in.word);
    copy_to_port(top.w_i, in.w);
    top.scale_i = in.scale;
  }
  template <typename Top>
  static void get(const Top& top, TileOutputs& out) {
    out.ready = {top.load_ready_o != 0, top.read_ready_o != 0, top.pass_ready_o != 0,
                 top.x_ready_o != 0,    top.word_ready_o != 0, top.w_ready_o != 0,
                 top.scale_ready_o != 0};
    out.y_valid = top.y_valid_o != 0;
    out.y_last = top.y_last_o != 0;
    static_assert(sizeof top.y_o <= sizeof out.y && sizeof top.acc_o <= sizeof out.acc);
    std::memcpy(out.y.data(), &top.y_o, sizeof top.y_o);
    std::memcpy(out.acc.data(), &top.acc_o, sizeof top.acc_o);
  }
  template <typename Top>
  static TileCounters counters(const Top& top) {
    return read_struct<TileCounters>(top.counters_o);
  }
};

}  // namespace rivulet
