"""What an initial unknown doesn't list as a dependency doesn't change it, also when something happens at the start."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from fmpy.fmi1 import FMICallException
from hosting import CONSTRAINTS, MODES, Fmu, Run, unpack

# Starts on the constraint, with an impact that is due and at rest; x or the like moves along.
ON_THE_CONSTRAINT: Mapping[str, Mapping[str, float]] = {
    "BouncingBall": {"y": 0.0, "vx": 0.5},
    "BallOnSine": {"x": 0.0, "y": 0.0, "vx": 0.0},
    "BallOnSine3D": {"x2": 0.0, "x3": 0.0, "v1": 0.5},
    "DoublePendulum": {"theta1": -0.5, "theta2": 0.0, "omega1": 0.1},
    "CartPendulum": {"theta": math.pi / 2, "vx": 0.3},
    "SphericalPendulum": {"theta": math.pi / 2, "omegaPhi": 0.2},
    "BouncingRod": {"y": 0.0, "theta": 1.45, "vx": 0.1},
    "ImpactOscillator": {"x": -0.8, "amplitude": 5.0},
}
APPROACHING: Mapping[str, Mapping[str, float]] = {
    "BouncingBall": {"vy": -1.0},
    "BallOnSine": {"vy": -1.0},
    "BallOnSine3D": {"v3": -1.0},
    "DoublePendulum": {"omega2": -1.0},
    "CartPendulum": {"omega": 1.0},
    "SphericalPendulum": {"omegaTheta": 1.0},
    "BouncingRod": {"vy": -1.0},
    "ImpactOscillator": {"v": 1.0},
}


def starts(system: str) -> Iterator[Mapping[str, float]]:
    yield {}
    if system in CONSTRAINTS:
        resting, approach = ON_THE_CONSTRAINT[system], APPROACHING[system]
        yield resting
        yield {**resting, **approach}
        slowly = {name: 1e-9 * rate for name, rate in approach.items()}
        yield {**resting, **slowly}  # a cascade that is truncated at once


def knowns(fmu: Fmu) -> list[str]:
    return [
        name
        for name, variable in fmu.variables.items()
        if variable.type in ("Real", "Enumeration") and (variable.causality == "input" or variable.initial == "exact")
    ]


def other_values(fmu: Fmu, name: str, value: float) -> Iterator[float]:
    if fmu.variables[name].type == "Enumeration":
        yield from (1.0, 2.0)
    else:
        yield from (value + 0.1 * max(abs(value), 1.0), value - 0.1 * max(abs(value), 1.0), 0.9 * value)


def read_unknowns(fmu: Fmu, start: Mapping[str, float]) -> dict[str, float]:
    names = [unknown.variable.name for unknown in fmu.description.initialUnknowns]
    with Run(fmu, 1e-8, start) as run:
        return dict(zip(names, run.read(names), strict=True))


@pytest.mark.parametrize("system", [*CONSTRAINTS, *MODES])
def test_what_is_not_listed_changes_nothing(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    listed = {
        unknown.variable.name: {known.name for known in unknown.dependencies}
        for unknown in fmu.description.initialUnknowns
    }
    tried = 0
    for start in starts(system):
        before = read_unknowns(fmu, start)
        for known in knowns(fmu):
            value = start.get(known, float(fmu.variables[known].start))
            for other in other_values(fmu, known, value):
                try:
                    after = read_unknowns(fmu, {**start, known: other})
                except FMICallException:
                    continue  # below the constraint, or out of range
                tried += 1
                for unknown, was in before.items():
                    changed = abs(after[unknown] - was) > 1e-12 * (1 + abs(was))  # a start on the constraint is rounded
                    assert not changed or known in listed[unknown], f"{known} changes {unknown} from {start}"
    assert tried >= len(knowns(fmu))
