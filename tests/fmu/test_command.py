"""./zenofmu as a user calls it: from anywhere, with any file names, and with mistakes."""

import os
import re
import signal
import subprocess
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ROOT / "zenofmu"

# A model that the repository doesn't have.
BEAD = """<?xml version="1.0" encoding="UTF-8"?>
<hybridLagrangian xmlns="urn:zenofmu:model:1" name="BeadInBowl" description="Bead that bounces in a parabolic bowl">
  <parameter name="m" value="1" unit="kg" above="0"/>
  <parameter name="g" value="9.81" unit="m/s2"/>
  <parameter name="e" value="0.6" unit="1" min="0" max="1"/>
  <coordinate name="x" rate="vx" unit="m" start="0.4"/>
  <coordinate name="y" rate="vy" unit="m" start="1"/>
  <kineticEnergy>m/2*(vx^2 + vy^2)</kineticEnergy>
  <potentialEnergy>m*g*y</potentialEnergy>
  <constraint name="bowl" restitution="e" unit="m">y - x^2</constraint>
  <experiment stopTime="3" stepSize="0.01" tolerance="1e-8"/>
</hybridLagrangian>
"""


def zenofmu(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def assert_one_line(text: str, *words: str) -> None:
    assert len(text.splitlines()) == 1, text
    for word in words:
        assert word in text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a name that scripts stumble over."""
    made = tmp_path / "models & übung"
    made.mkdir()
    return made


@pytest.fixture
def bead(folder: Path) -> Path:
    path = folder / "my bead.xml"
    path.write_text(BEAD, encoding="utf-8")
    return path


# ---- check


def test_check_says_what_it_found(bead: Path) -> None:
    result = zenofmu("check", bead.name, folder=bead.parent)
    assert result.returncode == 0, result.stderr
    for name in ("BeadInBowl", "vx", "bowl", "e"):
        assert re.search(rf"\b{name}\b", result.stdout)
    assert list(bead.parent.iterdir()) == [bead]


def test_check_prints_the_equations(bead: Path) -> None:
    short = zenofmu("check", bead.name, folder=bead.parent)
    long = zenofmu("check", bead.name, "--equations", folder=bead.parent)
    assert long.returncode == 0, long.stderr
    assert len(long.stdout) > len(short.stdout)


def test_an_error_in_a_model_has_file_and_line(bead: Path) -> None:
    bead.write_text(BEAD.replace("m*g*y", "m*G*y"), encoding="utf-8")
    for command in ("check", "export"):
        result = zenofmu(command, bead.name, folder=bead.parent)
        assert result.returncode == 1
        assert result.stderr.startswith(f"{bead.name}:9: ")
        assert "'G'" in result.stderr
        assert list(bead.parent.iterdir()) == [bead]


THERMOSTAT = (ROOT / "tests" / "models" / "Thermostat.xml").read_text(encoding="utf-8")


def line_of(text: str) -> int:
    """The line of the thermostat that has the text."""
    assert THERMOSTAT.count(text) == 1
    return THERMOSTAT[: THERMOSTAT.index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "told_at", "words"),
    [
        ('to="on"', 'to="one"', 'to="on"', ["transition to 'one'", "did you mean 'on'?"]),
        ('of="switchedOn"', 'of="tau"', 'of="switchedOn"', ["reset of 'tau'", "parameter"]),
        ('"temperature - low"', '"low - low"', "temperature - low", ["transition to 'on'", "0 everywhere"]),
        (' initial="true"', "", "<hybridSystem", ["no mode is the initial one"]),
        ('"temperature - high"', '"max(temperature, high)"', '"temperature - high"', ["'max'", "smooth"]),
    ],
)
def test_an_error_in_a_system_with_modes_has_file_and_line(
    folder: Path, old: str, new: str, told_at: str, words: Sequence[str]
) -> None:
    path = folder / "bad.xml"
    path.write_text(THERMOSTAT.replace(old, new), encoding="utf-8")
    for command in ("check", "export"):
        result = zenofmu(command, path.name, folder=folder)
        assert result.returncode == 1
        assert_one_line(result.stderr, f"bad.xml:{line_of(told_at)}: ", *words)
        assert list(folder.iterdir()) == [path]


def test_a_mode_that_cannot_be_reached_is_a_warning(folder: Path) -> None:
    path = folder / "island.xml"
    path.write_text(THERMOSTAT.replace('to="on"', 'to="off"'), encoding="utf-8")
    result = zenofmu("check", path.name, folder=folder)
    assert result.returncode == 0
    line = line_of('<mode name="on"')
    assert_one_line(result.stderr, f"island.xml:{line}: ", "warning", "'on'")


# ---- export


def test_an_export_is_named_after_the_model(bead: Path) -> None:
    result = zenofmu("export", bead.name, folder=bead.parent)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in bead.parent.iterdir()) == ["BeadInBowl.fmu", "my bead.xml"]
    assert zipfile.is_zipfile(bead.parent / "BeadInBowl.fmu")


def test_an_export_goes_where_it_is_told(bead: Path, tmp_path: Path) -> None:
    (bead.parent / "out").mkdir()
    result = zenofmu("export", bead, "-o", "../models & übung/out/x.fmu", folder=bead.parent)
    assert result.returncode == 0, result.stderr
    assert [path.name for path in (bead.parent / "out").iterdir()] == ["x.fmu"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--platform", "linux64"], {"linux64"}),
        (["--platform", "darwin64,win64"], {"win64", "darwin64"}),
        (["--platform", "linux64", "--platform", "win64"], {"linux64", "win64"}),
        ([], {"linux64", "win64", "darwin64"}),
    ],
)
def test_platforms_can_be_chosen(bead: Path, options: Sequence[str], expected: set[str]) -> None:
    result = zenofmu("export", bead.name, *options, folder=bead.parent)
    assert result.returncode == 0, result.stderr
    with zipfile.ZipFile(bead.parent / "BeadInBowl.fmu") as archive:
        names = archive.namelist()
    assert {name.split("/")[1] for name in names if name.startswith("binaries/")} == expected


def test_a_new_export_replaces_the_old_one(bead: Path) -> None:
    target = bead.parent / "BeadInBowl.fmu"
    target.write_bytes(b"old")
    assert zenofmu("export", bead.name, "--platform", "linux64", folder=bead.parent).returncode == 0
    assert zipfile.is_zipfile(target)


def test_a_failed_export_leaves_the_old_one(bead: Path) -> None:
    target = bead.parent / "BeadInBowl.fmu"
    target.write_bytes(b"old")
    bead.write_text(BEAD.replace("y - x^2", "y - x^"), encoding="utf-8")
    assert zenofmu("export", bead.name, folder=bead.parent).returncode == 1
    assert target.read_bytes() == b"old"
    assert sorted(path.name for path in bead.parent.iterdir()) == ["BeadInBowl.fmu", "my bead.xml"]


@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("delay", [0.1, 0.3])
def test_an_export_that_is_ended_leaves_nothing_half_done(bead: Path, request_to_end: signal.Signals, delay: float) -> None:
    temporary = bead.parent.parent / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [COMMAND, "export", bead.name], cwd=bead.parent, env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    time.sleep(delay)
    os.killpg(process.pid, request_to_end)
    process.communicate()
    left = {path.name for path in bead.parent.iterdir()} - {bead.name}
    assert left <= {"BeadInBowl.fmu"}
    if left:
        assert zipfile.is_zipfile(bead.parent / "BeadInBowl.fmu")
    if request_to_end != signal.SIGKILL:
        assert list(temporary.iterdir()) == []


# ---- Mistakes


def test_a_missing_model_is_named(folder: Path) -> None:
    result = zenofmu("export", "nothing.xml", folder=folder)
    assert result.returncode != 0
    assert_one_line(result.stderr, "nothing.xml")


def test_a_folder_is_no_output(bead: Path) -> None:
    result = zenofmu("export", bead.name, "-o", ".", folder=bead.parent)
    assert result.returncode != 0
    assert_one_line(result.stderr, "folder")


def test_an_output_folder_must_exist(bead: Path) -> None:
    result = zenofmu("export", bead.name, "-o", "missing/x.fmu", folder=bead.parent)
    assert result.returncode != 0
    assert_one_line(result.stderr, "missing")


def test_a_device_is_not_replaced(bead: Path) -> None:
    result = zenofmu("export", bead.name, "-o", "/dev/null", folder=bead.parent)
    assert result.returncode != 0
    assert_one_line(result.stderr, "/dev/null")
    assert Path("/dev/null").is_char_device()


def test_an_output_folder_must_be_writable(bead: Path) -> None:
    """Also for root, to whom permissions mean nothing: nobody makes files in /proc."""
    result = zenofmu("export", bead.name, "-o", "/proc/x.fmu", folder=bead.parent)
    assert result.returncode != 0
    assert_one_line(result.stderr, "/proc/x.fmu")


@pytest.mark.parametrize(
    "arguments", [["export"], ["export", "x.xml", "--plattform", "win64"], ["export", "x.xml", "--platform", "win32"], ["exprot"]]
)
def test_a_mistake_in_the_command_is_said_in_one_line(folder: Path, arguments: Sequence[str]) -> None:
    result = zenofmu(*arguments, folder=folder)
    assert result.returncode == 2
    assert_one_line(result.stderr, "--help")


def test_help_and_version(folder: Path) -> None:
    help_text = zenofmu("--help", folder=folder)
    assert help_text.returncode == 0
    assert "check" in help_text.stdout and "export" in help_text.stdout
    assert re.fullmatch(r"zenofmu \d+\.\d+\.\d+\n", zenofmu("--version", folder=folder).stdout)


def test_the_command_can_be_called_through_a_link(bead: Path) -> None:
    link = bead.parent / "link"
    link.symlink_to(COMMAND)
    result = subprocess.run([link, "check", bead.name], cwd=bead.parent, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
