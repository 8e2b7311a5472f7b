"""Contacts of a mass m that comes to x = 0 at the speed v: closed forms, and an integration that knows none of them.

Kelvin-Voigt [Notes, Eq. (5.7)-(5.11)]. With omega0 = sqrt(k/m) and zeta = c/(2 sqrt(m k)) = cos(phi)

    x(t) = -v/omega_d exp(-zeta omega0 t) sin(omega_d t),   omega_d = omega0 sin(phi)
    force = m x'' = v sqrt(m k)/sin(phi) exp(-zeta omega0 t) sin(2 phi - omega_d t)

so the velocity is 0 at omega_d t = phi, the force at 2 phi and the position at pi; the largest deformation is v/omega0 and the
restitution 1, times exp(-zeta omega0 t) at these times. From critical damping on phi is imaginary: sin(phi)/phi stays real and
positive, so that the formulas for phi and 2 phi hold in all cases, but the mass never comes back to x = 0.

Hunt-Crossley [Notes, Eq. (5.12)]. With the penetration d = -x and u = d' the equation m u' = -d^n (k + c u) has the first
integral

    d^(n+1)/(n+1) + Phi(u) = Phi(v),   Phi(u) = (m k/c^2) (s - log(1 + s)),   s = c u/k

so the mass is back at d = 0 where Phi(u) = Phi(v), u < 0, which Lambert's function W solves:
1 + s = -W(-(1 + c v/k) exp(-(1 + c v/k))). So restitution depends on c v/k alone, not on m and n.
"""

from collections.abc import Callable
from dataclasses import dataclass

import mpmath
from extrapolation import Vector, integrate
from mpmath import mpf


@dataclass(frozen=True)
class Contact:
    duration: mpf
    deformation: mpf  # the largest
    restitution: mpf


# ---- Kelvin-Voigt


@dataclass(frozen=True)
class KelvinVoigt:
    """Without damping it is the spring alone [Notes, Eq. (5.1)-(5.5)]."""

    m: float
    k: float
    c: float = 0.0

    @property
    def omega0(self) -> mpf:
        return mpmath.sqrt(mpf(self.k) / mpf(self.m))

    @property
    def zeta(self) -> mpf:
        return mpf(self.c) / (2 * mpmath.sqrt(mpf(self.m) * mpf(self.k)))

    @property
    def phi(self) -> mpmath.mpc:
        return mpmath.acos(mpmath.mpc(self.zeta))

    def decay(self, time: mpf) -> mpf:
        return mpmath.exp(-self.zeta * self.omega0 * time)

    def state(self, v: float, time: float) -> tuple[mpf, mpf]:
        """Position and velocity this long after the contact began [Notes, Eq. (5.9), (5.10)]."""
        angle = self.omega0 * mpmath.sin(self.phi) * time
        sine = (mpmath.sinc(angle) * self.omega0 * time).real  # sin(angle)/sin(phi)
        scale = -mpf(v) * self.decay(mpf(time))
        return scale * sine / self.omega0, scale * (mpmath.cos(angle).real - self.zeta * sine)

    def contact(self, v: float, release: str) -> Contact:
        turn = 1 / (self.omega0 * mpmath.sinc(self.phi).real)  # omega_d t = phi
        if release == "dynamic":
            end = 2 * turn
        elif self.zeta < 1:
            end = mpmath.pi / (self.omega0 * mpmath.sin(self.phi.real))
        else:
            raise ValueError("from critical damping on the mass doesn't come back to x = 0")
        return Contact(end, v / self.omega0 * self.decay(turn), self.decay(end))

    def force(self, x: mpf, v: mpf) -> mpf:
        return -self.k * x - self.c * v


def loaded_spring(m: float, k: float, load: float, v: float) -> Contact:
    """The spring while a constant force `load` presses the mass on: x = -load/k (1 - cos(omega t)) - v/omega sin(omega t)."""
    omega = mpmath.sqrt(mpf(k) / mpf(m))
    static, swing = mpf(load) / mpf(k), mpf(v) / omega
    return Contact(2 / omega * (mpmath.pi - mpmath.atan2(swing, static)), static + mpmath.hypot(static, swing), mpf(1))


# ---- Hunt-Crossley


@dataclass(frozen=True)
class HuntCrossley:
    m: float
    k: float
    c: float
    n: float

    def phi(self, u: mpf) -> mpf:
        s = self.c * u / mpf(self.k)
        return self.m * mpf(self.k) / mpf(self.c) ** 2 * (s - mpmath.log1p(s))

    def penetration(self, v: mpf, u: mpf) -> mpf:
        """Where it grows at the rate u."""
        return ((self.n + 1) * (self.phi(v) - self.phi(u))) ** (1 / mpf(self.n + 1))

    def rate(self, v: mpf, d: mpf, branch: int) -> mpf:
        """At the penetration d, on the way in (branch -1 of Lambert's function) or out (branch 0)."""
        a = (self.phi(v) - d ** (self.n + 1) / (self.n + 1)) * mpf(self.c) ** 2 / (self.m * mpf(self.k))
        return -self.k / mpf(self.c) * (1 + mpmath.lambertw(-mpmath.exp(-1 - a), branch).real)

    def duration(self, v: mpf, out: mpf) -> mpf:
        """Of dt = dd/u where the rate is far from 0, of dt = -m du/(d^n (k + c u)) where the penetration is."""
        way_in = mpmath.quad(lambda d: 1 / self.rate(v, d, -1), [0, self.penetration(v, v / 2)])
        way_out = mpmath.quad(lambda d: -1 / self.rate(v, d, 0), [0, self.penetration(v, out / 2)])
        turn = mpmath.quad(
            lambda u: self.m / (self.penetration(v, u) ** self.n * (self.k + self.c * u)), [out / 2, 0, v / 2]
        )
        return way_in + turn + way_out

    def contact(self, v: float) -> Contact:
        v = mpf(v)
        out = self.rate(v, mpf(0), 0)
        return Contact(self.duration(v, out), self.penetration(v, mpf(0)), -out / v)

    def force(self, x: mpf, v: mpf) -> mpf:
        return -mpmath.sign(x) * abs(x) ** self.n * (self.k - self.c * v)


# ---- by integration, also under load


@dataclass(frozen=True)
class End:
    contact: Contact
    x: mpf
    v: mpf


def integrate_contact(law: KelvinVoigt | HuntCrossley, v: float, release: str, load: float = 0) -> End:
    """A contact while a constant force `load` presses the mass on, up to its release, which must come."""

    def rate(state: Vector) -> Vector:
        return [state[1], (law.force(*state) - load) / law.m]

    def run(state: Vector, guard: Callable[[Vector], mpf]) -> tuple[mpf, Vector]:
        stop = integrate(rate, state, duration=1e3, largest=0.05, guards=[guard])
        assert stop.fallen
        return stop.time, stop.state

    turn, deepest = run([mpf(0), -mpf(v)], lambda state: -state[1])
    released = (lambda state: -state[0]) if release == "kinematic" else (lambda state: law.force(*state))
    back, end = run(deepest, released)
    return End(Contact(turn + back, -deepest[0], end[1] / v), end[0], end[1])


@dataclass(frozen=True)
class Bounce:
    begin: mpf
    approach: mpf
    contact: Contact


def bounces(law: KelvinVoigt | HuntCrossley, v: float, release: str, load: float, count: int) -> list[Bounce]:
    """Contacts one after another from x = 0 on: the load brings the mass back through x = 0."""
    found, time, speed = [], mpf(0), mpf(v)
    for _ in range(count):
        end = integrate_contact(law, speed, release, load)
        found.append(Bounce(time, speed, end.contact))
        a = mpf(load) / law.m
        speed = mpmath.sqrt(end.v**2 + 2 * a * end.x)  # real where the mass comes back to x = 0 at all
        time += end.contact.duration + (end.v + speed) / a
    return found
