# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Initialisation that starts the model with an induction circuit (every weight is trained on).

Layer 0 heads attend to fixed offsets and write the token found there into its own subspace;
layer 1 matches those subspaces ("who else came after my predecessor?") and copies the token.
Digit embeddings start on circles.
"""
import math

import torch

import vocabulary as v
from model import CONFIG
from tasks import SUM_TERMS

# Layer 0: backward distance of the token a head looks at. The last two reach the operands of
# sum (its term, SUM_TERMS + 1 back) and add (its digits, 9 and 5 back).
OFFSETS = [1, 2, SUM_TERMS + 1, 5]
FAST_PAIRS = 9
SLOW_PAIRS = range(12, 31)
BIAS_AMPLITUDE = 5.5
D, HEAD = CONFIG["hidden_size"], CONFIG["head_dim"]
HALF = HEAD // 2


def orthonormal(rows, columns, generator):
    """A random matrix with orthonormal rows (rows <= columns) or columns."""
    q, _ = torch.linalg.qr(torch.randn(max(rows, columns), min(rows, columns), generator=generator))
    return q.t() if rows < columns else q


@torch.no_grad()
def initialise(model, seed):
    g = torch.Generator().manual_seed(seed)
    for name, p in model.named_parameters():
        if p.dim() == 2:
            p.copy_(torch.randn(p.shape, generator=g) / math.sqrt(p.shape[1]))
        elif name.endswith("bias"):
            p.zero_()
    model.embed_tokens.weight.copy_(torch.randn(CONFIG["vocab_size"], D, generator=g) * 0.1)
    _init_digits(model.embed_tokens.weight, g)
    for layer in model.layers:
        layer.mlp.down_proj.weight.mul_(0.1)
    basis = orthonormal(D, D, g)
    previous, before_previous = basis[:, :HEAD], basis[:, HEAD:]
    _init_offset_heads(model.layers[0].self_attn, previous, before_previous, g)
    _init_match_heads(model, model.layers[1].self_attn, previous, before_previous, g)
    group = CONFIG["num_attention_heads"] // CONFIG["num_key_value_heads"]
    for layer in model.layers[2:]:
        attn = layer.self_attn
        for head in range(CONFIG["num_attention_heads"]):
            kv = head // group
            attn.q_proj.weight[head * HEAD:(head + 1) * HEAD] = (
                attn.k_proj.weight[kv * HEAD:(kv + 1) * HEAD]
                + 0.02 * torch.randn(HEAD, D, generator=g))
        attn.o_proj.weight.mul_(0.3)


def _init_digits(embedding, g):
    """Digits lie on circles, so that products of features can add them modulo ten."""
    axes = orthonormal(D, 4, g)
    for digit in range(10):
        turn = 2 * math.pi * digit / 10
        circle = torch.tensor([math.cos(turn), math.sin(turn),
                               0.7 * math.cos(3 * turn), 0.7 * math.sin(3 * turn)])
        row = embedding[v.ID[str(digit)]]
        row.mul_(0.5).add_(axes @ circle, alpha=0.74)


def _init_offset_heads(attn, previous, before_previous, g):
    attn.q_proj.weight.mul_(0.2)
    attn.k_proj.weight.mul_(0.2)
    attn.v_proj.weight[HEAD:] = orthonormal(HEAD, D, g)
    for head in (2, 3):
        attn.o_proj.weight[:, head * HEAD:(head + 1) * HEAD] = 0.1 * orthonormal(D, HEAD, g)
    rate = CONFIG["rope_theta"] ** (-torch.arange(FAST_PAIRS) / HALF)
    for kv in range(CONFIG["num_key_value_heads"]):
        attn.k_proj.bias[kv * HEAD:kv * HEAD + FAST_PAIRS] = BIAS_AMPLITUDE
    for head, offset in enumerate(OFFSETS):
        base = head * HEAD
        attn.q_proj.bias[base:base + FAST_PAIRS] = BIAS_AMPLITUDE * torch.cos(offset * rate)
        attn.q_proj.bias[base + HALF:base + HALF + FAST_PAIRS] = (
            -BIAS_AMPLITUDE * torch.sin(offset * rate))
    attn.v_proj.weight[:HEAD] = orthonormal(HEAD, D, g)
    attn.o_proj.weight[:, :HEAD] = 0.2 * previous
    attn.o_proj.weight[:, HEAD:2 * HEAD] = 0.2 * before_previous


def _init_match_heads(model, attn, previous, before_previous, g):
    slow = torch.tensor([j + half for half in (0, HALF) for j in SLOW_PAIRS])
    gain = 1.3 * math.sqrt(HEAD / len(slow))
    mask_direction = model.embed_tokens.weight[v.MASK]
    mask_direction = mask_direction / mask_direction.norm()
    copy = orthonormal(HEAD, D, g)
    attn.q_proj.weight.mul_(0.03)
    attn.k_proj.weight.mul_(0.03)
    for kv, subspace in enumerate([previous, before_previous]):
        attn.k_proj.weight[kv * HEAD + slow] += gain * subspace.t()[slow]
        attn.k_proj.weight[kv * HEAD + HALF - 1] += 4.0 * mask_direction
        attn.v_proj.weight[kv * HEAD:(kv + 1) * HEAD] = copy
        for head in (2 * kv, 2 * kv + 1):
            attn.q_proj.weight[head * HEAD + slow] += gain * subspace.t()[slow]
            attn.q_proj.bias[head * HEAD + HALF - 1] = -4.0
            attn.o_proj.weight[:, head * HEAD:(head + 1) * HEAD] = 0.35 * copy.t()
