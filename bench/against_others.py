"""Part b: ours against other programs at equal error: Siconos, SciPy's solve_ivp, the algorithms of [Burden, V-B]."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import numpy as np
from measuring import FLAGS, HERE, ROOT, Claim, Command, Part, Spread, Table, Workshop, figure, nanoseconds, reference, run, zig

sys.path.append(str(ROOT / "scripts"))

from comparison import burden_rows, example_values, position_error
from oscillator import EXAMPLES

ERROR = 1e-6  # at which costs are compared
TOLERANCES = [10.0**-k for k in range(4, 12)]
SAMPLE = 0.125  # of the references
PENDULUM_STEPS = [SAMPLE / k for k in (10, 100, 1000, 10000)]
EVENT_TOLERANCES = [None, 1e-8, 1e-6, 1e-4]
LSODAR_TOLERANCES = [1e-6, 1e-8, 1e-10]
BEFORE_ZENO = 3.5  # four impacts, 0.19 s before the first Zeno point
METHODS = ["RK45", "DOP853", "LSODA"]
OSCILLATOR_STEPS = {1: [1e-2, 1e-3, 1e-4], 2: [1e-2, 1e-3, 1e-4, 1e-5]}  # by example
OSCILLATOR_POINTS = 1000
IVP_SECONDS = 3.0  # MOST_SECONDS of ivp.py
PYTHON = Path("/usr/bin/python3")  # Debian's, to which its SciPy belongs


@dataclass(frozen=True)
class Trial:
    """One way to get a result: how far off that is, and what runs it again and returns its nanoseconds."""

    setting: str
    size: float  # step or tolerance
    error: float
    again: Callable[[], float]


def cheapest(trials: Sequence[Trial]) -> Trial | None:
    """That meets the error; trials become more accurate, and dearer."""
    return next((trial for trial in trials if trial.error <= ERROR), None)


def factor_beyond(trials: Sequence[Trial]) -> float:
    """How many times smaller than in the last trial steps have to be, with the order that the last two show."""
    coarse, fine = trials[-2:]
    order = math.log(coarse.error / fine.error) / math.log(coarse.size / fine.size)
    return (fine.error / ERROR) ** (1 / order)


def compare(trials: Sequence[Trial], ours: Trial, rounds: int = 5) -> tuple[float, list[object]]:
    """Of the time at equal error to ours: its median, and the cells of a row."""
    enough = cheapest(trials)
    if enough:
        ratios = Spread([enough.again() / ours.again() for _ in range(rounds)])
        return ratios.median, [enough.setting, enough.error, ratios]
    last, beyond = trials[-1], factor_beyond(trials)
    ratios = Spread([beyond * last.again() / ours.again() for _ in range(rounds)])
    return ratios.median, [f"{last.setting}; time × {figure(beyond)}, extrapolated", last.error, ratios]


# ---- DoublePendulum


def pendulum_error(rows: Sequence[Sequence[float]]) -> float:
    """The largest of positions at the samples that were reached; rows are time, theta1, theta2."""
    exact = {sample["time"]: sample["q"] for sample in reference("DoublePendulum")["samples"]}
    return max(abs(a - b) for t, *q in rows for a, b in zip(q, exact[round(t / SAMPLE) * SAMPLE], strict=True))


def numbers(text: str) -> list[list[float]]:
    """The lines of three numbers."""
    lines = [line.split() for line in text.splitlines() if re.fullmatch(r"[-+.\deE ]+", line)]
    return [list(map(float, words)) for words in lines if len(words) == 3]


def our_pendulum(shop: Workshop, stop: float) -> list[Trial]:
    model = shop.model("DoublePendulum")
    states = ["theta1", "theta2"]

    def trial(tolerance: float) -> Trial:
        shown = run(model.play("show", stop=stop, step=SAMPLE, tolerance=tolerance, reals=states)).splitlines()[:-4]
        rows = [[SAMPLE * i, *map(float, line.split())] for i, line in enumerate(shown)]
        play = model.play("run", stop=stop, step=SAMPLE, tolerance=tolerance, reals=states, repetitions=9)
        return Trial(f"tolerance {tolerance:g}", tolerance, pendulum_error(rows), lambda: nanoseconds(run(play)))

    return [trial(tolerance) for tolerance in TOLERANCES]


def our_steps(shop: Workshop, tolerance: float) -> int:
    return shop.count(shop.model("DoublePendulum").play("run", stop=20, step=SAMPLE, tolerance=tolerance)).solver_steps


def siconos(shop: Workshop) -> Path:
    program = shop.folder / "siconos"
    folders = [f"-I/usr/include/siconos{sub}" for sub in ("", "/kernel", "/numerics")]
    run(["g++", "-O2", *folders, HERE / "siconos.cpp", "-lsiconos_kernel", "-lsiconos_numerics", "-o", program])
    return program


def time_stepping(program: Path) -> list[Trial]:
    def trial(step: float) -> Trial:
        command = [program, "time-stepping", repr(step)]
        return Trial(f"step {step:g}", step, pendulum_error(numbers(run(command))), lambda: nanoseconds(run(command)))

    return [trial(step) for step in PENDULUM_STEPS]


def event_driven(program: Path, tolerance: float, event_tolerance: float | None) -> str:
    """What comes of it."""
    command = [program, "event-driven", repr(tolerance), *([] if event_tolerance is None else [repr(event_tolerance)])]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    rows = numbers(result.stdout)
    said = re.search(r"message\*\] = (.*)", result.stderr)
    if said:
        return f"stops after {rows[-1][0]:g} s: “{said[1].strip(' !.')}”"
    return f"error {figure(pendulum_error(rows))}"


def event_driven_table(program: Path) -> Table:
    pairs = [(tolerance, event) for tolerance in LSODAR_TOLERANCES for event in EVENT_TOLERANCES]
    rows = [[f"{tolerance:g}", f"{event:g}" if event else "default", event_driven(program, tolerance, event)] for tolerance, event in pairs]
    return Table(["LSODAR's tolerance", "event tolerance", "outcome"], rows)


# ---- solve_ivp


def solve_ivp(method: str, tolerance: float, stop: float, way: str) -> dict:
    return json.loads(run([PYTHON, HERE / "ivp.py", method, repr(tolerance), repr(stop), way]))


def ivp_trials(method: str) -> list[Trial]:
    """Up to a time before the first Zeno point."""
    exact = next(sample["q"] for sample in reference("DoublePendulum")["samples"] if sample["time"] == BEFORE_ZENO)

    def trial(tolerance: float) -> Trial:
        def once() -> dict:
            return solve_ivp(method, tolerance, BEFORE_ZENO, "restart")

        error = max(abs(a - b) for a, b in zip(once()["q"], exact, strict=True))
        return Trial(f"tolerance {tolerance:g}", tolerance, error, lambda: once()["nanoseconds"])

    return [trial(tolerance) for tolerance in TOLERANCES]


def ivp_past_zeno() -> Table:
    zeno = next(event["time"] for event in reference("DoublePendulum")["events"] if event["kind"] == "Zeno")
    rows = []
    for way in ("restart", "ignore"):
        for method in METHODS:
            result = solve_ivp(method, 1e-9, 20, way)
            rows.append([method, "kept" if way == "restart" else "ignored", result["impacts"], result["time"] - zeno, result["why"]])
    return Table(["method", "event at a flight's own start", "impacts", "time reached - Zeno point, s", "outcome"], rows)


# ---- ImpactOscillator


def burden_trials(program: Path, method: str, number: int) -> list[Trial]:
    def trial(step: float) -> Trial:
        settings = {"h": step} | ({"epsilon": step**2 / 10} if method == "relaxed" else {})
        rows = burden_rows(program, method, number, settings)
        values = example_values(number) | {"stop": EXAMPLES[number].stop_time} | settings
        command = [program, method, *(f"{name}={float(value)!r}" for name, value in values.items()), "last"]
        error = position_error(number, rows[:, 0], rows[:, 1])
        return Trial(f"step {step:g}", step, error, lambda: child_nanoseconds(command) - child_nanoseconds([*command, "stop=0"]))

    return [trial(step) for step in OSCILLATOR_STEPS[number]]


def child_nanoseconds(command: Command) -> float:
    """Processor time of a program that doesn't measure itself."""
    before = getrusage(RUSAGE_CHILDREN)
    run(command)
    after = getrusage(RUSAGE_CHILDREN)
    return 1e9 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def our_oscillator(shop: Workshop, number: int) -> list[Trial]:
    model = shop.model("ImpactOscillator")
    stop = EXAMPLES[number].stop_time
    step = stop / OSCILLATOR_POINTS

    def trial(tolerance: float) -> Trial:
        shown = run(model.play("show", stop=stop, step=step, tolerance=tolerance, reals=["x"], start=example_values(number))).splitlines()[:-4]
        error = position_error(number, np.arange(len(shown)) * step, np.array(shown, float))
        play = model.play("run", stop=stop, step=step, tolerance=tolerance, reals=["x"], start=example_values(number), repetitions=9)
        return Trial(f"tolerance {tolerance:g}", tolerance, error, lambda: nanoseconds(run(play)))

    return [trial(tolerance) for tolerance in TOLERANCES]


def oscillator_rows(shop: Workshop, number: int) -> list[list[object]]:
    program = shop.folder / "burden"
    zig([*FLAGS, HERE / "burden.c", "-lm", "-o", program])
    ours = cheapest(our_oscillator(shop, number))
    title = f"Example {number}"
    rows = [[title, "ours", ours.setting, ours.error, "1"]]
    for method, name in (("ps", "Paoli and Schatzman, Eq. (29)"), ("relaxed", "Fig. 12, midpoint, ε = h²/10")):
        rows.append([title, name, *compare(burden_trials(program, method, number), ours)[1]])
    return rows


# ---- The report


def version(package: str) -> str:
    return run(["dpkg-query", "--show", "--showformat", "${Version}", package])


def report(shop: Workshop) -> Part:
    program = siconos(shop)
    ours, ours_early = cheapest(our_pendulum(shop, 20)), cheapest(our_pendulum(shop, BEFORE_ZENO))
    trials = time_stepping(program)
    stepping, stepping_row = compare(trials, ours, rounds=3)
    header = ["setting", "error", "time / ours"]
    ivp_rows = [[f"solve_ivp, {method}", *compare(ivp_trials(method), ours_early)[1]] for method in METHODS]
    text = f"""## b. Against others at equal error

Errors are the largest of positions at sampled times against the references of `tests/reference`, for the oscillator against its
exact solution. Each method is taken with its cheapest setting, of steps or tolerances ten apart, that has an error of at most {ERROR:g};
where none of those tried has, the time of the last is multiplied by how many times smaller its step would have to be, by the order
that the last two show. Times are those of the processor, without the start of a process. Siconos {version("libsiconos-kernel-dev")}
and SciPy {version("python3-scipy")} are Debian's.

**`DoublePendulum`, 20 s, three Zeno points: Siconos' time stepping** (Moreau's and Jean's scheme, θ = 1/2, in C++).

{Table(["method", *header], [["ours", ours.setting, ours.error, "1"], ["time stepping", *stepping_row]])}

In steps, whatever each costs: {figure(20 / trials[-1].size * factor_beyond(trials))} against {our_steps(shop, ours.size)} of ours.

**Siconos' event-driven scheme** on the same, as it is: how far it gets with which tolerances.

{event_driven_table(program)}

**SciPy's `solve_ivp`**, started anew at every impact, up to {BEFORE_ZENO:g} s (four impacts, before the first Zeno point). Its right-hand side
is a Python function, and much of its time is Python's.

{Table(["method", *header], [["ours", ours_early.setting, ours_early.error, "1"], *ivp_rows])}

Past the Zeno point it doesn't get, here at tolerance 1e-9 in {IVP_SECONDS:g} s of processor time: with its event function as it is, a flight
shorter than the first step ends where it began; with that event ignored, flights become ever shorter and never end.

{ivp_past_zeno()}

**`ImpactOscillator`, the algorithms of [Burden, V-B]** in C (`bench/burden.c`; `bench/figure14` has the curves of their errors).

{Table(["example", "method", *header], [row for number in EXAMPLES for row in oscillator_rows(shop, number)])}
"""
    how = "" if cheapest(trials) else ", extrapolated"
    claim = Claim(f"b: time, Siconos' time stepping / ours, DoublePendulum at error {ERROR:g}{how}", stepping, 100, at_least=True)
    return Part(text, [claim])
