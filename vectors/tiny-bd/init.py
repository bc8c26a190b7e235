# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Initialisation that starts the model with an induction circuit (every weight is trained on).

Layer 0 heads attend to fixed offsets and write the token found there into its own subspace;
layer 1 matches those subspaces ("who else came after my predecessor?") and copies the token.
Digits start on circles and a few FFN neurons start as the products that add two of them mod ten.
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
TURNS = [(1, 1.0), (3, 0.7)]  # circles of the digits: turns per ten digits, radius
D, HEAD = CONFIG["hidden_size"], CONFIG["head_dim"]
HALF = HEAD // 2


def orthonormal(columns, generator, first=None):
    """A random [D, columns] matrix with orthonormal columns, the first ones given."""
    start = torch.randn(D, columns, generator=generator)
    if first is not None:
        start[:, :first.shape[1]] = first
    q, r = torch.linalg.qr(start)
    return q * r.diagonal().sign()


@torch.no_grad()
def initialise(model, seed):
    g = torch.Generator().manual_seed(seed)
    for name, p in model.named_parameters():
        if p.dim() == 2:
            p.copy_(torch.randn(p.shape, generator=g) / math.sqrt(p.shape[1]))
        elif name.endswith("bias"):
            p.zero_()
    model.embed_tokens.weight.copy_(torch.randn(CONFIG["vocab_size"], D, generator=g) * 0.1)
    axes = orthonormal(2 * len(TURNS), g)
    _init_digits(model.embed_tokens.weight, axes)
    for layer in model.layers:
        layer.mlp.down_proj.weight.mul_(0.1)
    basis = orthonormal(D, g)
    places = [basis[:, :HEAD], basis[:, HEAD:], orthonormal(HEAD, g), orthonormal(HEAD, g)]
    _init_offset_heads(model.layers[0].self_attn, places, axes, g)
    _init_match_heads(model, model.layers[1].self_attn, places[0], places[1], axes, g)
    previous, before_previous, far, near = (place[:, :axes.shape[1]] for place in places)
    _init_products(model.layers[0].mlp, 0, previous * 0.3, far * 0.6, axes * 0.2)
    _init_products(model.layers[0].mlp, 1, near * 0.6, far * 0.6, orthonormal(4, g) * 0.1)
    _init_products(model.layers[1].mlp, 0, before_previous * 0.7, axes * 0.5, axes * 0.25)
    group = CONFIG["num_attention_heads"] // CONFIG["num_key_value_heads"]
    for layer in model.layers[2:]:
        attn = layer.self_attn
        for head in range(CONFIG["num_attention_heads"]):
            kv = head // group
            attn.q_proj.weight[head * HEAD:(head + 1) * HEAD] = (
                attn.k_proj.weight[kv * HEAD:(kv + 1) * HEAD]
                + 0.02 * torch.randn(HEAD, D, generator=g))
        attn.o_proj.weight.mul_(0.3)


def _init_digits(embedding, axes):
    """Digits lie on circles, so that products of features can add them modulo ten."""
    for digit in range(10):
        angles = [2 * math.pi * turns * digit / 10 for turns, _ in TURNS]
        circle = [size * part(angle) for angle, (_, size) in zip(angles, TURNS)
                  for part in (math.cos, math.sin)]
        embedding[v.ID[str(digit)]].mul_(0.5).add_(axes @ torch.tensor(circle), alpha=0.74)


def _init_products(mlp, slot, left, right, out):
    """Neurons for cos(a + b) and sin(a + b) of every circle, from the circles of two digits.

    A gated pair of opposite signs is an exact product: silu(x) y + silu(-x) (-y) = x y.
    """
    neuron = slot * 8 * len(TURNS)
    for circle in range(len(TURNS)):
        cos, sin = 2 * circle, 2 * circle + 1
        for a, b, to, sign in ((cos, cos, cos, 1), (sin, sin, cos, -1),
                               (sin, cos, sin, 1), (cos, sin, sin, 1)):
            for half in (1, -1):
                mlp.gate_proj.weight[neuron] = half * left[:, a]
                mlp.up_proj.weight[neuron] = half * right[:, b]
                mlp.down_proj.weight[:, neuron] = sign * out[:, to]
                neuron += 1


def _init_offset_heads(attn, places, axes, g):
    attn.q_proj.weight.mul_(0.2)
    attn.k_proj.weight.mul_(0.2)
    attn.v_proj.weight[:HEAD] = orthonormal(HEAD, g, axes).t()
    attn.v_proj.weight[HEAD:] = orthonormal(HEAD, g, axes).t()
    for head, place in enumerate(places):
        attn.o_proj.weight[:, head * HEAD:(head + 1) * HEAD] = (0.2 if head < 2 else 0.1) * place
    rate = CONFIG["rope_theta"] ** (-torch.arange(FAST_PAIRS) / HALF)
    for kv in range(CONFIG["num_key_value_heads"]):
        attn.k_proj.bias[kv * HEAD:kv * HEAD + FAST_PAIRS] = BIAS_AMPLITUDE
    for head, offset in enumerate(OFFSETS):
        base = head * HEAD
        attn.q_proj.bias[base:base + FAST_PAIRS] = BIAS_AMPLITUDE * torch.cos(offset * rate)
        attn.q_proj.bias[base + HALF:base + HALF + FAST_PAIRS] = (
            -BIAS_AMPLITUDE * torch.sin(offset * rate))


def _init_match_heads(model, attn, previous, before_previous, axes, g):
    slow = torch.tensor([j + half for half in (0, HALF) for j in SLOW_PAIRS])
    gain = 1.3 * math.sqrt(HEAD / len(slow))
    mask_direction = model.embed_tokens.weight[v.MASK]
    mask_direction = mask_direction / mask_direction.norm()
    copy = orthonormal(HEAD, g, axes).t()
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
