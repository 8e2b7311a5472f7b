"""DoublePendulum by SciPy's solve_ivp, started anew at every impact as its manual shows: run by Debian's Python.

    ivp.py METHOD TOLERANCE STOP restart|ignore

`ignore` overlooks the event that a flight begins with, at h = 0: else one that is shorter than the first step ends where it
began. Prints as JSON the time reached, impacts, the coordinates there, the nanoseconds of processor time, and why it ended.
"""

import json
import math
import sys
import time

from scipy.integrate import solve_ivp

E = 0.5
MOST_SECONDS = 3.0


def rates(_, y):
    theta1, theta2, omega1, omega2 = y
    c2, k, both = math.cos(theta2), math.sin(theta2) / 2, math.sin(theta1 + theta2) / 2
    m11, m12, m22 = 5 / 3 + c2, (3 * c2 + 2) / 6, 1 / 3
    b1 = -k * (2 * omega1 + omega2) * omega2 + 1.5 * math.sin(theta1) + both
    b2 = k * omega1**2 + both
    determinant = m11 * m22 - m12**2
    return [omega1, omega2, (m12 * b2 - m22 * b1) / determinant, (m12 * b1 - m11 * b2) / determinant]


def gap_event(start, ignore):
    def gap(t, y):
        return 1.0 if ignore and t == start else y[1]

    gap.terminal, gap.direction = True, -1
    return gap


def impact(y):
    c2 = math.cos(y[1])
    return [y[0], 0.0, y[2] + (1 + E) * y[3] * (3 * c2 + 2) / 6 / (5 / 3 + c2), -E * y[3]]


def main(method, tolerance, stop, way):
    y, t, impacts, why = [math.radians(30), math.radians(25), 0.0, 0.0], 0.0, 0, "reached the end"
    begin = time.process_time()
    while True:
        flight = solve_ivp(rates, (t, stop), y, method=method, rtol=tolerance, atol=tolerance, events=gap_event(t, way == "ignore"))
        if flight.status != 1:
            t, y = flight.t[-1], flight.y[:, -1]
            if flight.status < 0:
                why = flight.message
            break
        if flight.t[-1] == t:
            why = "stalls: the next impact is found where the flight began"
            break
        if time.process_time() - begin > MOST_SECONDS:
            why = f"not there after {MOST_SECONDS:g} s"
            break
        t, y, impacts = flight.t[-1], impact(flight.y[:, -1]), impacts + 1
    nanoseconds = 1e9 * (time.process_time() - begin)
    print(json.dumps({"time": t, "impacts": impacts, "q": [y[0], y[1]], "nanoseconds": nanoseconds, "why": why}))


main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
