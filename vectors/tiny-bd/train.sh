#!/bin/sh
# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
#
# Trains the tiny block-diffusion model from its seed, exports it and scores it.
# Usage: train.sh [--quick] [--out DIR]
#   --quick  some seconds: a few steps of every stage, a handful of prompts
#   --out    where state, log and weights go (default build/tiny-bd-train); an interrupted run resumes
set -eu

unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "$here/../.." && pwd)/build/tiny-bd-train
quick=no
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes ;;
    --out)
      [ $# -ge 2 ] || { echo "train.sh: --out needs a folder" >&2; exit 2; }
      out=$2
      shift ;;
    *) echo "train.sh: unknown argument '$1'; usage: train.sh [--quick] [--out DIR]" >&2; exit 2 ;;
  esac
  shift
done

python=/usr/bin/python3
if ! "$python" -c 'import numpy, torch' 2>/dev/null; then
  echo "train.sh: PyTorch is missing for $python; install it with" >&2
  echo "  apt-get install python3-torch libopenblas0-pthread" >&2
  echo "(without OpenBLAS or BLIS the training is about 35 times slower)" >&2
  exit 1
fi

# Two single-threaded processes train; the allocator keeps large buffers mapped between steps.
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8000000000 MALLOC_TOP_PAD_=268435456

contexts=128
tasks="get where tell add sort sum follow tour"
if [ "$quick" = yes ]; then
  out=$out-quick
  rm -rf "$out"
  contexts=2
  tasks="get sum"
fi
mkdir -p "$out"

"$python" "$here/self_check.py"

stages=$("$python" -c "import json; print(*json.load(open('$here/schedule.json'))['order'])")
for stage in $stages; do
  echo "training stage $stage (log: $out/train.log)"
  if [ "$quick" = yes ]; then
    "$python" "$here/train.py" --stage "$stage" --state "$out/state.pt" --log "$out/train.log" --quick
  else
    "$python" "$here/train.py" --stage "$stage" --state "$out/state.pt" --log "$out/train.log"
  fi
done
"$python" "$here/export.py" --state "$out/state.pt" --out "$out"
# shellcheck disable=SC2086 # one word a task
"$python" "$here/evaluate.py" --weights "$out/tiny-bd.safetensors" --seed 7001 --contexts "$contexts" \
  --tasks $tasks
echo "weights: $out/tiny-bd.safetensors"
