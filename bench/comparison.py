"""Runs the oscillator with a stop by three algorithms and measures their errors against the exact solution.

The algorithms are that of [Burden, Fig. 12], that of Paoli and Schatzman [Burden, Eq. (29)] (both in burden.c), and the
FMU. The errors are

- the position error [Burden, Eq. (30)]: the largest |x - exact x| at the algorithm's own times, for the FMU the
  communication points;
- rho [Burden, Def. 22]: the largest distance in the quotient space over all times. Between its times the algorithm of
  Fig. 12 is linear (its step 9); it is looked at there, in the middle, where that is off most, and at the events of the
  exact solution. The FMU is looked at at its communication points, and closely between its own and the exact events.
  Strips have no width in this distance: in the relaxed quotient space, where each transition of a connecting curve
  costs epsilon, distances are larger by at most that [Burden, Theorem 21].
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hybrid_run import EVENT, HybridFmu
from oscillator import EXAMPLES, exact
from quotient import largest_distance

HERE = Path(__file__).resolve().parent
POINTS_PER_FLIGHT = 16
CC = ["cc", "-std=c11", "-O2", "-ffp-contract=off"]


@dataclass(frozen=True)
class Errors:
    position: float  # of [Burden, Eq. (30)], in m
    rho: float  # NaN where the algorithm gives no velocities


@contextmanager
def burden_program() -> Iterator[Path]:
    """burden.c, compiled."""
    with TemporaryDirectory(prefix="zenofmu-bench-") as folder:
        program = Path(folder) / "burden"
        subprocess.run([*CC, HERE / "burden.c", "-o", program, "-lm"], check=True)
        yield program


def example_values(number: int) -> dict[str, float]:
    example = EXAMPLES[number]
    return {**example.parameters, "x": example.x, "v": example.v}


# ---- The algorithms of the paper


def burden_rows(program: Path, method: str, number: int, settings: Mapping[str, float]) -> np.ndarray:
    """Rows of time, position and (for `relaxed`) velocity."""
    values = {**example_values(number), "stop": EXAMPLES[number].stop_time, **settings}
    words = [f"{name}={float(value)!r}" for name, value in values.items()]
    printed = subprocess.run([program, method, *words, "binary"], check=True, stdout=subprocess.PIPE).stdout
    return np.frombuffer(printed).reshape(-1, 2 if method == "ps" else 3)


def paoli_schatzman(program: Path, number: int, h: float) -> Errors:
    times, positions = burden_rows(program, "ps", number, {"h": h}).T
    return Errors(position_error(number, times, positions), np.nan)


def relaxed(program: Path, number: int, h: float, epsilon: float) -> Errors:
    rows = burden_rows(program, "relaxed", number, {"h": h, "epsilon": epsilon})
    points = np.concatenate([rows, interpolated(rows, exact(number).events)])
    points = points[points[:, 0] <= EXAMPLES[number].stop_time]
    return Errors(position_error(number, rows[:, 0], rows[:, 1]), quotient_error(number, points))


def interpolated(rows: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Rows in the middle of all steps and at these times; two rows of one time are a jump: nothing is between them."""
    begins, ends = rows[:-1], rows[1:]
    lasts = ends[:, 0] > begins[:, 0]
    begins, ends = begins[lasts], ends[lasts]
    step = np.searchsorted(begins[:, 0], times, side="right") - 1
    share = (times - begins[step, 0]) / (ends[step, 0] - begins[step, 0])
    at_times = begins[step] + share[:, None] * (ends[step] - begins[step])
    return np.concatenate([(begins + ends) / 2, at_times])


# ---- The FMU


@dataclass(frozen=True)
class Settings:
    tolerance: float
    epsilon: float = 0.0  # relaxation
    truncation: float | None = None  # largest allowed bounds of a Zeno point; None: those of the FMU


def ours(fmu: HybridFmu, number: int, step: float, settings: Settings) -> Errors:
    """Errors of an FMU with this communication step. The second run looks closely at the events that the first one
    found; an FMU's motion doesn't depend on where it is looked at."""
    stop = EXAMPLES[number].stop_time
    grid = np.append(np.arange(0, stop, step), stop)
    rows, own_events = fmu_rows(fmu, number, grid, settings)
    corners = np.unique(np.concatenate([exact(number).events, own_events[own_events <= stop]]))
    between = np.linspace(corners[:-1], corners[1:], POINTS_PER_FLIGHT, endpoint=False)
    closely = np.unique(np.concatenate([grid, corners, between.ravel()]))
    points, _ = fmu_rows(fmu, number, closely, settings)
    return Errors(position_error(number, rows[:, 0], rows[:, 1]), quotient_error(number, points))


def fmu_rows(fmu: HybridFmu, number: int, times: np.ndarray, settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """Rows of time, position and velocity at these times; the times of the events that the FMU logged."""
    start = example_values(number) | {"relaxation.epsilon": settings.epsilon}
    if settings.truncation is not None:
        start |= {f"truncation.epsilon_{of}": settings.truncation for of in "qvt"}
    states = [fmu.variables[name].valueReference for name in ("x", "v")]
    log: list[tuple[str, str]] = []
    with fmu.instance(log) as slave:
        slave.setupExperiment(tolerance=settings.tolerance, startTime=0.0)
        fmu.set(slave, start)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        rows = [slave.getReal(states)]
        for time, following in pairwise(times):
            slave.doStep(time, following - time)
            rows.append(slave.getReal(states))
    found = (EVENT.fullmatch(text) for category, text in log if category == "logEvents")
    return np.column_stack([times, rows]), np.array([float(match["time"]) for match in found if match])


# ---- Errors


def position_error(number: int, times: np.ndarray, positions: np.ndarray) -> float:
    """[Burden, Eq. (30)]."""
    counted = times <= EXAMPLES[number].stop_time
    return float(np.abs(positions[counted] - exact(number)(times[counted])[0]).max())


def quotient_error(number: int, rows: np.ndarray) -> float:
    """The largest distance of rows of time, position and velocity from the exact solution."""
    xmax, e = (EXAMPLES[number].parameters[name] for name in ("xmax", "e"))
    times, positions, velocities = rows.T
    inside = np.minimum(positions, xmax)  # an impact that is late by rounding
    return largest_distance((inside, velocities), exact(number)(times), xmax, e)
