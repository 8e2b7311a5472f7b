"""The distance of states of the oscillator with a stop in the hybrid quotient space [Burden, Def. 12, Theorem 13].

The guard {x = xmax, v = s >= 0} is glued to its image {x = xmax, v = -e s}. A connecting curve that uses this leaves p
for the line x = xmax, moves along it, and goes on to q. On the line the two sides of a glued pair are one point, s, and
it is cheapest to move on the side of the images, where ds costs e ds. So with a(s) = |p - (xmax, s)| and
a*(s) = |p - (xmax, -e s)|, and with b(s) and b*(s) the same for q,

    d(p, q) = least of |p - q|,  a(s) + b*(s),  a*(s) + b(s),  a(s) + e |s - s'| + b(s')      over s, s' >= 0.

For e <= 1 nothing else is shorter, whatever the number of transitions: a*(s) and b*(s) don't change faster than e s, so
that moving along the line before leaving from an image gains nothing, and a*(s) + b*(s) >= |p - q|. The two in the
middle are convex in s (refraction; the roots of a quartic) and found by bisection of the slope. The last is refraction
at the critical angle: the slopes of a and b are e and -e there, which gives s and s' in closed form.
"""

from __future__ import annotations

import numpy as np

State = tuple[np.ndarray, np.ndarray]  # positions and velocities
BISECTIONS = 60
CHUNK = 10_000


def largest_distance(p: State, q: State, xmax: float, e: float) -> float:
    """The largest of the distances of states p from states q. The straight ones, never less, tell where to look."""
    straight = np.hypot(p[0] - q[0], p[1] - q[1])
    order = np.argsort(-straight)
    largest = 0.0
    for begin in range(0, len(order), CHUNK):
        some = order[begin : begin + CHUNK]
        if straight[some[0]] <= largest:
            break
        largest = max(largest, float(distance((p[0][some], p[1][some]), (q[0][some], q[1][some]), xmax, e).max()))
    return largest


def distance(p: State, q: State, xmax: float, e: float) -> np.ndarray:
    """The distance of each of the states p from that of q; x <= xmax in both."""
    (px, pv), (qx, qv) = p, q
    least = np.hypot(px - qx, pv - qv)
    alpha, beta = xmax - px, xmax - qx
    near = np.flatnonzero(alpha + beta < least)  # for others the way to the line and back is too long
    a, av, b, bv = alpha[near], pv[near], beta[near], qv[near]
    candidates = [least[near], through_guard(a, av, b, bv, e), through_guard(b, bv, a, av, e)]
    if e < 1:
        candidates += [along_images(a, av, b, bv, e), along_images(b, bv, a, av, e)]
    least[near] = np.minimum.reduce(candidates)
    return least


def through_guard(a: np.ndarray, av: np.ndarray, b: np.ndarray, bv: np.ndarray, e: float) -> np.ndarray:
    """From (xmax - a, av) to a point s of the guard and from its image to (xmax - b, bv)."""

    def length(s: np.ndarray) -> np.ndarray:
        return np.hypot(a, s - av) + np.hypot(b, e * s + bv)

    def slope(s: np.ndarray) -> np.ndarray:
        return unit(s - av, a) + e * unit(e * s + bv, b)

    low = np.zeros_like(av)
    high = np.maximum(av, 0) + (np.maximum(-bv, 0) / e if e > 0 else 0)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        falling = slope(middle) < 0
        low, high = np.where(falling, middle, low), np.where(falling, high, middle)
    return np.minimum(length(low), length(high))


def along_images(a: np.ndarray, av: np.ndarray, b: np.ndarray, bv: np.ndarray, e: float) -> np.ndarray:
    """From (xmax - a, av) to s, along the images to s' >= s, and from there to (xmax - b, bv)."""
    k = e / np.sqrt(1 - e * e)
    s = np.maximum(av + k * a, 0)
    following = np.maximum(bv - k * b, 0)
    length = np.hypot(a, s - av) + e * (following - s) + np.hypot(b, following - bv)
    return np.where(following > s, length, np.inf)


def unit(along: np.ndarray, across: np.ndarray) -> np.ndarray:
    """The component of a unit vector; 0 of none."""
    length = np.hypot(along, across)
    return np.divide(along, length, out=np.zeros_like(length), where=length > 0)
