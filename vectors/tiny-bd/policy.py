# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Numeric policies simulated in float: weight formats, BF16 activations, approximations."""
import copy

import torch
from torch import nn

BASIS_TOKENS = 128  # finalised tokens that fix the low-rank basis of the prefix
GROUP = 128  # weights per scale, along the input dimension


def round_bf16(x):
    return x.bfloat16().float()


def quantise_q8(weight):
    """Round to nearest, symmetric, one BF16 scale per group of 128 inputs of an output."""
    groups = weight.reshape(weight.shape[0], -1, GROUP)
    scale = round_bf16(groups.abs().amax(-1, keepdim=True) / 127)
    if not bool((scale > 0).all()):
        raise ValueError("a weight group is entirely zero: no scale exists for it")
    return ((groups / scale).round().clamp(-127, 127) * scale).reshape(weight.shape)


class Policy:
    """Names one way to run the model.

    float      FP32 weights and activations
    bf16       BF16 weights; every operator result rounded to BF16
    q8         as bf16, the linear weights of attention and FFN in 8 bits
    ffn-frozen float; FFN outputs of a block stay those of its first forward (not in completion)
    kv-base    float; prefix keys (before RoPE) and values replaced by a rank-2 projection
    kv-base-interior  as kv-base, but first forward and completion of a block read exact values
    """

    NAMES = ["float", "bf16", "q8", "ffn-frozen", "kv-base", "kv-base-interior"]

    def __init__(self, name):
        if name not in self.NAMES:
            raise ValueError(f"unknown policy '{name}', choose one of {', '.join(self.NAMES)}")
        self.name = name
        self.rounded = name in ("bf16", "q8")
        self.ffn_frozen = name == "ffn-frozen"
        self.kv_base = name.startswith("kv-base")
        self.kv_exact_ends = name == "kv-base-interior"

    def cast(self, x):
        return round_bf16(x) if self.rounded else x

    @torch.no_grad()
    def apply_to_weights(self, model):
        model = copy.deepcopy(model)
        if self.rounded:
            for p in model.parameters():
                p.copy_(round_bf16(p))
        if self.name == "q8":
            for module in model.layers.modules():
                if isinstance(module, nn.Linear):
                    module.weight.copy_(quantise_q8(module.weight))
        return model


def low_rank_base(rows, count):
    """Rank-2 projection of rows [.., S, d] on the top eigenvectors of the first 128 rows' Gram."""
    head = rows[..., :min(count, BASIS_TOKENS), :]
    _, vectors = torch.linalg.eigh(head.transpose(-1, -2) @ head)
    basis = round_bf16(vectors[..., -2:])
    return round_bf16(rows @ basis) @ basis.transpose(-1, -2)
