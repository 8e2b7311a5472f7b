"""Where no force acts, kinetic + potential + dissipated energy is constant: in flight, at impacts, at Zeno points, in contact."""

from pathlib import Path

import pytest
from hosting import CONSTRAINTS, Run, unpack

# The oscillator without forcing and damping: its spring presses it against the stop.
UNFORCED_OSCILLATOR = {"amplitude": 0.0, "a": 0.0, "x": -2.0, "v": 0.5}
ENERGIES = ["energy.kinetic", "energy.potential", "energy.dissipated"]


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("system", CONSTRAINTS)
def test_the_energy_balance_holds(fmus: Path, system: str, tolerance: float) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    start = UNFORCED_OSCILLATOR if system == "ImpactOscillator" else {}
    with Run(fmu, tolerance, start) as run:
        initial = sum(run.read(ENERGIES))
        for number in range(1, 401):
            run.advance(number / 400 * fmu.stop_time)
            parts = run.read(ENERGIES)
            # Coordinates and rates err by up to 100 tolerances, and the energies with them, by their size.
            scale = 1 + sum(abs(part) for part in parts)
            assert abs(sum(parts) - initial) <= 100 * tolerance * scale, f"at {run.time}"
        assert run.get(f"{CONSTRAINTS[system]}.zeno.count") >= 1
        assert run.get("energy.dissipated") > 0


@pytest.mark.parametrize("system", CONSTRAINTS)
def test_dissipation_only_grows_and_only_at_impacts(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    with Run(fmu) as run:
        names = ["energy.dissipated", f"{CONSTRAINTS[system]}.impacts"]
        before, impacts_before = run.read(names)
        for number in range(1, 401):
            run.advance(number / 400 * fmu.stop_time)
            dissipated, impacts = run.read(names)
            assert dissipated >= before
            assert impacts > impacts_before or dissipated == before
            before, impacts_before = dissipated, impacts


def test_an_elastic_impact_dissipates_nothing(fmus: Path) -> None:
    with Run(unpack(fmus / "BouncingBall.fmu"), 1e-10, {"e": 1.0}) as run:
        run.advance(5.0)
        assert run.get("floor.impacts") == 6  # at 0.4515 (1 + 2 k) s
        assert run.get("energy.dissipated") == 0
        # Six flights, each within 100 tolerances of the energy 9.81 J.
        assert run.get("energy.kinetic") + run.get("energy.potential") == pytest.approx(9.81 + 0.5, rel=1e-8)
