// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// A block with a clock, seen at its ports: a cycle model, the verilated RTL, or both in lockstep.
//
// `Block` says what the ports are:
//
//   struct FooBlock {
//     using Inputs = FooInputs;      // per input stream a valid and a payload, per output a ready
//     using Outputs = FooOutputs;    // the other directions
//     using Counters = FooCounters;  // status after the last edge
//     static constexpr std::array kInputs{"in"};    // names of the streams, as in the RTL's ports
//     static constexpr std::array kOutputs{"out"};
//     static bool& valid(Inputs& inputs, size_t input);
//     static bool ready(const Outputs& outputs, size_t input);
//     static bool& ready(Inputs& inputs, size_t output);
//     static bool valid(const Outputs& outputs, size_t output);
//   };
//
// step() is one clock cycle: the outputs belong to the same cycle as the inputs, before its rising
// edge. A transfer happens in a cycle in which valid and ready are both high. A payload whose valid
// is low may hold anything.

namespace rivulet {

template <typename Block>
class ClockedBlock {
 public:
  virtual ~ClockedBlock() = default;

  // Some cycles in reset, after which nothing is under way and all counters are 0.
  virtual void reset() = 0;
  // One clock cycle. What the inputs point at outlives the call; the reference is valid until the
  // next one.
  virtual const typename Block::Outputs& step(const typename Block::Inputs& inputs) = 0;
  // After the edge of the last step.
  virtual typename Block::Counters counters() const = 0;
};

}  // namespace rivulet
