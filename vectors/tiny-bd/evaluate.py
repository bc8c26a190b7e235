# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Held-out exact match of a checkpoint under a policy, with 95 % confidence intervals.

    evaluate.py --weights tiny-bd.safetensors --policy float --seed 7001 --contexts 128
"""
import argparse
import json
import math
import time

import export
import prompts as prompt_sets
import tasks
import vocabulary as v
from decode import Decoder, Options
from policy import Policy


def interval(clusters, z=1.96):
    """95 % Wilson interval of a proportion, for hits grouped by the context they share.

    Queries of one context are not independent, so n is divided by the measured design effect
    (variance of the mean by contexts over that of independent queries), never multiplied.
    """
    n = sum(len(c) for c in clusters)
    rate = sum(map(sum, clusters)) / n
    independent = rate * (1 - rate) / n
    grouped = sum((sum(c) - rate * len(c)) ** 2 for c in clusters) / n**2
    effective = n / max(1.0, grouped / independent if independent else 1.0)
    centre = (rate * effective + z * z / 2) / (effective + z * z)
    half = z / (effective + z * z) * math.sqrt(effective * rate * (1 - rate) + z * z / 4)
    return max(0.0, centre - half), min(1.0, centre + half)


def score(decoder, words, rows, batch):
    """Hits by context, forwards of every block, and the wrong answers of one task."""
    clusters, forwards, wrong = {}, [], []
    order = sorted(range(len(rows)), key=lambda i: len(words[rows[i][0]]))
    for begin in range(0, len(order), batch):
        picked = [rows[i] for i in order[begin:begin + batch]]
        ids = [[v.ID[w] for w in words[c] + p] for c, p, _ in picked]
        answers, counts = decoder.run(ids)
        for (number, prompt, expected), answer, count in zip(picked, answers, counts):
            text = v.decode(answer)
            hit = text == " ".join(expected)
            clusters.setdefault(number, []).append(hit)
            forwards += count
            if not hit:
                wrong.append((number, " ".join(prompt), " ".join(expected), text))
    return list(clusters.values()), forwards, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, help=".safetensors or training state .pt")
    parser.add_argument("--policy", default="float", choices=Policy.NAMES)
    parser.add_argument("--tasks", nargs="*", default=tasks.TASKS, choices=tasks.TASKS)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--contexts", type=int, default=128, help="contexts, four queries each")
    parser.add_argument("--threshold", type=float, default=0.9)
    parser.add_argument("--span", default="sub-block", choices=["sub-block", "block"])
    parser.add_argument("--sub-cache", action="store_true", help="T = 8 forwards")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--show", type=int, default=0, help="wrong answers to print per task")
    parser.add_argument("--json", help="append one JSON line per task to this file")
    args = parser.parse_args()
    decoder = Decoder(export.load_any(args.weights), Policy(args.policy),
                      Options(args.threshold, args.sub_cache, args.span))
    words, queries = prompt_sets.build(args.seed, args.contexts)
    for task in args.tasks:
        began = time.time()
        clusters, forwards, wrong = score(decoder, words, queries[task], args.batch)
        hits, n = sum(map(sum, clusters)), len(queries[task])
        low, high = interval(clusters)
        mean = sum(forwards) / len(forwards)
        print(f"{task:7s} {args.policy:16s} exact match {hits / n:.3f} [{low:.3f}, {high:.3f}] "
              f"n {n} forwards/block {mean:.2f} blocks {len(forwards)} "
              f"seconds {time.time() - began:.1f}", flush=True)
        for row in wrong[:args.show]:
            print("   ", row)
        if args.json:
            with open(args.json, "a", encoding="utf-8") as out:
                print(json.dumps({
                    "task": task, "policy": args.policy, "seed": args.seed, "n": n, "hits": hits,
                    "low": round(low, 4), "high": round(high, 4), "span": args.span,
                    "threshold": args.threshold, "sub_cache": args.sub_cache,
                    "forwards_per_block": round(mean, 3), "blocks": len(forwards)}), file=out)


if __name__ == "__main__":
    main()
