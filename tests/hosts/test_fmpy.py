"""FMPy, the way its users call it: whole simulations with input signals, and single steps with saved states."""

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import fmpy
import numpy
import pytest
from fmpy.fmi2 import FMU2Slave
from numpy.typing import NDArray
from trials import FMUS, variables

# Where a state is serialised, in steps of 1/64 s: twice inside a cascade, in contact, in free motion after a release.
SAVED_AT = {"BallOnSine": 165, "DoublePendulum": 230, "BouncingRod": 170, "ImpactOscillator": 170}


def signal(samples: Sequence[tuple[float, ...]], *names: str) -> NDArray[numpy.void]:
    return numpy.array(samples, dtype=[(name, numpy.float64) for name in ("time", *names)])


@contextmanager
def started(folder: str, fmu: str) -> Iterator[FMU2Slave]:
    """An initialised instance of an unpacked FMU."""
    description = fmpy.read_model_description(folder)
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=fmu,
    )
    slave.instantiate()
    try:
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        yield slave
    finally:
        slave.freeInstance()


def advance(slave: FMU2Slave, fmu: str, first: int, last: int) -> list[list[str]]:
    """Steps with a force that changes at each of them; all Real outputs, as hexadecimal digits to the last bit."""
    force = next(variable.valueReference for variable in variables(fmu).values() if variable.causality == "input")
    wanted = [v.valueReference for v in variables(fmu).values() if v.causality == "output" and v.type == "Real"]
    rows = []
    for step in range(first, last):
        slave.setReal([force], [0.1 * math.sin(step / 10.0)])
        slave.doStep(step / 64.0, 1.0 / 64.0)
        rows.append([value.hex() for value in slave.getReal(wanted)])
    return rows


def test_a_force_that_is_switched_on_moves_the_ball_as_the_closed_form_says() -> None:
    # A jump in the signal: two samples at one time. No friction: x is a parabola from then on, whatever the floor does.
    force = signal([(0.0, 0.0), (0.5, 0.0), (0.5, 2.0), (4.0, 2.0)], "Fx")
    ball = FMUS / "BouncingBall.fmu"
    for time, x in fmpy.simulate_fmu(ball, stop_time=4.0, output_interval=0.01, input=force, output=["x"]):
        assert x == pytest.approx(time + max(0.0, time - 0.5) ** 2, abs=1e-7)  # tolerance of the FMU: 1e-8


def ramp_over(steps: int, folder: str) -> list[float]:
    """Where a force that grows and falls linearly takes the ball.

    By hand, because set_input_derivatives of FMPy 0.3.32 works with nine inputs only.
    """
    at = {name: variable.valueReference for name, variable in variables("BallOnSine").items()}
    with started(folder, "BallOnSine") as slave:
        for step in range(steps):
            time, size = 10.0 * step / steps, 10.0 / steps
            rising = time < 5.0
            slave.setReal([at["Fx"]], [0.1 * (time if rising else 10.0 - time)])
            slave.setRealInputDerivatives([at["Fx"]], [1], [0.1 if rising else -0.1])
            slave.doStep(time, size)
        return slave.getReal([at[name] for name in ("x", "y", "vx", "vy", "surface.zeno.time")])


def test_a_ramp_given_by_input_derivatives_needs_no_small_steps(tmp_path: Path) -> None:
    fmpy.extract(FMUS / "BallOnSine.fmu", tmp_path)
    assert ramp_over(4, str(tmp_path)) == pytest.approx(ramp_over(4096, str(tmp_path)), abs=1e-7)


def test_an_unconnected_input_reads_its_start_value() -> None:
    zero = signal([(0.0, 0.0), (20.0, 0.0)], "tau1")
    runs = [
        fmpy.simulate_fmu(FMUS / "DoublePendulum.fmu", output_interval=0.05, input=tau, output=["theta1", "theta2"])
        for tau in (None, zero)
    ]
    assert runs[0]["time"][-1] == 20.0  # the default experiment
    assert numpy.array_equal(*runs)


@pytest.mark.parametrize("fmu", SAVED_AT)
def test_after_a_rollback_the_same_steps_give_the_same_bits(fmu: str, tmp_path: Path) -> None:
    fmpy.extract(FMUS / f"{fmu}.fmu", tmp_path)
    with started(str(tmp_path), fmu) as slave:
        for first in range(0, 640, 80):
            state = slave.getFMUstate()
            rows = advance(slave, fmu, first, first + 120)
            slave.setFMUstate(state)
            slave.freeFMUstate(state)
            assert advance(slave, fmu, first, first + 80) == rows[:80]


def continue_in_another_process(folder: str, fmu: str, state: str, first: int, last: int) -> list[list[str]]:
    command = [sys.executable, __file__, folder, fmu, str(first), str(last)]
    done = subprocess.run(command, input=state, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("fmu", "step"), SAVED_AT.items())
def test_a_serialised_state_goes_on_in_another_process_with_the_same_bits(fmu: str, step: int, tmp_path: Path) -> None:
    fmpy.extract(FMUS / f"{fmu}.fmu", tmp_path)
    with started(str(tmp_path), fmu) as slave:
        advance(slave, fmu, 0, step)
        state = slave.getFMUstate()
        serialised = slave.serializeFMUstate(state).hex()
        slave.freeFMUstate(state)
        rows = advance(slave, fmu, step, 400)
    assert continue_in_another_process(str(tmp_path), fmu, serialised, step, 400) == rows


@pytest.mark.parametrize("fmu", ["BallOnSine", "DoublePendulum", "BouncingBall"])
def test_an_fmu_in_a_folder_with_an_odd_name_runs(fmu: str, odd_folder: Path) -> None:
    path = shutil.copy(FMUS / f"{fmu}.fmu", odd_folder / f"{fmu} + 100%25 ü.fmu")
    moved, plain = (fmpy.simulate_fmu(file, stop_time=5.0) for file in (path, FMUS / f"{fmu}.fmu"))
    assert numpy.array_equal(moved, plain)


def _continue() -> None:
    """The other process: reads a state, prints what follows."""
    folder, fmu, first, last = sys.argv[1:]
    with started(folder, fmu) as slave:
        state = slave.deSerializeFMUstate(bytes.fromhex(sys.stdin.read()))
        slave.setFMUstate(state)
        slave.freeFMUstate(state)
        print(json.dumps(advance(slave, fmu, int(first), int(last))))


if __name__ == "__main__":
    _continue()
