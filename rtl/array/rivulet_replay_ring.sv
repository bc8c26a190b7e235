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
 * All outputs are registers.
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

  localparam int unsigned CountW = $clog2(Depth + 1);
  localparam logic [AddrW-1:0] Last = AddrW'(Depth - 1);

  // A place on the ring; `turn` changes with every turn and tells all from nothing to read.
  typedef struct packed {
    logic             turn;
    logic [AddrW-1:0] addr;
  } place_t;

  function automatic place_t after(place_t place);
    if (place.addr == Last) return '{turn: !place.turn, addr: '0};
    return '{turn: place.turn, addr: place.addr + AddrW'(1)};
  endfunction

  // Read
  place_t write_q, read_q, read_on, read_d, base_q, base_d;

  assign read_on = next_i ? after(read_q) : read_q;
  assign base_d  = free_i ? read_on : base_q;
  assign read_d  = rewind_i ? base_d : read_on;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      base_q  <= '0;
      valid_o <= 1'b0;
    end else begin
      read_q  <= read_d;
      base_q  <= base_d;
      valid_o <= (push_i != 2'd0) || (read_d != write_q);
    end
  end

  assign read_o = read_q.addr;

  // Write
  place_t write_d;
  logic [AddrW-1:0] second_q;

  always_comb begin
    unique case (push_i)
      2'd1:    write_d = after(write_q);
      2'd2:    write_d = after(after(write_q));
      default: write_d = write_q;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q  <= '0;
      second_q <= (Depth > 1) ? AddrW'(1) : '0;
    end else begin
      write_q  <= write_d;
      second_q <= (write_d.addr == Last) ? '0 : write_d.addr + AddrW'(1);
    end
  end

  assign first_o  = write_q.addr;
  assign second_o = second_q;

  // Room: how many words are free, and whether one and two will be; fits[n]: n words fit now.
  logic [CountW-1:0] room_q;
  logic [4:0] fits;
  logic [2:0] taken;
  logic freed;

  assign freed = next_i && free_i;
  assign taken = 3'(push_i) - 3'(freed);
  assign fits  = {32'(room_q) >= 4, 32'(room_q) >= 3, 32'(room_q) >= 2, room_q != '0, 1'b1};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      room_q  <= CountW'(Depth);
      room1_o <= 1'b1;
      room2_o <= (Depth > 1);
    end else begin
      room_q  <= room_q + CountW'(freed) - CountW'(push_i);
      room1_o <= fits[taken+3'd1];
      room2_o <= fits[taken+3'd2];
    end
  end

endmodule
