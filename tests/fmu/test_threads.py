"""Many instances in many threads, of the packed libraries and of copies of them."""

import shutil
from pathlib import Path

from hosting import CONSTRAINTS, unpack
from playing import description, library, run_host


def test_64_instances_in_16_threads_give_the_bits_of_one_alone(fmus: Path, tmp_path: Path) -> None:
    files: list[Path] = []
    for system in CONSTRAINTS:
        fmu = unpack(fmus / f"{system}.fmu")
        copy = shutil.copy(library(fmu), tmp_path)
        files += [library(fmu), description(fmu), Path(copy), description(fmu)]
    assert run_host(["threads", *files]) == "64 instances of 16 FMUs in 16 threads\n"


def test_64_instances_of_one_library_give_the_bits_of_one_alone(fmus: Path) -> None:
    fmu = unpack(fmus / "DoublePendulum.fmu")
    assert run_host(["threads", library(fmu), description(fmu)]) == "64 instances of 1 FMUs in 16 threads\n"
