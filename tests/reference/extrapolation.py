"""Integrates ordinary differential equations with 25 digits, and finds where guards fall through zero.

Nothing here is shared with the engine: extrapolation of the modified midpoint rule [Gragg, Bulirsch and Stoer] in place of
multistep methods, events by repeating a step with another size in place of dense output.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mpmath import mp, mpf

Vector = list[mpf]
Rate = Callable[[Vector], Vector]
Guard = Callable[[Vector], mpf]

mp.dps = 25  # for all that imports this
TOLERANCE = mpf(10) ** -20
COLUMNS = 12  # order 24
AT_ONCE = mpf(10) ** -17  # guards this near to zero at an event fall with the one that has found it


def midpoint(rate: Rate, start: Vector, size: mpf, parts: int) -> Vector:
    """The modified midpoint rule; its error is a series in even powers of size/parts."""
    h = size / parts
    before, here = start, [x + h * dx for x, dx in zip(start, rate(start), strict=True)]
    for _ in range(parts - 1):
        before, here = here, [x + 2 * h * dx for x, dx in zip(before, rate(here), strict=True)]
    return [(x + y + h * dy) / 2 for x, y, dy in zip(before, here, rate(here), strict=True)]


def step(rate: Rate, start: Vector, size: mpf) -> tuple[Vector, mpf]:
    """The state after one step, and an estimate of its error relative to 1 + |state|."""
    row: list[Vector] = []
    error = mp.inf
    for number in range(1, COLUMNS + 1):
        new = [midpoint(rate, start, size, 2 * number)]
        for column, old in enumerate(row):
            ratio = (mpf(number) / (number - column - 1)) ** 2 - 1
            new.append([x + (x - y) / ratio for x, y in zip(new[-1], old, strict=True)])
        if row:
            error = max(abs(x - y) / (1 + abs(x)) for x, y in zip(new[-1], new[-2], strict=True))
            if error < TOLERANCE:
                return new[-1], error
        row = new
    return row[-1], error


def fall(rate: Rate, start: Vector, guard: Guard, size: mpf) -> mpf:
    """When a guard that is positive at the start and not at the end of a step falls through zero, by the Illinois method."""
    low, high = mpf(0), size
    above, below = guard(start), guard(step(rate, start, size)[0])
    while True:
        middle = (low * below - high * above) / (below - above)
        value = guard(step(rate, start, middle)[0])
        if abs(value) < TOLERANCE or not low < middle < high:
            return middle
        if value > 0:
            low, above, below = middle, value, below / 2
        else:
            high, below, above = middle, value, above / 2


@dataclass(frozen=True)
class Stop:
    time: mpf  # since the start
    state: Vector
    fallen: tuple[int, ...]  # the guards that fall here; none where the time was up


def integrate(rate: Rate, start: Sequence[mpf], duration: float, largest: float, guards: Sequence[Guard] = ()) -> Stop:
    """To the end of the duration, or to the first fall of a guard.

    A guard that isn't positive counts once it has been; `largest` is a step in which no guard both rises and falls.
    """
    time, state, size = mpf(0), list(start), mpf(largest)
    while time < duration:
        size = min(size, mpf(largest), duration - time)
        after, error = step(rate, state, size)
        if error >= TOLERANCE:
            size /= 2
            continue
        falling = [number for number, guard in enumerate(guards) if guard(state) > AT_ONCE and guard(after) <= 0]
        if falling:
            size = min(fall(rate, state, guards[number], size) for number in falling)
            after, _ = step(rate, state, size)
            return Stop(time + size, after, tuple(number for number in falling if guards[number](after) <= AT_ONCE))
        time, state, size = time + size, after, 2 * size
    return Stop(time, state, ())
