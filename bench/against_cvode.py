"""Part a: the FMU, through the calls of FMI, against a bare CVODE loop written by hand for the same equations (bare.c)."""

from __future__ import annotations

from dataclasses import dataclass

from measuring import Claim, Command, Part, Profile, Spread, Table, Workshop, reference, repeated, time_ratio

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
    bare_small: Profile  # with the FMUs' own vectors
    time: Spread


def ours(shop: Workshop, case: Case) -> Command:
    counters = [f"{case.constraint}.{name}" for name in ("impacts", "zeno.count", "releases")]
    return shop.model(case.model).play("run", reals=case.states, counters=counters, stop=STOP, step=STEP, tolerance=TOLERANCE)


def bare(shop: Workshop, case: Case, vectors: str = "serial", repetitions: int = 1) -> Command:
    return [shop.bare, case.model, vectors, *map(repr, (SOLVER_TOLERANCE, case.least_speed, STOP, STEP, repetitions))]


def measure(shop: Workshop, case: Case) -> Result:
    mine, theirs = shop.count(ours(shop, case)), shop.count(bare(shop, case))
    if events(mine) != events(theirs):
        raise RuntimeError(f"{case.model}: impacts, Zeno points, releases are {events(mine)}, of the bare loop {events(theirs)}")
    time = time_ratio(repeated(ours(shop, case)), bare(shop, case, repetitions=5))
    return Result(mine, theirs, shop.count(bare(shop, case, "small")), time)


def figures(case: Case, result: Result) -> dict[str, object]:
    mine, theirs = result.ours, result.bare
    return {
        "instructions, ours / bare": mine.total / theirs.total,
        "time, ours / bare": result.time,
        "instructions, ours / bare with the FMUs' vectors": mine.total / result.bare_small.total,
        "10⁶ instructions, ours": mine.total / 1e6,
        "10⁶ instructions, bare": theirs.total / 1e6,
        "solver steps, ours; bare": f"{mine.solver_steps}; {theirs.solver_steps}",
        "right-hand sides, ours; bare": f"{mine.calls['derivative']}; {theirs.calls['rate']}",
        "impacts, Zeno points, releases of both": ", ".join(map(str, events(mine))),
        "error at the end, ours": error(case, mine),
        "error at the end, bare": error(case, theirs),
    }


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
    columns = [figures(case, result) for case, result in zip(CASES, results, strict=True)]
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    shares = [[case.model, what, ours / result.bare.total, bare / result.bare.total]
              for case, result in zip(CASES, results, strict=True) for what, ours, bare in places(result.ours, result.bare)]  # fmt: skip
    text = f"""## a. Against a bare CVODE loop

From `fmi2Instantiate` to `fmi2FreeInstance`, {STOP:g} s at tolerance {TOLERANCE:g}, coordinates and rates read at every communication step
of {STEP:g}, against a C program (`bench/bare.c`) that does the same without FMI, engine or proof: CVODE of the same build, the same
method, tolerances, solver's vector, roots, impact law and contact, its numbers compiled in, cascades cut at a fixed speed. It has
SUNDIALS' serial vectors, as such a loop would; the FMUs have their own (`src/engine/vector.c`), cheaper for a handful of elements,
and the third line gives these to the bare loop too.

{Table(["", *(case.model for case in CASES)], rows)}

Where the instructions go, in units of all those of the bare loop:

{Table(["model", "what for", "ours", "bare"], shares)}
"""
    claims = [Claim(f"a: instructions, FMU / bare CVODE loop, {case.model}", result.ours.total / result.bare.total, 1.3)
              for case, result in zip(CASES, results, strict=True)]  # fmt: skip
    return Part(text, claims)
