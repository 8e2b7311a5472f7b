"""Ecos: C++, its own FMI layer, adds up its times."""

import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import ecospy
import numpy
import pytest
from trials import COMMON_STEP, DEFAULTS, DRIVEN, STEPS, TRIALS, USUAL_STEP, Rows, assert_agrees, outputs


def instance(name: str) -> str:
    return name.replace("-", "_")


def structure(paths: Mapping[str, Path]) -> ecospy.EcosSimulationStructure:
    ecospy.EcosLib.set_log_level("warn")
    result = ecospy.EcosSimulationStructure()
    for name, path in paths.items():
        result.add_model(instance(name), path)
    start = {
        f"{instance(name)}::{variable}": value for name in paths for variable, value in TRIALS[name].start.items()
    }
    assert result.add_parameter_set("start", start)
    return result


def run(simulation: ecospy.EcosSimulation, names: Iterable[str], step_ns: int) -> dict[str, Rows]:
    assert simulation.init(parameter_set="start"), ecospy.EcosLib.get_last_error()
    getters: Mapping[str, Callable[[str], float]] = {
        "Real": simulation.get_real,
        "Integer": simulation.get_integer,
        "Boolean": simulation.get_bool,
    }
    rows: dict[str, list[list[float]]] = {name: [] for name in names}
    for step in range(STEPS):
        for name in names:
            for variable, signal in TRIALS[name].inputs.items():
                simulation.set_real(f"{instance(name)}::{variable}", signal(step * step_ns / 1e9))
        simulation.step()
        for name in names:
            rows[name].append(
                [
                    float(getters[variable.type](f"{instance(name)}::{variable.name}"))
                    for variable in outputs(TRIALS[name].fmu)
                ]
            )
    simulation.terminate()
    return {name: numpy.array(values) for name, values in rows.items()}


def simulate(paths: Mapping[str, Path], step_ns: int = COMMON_STEP) -> dict[str, Rows]:
    """All trials in one simulation."""
    with structure(paths) as system, ecospy.EcosSimulation(structure=system, step_size=step_ns / 1e9) as simulation:
        return run(simulation, paths, step_ns)


@pytest.mark.parametrize("name", DRIVEN)
def test_an_fmu_driven_by_inputs_agrees_with_fmpy(name: str) -> None:
    assert_agrees(name, simulate({name: TRIALS[name].path})[name])


def test_all_fmus_in_one_simulation_agree_with_fmpy() -> None:
    for name, rows in simulate({name: trial.path for name, trial in DEFAULTS.items()}).items():
        assert_agrees(name, rows)


def test_a_reset_simulation_repeats_its_results_to_the_bit() -> None:
    name = "DoublePendulum-driven"
    paths = {name: TRIALS[name].path}
    with structure(paths) as system, ecospy.EcosSimulation(structure=system, step_size=COMMON_STEP / 1e9) as simulation:
        first = run(simulation, paths, COMMON_STEP)[name]
        simulation.reset()
        assert numpy.array_equal(run(simulation, paths, COMMON_STEP)[name], first)


def test_an_fmu_in_a_folder_with_an_odd_name_runs(odd_folder: Path) -> None:
    path = shutil.copy(TRIALS["BallOnSine"].path, odd_folder / "ball + sine é.fmu")
    assert_agrees("BallOnSine", simulate({"BallOnSine": Path(path)}, USUAL_STEP)["BallOnSine"], USUAL_STEP)
