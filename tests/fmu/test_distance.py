"""./zenofmu distance on executions that FMPy has recorded."""

import math
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import fmpy
import numpy as np
import pytest
from fmpy.util import write_csv

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "zenofmu"

# Burden's Example 1 [Burden, Table I]: many hard impacts.
EXAMPLE_1 = {"a": 0.05, "omega": 2.5, "xmax": 14, "e": 0.9, "amplitude": 20, "frequency": 2.5, "x": 11.36263, "v": 31.40358}


@dataclass(frozen=True)
class Comparison:
    distance: float
    time: float
    text: str  # all that was printed
    table: np.ndarray  # time, distance


def record(fmu: Path, to: Path, start: Mapping[str, float], tolerance: float, stop: float, step: float) -> np.ndarray:
    result = fmpy.simulate_fmu(
        fmu, stop_time=stop, step_size=step, output_interval=step, relative_tolerance=tolerance, start_values=start
    )
    write_csv(to, result)
    return result


def zenofmu(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, "distance", *arguments], capture_output=True, text=True, check=False)


def compare(model: str | Path, a: Path, b: Path, *options: str) -> Comparison:
    table = a.with_suffix(".distances.csv")
    result = zenofmu(model, a, b, "--csv", table, *options)
    assert result.returncode == 0, result.stderr
    found = re.search(r": distance (\S+) at t = (\S+)$", result.stdout, re.MULTILINE)
    assert found, result.stdout
    return Comparison(float(found[1]), float(found[2]), result.stdout, np.genfromtxt(table, delimiter=",", names=True))


def straight(a: np.ndarray, b: np.ndarray, names: list[str]) -> np.ndarray:
    """The Euclidean distances of the states, as if nothing were glued."""
    return np.sqrt(sum((a[name] - b[name]) ** 2 for name in names))


# ---- impacts


def test_executions_at_two_tolerances_are_as_close_as_the_looser_one(fmus: Path, tmp_path: Path) -> None:
    fmu = fmus / "ImpactOscillator.fmu"
    loose = record(fmu, tmp_path / "loose.csv", {}, 1e-6, 4 * math.pi, 0.01)
    tight = record(fmu, tmp_path / "tight.csv", {}, 1e-10, 4 * math.pi, 0.01)
    found = compare("ImpactOscillator", tmp_path / "loose.csv", tmp_path / "tight.csv")
    assert 0 < found.distance < 1e-4  # 100 tolerances
    assert "exact: no connecting curve is shorter" in found.text
    assert f"compared at {len(loose)} times" in found.text
    assert found.table["distance"].max() == pytest.approx(found.distance, rel=1e-9)
    assert (found.table["distance"] <= straight(loose, tight, ["x", "v"]) + 1e-15).all()


def test_an_impact_that_is_late_makes_velocities_differ_but_not_states(fmus: Path, tmp_path: Path) -> None:
    """Two starts that differ by delta: between their impacts the velocities differ by almost 50 m/s, the distance by delta."""
    fmu, distances = fmus / "ImpactOscillator.fmu", []
    parameters = [f"{name}={value}" for name, value in EXAMPLE_1.items() if name not in ("x", "v")]
    options = [word for parameter in parameters for word in ("--set", parameter)]
    first = record(fmu, tmp_path / "first.csv", EXAMPLE_1, 1e-10, 2.0, 1e-3)
    assert first["stop.impacts"][-1] > 0
    for delta in (1e-1, 1e-2, 1e-3):
        start = EXAMPLE_1 | {"x": EXAMPLE_1["x"] - delta}
        other = record(fmu, tmp_path / "other.csv", start, 1e-10, 2.0, 1e-3)
        found = compare("ImpactOscillator", tmp_path / "first.csv", tmp_path / "other.csv", *options)
        between = first["stop.impacts"] != other["stop.impacts"]
        if delta == 1e-1:
            assert between.any()
            assert straight(first, other, ["x", "v"])[between].max() > 40
        assert "exact: no connecting curve is shorter" in found.text
        distances.append(found.distance / delta)
    assert max(distances) < 10
    assert max(distances) / min(distances) < 2  # first order


# ---- two thresholds at once


@pytest.mark.parametrize("side", [(-1, 0), (0, -1), (1, 0), (0, 1)])
def test_executions_close_to_both_thresholds_are_close(fmus: Path, tmp_path: Path, side: tuple[int, int]) -> None:
    """[Burden, V-A]: mode sequences differ, and the distance goes to 0 at first order: it is that of the plane."""
    fmu = fmus / "DigitalControl.fmu"
    nominal = record(fmu, tmp_path / "nominal.csv", {}, 1e-10, 3.0, 1e-2)
    for power in range(1, 9):
        delta = 10.0**-power
        start = {"xi1": -1 + side[0] * delta, "xi2": -1 + side[1] * delta}
        other = record(fmu, tmp_path / "other.csv", start, 1e-10, 3.0, 1e-2)
        found = compare("DigitalControl", tmp_path / "nominal.csv", tmp_path / "other.csv")
        assert "exact: no connecting curve is shorter" in found.text
        plane = straight(nominal, other, ["xi1", "xi2"])
        assert found.table["distance"] == pytest.approx(plane, rel=1e-6, abs=1e-14)
        assert found.distance == pytest.approx(delta, rel=1e-9, abs=1e-12)  # later they come closer


def test_executions_on_either_side_go_through_different_modes(fmus: Path, tmp_path: Path) -> None:
    fmu, delta = fmus / "DigitalControl.fmu", 0.25
    first = record(fmu, tmp_path / "first.csv", {"xi1": -1 - delta}, 1e-10, 3.0, 1e-2)
    second = record(fmu, tmp_path / "second.csv", {"xi2": -1 - delta}, 1e-10, 3.0, 1e-2)
    assert set(first["mode"]) == {0, 2, 3}
    assert set(second["mode"]) == {0, 1, 3}
    found = compare("DigitalControl", tmp_path / "first.csv", tmp_path / "second.csv")
    assert found.table["distance"] == pytest.approx(straight(first, second, ["xi1", "xi2"]), rel=1e-9)
    lonely = zenofmu("DigitalControl", tmp_path / "first.csv", tmp_path / "second.csv", "--transitions", "1")
    assert lonely.returncode == 0
    assert "distance inf at t = " in lonely.stdout
    assert "no curve of at most 1 transitions connects the two states" in lonely.stdout


def test_a_pronk_is_close_to_runs_whose_legs_touch_down_one_after_the_other(fmus: Path, tmp_path: Path) -> None:
    """[Burden, V-C]: with a little pitch rate either leg is first; no reset changes the state, so nothing is shorter than
    the straight line."""
    fmu, states = fmus / "Pronker.fmu", ["x", "z", "theta", "vx", "vz", "omega"]
    pronk = record(fmu, tmp_path / "pronk.csv", {}, 1e-10, 0.9, 1e-3)
    ratios = []
    for omega in (-1e-2, -1e-4, 1e-4, 1e-2):
        other = record(fmu, tmp_path / "other.csv", {"omega": omega}, 1e-10, 0.9, 1e-3)
        found = compare("Pronker", tmp_path / "pronk.csv", tmp_path / "other.csv")
        assert np.isfinite(found.table["distance"]).all()
        assert (found.table["distance"] >= straight(pronk, other, states) * (1 - 1e-9)).all()
        ratios.append(found.distance / abs(omega))
    assert max(ratios) / min(ratios) < 1.5  # first order


# ---- mistakes


def test_mistakes_are_named(fmus: Path, tmp_path: Path) -> None:
    good, other = tmp_path / "good.csv", tmp_path / "other.csv"
    record(fmus / "ImpactOscillator.fmu", good, {}, 1e-8, 1.0, 0.1)
    other.write_text(good.read_text().replace('"v"', '"w"'))
    for arguments, message in [
        (("ImpactOscillator", good, other), f"{other}: there is no column 'v'"),
        (("ImpactOscillator", good, tmp_path / "none.csv"), "No such file or directory"),
        (("ImpactOscillator", good, good, "--set", "mass=1"), "there is no parameter 'mass'"),
        (("ImpactOscillator", good, good, "--set", "e=2"), "expected a value that 'e' may take"),
        (("ImpactOscillator", good, good, "--set", "e"), "expected NAME=VALUE"),
        (("BouncingBall", good, good), f"{good}: there is no column 'y'"),
        (("NoModel", good, good), "NoModel"),
    ]:
        result = zenofmu(*arguments)
        assert result.returncode == 1, arguments
        assert message in result.stderr
        assert not result.stdout
    for arguments in [("ImpactOscillator", good), ("ImpactOscillator", good, good, "--transitions", "7"), ()]:
        result = zenofmu(*arguments)
        assert result.returncode == 2, arguments
        assert "usage:" in result.stderr


def test_an_execution_is_no_distance_from_itself(fmus: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    record(fmus / "BallOnSine.fmu", run, {}, 1e-8, 5.0, 0.1)
    found = compare(ROOT / "modelDescription" / "BallOnSine.xml", run, run)
    assert found.distance == 0
