# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""One training step's gradients, computed by two processes of one thread each.

Two processes use two busy cores better than two threads do: no barrier in every operator. The
split of the work is fixed, so the result does not depend on which process runs first.
"""
import multiprocessing
import random

import torch
import torch.nn.functional as F

import batches
import tasks

SHARDS = 2


def context_length(rng, longest):
    """Half of the batches use the longest context of the moment, half a random shorter one."""
    return longest if rng.random() < 0.5 else 32 * rng.randint(1, longest // 32)


def weighted_loss(logits, target, weight, task, record):
    """Sum of weighted cross-entropies and of weights; adds nats and counts by task to record."""
    losses = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), target.reshape(-1),
                             reduction="none")
    flat_weight, flat_task = weight.reshape(-1), task.reshape(-1)
    with torch.no_grad():
        sums = torch.zeros(len(tasks.TASKS) + 1).index_add_(0, flat_task, losses)
        counts = torch.bincount(flat_task, minlength=len(tasks.TASKS) + 1)
        record += torch.stack([sums, counts.float()])
    return (losses * flat_weight).sum(), flat_weight.sum()


def shard_step(model, seed, step, shard, stage, longest):
    """Leaves gradients of the summed loss in the model.

    Returns (sum of weights, tokens processed, loss tokens, record).
    """
    record = torch.zeros(2, len(tasks.TASKS) + 1)
    length = context_length(random.Random(f"length {seed} {step}"), longest)
    rng = random.Random(f"{seed} {step} {shard}")
    noisy, target, weight, task = batches.short_batch(
        rng, stage["short_count"] // SHARDS, stage["short_mix"], stage["tail"],
        stage.get("open_tail", False), stage.get("whole_segments", False))
    short = weighted_loss(model.forward_short(noisy), target, weight, task, record)
    tokens, loss_tokens = noisy.numel(), int((weight > 0).sum())
    copies = 4 if length >= 256 else 2  # a long context is worth more noisy versions
    count = stage["long_count"] * (256 / (length + 128)) ** 0.7 * (0.8 if copies == 4 else 1)
    clean, noisy, target, weight, task = batches.long_batch(
        rng, max(1, round(count / SHARDS)), length, stage["long_mix"], stage["easy"],
        stage["tail"], copies, stage.get("open_tail", False))
    long = weighted_loss(model.forward_long(clean, noisy, copies), target, weight, task, record)
    for p in model.parameters():
        p.grad = None
    (short[0] + long[0]).backward()
    return (float(short[1] + long[1]), tokens + clean.numel() + noisy.numel(),
            loss_tokens + int((weight > 0).sum()), record)


def _serve(model, gradients, pipe, far_end, seed):
    far_end.close()  # so that the pipe ends when the training process does
    while True:
        try:
            order = pipe.recv()
        except (EOFError, OSError):
            return
        if order is None:
            return
        result = shard_step(model, seed, order[0], 1, *order[1:])
        for store, p in zip(gradients, model.parameters()):
            store.copy_(p.grad)
        pipe.send((*result[:3], result[3].tolist()))


class Trainer:
    """Computes the mean gradient of a step with this process and one helper process."""

    def __init__(self, model, seed):
        self.model, self.seed = model, seed
        torch.set_num_threads(1)
        model.share_memory()
        self.gradients = [torch.zeros_like(p).share_memory_() for p in model.parameters()]
        self.pipe, other = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        self.helper = context.Process(
            target=_serve, args=(model, self.gradients, other, self.pipe, seed),
            daemon=True)
        self.helper.start()

    def gradients_of(self, step, stage, longest):
        """Leaves the mean gradient in the model; returns (tokens, loss tokens, record)."""
        self.pipe.send((step, stage, longest))
        mine = shard_step(self.model, self.seed, step, 0, stage, longest)
        while not self.pipe.poll(5):
            if not self.helper.is_alive():
                raise RuntimeError("the helper process of the training ended; see its error above")
        other = self.pipe.recv()
        total = mine[0] + other[0]
        for p, store in zip(self.model.parameters(), self.gradients):
            p.grad.add_(store.detach()).div_(total)
        return mine[1] + other[1], mine[2] + other[2], mine[3] + torch.tensor(other[3])

    def close(self):
        self.pipe.send(None)
        self.helper.join()
