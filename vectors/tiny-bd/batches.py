# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Packs segments into training sequences and draws the noise of each block."""
import random

import numpy as np
import torch

import tasks
import vocabulary as v

BLOCK, SUB_BLOCK = 32, 8
NO_TASK = len(tasks.TASKS)
UNKNOWN_WEIGHT = 0.1  # loss weight of a word whose predecessor is still masked
TAIL_WEIGHT = 0.2  # loss weight of the fill after the end of an answer
OPEN_TAIL_WEIGHT = 0.05  # the same while the last word of the answer is still masked


class Sequence:
    """Word ids with, per position: task, answer flag, dependency offsets, segment number."""

    def __init__(self, size):
        self.ids = np.full(size, v.EOS, np.int64)
        self.task = np.full(size, NO_TASK, np.int64)
        self.answer = np.zeros(size, bool)
        self.depends = np.zeros((size, 2), np.int64)
        self.segment = np.full(size, -1, np.int64)
        self.ends = {}
        self.size = 0

    def start(self, words):
        """Begin with the given words, which carry no loss."""
        self.ids[:len(words)] = [v.ID[w] for w in words]
        self.size = len(words)

    def append(self, segment):
        task, prompt, answer, depends = segment
        number = len(self.ends)
        at = self.size
        for offset, word in enumerate(prompt + answer + ["<eos>"]):
            where = at + offset
            if where >= len(self.ids):
                break
            self.ids[where] = v.ID[word]
            self.segment[where] = number
            if offset >= len(prompt):
                self.answer[where] = True
                self.task[where] = tasks.TASKS.index(task)
                index = offset - len(prompt)
                if index < len(depends):
                    self.depends[where, :len(depends[index])] = depends[index]
                else:
                    self.depends[where, 0] = 1
        self.size = min(len(self.ids), at + len(prompt) + len(answer) + 1)
        self.ends[number] = self.size
        return self.size < len(self.ids)


def local_sequence(rng, mix, whole_segments):
    """Packed context-free segments and the begin of one block of them.

    The block may begin inside a segment; with whole_segments that one carries no loss.
    """
    sequence = Sequence(BLOCK + 24)
    names, weights = zip(*mix.items())
    while sequence.append(tasks.make_segment(rng, rng.choices(names, weights)[0], None)):
        pass
    begin = rng.choice([0, 0, rng.randrange(24)])
    if whole_segments and begin > 0 and sequence.segment[begin] == sequence.segment[begin - 1]:
        sequence.answer[sequence.segment == sequence.segment[begin]] = False
    return sequence, begin


def context_sequence(rng, length, mix, easy, long_chains=False):
    """A context and three blocks: up to 31 more words of the context, then solved segments."""
    kinds = None
    if easy:
        kinds = rng.sample(tasks.CONTEXT_TASKS, 2)
        if "tell" in kinds and "where" not in kinds:
            kinds.append("where")
    context = tasks.Context(rng, length + rng.randrange(BLOCK), kinds=kinds,
                            long_chains=long_chains)
    sequence = Sequence(3 * BLOCK)
    sequence.start(context.words[length:])
    names, weights = zip(*mix.items())
    while True:
        segment = tasks.make_segment(rng, rng.choices(names, weights)[0], context)
        if segment and not sequence.append(segment):
            return [v.ID[w] for w in context.words[:length]], sequence


def draw_noise(rng, sequence, begin, tail_probability, open_tail=False):
    """Noisy ids, targets and loss weights of the block [begin, begin + 32)."""
    end = begin + BLOCK
    ids = sequence.ids[begin:end].copy()
    target = ids.copy()
    answer = sequence.answer[begin:end].copy()
    segment = sequence.segment[begin:end]
    depends = sequence.depends[begin:end].copy()
    tail, last = np.zeros(BLOCK, bool), -1
    candidates = sorted(set(segment[answer].tolist()))
    if candidates and rng.random() < tail_probability:
        stop = sequence.ends[rng.choice(candidates)] - begin
        if stop < BLOCK:
            tail[stop:] = True
            target[stop:] = v.EOS
            ids[stop:] = v.EOS
            answer[stop:] = True
            depends[stop:] = 0
            last = stop - 2  # the last word before <eos>
    uniform = np.array([rng.random() for _ in range(BLOCK)])
    if rng.random() < 0.35:
        masked = uniform < rng.random()
    else:  # the states of decoding: known up to a cut, partly known after it, then unknown
        cut = rng.randrange(BLOCK)
        masked = np.arange(BLOCK) >= cut
        stop = (cut // SUB_BLOCK + 1) * SUB_BLOCK if rng.random() < 0.5 else BLOCK
        masked[cut:stop] &= uniform[cut:stop] < rng.random() ** 0.5
    masked &= answer
    known = np.ones(BLOCK, bool)
    position = np.arange(BLOCK)
    for column in (0, 1):
        source = position - depends[:, column]
        known &= (source < 0) | ~masked[np.maximum(source, 0)] | (depends[:, column] == 0)
    weight = np.where(tail, TAIL_WEIGHT, np.where(known, 1.0, UNKNOWN_WEIGHT)) * masked
    if open_tail and tail.any() and last >= 0 and masked[last]:
        # The end is not known yet: half of the targets are random words, so that the model
        # never becomes sure of <eos> from the usual length of an answer.
        weight[tail] *= OPEN_TAIL_WEIGHT / TAIL_WEIGHT
        for place in np.nonzero(tail)[0]:
            if rng.random() < 0.5:
                target[place] = v.ID[rng.choice(v.NOUNS)]
    ids[masked] = v.MASK
    task = np.where(masked & known & ~tail, sequence.task[begin:end], NO_TASK)
    return ids, target, weight.astype(np.float32), task


def short_batch(rng, count, mix, tail_probability, open_tail=False,
                whole_segments=False):
    """Tensors (noisy, target, weight, task), each [count, 32]."""
    rows = [draw_noise(rng, *local_sequence(rng, mix, whole_segments), tail_probability, open_tail)
            for _ in range(count)]
    return tuple(torch.from_numpy(np.stack(column)) for column in zip(*rows))


def long_batch(rng, count, length, mix, easy_fraction, tail_probability, copies=2,
               open_tail=False):
    """Tensors (clean [N, length + 64], noisy, target, weight, task [N, copies * 96])."""
    clean, rows = [], []
    for _ in range(count):
        context, sequence = context_sequence(
            rng, length, mix, rng.random() < easy_fraction, long_chains=open_tail)
        clean.append(context + sequence.ids[:2 * BLOCK].tolist())
        noise = [draw_noise(rng, sequence, b * BLOCK, tail_probability, open_tail)
                 for _ in range(copies) for b in range(3)]
        rows.append([np.concatenate(column) for column in zip(*noise)])
    return (torch.tensor(clean),
            *(torch.from_numpy(np.stack(column)) for column in zip(*rows)))


if __name__ == "__main__":
    demo = random.Random(1)
    words, packed = context_sequence(demo, 128, {t: 1.0 for t in tasks.TASKS}, False)
    print(v.decode(words), "|", v.decode(packed.ids))
    for block in range(3):
        noisy, wanted, weights, _ = draw_noise(demo, packed, block * BLOCK, 0.6)
        print(v.decode(noisy), "=>", [f"{v.TOKENS[w]}:{x:.2g}" for w, x in zip(wanted, weights) if x])
