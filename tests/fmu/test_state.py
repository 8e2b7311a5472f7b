"""Saved states: what a host gets back, in the same process or another, and what it can't pass off as a state."""

from pathlib import Path

import pytest
from fmpy.fmi1 import FMICallException
from hosting import CONSTRAINTS, Fmu, Run, unpack
from playing import play

each_system = pytest.mark.parametrize("system", CONSTRAINTS)


def push(run: Run, force: float) -> None:
    run.set({run.fmu.names("input")[0]: force})


def go_on(run: Run) -> list[list[float]]:
    """All outputs in some steps of various sizes, with an input that changes."""
    seen = []
    for number, size in enumerate([1e-6, 0.3, 0.01, 0.5, 1e-9, 0.25]):
        push(run, 0.25 * number)
        run.slave.doStep(run.time, size)
        run.time += size
        seen.append(run.read(run.fmu.names("output")))
    return seen


def bytes_of(run: Run) -> bytes:
    state = run.slave.getFMUstate()
    try:
        return run.slave.serializeFMUstate(state)
    finally:
        run.slave.freeFMUstate(state)


@each_system
@pytest.mark.parametrize("moment", [0.0, 0.3, 2.0, 4.5])
def test_after_a_restore_the_same_calls_give_the_same_bits(fmus: Path, system: str, moment: float) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    with Run(fmu) as run:
        if moment > 0:
            run.advance(moment)
        state = run.slave.getFMUstate()
        first = go_on(run)
        run.slave.setFMUstate(state)
        run.time = moment
        assert go_on(run) == first
        saved = run.slave.serializeFMUstate(state)
        run.slave.freeFMUstate(state)
    with Run(fmu) as other:
        state = other.slave.deSerializeFMUstate(saved)
        other.slave.setFMUstate(state)
        other.slave.freeFMUstate(state)
        other.time = moment
        assert go_on(other) == first


@each_system
def test_another_process_goes_on_with_the_same_bits(fmus: Path, system: str, tmp_path: Path) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    play("save", fmu, tmp_path / "states")
    assert play("resume", fmu, tmp_path / "states") == "20 states resumed\n"


@each_system
def test_the_packed_library_keeps_its_bits_and_its_countenance(fmus: Path, system: str) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    play("instances", fmu)
    play("calls", fmu, "200")
    play("rollback", fmu, "40")
    play("damage", fmu)


@pytest.fixture(scope="module")
def states(fmus: Path) -> dict[str, bytes]:
    """A saved state of each FMU."""
    found = {}
    for system in CONSTRAINTS:
        with Run(unpack(fmus / f"{system}.fmu")) as run:
            run.advance(0.5)
            found[system] = bytes_of(run)
    return found


def deserialize_in_vain(fmu: Fmu, state: bytes) -> str:
    """What the log says of a state that is refused; nothing changes by it."""
    with Run(fmu) as run:
        run.advance(0.5)
        before = run.read(run.fmu.names("output"))
        with pytest.raises(FMICallException, match="fmi2DeSerializeFMUstate"):
            run.slave.deSerializeFMUstate(state)
        assert run.read(run.fmu.names("output")) == before
        return run.messages[-1][1]


@each_system
def test_the_state_of_another_fmu_is_refused(fmus: Path, system: str, states: dict[str, bytes]) -> None:
    fmu = unpack(fmus / f"{system}.fmu")
    for other, state in states.items():
        if other == system:
            continue
        message = deserialize_in_vain(fmu, state)
        assert "another model" in message or f"a state of {len(state)} bytes" in message


def test_a_restore_brings_an_instance_back_that_was_terminated_or_reset(fmus: Path) -> None:
    with Run(unpack(fmus / "DoublePendulum.fmu")) as run:
        run.advance(1.0)
        state = run.slave.getFMUstate()
        first = go_on(run)
        run.slave.terminate()
        run.slave.setFMUstate(state)
        run.time = 1.0
        assert go_on(run) == first
        run.slave.reset()
        run.slave.setFMUstate(state)
        run.time = 1.0
        assert go_on(run) == first
        run.slave.freeFMUstate(state)
