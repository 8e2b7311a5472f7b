"""What every FMU of a hybrid system with modes does, whatever its model: the same bits whatever the steps, states, reset."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
from hosting import MODES, Fmu, Run, unpack
from reversed_model import export_reversed
from test_steps import assert_same_bits, drive, grid, irregular

each_system = pytest.mark.parametrize("system", MODES)

# Several contacts, both pairs of events: a load brings a mass back.
STARTS = {
    "SpringImpact": {"F": -5.0},
    "KelvinVoigtImpact": {"F": -5.0},
    "HuntCrossleyImpact": {"F": -5.0},
    "DigitalControl": {},
    "Pronker": {"omega": -0.4},
}
STOP = 1.5


def bits(values: Sequence[float]) -> bytes:
    return struct.pack(f"{len(values)}d", *values)


def outputs(run: Run) -> bytes:
    return bits(run.read(run.fmu.names("output")))


@each_system
def test_results_have_the_same_bits_whatever_the_steps(fmus: Path, system: str) -> None:
    fmu, start = unpack(fmus / f"{system}.fmu"), STARTS[system]
    common = grid(STOP, 100)
    expected = drive(fmu, common, common, start)
    assert expected.outputs[common[-1]]["transitions"] >= 2
    assert_same_bits(drive(fmu, grid(STOP, 1000), common, start), expected)
    assert_same_bits(drive(fmu, irregular(STOP, common), common, start), expected)
    assert_same_bits(drive(fmu, [common[-1]], common, start), expected)


@each_system
def test_very_small_steps_cost_no_solver_step(fmus: Path, system: str) -> None:
    fmu, start = unpack(fmus / f"{system}.fmu"), STARTS[system]
    common = grid(STOP, 100)
    assert_same_bits(drive(fmu, grid(STOP, 10000), common, start), drive(fmu, common, common, start))


@each_system
def test_reading_and_setting_again_change_nothing(fmus: Path, system: str) -> None:
    fmu, start = unpack(fmus / f"{system}.fmu"), STARTS[system]
    common = grid(STOP, 50)
    again = {name: start.get(name, 0.0) for name in fmu.names("input")} | {
        name: float(variable.start)
        for name, variable in fmu.variables.items()
        if variable.causality == "parameter" and variable.variability == "tunable"
    }

    def touch(run: Run) -> None:
        run.read(fmu.names("output"))
        run.set(again)

    assert again
    assert_same_bits(drive(fmu, common, common, start, touch), drive(fmu, common, common, start))


def moments(fmu: Fmu, start: dict[str, float]) -> list[float]:
    """Before, at, between and after transitions: their times and some in between."""
    with Run(fmu, start=start) as run:
        run.advance(STOP)
        times = sorted({transition.time for transition in run.transitions()})
    ends = [0.0, *times, STOP]
    return sorted({*ends[:-1], *(before + (after - before) / 3 for before, after in zip(ends, ends[1:], strict=False))})


def go_on(run: Run, time: float) -> list[bytes]:
    """All outputs in some steps from here to the end."""
    seen = []
    for part in (1e-6, 0.01, 0.3, 0.35, 0.9, 1.0):
        size = (time + part * (STOP - time)) - run.time
        run.slave.doStep(run.time, size)
        run.time += size
        seen.append(outputs(run))
    return seen


@each_system
def test_a_saved_state_goes_on_with_the_same_bits(fmus: Path, system: str) -> None:
    """Restored in the same instance, and from its bytes in another."""
    fmu, start = unpack(fmus / f"{system}.fmu"), STARTS[system]
    for moment in moments(fmu, start):
        with Run(fmu, start=start) as run:
            if moment > 0:
                run.advance(moment)
            before = outputs(run)
            state = run.slave.getFMUstate()
            first = go_on(run, moment)
            run.slave.setFMUstate(state)
            run.time = moment
            assert outputs(run) == before
            assert go_on(run, moment) == first
            saved = run.slave.serializeFMUstate(state)
            run.slave.freeFMUstate(state)
        with Run(fmu) as other:
            state = other.slave.deSerializeFMUstate(saved)
            other.slave.setFMUstate(state)
            other.slave.freeFMUstate(state)
            other.time = moment
            assert outputs(other) == before
            assert go_on(other, moment) == first


@each_system
def test_a_reset_leaves_nothing_behind(fmus: Path, system: str) -> None:
    fmu, start = unpack(fmus / f"{system}.fmu"), STARTS[system]
    with Run(fmu) as run:
        fresh = outputs(run)
        run.advance(STOP)
        default = outputs(run)
    with Run(fmu, start=start) as run:
        run.advance(STOP)
        run.slave.reset()
        run.slave.setupExperiment(startTime=0.0)
        run.slave.enterInitializationMode()
        run.slave.exitInitializationMode()
        run.time = 0.0
        assert outputs(run) == fresh
        run.advance(STOP)
        assert outputs(run) == default


@each_system
def test_a_transition_is_shown_from_its_time_on(fmus: Path, system: str) -> None:
    """To rounding errors of that time, which is a sum."""
    fmu, start = unpack(fmus / f"{system}.fmu"), STARTS[system]
    with Run(fmu, start=start) as run:
        run.advance(STOP)
        transitions = run.transitions()
    for transition in transitions:
        if transition.time == 0:
            continue
        last = [other for other in transitions if other.time == transition.time][-1]
        with Run(fmu, start=start) as run:
            run.slave.doStep(0.0, transition.time * (1 + 4e-16))
            assert run.get("lastTransitionTime") == transition.time
            assert MODES[system][int(run.get("mode"))] == last.target
        with Run(fmu, start=start) as run:
            run.slave.doStep(0.0, transition.time * (1 - 4e-16))
            assert run.get("lastTransitionTime") < transition.time


@each_system
def test_the_order_of_transitions_in_the_file_changes_only_rounding(
    fmus: Path, root: Path, tmp_path: Path, system: str
) -> None:
    names = [name for name in unpack(fmus / f"{system}.fmu").names("output") if name not in ("mode", "transitions")]
    found = []
    for path in (fmus / f"{system}.fmu", export_reversed(root, system, tmp_path)):
        with Run(unpack(path), 1e-11, {} if system == "Pronker" else STARTS[system]) as run:
            values = []
            for number in range(1, 49):
                run.advance(number / 32)
                values.append(run.read(["mode", "transitions", *names]))
            found.append(values)
    for values, others in zip(*found, strict=True):
        assert values[:2] == others[:2]
        assert values == pytest.approx(others, abs=1e-9)
