// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Geometry of the transposing buffer by code of the stream, as logarithms, for groups of
 * 2^log_group lanes or outputs and beats of 2^log_lanes bytes. A unit is cut into places: bytes of
 * codes, or BF16 values (rivulet_transpose_buffer).
 */
package rivulet_transpose_pkg;

  import rivulet_pkg::*;

  // Bytes of a place: two for a BF16 value.
  function automatic int unsigned log_step(int unsigned stream);
    return (stream == 32'(StreamBf16)) ? 1 : 0;
  endfunction

  // Outputs of a place: one, but two codes of q4 and four codes of q2 share a byte.
  function automatic int unsigned log_outputs(int unsigned stream);
    return (stream == 32'(StreamBf16)) ? 0 : 32'(StreamQ8) - stream;
  endfunction

  // Places of a unit.
  function automatic int unsigned log_places(int unsigned stream, int unsigned log_group);
    return log_group - log_step(stream) - log_outputs(stream);
  endfunction

  // Places that swap banks: those that a unit has in a beat.
  function automatic int unsigned log_swaps(int unsigned stream, int unsigned log_group,
                                            int unsigned log_lanes);
    int unsigned log_beat;
    log_beat = log_lanes - log_step(stream);
    return (log_places(stream, log_group) < log_beat) ? log_places(stream, log_group) : log_beat;
  endfunction

  // Beats of a unit, if it has more than one.
  function automatic int unsigned log_beats(int unsigned stream, int unsigned log_group,
                                            int unsigned log_lanes);
    return log_places(stream, log_group) - log_swaps(stream, log_group, log_lanes);
  endfunction

endpackage
