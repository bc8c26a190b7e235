// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Pointers of a circular memory that is written once and read several times.
 *
 *        base              read              write
 *     ----|-----------------|-----------------|---- room ----| base
 *         what a rewind      what is           where the next
 *         reads again        readable          words go
 *
 * Writing: up to two words become readable at a time (push_i). Reading: next_i moves on by a word;
 * with free_i that word is released and base moves along, so base and read are equal while words
 * are read to be released. rewind_i goes back to base; a word that is read in the same cycle comes
 * before it.
 * All outputs are registers, but second_o, an increment behind one.
 */
module rivulet_replay_ring #(
  parameter  int unsigned Depth = 64,
  localparam int unsigned AddrW = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Write
  input  logic [      1:0] push_i,    // words that become readable, 0 to 2
  output logic [AddrW-1:0] first_o,   // addresses of the next two words,
  output logic [AddrW-1:0] second_o,
  output logic             room1_o,   // and whether they are free: the first,
  output logic             room2_o,   // both
  // Read
  input  logic             next_i,
  input  logic             free_i,
  input  logic             rewind_i,
  output logic [AddrW-1:0] read_o,
  output logic             valid_o    // the word at read_o is readable
);

  localparam logic [AddrW-1:0] Last = AddrW'(Depth - 1);

  // A place on the ring; `turn` changes with every turn and tells full from empty.
  typedef struct packed {
    logic             turn;
    logic [AddrW-1:0] addr;
  } place_t;

  function automatic place_t after(place_t place);
    return (place.addr == Last) ?
    '{turn: !place.turn, addr: '0}
    :
    '{turn: place.turn, addr: place.addr + AddrW'(1)}
    ;
  endfunction

  place_t write_q, write_d, second, read_q, read_d, read_on, base_q, base_d, end_of_room_d;

  assign second = after(write_q);

  always_comb begin
    unique case (push_i)
      2'd1:    write_d = second;
      2'd2:    write_d = after(second);
      default: write_d = write_q;
    endcase
  end

  assign read_on       = next_i ? after(read_q) : read_q;
  assign base_d        = free_i ? read_on : base_q;
  assign read_d        = rewind_i ? base_d : read_on;
  assign end_of_room_d = '{turn: !base_d.turn, addr: base_d.addr};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      base_q  <= '0;
      valid_o <= 1'b0;
      room1_o <= 1'b1;
      room2_o <= (Depth > 1);
    end else begin
      write_q <= write_d;
      read_q  <= read_d;
      base_q  <= base_d;
      valid_o <= (read_d != write_d);
      room1_o <= (write_d != end_of_room_d);
      room2_o <= (write_d != end_of_room_d) && (after(write_d) != end_of_room_d);
    end
  end

  assign first_o  = write_q.addr;
  assign second_o = second.addr;
  assign read_o   = read_q.addr;

endmodule
