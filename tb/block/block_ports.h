// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the harness must know of a block beside its streams. Each block has a specialization, in
// tb/<block>/<block>_ports.h:
//
//   template <>
//   struct BlockPorts<FooBlock> {
//     // Payloads that mean nothing, for inputs that are not offered.
//     class Noise {
//       explicit Noise(uint64_t seed);
//       void fresh(size_t input, FooInputs& inputs);       // another one each time
//       void rest(size_t input, FooInputs& inputs) const;  // always the same
//     };
//     // Payload of an output stream: are two the same, and as text for a person.
//     static bool same(size_t output, const FooOutputs& a, const FooOutputs& b);
//     static std::string text(size_t output, const FooOutputs& outputs);
//     static std::string text(const FooCounters& counters);
//     // To and from the ports of the verilated module, for VerilatedBlock.
//     template <typename Top> static void set(Top& top, const FooInputs& inputs);
//     template <typename Top> static void get(const Top& top, FooOutputs& outputs);
//     template <typename Top> static FooCounters counters(const Top& top);
//   };

namespace rivulet {

template <typename Block>
struct BlockPorts;

}  // namespace rivulet
