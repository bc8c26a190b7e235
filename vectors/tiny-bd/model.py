# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""A Qwen2-style block-diffusion language model and its training forward passes.

Masked position i predicts token i. Shapes: N sequences, T tokens, D hidden, d head size.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

CONFIG = {
    "hidden_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 384, "vocab_size": 256,
    "rms_norm_eps": 1e-6, "rope_theta": 1000000.0, "block_size": 32, "sub_block_size": 8,
}
BLOCK = CONFIG["block_size"]


class RmsNorm(nn.Module):
    """x / sqrt(mean(x^2) + eps) * weight."""

    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + CONFIG["rms_norm_eps"]) * self.weight


def rope_tables(positions):
    """cos and sin, shape positions.shape + [d / 2], of the half-split rotary embedding."""
    half = CONFIG["head_dim"] // 2
    rate = CONFIG["rope_theta"] ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = positions.double()[..., None] * rate
    return angle.cos().float(), angle.sin().float()


def rotate(x, tables):
    """Rotate pairs (x_j, x_{j+d/2}); x is [N, heads, T, d], tables [T, d/2] or [N, 1, T, d/2]."""
    cos, sin = tables
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


class Attention(nn.Module):
    """Grouped-query attention projections with bias on q, k and v."""

    def __init__(self):
        super().__init__()
        d, hidden = CONFIG["head_dim"], CONFIG["hidden_size"]
        self.heads, self.kv_heads = CONFIG["num_attention_heads"], CONFIG["num_key_value_heads"]
        self.q_proj = nn.Linear(hidden, self.heads * d)
        self.k_proj = nn.Linear(hidden, self.kv_heads * d)
        self.v_proj = nn.Linear(hidden, self.kv_heads * d)
        self.o_proj = nn.Linear(self.heads * d, hidden, bias=False)

    def split(self, x, heads):
        return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)

    def queries(self, x, tables):
        return rotate(self.split(self.q_proj(x), self.heads), tables)

    def keys_values(self, x, tables):
        keys = rotate(self.split(self.k_proj(x), self.kv_heads), tables)
        return keys, self.split(self.v_proj(x), self.kv_heads)

    def group(self, q):
        """[N, heads, T, d] -> [N, kv_heads, group * T, d]."""
        return q.reshape(q.shape[0], self.kv_heads, -1, q.shape[-1])

    def scores(self, q, k):
        """Scaled scores [N, kv_heads, group, T, S]."""
        s = self.group(q) @ k.transpose(-1, -2)
        return s.view(s.shape[0], self.kv_heads, -1, q.shape[2], k.shape[2]) / math.sqrt(q.shape[-1])

    def mix(self, p, v):
        """Probabilities [N, kv_heads, group, T, S] times values, merged to [N, T, heads * d]."""
        n, kv, group, t, s = p.shape
        out = p.reshape(n, kv, group * t, s) @ v
        return out.view(n, kv * group, t, -1).transpose(1, 2).reshape(n, t, -1)


class Mlp(nn.Module):
    """SiLU-gated feed-forward network."""

    def __init__(self):
        super().__init__()
        hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
        self.gate_proj = nn.Linear(hidden, inner, bias=False)
        self.up_proj = nn.Linear(hidden, inner, bias=False)
        self.down_proj = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    """One pre-norm transformer layer."""

    def __init__(self):
        super().__init__()
        self.self_attn = Attention()
        self.mlp = Mlp()
        self.input_layernorm = RmsNorm(CONFIG["hidden_size"])
        self.post_attention_layernorm = RmsNorm(CONFIG["hidden_size"])

    def finish(self, x, mixed):
        x = x + self.self_attn.o_proj(mixed)
        return x + self.mlp(self.post_attention_layernorm(x))


class BlockDiffusionLm(nn.Module):
    """Embedding, layers, final norm, tied head."""

    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(CONFIG["vocab_size"], CONFIG["hidden_size"])
        self.layers = nn.ModuleList(Layer() for _ in range(CONFIG["num_hidden_layers"]))
        self.norm = RmsNorm(CONFIG["hidden_size"])

    def logits(self, x):
        return self.norm(x) @ self.embed_tokens.weight.t()

    def forward_short(self, tokens):
        """One noisy block per sequence without any prefix: tokens [N, 32] -> logits [N, 32, V]."""
        tables = rope_tables(torch.arange(tokens.shape[1]))
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            attn, h = layer.self_attn, layer.input_layernorm(x)
            k, v = attn.keys_values(h, tables)
            p = attn.scores(attn.queries(h, tables), k).softmax(-1)
            x = layer.finish(x, attn.mix(p, v))
        return self.logits(x)

    def forward_long(self, clean, noisy, copies):
        """Noisy answer blocks behind a clean prefix.

        clean [N, C]: the sequence without its last block, C a multiple of 32.
        noisy [N, copies * B * 32]: `copies` versions of the last B blocks of the sequence.
        Clean tokens attend block-causally; noisy block b sees the clean blocks before it and
        itself. Returns logits of the noisy tokens.
        """
        size = clean.shape[1]
        blocks = noisy.shape[1] // (BLOCK * copies)
        start = size - (blocks - 1) * BLOCK
        positions = start + torch.arange(blocks * BLOCK).repeat(copies)
        tables = rope_tables(torch.cat([torch.arange(size), positions]))
        noisy_tables = tuple(t[size:] for t in tables)
        block_of_key = torch.arange(size) // BLOCK
        hidden_key = torch.full((positions.numel(), size), 0.0)
        hidden_key[block_of_key[None, :] >= (positions // BLOCK)[:, None]] = -1e9
        x = self.embed_tokens(torch.cat([clean, noisy], dim=1))
        for index, layer in enumerate(self.layers):
            last = index + 1 == len(self.layers)
            attn, h = layer.self_attn, layer.input_layernorm(x)
            k, v = attn.keys_values(h, tables)
            if last:
                x, q = x[:, size:], attn.queries(h[:, size:], noisy_tables)
                mixed = self._noisy_attention(attn, q, k, v, size, hidden_key)
            else:
                q = attn.queries(h, tables)
                mixed = torch.cat(
                    [self._clean_attention(attn, q[:, :, :size], k, v, size, block_of_key),
                     self._noisy_attention(attn, q[:, :, size:], k, v, size, hidden_key)], dim=1)
            x = layer.finish(x, mixed)
        return self.logits(x)

    @staticmethod
    def _clean_attention(attn, q, k, v, size, block_of_key):
        parts = []
        for begin in range(0, size, 4 * BLOCK):
            end = min(size, begin + 4 * BLOCK)
            s = attn.scores(q[:, :, begin:end], k[:, :, :end])
            hidden = block_of_key[None, begin:end] > block_of_key[begin:end, None]
            s[..., begin:end].masked_fill_(hidden, -1e9)
            parts.append(attn.mix(s.softmax(-1), v[:, :, :end]))
        return torch.cat(parts, dim=1)

    @staticmethod
    def _noisy_attention(attn, q, k, v, size, hidden_key):
        n, heads, t, d = q.shape
        blocks = t // BLOCK
        kv = attn.kv_heads
        prefix = attn.scores(q, k[:, :, :size]) + hidden_key
        q_own = q.view(n, kv, heads // kv, blocks, BLOCK, d).transpose(2, 3)
        q_own = q_own.reshape(n, kv, blocks, -1, d)
        k_own = k[:, :, size:].reshape(n, kv, blocks, BLOCK, d)
        v_own = v[:, :, size:].reshape(n, kv, blocks, BLOCK, d)
        own = q_own @ k_own.transpose(-1, -2) / math.sqrt(d)
        own = own.view(n, kv, blocks, heads // kv, BLOCK, BLOCK).transpose(2, 3)
        own = own.reshape(n, kv, heads // kv, t, BLOCK)
        p = torch.cat([prefix, own], dim=-1).softmax(-1)
        mixed = attn.mix(p[..., :size], v[:, :, :size])
        p_own = p[..., size:].reshape(n, kv, heads // kv, blocks, BLOCK, BLOCK).transpose(2, 3)
        out = p_own.reshape(n, kv, blocks, -1, BLOCK) @ v_own
        out = out.view(n, kv, blocks, heads // kv, BLOCK, d).transpose(2, 3)
        out = out.reshape(n, heads, t, d).transpose(1, 2).reshape(n, t, -1)
        return mixed + out
