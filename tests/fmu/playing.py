"""The host in C (tests/fmu/host/) with the libraries of packed FMUs."""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from hosting import Fmu

ROOT = Path(__file__).resolve().parents[2]
HOST = ROOT / "build" / "release" / "host"
# As a folder: spaces, a plus, a percent sign before hexadecimal digits, letters outside ASCII.
ODD = "a b+c %41 é 日本"
SUFFIXES = {"linux64": ".so", "win64": ".dll"}


def library(fmu: Fmu, platform: str = "linux64") -> Path:
    return fmu.folder / "binaries" / platform / f"{fmu.description.modelName}{SUFFIXES[platform]}"


def description(fmu: Fmu) -> Path:
    return fmu.folder / "modelDescription.xml"


def run_host(
    arguments: Sequence[str | Path], command: Sequence[str | Path] = (HOST,), environment: Mapping[str, str] | None = None
) -> str:
    """What the host has printed; it fails with what it has complained about."""
    # Into files: Wine leaves processes behind for a while that would keep a pipe open.
    with tempfile.TemporaryFile("w+") as printed, tempfile.TemporaryFile("w+") as complaints:
        result = subprocess.run(
            [*command, *arguments], check=False, stdout=printed, stderr=complaints, timeout=300, env=environment
        )
        printed.seek(0)
        complaints.seek(0)
        assert result.returncode == 0, f"host {arguments[0]}: {complaints.read()}"
        return printed.read()


def play(name: str, fmu: Fmu, *argument: str | Path) -> str:
    return run_host([name, library(fmu), description(fmu), *argument])
