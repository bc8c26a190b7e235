# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Checks that training and decoding compute the same function, on a freshly initialised model.

The logits of noisy blocks from the training pass must equal those of the decode loop: with the
prefix prefilled, with the prefix committed block by block, and with T = 8 forwards.
"""
import os
import random
import sys
import tempfile

import torch

import batches
import export
import init
import tasks
from decode import BLOCK, SUB, Decoder
from model import BlockDiffusionLm

TOLERANCE = 1e-3
ROWS, CONTEXT, SEED = 3, 128, 5


@torch.no_grad()
def differences(model):
    """Yields (what, largest absolute difference, values compared)."""
    mix = {task: 1.0 for task in tasks.TASKS}
    clean, noisy, *_ = batches.long_batch(random.Random(SEED), ROWS, CONTEXT, mix, 0.0, 0.5)
    expected = model.forward_long(clean, noisy, 2)[:, 2 * BLOCK:3 * BLOCK]
    ids, rows = noisy[:, 2 * BLOCK:3 * BLOCK], torch.arange(ROWS)
    decoder = Decoder(model)
    decoder._prefill(clean.tolist())
    got = decoder._forward(ids, rows, 0, "entry")
    yield "prefilled prefix", (got - expected).abs().max(), got.numel()
    part = decoder._forward(ids, rows, SUB, "interior", SUB)
    yield "T = 8 forward", (part - got[:, SUB:2 * SUB]).abs().max(), part.numel()
    decoder._prefill([row[:CONTEXT] for row in clean.tolist()])
    for begin in (CONTEXT, CONTEXT + BLOCK):
        decoder._forward(clean[:, begin:begin + BLOCK], rows, 0, "completion")
        decoder._commit()
    got = decoder._forward(ids, rows, 0, "entry")
    yield "committed prefix", (got - expected).abs().max(), got.numel()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        export.save(model, path, {})
        same = export.load(path).forward_long(clean, noisy, 2)[:, 2 * BLOCK:3 * BLOCK]
    yield "safetensors round trip", (same - expected).abs().max(), same.numel()


def main():
    model = BlockDiffusionLm()
    init.initialise(model, SEED)
    failed = False
    for what, largest, count in differences(model):
        bad = not bool(largest <= TOLERANCE)
        failed |= bad
        print(f"{'FAIL' if bad else 'ok':4s} {what}: {count} logits, largest difference {largest:.2g}"
              f" (allowed {TOLERANCE:g}, seed {SEED})")
    sys.exit(failed)


if __name__ == "__main__":
    main()
