"""The reference of the pronking runner keeps its energy, and another sum of its forces gives the same motion."""

import math

import mpmath
from extrapolation import integrate
from mpmath import mpf
from pronking import Pronker

PARAMETERS = {"m": 1.25, "I": 0.5, "k": 30, "l": 1, "d": 0.75, "g": 9.81, "psi": math.pi / 5}


def test_energy_is_constant() -> None:
    runner = Pronker(PARAMETERS, [0, 1.1, 0.05, 3.425, 0, -0.4])
    before = runner.energy()
    runner.run(0.9)
    assert len(runner.events) == 4
    assert abs(runner.energy() - before) < 1e-17


def test_forces_are_the_slope_of_the_energy() -> None:
    """m a = -dE/dq at rest, by differences of the potential energy: so the springs' torque has its arm and its sign."""
    runner = Pronker(PARAMETERS, [0.1, 0.7, 0.2, 0, 0, 0])
    runner.pins = [mpf("0.2"), mpf("0.9")]
    inertia = [runner.m, runner.m, runner.I]
    rate = runner.rate(runner.state)[3:]
    start, h = list(runner.state), mpf(10) ** -9
    for number in range(3):
        energies = []
        for change in (h, -h):
            runner.state = [value + change * (number == index) for index, value in enumerate(start)]
            energies.append(runner.energy())
        assert abs(inertia[number] * rate[number] + (energies[0] - energies[1]) / (2 * h)) < 1e-12


def test_without_pitch_it_is_a_mass_on_one_spring() -> None:
    """[Burden, V-C]: the spring-loaded inverted pendulum, with both legs as one of twice the stiffness."""
    runner = Pronker(PARAMETERS, [0, 1.1, 0, 3.425, 0, 0])
    runner.run(0.6)
    assert [(event.leg, event.down) for event in runner.events] == [("left", True), ("right", True)]
    psi, m, k, g = (mpf(PARAMETERS[name]) for name in ("psi", "m", "k", "g"))
    touchdown = mpmath.sqrt(2 * (mpf(1.1) - mpmath.cos(psi)) / g)
    assert abs(runner.events[0].time - touchdown) < 1e-18

    def rate(state: list[mpf]) -> list[mpf]:
        x, z, vx, vz = state
        length = mpmath.hypot(x, z)
        push = 2 * k * (1 - length) / length / m
        return [vx, vz, push * x, push * z - g]

    start = [-mpmath.sin(psi), mpmath.cos(psi), mpf(3.425), -g * touchdown]
    x, z, _, _ = integrate(rate, start, mpf(0.6) - touchdown, 0.05).state
    assert abs(runner.state[0] - (x + mpf(3.425) * touchdown + mpmath.sin(psi))) < 1e-17
    assert abs(runner.state[1] - z) < 1e-17
    assert abs(runner.state[2]) < 1e-17
