"""Runs an SSP file in three co-simulation hosts that have nothing in common but the standards.

Each function gives a row for each communication point after the first, a column for each of the system's signals.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import ecospy
import numpy
from fmpy.ssp.simulation import simulate_ssp
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimLogging import CosimLogLevel, log_output_level
from libcosimpy.CosimObserver import CosimObserver
from numpy.typing import NDArray

from systems import STEP, STEP_NS, System

Rows = NDArray[numpy.float64]


def run_in_fmpy(system: System, ssp: Path) -> Rows:
    # FMPy goes on while its sum of steps is below the stop time; half a step less keeps rounding out of it.
    result = simulate_ssp(ssp, stop_time=system.stop_time - STEP / 2, step_size=STEP)
    # It labels a row with the time at which the step began; the values are those at the end of it.
    return numpy.column_stack([result[f"{signal.component}.{signal.name}"] for signal in system.signals]).astype(float)


def run_in_libcosim(system: System, ssp: Path) -> Rows:
    log_output_level(CosimLogLevel.ERROR)
    execution = CosimExecution.from_ssp_file(str(ssp), step_size=STEP_NS)
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    slaves = {slave.name.decode(): slave.index for slave in execution.slave_infos()}
    references = {
        name: {variable.name.decode(): variable.reference for variable in execution.slave_variables(index)}
        for name, index in slaves.items()
    }
    rows = []
    for _ in range(system.steps):
        if not execution.step():
            raise RuntimeError(f"libcosim stopped at {execution.status().current_time} ns")
        rows.append(
            [
                (observer.last_real_values if signal.type == "Real" else observer.last_integer_values)(
                    slaves[signal.component], [references[signal.component][signal.name]]
                )[0]
                for signal in system.signals
            ]
        )
    return numpy.array(rows, dtype=float)


def run_in_ecos(system: System, ssp: Path) -> Rows:
    ecospy.EcosLib.set_log_level("warn")
    rows = []
    with ecospy.EcosSimulation(ssp_path=str(ssp), step_size=STEP) as simulation:
        if not simulation.init():
            raise RuntimeError(ecospy.EcosLib.get_last_error())
        for _ in range(system.steps):
            simulation.step()
            rows.append(
                [
                    (simulation.get_real if signal.type == "Real" else simulation.get_integer)(
                        f"{signal.component}::{signal.name}"
                    )
                    for signal in system.signals
                ]
            )
        simulation.terminate()
    return numpy.array(rows, dtype=float)


HOSTS: Mapping[str, Callable[[System, Path], Rows]] = {
    "fmpy": run_in_fmpy,
    "libcosim": run_in_libcosim,
    "ecos": run_in_ecos,
}
