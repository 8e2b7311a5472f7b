"""FMUs against the independent reference in tests/reference.

Errors are scaled by 1 + |value|. What is asked is 100 times the tolerance, for coordinates, rates and the times of events alike:
errors of single steps add up over an experiment.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hosting import CONSTRAINTS, Event, Run, unpack

REFERENCE = Path(__file__).resolve().parent.parent / "reference"
CASES = sorted(path.stem for path in REFERENCE.glob("*.json"))
OUTPUTS = ["closed", "impacts", "releases", "lastImpactTime", "lastImpactSpeed"]
ZENO_OUTPUTS = ["zeno.count", "zeno.time", "zeno.timeBound"]

each_case = pytest.mark.parametrize("case", CASES)
each_tolerance = pytest.mark.parametrize("tolerance", [1e-6, 1e-7, 1e-8, 1e-9, 1e-10])


def allowed(tolerance: float) -> float:
    return 100 * tolerance


def error(value: float, expected: float) -> float:
    return abs(value - expected) / (1 + abs(expected))


@cache
def reference(case: str) -> Mapping[str, Any]:
    return json.loads((REFERENCE / f"{case}.json").read_text())


@dataclass(frozen=True)
class Sample:
    """What the reference and the FMU have at one time; names of outputs without the constraint's."""

    time: float
    expected: Mapping[str, float]
    closed: bool  # in the reference
    found: Mapping[str, float]

    def in_truncation(self, margin: float) -> bool:
        """Between a truncating impact and the end of its time bound, where rates are off by the velocity bound."""
        if not self.found["closed"] or not self.found["zeno.count"]:
            return False
        return self.time <= self.found["lastImpactTime"] + self.found["zeno.timeBound"] + margin


@cache
def simulate(fmus: Path, case: str, tolerance: float) -> tuple[list[Sample], list[Event]]:
    result = reference(case)
    states = result["coordinates"] + result["rates"]
    outputs = OUTPUTS + ZENO_OUTPUTS
    names = states + [f"{result['constraint']}.{output}" for output in outputs]
    samples = []
    with Run(unpack(fmus / f"{result['system']}.fmu"), tolerance, {**result["parameters"], **result["start"]}) as run:
        for sample in result["samples"]:
            if sample["time"] > run.time:
                run.advance(sample["time"])
            expected = dict(zip(states, sample["q"] + sample["v"], strict=True))
            found = dict(zip(states + outputs, run.read(names), strict=True))
            samples.append(Sample(run.time, expected, sample["closed"], found))
        if result["stopTime"] > run.time:
            run.advance(result["stopTime"])
        return samples, run.events()


def is_near_an_event(case: str, time: float, margin: float) -> bool:
    """An event that comes a little late or early makes a rate wrong by its whole jump; the event's time is compared instead."""
    return any(abs(event["time"] - time) <= margin * (1 + time) for event in reference(case)["events"])


def clear_samples(fmus: Path, case: str, tolerance: float) -> Iterator[Sample]:
    margin = allowed(tolerance)
    for sample in simulate(fmus, case, tolerance)[0]:
        if not is_near_an_event(case, sample.time, margin) and not sample.in_truncation(margin * (1 + sample.time)):
            yield sample


def expected_before(case: str, time: float, kind: str) -> list[Mapping[str, Any]]:
    return [event for event in reference(case)["events"] if event["kind"] == kind and event["time"] <= time]


@dataclass
class Cascade:
    """Impacts up to a Zeno point, and the release after it; the last may have neither."""

    impacts: list[float] = field(default_factory=list)
    ends_in_zeno: bool = False


def cascades(events: list[Event]) -> list[Cascade]:
    found = [Cascade()]
    for event in events:
        if event.kind == "impact":
            found[-1].impacts.append(event.time)
        if event.kind == "Zeno":
            found[-1].ends_in_zeno = True
            found.append(Cascade())
    return found


def expected_events(case: str) -> list[Event]:
    return [Event(event["time"], event["kind"]) for event in reference(case)["events"]]


def times(events: list[Event], kind: str) -> list[float]:
    return [event.time for event in events if event.kind == kind]


@pytest.mark.parametrize("system", CONSTRAINTS)
def test_the_reference_has_the_default_experiment(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    result = reference(system)
    assert result["stopTime"] == pytest.approx(fmu.stop_time, abs=1e-9)
    for name, value in {**result["parameters"], **result["start"]}.items():
        # A start such as 30*pi/180 may be rounded once more or less.
        assert float(fmu.variables[name].start) == pytest.approx(value, rel=4e-16), name


@each_case
def test_the_reference_agrees_with_itself_far_beyond_what_is_asked(case: str) -> None:
    quality = reference(case)["quality"]
    for name in ("events", "coordinates", "rates"):
        assert quality[name] < 1e-20, name
    assert quality["energy"] is None or quality["energy"] < 1e-20


@each_tolerance
@each_case
def test_coordinates_follow_the_reference(fmus: Path, case: str, tolerance: float) -> None:
    names = reference(case)["coordinates"]
    for sample in simulate(fmus, case, tolerance)[0]:
        for name in names:
            assert error(sample.found[name], sample.expected[name]) <= allowed(tolerance), f"{name} at {sample.time}"


@each_tolerance
@each_case
def test_rates_follow_the_reference(fmus: Path, case: str, tolerance: float) -> None:
    names = reference(case)["rates"]
    for sample in clear_samples(fmus, case, tolerance):
        for name in names:
            assert error(sample.found[name], sample.expected[name]) <= allowed(tolerance), f"{name} at {sample.time}"


@each_tolerance
@each_case
def test_contact_and_counters_follow_the_reference(fmus: Path, case: str, tolerance: float) -> None:
    for sample in clear_samples(fmus, case, tolerance):
        at = f"at {sample.time}"
        assert sample.found["closed"] == sample.closed, at
        assert sample.found["releases"] == len(expected_before(case, sample.time, "release")), at
        assert sample.found["zeno.count"] == len(expected_before(case, sample.time, "Zeno")), at


@each_tolerance
@each_case
def test_all_impacts_before_a_truncation_come_at_their_time(fmus: Path, case: str, tolerance: float) -> None:
    expected = cascades(expected_events(case))
    found = cascades(simulate(fmus, case, tolerance)[1])
    assert len(found) == len(expected)
    for cascade, complete in zip(found, expected, strict=True):
        assert cascade.ends_in_zeno == complete.ends_in_zeno
        # A truncation leaves the end of a cascade out, nothing else does.
        assert len(cascade.impacts) <= len(complete.impacts)
        assert cascade.ends_in_zeno or len(cascade.impacts) == len(complete.impacts)
        for time, right_time in zip(cascade.impacts, complete.impacts, strict=False):
            assert error(time, right_time) <= allowed(tolerance)


@each_tolerance
@each_case
def test_releases_come_at_their_time(fmus: Path, case: str, tolerance: float) -> None:
    found = times(simulate(fmus, case, tolerance)[1], "release")
    expected = times(expected_events(case), "release")
    assert len(found) == len(expected)
    for time, right_time in zip(found, expected, strict=True):
        assert error(time, right_time) <= allowed(tolerance)


@each_tolerance
@each_case
def test_the_zeno_time_is_that_of_the_whole_cascade(fmus: Path, case: str, tolerance: float) -> None:
    for sample in clear_samples(fmus, case, tolerance):
        points = expected_before(case, sample.time, "Zeno")
        if points:
            assert error(sample.found["zeno.time"], points[-1]["time"]) <= allowed(tolerance), f"at {sample.time}"


@each_tolerance
@each_case
def test_the_last_impact_is_shown_in_flight(fmus: Path, case: str, tolerance: float) -> None:
    for sample in clear_samples(fmus, case, tolerance):
        impacts = expected_before(case, sample.time, "impact")
        points = expected_before(case, sample.time, "Zeno")
        # After a truncation it is the impact at which the cascade was cut, until the next one.
        if not impacts or (points and points[-1]["time"] > impacts[-1]["time"]):
            continue
        at = f"at {sample.time}"
        assert error(sample.found["lastImpactTime"], impacts[-1]["time"]) <= allowed(tolerance), at
        assert error(sample.found["lastImpactSpeed"], impacts[-1]["speed"]) <= allowed(tolerance), at
