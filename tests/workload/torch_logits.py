# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Logits of a small random block-diffusion model by PyTorch in double precision.

Writes weights, tokens and the logits of the last block, for float_model_test.cc:
    python3 tests/workload/torch_logits.py tests/data/workload/torch_logits.safetensors
"""
import json
import struct
import sys

import torch

HIDDEN, INNER, LAYERS, HEADS, KV_HEADS, D, VOCAB, BLOCK = 16, 40, 2, 4, 2, 8, 24, 8
THETA, EPS, BLOCKS, SEED = 10000.0, 1e-6, 3, 5


def make_weights():
    """Qwen2 names; values that FP32 holds exactly."""
    torch.manual_seed(SEED)
    weights = {}

    def put(name, *shape, mean=0.0, deviation=0.5):
        weights["model." + name] = (mean + deviation * torch.randn(*shape)).float()

    put("embed_tokens.weight", VOCAB, HIDDEN)
    put("norm.weight", HIDDEN, mean=1.0, deviation=0.1)
    for i in range(LAYERS):
        layer = f"layers.{i}."
        put(layer + "input_layernorm.weight", HIDDEN, mean=1.0, deviation=0.1)
        put(layer + "post_attention_layernorm.weight", HIDDEN, mean=1.0, deviation=0.1)
        for name, rows in (("q", HEADS * D), ("k", KV_HEADS * D), ("v", KV_HEADS * D)):
            put(layer + f"self_attn.{name}_proj.weight", rows, HIDDEN, deviation=0.4)
            put(layer + f"self_attn.{name}_proj.bias", rows, deviation=0.2)
        put(layer + "self_attn.o_proj.weight", HIDDEN, HEADS * D, deviation=0.3)
        put(layer + "mlp.gate_proj.weight", INNER, HIDDEN, deviation=0.4)
        put(layer + "mlp.up_proj.weight", INNER, HIDDEN, deviation=0.4)
        put(layer + "mlp.down_proj.weight", HIDDEN, INNER, deviation=0.3)
    return weights


def norm(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPS) * weight


def rotate(x):
    """Half-split rotary embedding of [heads, T, D] by position."""
    half = D // 2
    angle = torch.arange(x.shape[1]).double()[:, None] * THETA ** (
        -torch.arange(half).double() / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


def logits(weights, tokens):
    """All positions at once; a token sees its own block and all blocks before."""
    w = {name.removeprefix("model."): value.double() for name, value in weights.items()}
    block = torch.arange(len(tokens)) // BLOCK
    hidden_from = block[None, :] > block[:, None]
    x = w["embed_tokens.weight"][tokens]
    for i in range(LAYERS):
        attention, mlp = f"layers.{i}.self_attn.", f"layers.{i}.mlp."
        h = norm(x, w[f"layers.{i}.input_layernorm.weight"])

        def project(name, heads):
            y = h @ w[attention + name + "_proj.weight"].T + w[attention + name + "_proj.bias"]
            return y.view(len(tokens), heads, D).transpose(0, 1)

        q, k, v = rotate(project("q", HEADS)), rotate(project("k", KV_HEADS)), project("v", KV_HEADS)
        k, v = (t.repeat_interleave(HEADS // KV_HEADS, 0) for t in (k, v))
        scores = (q @ k.transpose(1, 2) / D ** 0.5).masked_fill(hidden_from, -torch.inf)
        mixed = (scores.softmax(-1) @ v).transpose(0, 1).reshape(len(tokens), -1)
        x = x + mixed @ w[attention + "o_proj.weight"].T
        h = norm(x, w[f"layers.{i}.post_attention_layernorm.weight"])
        gate, up = (h @ w[mlp + name + "_proj.weight"].T for name in ("gate", "up"))
        x = x + (torch.nn.functional.silu(gate) * up) @ w[mlp + "down_proj.weight"].T
    return norm(x, w["norm.weight"]) @ w["embed_tokens.weight"].T


def save(path, tensors):
    header, data = {}, b""
    for name, tensor in sorted(tensors.items()):
        raw = tensor.contiguous().numpy().tobytes()
        dtype = {torch.float32: "F32", torch.int32: "I32"}[tensor.dtype]
        header[name] = {"dtype": dtype, "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)


def main():
    weights = make_weights()
    tokens = torch.randint(0, VOCAB, (BLOCKS * BLOCK,))
    save(sys.argv[1], {**weights, "tokens": tokens.int(),
                       "logits": logits(weights, tokens)[-BLOCK:].float()})


if __name__ == "__main__":
    main()
