"""The closed forms of contacts against an integration that knows none of them."""

import mpmath
import pytest
from compliant_contact import Contact, HuntCrossley, KelvinVoigt, bounces, integrate_contact, loaded_spring
from extrapolation import integrate
from mpmath import mpf

SPEED = 1.375
ACCURACY = 1e-15  # the integration has 20 digits; where the mass comes back slowly, the time of release loses some


def assert_agree(found: Contact, expected: Contact, accuracy: float) -> None:
    for name in ("duration", "deformation", "restitution"):
        value, right_value = getattr(found, name), getattr(expected, name)
        assert abs(value - right_value) <= accuracy * abs(right_value), name


@pytest.mark.parametrize("zeta", [0, 0.05, 0.3, 0.9])
def test_kinematic_release(zeta: float) -> None:
    law = KelvinVoigt(m=0.75, k=48, c=12 * zeta)
    assert_agree(integrate_contact(law, SPEED, "kinematic").contact, law.contact(SPEED, "kinematic"), ACCURACY)


@pytest.mark.parametrize("zeta", [0.05, 0.3, 0.9, 0.9999, 1, 1.0001, 1.5, 4])
def test_dynamic_release(zeta: float) -> None:
    law = KelvinVoigt(m=0.75, k=48, c=12 * zeta)
    assert_agree(integrate_contact(law, SPEED, "dynamic").contact, law.contact(SPEED, "dynamic"), ACCURACY)


@pytest.mark.parametrize("zeta", [0, 0.3, 1, 4])
def test_motion_in_contact(zeta: float) -> None:
    law = KelvinVoigt(m=0.75, k=48, c=12 * zeta)
    stop = integrate(lambda x: [x[1], law.force(*x) / law.m], [mpf(0), -mpf(SPEED)], 0.25, 0.05)
    for value, right_value in zip(stop.state, law.state(SPEED, 0.25), strict=True):
        assert abs(value - right_value) <= 1e-18


def test_restitution_of_the_notes() -> None:
    """[Notes, Eq. (5.11)], and what it becomes for `dynamic` release."""
    law = KelvinVoigt(m=1, k=4, c=1)
    root = mpmath.sqrt(1 - law.zeta**2)
    assert abs(law.contact(1, "kinematic").restitution - mpmath.exp(-mpmath.pi * law.zeta / root)) < 1e-20
    assert abs(law.contact(1, "dynamic").restitution - mpmath.exp(-2 * law.zeta * mpmath.acos(law.zeta) / root)) < 1e-20
    critical = KelvinVoigt(m=1, k=4, c=4)
    assert abs(critical.contact(1, "dynamic").restitution - mpmath.exp(-2)) < 1e-20


def test_a_spring_under_load() -> None:
    law = KelvinVoigt(m=0.75, k=48)
    expected = loaded_spring(0.75, 48, 2.5, SPEED)
    assert_agree(integrate_contact(law, SPEED, "kinematic", load=2.5).contact, expected, ACCURACY)
    for number, bounce in enumerate(bounces(law, SPEED, "kinematic", 2.5, 3)):
        assert_agree(bounce.contact, expected, ACCURACY)
        assert abs(bounce.begin - number * (expected.duration + 2 * SPEED * 0.75 / mpf(2.5))) <= 1e-18


LAWS = [(1000, 100, 1.5), (40, 1, 1.5), (50, 20, 2), (50, 200, 3), (10, 3, 1), (40, 30, 2.7)]


@pytest.mark.parametrize(("k", "c", "n"), LAWS)
def test_hunt_crossley(k: float, c: float, n: float) -> None:
    """Where the exponent isn't a whole number, the integration has to make many small steps about x = 0."""
    law = HuntCrossley(1.25, k, c, n)
    assert_agree(integrate_contact(law, SPEED, "kinematic").contact, law.contact(SPEED), ACCURACY)


def test_restitution_of_hunt_crossley_depends_on_neither_mass_nor_exponent() -> None:
    found = {HuntCrossley(m, 50, 20, n).contact(SPEED).restitution for m, n in [(1, 1.5), (3, 1.5), (1, 2.7)]}
    assert max(found) - min(found) < 1e-20
