# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# RTL in compile order, paths relative to this file: verilator -F rtl/rtl.f, yosys read_slang -F rtl/rtl.f
+incdir+common
rivulet_pkg.sv

common/rivulet_counter.sv
common/rivulet_fifo.sv
common/rivulet_fifo_props.sv
common/rivulet_stream_narrow.sv
common/rivulet_stream_narrow_props.sv
common/rivulet_stream_fork.sv
common/rivulet_stream_fork_props.sv
common/rivulet_stream_reg.sv
common/rivulet_stream_reg_props.sv

converter/rivulet_converter_pkg.sv
converter/rivulet_view_prepare.sv
converter/rivulet_converter_counters.sv
converter/rivulet_converter.sv
converter/rivulet_converter_props.sv

tech/generic/rivulet_add3.sv
tech/generic/rivulet_butterfly.sv
tech/generic/rivulet_table_ram.sv

array/rivulet_adder_tree.sv
array/rivulet_x_store.sv
array/rivulet_x_store_props.sv
array/rivulet_row_max.sv
array/rivulet_aligner.sv
array/rivulet_aligner_props.sv
array/rivulet_table_builder.sv
array/rivulet_build_ctrl.sv
array/rivulet_tile_bias.sv
array/rivulet_tile_loader.sv
array/rivulet_tile_loader_props.sv
array/rivulet_pe.sv
array/rivulet_dot_row.sv
array/rivulet_edge.sv
array/rivulet_edge_props.sv
array/rivulet_psum.sv
array/rivulet_result_queue.sv
array/rivulet_code_feed.sv
array/rivulet_hazard.sv
array/rivulet_pass_ctrl.sv
array/rivulet_pass_ctrl_props.sv
array/rivulet_drain.sv
array/rivulet_drain_props.sv
array/rivulet_edge_operands.sv
array/rivulet_array_row.sv
array/rivulet_array_rows.sv
array/rivulet_beat_pipe.sv
array/rivulet_issue.sv
array/rivulet_array.sv

array/rivulet_bf16_stream.sv
array/rivulet_bf16_stream_props.sv
array/rivulet_transpose_pack.sv
array/rivulet_transpose_pack_props.sv
array/rivulet_transpose_pkg.sv
array/rivulet_transpose_banks.sv
array/rivulet_transpose_buffer.sv
array/rivulet_transpose_buffer_props.sv
array/rivulet_replay_ring.sv
array/rivulet_replay_ring_props.sv
array/rivulet_replay_memory.sv
array/rivulet_replay_segments.sv
array/rivulet_replay_segments_props.sv
array/rivulet_replay_fill.sv
array/rivulet_replay_fill_props.sv
array/rivulet_replay.sv
array/rivulet_replay_props.sv

tile/rivulet_tile_pkg.sv
tile/rivulet_read_requests.sv
tile/rivulet_read_requests_props.sv
tile/rivulet_value_route.sv
tile/rivulet_code_source.sv
tile/rivulet_turn.sv
tile/rivulet_fill.sv
tile/rivulet_fetch.sv
tile/rivulet_tile_counters.sv
tile/rivulet_tile.sv
tile/rivulet_tile_props.sv
