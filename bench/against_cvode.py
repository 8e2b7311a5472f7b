"""Part a: the FMU, through the calls of FMI, against a bare CVODE loop written by hand for the same equations (bare.c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from measuring import Claim, Command, Part, Profile, Table, Workshop, reference, repeated, time_ratio

STOP, STEP, TOLERANCE = 20.0, 0.01, 1e-9
SOLVER_TOLERANCE = 0.01 * TOLERANCE  # SAFETY of src/engine/start.c


@dataclass(frozen=True)
class Case:
    model: str
    constraint: str
    states: tuple[str, str, str, str]
    least_speed: float  # at which the bare loop cuts a cascade: chosen so that it makes as many impacts as the FMU


CASES = [
    Case("BallOnSine", "surface", ("x", "y", "vx", "vy"), 2.8e-5),
    Case("DoublePendulum", "knee", ("theta1", "theta2", "omega1", "omega2"), 2.5e-5),
]


def error(case: Case, profile: Profile) -> float:
    """Of coordinates and rates at the end."""
    values = map(float, profile.printed.splitlines()[0].split())
    end = reference(case.model)["samples"][-1]
    return max(abs(value - exact) for value, exact in zip(values, [*end["q"], *end["v"]], strict=True))


def events(profile: Profile) -> list[int]:
    """Impacts, Zeno points, releases."""
    return list(map(int, profile.printed.splitlines()[1].split()))[:3]


@dataclass(frozen=True)
class Result:
    ours: Profile
    bare: Profile
    row: Sequence[object]


def commands(shop: Workshop, case: Case, repetitions: int = 1) -> tuple[Command, Command]:
    """Ours, and the bare loop."""
    counters = [f"{case.constraint}.{name}" for name in ("impacts", "zeno.count", "releases")]
    play = shop.model(case.model).play("run", reals=case.states, counters=counters, stop=STOP, step=STEP, tolerance=TOLERANCE)
    bare = [shop.bare, case.model, *map(repr, (SOLVER_TOLERANCE, case.least_speed, STOP, STEP, repetitions))]
    return repeated(play, repetitions), bare


def measure(shop: Workshop, case: Case) -> Result:
    mine, theirs = map(shop.count, commands(shop, case))
    if events(mine) != events(theirs):
        raise RuntimeError(f"{case.model}: impacts, Zeno points, releases are {events(mine)}, of the bare loop {events(theirs)}")
    times = time_ratio(*commands(shop, case, repetitions=5))
    both = (mine, theirs)
    row = [case.model, mine.total / theirs.total, times, *(p.total / 1e6 for p in both), *(p.solver_steps for p in both),
           mine.calls["derivative"], theirs.calls["rate"], events(mine)[0], *(error(case, p) for p in both)]  # fmt: skip
    return Result(mine, theirs, row)


def places(mine: Profile, theirs: Profile) -> list[tuple[str, int, int]]:
    """Instructions by what they are for: ours, of the bare loop."""
    sides, roots = mine.inclusive("derivative"), mine.inclusive("guard")
    bare_sides, bare_roots = theirs.inclusive("rate"), theirs.inclusive("root")
    parts = [
        ("right-hand sides", sides, bare_sides),
        ("root functions", roots, bare_roots),
        ("CVODE's steps without them", mine.inclusive("CVode") - sides - roots, theirs.inclusive("CVode") - bare_sides - bare_roots),
        ("reading at communication points", mine.inclusive("fmi2GetReal"), theirs.inside["measured", "CVodeGetDky"]),
    ]
    rest = [whole - sum(part[i] for part in parts) for i, whole in ((1, mine.total), (2, theirs.total))]
    return [*parts, ("all else", rest[0], rest[1])]


def report(shop: Workshop) -> Part:
    results = [measure(shop, case) for case in CASES]
    header = ["model", "instructions, ours / bare", "time, ours / bare", "10⁶ instructions: ours", "bare", "solver steps: ours", "bare",
              "right-hand sides: ours", "bare", "impacts", "error at the end: ours", "bare"]  # fmt: skip
    shares = [[case.model, what, ours / result.bare.total, bare / result.bare.total]
              for case, result in zip(CASES, results, strict=True) for what, ours, bare in places(result.ours, result.bare)]  # fmt: skip
    text = f"""## a. Against a bare CVODE loop

From `fmi2Instantiate` to `fmi2FreeInstance`, {STOP:g} s at tolerance {TOLERANCE:g}, coordinates and rates read at every communication step of {STEP:g}, against a C program
(`bench/bare.c`) that does the same without FMI, engine or proof: CVODE of the same build, the same method, tolerances, solver's vector, roots, impact law
and contact, its numbers compiled in, cascades cut at a fixed speed.

{Table(header, [result.row for result in results])}

Where the instructions go, in units of all those of the bare loop:

{Table(["model", "what for", "ours", "bare"], shares)}
"""
    claims = [Claim(f"a: instructions, FMU / bare CVODE loop, {case.model}", result.ours.total / result.bare.total, 1.3)
              for case, result in zip(CASES, results, strict=True)]  # fmt: skip
    return Part(text, claims)
