# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Trains the tiny block-diffusion model; resumable, one stage of the schedule per call.

    train.py --stage base --state build/state.pt --log train.log
"""
import argparse
import json
import os
import time

import torch

import init
import tasks
from model import BlockDiffusionLm
from muon import Muon
from shards import Trainer

SCHEDULE = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "schedule.json")))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", required=True, choices=sorted(SCHEDULE["stages"]))
    parser.add_argument("--state", required=True, help="checkpoint, read if present, then written")
    parser.add_argument("--log", required=True)
    parser.add_argument("--quick", action="store_true", help="three small steps, to see that it runs")
    parser.add_argument("--seed", type=int, default=SCHEDULE["seed"])
    return parser.parse_args()


def make_optimisers(model):
    matrices = [p for n, p in model.named_parameters() if p.dim() == 2 and "embed" not in n]
    biases = [p for n, p in model.named_parameters() if n.endswith("bias")]
    others = [p for n, p in model.named_parameters()
              if "embed" in n or "norm" in n]
    muon = Muon(matrices, lr=0.01)
    adam = torch.optim.AdamW([{"params": others, "factor": 1.0}, {"params": biases, "factor": 3.0}],
                             lr=3e-3, betas=(0.9, 0.98), weight_decay=0.0)
    return muon, adam


def rate_factor(step, stage):
    """Warm-up, constant, then linear decay to 2 %."""
    warm = min(1.0, (step - stage["begin"] + 1) / stage["warm_up"])
    left = (stage["end"] - step) / max(1, stage["end"] - stage["decay_from"])
    return warm * (min(1.0, max(0.02, left)) if step >= stage["decay_from"] else 1.0)


def main():
    args = arguments()
    stage = SCHEDULE["stages"][args.stage]
    model = BlockDiffusionLm()
    init.initialise(model, args.seed)
    optimisers = make_optimisers(model)
    step, totals = 0, {"seconds": 0.0, "tokens": 0, "loss_tokens": 0}
    if os.path.exists(args.state):
        state = torch.load(args.state)
        model.load_state_dict(state["model"])
        for optimiser, saved in zip(optimisers, state["optimisers"]):
            optimiser.load_state_dict(saved)
        step, totals = state["step"], state["totals"]
    trainer = Trainer(model, args.seed)
    if args.quick:
        stage = dict(stage, begin=step, end=step + 3, stop=step + 3, counts=[[0, 4, 2]])
    log = open(args.log, "a", encoding="utf-8")
    last = stage.get("stop", stage["end"])  # a stage may hand over before its decay ends
    record = torch.zeros(2, len(tasks.TASKS) + 1)
    began = time.time()
    while step < last:
        factor = rate_factor(step, stage)
        optimisers[0].param_groups[0]["lr"] = stage["muon_lr"] * factor
        for group in optimisers[1].param_groups:
            group["lr"] = stage["adam_lr"] * factor * group["factor"]
        longest = max(c for at, c in stage["context"] if step >= at)
        _, short_count, long_count = max(c for c in stage["counts"] if step >= c[0])
        moment = dict(stage, easy=0.5 * max(0.0, 1 - step / max(1, stage["easy_until"])),
                      short_count=short_count, long_count=long_count)
        tokens, loss_tokens, counted = trainer.gradients_of(step, moment, longest)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        for optimiser in optimisers:
            optimiser.step()
        record += counted
        totals["tokens"] += tokens
        totals["loss_tokens"] += loss_tokens
        step += 1
        if step % 25 == 0 or step == last:
            now = time.time()
            totals["seconds"] += now - began
            began = now
            nats = record[0] / record[1].clamp(min=1)
            text = " ".join(f"{t} {x:.3f}" for t, x in zip(tasks.TASKS + ["rest"], nats.tolist()))
            print(f"step {step} ctx {longest} lr {factor:.3f} min {totals['seconds'] / 60:.1f} "
                  f"tokens {totals['tokens'] / 1e6:.2f}M | {text}", file=log, flush=True)
            record.zero_()
        if step % 100 == 0 or step == last:
            torch.save({"model": model.state_dict(), "step": step, "totals": totals,
                        "optimisers": [o.state_dict() for o in optimisers]}, args.state + ".new")
            os.replace(args.state + ".new", args.state)
    trainer.close()


if __name__ == "__main__":
    main()
