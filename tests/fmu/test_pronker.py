"""The pronking runner [Burden, V-C]: published times, an independent integration, energy, and no regard to order."""

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from hosting import Run, Transition, unpack
from pronking import Pronker
from reversed_model import export_reversed

TOLERANCE = 1e-11
ACCURACY = 1e-9
STOP = 0.9

PARAMETERS = {"m": 1.0, "I": 1.0, "k": 30.0, "l": 1.0, "d": 1.0, "g": 9.81, "psi": math.pi / 5}
STATE = {"x": 0.0, "z": 1.1, "theta": 0.0, "vx": 3.425, "vz": 0.0, "omega": 0.0}
SAMPLES = [number / 32 for number in range(1, 29)] + [STOP]

# Legs on the ground in each mode.
STANDING = {"aerial": set(), "left": {"left"}, "right": {"right"}, "ground": {"left", "right"}}

Start = Mapping[str, float]


def random_start(seed: int) -> Start:
    """A runner like the published one, that pitches a little."""
    draw = random.Random(seed)
    near = {name: value * draw.uniform(0.9, 1.1) for name, value in PARAMETERS.items()}
    state = {"z": draw.uniform(1.0, 1.2), "vx": draw.uniform(3.0, 3.8), "theta": draw.uniform(-0.1, 0.1)}
    return near | state | {"omega": draw.uniform(-0.3, 0.3), "vz": draw.uniform(-0.3, 0.3)}


STARTS: Mapping[str, Start] = {
    "published": {},
    "pitching": {"omega": -0.4},
    "pitching up": {"omega": 0.4},
    **{f"random {seed}": random_start(seed) for seed in range(4)},
}
each_start = pytest.mark.parametrize("name", STARTS)


@cache
def reference(name: str) -> tuple[list[list[float]], list[tuple[float, str, bool]], float]:
    """The states at the samples' times; the events as time, leg, touchdown; the energy."""
    given = PARAMETERS | STATE | STARTS[name]
    runner = Pronker(given, [given[state] for state in STATE])
    energy = float(runner.energy())
    states = []
    for time in SAMPLES:
        runner.run(time)
        states.append([float(value) for value in runner.state])
    return states, [(float(event.time), event.leg, event.down) for event in runner.events], energy


def simulate(path: Path, start: Start, times: Sequence[float] = SAMPLES) -> tuple[list[list[float]], list[Transition]]:
    states = []
    with Run(unpack(path), TOLERANCE, start) as run:
        for time in times:
            run.advance(time)
            states.append(run.read(list(STATE)))
        return states, run.transitions()


def events_of(transitions: Sequence[Transition]) -> list[tuple[float, str, bool]]:
    """As time, leg, touchdown; legs with events at the same time in the order of the alphabet."""
    found = []
    for transition in transitions:
        before, after = STANDING[transition.source], STANDING[transition.target]
        (leg,) = before ^ after
        found.append((transition.time, leg, leg in after))
    return sorted(found)


# ---- published


def test_without_pitch_both_legs_touch_down_and_lift_off_together(fmus: Path) -> None:
    _, transitions = simulate(fmus / "Pronker.fmu", {})
    times = [transition.time for transition in transitions]
    assert times == pytest.approx([0.24356468, 0.24356468, 0.67242438, 0.67242438], abs=ACCURACY + 0.5e-8)
    assert times[0] == times[1]
    assert times[2] == times[3]
    assert [transition.target for transition in transitions[1::2]] == ["ground", "aerial"]


def test_with_pitch_one_leg_comes_after_the_other(fmus: Path) -> None:
    _, transitions = simulate(fmus / "Pronker.fmu", {"omega": -0.4})
    times = [transition.time for transition in transitions]
    assert times == pytest.approx([0.20436662, 0.24195313, 0.60235785, 0.60693104], abs=ACCURACY + 0.5e-8)
    assert [transition.target for transition in transitions] == ["right", "ground", "left", "aerial"]


def test_any_pronk_has_both_legs_together(fmus: Path) -> None:
    """Far from x = 0 too, where the feet's positions have larger rounding errors."""
    for seed in range(100):
        draw = random.Random(seed)
        start = {name: PARAMETERS[name] * draw.uniform(0.8, 1.2) for name in ("m", "I", "k", "d", "psi")}
        start |= {"z": draw.uniform(0.95, 1.3), "vx": draw.uniform(3.0, 3.8), "vz": draw.uniform(-0.5, 0.5)}
        start |= {"x": draw.choice([0.0, -0.7, 100.0, -1e4])}
        (state,), transitions = simulate(fmus / "Pronker.fmu", start, [STOP])
        times = [transition.time for transition in transitions]
        assert len(times) in (2, 4, 6)
        assert times[::2] == pytest.approx(times[1::2], abs=1e-12), f"seed {seed}"
        assert abs(state[list(STATE).index("theta")]) < 1e-12, f"seed {seed}"


def test_the_last_transition_is_shown(fmus: Path) -> None:
    """In steps in which at most one leg has an event."""
    seen = []
    with Run(unpack(fmus / "Pronker.fmu"), TOLERANCE, {"omega": -0.4}) as run:
        for number in range(1, 901):
            run.advance(number / 1000)
            mode, transitions, time = run.read(["mode", "transitions", "lastTransitionTime"])
            if transitions > len(seen):
                assert transitions == len(seen) + 1
                seen.append((mode, time))
        assert seen == [
            (["aerial", "left", "right", "ground"].index(transition.target), transition.time)
            for transition in run.transitions()
        ]
    assert len(seen) == 4


# ---- against the reference


@each_start
def test_events_come_at_their_time(fmus: Path, name: str) -> None:
    _, transitions = simulate(fmus / "Pronker.fmu", STARTS[name])
    expected = sorted(reference(name)[1])
    found = events_of(transitions)
    assert len(expected) >= 4
    assert [event[1:] for event in found] == [event[1:] for event in expected]
    assert [event[0] for event in found] == pytest.approx([event[0] for event in expected], abs=ACCURACY)


@each_start
def test_states_follow_the_reference(fmus: Path, name: str) -> None:
    states, _ = simulate(fmus / "Pronker.fmu", STARTS[name])
    for time, state, expected in zip(SAMPLES, states, reference(name)[0], strict=True):
        assert state == pytest.approx(expected, abs=ACCURACY), f"at {time}"


@each_start
def test_energy_of_body_and_springs_is_constant(fmus: Path, name: str) -> None:
    energy = reference(name)[2]
    stored = 0.0
    with Run(unpack(fmus / "Pronker.fmu"), TOLERANCE, STARTS[name]) as run:
        for number in range(1, 901):
            run.advance(number / 1000)
            body, springs, total = run.read(["bodyEnergy", "springEnergy", "totalEnergy"])
            assert total == pytest.approx(energy, abs=ACCURACY), f"at {run.time}"
            assert total == pytest.approx(body + springs, rel=1e-15)
            stored = max(stored, springs)
    assert stored > 1  # J: the springs take part


def test_what_is_shown_of_the_legs(fmus: Path) -> None:
    """In the air a leg has its length at rest and no force, on the ground no height; its force is that of its spring."""
    with Run(unpack(fmus / "Pronker.fmu"), TOLERANCE, {"omega": -0.4}) as run:
        for number in range(1, 181):
            run.advance(number / 200)
            mode = ["aerial", "left", "right", "ground"][int(run.get("mode"))]
            x, z, theta = run.read(["x", "z", "theta"])
            for leg, side in (("left", -0.5), ("right", 0.5)):
                title = leg.title()
                height, length, force, foot = run.read([f"{what}{title}" for what in ("height", "length", "force", "foot")])
                hip = x + side * math.cos(theta), z + side * math.sin(theta)
                if leg in STANDING[mode]:
                    assert height == 0
                    assert length == pytest.approx(math.hypot(hip[0] - foot, hip[1]), rel=1e-14)
                    assert force == pytest.approx(30 * (1 - length), rel=1e-14)
                    assert force > 0
                else:
                    assert (length, force) == (1, 0)
                    assert height == pytest.approx(hip[1] - math.cos(theta + math.pi / 5), abs=1e-14)


# ---- the order of transitions in the file


@pytest.fixture(scope="module")
def opposite(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export_reversed(root, "Pronker", tmp_path_factory.mktemp("opposite"))


@each_start
def test_the_order_of_transitions_in_the_file_does_not_matter(fmus: Path, opposite: Path, name: str) -> None:
    states, transitions = simulate(fmus / "Pronker.fmu", STARTS[name])
    others, other_transitions = simulate(opposite, STARTS[name])
    for state, other in zip(states, others, strict=True):
        assert state == pytest.approx(other, abs=ACCURACY)
    found, other_found = events_of(transitions), events_of(other_transitions)
    assert [event[1:] for event in found] == [event[1:] for event in other_found]
    assert [event[0] for event in found] == pytest.approx([event[0] for event in other_found], abs=ACCURACY)
    if name == "published":  # it is another order indeed
        assert transitions[0].target != other_transitions[0].target
