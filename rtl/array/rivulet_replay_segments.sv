// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Segments of the replay buffer: what was filled, in order, and which one a pass gets.
 *
 * A segment that is pushed can be taken from the next cycle on. A pass takes the segment after the
 * one that was taken last, or with rewind_i the first one that is not released; the answer (valid_o,
 * segment_o) is combinational in rewind_i. A take with free_i releases the segment: segments are
 * released in order. Tags are LUT memory, read at two places.
 */
module rivulet_replay_segments
  import rivulet_pkg::*;
#(
  parameter  int unsigned Segments = 4,
  localparam int unsigned AddrW    = (Segments > 1) ? $clog2(Segments) : 1
) (
  input  logic     clk_i,
  input  logic     rst_ni,
  // Fill
  output logic     room_o,
  input  logic     push_i,
  input  segment_t segment_i,
  // Passes
  input  logic     rewind_i,
  output logic     valid_o,
  output segment_t segment_o,
  input  logic     take_i,
  input  logic     free_i
);

  localparam logic [AddrW-1:0] Last = AddrW'(Segments - 1);

  // A place on the ring; `turn` changes with every turn and tells full from empty.
  typedef struct packed {
    logic             turn;
    logic [AddrW-1:0] addr;
  } place_t;

  function automatic place_t after(place_t place);
    if (place.addr == Last) return '{turn: !place.turn, addr: '0};
    return '{turn: place.turn, addr: place.addr + AddrW'(1)};
  endfunction

  segment_t tag_q[Segments];
  place_t write_q, next_q, base_q, end_of_room, taken;

  assign end_of_room = '{turn: !base_q.turn, addr: base_q.addr};
  assign room_o      = (write_q != end_of_room);
  assign taken       = rewind_i ? base_q : next_q;
  assign valid_o     = rewind_i ? (base_q != write_q) : (next_q != write_q);
  assign segment_o   = rewind_i ? tag_q[base_q.addr] : tag_q[next_q.addr];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      next_q  <= '0;
      base_q  <= '0;
    end else begin
      if (push_i) write_q <= after(write_q);
      if (take_i) next_q <= after(taken);
      if (take_i && free_i) base_q <= after(taken);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) tag_q[write_q.addr] <= segment_i;
  end

endmodule
