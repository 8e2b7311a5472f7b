"""What every host runs, and what FMPy makes of it: the yardstick of the others."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import fmpy
import numpy
from fmpy.model_description import ScalarVariable
from numpy.typing import NDArray

FMUS = Path(__file__).resolve().parents[2] / "build" / "fmus"

STEPS = 1280

# In nanoseconds, which libcosim counts in. The first is a power of two: all hosts then have the same times, whether
# they add up, multiply or count. 0.01 s is what people use; hosts that add it up drift from the others by 1e-13 s.
COMMON_STEP = 7_812_500
USUAL_STEP = 10_000_000

# At common times the same calls reach the same library: the same bits. A time that is off by 1e-13 s must cost no more
# than this.
AGREEMENT = {COMMON_STEP: 0.0, USUAL_STEP: 1e-9}

Rows = NDArray[numpy.float64]


@dataclass(frozen=True)
class Trial:
    fmu: str
    inputs: Mapping[str, Callable[[float], float]] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)  # start values and parameters

    @property
    def path(self) -> Path:
        return FMUS / f"{self.fmu}.fmu"


DEFAULTS: Mapping[str, Trial] = {
    name: Trial(name)
    for name in (
        "BouncingBall",
        "BallOnSine",
        "BallOnSine3D",
        "DoublePendulum",
        "CartPendulum",
        "SphericalPendulum",
        "BouncingRod",
        "ImpactOscillator",
    )
}

DRIVEN: Mapping[str, Trial] = {
    "BallOnSine-driven": Trial(
        "BallOnSine",
        inputs={"Fx": lambda t: 0.3 * math.sin(2.0 * t), "Fy": lambda t: -0.1 * t},
        start={"e": 0.4, "vx": 1.8},
    ),
    "DoublePendulum-driven": Trial(
        "DoublePendulum",
        inputs={"tau1": lambda t: 0.2 * math.cos(t), "tau2": lambda t: -0.05 if t < 5.0 else 0.02},
        start={"m2": 1.5, "theta2": 0.6},
    ),
    "ImpactOscillator-driven": Trial(
        "ImpactOscillator",
        inputs={"u": lambda t: 0.5 * math.sin(5.0 * t)},
        start={"amplitude": 1.5, "truncation.epsilon_v": 1e-5},
    ),
}

TRIALS = DEFAULTS | DRIVEN


@cache
def variables(fmu: str) -> Mapping[str, ScalarVariable]:
    description = fmpy.read_model_description(FMUS / f"{fmu}.fmu")
    return {variable.name: variable for variable in description.modelVariables}


def outputs(fmu: str) -> list[ScalarVariable]:
    return [variable for variable in variables(fmu).values() if variable.causality == "output"]


def input_signals(inputs: Mapping[str, Callable[[float], float]], step: float) -> NDArray[numpy.void] | None:
    """As FMPy takes them: a sample for each step."""
    if not inputs:
        return None
    times = [number * step for number in range(STEPS + 1)]
    samples = [(time, *(signal(time) for signal in inputs.values())) for time in times]
    return numpy.array(samples, dtype=[(name, numpy.float64) for name in ("time", *inputs)])


def columns(result: NDArray[numpy.void], names: Sequence[str]) -> Rows:
    """Without the row of the start time, which other hosts don't give."""
    return numpy.column_stack([result[name].astype(float) for name in names])[1:]


@cache
def expected(name: str, step_ns: int) -> Rows:
    """A row for each step, a column for each output."""
    trial, step = TRIALS[name], step_ns / 1e9
    names = [variable.name for variable in outputs(trial.fmu)]
    result = fmpy.simulate_fmu(
        trial.path,
        stop_time=STEPS * step,
        output_interval=step,
        start_values=dict(trial.start),
        input=input_signals(trial.inputs, step),
        output=names,
    )
    return columns(result, names)


def assert_agrees(name: str, rows: Rows, step_ns: int = COMMON_STEP) -> None:
    """Says which output is off, and when."""
    wanted = expected(name, step_ns)
    assert rows.shape == wanted.shape
    difference = numpy.abs(rows - wanted)
    step, column = numpy.unravel_index(difference.argmax(), difference.shape)
    assert difference[step, column] <= AGREEMENT[step_ns], (
        f"{name}: {outputs(TRIALS[name].fmu)[column].name} after step {step + 1} is {rows[step, column]!r}, "
        f"not {wanted[step, column]!r}"
    )
