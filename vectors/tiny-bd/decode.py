# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""The reference decode loop: prefill, threshold unmasking, block cache, completion pass.

Works on N prompts at once; each prompt has its own progress, so results do not depend on N.
A forward updates T = 32 positions of a block, or T = 8 (one sub-block) with the block cache.
"""
import torch
import torch.nn.functional as F

import vocabulary as v
from model import CONFIG, rope_tables, rotate
from policy import Policy, low_rank_base

BLOCK, SUB = CONFIG["block_size"], CONFIG["sub_block_size"]
HIDDEN = -1e9


class Options:
    """threshold; sub_cache: T = 8 forwards; span: unmask within the "sub-block" or the "block"."""

    def __init__(self, threshold=0.9, sub_cache=False, span="sub-block", max_blocks=3):
        self.threshold, self.sub_cache = threshold, sub_cache
        self.span, self.max_blocks = span, max_blocks


class Decoder:
    """Decodes a batch of prompts (lists of ids) under a policy."""

    def __init__(self, model, policy=None, options=None):
        self.policy, self.options = policy or Policy("float"), options or Options()
        self.model = self.policy.apply_to_weights(model).eval()

    @torch.no_grad()
    def run(self, prompts):
        """Returns (answers without <eos>, forwards of each block without its completion pass)."""
        n = len(prompts)
        self._prefill(prompts)
        answers, done = [[] for _ in prompts], [False] * n
        forwards = [[] for _ in prompts]
        for number in range(self.options.max_blocks):
            ids = torch.full((n, BLOCK), v.MASK)
            given = [p[len(p) // BLOCK * BLOCK:] if number == 0 else [] for p in prompts]
            for i, tail in enumerate(given):
                ids[i, :len(tail)] = torch.tensor(tail, dtype=torch.long)
                if done[i]:
                    ids[i] = v.EOS
            counts = self._denoise(ids)
            self._forward(ids, torch.arange(n), 0, "completion")
            self._commit()
            for i, tail in enumerate(given):
                if not done[i]:
                    forwards[i].append(int(counts[i]))
                    answers[i] += ids[i, len(tail):].tolist()
                    done[i] = v.EOS in answers[i]
            if all(done):
                break
        return [self._cut(a) for a in answers], forwards

    @staticmethod
    def _cut(answer):
        return answer[:answer.index(v.EOS)] if v.EOS in answer else answer

    def _prefill(self, prompts):
        full = [len(p) // BLOCK * BLOCK for p in prompts]
        self.length = torch.tensor(full)
        size = max(full)
        room = size + BLOCK * self.options.max_blocks
        n, kv, d = len(prompts), CONFIG["num_key_value_heads"], CONFIG["head_dim"]
        layers = len(self.model.layers)
        self.keys = torch.zeros(layers, n, kv, room, d)
        self.values = torch.zeros(layers, n, kv, room, d)
        heads = [tuple(p[:f]) for p, f in zip(prompts, full)]
        unique = sorted(set(heads))  # prompts of one context share their prefill
        if size:
            keys, values = self._prefill_forward(unique, size)
            rows = torch.tensor([unique.index(h) for h in heads])
            self.keys[:, :, :, :size], self.values[:, :, :, :size] = keys[:, rows], values[:, rows]
        self._new_block()

    def _prefill_forward(self, rows, size):
        """Block-causal pass; keys (before RoPE) and values [layers, rows, kv_heads, size, d]."""
        tokens = torch.full((len(rows), size), v.PAD)
        for i, row in enumerate(rows):
            tokens[i, :len(row)] = torch.tensor(row, dtype=torch.long)
        block = torch.arange(size) // BLOCK
        mask = torch.where(block[None, :] > block[:, None], HIDDEN, 0.0)
        tables, cast = rope_tables(torch.arange(size)), self.policy.cast
        x, kept = cast(self.model.embed_tokens(tokens)), []
        for layer in self.model.layers:
            attn = layer.self_attn
            h = cast(layer.input_layernorm(x))
            k, value = self._plain_keys_values(attn, h)
            kept.append((k, value))
            q = cast(attn.queries(h, tables))
            p = cast((attn.scores(q, cast(rotate(k, tables))) + mask).softmax(-1))
            x = cast(x + cast(attn.o_proj(cast(attn.mix(p, value)))))
            x = cast(x + self._ffn(layer, x))
        return tuple(torch.stack(part) for part in zip(*kept))

    def _plain_keys_values(self, attn, h):
        """Keys before RoPE, and values."""
        cast = self.policy.cast
        return (cast(attn.split(attn.k_proj(h), attn.kv_heads)),
                cast(attn.split(attn.v_proj(h), attn.kv_heads)))

    def _ffn(self, layer, x):
        cast, mlp = self.policy.cast, layer.mlp
        h = cast(layer.post_attention_layernorm(x))
        inner = cast(F.silu(cast(mlp.gate_proj(h))) * cast(mlp.up_proj(h)))
        return cast(mlp.down_proj(inner))

    def _new_block(self):
        """Prepare what every forward of the next block reads."""
        n, size = self.keys.shape[1], int(self.length.max())
        position = torch.arange(size)
        self.prefix_mask = torch.where(position[None] >= self.length[:, None], HIDDEN, 0.0)
        self.prefix_mask = self.prefix_mask[:, None, None, None]
        tables = rope_tables(position)
        keys, values = self.keys[:, :, :, :size], self.values[:, :, :, :size]
        self.prefix = {"exact": (self.policy.cast(rotate(keys, tables)), values)}
        self.gathered = None, None
        if self.policy.kv_base:
            keys, values = keys.clone(), values.clone()
            for i, count in enumerate(self.length.tolist()):
                keys[:, i] = low_rank_base(keys[:, i], count)
                values[:, i] = low_rank_base(values[:, i], count)
            self.prefix["base"] = rotate(keys, tables), values
        layers, d = self.keys.shape[0], self.keys.shape[-1]
        self.block_keys = torch.zeros(layers, n, self.keys.shape[2], BLOCK, d)
        self.block_values = torch.zeros_like(self.block_keys)
        self.frozen_ffn = torch.zeros(layers, n, BLOCK, CONFIG["hidden_size"])

    def _prefix_of(self, rows, kind):
        """Keys, values and mask of the given rows, kept while the same rows are asked for."""
        wanted = (tuple(rows.tolist()), kind)
        if self.gathered[0] != wanted:
            keys, values = self.prefix[kind]
            self.gathered = wanted, (keys[:, rows], values[:, rows], self.prefix_mask[rows])
        return self.gathered[1]

    def _denoise(self, ids):
        """Fill the masks of ids in place; returns the number of forwards of each row."""
        counts = torch.zeros(len(ids), dtype=torch.long)
        whole = self.options.span == "block"
        for sub in range(1 if whole else BLOCK // SUB):
            begin, end = (0, BLOCK) if whole else (sub * SUB, (sub + 1) * SUB)
            while True:
                rows = (ids[:, begin:end] == v.MASK).any(1).nonzero()[:, 0]
                if not len(rows):
                    break
                wide = torch.ones(len(rows), dtype=torch.bool)
                if self.options.sub_cache and not whole:
                    wide = (counts[rows] == 0) | (ids[rows, begin] == v.MASK)
                logits = torch.zeros(len(rows), end - begin, CONFIG["vocab_size"])
                first = counts[rows] == 0
                for picked, phase in ((wide & first, "entry"), (wide & ~first, "interior")):
                    if picked.any():
                        full = self._forward(ids, rows[picked], 0, phase)
                        logits[picked] = full[:, begin:end]
                if (~wide).any():
                    logits[~wide] = self._forward(ids, rows[~wide], begin, "interior", SUB)
                counts[rows] += 1
                self._unmask(ids, rows, begin, end, logits)
        return counts

    def _unmask(self, ids, rows, begin, end, logits):
        logits[..., v.MASK] = HIDDEN  # never predicted: a mask that stays one would not end
        best, word = logits.softmax(-1).max(-1)
        best = best.masked_fill(ids[rows, begin:end] != v.MASK, -1.0)
        chosen = best > self.options.threshold
        chosen[torch.arange(len(rows)), best.argmax(-1)] = True
        ids[rows, begin:end] = torch.where(chosen, word, ids[rows, begin:end])

    def _forward(self, ids, rows, begin, phase, count=BLOCK):
        """Logits [rows, count, V] of positions [begin, begin + count) of the active block."""
        cast, policy = self.policy.cast, self.policy
        span = slice(begin, begin + count)
        exact = not policy.kv_base or (policy.kv_exact_ends and phase != "interior")
        prefix_keys, prefix_values, prefix_mask = self._prefix_of(rows, "exact" if exact else "base")
        positions = self.length[rows][:, None] + torch.arange(BLOCK)
        tables = tuple(t[:, None] for t in rope_tables(positions))
        span_tables = tuple(t[:, :, span] for t in tables)
        x = cast(self.model.embed_tokens(ids[rows][:, span]))
        for index, layer in enumerate(self.model.layers):
            attn = layer.self_attn
            h = cast(layer.input_layernorm(x))
            k, value = self._plain_keys_values(attn, h)
            self.block_keys[index, rows, :, span] = k
            self.block_values[index, rows, :, span] = value
            own_keys = cast(rotate(self.block_keys[index, rows], tables))
            q = cast(attn.queries(h, span_tables))
            s = torch.cat([attn.scores(q, prefix_keys[index]) + prefix_mask,
                           attn.scores(q, own_keys)], dim=-1)
            p = cast(s.softmax(-1))
            mixed = attn.mix(p[..., :-BLOCK], prefix_values[index])
            mixed = mixed + attn.mix(p[..., -BLOCK:], self.block_values[index, rows])
            x = cast(x + cast(attn.o_proj(cast(mixed))))
            if policy.ffn_frozen and phase == "interior":
                out = self.frozen_ffn[index, rows][:, span]
            else:
                out = self._ffn(layer, x)
                if phase == "entry":
                    self.frozen_ffn[index, rows] = out
            x = cast(x + out)
        return cast(cast(self.model.norm(x)) @ self.model.embed_tokens.weight.t())

    def _commit(self):
        """Append the K and V rows of the completion pass to the prefix."""
        for i, at in enumerate(self.length.tolist()):
            self.keys[:, i, :, at:at + BLOCK] = self.block_keys[:, i]
            self.values[:, i, :, at:at + BLOCK] = self.block_values[:, i]
        self.length = self.length + BLOCK
        self._new_block()
