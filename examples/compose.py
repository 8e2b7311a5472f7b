#!/usr/bin/env python3
"""Builds the SSP files of the examples into build/examples/ and runs them in several hosts.

    build/venv/bin/python examples/compose.py [SwingingLeg|BallInWind] [--host fmpy|libcosim|ecos]

Prints what happened, and how far each host is from the first one.
"""

import argparse

import numpy

from ssp_hosts import HOSTS, Rows
from systems import EXAMPLES, STEP, SYSTEMS, System

BUILD = EXAMPLES.parent / "build" / "examples"


def column(system: System, rows: Rows, ending: str) -> Rows:
    """The one signal whose name ends so."""
    (index,) = (i for i, signal in enumerate(system.signals) if signal.name.endswith(ending))
    return rows[:, index]


def zeno_times(system: System, rows: Rows) -> list[float]:
    """The output tells the last one; 0 before the first."""
    return sorted(set(column(system, rows, "zeno.time").tolist()) - {0.0})


def release_times(system: System, rows: Rows) -> list[float]:
    """The communication points that saw one."""
    count = numpy.concatenate(([0.0], column(system, rows, "releases")))
    return [float((step + 1) * STEP) for step in numpy.flatnonzero(numpy.diff(count))]


def describe(system: System, rows: Rows) -> str:
    impacts = int(column(system, rows, "impacts")[-1])
    zeno = ", ".join(f"{time:.6f}" for time in zeno_times(system, rows))
    releases = ", ".join(f"{time:.4f}" for time in release_times(system, rows))
    return f"  {impacts} impacts\n  Zeno points at {zeno}\n  releases just before {releases}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system", nargs="?", choices=SYSTEMS, help="default: both")
    parser.add_argument("--host", action="append", choices=HOSTS, help="default: all, one after the other")
    arguments = parser.parse_args()
    for name in [arguments.system] if arguments.system else SYSTEMS:
        system = SYSTEMS[name]
        ssp = system.build(BUILD)
        print(f"{name}: {ssp.relative_to(EXAMPLES.parent)}")
        first: Rows | None = None
        for host in arguments.host or HOSTS:
            rows = HOSTS[host](system, ssp)
            if first is None:
                first = rows
                print(f"{describe(system, rows)}\n  as {host} runs it")
            else:
                print(f"  {host} differs from that by at most {numpy.abs(rows - first).max():.2g}")


if __name__ == "__main__":
    main()
