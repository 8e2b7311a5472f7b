"""What communication steps do to the results: nothing, to the last bit, and not one solver step more."""

import random
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hosting import CONSTRAINTS, Fmu, Run, Statistics, unpack

TOLERANCE = 1e-8


@dataclass(frozen=True)
class Outcome:
    outputs: Mapping[float, Mapping[str, float]]  # by time, by name
    work: Statistics


each_system = pytest.mark.parametrize("system", CONSTRAINTS)


def grid(stop: float, per_second: int) -> list[float]:
    """Times number / per_second: being rounded correctly, grids share the times that they have in common."""
    return [number / per_second for number in range(1, round(stop * per_second) + 1) if number / per_second <= stop]


def irregular(stop: float, common: Iterable[float]) -> list[float]:
    """Steps from far below the solver's to many of them, that also meet the common times."""
    draw = random.Random(7)
    times = {draw.uniform(0, stop) for _ in range(300)}
    close = {time + 2.0 ** -draw.randint(10, 40) for time in sorted(times)[::6]}
    return sorted(time for time in times | close | set(common) if 0 < time <= stop)


def nothing(_: Run) -> None:
    """Between steps."""


def drive(
    fmu: Fmu,
    times: Sequence[float],
    common: Iterable[float],
    start: Mapping[str, float] | None = None,
    before_step: Callable[[Run], None] = nothing,
) -> Outcome:
    wanted = set(common)
    outputs = {}
    with Run(fmu, TOLERANCE, start or {}) as run:
        for time in times:
            before_step(run)
            run.advance(time)
            if time in wanted:
                outputs[time] = dict(zip(fmu.names("output"), run.read(fmu.names("output")), strict=True))
        return Outcome(outputs, run.statistics())


def assert_same_bits(found: Outcome, expected: Outcome) -> None:
    """At the times that both have; the numbers are shown so that they can be told apart."""
    for time in found.outputs.keys() & expected.outputs.keys():
        for name, value in found.outputs[time].items():
            other = expected.outputs[time][name]
            assert struct.pack("d", value) == struct.pack("d", other), f"{name} at {time!r}: {value!r}, not {other!r}"
    assert found.work == expected.work


@each_system
def test_results_have_the_same_bits_whatever_the_steps(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    common = grid(fmu.stop_time, 100)
    expected = drive(fmu, common, common)
    assert_same_bits(drive(fmu, grid(common[-1], 1000), common), expected)
    assert_same_bits(drive(fmu, irregular(common[-1], common), common), expected)
    assert_same_bits(drive(fmu, [common[-1]], common), expected)


@each_system
def test_very_small_steps_cost_no_solver_step(fmus: Path, system: str) -> None:
    """Shorter, because there are so many."""
    fmu = unpack(fmus / f"{system}.fmu")
    common = grid(min(fmu.stop_time, 2.0), 100)
    assert_same_bits(drive(fmu, grid(common[-1], 10000), common), drive(fmu, common, common))


@each_system
def test_inputs_set_again_to_what_they_are_change_nothing(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    common = grid(fmu.stop_time, 100)
    inputs = {name: 0.25 / (1 + number) for number, name in enumerate(fmu.names("input"))}
    assert inputs
    expected = drive(fmu, common, common, inputs)
    assert_same_bits(drive(fmu, common, common, inputs, lambda run: run.set(inputs)), expected)
    assert expected.outputs != drive(fmu, common, common).outputs


@each_system
def test_reading_and_parameters_set_again_change_nothing(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    common = grid(fmu.stop_time, 20)
    outputs = fmu.names("output")
    tunable = {
        name: float(variable.start)
        for name, variable in fmu.variables.items()
        if variable.causality == "parameter" and variable.variability == "tunable" and variable.type == "Real"
    }

    def touch(run: Run) -> None:
        run.read(outputs)
        run.set(tunable)

    assert tunable
    assert_same_bits(drive(fmu, common, common, before_step=touch), drive(fmu, common, common))
