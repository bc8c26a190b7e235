// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

#pragma once

// What goes over the ports of a block, as its driver sees it: the next element of every input
// stream, and a place for what the output streams bring.

#include <cstddef>

namespace rivulet {

template <typename Block>
class BlockTraffic {
 public:
  virtual ~BlockTraffic() = default;

  // Points `inputs` at the next element of an input stream, which stays in place until it is
  // accepted. False: there is none now. Asked at most once a cycle and stream.
  virtual bool offer(size_t input, typename Block::Inputs& inputs) = 0;
  virtual void accepted(size_t input) = 0;
  // An element that is not expected throws Mismatch.
  virtual void arrived(size_t output, const typename Block::Outputs& outputs) = 0;
  // Nothing is left to be offered or to arrive.
  virtual bool done() const = 0;
};

}  // namespace rivulet
