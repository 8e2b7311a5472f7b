"""Runs an FMU of a hybrid system in FMPy and keeps what it shows and logs."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import byref
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import mkdtemp

import fmpy
import numpy as np
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import (
    FMU2Slave,
    fmi2CallbackAllocateMemoryTYPE,
    fmi2CallbackFreeMemoryTYPE,
    fmi2CallbackFunctions,
    fmi2CallbackLoggerTYPE,
)
from fmpy.logging import addLoggerProxy
from fmpy.model_description import ModelDescription, ScalarVariable

EVENT = re.compile(r"t = (?P<time>\S+): (?P<text>.*)")
POINTS_PER_FLIGHT = 24  # so that a flight looks like a curve however short it is


class RunError(Exception):
    """The FMU refused something; the message is what it logged."""


@dataclass(frozen=True)
class Event:
    time: float
    text: str  # what the FMU says of it


@dataclass(frozen=True)
class Result:
    times: np.ndarray
    values: Mapping[str, np.ndarray]
    events: Sequence[Event]


class HybridFmu:
    """An unpacked FMU, and what its variables stand for."""

    def __init__(self, path: Path) -> None:
        self.description: ModelDescription = fmpy.read_model_description(path)
        self.folder = mkdtemp(prefix="zenofmu-run-")
        fmpy.extract(path, self.folder)
        self.variables: dict[str, ScalarVariable] = {v.name: v for v in self.description.modelVariables}

    def __enter__(self) -> "HybridFmu":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def name(self) -> str:
        return str(self.description.modelName)

    @property
    def coordinates(self) -> list[str]:
        """What has a derivative and is none."""
        derivatives = [v for v in self.variables.values() if v.derivative is not None]
        return [v.derivative.name for v in derivatives if v.derivative.derivative is None]

    @property
    def constraints(self) -> list[str]:
        return [name.removesuffix(".gap") for name in self.variables if name.endswith(".gap")]

    @property
    def states(self) -> list[str]:
        """Of a system with modes; a Lagrangian has coordinates instead."""
        outputs = (v for v in self.variables.values() if v.causality == "output" and v.initial == "exact")
        return [v.name for v in outputs if v.variability == "continuous"] if "mode" in self.variables else []

    def label(self, name: str) -> str:
        unit = self.variables[name].unit
        return f"{name} [{unit}]" if unit and unit != "1" else name

    def experiment(self) -> tuple[float, float, float]:
        """Start, stop and step size."""
        default = self.description.defaultExperiment
        return float(default.startTime or 0), float(default.stopTime), float(default.stepSize)

    @contextmanager
    def instance(self, log: list[tuple[str, str]]) -> Iterator[FMU2Slave]:
        slave = FMU2Slave(
            guid=self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName=self.name,
        )
        callbacks = fmi2CallbackFunctions()
        callbacks.logger = fmi2CallbackLoggerTYPE(lambda *message: log.append((message[3].decode(), message[4].decode())))
        callbacks.allocateMemory = fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        callbacks.freeMemory = fmi2CallbackFreeMemoryTYPE(fmpy.free)
        addLoggerProxy(byref(callbacks))  # formats C's variable arguments, which Python can't
        try:
            slave.instantiate(callbacks=callbacks, loggingOn=True)
        except Exception as error:
            raise RunError("; ".join(text for _, text in log) or str(error)) from error
        try:
            yield slave
        except FMICallException as error:
            refusals = [text for category, text in log if category == "logStatusError"]
            raise RunError(refusals[-1] if refusals else str(error)) from error
        finally:
            slave.freeInstance()

    def set(self, slave: FMU2Slave, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            variable = self.variables.get(name)
            if variable is None:
                raise RunError(f"{self.name} has no variable '{name}'")
            if variable.type == "Real":
                slave.setReal([variable.valueReference], [value])
            elif variable.type == "Boolean":
                slave.setBoolean([variable.valueReference], [bool(value)])
            else:
                slave.setInteger([variable.valueReference], [int(value)])

    def read(self, slave: FMU2Slave, names: Sequence[str]) -> list[float]:
        def value(variable: ScalarVariable) -> float:
            get = {"Real": slave.getReal, "Boolean": slave.getBoolean}.get(variable.type, slave.getInteger)
            return float(get([variable.valueReference])[0])

        return [value(self.variables[name]) for name in names]

    def simulate(self, times: Sequence[float], start: Mapping[str, float], tolerance: float | None) -> Result:
        """All coordinates, gaps, forces and contacts at these times; or states and mode."""
        names = self.coordinates + [f"{c}.{what}" for c in self.constraints for what in ("gap", "force", "closed")]
        names += [*self.states, "mode"] if self.states else []
        log: list[tuple[str, str]] = []
        rows: list[list[float]] = []
        with self.instance(log) as slave:
            slave.setupExperiment(tolerance=tolerance, startTime=times[0])
            self.set(slave, start)
            slave.enterInitializationMode()
            slave.exitInitializationMode()
            rows.append(self.read(slave, names))
            for time, following in pairwise(times):
                slave.doStep(time, following - time)
                rows.append(self.read(slave, names))
            slave.terminate()
        found = (EVENT.fullmatch(text) for category, text in log if category == "logEvents")
        events = [Event(float(match["time"]), match["text"]) for match in found if match]
        return Result(np.array(times), dict(zip(names, np.array(rows).T, strict=True)), events)

    def run(self, stop_time: float | None, start: Mapping[str, float], tolerance: float | None) -> Result:
        """Two runs: the first finds the events, the second looks closely between them. Where an FMU is looked at changes
        nothing in its motion, so both are the same."""
        begin, end, step = self.experiment()
        end = end if stop_time is None else stop_time
        events = self.simulate([begin, end], start, tolerance).events
        corners = [begin, *(event.time for event in events), end]
        times = set(np.linspace(begin, end, max(2, round((end - begin) / step) + 1)))
        for a, b in pairwise(corners):
            times.update(np.linspace(a, b, POINTS_PER_FLIGHT))
        return self.simulate(sorted(times), start, tolerance)

    def gap_at(self, constraint: str, start: Mapping[str, float], points: Sequence[Mapping[str, float]]) -> np.ndarray:
        """The gap at any coordinates: an FMU that is being initialised answers with what was set last."""
        with self.instance([]) as slave:
            self.set(slave, start)
            slave.enterInitializationMode()
            gaps = []
            for point in points:
                self.set(slave, point)
                gaps += self.read(slave, [f"{constraint}.gap"])
        return np.array(gaps)
