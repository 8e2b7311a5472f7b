"""Derivatives against differences: of outputs with respect to inputs, of outputs and inputs with respect to time."""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hosting import CONSTRAINTS, Fmu, Run, unpack

TOLERANCE = 1e-10

each_system = pytest.mark.parametrize("system", CONSTRAINTS)


def differentiable(fmu: Fmu) -> list[str]:
    """The Real outputs but the radii of stability, which come from a search."""
    return [
        name for name in fmu.names("output") if fmu.variables[name].type == "Real" and ".stability." not in name
    ]  # fmt: skip


def references(fmu: Fmu, names: Sequence[str]) -> list[int]:
    return [fmu.variables[name].valueReference for name in names]


def moments(run: Run, count: int = 12) -> Iterator[float]:
    """Carries a run with forces through its experiment, with stops in flight and in contact."""
    for number in range(1, count + 1):
        run.set({name: 0.05 * (number % 5 - 2) for name in run.fmu.names("input")})
        run.advance(run.fmu.stop_time * number / count)
        yield run.time


# ---- With respect to inputs


def directional(run: Run, outputs: Sequence[str], force: str) -> list[float]:
    return run.slave.getDirectionalDerivative(references(run.fmu, outputs), references(run.fmu, [force]), [1.0])


def difference(run: Run, outputs: Sequence[str], force: str) -> list[float]:
    """Exact but for rounding, since forces enter linearly."""
    size = 2.0**-10
    middle = run.get(force)
    run.set({force: middle + size})
    above = run.read(outputs)
    run.set({force: middle - size})
    below = run.read(outputs)
    run.set({force: middle})
    return [(a - b) / (2 * size) for a, b in zip(above, below, strict=True)]


@each_system
def test_directional_derivatives_are_those_of_differences(fmus: Path, system: str) -> None:
    with Run(unpack(fmus / f"{system}.fmu"), TOLERANCE) as run:
        outputs = differentiable(run.fmu)
        for _ in moments(run):
            for force in run.fmu.names("input"):
                # Rounding of values of some hundreds at most, divided by the difference of the inputs.
                expected = pytest.approx(difference(run, outputs, force), rel=1e-9, abs=1e-9)
                assert directional(run, outputs, force) == expected


@each_system
def test_derivatives_are_zero_just_where_no_dependency_is_declared(fmus: Path, system: str) -> None:
    with Run(unpack(fmus / f"{system}.fmu"), TOLERANCE) as run:
        outputs = differentiable(run.fmu)
        declared = {
            (unknown.variable.name, known.name)
            for unknown in run.fmu.description.outputs
            for known in unknown.dependencies
            if known.causality == "input" and unknown.variable.name in outputs
        }
        seen = set()
        for _ in moments(run):
            for force in run.fmu.names("input"):
                found = zip(outputs, directional(run, outputs, force), strict=True)
                seen |= {(output, force) for output, value in found if value != 0}
        assert seen == declared


# ---- With respect to time

# A central difference of fourth order, error size^4 / 30 of the fifth derivative; the solver's own errors count 1 / size
# times, which is why it has its tightest tolerance here.
SIZE = 2.0**-11
STENCIL = {-2: 1 / 12, -1: -8 / 12, 1: 8 / 12, 2: -1 / 12}


def push_smoothly(run: Run) -> None:
    """Forces that change from now on."""
    inputs = references(run.fmu, run.fmu.names("input"))
    for order, value in ((1, 0.3), (2, -0.2)):
        run.slave.setRealInputDerivatives(inputs, [order] * len(inputs), [value] * len(inputs))


def differentiate(run: Run, outputs: Sequence[str]) -> tuple[list[float], list[float]]:
    """From here on over four small steps: the derivatives in the middle, and what differences say."""
    sums = [0.0] * len(outputs)
    derivatives: list[float] = []
    start = run.time
    for place in (-2, -1, 0, 1, 2):
        if place == 0:
            derivatives = run.slave.getRealOutputDerivatives(references(run.fmu, outputs), [1] * len(outputs))
        else:
            sums = [total + STENCIL[place] * value for total, value in zip(sums, run.read(outputs), strict=True)]
        if place < 2:
            run.advance(start + (place + 3) * SIZE)
    return derivatives, [total / SIZE for total in sums]


@each_system
def test_output_derivatives_are_those_of_differences(fmus: Path, system: str) -> None:
    compared = {False: 0, True: 0}
    with Run(unpack(fmus / f"{system}.fmu"), 1e-12) as run:
        outputs = differentiable(run.fmu)
        for _ in moments(run, 40):
            push_smoothly(run)
            events = len(run.events())
            derivatives, differences = differentiate(run, outputs)
            if len(run.events()) > events:
                continue  # no derivative across an event
            assert derivatives == pytest.approx(differences, rel=1e-8, abs=1e-8)
            compared[run.get(f"{CONSTRAINTS[system]}.closed") != 0] += 1
    assert compared[False] > 0
    assert compared[True] > 0


# ---- Forces that are given through their derivatives


def simulate(fmu: Fmu, steps: int, per_second: int, apply: Callable[[Run, float, float], None]) -> list[list[float]]:
    """Coordinates and rates at every half second; `apply` sets the force before a step from a time of a size."""
    states = [name for name in fmu.names("output") if fmu.variables[name].initial == "exact"]
    seen = []
    with Run(fmu, TOLERANCE) as run:
        for number in range(steps):
            apply(run, number / per_second, 1 / per_second)
            run.advance((number + 1) / per_second)
            if 2 * (number + 1) % per_second == 0:
                seen.append(run.read(states))
    return seen


def give_derivatives(force: str, signal: Sequence[Callable[[float], float]]) -> Callable[[Run, float, float], None]:
    """Value and derivatives of a force, all at the beginning of the step."""

    def apply(run: Run, time: float, _size: float) -> None:
        run.set({force: signal[0](time)})
        orders = list(range(1, len(signal)))
        inputs = references(run.fmu, [force]) * len(orders)
        run.slave.setRealInputDerivatives(inputs, orders, [signal[order](time) for order in orders])

    return apply


def hold_middle(force: str, signal: Callable[[float], float]) -> Callable[[Run, float, float], None]:
    """The force that a host without derivatives gives: constant in a step, of second order."""

    def apply(run: Run, time: float, size: float) -> None:
        run.set({force: signal(time + size / 2)})

    return apply


@pytest.mark.parametrize(("system", "force"), [("DoublePendulum", "tau1"), ("BallOnSine", "Fx"), ("BouncingRod", "tau")])
def test_a_ramp_in_coarse_steps_equals_one_in_fine_steps(fmus: Path, system: str, force: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    ramp = [lambda time: 0.05 * time, lambda _: 0.05]
    coarse = simulate(fmu, 4, 2, give_derivatives(force, ramp))
    fine = simulate(fmu, 4000, 2000, hold_middle(force, ramp[0]))
    for few, many in zip(coarse, fine, strict=True):
        assert few == pytest.approx(many, rel=1e-7, abs=1e-7)


def test_a_smooth_force_is_followed_by_derivatives_of_high_order(fmus: Path) -> None:
    fmu = unpack(fmus / "DoublePendulum.fmu")

    def derivative(order: int) -> Callable[[float], float]:
        return lambda time: 0.1 * math.sin(2 * time + order * math.pi / 2) * 2.0**order

    coarse = simulate(fmu, 16, 8, give_derivatives("tau1", [derivative(order) for order in range(8)]))
    fine = simulate(fmu, 4000, 2000, hold_middle("tau1", derivative(0)))
    for few, many in zip(coarse, fine, strict=True):
        assert few == pytest.approx(many, rel=1e-7, abs=1e-7)


def test_setting_a_force_again_ends_its_derivatives(fmus: Path) -> None:
    with Run(unpack(fmus / "BouncingBall.fmu")) as run:
        force = references(run.fmu, ["Fx"])
        run.slave.setReal(force, [1.0])
        run.slave.setRealInputDerivatives(force, [1], [2.0])
        assert run.slave.getRealOutputDerivatives(references(run.fmu, ["der(vx)"]), [1]) == [2.0]
        run.advance(0.5)
        assert run.get("Fx") == 2.0
        run.slave.setReal(force, [2.0])
        assert run.slave.getRealOutputDerivatives(references(run.fmu, ["der(vx)"]), [1]) == [0.0]
        run.advance(1.0)
        assert run.get("Fx") == 2.0
