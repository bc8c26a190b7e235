# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Builds and reads the committed evaluation prompts (eval/contexts.jsonl, eval/<task>.jsonl).

One context serves several queries. A full prompt is context + query; its answer ends at <eos>.
    prompts.py --seed 7001 --contexts 128 --out eval
"""
import argparse
import json
import os
import random

import tasks
import vocabulary as v

QUERIES = 4  # queries per context and task
LENGTHS = [160, 256, 352, 480]  # words of context, plus 0..31 more
FOLLOW_NODES, TOUR_NODES = 12, 12
FOLLOW_LEAST, TOUR_LEAST = 8, 7  # least answer steps of an evaluated query


class EvalContext(tasks.Context):
    """A context that can answer every kind of query, whatever its length."""

    def __init__(self, rng, length):
        while True:
            super().__init__(rng, length)
            hosts = [n for n in self.things if n in self.places]
            if len(self.facts) >= QUERIES and len(self.places) >= QUERIES and len(hosts) >= 2:
                if self.links and self.tours:
                    return

    def _fill(self, rng, length, max_chain, kinds):
        self._fixed = FOLLOW_NODES * 3 + TOUR_NODES * 4
        super()._fill(rng, length - self._fixed, max_chain, kinds)

    def _arrange(self, rng, groups, left):
        used = {n for chain in self.links for n in chain} | set(self.facts)
        used |= {n for chain in self.tours for n, _ in chain}
        fresh = [n for n in v.NOUNS if n not in used]
        if len(fresh) < FOLLOW_NODES + TOUR_NODES:
            self.links = []
            return
        fresh = rng.sample(fresh, FOLLOW_NODES + TOUR_NODES)
        link, nodes = fresh[:FOLLOW_NODES], fresh[FOLLOW_NODES:]
        digits = [rng.choice(v.DIGITS) for _ in nodes]
        groups["noun"] += [[a, b, "."] for a, b in zip(link, link[1:] + ["end"])]
        groups["noun"] += [[a, d, b, "."]
                           for a, d, b in zip(nodes, digits, nodes[1:] + ["end"])]
        self.links, self.tours = [link], [list(zip(nodes, digits))]
        super()._arrange(rng, groups, left)


def query(rng, task, context, index):
    """The index-th query of a task about a context."""
    if task == "follow":
        chain = context.links[0][index:]
        if len(chain) < FOLLOW_LEAST:
            raise ValueError("the evaluated chain of links is too short")
        return ["follow", chain[0]], chain[1:] + ["end"]
    if task == "tour":
        chain, total, answer = context.tours[0][index:], 0, []
        if len(chain) < TOUR_LEAST:
            raise ValueError("the evaluated chain of weighted links is too short")
        for place, (_, digit) in enumerate(chain):
            total = (total + int(digit)) % 10
            answer += [str(total), chain[place + 1][0] if place + 1 < len(chain) else "end"]
        return ["tour", chain[0][0]], answer
    _, prompt, answer, _ = tasks.make_segment(rng, task, context, train=False)
    return prompt, answer


def build(seed, contexts):
    """Contexts (lists of words) and, per task, (context number, prompt, answer)."""
    rng = random.Random(f"eval {seed}")
    words, queries = [], {task: [] for task in tasks.TASKS}
    for number in range(contexts):
        context = EvalContext(rng, LENGTHS[number % len(LENGTHS)] + rng.randrange(32))
        words.append(context.words)
        for task in tasks.TASKS:
            seen = set()
            for index in range(QUERIES):
                for _ in range(20):  # prefer different queries
                    prompt, answer = query(rng, task, context, index)
                    if " ".join(prompt) not in seen:
                        break
                seen.add(" ".join(prompt))
                queries[task].append((number, prompt, answer))
    return words, queries


def write(words, queries, folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "contexts.jsonl"), "w", encoding="utf-8") as out:
        for number, context in enumerate(words):
            print(json.dumps({"context": number, "words": " ".join(context)}), file=out)
    for task, rows in queries.items():
        with open(os.path.join(folder, f"{task}.jsonl"), "w", encoding="utf-8") as out:
            for number, prompt, answer in rows:
                print(json.dumps({"context": number, "prompt": " ".join(prompt),
                                  "answer": " ".join(answer)}), file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--contexts", type=int, default=128)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    write(*build(args.seed, args.contexts), args.out)


if __name__ == "__main__":
    main()
