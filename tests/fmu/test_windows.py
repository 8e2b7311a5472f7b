"""The win64 libraries, run by Wine in the host in C: the same plays, and results like those of linux64."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import fmpy
import pytest
from hosting import CONSTRAINTS, unpack
from playing import ROOT, description, library, play, run_host

WINE = Path("/usr/lib/wine/wine64")
WINDOWS_LIBRARIES = Path("/usr/lib/x86_64-linux-gnu/wine/x86_64-windows")
TARGET = "x86_64-windows-gnu"

each_system = pytest.mark.parametrize("system", CONSTRAINTS)

Play = Callable[..., str]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The host in C for Windows.

    Compiled with the options of the FMUs and, like them, outside the project's folder: zig then takes the C runtime of
    Windows from its cache, which else needs a minute and more.
    """
    program = tmp_path_factory.mktemp("windows") / "host.exe"
    release = ROOT / "build" / "release"
    flags = (release / "runtimes" / "win64" / TARGET / "runtime.rsp").read_text().splitlines()[0].split()
    sources = sorted((ROOT / "tests" / "fmu" / "host").glob("*.c"))
    headers = Path(fmpy.__file__).parent / "c-code"
    command = [release / "zig", "cc", "-target", TARGET, *flags, "-s", "-isystem", headers, *sources, "-lpthread"]
    subprocess.run([*command, "-o", program], check=True, cwd=program.parent)
    return program


@pytest.fixture(scope="module")
def wine() -> Iterator[Mapping[str, str]]:
    """Surroundings for Wine: no desktop, no browser, its folder inside the build folder.

    Left to itself, Wine would copy 700 MB of libraries there and register them; a program without windows runs with
    links to them.
    """
    prefix = ROOT / "build" / "wine"
    system = prefix / "drive_c" / "windows" / "system32"
    shutil.rmtree(prefix, ignore_errors=True)
    system.mkdir(parents=True)
    (prefix / ".update-timestamp").write_text("disable\n")
    for file in WINDOWS_LIBRARIES.iterdir():
        (system / file.name).symlink_to(file)
    environment = os.environ | {
        "WINEPREFIX": str(prefix),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=",
    }
    environment.pop("DISPLAY", None)
    yield environment
    # Wine's server stays for a while after its last program.
    subprocess.run([WINE.with_name("wineserver64"), "--kill"], check=False, env=environment, timeout=60)


@pytest.fixture
def windows(fmus: Path, host: Path, wine: Mapping[str, str]) -> Play:
    def play_in_wine(name: str, systems: Sequence[str], *argument: str) -> str:
        unpacked = [unpack(fmus / f"{system}.fmu") for system in systems]
        files = [file for fmu in unpacked for file in (library(fmu, "win64"), description(fmu))]
        return run_host([name, *files, *argument], (WINE, host), wine)

    return play_in_wine


def table(text: str) -> tuple[list[str], list[list[float]]]:
    head, *rows = text.splitlines()
    return head.split("\t"), [[float(value) for value in row.split("\t")] for row in rows]


@each_system
def test_results_are_those_of_linux(fmus: Path, system: str, windows: Play) -> None:
    names, found = table(windows("run", [system], "0.05"))
    expected_names, expected = table(play("run", unpack(fmus / f"{system}.fmu"), "0.05"))
    assert names == expected_names
    assert len(found) == len(expected)
    # The mathematical functions of the two C libraries differ in the last bit.
    for row, expected_row in zip(found, expected, strict=True):
        assert row == pytest.approx(expected_row, rel=1e-9, abs=1e-9)


@each_system
def test_the_plays_go_as_on_linux(system: str, windows: Play) -> None:
    windows("instances", [system])
    windows("calls", [system], "100")
    windows("rollback", [system], "20")
    windows("damage", [system])
    windows("steps", [system], "1000")


def test_it_runs_from_a_folder_with_an_odd_name(fmus: Path, host: Path, wine: Mapping[str, str], tmp_path: Path) -> None:
    plain = unpack(fmus / "BallOnSine.fmu")
    # ASCII only: the host's own command line and LoadLibraryA know no more.
    moved = replace(plain, folder=Path(shutil.copytree(plain.folder, tmp_path / "a b+c %41")))
    found, expected = (
        run_host(["run", library(fmu, "win64"), description(fmu), "0.05"], (WINE, host), wine) for fmu in (moved, plain)
    )
    assert found == expected


def test_memory_is_given_back(windows: Play) -> None:
    windows("memory", ["BouncingBall"], "100")


def test_instances_in_threads_give_the_bits_of_one_alone(windows: Play) -> None:
    assert windows("threads", list(CONSTRAINTS)) == "64 instances of 8 FMUs in 16 threads\n"
