"""Numbers that papers print, and closed forms."""

import math
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from hosting import Run, unpack

TOLERANCE = 1e-10
ACCURACY = 1e-8  # scaled by 1 + |value|; what the tolerance is to give over an experiment


@dataclass(frozen=True)
class ZenoPoint:
    time: float
    q: tuple[float, float]
    v: tuple[float, float]
    acceleration: float


# [TAC, Example 3]: BallOnSine with m = g = 1, e = 0.5, by the speed vx at the start.
PUBLISHED = {
    1.8: ZenoPoint(3.761, (1.337, 0.973), (-0.121, -0.028), -0.986),
    2.5: ZenoPoint(5.073, (5.114, -0.920), (2.023, 0.791), -4.766),
}
PRINTED = 0.5e-3  # half a unit of the third decimal


def published_start(vx: float) -> dict[str, float]:
    """The first impact is at t = 0.05, x = 0.3, from the velocity (vx, 0)."""
    return {"x": 0.3 - 0.05 * vx, "y": math.sin(0.3) + 0.05**2 / 2, "vx": vx, "vy": 0.0}


def find_zeno_point(path: Path, start: dict[str, float]) -> ZenoPoint:
    """The first Zeno point, and the state at the end of its time bound."""
    with Run(unpack(path), TOLERANCE, start) as run:
        while not run.get("surface.zeno.count"):
            run.advance(run.time + 0.25)
        time, impact, bound = run.read(["surface.zeno.time", "surface.lastImpactTime", "surface.zeno.timeBound"])
    with Run(unpack(path), TOLERANCE, start) as run:
        run.advance(impact + bound)
        x, y, vx, vy, acceleration = run.read(["x", "y", "vx", "vy", "surface.acceleration"])
    return ZenoPoint(time, (x, y), (vx, vy), acceleration)


@pytest.mark.parametrize("vx", PUBLISHED)
def test_the_ball_on_the_sine_meets_its_published_zeno_point(fmus: Path, vx: float) -> None:
    printed = PUBLISHED[vx]
    found = find_zeno_point(fmus / "BallOnSine.fmu", published_start(vx))
    assert found.time == pytest.approx(printed.time, abs=PRINTED)
    # The state is read up to one time bound (at most 1e-4 s) late.
    assert found.q == pytest.approx(printed.q, abs=PRINTED + 1e-4)
    assert found.v == pytest.approx(printed.v, abs=PRINTED + 1e-4)
    assert found.acceleration == pytest.approx(printed.acceleration, abs=PRINTED + 1e-3)


def test_the_ball_on_the_sine_ends_up_in_a_valley(fmus: Path) -> None:
    """[TAC, Fig. 6(a)-(d)]: Zeno near 3, release near 4, Zeno again after 11, then sliding for good."""
    with Run(unpack(fmus / "BallOnSine.fmu"), TOLERANCE) as run:
        run.advance(20.0)
        events = [event for event in run.events() if event.kind != "impact"]
        assert [event.kind for event in events] == ["Zeno", "release", "Zeno"]
        assert [event.time for event in events[:2]] == pytest.approx([3, 4], abs=0.5)
        assert events[2].time > 11
        assert run.get("surface.closed")
        assert math.sin(run.get("x")) < 0


def test_the_knee_locks_on_the_left_and_opens_at_the_vertical(fmus: Path) -> None:
    """[TAC, Fig. 6(e)-(f)]: Zeno at theta1 of -37 and then -36 degrees, release at theta1 = 0, again and again."""
    with Run(unpack(fmus / "DoublePendulum.fmu"), TOLERANCE) as run:
        run.advance(20.0)
        events = [event for event in run.events() if event.kind != "impact"]
    assert [event.kind for event in events] == ["Zeno", "release", "Zeno", "release", "Zeno"]
    angles = []
    with Run(unpack(fmus / "DoublePendulum.fmu"), TOLERANCE) as run:
        for event in events:
            run.advance(event.time)
            angles.append(math.degrees(run.get("theta1")))
    assert angles == pytest.approx([-37, 0, -36, 0, -35], abs=0.5)
    assert angles[1] == pytest.approx(0, abs=1e-6)
    assert angles[3] == pytest.approx(0, abs=1e-6)


def test_the_ball_in_space_has_its_published_zeno_time(fmus: Path) -> None:
    """[ACC06, Example 6] prints "around 2.04"."""
    with Run(unpack(fmus / "BallOnSine3D.fmu"), TOLERANCE) as run:
        run.advance(3.0)
        assert run.get("surface.zeno.time") == pytest.approx(2.04, abs=0.01)


@dataclass(frozen=True)
class Ball:
    """The bouncing ball, dropped from rest: flights last 2 e^k u / g with u the speed of the first impact."""

    y: float
    g: float
    e: float

    @property
    def first_impact(self) -> float:
        return math.sqrt(2 * self.y / self.g)

    @property
    def zeno_time(self) -> float:
        return self.first_impact * (1 + self.e) / (1 - self.e)

    def impact_time(self, number: int) -> float:
        """Counted from 0: t0 (1 + 2 e + ... + 2 e^number)."""
        return self.first_impact * (1 + 2 * self.e * (1 - self.e**number) / (1 - self.e))

    def impact_speed(self, number: int) -> float:
        return math.sqrt(2 * self.g * self.y) * self.e**number

    def state(self, time: float) -> tuple[float, float]:
        """Height and its rate."""
        if time < self.first_impact:
            return self.y - self.g * time**2 / 2, -self.g * time
        if time >= self.zeno_time:
            return 0.0, 0.0
        number = 0
        while self.impact_time(number + 1) <= time:
            number += 1
        speed = self.impact_speed(number + 1)
        since = time - self.impact_time(number)
        return since * (speed - self.g * since / 2), speed - self.g * since


def random_balls(count: int) -> list[Ball]:
    draw = random.Random(20240)
    return [Ball(draw.uniform(0.1, 10), draw.uniform(0.5, 25), draw.uniform(0.05, 0.95)) for _ in range(count)]


each_ball = pytest.mark.parametrize("ball", random_balls(12), ids=lambda ball: f"{ball.y:.2f}-{ball.g:.2f}-{ball.e:.2f}")


def is_clear(ball: Ball, time: float, truncated: float, bound: float) -> bool:
    """Away from impacts, which may come a little early or late, and from the truncation's interval."""
    if truncated <= time <= truncated + bound:
        return False
    margin = ACCURACY * (1 + time)
    impacts = (ball.impact_time(number) for number in range(1000))
    return all(abs(impact - time) > margin for impact in impacts)


@each_ball
def test_a_bouncing_ball_has_its_closed_form_impacts(fmus: Path, ball: Ball) -> None:
    with Run(unpack(fmus / "BouncingBall.fmu"), TOLERANCE, {"y": ball.y, "g": ball.g, "e": ball.e}) as run:
        run.advance(2 * ball.zeno_time)
        impacts = [event.time for event in run.events() if event.kind == "impact"]
        assert run.get("floor.zeno.count") == 1
        assert run.get("floor.impacts") == len(impacts)
        for number, time in enumerate(impacts):
            right_time = ball.impact_time(number)
            assert abs(time - right_time) <= ACCURACY * (1 + right_time)
        speed = ball.impact_speed(len(impacts) - 1)
        assert abs(run.get("floor.lastImpactSpeed") - speed) <= ACCURACY * (1 + speed)
        assert abs(run.get("floor.zeno.time") - ball.zeno_time) <= ACCURACY * (1 + ball.zeno_time)


@each_ball
def test_a_bouncing_ball_follows_its_closed_form_in_between(fmus: Path, ball: Ball) -> None:
    start = {"y": ball.y, "g": ball.g, "e": ball.e, "vx": 0.7}
    with Run(unpack(fmus / "BouncingBall.fmu"), TOLERANCE, start) as run:
        run.advance(2 * ball.zeno_time)
        truncated, bound = run.read(["floor.lastImpactTime", "floor.zeno.timeBound"])
    with Run(unpack(fmus / "BouncingBall.fmu"), TOLERANCE, start) as run:
        for number in range(1, 101):
            run.advance(number / 100 * 1.1 * ball.zeno_time)
            height, rate = ball.state(run.time)
            x, y, vx, vy = run.read(["x", "y", "vx", "vy"])
            assert abs(x - 0.7 * run.time) <= ACCURACY * (1 + x)
            assert abs(vx - 0.7) <= ACCURACY
            assert abs(y - height) <= ACCURACY * (1 + height)
            if is_clear(ball, run.time, truncated, bound):
                assert abs(vy - rate) <= ACCURACY * (1 + abs(rate))
