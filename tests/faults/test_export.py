"""A share of what exports.py inflicts on exports."""

import os
from pathlib import Path

import exports
import pytest
from exports import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, "linux64")


def writing(bench: Bench) -> int:
    """From where on the FMU is written."""
    return exports.asked(bench).index("tempfile.mkstemp") + 1


def test_an_export_that_can_not_write_the_fmu_leaves_all_as_it_was(bench: Bench) -> None:
    exports.fail_each(bench, first=writing(bench))


def test_an_export_that_is_killed_while_it_writes_leaves_a_whole_fmu_or_none(bench: Bench) -> None:
    exports.kill_each(bench, first=writing(bench))


def test_an_export_that_is_killed_at_any_moment_leaves_a_whole_fmu_or_none(bench: Bench) -> None:
    exports.kill_at_random(bench, kills=4)


def test_an_export_to_a_place_that_can_not_hold_it_says_so(bench: Bench) -> None:
    exports.refuse_places(bench)
    exports.limit_files(bench, [20_000, len(bench.whole) - 1])


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts small disks, which only root may")
def test_an_export_to_a_full_or_protected_disk_leaves_all_as_it_was(bench: Bench) -> None:
    exports.fill_disks(bench, sizes=2)
    exports.write_protect(bench)
