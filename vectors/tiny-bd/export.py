# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Reads and writes the model as safetensors (BF16 or F32), and writes config and vocabulary.

    export.py --state build/state.pt --out vectors/tiny-bd
"""
import argparse
import json
import os
import struct

import numpy as np
import torch

import vocabulary as v
from model import CONFIG, BlockDiffusionLm


def tensor_names(model):
    """State-dict entries under their published names (prefix "model.")."""
    return {f"model.{name}": tensor for name, tensor in model.state_dict().items()}


def save(model, path, metadata):
    """F32 safetensors: 8-byte header length, JSON header, little-endian data."""
    header, data, at = {"__metadata__": metadata}, [], 0
    for name, tensor in sorted(tensor_names(model).items()):
        raw = tensor.detach().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + b"".join(data))


def load(path):
    """A model from an F32 safetensors file written by save()."""
    raw = open(path, "rb").read()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            raise ValueError(f"{path}: tensor {name} is {entry['dtype']}, only F32 is read")
        begin, end = (8 + size + o for o in entry["data_offsets"])
        array = np.frombuffer(raw[begin:end], "<f4").reshape(entry["shape"])
        tensors[name.removeprefix("model.")] = torch.from_numpy(array.copy())
    model = BlockDiffusionLm()
    model.load_state_dict(tensors)
    return model


def load_any(path):
    """A model from a safetensors file or a training state."""
    if path.endswith(".safetensors"):
        return load(path)
    model = BlockDiffusionLm()
    model.load_state_dict(torch.load(path)["model"])
    return model


def config():
    """Qwen2-style keys plus those of block diffusion."""
    return {
        "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu",
        **CONFIG, "tie_word_embeddings": True, "attention_bias": True,
        "max_position_embeddings": 672, "torch_dtype": "float32",
        "pad_token_id": v.PAD, "mask_token_id": v.MASK, "eos_token_id": v.EOS, "shift": 0,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    state = torch.load(args.state)
    model = load_any(args.state)
    save(model, os.path.join(args.out, "tiny-bd.safetensors"), {"steps": str(state["step"])})
    with open(os.path.join(args.out, "config.json"), "w", encoding="utf-8") as out:
        json.dump(config(), out, indent=2)
        out.write("\n")
    with open(os.path.join(args.out, "vocab.json"), "w", encoding="utf-8") as out:
        json.dump(v.TOKENS, out)
        out.write("\n")


if __name__ == "__main__":
    main()
