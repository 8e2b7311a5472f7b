"""Runs FMUs in FMPy the way a host does, and keeps what they log."""

import atexit
import math
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from ctypes import byref
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType

import fmpy
from fmpy.fmi2 import (
    FMU2Slave,
    fmi2CallbackAllocateMemoryTYPE,
    fmi2CallbackFreeMemoryTYPE,
    fmi2CallbackFunctions,
    fmi2CallbackLoggerTYPE,
)
from fmpy.logging import addLoggerProxy
from fmpy.model_description import ModelDescription, ScalarVariable

# All FMUs of hybrid Lagrangians, with the names of their constraints.
CONSTRAINTS: Mapping[str, str] = {
    "BouncingBall": "floor",
    "BallOnSine": "surface",
    "BallOnSine3D": "surface",
    "DoublePendulum": "knee",
    "CartPendulum": "cart",
    "SphericalPendulum": "ground",
    "BouncingRod": "ground",
    "ImpactOscillator": "stop",
}

# All FMUs of hybrid systems with modes, with the names of their modes.
MODES: Mapping[str, Sequence[str]] = {
    "SpringImpact": ("flight", "contact"),
    "KelvinVoigtImpact": ("flight", "contact"),
    "HuntCrossleyImpact": ("flight", "contact"),
    "DigitalControl": ("neither", "first", "second", "both"),
    "Pronker": ("aerial", "left", "right", "ground"),
}

# The engine says "t = <time>: <what happens> on <constraint> ..."; a kind is the first of its words.
EVENT = re.compile(r"^t = (?P<time>[-+.\deE]+): (?P<kind>impact|Zeno|release)\b")
TRANSITION = re.compile(r"^t = (?P<time>[-+.\deE]+): transition from mode '(?P<source>\w+)' to mode '(?P<target>\w+)'")
STATISTICS = re.compile(r"solver: (?P<steps>\d+) steps, (?P<evaluations>\d+) evaluations, (?P<starts>\d+) starts")

# FMPy's log proxy keeps the last logger of the process, and calls it for runs that bring none: loggers must not die.
LOGGERS: list[fmi2CallbackLoggerTYPE] = []


@dataclass(frozen=True)
class Event:
    time: float
    kind: str  # "impact" (also the one that ends a cascade), "Zeno" (right after it), "release"


@dataclass(frozen=True)
class Transition:
    time: float
    source: str
    target: str


@dataclass(frozen=True)
class Statistics:
    steps: int
    evaluations: int
    starts: int


@dataclass(frozen=True)
class Fmu:
    """An unpacked FMU."""

    description: ModelDescription
    folder: Path
    variables: Mapping[str, ScalarVariable]

    @property
    def stop_time(self) -> float:
        return float(self.description.defaultExperiment.stopTime)

    def names(self, causality: str) -> list[str]:
        return [name for name, variable in self.variables.items() if variable.causality == causality]


@cache
def unpack(path: Path) -> Fmu:
    """Once per session: many tests run the same FMU."""
    description = fmpy.read_model_description(path)
    folder = Path(fmpy.extract(path))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Fmu(description, folder, {variable.name: variable for variable in description.modelVariables})


def step_between(start: float, end: float) -> float:
    """The step size with start + step == end, which end - start misses where it rounds."""
    step = end - start
    for candidate in (step, math.nextafter(step, 0.0), math.nextafter(step, math.inf)):
        if start + candidate == end:
            return candidate
    raise ValueError(f"no step leads from {start!r} to {end!r}")


@dataclass
class Run:
    """One instance, initialised when the `with` block is entered.

    A call that returns an error raises FMPy's exception with the C function's name.
    """

    fmu: Fmu
    tolerance: float | None = None
    start: Mapping[str, float] = field(default_factory=dict)

    def __enter__(self) -> "Run":
        description = self.fmu.description
        self.time = 0.0
        self.messages: list[tuple[str, str]] = []
        self.slave = FMU2Slave(
            guid=description.guid,
            unzipDirectory=str(self.fmu.folder),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="test",
        )
        self.slave.instantiate(callbacks=self._callbacks(), loggingOn=True)
        try:
            self.slave.setupExperiment(tolerance=self.tolerance, startTime=self.time)
            self.set(self.start)
            self.slave.enterInitializationMode()
            self.slave.exitInitializationMode()
        except BaseException:
            self.slave.freeInstance()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.slave.freeInstance()

    def _callbacks(self) -> fmi2CallbackFunctions:
        def log(_environment: object, _name: bytes, _status: int, category: bytes, message: bytes) -> None:
            self.messages.append((category.decode(), message.decode()))

        callbacks = fmi2CallbackFunctions()
        callbacks.logger = fmi2CallbackLoggerTYPE(log)
        LOGGERS.append(callbacks.logger)
        callbacks.allocateMemory = fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        callbacks.freeMemory = fmi2CallbackFreeMemoryTYPE(fmpy.free)
        addLoggerProxy(byref(callbacks))  # formats the C varargs, which ctypes can't
        return callbacks

    def set(self, values: Mapping[str, float]) -> None:
        """Reals, and enumerations by number."""
        for name, value in values.items():
            variable = self.fmu.variables[name]
            if variable.type == "Real":
                self.slave.setReal([variable.valueReference], [value])
            else:
                self.slave.setInteger([variable.valueReference], [int(value)])

    def get(self, name: str) -> float:
        return self.read([name])[0]

    def read(self, names: Sequence[str]) -> list[float]:
        """Values of any type, as numbers."""
        return [value for type_, references in self._by_type(names) for value in self._read(type_, references)]

    def _by_type(self, names: Iterable[str]) -> Iterable[tuple[str, list[int]]]:
        """Neighbours of one type are read in one call; the order of the names is kept."""
        groups: list[tuple[str, list[int]]] = []
        for name in names:
            variable = self.fmu.variables[name]
            if not groups or groups[-1][0] != variable.type:
                groups.append((variable.type, []))
            groups[-1][1].append(variable.valueReference)
        return groups

    def _read(self, type_: str, references: list[int]) -> list[float]:
        if type_ == "Real":
            return self.slave.getReal(references)
        if type_ == "Boolean":
            return [float(value) for value in self.slave.getBoolean(references)]
        return [float(value) for value in self.slave.getInteger(references)]

    def advance(self, time: float) -> None:
        """One communication step, to this very double."""
        self.slave.doStep(self.time, step_between(self.time, time))
        self.time = time

    def events(self) -> list[Event]:
        found = (EVENT.match(text) for category, text in self.messages if category == "logEvents")
        return [Event(float(match["time"]), match["kind"]) for match in found if match]

    def transitions(self) -> list[Transition]:
        found = (TRANSITION.match(text) for category, text in self.messages if category == "logEvents")
        return [Transition(float(match["time"]), match["source"], match["target"]) for match in found if match]

    def statistics(self) -> Statistics:
        """Ends the run: the solver's work is logged at the end."""
        self.slave.terminate()
        for category, text in reversed(self.messages):
            match = STATISTICS.search(text)
            if category == "logSolver" and match:
                return Statistics(int(match["steps"]), int(match["evaluations"]), int(match["starts"]))
        raise LookupError("no statistics of the solver in the log")
