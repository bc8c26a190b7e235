# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""The RTL as data: files of rtl/rtl.f, modules, named configurations. Shared by lint and synthesis."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"


def source_files():
    """The source files of rtl/rtl.f in order, relative to the project."""
    files = []
    for line in (RTL / "rtl.f").read_text().splitlines():
        line = re.sub(r"(//|#).*", "", line).strip()
        if line and not line.startswith("+"):
            files.append(str((RTL / line).relative_to(ROOT)))
    return files


def technology_files(technology):
    """As source_files, with the cells of rtl/tech/generic replaced by those of rtl/tech/{technology}."""
    primitives = f"rtl/tech/{technology}/primitives.sv"
    cells = [primitives] if (ROOT / primitives).exists() else []
    return cells + [name.replace("/generic/", f"/{technology}/") for name in source_files()]


def needed_files(files, texts):
    """Those of `files`, in their order, that the SystemVerilog `texts` need: named there, or by a needed one."""
    content = {name: (ROOT / name).read_text() for name in files}
    declared = {
        unit: name for name in files for unit in re.findall(r"^(?:module|package) +(\w+)", content[name], re.M)
    }
    needed, texts = set(), list(texts)
    while texts:
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", texts.pop(), flags=re.S)
        found = {declared[word] for word in re.findall(r"\w+", text) if word in declared} - needed
        needed |= found
        texts += [content[name] for name in sorted(found)]
    return [name for name in files if name in needed]


def modules():
    """Names of all modules of rtl/rtl.f (not packages, not property modules)."""
    return [
        stem
        for stem in (pathlib.Path(name).stem for name in source_files())
        if not stem.endswith(("_pkg", "_props"))
    ]


def resolve(parameters):
    """Parameter values of one instance: a literal, or "edge.Lanes", the value in rtl/configs.json."""
    configs = json.loads((RTL / "configs.json").read_text())
    values = {}
    for name, value in parameters.items():
        if isinstance(value, str) and "." in value:
            config, key = value.split(".")
            value = configs[config][key]
        values[name] = value
    return values
