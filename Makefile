# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# The front door: `make help`. Every target installs what it needs first (.ci/setup) and is quick and
# offline when all is there. The build itself is CMake's, see CMakePresets.json.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
SHELL := /bin/bash
JOBS ?= $(shell nproc)
# Arguments of the command, e.g. make sim ARGS="--task get --trace"
ARGS ?=
PREFIX ?= /usr/local

# The configurations whose RTL an installed command has: make install CONFIGS="edge kv260"
CONFIGS ?= edge
# Those of the user belong to other programs and places.
unexport VERILATOR_ROOT CDPATH

# The lock: builds of one tree take turns, those that the command starts too (tb/variant.h).
cmake_build = mkdir -p build/$(1) && exec 9>build/$(1)/.lock && flock 9 && \
  { cmake --preset $(1) >build/$(1).log || { cat build/$(1).log; exit 1; }; } && \
  cmake --build build/$(1) -j $(JOBS)

.PHONY: help
help: ## list the targets
	@echo "Rivulet: make TARGET"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | \
	  while IFS='|' read -r name text; do printf '%-16s %s\n' "$$name" "$$text"; done

.PHONY: setup setup-checks setup-train
setup: ## install what `make sim` and `make test` need (Debian packages)
	@.ci/setup build
	@mkdir -p build

setup-checks: setup ## install what the checks need (Debian packages, pinned Python tools)
	@.ci/setup check python

setup-train: ## install what `make train` needs (Debian packages)
	@.ci/setup train

.PHONY: build sim test bench train
build: setup ## build the command build/bin/rivulet, with the RTL of configuration edge
	@$(call cmake_build,release) --target rivulet rivulet-tile-edge

sim: build ## decode text on the verilated tile, checked against the golden model; ARGS="--help"
	@build/bin/rivulet sim $(ARGS)

test: setup ## build and run all tests; ARGS="-R name" selects
	@$(call cmake_build,release)
	@ctest --preset release -j $(JOBS) $(ARGS)

bench: setup ## rows of products on the tile: cycles, busy share, idle cycles by cause; ARGS="--help"
	@$(call cmake_build,release) --target tile_bench
	@build/release/tb/tile/tile_bench $(ARGS)

train: setup-train build ## repeat the training of the model in vectors/tiny-bd
	@vectors/tiny-bd/train.sh $(ARGS)

.PHONY: sanitize coverage test-newest mutate-smoke
sanitize: setup ## run the tests of the C++ models and of two RTL benches with address and undefined-behaviour sanitizers
	@$(call cmake_build,debug) --target sanitized_tests
	@ctest --preset debug -j $(JOBS) $(ARGS)

coverage: setup-checks ## C++ lines that the tests of the models reach
	@$(call cmake_build,coverage) --target model_tests
	@ctest --preset coverage -j $(JOBS) $(ARGS)
	@gcovr --root . --filter sw_model/ --print-summary --txt build/coverage/lines.txt build/coverage
	@echo "per file: build/coverage/lines.txt"

test-newest: setup-checks ## run the RTL tests on the newest Verilator
	@$(call cmake_build,newest) --target rtl_tests
	@ctest --preset newest -j $(JOBS) $(ARGS)

mutate-smoke: setup-checks ## plant one fault per RTL block and see a test fail
	@tests/mutants/run $(ARGS)

.PHONY: lint prove tidy format format-check interfaces synth route netlist docs-check
lint: setup-checks ## lint RTL (both Verilators, Verible), shell, file headers
	@rtl/lint/run
	@.ci/lint

prove: setup-checks ## prove the stream cells for all inputs and times; ARGS="fifo_3"
	@tests/proofs/run $(ARGS)

tidy: setup-checks ## clang-tidy on the C++ (after `make test`)
	@.ci/tidy

format: setup-checks ## format RTL and C++ in place
	@.ci/format

format-check: setup-checks ## fail if a file is not formatted
	@.ci/format --check

interfaces: setup-checks ## write C++ structs, tables and wave names from the RTL packages; ARGS=--check compares
	@rtl/interfaces/generate $(ARGS)

synth: setup-checks ## synthesize each block, gates and area table; ARGS="--update" rewrites the table
	@fpga/synth/run $(ARGS)

route: setup-checks ## routed frequency of each block against the table; ARGS="edge", ARGS="--update"
	@fpga/synth/route $(ARGS)

netlist: setup-checks ## run synthesized netlists of converter, PE, adder tree and transposing buffer through their tests
	@$(call cmake_build,netlist) --target converter_test pe_test adder_tree_test transpose_buffer_test
	@ctest --preset netlist -j $(JOBS) $(ARGS)

docs-check: setup ## run the commands that README.md and docs/ show
	@$(call cmake_build,release)
	@.ci/docs_check

.PHONY: install clean ci nightly
install: setup ## install the command, its data and the RTL of CONFIGS="edge"; PREFIX=/usr/local
	@$(call cmake_build,release) --target rivulet $(foreach c,$(CONFIGS),rivulet-tile-$(c) rivulet-converter-$(c))
	@rm -f "$(DESTDIR)$(PREFIX)"/libexec/rivulet/rivulet-*
	@umask 022; for component in command $(foreach c,$(CONFIGS),tile-$(c) converter-$(c)); do \
	  cmake --install build/release --prefix "$(PREFIX)" --component $$component || exit 1; done

clean: ## remove all that was built (keeps build/venv)
	@mkdir -p build && find build -mindepth 1 -maxdepth 1 ! -name venv -exec rm -rf {} +

ci: ## everything that must pass before a change lands
	@.ci/run

nightly: ## the checks that take too long for `make ci`: routing, planted faults
	@.ci/run nightly
