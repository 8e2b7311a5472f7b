"""The FMU container of fmu-manipulation-toolbox: FMUs inside an FMU, which is a host of its own, run in FMPy."""

import logging
from collections.abc import Sequence
from pathlib import Path

import fmpy
import pytest
from fmu_manipulation_toolbox.assembly import AssemblyNode
from trials import COMMON_STEP, DRIVEN, FMUS, STEPS, TRIALS, assert_agrees, columns, input_signals, outputs

STEP = COMMON_STEP / 1e9


def build(names: Sequence[str], folder: Path, threads: bool) -> Path:
    """A container in which each variable has its FMU's name in front: models share names."""
    logging.getLogger("fmu_manipulation_toolbox").setLevel(logging.ERROR)
    node = AssemblyNode("Container.fmu", step_size=STEP, mt=threads, auto_input=False, auto_output=False)
    for name in names:
        trial = TRIALS[name]
        node.add_fmu(str(trial.path))
        for variable in trial.inputs:
            node.add_input(f"{trial.fmu}.{variable}", str(trial.path), variable)
        for variable in outputs(trial.fmu):
            node.add_output(str(trial.path), variable.name, f"{trial.fmu}.{variable.name}")
        for variable, value in trial.start.items():
            node.add_start_value(str(trial.path), variable, repr(value))
    path = folder / "Container.fmu"
    node.make_fmu(FMUS, filename=str(path))
    return path


@pytest.mark.parametrize("threads", [False, True], ids=["one thread", "a thread for each FMU"])
def test_three_fmus_in_a_container_agree_with_themselves_outside(tmp_path: Path, threads: bool) -> None:
    names = list(DRIVEN)
    inputs = {f"{trial.fmu}.{name}": signal for trial in DRIVEN.values() for name, signal in trial.inputs.items()}
    wanted = {name: [f"{TRIALS[name].fmu}.{variable.name}" for variable in outputs(TRIALS[name].fmu)] for name in names}
    result = fmpy.simulate_fmu(
        build(names, tmp_path, threads),
        stop_time=STEPS * STEP,
        output_interval=STEP,
        input=input_signals(inputs, STEP),
        output=[variable for variables in wanted.values() for variable in variables],
    )
    for name in names:
        assert_agrees(name, columns(result, wanted[name]))
