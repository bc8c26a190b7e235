// Copyright Rivulet contributors.
// Licensed under the Apache License, Version 2.0, see LICENSE for details.
// SPDX-License-Identifier: Apache-2.0

/**
 * Build control: walks over the tables of a tile and hands them to the stream.
 *
 * The table of a lane pair (x0, x1) holds d0 * x0 + d1 * x1 for the sixteen pairs of digits
 * d0, d1 in -2..1 (docs/array.md). A walk over the 4 x 4 digit grid that starts at (0, 0) and moves
 * one digit by one step at a time needs one adder per pair: each entry is the previous one plus or
 * minus x0 or x1. A build is Steps such walks, 16 * Steps cycles; builds follow each other without
 * a gap. Banks of tables and halves of the row buffers take turns, tile by tile: `bank_o` names
 * both.
 *
 * Hand-over: a beat enters one cycle after `tile_take_i` at the earliest and looks tables up
 * LookupDelay cycles later; the last beat of the tile before entered in the cycle of the take at
 * the latest. So `tile_ready_o` rises LookupDelay cycles before the last entries are written, and
 * the bank that a take in cycle t gives up is written from cycle t + 1 + LookupDelay on: if every
 * tile is taken at once, takes are 16 * Steps cycles apart.
 *
 * What the builders of all positions need is registered here. Combinational from port to port:
 * buffered_i to start_o.
 */
module rivulet_build_ctrl #(
  parameter  int unsigned Steps       = 16,
  parameter  int unsigned LookupDelay = 3,                               // 1 to 14
  localparam int unsigned StepW       = (Steps > 1) ? $clog2(Steps) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // Rows of the next tile are buffered
  input  logic             buffered_i,
  output logic             start_o,       // its build starts in the next cycle
  // Hand-over
  output logic             closing_o,     // tile_ready_o rises in the next cycle
  output logic             tile_ready_o,
  input  logic             tile_take_i,
  // Walk
  output logic             bank_o,        // being built, or built last
  output logic             busy_o,
  output logic             done_o,        // last cycle of a build
  output logic [StepW-1:0] step_o,
  input  logic [StepW-1:0] last_step_i,   // with loaded lanes, of the tile in bank_o
  output logic             clear_o,       // the next entry is zero: (0, 0), or of lanes not loaded
  output logic [      3:0] entry_o,       // {d1, d0}
  output logic             along_x1_o,    // the step to the next entry moves d1, else d0,
  output logic             down_o         // and takes one away
);

  if (LookupDelay < 1 || LookupDelay > 14) begin : gen_illegal
    $fatal(1, "rivulet_build_ctrl: LookupDelay must be 1 to 14");
  end

  typedef struct packed {
    logic [3:0] entry;
    logic       along_x1;
    logic       down;
  } move_t;

  function automatic move_t walk(logic [3:0] position);
    unique case (position)
      4'd0:    return '{entry: 4'b00_00, along_x1: 1'b0, down: 1'b1};
      4'd1:    return '{entry: 4'b00_11, along_x1: 1'b1, down: 1'b1};
      4'd2:    return '{entry: 4'b11_11, along_x1: 1'b0, down: 1'b0};
      4'd3:    return '{entry: 4'b11_00, along_x1: 1'b0, down: 1'b0};
      4'd4:    return '{entry: 4'b11_01, along_x1: 1'b1, down: 1'b1};
      4'd5:    return '{entry: 4'b10_01, along_x1: 1'b0, down: 1'b1};
      4'd6:    return '{entry: 4'b10_00, along_x1: 1'b0, down: 1'b1};
      4'd7:    return '{entry: 4'b10_11, along_x1: 1'b0, down: 1'b1};
      4'd8:    return '{entry: 4'b10_10, along_x1: 1'b1, down: 1'b0};
      4'd9:    return '{entry: 4'b11_10, along_x1: 1'b1, down: 1'b0};
      4'd10:   return '{entry: 4'b00_10, along_x1: 1'b1, down: 1'b0};
      4'd11:   return '{entry: 4'b01_10, along_x1: 1'b0, down: 1'b0};
      4'd12:   return '{entry: 4'b01_11, along_x1: 1'b0, down: 1'b0};
      4'd13:   return '{entry: 4'b01_00, along_x1: 1'b0, down: 1'b0};
      4'd14:   return '{entry: 4'b01_01, along_x1: 1'b1, down: 1'b1};
      default: return '{entry: 4'b00_01, along_x1: 1'b0, down: 1'b0};
    endcase
  endfunction

  // A tile owns its bank from its build on. After it is taken, the other bank is still looked up.
  logic owned_q;
  logic [3:0] looked_up_q;  // cycles

  logic busy_q, bank_q, ready_q;
  logic [StepW-1:0] step_q;
  logic [3:0] position_q;
  move_t move_q;  // walk(position_q)
  logic loaded_q, next_loaded_q;  // lanes of this step, and of the next one
  logic clear_q;
  logic last_step, step_end;

  assign last_step = (step_q == StepW'(Steps - 1));
  assign step_end  = busy_q && (position_q == 4'd15);
  assign done_o    = step_end && last_step;
  assign closing_o = busy_q && last_step && (position_q == 4'(14 - LookupDelay));
  assign start_o   = buffered_i && !owned_q && (looked_up_q == '0) && (!busy_q || done_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owned_q     <= 1'b0;
      ready_q     <= 1'b0;
      looked_up_q <= '0;
    end else begin
      if (start_o) owned_q <= 1'b1;
      else if (tile_take_i) owned_q <= 1'b0;
      if (closing_o) ready_q <= 1'b1;
      else if (tile_take_i) ready_q <= 1'b0;
      if (tile_take_i) looked_up_q <= 4'(LookupDelay - 1);
      else if (looked_up_q != '0) looked_up_q <= looked_up_q - 4'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      bank_q     <= 1'b1;
      step_q     <= '0;
      position_q <= '0;
      move_q     <= walk('0);
    end else begin
      if (start_o) begin
        busy_q <= 1'b1;
        bank_q <= !bank_q;
      end else if (done_o) begin
        busy_q <= 1'b0;
      end
      if (busy_q) begin
        position_q <= position_q + 4'd1;
        move_q     <= walk(position_q + 4'd1);
      end
      if (step_end) step_q <= last_step ? '0 : step_q + StepW'(1);
    end
  end

  // The first step has loaded lanes. A cleared register is at the entry (0, 0).
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_q      <= 1'b0;
      next_loaded_q <= 1'b0;
      clear_q       <= 1'b1;
    end else begin
      next_loaded_q <= (step_q < last_step_i);
      if (start_o) loaded_q <= 1'b1;
      else if (step_end) loaded_q <= next_loaded_q;
      if (start_o) clear_q <= 1'b0;
      else if (done_o) clear_q <= 1'b1;
      else if (step_end) clear_q <= !next_loaded_q;
      else if (busy_q) clear_q <= !loaded_q || (position_q == 4'd14);
    end
  end

  assign tile_ready_o = ready_q;
  assign bank_o       = bank_q;
  assign busy_o       = busy_q;
  assign step_o       = step_q;
  assign clear_o      = clear_q;
  assign entry_o      = move_q.entry;
  assign along_x1_o   = move_q.along_x1;
  assign down_o       = move_q.down;

endmodule
