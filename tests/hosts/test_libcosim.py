"""libcosim, the co-simulation library of the Open Simulation Platform: C++, FMI Library, an own thread for the FMUs."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy
import pytest
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave
from trials import (
    COMMON_STEP,
    DEFAULTS,
    DRIVEN,
    STEPS,
    TRIALS,
    USUAL_STEP,
    Rows,
    Trial,
    assert_agrees,
    outputs,
    variables,
)


@dataclass
class Part:
    """One FMU in an execution."""

    trial: Trial
    index: int
    slave: CosimLocalSlave  # kept alive as long as the execution

    def read(self, observer: CosimObserver) -> list[float]:
        getters: Mapping[str, Callable[[int, list[int]], list[float]]] = {
            "Real": observer.last_real_values,
            "Integer": observer.last_integer_values,
            "Boolean": observer.last_boolean_values,
        }
        return [
            float(getters[variable.type](self.index, [variable.valueReference])[0])
            for variable in outputs(self.trial.fmu)
        ]

    def references(self, names: Mapping[str, object]) -> list[int]:
        return [variables(self.trial.fmu)[name].valueReference for name in names]


def add(execution: CosimExecution, name: str, path: Path) -> Part:
    trial = TRIALS[name]
    slave = CosimLocalSlave(fmu_path=str(path), instance_name=name)
    part = Part(trial, execution.add_local_slave(slave), slave)
    for reference, value in zip(part.references(trial.start), trial.start.values(), strict=True):
        assert execution.real_initial_value(part.index, reference, value)
    return part


def simulate(paths: Mapping[str, Path], step_ns: int = COMMON_STEP) -> dict[str, Rows]:
    """All trials in one execution."""
    log_output_level(CosimLogLevel.ERROR)
    execution = CosimExecution.from_step_size(step_ns)
    observer, manipulator = CosimObserver.create_last_value(), CosimManipulator.create_override()
    execution.add_observer(observer)
    execution.add_manipulator(manipulator)
    parts = {name: add(execution, name, path) for name, path in paths.items()}
    rows: dict[str, list[list[float]]] = {name: [] for name in paths}
    for step in range(STEPS):
        for part in parts.values():
            if part.trial.inputs:
                values = [signal(step * step_ns / 1e9) for signal in part.trial.inputs.values()]
                assert manipulator.slave_real_values(part.index, part.references(part.trial.inputs), values)
        assert execution.step()
        for name, part in parts.items():
            rows[name].append(part.read(observer))
    return {name: numpy.array(values) for name, values in rows.items()}


@pytest.mark.parametrize("name", DRIVEN)
def test_an_fmu_driven_by_overridden_inputs_agrees_with_fmpy(name: str) -> None:
    assert_agrees(name, simulate({name: TRIALS[name].path})[name])


def test_all_fmus_in_one_execution_agree_with_fmpy() -> None:
    for name, rows in simulate({name: trial.path for name, trial in DEFAULTS.items()}).items():
        assert_agrees(name, rows)


def test_an_fmu_in_a_folder_with_an_odd_name_runs(odd_folder: Path) -> None:
    path = shutil.copy(TRIALS["BallOnSine"].path, odd_folder / "ball + sine é.fmu")
    assert_agrees("BallOnSine", simulate({"BallOnSine": Path(path)}, USUAL_STEP)["BallOnSine"], USUAL_STEP)
