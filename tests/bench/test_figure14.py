"""The comparison of bench/figure14 on a few points: exact solution, distance, the algorithms of [Burden, V-B], ours."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "bench"), str(ROOT / "scripts")]

import figure14
from comparison import Settings, burden_program, burden_rows, ours, paoli_schatzman, relaxed
from hybrid_run import HybridFmu
from oscillator import EXAMPLES, exact
from quotient import distance

each_example = pytest.mark.parametrize("number", EXAMPLES)


@pytest.fixture(scope="module")
def program() -> Iterator[Path]:
    with burden_program() as path:
        yield path


@pytest.fixture(scope="module")
def fmu(fmus: Path) -> Iterator[HybridFmu]:
    with HybridFmu(fmus / "ImpactOscillator.fmu") as unpacked:
        yield unpacked


def orders(xs: list[float], errors: list[float]) -> list[float]:
    """Of each pair of neighbours."""
    pairs = zip(pairwise(xs), pairwise(errors), strict=True)
    return [float(np.log(d / c) / np.log(b / a)) for (a, b), (c, d) in pairs]


# ---- The exact solution


@pytest.mark.parametrize(("number", "case"), [(1, "ImpactOscillator-bouncing"), (2, "ImpactOscillator")])
def test_the_closed_form_agrees_with_the_independent_reference(number: int, case: str) -> None:
    reference = json.loads((ROOT / "tests" / "reference" / f"{case}.json").read_text())
    assert reference["parameters"] == EXAMPLES[number].parameters
    times = np.array([sample["time"] for sample in reference["samples"]])
    expected = np.array([[*sample["q"], *sample["v"]] for sample in reference["samples"]])
    # Terms of size 80 and rates of 200, each with rounding errors of a few units of the last digit.
    np.testing.assert_allclose(np.column_stack(exact(number)(times)), expected, rtol=0, atol=5e-13)
    impacts = [event for event in reference["events"] if event["kind"] == "impact"]
    found = [impact for impact in exact(number).impacts if impact.speed >= 1e-9][: len(impacts)]
    assert [(impact.time, impact.speed) for impact in found] == [(event["time"], event["speed"]) for event in impacts]
    assert exact(number).rests == [event["time"] for event in reference["events"] if event["kind"] == "Zeno"]
    assert exact(number).releases == [event["time"] for event in reference["events"] if event["kind"] == "release"]


# ---- The distance


def shortest_way(p: np.ndarray, q: np.ndarray, xmax: float, e: float, grid: np.ndarray) -> float:
    """Dijkstra's algorithm from p to q over points of the guard and, at no cost from there, their images."""
    guard = np.column_stack([np.full(len(grid), xmax), grid])
    points = np.vstack([p, q, guard, guard * [1, -e]])
    lengths = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
    for i in range(len(grid)):
        here, image = 2 + i, 2 + len(grid) + i
        lengths[here, image] = lengths[image, here] = 0
    reached, open_points = lengths[0].copy(), np.ones(len(points), bool)
    for _ in points:
        nearest = np.argmin(np.where(open_points, reached, np.inf))
        open_points[nearest] = False
        reached = np.minimum(reached, reached[nearest] + lengths[nearest])
    return float(reached[1])


@pytest.mark.parametrize("e", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_no_way_through_glued_points_is_shorter_than_the_distance(e: float) -> None:
    xmax, random = -0.8, np.random.default_rng(7)
    grid = np.linspace(0, 12, 241)
    used_guard = 0
    for _ in range(40):
        p, q = (np.array([xmax - 2 * random.random() ** 3, random.uniform(-3, 3)]) for _ in range(2))
        found = float(distance((p[:1], p[1:]), (q[:1], q[1:]), xmax, e)[0])
        assert found == pytest.approx(float(distance((q[:1], q[1:]), (p[:1], p[1:]), xmax, e)[0]), abs=1e-15)
        way = shortest_way(p, q, xmax, e, grid)
        assert found <= way + 1e-14
        assert way <= found + 0.1  # the spacing of the grid, twice
        used_guard += found < np.hypot(*(p - q)) - 0.01
    assert used_guard >= 5


def test_a_point_of_the_guard_is_where_its_image_is() -> None:
    xmax, e, v = 14.0, 0.9, np.array([0.0, 1e-9, 1.0, 30.0])
    at_stop = np.full(len(v), xmax)
    assert distance((at_stop, v), (at_stop, -e * v), xmax, e) == pytest.approx(0, abs=1e-14)


@each_example
def test_the_command_finds_the_same_distances(program: Path, tmp_path: Path, number: int) -> None:
    """`./zenofmu distance` searches numerically, for any model; here is the closed form."""
    rows = burden_rows(program, "relaxed", number, {"h": 1e-2, "epsilon": 1e-4, "stop": 12})
    rows = rows[np.append(np.diff(rows[:, 0]) > 0, True)]  # of a jump, the state after it
    states = np.column_stack([rows[:, 0], *exact(number)(rows[:, 0])])
    files = [tmp_path / name for name in ("scheme.csv", "exact.csv")]
    for file, values in zip(files, (rows, states), strict=True):
        np.savetxt(file, values, fmt="%.17g", delimiter=",", header="time,x,v", comments="")
    table = tmp_path / "distances.csv"
    settings = [word for name, value in EXAMPLES[number].parameters.items() for word in ("--set", f"{name}={value!r}")]
    command = [ROOT / "zenofmu", "distance", "ImpactOscillator", *files, "--csv", table, *settings]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = dict(np.loadtxt(table, delimiter=",", skiprows=1))
    xmax, e = EXAMPLES[number].parameters["xmax"], EXAMPLES[number].parameters["e"]
    expected = distance((rows[:, 1], rows[:, 2]), (states[:, 1], states[:, 2]), xmax, e)
    straight = np.hypot(rows[:, 1] - states[:, 1], rows[:, 2] - states[:, 2])
    assert np.sum(expected < 0.99 * straight) >= 5  # glued points matter
    compared = np.array([time in found for time in rows[:, 0]])
    assert compared.mean() > 0.9
    # 40 is the size of what is subtracted, 1e-16 of it its rounding.
    assert [found[time] for time in rows[compared, 0]] == pytest.approx(expected[compared], abs=1e-12)


# ---- The algorithms of the paper


def test_paoli_and_schatzman_converge_at_first_order(program: Path) -> None:
    steps = [1e-2, 1e-3, 1e-4]
    errors = [paoli_schatzman(program, 2, h).position for h in steps]
    assert orders(steps, errors) == pytest.approx([1, 1], abs=0.05)


def test_paoli_and_schatzman_need_the_published_step_for_1e_4(program: Path) -> None:
    """In Example 2 it "requires a step-size of h = 5e-4" for about 1e-4 [Burden, V-B]."""
    assert paoli_schatzman(program, 2, 5e-4).position == pytest.approx(1e-4, rel=0.1)


def test_the_relaxed_scheme_converges_at_second_order_in_the_step(program: Path) -> None:
    """[Burden, Corollary 28] with the midpoint method, where epsilon is too small to matter."""
    steps = [1e-2, 3e-3, 1e-3]
    errors = [relaxed(program, 1, h, 1e-9) for h in steps]
    assert orders(steps, [error.position for error in errors]) == pytest.approx([2, 2], abs=0.1)
    assert orders(steps, [error.rho for error in errors]) == pytest.approx([2, 2], abs=0.1)


def test_the_relaxed_scheme_is_off_by_no_more_than_epsilon_and_the_square_of_the_step(program: Path) -> None:
    """The time that it really spends on a strip depends on where a step ends, so its error scatters below the bound."""
    for h in (1e-2, 3e-3, 1e-3):
        for epsilon in (1e-3, 1e-4, 1e-5, 1e-6):
            error = relaxed(program, 1, h, epsilon)
            assert error.position < 400 * (epsilon + h**2)  # 290 epsilon, were the whole of it spent on each strip
            assert error.rho < 1000 * (epsilon + h**2)


def test_at_rest_the_relaxed_scheme_trembles_with_the_root_of_epsilon(program: Path) -> None:
    """It has no rest: it falls through the strip and is thrown back, with speeds of about sqrt(epsilon)."""
    strips = [1e-4, 1e-6, 1e-8]
    errors = [relaxed(program, 2, 1e-3, epsilon).rho for epsilon in strips]
    assert all(0.2 < error / np.sqrt(epsilon) < 2 for error, epsilon in zip(errors, strips, strict=True))


def test_a_strip_takes_its_time_and_a_jump_none(program: Path) -> None:
    epsilon, e, xmax = 1e-3, 0.9, 14.0
    rows = burden_rows(program, "relaxed", 1, {"h": 1e-3, "epsilon": epsilon})
    jumps = np.flatnonzero(np.diff(rows[:, 0]) == 0)
    assert len(jumps) == len(exact(1).impacts)
    assert np.all(rows[jumps, 1] == xmax) and np.all(rows[jumps + 1, 1] == xmax)
    assert rows[jumps + 1, 2] == pytest.approx(-e * rows[jumps, 2])
    on_strip = rows[jumps, 0] - rows[jumps - 1, 0]
    assert np.all(rows[jumps, 1:] == rows[jumps - 1, 1:])
    assert 0 < on_strip.min() and on_strip.max() <= epsilon * (1 + 1e-9)


def test_the_program_prints_a_table_or_its_last_row(program: Path) -> None:
    def lines(*words: str) -> list[str]:
        return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.splitlines()

    table = lines("relaxed", "h=0.1", "stop=1")
    assert table[0] == "time,x,v" and table[1] == "0,-0.80000000000000004,0"
    assert lines("relaxed", "h=0.1", "stop=1", "last") == table[-1:]
    assert lines("ps", "h=0.25", "stop=1")[0] == "time,x"
    assert [line.split(",")[0] for line in lines("ps", "h=0.25", "stop=1")[1:]] == ["0", "0.25", "0.5", "0.75", "1"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected the method"),
        (["euler"], "not euler"),
        (["ps", "g=9.81"], "not g=9.81"),
        (["ps", "h=small"], "not h=small"),
        (["ps", "h=nan"], "not h=nan"),
        (["ps", "h=0"], "h must be above 0"),
        (["relaxed", "epsilon=0"], "epsilon must be above the rounding"),
    ],
)
def test_the_program_says_what_it_does_not_understand(program: Path, words: list[str], message: str) -> None:
    result = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert result.returncode == 1 and message in result.stderr


# ---- Ours


@each_example
@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("step", [1e-1, 1e-2])
def test_ours_follows_the_tolerance_at_any_step(fmu: HybridFmu, number: int, tolerance: float, step: float) -> None:
    error = ours(fmu, number, step, Settings(tolerance, truncation=tolerance))
    assert error.position < 100 * tolerance
    assert error.rho < 300 * tolerance  # velocities reach 39 m/s in Example 1


def test_ours_is_off_in_a_truncated_cascade_by_no_more_than_was_asked(fmu: HybridFmu) -> None:
    asked = 1e-5
    assert 1e-8 < ours(fmu, 2, 1e-2, Settings(1e-10, truncation=asked)).rho < asked


@each_example
def test_ours_converges_at_first_order_in_epsilon(fmu: HybridFmu, number: int) -> None:
    relaxations = [1e-4, 1e-5, 1e-6]
    errors = [ours(fmu, number, 1e-2, Settings(1e-10, epsilon, 1e-10)).position for epsilon in relaxations]
    assert orders(relaxations, errors) == pytest.approx([1, 1], abs=0.02)


# ---- The figure


def test_the_figure_is_drawn(
    fmus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for few in ("STEPS", "COMMUNICATION_STEPS", "RELAXATIONS", "ALL_TOLERANCES"):
        monkeypatch.setattr(figure14, few, getattr(figure14, few)[:2])
    monkeypatch.setattr(figure14, "SMALL_STEPS", [])
    monkeypatch.setattr(figure14, "STRIPS", [1e-2, 1e-3, 1e-4, 1e-5])
    monkeypatch.setattr(figure14, "STEP_OF_RELAXATIONS", 1e-2)
    picture = tmp_path / "new" / "figure.png"
    assert figure14.main(["--fmu", str(fmus / "ImpactOscillator.fmu"), "--output", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    printed = capsys.readouterr().out
    assert printed.count("| ours, tolerance 1e-9 |") == 2 * len(EXAMPLES)  # in both errors
    assert " nan " not in printed
