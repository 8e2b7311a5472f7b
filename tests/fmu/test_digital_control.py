"""Two thresholds at once, and the executions close by [Burden, V-A]: rates are constant, so all is known exactly."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hosting import MODES, Run, Transition, unpack

TOLERANCE = 1e-10
ACCURACY = 1e-12  # polynomials of degree 1 leave rounding errors only
STOP = 3.0

Rates = Sequence[tuple[float, float]]  # by mode
RATES: Rates = [(1, 1), (0.5, 1), (1, 0.5), (0.5, 0.25)]

DISTANCES = [10.0**-power for power in range(1, 9)]
# What is added to xi1, xi2 at the start: whoever is behind crosses later.
SIDES = {"xi1 behind": (-1, 0), "xi2 behind": (0, -1), "xi1 ahead": (1, 0), "xi2 ahead": (0, 1)}
FIRST = {"xi1 behind": "second", "xi2 behind": "first", "xi1 ahead": "first", "xi2 ahead": "second"}


@dataclass(frozen=True)
class Crossing:
    time: Fraction
    mode: str  # that it leads to


class Exact:
    """The execution in fractions, from below both thresholds; where both are crossed at once, xi1 is taken first."""

    def __init__(self, start: Sequence[float], rates: Rates = RATES) -> None:
        self.rates = [tuple(Fraction(rate) for rate in pair) for pair in rates]
        time, xi, mode = Fraction(0), [Fraction(value) for value in start], 0
        self.pieces = [(time, tuple(xi), mode)]
        while mode != 3:
            waiting = [number for number in (0, 1) if not mode & 1 << number]
            way, number = min((-xi[number] / self.rates[mode][number], number) for number in waiting)
            time, xi = time + way, [value + way * rate for value, rate in zip(xi, self.rates[mode], strict=True)]
            mode |= 1 << number
            self.pieces.append((time, tuple(xi), mode))

    def crossings(self) -> list[Crossing]:
        return [Crossing(time, MODES["DigitalControl"][mode]) for time, _, mode in self.pieces[1:]]

    def state(self, time: float) -> list[float]:
        begin, xi, mode = [piece for piece in self.pieces if piece[0] <= time][-1]
        return [float(value + (Fraction(time) - begin) * rate) for value, rate in zip(xi, self.rates[mode], strict=True)]


def parameters(rates: Rates) -> dict[str, float]:
    return {f"xi{number + 1}Rate{mode}": pair[number] for mode, pair in enumerate(rates) for number in (0, 1)}


def execute(path: Path, start: Mapping[str, float], times: Sequence[float]) -> tuple[list[list[float]], list[Transition]]:
    """The states at these times, and the transitions."""
    states = []
    with Run(unpack(path), TOLERANCE, start) as run:
        for time in times:
            run.advance(time)
            states.append(run.read(["xi1", "xi2"]))
        assert run.get("transitions") == len(run.transitions())
        return states, run.transitions()


GRID = [number / 64 for number in range(1, round(STOP * 64) + 1)]


def test_both_thresholds_are_crossed_at_once(fmus: Path) -> None:
    states, transitions = execute(fmus / "DigitalControl.fmu", {}, GRID)
    assert [transition.time for transition in transitions] == pytest.approx([1, 1], abs=ACCURACY)
    assert transitions[0].source == "neither"
    assert transitions[0].target == transitions[1].source
    assert transitions[1].target == "both"
    exact = Exact((-1, -1))
    for time, state in zip(GRID, states, strict=True):
        assert state == pytest.approx(exact.state(time), abs=ACCURACY)


def test_the_mode_after_both_thresholds_is_shown_at_that_very_time(fmus: Path) -> None:
    with Run(unpack(fmus / "DigitalControl.fmu"), TOLERANCE) as run:
        run.advance(0.9375)
        assert run.read(["mode", "transitions", "lastTransitionTime"]) == [0, 0, 0]
        run.advance(1.0625)
        assert run.read(["mode", "transitions"]) == [3, 2]
        assert run.get("lastTransitionTime") == pytest.approx(1, abs=ACCURACY)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("side", SIDES)
def test_a_neighbour_takes_another_way_and_stays_close(fmus: Path, side: str, distance: float) -> None:
    """Modes 0, 1, 3 on one side and 0, 2, 3 on the other; states differ by no more than at the start."""
    start = [-1 + distance * toward for toward in SIDES[side]]
    exact, nominal = Exact(start), Exact((-1, -1))
    states, transitions = execute(fmus / "DigitalControl.fmu", {"xi1": start[0], "xi2": start[1]}, GRID)
    assert [transition.target for transition in transitions] == [FIRST[side], "both"]
    assert [crossing.mode for crossing in exact.crossings()] == [FIRST[side], "both"]
    for transition, crossing in zip(transitions, exact.crossings(), strict=True):
        assert transition.time == pytest.approx(float(crossing.time), abs=ACCURACY)
    differences = []
    for time, state in zip(GRID, states, strict=True):
        assert state == pytest.approx(exact.state(time), abs=ACCURACY)
        differences.append(max(abs(a - b) for a, b in zip(state, nominal.state(time), strict=True)))
    # First order: they are the distance itself up to the thresholds, and no larger behind them.
    assert max(differences) == pytest.approx(distance, abs=ACCURACY)
    # 1/2 and 1/4 are the rates of mode 3 by those of mode 0; what the late one gets more of in between is of first order too.
    assert distance / 8 < differences[-1] <= distance


@pytest.mark.parametrize("distance", DISTANCES)
def test_in_between_a_neighbour_is_in_its_own_mode(fmus: Path, distance: float) -> None:
    for side, target in FIRST.items():
        start = [-1 + distance * toward for toward in SIDES[side]]
        first, second = (float(crossing.time) for crossing in Exact(start).crossings())
        middle = first + (second - first) / 2
        with Run(unpack(fmus / "DigitalControl.fmu"), TOLERANCE, {"xi1": start[0], "xi2": start[1]}) as run:
            run.slave.doStep(0.0, middle)
            assert MODES["DigitalControl"][int(run.get("mode"))] == target


@pytest.mark.parametrize("seed", range(20))
def test_any_rates_and_starts(fmus: Path, seed: int) -> None:
    draw = random.Random(seed)
    rates = [(draw.uniform(0.25, 2), draw.uniform(0.25, 2)) for _ in range(4)]
    start = [-draw.uniform(0.25, 1), -draw.uniform(0.25, 1)]
    exact = Exact(start, rates)
    given = {"xi1": start[0], "xi2": start[1], **parameters(rates)}
    states, transitions = execute(fmus / "DigitalControl.fmu", given, GRID)
    expected = [crossing for crossing in exact.crossings() if crossing.time < STOP]
    assert [transition.target for transition in transitions] == [crossing.mode for crossing in expected]
    for transition, crossing in zip(transitions, expected, strict=True):
        assert transition.time == pytest.approx(float(crossing.time), abs=ACCURACY)
    for time, state in zip(GRID, states, strict=True):
        assert state == pytest.approx(exact.state(time), abs=ACCURACY)


def test_thresholds_crossed_at_once_but_for_rounding(fmus: Path) -> None:
    """Rounding errors of the start and of the solver decide which comes first; neither is lost, the states are the same."""
    for seed in range(300):
        draw = random.Random(seed)
        rates = [(draw.uniform(0.25, 2), draw.uniform(0.25, 2)) for _ in range(4)]
        time = draw.uniform(0.25, 1)
        start = [-time * rate for rate in rates[0]]
        given = {"xi1": start[0], "xi2": start[1], **parameters(rates)}
        (state,), transitions = execute(fmus / "DigitalControl.fmu", given, [STOP])
        found = [transition.time for transition in transitions]
        assert found == pytest.approx([time, time], abs=ACCURACY), f"seed {seed}"
        assert state == pytest.approx(Exact(start, rates).state(STOP), abs=ACCURACY), f"seed {seed}"


def test_a_start_on_both_thresholds(fmus: Path) -> None:
    with Run(unpack(fmus / "DigitalControl.fmu"), TOLERANCE, {"xi1": 0.0, "xi2": 0.0}) as run:
        assert run.read(["mode", "transitions", "lastTransitionTime"]) == [3, 2, 0]
        run.advance(2.0)
        assert run.read(["xi1", "xi2"]) == pytest.approx([1, 0.5], abs=ACCURACY)
