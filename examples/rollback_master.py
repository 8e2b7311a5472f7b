#!/usr/bin/env python3
"""A master that repeats steps: it takes both FMUs back by their states until leg and controller agree.

    build/venv/bin/python examples/rollback_master.py

The torque at the end of a step depends on the state there, which depends on the torque. A host that can't go back holds
the torque of the step's start, and makes a first-order error. This one guesses the torque at the end, lets it grow
linearly over the step (an input derivative), looks at what the controller then asks for, restores both FMUs and tries
again with that: a fixed point in a few rounds. At an impact the torque jumps; a step with impacts in it is taken back
too and halved.
"""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import fmpy
from fmpy.fmi2 import FMU2Slave

from systems import FMUS, SYSTEMS

WIRES = {"energy.kinetic": "kinetic", "energy.potential": "potential", "omega1": "omega1"}
ROUNDS = 20


@dataclass
class Instance:
    """One FMU, its variables by name."""

    slave: FMU2Slave
    references: dict[str, int]

    def get(self, names: Sequence[str]) -> list[float]:
        return self.slave.getReal([self.references[name] for name in names])

    def set(self, names: Sequence[str], values: Sequence[float]) -> None:
        self.slave.setReal([self.references[name] for name in names], values)


@contextmanager
def instantiate(path: Path) -> Iterator[Instance]:
    """From the archive to an initialised instance, and back."""
    description = fmpy.read_model_description(path)
    folder = fmpy.extract(path)
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName=path.stem,
    )
    slave.instantiate()
    try:
        slave.setupExperiment(startTime=0.0)
        slave.enterInitializationMode()
        slave.exitInitializationMode()
        yield Instance(slave, {variable.name: variable.valueReference for variable in description.modelVariables})
        slave.terminate()
    finally:
        slave.freeInstance()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Master:
    leg: Instance
    controller: Instance
    smallest: float  # a step with impacts is halved down to this size
    torque: float = 0.0
    tries: int = 0

    @contextmanager
    def _saved(self) -> Iterator[list[tuple[FMU2Slave, object]]]:
        states = [(slave, slave.getFMUstate()) for slave in (self.leg.slave, self.controller.slave)]
        try:
            yield states
        finally:
            for slave, state in states:
                slave.freeFMUstate(state)

    def _impacts(self) -> int:
        return self.leg.slave.getInteger([self.leg.references["knee.impacts"]])[0]

    def try_step(self, time: float, size: float, slope: float) -> float:
        """Both FMUs over one step; returns the torque that the controller asks for at its end."""
        self.tries += 1
        self.leg.set(["tau1"], [self.torque])
        self.leg.slave.setRealInputDerivatives([self.leg.references["tau1"]], [1], [slope])
        self.leg.slave.doStep(time, size)
        self.controller.set(list(WIRES.values()), self.leg.get(list(WIRES)))
        self.controller.slave.doStep(time, size)
        return self.controller.get(["torque"])[0]

    def step(self, time: float, size: float) -> None:
        impacts, guess = self._impacts(), self.torque
        with self._saved() as states:
            for _ in range(ROUNDS):
                answer = self.try_step(time, size, (guess - self.torque) / size)
                halve = self._impacts() != impacts and size > self.smallest
                if abs(answer - guess) < 1e-12 and not halve:
                    self.torque = answer
                    return
                guess = answer
                for slave, state in states:
                    slave.setFMUstate(state)
                if halve:
                    self.step(time, size / 2)
                    self.step(time + size / 2, size / 2)
                    return
        raise RuntimeError(f"t = {time}: leg and controller don't agree after {ROUNDS} rounds")


def swing(controller: Path, size: float, stop: float, repeat: bool) -> tuple[list[float], int]:
    """theta1 and theta2 at the stop time, and the number of steps tried."""
    with instantiate(FMUS / "DoublePendulum.fmu") as leg, instantiate(controller) as hip:
        master = Master(leg, hip, smallest=size / 64)
        for step in range(round(stop / size)):
            if repeat:
                master.step(step * size, size)
            else:
                master.torque = master.try_step(step * size, size, 0.0)
        return leg.get(["theta1", "theta2"]), master.tries


def largest_difference(a: Sequence[float], b: Sequence[float]) -> float:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def main() -> None:
    stop = 10.0  # after a Zeno point and a release
    with tempfile.TemporaryDirectory() as folder:
        controller = SYSTEMS["SwingingLeg"].build_partner(Path(folder))
        reference, _ = swing(controller, 2.0**-10, stop, repeat=True)
        print(f"error of (theta1, theta2) at t = {stop:g}, and the steps tried")
        print("    step        held torque         repeated steps")
        for exponent in range(2, 8):
            size = 2.0**-exponent
            held, held_tries = swing(controller, size, stop, repeat=False)
            repeated, tries = swing(controller, size, stop, repeat=True)
            print(
                f"    1/{2**exponent:<4}   {largest_difference(held, reference):8.1e}, {held_tries:5}"
                f"    {largest_difference(repeated, reference):8.1e}, {tries:5}"
            )


if __name__ == "__main__":
    main()
