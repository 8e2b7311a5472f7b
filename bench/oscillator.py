"""The two examples of [Burden, Table I] and their exact solutions.

x'' + 2 a x' + omega^2 x = amplitude cos(frequency t), x <= xmax, is solved in closed form between its impacts [Burden,
Eq. (28)]; impact times are roots of that form, found with 60 digits. A cascade of impacts is followed down to a speed
of 1e-18; the mass then stays at the stop until the force that presses it there is 0 [Burden, V-B]. What is kept are the
coefficients of each piece as doubles, for the time since its beginning: positions and velocities are good to 2e-13 in
Example 1, where terms of size 80 add up to 14, and to 1e-15 in Example 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
import numpy as np

DIGITS = 60
CHUNK = 50_000  # times that are looked at together: what that takes fits into the processor's cache
RESTING_SPEED = mpmath.mpf("1e-18")  # what is left of a cascade then takes less time than doubles can tell


@dataclass(frozen=True)
class Example:
    """Names as in modelDescription/ImpactOscillator.xml."""

    title: str
    parameters: Mapping[str, float]
    x: float
    v: float
    stop_time: float


# Example 1 has the forcing and the start of the authors' code; Table I prints 20 cos(2t/3) and (11.36, 31.4).
EXAMPLES = {
    1: Example(
        "Example 1, at resonance",
        {"a": 0.05, "omega": 2.5, "xmax": 14.0, "e": 0.9, "amplitude": 20.0, "frequency": 2.5},
        11.36263,
        31.40358,
        40 * np.pi,
    ),
    2: Example(
        "Example 2, with Zeno points and rest",
        {"a": 0.95, "omega": 1.0, "xmax": -0.8, "e": 0.5, "amplitude": 1.0, "frequency": 1.0},
        -0.8,
        0.0,
        4 * np.pi,
    ),
}


@dataclass(frozen=True)
class Flight:
    """Free motion in s = t - begin: e^(-a s) (A cos ws + B sin ws) + P cos(phase + W s) + Q sin(phase + W s)."""

    a: Any
    w: Any
    W: Any
    A: Any
    B: Any
    P: Any
    Q: Any
    phase: Any

    def state(self, functions: Any, s: Any) -> tuple[Any, Any]:
        """Position and velocity, with the functions of mpmath or of numpy."""
        decay = functions.exp(-self.a * s)
        c, d = decay * functions.cos(self.w * s), decay * functions.sin(self.w * s)
        C, S = functions.cos(self.phase + self.W * s), functions.sin(self.phase + self.W * s)
        x = self.A * c + self.B * d + self.P * C + self.Q * S
        v = (self.w * self.B - self.a * self.A) * c - (self.w * self.A + self.a * self.B) * d
        return x, v + self.W * (self.Q * C - self.P * S)


@dataclass(frozen=True)
class Impact:
    time: float
    speed: float


class Exact:
    """The exact solution of an example; `impacts`, `rests` and `releases` are its events."""

    def __init__(self, example: Example) -> None:
        self.xmax = example.parameters["xmax"]
        self.impacts: list[Impact] = []
        self.rests: list[float] = []  # where a cascade ends
        self.releases: list[float] = []
        self._begins: list[tuple[float, float]] = []  # of the pieces: a double and what it leaves out
        self._flights: list[list[float]] = []  # their coefficients; NaN: the mass is at the stop
        with mpmath.workdps(DIGITS):
            Construction(self, example)
        self.events = np.array([begin for begin, _ in self._begins])

    def add(self, begin: Any, flight: Flight | None) -> None:
        """The next piece; without a flight the mass is at the stop."""
        first = float(begin)
        self._begins.append((first, float(begin - first)))
        self._flights.append([float(value) for value in vars(flight).values()] if flight else [np.nan] * 8)

    def __call__(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities, at an impact those after it."""
        parts = [self._states(times[i : i + CHUNK]) for i in range(0, len(times), CHUNK)]
        x, v = np.concatenate(parts, axis=1)
        return x, v

    def _states(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        piece = np.searchsorted(self.events, times, side="right") - 1
        first, left_out = np.array(self._begins)[piece].T
        x, v = Flight(*np.array(self._flights)[piece].T).state(np, times - first - left_out)
        resting = np.isnan(x)
        return np.where(resting, self.xmax, x), np.where(resting, 0.0, v)


class Construction:
    """Finds the pieces of an exact solution one after another."""

    def __init__(self, exact: Exact, example: Example) -> None:
        self.exact = exact
        values = {name: mpmath.mpf(value) for name, value in example.parameters.items()}
        self.a, self.omega, self.xmax, self.e = (values[name] for name in ("a", "omega", "xmax", "e"))
        self.amplitude, self.frequency = values["amplitude"], values["frequency"]
        self.stop_time = mpmath.mpf(example.stop_time)
        t, x, v = mpmath.mpf(0), mpmath.mpf(example.x), mpmath.mpf(example.v)
        if x == self.xmax and v == 0 and self.push(t) > 0:
            t = self.rest(t)
        while t is not None:
            t, v = self.fly(t, x, v)
            x = self.xmax

    def push(self, t: Any) -> Any:
        """The acceleration towards the stop of a mass that is at rest there."""
        return self.amplitude * mpmath.cos(self.frequency * t) - self.omega**2 * self.xmax

    def flight(self, t: Any, x: Any, v: Any) -> Flight:
        a, W = self.a, self.frequency
        w = mpmath.sqrt(self.omega**2 - a**2)
        stiffness, damping = self.omega**2 - W**2, 2 * a * W
        P, Q = (self.amplitude * part / (stiffness**2 + damping**2) for part in (stiffness, damping))
        phase = mpmath.fmod(W * t, 2 * mpmath.pi)
        C, S = mpmath.cos(phase), mpmath.sin(phase)
        A = x - P * C - Q * S
        B = (v - W * (Q * C - P * S) + a * A) / w
        return Flight(a, w, W, A, B, P, Q, phase)

    def fly(self, t: Any, x: Any, v: Any) -> tuple[Any, Any]:
        """To the next impact, and through the rest that may follow: when the next flight begins (None: it doesn't), and
        with which velocity."""
        flight = self.flight(t, x, v)
        self.exact.add(t, flight)
        duration = self.time_to_impact(t, v, flight)
        if duration is None:
            return None, None
        speed = flight.state(mpmath, duration)[1]
        self.exact.impacts.append(Impact(float(t + duration), float(speed)))
        t, v = t + duration, -self.e * speed
        push = self.push(t)
        if abs(v) >= RESTING_SPEED or push <= 0:
            return t, v
        t += -2 * v / (push * (1 - self.e))  # the rest of the geometric series of flights
        self.exact.rests.append(float(t))
        return self.rest(t), mpmath.mpf(0)

    def time_to_impact(self, t: Any, v: Any, flight: Flight) -> Any:
        """The first root of x = xmax with v >= 0 after the beginning."""

        def gap(s: Any) -> Any:
            return self.xmax - flight.state(mpmath, s)[0]

        def velocity(s: Any) -> Any:
            return flight.state(mpmath, s)[1]

        step = mpmath.mpf("0.05")  # much less than a period
        push = self.push(t) - 2 * self.a * v
        if v < 0 < push:
            step = min(step, -2 * v / push / 8)  # a share of the flight, were the acceleration constant
        s = mpmath.mpf(0)
        while t + s < self.stop_time:
            following = s + step
            if velocity(s) > 0 > velocity(following):  # at its largest x it may have been beyond the stop
                top = mpmath.findroot(velocity, (s, following), solver="anderson")
                following = top if gap(top) < 0 else following
            if gap(following) < 0:
                begin = max(s, step / 2)  # not the root at the beginning
                return mpmath.findroot(gap, (begin, following), solver="anderson", tol=mpmath.mpf(10) ** -110)
            s = following
        return None

    def rest(self, t: Any) -> Any:
        """Until the force that presses the mass to the stop is 0: when that is; None: not before the end."""
        self.exact.add(t, None)
        ratio = self.omega**2 * self.xmax / self.amplitude
        if abs(ratio) >= 1:
            return None
        period = 2 * mpmath.pi / self.frequency
        release = mpmath.acos(ratio) / self.frequency
        release += period * mpmath.ceil((t - release) / period)
        if release > self.stop_time:
            return None
        self.exact.releases.append(float(release))
        return release


@cache
def exact(number: int) -> Exact:
    """The exact solution of Example 1 or 2."""
    return Exact(EXAMPLES[number])
