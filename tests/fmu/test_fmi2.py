"""The FMI 2.0 life cycle as a user of a host meets it: states, types, errors and their messages, logging, recovery."""

import math
import shutil
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes import byref, c_double
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import (
    FMU2Slave,
    fmi2CoSimulation,
    fmi2DoStepStatus,
    fmi2Error,
    fmi2LastSuccessfulTime,
    fmi2ModelExchange,
    fmi2OK,
    fmi2PendingStatus,
    fmi2Terminated,
)
from hosting import Run, unpack
from playing import ODD, play


class Instance(Run):
    """An instance that is only instantiated; what follows is the test's."""

    def __enter__(self) -> Self:
        self.time = 0.0
        self.messages = []
        self.slave = self.load()
        self.slave.instantiate(callbacks=self._callbacks(), loggingOn=True)
        return self

    def load(self) -> FMU2Slave:
        description = self.fmu.description
        return FMU2Slave(
            guid=description.guid,
            unzipDirectory=str(self.fmu.folder),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="test",
        )

    def instantiate_in_vain(self, fmu_type: int, guid: str) -> None:
        """Another instance of the same FMU is asked for and not made."""
        callbacks = self._callbacks()
        slave = self.load()
        assert slave.fmi2Instantiate(b"other", fmu_type, guid.encode(), None, byref(callbacks), 0, 0) is None
        slave.freeLibrary()

    def initialize(self) -> Self:
        self.slave.enterInitializationMode()
        self.slave.exitInitializationMode()
        return self

    def reference(self, name: str) -> int:
        return int(self.fmu.variables[name].valueReference)

    def step(self, size: float) -> None:
        self.advance(self.time + size)

    def outputs(self) -> bytes:
        """All outputs, bit by bit."""
        values = self.read(self.fmu.names("output"))
        return struct.pack(f"{len(values)}d", *values)

    def logged(self, category: str) -> str:
        return "\n".join(text for found, text in self.messages if found == category)

    @contextmanager
    def refused(self, *words: str) -> Iterator[None]:
        """A call inside is an error, and the log says so in these words."""
        before = len(self.messages)
        with pytest.raises(FMICallException) as error:
            yield
        assert error.value.status == fmi2Error
        text = "\n".join(text for category, text in self.messages[before:] if category == "logStatusError")
        for word in words:
            assert word in text


@pytest.fixture
def ball(fmus: Path) -> Iterator[Instance]:
    with Instance(unpack(fmus / "BouncingBall.fmu")) as instance:
        yield instance


@pytest.fixture
def oscillator(fmus: Path) -> Iterator[Instance]:
    with Instance(unpack(fmus / "ImpactOscillator.fmu")) as instance:
        yield instance


def undisturbed(instance: Instance, times: int, size: float, start: Mapping[str, float] | None = None) -> bytes:
    """What a fresh instance shows after so many steps."""
    with Instance(instance.fmu) as other:
        other.set(start or {})
        other.initialize()
        for _ in range(times):
            other.step(size)
        return other.outputs()


# ---- Instantiation


def test_a_wrong_guid_is_refused_and_both_are_shown(ball: Instance) -> None:
    ball.instantiate_in_vain(fmi2CoSimulation, "{not this one}")
    assert ball.fmu.description.guid in ball.logged("logStatusError")
    assert "{not this one}" in ball.logged("logStatusError")


def test_model_exchange_is_refused(ball: Instance) -> None:
    ball.instantiate_in_vain(fmi2ModelExchange, ball.fmu.description.guid)
    assert "co-simulation only" in ball.logged("logStatusError")


def test_platform_and_version_are_those_of_fmi_2(ball: Instance) -> None:
    assert ball.slave.getTypesPlatform() == "default"
    assert ball.slave.getVersion() == "2.0"


@pytest.mark.parametrize("system", ["BouncingBall", "BallOnSine", "DoublePendulum"])
def test_a_host_in_c_runs_it_from_a_folder_with_an_odd_name(fmus: Path, system: str, tmp_path: Path) -> None:
    plain = unpack(fmus / f"{system}.fmu")
    moved = replace(plain, folder=Path(shutil.copytree(plain.folder, tmp_path / ODD)))
    assert play("run", moved, "0.05") == play("run", plain, "0.05")


# ---- Calls in the wrong state


def test_a_step_before_initialization_names_function_and_state(ball: Instance) -> None:
    with ball.refused("fmi2DoStep", "'instantiated'", "allowed in: step complete"):
        ball.step(0.1)


def test_a_second_initialization_is_refused_and_the_run_goes_on(ball: Instance) -> None:
    ball.initialize()
    with ball.refused("fmi2EnterInitializationMode", "'step complete'", "allowed in: instantiated"):
        ball.slave.enterInitializationMode()
    ball.step(0.1)
    assert ball.outputs() == undisturbed(ball, 1, 0.1)


def test_after_termination_values_are_read_but_no_step_is_done(ball: Instance) -> None:
    ball.initialize()
    ball.step(0.1)
    before = ball.outputs()
    ball.slave.terminate()
    assert ball.outputs() == before
    with ball.refused("fmi2DoStep", "'terminated'"):
        ball.step(0.1)


def test_there_is_never_a_step_to_cancel(ball: Instance) -> None:
    ball.initialize()
    with ball.refused("fmi2CancelStep"):
        ball.slave.cancelStep()


# ---- Variables


def test_a_wrong_type_is_an_error_that_names_the_variable(ball: Instance) -> None:
    closed, impacts, mass = (ball.reference(name) for name in ("floor.closed", "floor.impacts", "m"))
    with ball.refused("fmi2GetReal", "'floor.closed'", f"value reference {closed}", "Boolean, not Real"):
        ball.slave.getReal([closed])
    with ball.refused("fmi2GetBoolean", "'floor.impacts'", "Integer, not Boolean"):
        ball.slave.getBoolean([impacts])
    with ball.refused("fmi2SetInteger", "'m'", "Real, not Integer"):
        ball.slave.setInteger([mass], [1])


def test_an_unknown_value_reference_is_named(ball: Instance) -> None:
    with ball.refused("fmi2GetReal", "unknown value reference 4000000000"):
        ball.slave.getReal([4_000_000_000])


def test_there_are_no_strings(ball: Instance) -> None:
    assert ball.slave.getString([]) == []
    with ball.refused("fmi2GetString", "no variables of type String"):
        ball.slave.getString([0])


def test_one_wrong_value_reference_and_nothing_is_set(ball: Instance) -> None:
    with ball.refused("'floor.gap'", "computed by the FMU"):
        ball.slave.setReal([ball.reference("m"), ball.reference("floor.gap")], [5.0, 5.0])
    assert ball.get("m") == 1.0


def test_start_values_are_set_before_the_run_only(ball: Instance) -> None:
    ball.set({"y": 2.0})
    ball.initialize()
    with ball.refused("'y'", "start value", "'step complete'"):
        ball.set({"y": 3.0})
    assert ball.get("y") == 2.0


def test_a_parameter_on_which_the_constraint_depends_is_fixed(oscillator: Instance) -> None:
    oscillator.set({"xmax": -0.7})
    oscillator.initialize()
    with oscillator.refused("'xmax'", "fixed parameter"):
        oscillator.set({"xmax": -0.6})
    oscillator.set({"a": 0.5})


def test_values_can_be_set_before_the_experiment_is_set_up(ball: Instance) -> None:
    ball.set({"y": 5.0, "Fy": 1.0})
    ball.slave.setupExperiment(startTime=0.0, tolerance=1e-8)
    ball.initialize()
    assert ball.get("y") == 5.0
    assert ball.get("Fy") == 1.0


def test_outputs_follow_what_is_set_without_a_step(ball: Instance) -> None:
    ball.initialize()
    assert ball.get("der(vy)") == -9.81
    ball.set({"Fy": 9.81})
    assert ball.get("der(vy)") == 0.0
    ball.set({"Fy": 0.0, "m": 2.0})
    assert ball.get("energy.potential") == 2 * 9.81


def test_what_is_set_pulls_at_the_contact_but_opens_it_in_a_step_only(ball: Instance) -> None:
    ball.set({"y": 0.0, "vx": 0.0})
    ball.initialize()
    ball.step(0.5)
    ball.set({"Fy": 20.0})
    assert ball.read(["floor.force", "floor.closed", "floor.releases"]) == [0, 1, 0]
    ball.set({"Fy": -20.0})
    assert ball.get("floor.force") == pytest.approx(29.81, rel=1e-15)
    ball.set({"Fy": 20.0})
    ball.step(0.5)
    assert ball.read(["floor.force", "floor.closed", "floor.releases"]) == [0, 0, 1]


def test_a_tunable_parameter_acts_from_the_next_step_on(ball: Instance) -> None:
    ball.set({"y": 100.0})
    ball.initialize()
    ball.step(1.0)
    ball.set({"g": 2.0})
    ball.step(1.0)
    # Free fall in two parts, to 100 times the default tolerance.
    assert ball.get("y") == pytest.approx(100 - 9.81 / 2 - 9.81 - 1.0, rel=1e-6)
    assert ball.get("vy") == pytest.approx(-9.81 - 2.0, rel=1e-6)


# ---- Values that can't be used


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("m", -1.0),
        ("m", 0.0),
        ("m", math.nan),
        ("g", math.inf),
        ("e", 1.5),
        ("truncation.epsilon_q", 0.0),
        ("y", math.nan),
    ],
)
def test_an_impossible_value_is_refused_by_name_and_can_be_corrected(ball: Instance, name: str, value: float) -> None:
    good = ball.get(name)
    ball.set({name: value})
    ball.slave.enterInitializationMode()
    with ball.refused(f"'{name}'"):
        ball.slave.exitInitializationMode()
    ball.set({name: good})
    ball.slave.exitInitializationMode()
    ball.step(0.1)
    assert ball.outputs() == undisturbed(ball, 1, 0.1)


def test_an_impossible_tunable_parameter_is_refused_by_the_next_step(ball: Instance) -> None:
    ball.initialize()
    ball.step(0.125)
    ball.set({"e": -0.1})
    with ball.refused("'e'"):
        ball.step(0.125)
    ball.set({"e": 0.7})
    ball.step(0.125)
    assert ball.outputs() == undisturbed(ball, 2, 0.125)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_an_input_that_is_no_number_is_refused_and_nothing_moves(ball: Instance, value: float) -> None:
    ball.initialize()
    ball.step(0.5)
    before = ball.outputs()
    ball.set({"Fx": value})
    with ball.refused("'Fx'"):
        ball.step(0.5)
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == 0.5
    ball.set({"Fx": 0.0})
    assert ball.outputs() == before
    ball.step(0.5)
    assert ball.outputs() == undisturbed(ball, 2, 0.5)


def test_a_start_below_the_constraint_names_constraint_and_gap(ball: Instance) -> None:
    ball.set({"y": -0.125})
    ball.slave.enterInitializationMode()
    with ball.refused("'floor'", "-0.125"):
        ball.slave.exitInitializationMode()


# ---- Starts on the constraint


def test_a_resting_start_is_closed_without_an_impact(ball: Instance) -> None:
    ball.set({"y": 0.0, "vx": 0.0})
    ball.initialize()
    assert ball.get("floor.closed") == 1
    assert ball.get("floor.force") == 9.81
    ball.step(1.0)
    assert ball.read(["y", "vy", "floor.closed", "floor.impacts", "floor.zeno.count"]) == [0, 0, 1, 0, 0]


def test_an_impact_that_is_due_happens_at_the_start(ball: Instance) -> None:
    ball.set({"y": 0.0, "vy": -2.0})
    ball.slave.setupExperiment(startTime=4.0)
    ball.initialize()
    assert ball.read(["floor.impacts", "floor.lastImpactTime", "floor.lastImpactSpeed"]) == [1, 4.0, 2.0]
    assert ball.get("vy") == pytest.approx(0.7 * 2.0, rel=1e-15)


# ---- Steps


@pytest.mark.parametrize("size", [0.0, -0.1, math.nan, math.inf, -math.inf])
def test_an_impossible_step_size_is_refused_and_the_run_goes_on(ball: Instance, size: float) -> None:
    ball.initialize()
    ball.step(0.25)
    before = ball.outputs()
    with ball.refused("fmi2DoStep", "communicationStepSize"):
        ball.slave.doStep(ball.time, size)
    assert ball.outputs() == before
    assert ball.slave.getStatus(fmi2DoStepStatus) == fmi2Error
    ball.step(0.25)
    assert ball.slave.getStatus(fmi2DoStepStatus) == fmi2OK
    assert ball.outputs() == undisturbed(ball, 2, 0.25)


def test_a_step_from_another_time_is_refused_with_both_times(ball: Instance) -> None:
    ball.initialize()
    ball.step(0.25)
    with ball.refused("fmi2DoStep", "currentCommunicationPoint 0.5", "0.25"):
        ball.slave.doStep(0.5, 0.25)
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == 0.25


def test_a_host_may_add_up_its_times(ball: Instance) -> None:
    ball.initialize()
    for number in range(3000):
        ball.slave.doStep(number * 1e-3, 1e-3)
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == 2999 * 1e-3 + 1e-3


def test_a_step_past_the_stop_time_is_refused(ball: Instance) -> None:
    ball.slave.setupExperiment(startTime=0.0, stopTime=1.0)
    ball.initialize()
    ball.step(0.75)
    with ball.refused("fmi2DoStep", "stopTime 1"):
        ball.step(0.5)
    ball.step(0.25)
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == 1.0


def test_a_host_that_adds_up_its_times_reaches_the_stop_time(ball: Instance) -> None:
    ball.slave.setupExperiment(startTime=0.0, stopTime=0.3)
    ball.initialize()
    for _ in range(3):
        ball.slave.doStep(ball.time, 0.1)
        ball.time += 0.1
    assert ball.time > 0.3
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == ball.time


def test_without_a_stop_time_a_run_goes_on_past_the_usual_one(ball: Instance) -> None:
    ball.slave.setupExperiment(startTime=0.0)
    ball.initialize()
    ball.step(ball.fmu.stop_time)
    ball.step(100.0)
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == ball.fmu.stop_time + 100.0


def test_an_experiment_that_stops_before_it_starts_is_refused(ball: Instance) -> None:
    with ball.refused("fmi2SetupExperiment", "stopTime 1", "startTime 2"):
        ball.slave.setupExperiment(startTime=2.0, stopTime=1.0)


@pytest.mark.parametrize("start", [-2.5, 1000.0])
def test_the_start_time_may_be_any(ball: Instance, start: float) -> None:
    ball.slave.setupExperiment(startTime=start)
    ball.initialize()
    ball.time = start
    ball.step(3.0)
    assert ball.slave.getRealStatus(fmi2LastSuccessfulTime) == start + 3.0
    with Run(ball.fmu) as usual:
        usual.advance(3.0)
    # The same motion, later; times have an ulp of 1e-13 there, and the log has fewer digits.
    assert [event.kind for event in ball.events()] == [event.kind for event in usual.events()]
    for late, event in zip(ball.events(), usual.events(), strict=True):
        assert late.time - start == pytest.approx(event.time, abs=1e-6)


def test_the_status_functions_answer(ball: Instance) -> None:
    ball.initialize()
    assert ball.slave.getBooleanStatus(fmi2Terminated) is False
    assert ball.slave.getStringStatus(fmi2PendingStatus) == ""
    with pytest.raises(FMICallException, match="discard"):
        ball.slave.fmi2GetRealStatus(ball.slave.component, fmi2PendingStatus, byref(c_double()))


# ---- Reset


def test_after_a_reset_the_bits_are_those_of_a_fresh_instance(ball: Instance) -> None:
    ball.slave.setupExperiment(startTime=1.0, stopTime=2.0, tolerance=1e-4)
    ball.set({"y": 3.0, "g": 2.0, "Fx": 1.0, "truncation.epsilon_q": 1e-2})
    ball.initialize()
    ball.time = 1.0
    ball.step(1.0)
    ball.slave.reset()
    ball.time = 0.0
    ball.initialize()
    for _ in range(60):
        ball.step(0.05)
    assert ball.outputs() == undisturbed(ball, 60, 0.05)


# ---- The log


def test_only_the_chosen_categories_are_logged(ball: Instance) -> None:
    ball.slave.setDebugLogging(loggingOn=True, categories=["logEvents"])
    ball.initialize()
    ball.step(1.0)
    ball.slave.terminate()
    assert {category for category, _ in ball.messages} == {"logEvents"}
    assert "impact" in ball.logged("logEvents")


def test_with_logging_off_only_errors_are_logged(ball: Instance) -> None:
    ball.slave.setDebugLogging(loggingOn=False, categories=[])
    ball.initialize()
    ball.step(1.0)
    assert ball.messages == []
    with ball.refused("fmi2DoStep"):
        ball.step(-1.0)


def test_an_unknown_category_is_named_with_the_known_ones(ball: Instance) -> None:
    known = [category.name for category in ball.fmu.description.logCategories or []]
    with ball.refused("'logAnything'", "logEvents", "logSolver", "logStatusError", "logStatusWarning", *known):
        ball.slave.setDebugLogging(loggingOn=True, categories=["logAnything"])


def test_termination_logs_the_work_of_the_solver(ball: Instance) -> None:
    ball.initialize()
    ball.step(1.0)
    work = ball.statistics()
    assert work.steps > 0
    assert work.evaluations > 0
    assert work.starts > 0


def test_a_tolerance_out_of_range_is_logged_and_the_run_goes_on(ball: Instance) -> None:
    ball.slave.setupExperiment(tolerance=1e-20)
    ball.initialize()
    ball.step(0.1)
    assert "1e-20" in ball.logged("logStatusWarning")
