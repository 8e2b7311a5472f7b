"""Hybrid systems that the project doesn't publish, tests/models, on a user's way: from XML to an FMU and into FMPy."""

import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import fmpy
import pytest
from fmpy.validation import validate_fmu
from hosting import Fmu, Run, unpack

TOLERANCE = 1e-9
# Times and values err by up to 100 tolerances of their size, as in test_accuracy.py.
ACCURACY = 100 * TOLERANCE


@pytest.fixture(scope="module")
def export(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("own")

    def make(name: str) -> Path:
        fmu = folder / f"{name}.fmu"
        if not fmu.exists():
            model = root / "tests" / "models" / f"{name}.xml"
            subprocess.run([root / "zenofmu", "export", model, "-o", fmu, "--platform", "linux64"], check=True)
        return fmu

    return make


@pytest.mark.parametrize("name", ["Thermostat", "TwoTanks"])
def test_fmpy_finds_nothing_wrong_and_simulates(export: Callable[[str], Path], name: str) -> None:
    fmu = export(name)
    assert validate_fmu(str(fmu)) == []
    result = fmpy.simulate_fmu(str(fmu))
    assert result["transitions"][-1] > 10
    assert set(result["mode"]) == {0, 1}


# ---- the thermostat: a saw-tooth of exponentials

TAU, RISE, LOW, HIGH, OUTSIDE, START = 600.0, 20.0, 19.0, 21.0, 5.0, 20.0


def decay_time(limit: float, start: float, end: float) -> float:
    return TAU * math.log((start - limit) / (end - limit))


def test_the_thermostat_switches_when_its_closed_form_does(export: Callable[[str], Path]) -> None:
    heating = decay_time(OUTSIDE + RISE, LOW, HIGH)
    times = [decay_time(OUTSIDE, START, LOW)]
    while times[-1] < 3600:
        times.append(times[-1] + heating)
        times.append(times[-1] + decay_time(OUTSIDE, HIGH, LOW))
    times = [time for time in times if time < 3600]
    with Run(unpack(export("Thermostat")), TOLERANCE) as run:
        run.advance(3600.0)
        seen = run.transitions()
        assert [transition.time for transition in seen] == pytest.approx(times, rel=ACCURACY)
        assert [transition.target for transition in seen] == [("on", "off")[k % 2] for k in range(len(times))]
        assert run.get("transitions") == len(times)
        assert run.get("lastTransitionTime") == pytest.approx(times[-1], rel=ACCURACY)
        assert run.get("lastOn") == pytest.approx(heating, rel=ACCURACY)
        switched_on = times[-1] if len(times) % 2 else times[-2]
        assert run.get("switchedOn") == pytest.approx(switched_on, rel=ACCURACY)


def test_an_output_of_a_mode_reads_0_elsewhere(export: Callable[[str], Path]) -> None:
    with Run(unpack(export("Thermostat")), TOLERANCE) as run:
        assert (run.get("mode"), run.get("heating")) == (0, 0)
        run.advance(100.0)
        assert (run.get("mode"), run.get("heating")) == (1, pytest.approx(RISE / TAU, rel=1e-15))


def test_a_colder_day_is_an_input(export: Callable[[str], Path]) -> None:
    """Outside 0 from the start: the heater is switched on earlier."""
    with Run(unpack(export("Thermostat")), TOLERANCE, {"outside": 0.0}) as run:
        run.advance(100.0)
        assert run.get("lastTransitionTime") == pytest.approx(decay_time(0.0, START, LOW), rel=ACCURACY)


# ---- two tanks: linear equations of second order in each mode

A, C1, C2, FLOW = 0.5, 0.02, 0.01, 0.02


def levels(time: float, upper: float, lower: float, pumped: float, drain: float, demand: float) -> tuple[float, float]:
    """upper' = (pumped - C1 upper)/A, lower' = (C1 upper - drain lower - demand)/A from the given levels."""
    a, d = C1 / A, drain / A
    limit = pumped / C1
    fast = (upper - limit) * math.exp(-a * time)
    inflow = (C1 * limit - demand) / A  # of the lower tank in the long run
    shape = a * (upper - limit) / (d - a)  # what `fast` adds to the lower level
    if d > 0:
        slow = inflow / d + (lower - inflow / d - shape) * math.exp(-d * time)
    else:
        slow = lower - shape + inflow * time
    return limit + fast, slow + shape * math.exp(-a * time)


def first_crossing(level: Callable[[float], float], threshold: float, upwards: bool) -> float:
    """The first time, to the last bit, at which the level reaches the threshold from the other side."""
    beyond = (lambda t: level(t) >= threshold) if upwards else (lambda t: level(t) <= threshold)
    end = next(0.5 * k for k in range(1, 10000) if beyond(0.5 * k))
    start = end - 0.5
    while start < (middle := (start + end) / 2) < end:
        start, end = (start, middle) if beyond(middle) else (middle, end)
    return end


@pytest.mark.parametrize(("drain", "demand"), [(1, 0.0), (1, 0.003), (2, 0.01)])
def test_the_tanks_follow_their_closed_form(export: Callable[[str], Path], drain: int, demand: float) -> None:
    out = C2 if drain == 1 else 0.0
    time, upper, lower, filling, times = 0.0, 0.5, 1.0, True, []
    while time < 600:
        begin = (upper, lower, FLOW if filling else 0.0, out, demand)
        duration = first_crossing(lambda t, begin=begin: levels(t, *begin)[1], 1.2 if filling else 0.8, filling)
        if time + duration > 600:
            upper, lower = levels(600 - time, *begin)
            break
        upper, lower = levels(duration, *begin)
        time, filling = time + duration, not filling
        times.append(time)
    with Run(unpack(export("TwoTanks")), TOLERANCE, {"drain": drain, "demand": demand}) as run:
        run.advance(600.0)
        assert [transition.time for transition in run.transitions()] == pytest.approx(times, rel=ACCURACY)
        assert run.get("cycles") == len(times) // 2
        assert run.get("mode") == (0 if filling else 1)
        assert run.read(["upper", "lower"]) == pytest.approx([upper, lower], rel=ACCURACY)


def test_an_enumeration_refuses_what_is_no_choice(export: Callable[[str], Path]) -> None:
    fmu: Fmu = unpack(export("TwoTanks"))
    with pytest.raises(Exception, match="fmi2ExitInitializationMode"), Run(fmu, TOLERANCE, {"drain": 3}):
        pass
