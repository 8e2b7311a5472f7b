"""The pronking runner of [Burden, V-C], by hand, after the conventions that modelDescription/Pronker.xml describes.

Legs are counted left, right. A leg in the air has no pin; each leg has one guard, for touchdown or lift-off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mpmath
from extrapolation import Guard, Vector, integrate
from mpmath import mpf

LEGS = ("left", "right")


@dataclass(frozen=True)
class Event:
    time: mpf
    leg: str
    down: bool  # touchdown, else lift-off


class Pronker:
    def __init__(self, parameters: Mapping[str, float], state: Sequence[float]) -> None:
        self.m, self.I, self.k, self.l, self.d, self.g, self.psi = (
            mpf(parameters[name]) for name in ("m", "I", "k", "l", "d", "g", "psi")
        )
        self.state = [mpf(value) for value in state]  # x, z, theta, vx, vz, omega
        self.time = mpf(0)
        self.pins: list[mpf | None] = [None, None]
        self.events: list[Event] = []

    def hip(self, leg: int, theta: mpf) -> tuple[mpf, mpf]:
        """Relative to the centre."""
        arm = self.d / 2 if LEGS[leg] == "right" else -self.d / 2
        return arm * mpmath.cos(theta), arm * mpmath.sin(theta)

    def foot(self, leg: int, state: Vector) -> tuple[mpf, mpf]:
        """Of a leg in the air: hip + l R(theta) (sin psi, -cos psi)."""
        x, z, theta = state[:3]
        rx, rz = self.hip(leg, theta)
        cos, sin = mpmath.cos(theta), mpmath.sin(theta)
        lx, lz = self.l * mpmath.sin(self.psi), -self.l * mpmath.cos(self.psi)
        return x + rx + cos * lx - sin * lz, z + rz + sin * lx + cos * lz

    def length(self, leg: int, state: Vector) -> mpf:
        """Of a leg that stands, from its pin on the ground to the hip."""
        rx, rz = self.hip(leg, state[2])
        return mpmath.hypot(state[0] + rx - self.pins[leg], state[1] + rz)

    def rate(self, state: Vector) -> Vector:
        fx, fz, torque = mpf(0), -self.m * self.g, mpf(0)
        for leg, pin in enumerate(self.pins):
            if pin is None:
                continue
            rx, rz = self.hip(leg, state[2])
            length = self.length(leg, state)
            push = self.k * (self.l - length) / length
            px, pz = push * (state[0] + rx - pin), push * (state[1] + rz)
            fx, fz, torque = fx + px, fz + pz, torque + rx * pz - rz * px
        return [*state[3:], fx / self.m, fz / self.m, torque / self.I]

    def guard(self, leg: int) -> Guard:
        """Falls through zero at the leg's next event."""
        if self.pins[leg] is None:
            return lambda state: self.foot(leg, state)[1]
        return lambda state: self.l - self.length(leg, state)

    def run(self, until: float) -> None:
        """Through all events up to this time."""
        while self.time < until:
            guards = [self.guard(leg) for leg in range(2)]
            stop = integrate(self.rate, self.state, until - self.time, largest=0.05, guards=guards)
            self.time, self.state = self.time + stop.time, stop.state
            for leg in stop.fallen:
                self.events.append(Event(self.time, LEGS[leg], down=self.pins[leg] is None))
                self.pins[leg] = self.foot(leg, self.state)[0] if self.pins[leg] is None else None

    def energy(self) -> mpf:
        """Of body and springs."""
        _, z, _, vx, vz, omega = self.state
        body = self.m * (vx**2 + vz**2) / 2 + self.I * omega**2 / 2 + self.m * self.g * z
        standing = [leg for leg in range(2) if self.pins[leg] is not None]
        return body + sum((self.k * (self.l - self.length(leg, self.state)) ** 2 / 2 for leg in standing), mpf(0))
