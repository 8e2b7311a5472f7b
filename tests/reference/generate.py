#!/usr/bin/env python3
"""Builds the reference program and writes the results kept beside this file.

    generate.py [--build FOLDER] [CASE ...]

Without a CASE all are made: a few minutes on two cores.
"""

import argparse
import math
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent

# The start that [TAC, Example 3] describes: the first impact at t = 0.05, x = 0.3, from the velocity (vx, 0), with g = 1.
FIRST_IMPACT_TIME = 0.05
FIRST_IMPACT_X = 0.3


def published_start(vx: float) -> dict[str, float]:
    return {
        "x": FIRST_IMPACT_X - vx * FIRST_IMPACT_TIME,
        "y": math.sin(FIRST_IMPACT_X) + FIRST_IMPACT_TIME**2 / 2,
        "vx": vx,
    }


# A name without a hyphen is a system with the defaults of its model file, up to its experiment's stop time. The others say what
# differs. Samples are a power of two apart, so that their times and sums of them are exact in double precision.
CASES: Mapping[str, Mapping[str, float]] = {
    "BouncingBall": {"stop": 5},
    "BouncingBall-plastic": {"stop": 2, "e": 0, "y": 2, "vy": 1},
    "BouncingBall-lively": {"stop": 16, "sample": 0.125, "e": 0.9, "g": 4, "m": 3},
    "BallOnSine": {"stop": 20, "sample": 0.125},
    "BallOnSine-published-slow": {"stop": 8, **published_start(1.8)},
    "BallOnSine-published-fast": {"stop": 8, **published_start(2.5)},
    "BallOnSine-lively": {"stop": 20, "sample": 0.125, "e": 0.8, "vx": 1.8},
    "BallOnSine3D": {"stop": 6},
    "BallOnSine3D-hills": {"stop": 8, "e": 0.4, "g": 4, "v2": 2.5, "x2": 0.5, "m": 0.5},
    "DoublePendulum": {"stop": 20, "sample": 0.125},
    "DoublePendulum-lively": {"stop": 20, "sample": 0.125, "e": 0.7},
    "DoublePendulum-uneven": {"stop": 8, "m1": 2, "m2": 0.5, "L2": 0.7, "g": 9.81, "theta1": -0.4, "omega2": 1},
    "CartPendulum": {"stop": 3},
    "CartPendulum-left": {"stop": 3, "m": 2, "M": 0.5, "l": 0.7, "e": 0.3, "theta": -0.4, "vx": 1},
    "SphericalPendulum": {"stop": 3},
    "SphericalPendulum-tall": {"stop": 4, "m": 0.3, "l": 2, "e": 0.65, "theta": 0.8, "omegaTheta": -0.5, "omegaPhi": 2},
    "BouncingRod": {"stop": 0.5, "sample": 0.0078125},
    "BouncingRod-spinning": {"stop": 0.5, "sample": 0.0078125, "e": 0.3, "theta": 1, "omega": 2, "vx": 0.5, "m": 2},
    "ImpactOscillator": {"stop": 4 * math.pi},
    # Example 1 of [Burden, Table I] with the forcing and the start of the authors' code.
    "ImpactOscillator-bouncing": {
        "stop": 20, "sample": 0.125, "a": 0.05, "e": 0.9, "omega": 2.5, "xmax": 14, "amplitude": 20, "frequency": 2.5,
        "x": 11.36263, "v": 31.40358,
    },
}  # fmt: skip


def build(folder: Path) -> Path:
    program = folder / "reference"
    files = ["-o", str(program), str(HERE / "reference.cpp"), "-lquadmath"]
    subprocess.run(["g++", "-std=gnu++17", "-O2", "-Wall", "-Wextra", *files], check=True)
    return program


def generate(program: Path, case: str) -> None:
    """A result is complete or left as it was."""
    system = case.split("-")[0]
    settings = [f"{name}={value!r}" for name, value in CASES[case].items()]
    result = subprocess.run([program, system, *settings], check=True, stdout=subprocess.PIPE).stdout
    (HERE / f"{case}.json").write_bytes(result)
    print(f"{case}.json", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help="where the program goes (otherwise a temporary folder)")
    parser.add_argument("case", nargs="*", help="one of: " + ", ".join(CASES))
    arguments = parser.parse_args()
    unknown = [case for case in arguments.case if case not in CASES]
    if unknown:
        parser.error("no such case: " + ", ".join(unknown))
    with tempfile.TemporaryDirectory() as temporary:
        program = build(arguments.build or Path(temporary))
        with ThreadPoolExecutor(max_workers=2) as workers:
            list(workers.map(lambda case: generate(program, case), arguments.case or CASES))


if __name__ == "__main__":
    main()
