"""Spring, Kelvin-Voigt and Hunt-Crossley contact against closed forms, and against an integration where there are none."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from compliant_contact import Bounce, Contact, HuntCrossley, KelvinVoigt, bounces, loaded_spring
from hosting import Run, unpack
from mpmath import mpf

TOLERANCE = 1e-11
ACCURACY = 1e-9  # of what is asked, relative
CASES = 20

FLIGHT, CONTACT = 0, 1
RELEASES = {"kinematic": 1, "dynamic": 2}
RESULTS = ["restitution", "duration", "deformation"]
SYSTEMS = ["SpringImpact", "KelvinVoigtImpact", "HuntCrossleyImpact"]

each_system = pytest.mark.parametrize("system", SYSTEMS)
each_release = pytest.mark.parametrize("release", RELEASES)


@dataclass(frozen=True)
class Case:
    """A law of contact, and a mass on its way to it."""

    law: KelvinVoigt | HuntCrossley
    gap: float
    speed: float

    @property
    def touch(self) -> float:
        return self.gap / self.speed

    def start(self, **more: float) -> dict[str, float]:
        parameters = dict(vars(self.law))
        if parameters["c"] == 0:  # the spring alone
            del parameters["c"]
        return parameters | {"x": self.gap, "v": -self.speed} | more

    def __str__(self) -> str:
        return "-".join(f"{value:.3g}" for value in (*vars(self.law).values(), self.gap, self.speed))


def between(draw: random.Random, low: float, high: float) -> float:
    """Evenly in the logarithm."""
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def random_case(draw: random.Random, low: float, high: float) -> Case:
    """With a damping ratio from `low` to `high`."""
    m, k = between(draw, 0.1, 10), between(draw, 10, 1e5)
    damping = 2 * math.sqrt(m * k) * between(draw, low, high) if high > 0 else 0
    return Case(KelvinVoigt(m, k, damping), draw.uniform(0, 1), between(draw, 0.1, 10))


def random_hunt_crossley(draw: random.Random) -> Case:
    """c v/k, which alone decides on restitution, from 0.01 to 3: restitution from 0.99 to 0.3."""
    m, k, speed = between(draw, 0.1, 10), between(draw, 10, 1e5), between(draw, 0.1, 10)
    return Case(HuntCrossley(m, k, between(draw, 0.01, 3) * k / speed, draw.uniform(1, 3)), draw.uniform(0, 1), speed)


def random_cases(low: float, high: float) -> list[Case]:
    draw = random.Random(5)
    return [random_case(draw, low, high) for _ in range(CASES)]


def one_contact(path: Path, start: Mapping[str, float], touch: float, duration: float) -> dict[str, float]:
    """All outputs half a duration after a contact that is expected to last this long."""
    with Run(unpack(path), TOLERANCE, start) as run:
        run.advance(touch + 1.5 * duration)
        names = run.fmu.names("output")
        assert [(transition.source, transition.target) for transition in run.transitions()] == [
            ("flight", "contact"),
            ("contact", "flight"),
        ]
        return dict(zip(names, run.read(names), strict=True))


def assert_contact(found: Mapping[str, float], expected: Contact) -> None:
    for name in RESULTS:
        assert found[name] == pytest.approx(float(getattr(expected, name)), rel=ACCURACY), name


def check_contact(path: Path, case: Case, expected: Contact, **more: float) -> dict[str, float]:
    found = one_contact(path, case.start(**more), case.touch, float(expected.duration))
    assert_contact(found, expected)
    assert found["contactTime"] == pytest.approx(case.touch, rel=ACCURACY)
    assert found["lastTransitionTime"] == pytest.approx(case.touch + float(expected.duration), rel=ACCURACY)
    assert found["approach"] == pytest.approx(case.speed, rel=ACCURACY)
    assert found["v"] == pytest.approx(case.speed * float(expected.restitution), rel=ACCURACY)
    assert found["force"] == 0
    return found


# ---- one contact


@pytest.mark.parametrize("case", random_cases(0, 0), ids=str)
def test_a_spring_gives_back_what_it_got(fmus: Path, case: Case) -> None:
    """[Notes, Eq. (5.3), (5.4)]."""
    expected = case.law.contact(case.speed, "kinematic")
    assert expected.restitution == 1
    check_contact(fmus / "SpringImpact.fmu", case, expected)


@pytest.mark.parametrize("case", random_cases(0.01, 0.9), ids=str)
def test_kinematic_release_comes_with_a_pull(fmus: Path, case: Case) -> None:
    """[Notes, Eq. (5.9)-(5.11)]; at the end the force is -c v."""
    found = check_contact(fmus / "KelvinVoigtImpact.fmu", case, case.law.contact(case.speed, "kinematic"))
    assert found["releaseForce"] == pytest.approx(-case.law.c * found["v"], rel=ACCURACY)
    since = 0.5 * float(case.law.contact(case.speed, "kinematic").duration)
    assert found["x"] == pytest.approx(found["v"] * since, rel=ACCURACY)


@pytest.mark.parametrize("case", [*random_cases(0.01, 0.99), *random_cases(1, 1), *random_cases(1.01, 5)], ids=str)
def test_dynamic_release_comes_before_the_spring_is_back(fmus: Path, case: Case) -> None:
    """Below, at and beyond critical damping: the mass leaves from x = -c v/k and flies on."""
    expected = case.law.contact(case.speed, "dynamic")
    found = check_contact(fmus / "KelvinVoigtImpact.fmu", case, expected, release=RELEASES["dynamic"])
    largest = case.speed * max(case.law.c, math.sqrt(case.law.m * case.law.k))
    assert abs(found["releaseForce"]) <= ACCURACY * largest
    left = -case.law.c / case.law.k * found["v"]
    assert left < 0
    assert found["x"] - 0.5 * float(expected.duration) * found["v"] == pytest.approx(left, rel=100 * ACCURACY)


@pytest.mark.parametrize("number", range(CASES))
def test_hunt_crossley_is_free_of_force_where_it_leaves(fmus: Path, number: int) -> None:
    """[Notes, Eq. (5.12)] claims that x = 0 and f = 0 come together: to the rounding of x here."""
    case = random_hunt_crossley(random.Random(number))
    found = check_contact(fmus / "HuntCrossleyImpact.fmu", case, case.law.contact(case.speed))
    largest = case.law.k * found["deformation"] ** case.law.n
    assert abs(found["releaseForce"]) <= 1e-13 * largest


@pytest.mark.parametrize("zeta", [0, 0.2, 0.9, 1, 3])
def test_the_motion_in_contact_is_that_of_the_notes(fmus: Path, zeta: float) -> None:
    """[Notes, Eq. (5.2), (5.9), (5.10)], in the units of the start; the force of the spring is at most (5.5)."""
    law = KelvinVoigt(m=2.0, k=800.0, c=80.0 * zeta)
    speed = 3.0
    duration = float(law.contact(speed, "kinematic" if zeta < 1 else "dynamic").duration)
    forces = []
    with Run(unpack(fmus / "KelvinVoigtImpact.fmu"), TOLERANCE, dict(vars(law), x=0.0, v=-speed)) as run:
        for number in range(1, 64):
            run.advance(number / 64 * duration)
            x, v, force, mode = run.read(["x", "v", "force", "mode"])
            right_x, right_v = law.state(speed, run.time)
            assert mode == CONTACT
            assert x == pytest.approx(float(right_x), abs=ACCURACY * speed / float(law.omega0))
            assert v == pytest.approx(float(right_v), abs=ACCURACY * speed)
            assert force == -law.k * x - law.c * v
            forces.append(force)
    if zeta == 0:
        assert forces[31] == pytest.approx(math.sqrt(law.m * law.k) * speed, rel=ACCURACY)
        assert max(forces) == forces[31]


@pytest.mark.parametrize("zeta", [1, 1.5, 4])
def test_from_critical_damping_on_a_kinematic_contact_goes_on(fmus: Path, zeta: float) -> None:
    """Until the mass is only 1e-6 of its first way off x = 0."""
    law = KelvinVoigt(m=1.0, k=100.0, c=20.0 * zeta)
    with Run(unpack(fmus / "KelvinVoigtImpact.fmu"), TOLERANCE, vars(law)) as run:
        while (right_x := float(law.state(1.0, run.time)[0])) < -1e-7 or run.time == 0:
            run.advance(run.time + 0.125)
            assert run.read(["mode", "transitions", *RESULTS]) == [CONTACT, 1, 0, 0, 0]
            assert run.get("x") == pytest.approx(float(law.state(1.0, run.time)[0]), abs=1e-10)
        assert run.time > 1
        assert right_x < 0


def test_a_contact_that_dies_away_costs_no_more_than_a_contact(fmus: Path) -> None:
    """exp(-30 t) is below the least double after 25 s: nothing is left then that moves."""
    law = KelvinVoigt(m=1.0, k=1000.0, c=2.0002 * math.sqrt(1000.0))
    with Run(unpack(fmus / "KelvinVoigtImpact.fmu"), TOLERANCE, vars(law)) as run:
        run.advance(60.0)
        assert run.read(["x", "v"]) == pytest.approx([0, 0], abs=1e-9)
        assert run.statistics().steps < 100000  # some starts anew where x is zero but for rounding


# ---- how a contact begins, and how not


@each_system
def test_a_start_on_the_way_in_is_in_contact_at_once(fmus: Path, system: str) -> None:
    with Run(unpack(fmus / f"{system}.fmu"), TOLERANCE) as run:
        assert run.read(["mode", "transitions", "lastTransitionTime", "approach"]) == [CONTACT, 1, 0, 1]
        run.advance(1e-3)
        assert run.get("force") > 0


@each_system
@pytest.mark.parametrize("x", [0.0, 0.25])
def test_a_start_on_the_way_out_is_in_flight_for_good(fmus: Path, system: str, x: float) -> None:
    with Run(unpack(fmus / f"{system}.fmu"), TOLERANCE, {"x": x, "v": 1.0}) as run:
        assert run.read(["mode", "transitions"]) == [FLIGHT, 0]
        run.advance(2.0)
        assert run.read(["mode", "transitions", "v"]) == [FLIGHT, 0, 1]
        assert run.get("x") == pytest.approx(x + 2, rel=1e-12)


@each_system
def test_a_mass_at_rest_on_the_surface_is_pressed_into_it(fmus: Path, system: str) -> None:
    """x = v = 0 and a force: contact begins at once, at no speed; there is nothing that restitution could compare with."""
    with Run(unpack(fmus / f"{system}.fmu"), TOLERANCE, {"x": 0.0, "v": 0.0, "F": -2.0}) as run:
        run.advance(0.03125)
        mode, transitions, time, approach, x = run.read(["mode", "transitions", "lastTransitionTime", "approach", "x"])
        assert (mode, transitions, time, approach) == (CONTACT, 1, 0, 0)
        assert x < 0
        run.set({"F": 100.0})  # away from it, before it has swung back on its own
        run.advance(0.5)
        assert run.read(["mode", "transitions", "restitution"]) == [FLIGHT, 2, 0]
        assert run.get("deformation") > 0


@each_system
def test_results_of_a_contact_are_shown_after_it(fmus: Path, system: str) -> None:
    """And those of the last one while the next one lasts."""
    with Run(unpack(fmus / f"{system}.fmu"), TOLERANCE, {"F": -5.0}) as run:
        shown = set()
        for number in range(1, 2001):
            run.advance(number / 1000)
            mode, transitions, *results = run.read(["mode", "transitions", *RESULTS])
            assert mode == transitions % 2
            assert any(results) == (transitions >= 2)
            shown.add((transitions // 2, *results))
        assert run.get("transitions") >= 5
        assert len(shown) == len({contacts for contacts, *_ in shown})


# ---- one contact after another


def read_bounces(path: Path, start: Mapping[str, float], expected: list[Bounce]) -> None:
    """The results of each contact in turn, read about the middle of the flight after it."""
    with Run(unpack(path), TOLERANCE, start) as run:
        for bounce, following in zip(expected, expected[1:], strict=False):
            end = bounce.begin + bounce.contact.duration
            run.advance(round(float(end + following.begin) * 512) / 1024)
            found = dict(zip(RESULTS, run.read(RESULTS), strict=True))
            assert_contact(found, bounce.contact)
            assert run.get("contactTime") == pytest.approx(float(bounce.begin), rel=ACCURACY, abs=ACCURACY)
            assert run.get("approach") == pytest.approx(float(bounce.approach), rel=ACCURACY)
        assert run.get("transitions") == 2 * (len(expected) - 1)


@pytest.mark.parametrize("seed", range(5))
def test_a_spring_under_load_bounces_on_and_on(fmus: Path, seed: int) -> None:
    """Every contact is like the first, and every flight lasts 2 m v/load."""
    draw = random.Random(seed)
    m, k, load, speed = between(draw, 0.5, 2), between(draw, 50, 500), between(draw, 1, 20), between(draw, 0.5, 2)
    contact = loaded_spring(m, k, load, speed)
    period = contact.duration + 2 * m * mpf(speed) / load
    expected = [Bounce(number * period, mpf(speed), contact) for number in range(26)]
    read_bounces(fmus / "SpringImpact.fmu", {"m": m, "k": k, "F": -load, "v": -speed}, expected)


@each_release
@pytest.mark.parametrize("seed", range(3))
def test_a_damped_mass_under_load_bounces_until_it_rests(fmus: Path, release: str, seed: int) -> None:
    draw = random.Random(seed)
    law = KelvinVoigt(between(draw, 0.5, 2), between(draw, 200, 2000), between(draw, 0.5, 2))
    expected = bounces(law, 2.0, release, 3.0, 8)
    start = dict(vars(law), v=-2.0, F=-3.0, release=RELEASES[release])
    read_bounces(fmus / "KelvinVoigtImpact.fmu", start, expected)


def test_hunt_crossley_under_load_bounces(fmus: Path) -> None:
    law = HuntCrossley(1.5, 800.0, 40.0, 1.5)
    read_bounces(fmus / "HuntCrossleyImpact.fmu", dict(vars(law), v=-2.0, F=-3.0), bounces(law, 2.0, "kinematic", 3.0, 8))


def test_a_mass_under_load_comes_to_rest_in_contact(fmus: Path) -> None:
    """Once too slow to leave, it settles where the spring carries the load."""
    start = {"c": 20.0, "F": -5.0, "v": -1.0}
    with Run(unpack(fmus / "KelvinVoigtImpact.fmu"), TOLERANCE, start) as run:
        run.advance(10.0)
        mode, x, v, force = run.read(["mode", "x", "v", "force"])
    assert mode == CONTACT
    assert [x, v, force] == pytest.approx([-5 / 1000, 0, 5], abs=1e-9)


def test_a_mass_that_turns_round_below_the_surface_finds_no_contact(fmus: Path) -> None:
    """`dynamic` release lets go at x < 0; the next contact begins only after x >= 0."""
    law = KelvinVoigt(1.0, 100.0, 60.0)
    with Run(unpack(fmus / "KelvinVoigtImpact.fmu"), TOLERANCE, dict(vars(law), release=RELEASES["dynamic"])) as run:
        run.advance(0.5)
        mode, x, v = run.read(["mode", "x", "v"])
        assert (mode, x < 0 < v) == (FLIGHT, True)
        run.set({"F": -2 * v**2 / -x})  # it stops after a quarter of the way to x = 0
        run.advance(1.0)
        assert run.read(["mode", "transitions"]) == [FLIGHT, 2]
        assert run.get("x") < x


@each_release
def test_only_what_the_model_says_is_logged(fmus: Path, release: str) -> None:
    """The deepest point is noted in passing: it is no transition."""
    with Run(unpack(fmus / "KelvinVoigtImpact.fmu"), TOLERANCE, {"release": RELEASES[release], "F": -3.0}) as run:
        run.advance(0.4)
        events = [text for category, text in run.messages if category == "logEvents"]
        assert len(events) == run.get("transitions") == len(run.transitions())
        assert run.get("deepest") > 0
