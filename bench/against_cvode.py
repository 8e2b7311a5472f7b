"""Part a: the FMU, through the calls of FMI, against a bare CVODE loop written by hand for the same equations (bare.c)."""

from __future__ import annotations

from dataclasses import dataclass

from measuring import Claim, Part, Profile, Table, Workshop, reference, time_ratio

STOP, STEP, TOLERANCE = 20.0, 0.01, 1e-9
SOLVER_TOLERANCE = 0.01 * TOLERANCE  # SAFETY of src/engine/start.c
REPETITIONS = 5  # per process


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


def measure(shop: Workshop, case: Case) -> tuple[float, list[object]]:
    """The ratio of instructions, and the rows of the table."""
    counters = [f"{case.constraint}.{name}" for name in ("impacts", "zeno.count", "releases")]
    model = shop.model(case.model)

    def ours(repetitions: int) -> list:
        return model.play("run", reals=case.states, counters=counters, stop=STOP, step=STEP, tolerance=TOLERANCE,
                          repetitions=repetitions)  # fmt: skip

    def bare(repetitions: int) -> list:
        numbers = (SOLVER_TOLERANCE, case.least_speed, STOP, STEP, repetitions)
        return [shop.bare, case.model, *map(repr, numbers)]

    mine, theirs = shop.count(ours(1)), shop.count(bare(1))
    if events(mine) != events(theirs):
        raise RuntimeError(f"{case.model}: impacts, Zeno points, releases are {events(mine)}, of the bare loop {events(theirs)}")
    ratio = mine.total / theirs.total
    row = [case.model, ratio, time_ratio(ours(REPETITIONS), bare(REPETITIONS)), *(p.total / 1e6 for p in (mine, theirs)),
           *(p.solver_steps for p in (mine, theirs)), mine.calls["derivative"], theirs.calls["rate"], events(mine)[0],
           *(error(case, p) for p in (mine, theirs))]  # fmt: skip
    return ratio, row


def report(shop: Workshop) -> Part:
    ratios, rows = zip(*(measure(shop, case) for case in CASES), strict=True)
    header = ["model", "instructions, ours / bare", "time, ours / bare", "10⁶ instructions: ours", "bare", "solver steps: ours",
              "bare", "right-hand sides: ours", "bare", "impacts", "error at the end: ours", "bare"]  # fmt: skip
    text = f"""## a. Against a bare CVODE loop

From `fmi2Instantiate` to `fmi2FreeInstance`, {STOP:g} s at tolerance {TOLERANCE:g}, coordinates and rates read at every communication step of {STEP:g}, against a C program
(`bench/bare.c`) that does the same without FMI, engine or proof: CVODE of the same build, the same method, tolerances, solver's vector, roots, impact law
and contact, its numbers compiled in, cascades cut at a fixed speed.

{Table(header, rows)}
"""
    claims = [Claim(f"a: instructions, FMU / bare CVODE loop, {case.model}", ratio, 1.3) for case, ratio in zip(CASES, ratios, strict=True)]
    return Part(text, claims)
