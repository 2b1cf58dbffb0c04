#!/usr/bin/env python3
"""Writes docs/internals/Hardware.md, the page of several results of the hardware kit: hardware_page.py RESULT.json... > PAGE.md

A result has a JSON object per line: of the run, of each device, of each step, and of the end of the run.
"""

import json
import re
import sys
from pathlib import Path

HEAD = """\
# Hardware

This page has the results of `gpu-kit`, which tests Frost on the GPUs of a machine. `Tools/gpu-kit report` writes the page.

{seen}

## How to send a result

1. `Tools/gpu-kit pack` makes the folder `out/gpu-kit-VERSION-ARCHITECTURE`. It needs the toolchain of Frost.
2. Copy the folder to a Linux machine with a GPU and its driver. The machine needs a shell with the usual commands, glibc
   2.34 or later, libstdc++ of GCC 11 or later, and EGL with OpenGL ES 3. It needs no compiler and no other library. If
   Python has NumPy and [skia-python](https://pypi.org/project/skia-python/), the kit also measures Skia.
3. Run `./gpu-kit run` in the folder, for at most 8 minutes, while the machine is idle. It writes `gpu-kit.json`, and nothing
   else, except that drivers may cache compiled programs. The file names the devices, the drivers, the processor and the
   system, but neither the machine nor its user.
4. Add `gpu-kit.json` to [docs/hardware](../hardware) under a name of the device, such as `radeon-780m.json`, run
   `Tools/gpu-kit report`, and send the change. Or attach the file to an issue.

## Steps

| step | what it does | s at most |
|---|---|---:|
{steps}

A skipped step has tested nothing. Times depend on the load of the machine. Resets are simulated.
"""


def escaped(text):
    """Escapes what Markdown would take as markup within a table. Drivers choose some of these texts."""
    return re.sub(r"([\\|`*_<>\[\]#])", r"\\\1", str(text)).replace("\n", " ")


def read(path):
    run = {"devices": [], "steps": [], "end": None}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
            kind = re.fullmatch(r"frost\.kit\.(run|device|step|end)/1", record["schema"]).group(1)
        except (ValueError, TypeError, KeyError, AttributeError):
            sys.exit(f"{path}: not a result of 'gpu-kit run': {line[:60]}")
        if kind in ("device", "step"):
            run[f"{kind}s"].append(record)
        else:
            run[kind] = record
    if "run" not in run:
        sys.exit(f"{path}: the line 'frost.kit.run/1' is missing")
    return run


def is_table(step):
    """Whether the details of a passed step are a table of several rows, which its finding repeats."""
    return step["outcome"] == "passed" and len(step["evidence"].split("\n")) > 3


def section(title, device, run, steps):
    """The section of one device of a run, or of a run without a device."""
    lines = [f"## {title}", ""]
    if device:
        kind = "Software renderer" if device["software"] else "Hardware"
        lines += [f"- {kind} of {escaped(device['vendor'])}",
                  f"- Driver: {escaped(device['version'])}, EGL platform {escaped(device['platform'])}"]
    about = run["run"]
    lines += [f"- Frost {escaped(about['frost'])}, {escaped(about['date'])} UTC",
              f"- {escaped(about['system'])}; {escaped(about['processor'])}",
              f"- The run took {run['end']['seconds']} s" if run["end"] else "- **The run was interrupted**",
              "", "| step | result | s | finding |", "|---|---|---:|---|"]
    for step in steps:
        outcome = f"**{step['outcome']}**" if step["outcome"] == "failed" else step["outcome"]
        finding = "see below" if is_table(step) else escaped(step["finding"])
        lines.append(f"| {step['step']} | {outcome} | {step['seconds']} | {finding} |")
    lines.append("")
    for step in steps:
        # A passed step needs no details, unless they are a table.
        if step["evidence"] and (is_table(step) or step["outcome"] != "passed"):
            # A fence in the evidence would end the block.
            evidence = [f" {line}" if line.startswith("```") else line for line in step["evidence"].split("\n")]
            lines += [f"Details of `{step['step']}`:", "", "```text", *evidence, "```", ""]
    return lines


def page(runs):
    def names(software):
        devices = [device for run in runs for device in run["devices"] if device["software"] == software]
        return ", ".join(dict.fromkeys(escaped(device["renderer"]) for device in devices)) or "none"
    script = (Path(__file__).parent / "gpu_kit.sh").read_text(encoding="utf-8")
    steps = re.findall(r"^#   ([\w-]+): (.*), (\d+) s at most$", script, re.MULTILINE)
    lines = [HEAD.format(
        seen=f"**Hardware seen so far:** {names(False)}. Software renderers: {names(True)}.",
        steps="\n".join(f"| {' | '.join(step)} |" for step in steps))]
    for run in runs:
        common = [step for step in run["steps"] if step["device"] is None]
        for device in run["devices"]:
            own = [step for step in run["steps"] if step["device"] == str(device["index"])]
            lines += section(escaped(device["renderer"]), device, run, common + own)
        if not run["devices"]:
            lines += section("No device", None, run, common)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page([read(path) for path in sys.argv[1:]]))
