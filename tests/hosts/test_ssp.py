"""The examples: our FMUs with those of another exporter (PythonFMU), wired in SSP files, in hosts that read these."""

import logging
import shutil
from functools import cache
from pathlib import Path

import fmpy
import numpy
import pytest
import rollback_master
from compose import release_times, zeno_times
from fmpy.ssp.ssd import read_ssd
from fmpy.validation import validate_fmu
from fmu_manipulation_toolbox.assembly import Assembly
from ssp_hosts import HOSTS, Rows, run_in_fmpy
from systems import STEP, SYSTEMS

each_system = pytest.mark.parametrize("name", SYSTEMS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The SSP files, built once."""
    folder = tmp_path_factory.mktemp("ssp")
    for system in SYSTEMS.values():
        system.build(folder)
    return folder


@cache
def in_fmpy(name: str, folder: Path) -> Rows:
    return run_in_fmpy(SYSTEMS[name], folder / f"{name}.ssp")


@each_system
def test_an_ssp_file_keeps_to_the_schema(name: str, folder: Path) -> None:
    ssd = read_ssd(folder / f"{name}.ssp", validate=True)
    assert [element.name for element in ssd.system.elements] == list(
        dict.fromkeys(signal.component for signal in SYSTEMS[name].signals)
    )


@pytest.mark.parametrize("fmu", ["HipController.fmu", "Gust.fmu"])
def test_the_fmu_of_the_other_exporter_is_valid(fmu: str, folder: Path) -> None:
    assert validate_fmu(str(folder / fmu)) == []


@each_system
@pytest.mark.parametrize("host", [host for host in HOSTS if host != "fmpy"])
def test_a_host_that_reads_ssp_files_gives_the_bits_of_fmpy(host: str, name: str, folder: Path) -> None:
    rows = HOSTS[host](SYSTEMS[name], folder / f"{name}.ssp")
    assert numpy.array_equal(rows, in_fmpy(name, folder))


@each_system
def test_a_container_made_from_the_ssp_file_gives_the_bits_of_fmpy(name: str, folder: Path, tmp_path: Path) -> None:
    logging.getLogger("fmu_manipulation_toolbox").setLevel(logging.ERROR)
    system = SYSTEMS[name]
    shutil.copy(folder / f"{name}.ssp", tmp_path)
    assembly = Assembly(f"{name}.ssp", default_step_size=STEP, fmu_directory=tmp_path)
    files = dict(zip(dict.fromkeys(s.component for s in system.signals), assembly.root.fmu_names_list, strict=True))
    names = [f"{signal.component}.{signal.name}" for signal in system.signals]
    for signal, exposed in zip(system.signals, names, strict=True):
        assembly.root.add_output(files[signal.component], signal.name, exposed)
    assembly.make_fmu(filename=str(tmp_path / "Container.fmu"))
    result = fmpy.simulate_fmu(
        tmp_path / "Container.fmu", stop_time=system.stop_time, output_interval=STEP, output=names
    )
    rows = numpy.column_stack([result[column].astype(float) for column in names])[1:]
    assert numpy.array_equal(rows, in_fmpy(name, folder))


def test_no_output_that_the_controller_sees_depends_directly_on_its_torque() -> None:
    # Else a host would have to solve an algebraic loop.
    description = fmpy.read_model_description(rollback_master.FMUS / "DoublePendulum.fmu")
    dependencies = {unknown.variable.name: unknown.dependencies for unknown in description.outputs}
    assert [dependencies[name] for name in rollback_master.WIRES] == [[], [], []]


def test_the_controller_makes_the_knee_lock_and_open_periodically(folder: Path) -> None:
    system, rows = SYSTEMS["SwingingLeg"], in_fmpy("SwingingLeg", folder)
    zeno, releases = zeno_times(system, rows), release_times(system, rows)
    assert len(zeno) == len(releases) == 8
    assert all(a < b < c for a, b, c in zip(zeno, releases, zeno[1:], strict=False))
    # The torque is sampled every 8 ms, so the period keeps some play, below a sample.
    periods = numpy.diff(zeno)[-4:]
    assert periods.max() - periods.min() < STEP


def test_without_the_controller_the_swing_dies_away(folder: Path) -> None:
    result = fmpy.simulate_fmu(
        rollback_master.FMUS / "DoublePendulum.fmu", stop_time=60.0, output_interval=STEP, output=["theta1"]
    )
    driven = in_fmpy("SwingingLeg", folder)[-1280:, 0]  # the last 10 s; theta1 is the first signal
    assert abs(result["theta1"][-1280:]).max() < 0.9 * abs(driven).max()


def test_the_gust_throws_the_ball_out_of_its_valley_into_another(folder: Path) -> None:
    system, rows = SYSTEMS["BallInWind"], in_fmpy("BallInWind", folder)
    zeno, releases = zeno_times(system, rows), release_times(system, rows)
    x = rows[:, 0]
    assert len(zeno) == 3 and len(releases) == 2
    assert zeno[1] < 15.0 < releases[1] < zeno[2]
    valleys = [round((x[round(time / STEP)] - 1.5 * numpy.pi) / (2 * numpy.pi)) for time in (14.5, 29.5)]
    assert valleys == [1, 2]


def test_a_master_that_repeats_steps_is_more_accurate_than_one_that_doesnt(folder: Path) -> None:
    controller = folder / "HipController.fmu"
    reference, _ = rollback_master.swing(controller, 2.0**-8, 10.0, repeat=True)
    held, held_steps = rollback_master.swing(controller, 1 / 16, 10.0, repeat=False)
    repeated, tries = rollback_master.swing(controller, 1 / 16, 10.0, repeat=True)
    assert held_steps == 160 < tries
    assert rollback_master.largest_difference(repeated, reference) < 0.1 * rollback_master.largest_difference(
        held, reference
    )
