#!/usr/bin/env python3
"""How export and right-hand side grow with the number of links of a chain pendulum with a stop at its second joint.

Prints a Markdown table. Times are wall-clock on this machine; what counts is their growth: the time of a right-hand
side must not grow faster than n^3, that of the Cholesky factorisation in it.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "src" / "engine"
# What the generated code and the right-hand side need of the engine.
ENGINE_FILES = ["motion.c", "linear.c", "interval.c"]
CC = ["cc", "-std=c11", "-O2", "-ffp-contract=off", f"-I{ENGINE}"]


def chain_model(links: int) -> str:
    """The model file of a chain of point masses on massless rods, written with nested definitions and der()."""
    numbers = range(1, links + 1)
    coordinates = "\n".join(
        f'  <coordinate name="theta{k}" rate="omega{k}" unit="rad" start="0.1 + {k}*0.01"/>' for k in numbers
    )
    definitions = "\n".join(
        f'  <define name="a{k}">{"a%d + " % (k - 1) if k > 1 else ""}theta{k}</define>\n'
        f'  <define name="x{k}">{"x%d + " % (k - 1) if k > 1 else ""}L*sin(a{k})</define>\n'
        f'  <define name="y{k}">{"y%d " % (k - 1) if k > 1 else ""}- L*cos(a{k})</define>'
        for k in numbers
    )
    kinetic = " + ".join(f"der(x{k})^2 + der(y{k})^2" for k in numbers)
    potential = " + ".join(f"y{k}" for k in numbers)
    return f"""<hybridLagrangian xmlns="urn:zenofmu:model:1" name="Chain{links}" description="Chain of {links} links">
  <parameter name="m" value="1" unit="kg" above="0"/>
  <parameter name="L" value="1/{links}" unit="m" above="0"/>
  <parameter name="g" value="9.81" unit="m/s2"/>
  <parameter name="e" value="0.5" unit="1" min="0" max="1"/>
{coordinates}
{definitions}
  <kineticEnergy>m/2*({kinetic})</kineticEnergy>
  <potentialEnergy>m*g*({potential})</potentialEnergy>
  <constraint name="stop" restitution="e" unit="rad">theta{min(2, links)}</constraint>
  <experiment stopTime="1" stepSize="0.01" tolerance="1e-6"/>
</hybridLagrangian>
"""


def timed(command: list[str]) -> float:
    """Seconds that a command takes."""
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def right_hand_side_ns(generated: Path, folder: Path) -> float:
    """Nanoseconds of one right-hand side of the free motion, the model compiled like the FMUs are."""
    program = folder / "right_hand_side"
    sources = [ROOT / "bench" / "right_hand_side.c", generated / "model.c", *map(ENGINE.__truediv__, ENGINE_FILES)]
    subprocess.run([*CC, *map(str, sources), "-lm", "-o", str(program)], check=True)
    return float(subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout)


def measure(links: int, compiler: Path) -> tuple[float, int, float]:
    """Seconds of an export for all platforms, bytes of generated C, nanoseconds of a right-hand side."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = folder / "chain.xml"
        model.write_text(chain_model(links))
        export = timed([str(ROOT / "zenofmu"), "export", str(model), "-o", str(folder / "chain.fmu")])
        subprocess.run([str(compiler), "generate", str(model), "--output", str(folder / "c")], check=True)
        size = (folder / "c" / "model.c").stat().st_size
        return export, size, right_hand_side_ns(folder / "c", folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("links", nargs="*", type=int, default=[2, 4, 8, 16, 32], help="numbers of links")
    parser.add_argument("--compiler", type=Path, default=ROOT / "build" / "release" / "zenofmu-compiler")
    arguments = parser.parse_args()
    print("| links | export, s | generated C, kB | right-hand side, µs | grows like n^ |")
    print("|---|---|---|---|---|")
    last: tuple[int, float] | None = None
    for links in arguments.links:
        export, size, ns = measure(links, arguments.compiler)
        order = "" if last is None else f"{math.log(ns / last[1]) / math.log(links / last[0]):.2f}"
        print(f"| {links} | {export:.1f} | {size / 1000:.0f} | {ns / 1000:.3f} | {order} |", flush=True)
        last = (links, ns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
