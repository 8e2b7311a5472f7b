"""The FMU as a file: what is in it, what its libraries export and need, and that it is the same wherever it is made."""

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fmpy.validation import validate_fmu

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted(file.stem for file in (ROOT / "modelDescription").glob("*.xml"))
LIBRARIES = {"linux64": ".so", "win64": ".dll", "darwin64": ".dylib"}

# Part I and IV of the FMI 2.0 standard: what every co-simulation FMU exports, whether it supports it or not.
FUNCTIONS = {
    f"fmi2{name}"
    for name in """
    GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment EnterInitializationMode
    ExitInitializationMode Terminate Reset GetReal GetInteger GetBoolean GetString SetReal SetInteger SetBoolean SetString
    GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate
    GetDirectionalDerivative SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep GetStatus GetRealStatus
    GetIntegerStatus GetBooleanStatus GetStringStatus
    """.split()
}


def tool(name: str) -> str:
    """A tool of LLVM, which Debian installs with its version in the name."""
    found = shutil.which(name) or shutil.which(f"{name}-14")
    assert found, f"{name} is missing: scripts/setup installs it"
    return found


def output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(params=MODELS, scope="module")
def fmu(request: pytest.FixtureRequest, fmus: Path) -> Path:
    return fmus / f"{request.param}.fmu"


@pytest.fixture(scope="module")
def unpacked(fmu: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(fmu.stem)
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(folder)
    return folder


def library(unpacked: Path, platform: str) -> Path:
    (found,) = (unpacked / "binaries" / platform).iterdir()
    return found


# ---- Contents


def test_fmpy_finds_nothing_wrong(fmu: Path) -> None:
    assert validate_fmu(str(fmu)) == []


def test_the_archive_has_what_a_host_and_a_user_look_for(fmu: Path) -> None:
    expected = {"modelDescription.xml", "model.png", "documentation/index.html"}
    expected |= {f"binaries/{platform}/{fmu.stem}{suffix}" for platform, suffix in LIBRARIES.items()}
    expected |= {f"documentation/licenses/{name}.txt" for name in ("zenofmu", "sundials", "zig", "mingw-w64", "glibc")}
    with zipfile.ZipFile(fmu) as archive:
        assert expected <= set(archive.namelist())


def test_entries_are_deflated_sorted_and_without_a_date(fmu: Path) -> None:
    with zipfile.ZipFile(fmu) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    for entry in entries:
        assert entry.compress_type == zipfile.ZIP_DEFLATED
        assert entry.date_time == (1980, 1, 1, 0, 0, 0)
        assert not re.search(r"\\|^/|(^|/)\.\.?/", entry.filename)


def test_no_path_of_this_machine_is_inside(fmu: Path) -> None:
    with zipfile.ZipFile(fmu) as archive:
        for name in archive.namelist():
            for path in (ROOT, Path.home()):
                assert len(path.parts) < 3 or bytes(path) not in archive.read(name), name


# ---- linux64


def test_linux64_exports_the_functions_of_fmi_and_nothing_else(unpacked: Path) -> None:
    symbols = output("nm", "--dynamic", "--defined-only", library(unpacked, "linux64")).splitlines()
    assert {line.split()[-1] for line in symbols} == FUNCTIONS


def test_linux64_needs_the_c_library_only_and_an_old_one_will_do(unpacked: Path) -> None:
    text = output("readelf", "--wide", "--dynamic", "--version-info", library(unpacked, "linux64"))
    assert set(re.findall(r"\(NEEDED\).*\[(.*)\]", text)) <= {"libc.so.6", "libm.so.6"}
    versions = {tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([\d.]+)", text)}
    assert versions
    assert max(versions) <= (2, 17)


# ---- win64


def test_win64_exports_the_functions_of_fmi_and_nothing_else(unpacked: Path) -> None:
    text = output(tool("llvm-readobj"), "--coff-exports", library(unpacked, "win64"))
    assert set(re.findall(r"^ *Name: (\w+)$", text, re.MULTILINE)) == FUNCTIONS


def test_win64_needs_the_universal_c_runtime_and_the_kernel_only(unpacked: Path) -> None:
    text = output(tool("llvm-readobj"), "--coff-imports", library(unpacked, "win64"))
    for name in re.findall(r"^ *Name: (\S+)$", text, re.MULTILINE):
        assert re.fullmatch(r"api-ms-win-crt-.*\.dll|KERNEL32\.dll", name)


# ---- darwin64


def test_darwin64_serves_both_architectures(unpacked: Path) -> None:
    assert output(tool("llvm-lipo"), "-archs", library(unpacked, "darwin64")).split() == ["x86_64", "arm64"]


@pytest.mark.parametrize("architecture", ["x86_64", "arm64"])
def test_darwin64_exports_the_functions_of_fmi(unpacked: Path, architecture: str) -> None:
    dump = (tool("llvm-objdump"), "--macho", f"--arch={architecture}")
    text = output(*dump, "--exports-trie", library(unpacked, "darwin64"))
    # Besides these the linker exports its own names of the library's header.
    assert set(re.findall(r"^0x\w+ +_(\w+)", text, re.MULTILINE)) - {"_mh_dylib_header", "__dso_handle"} == FUNCTIONS


@pytest.mark.parametrize("architecture", ["x86_64", "arm64"])
def test_darwin64_needs_the_system_library_only(unpacked: Path, architecture: str) -> None:
    path = library(unpacked, "darwin64")
    text = output(tool("llvm-objdump"), "--macho", f"--arch={architecture}", "--dylibs-used", path)
    used = re.findall(r"^\t(\S+)", text, re.MULTILINE)
    assert set(used) == {f"@rpath/{path.name}", "/usr/lib/libSystem.B.dylib"}


def test_darwin64_is_signed_where_the_system_insists(unpacked: Path) -> None:
    text = output(tool("llvm-objdump"), "--macho", "--arch=arm64", "--private-headers", library(unpacked, "darwin64"))
    assert "LC_CODE_SIGNATURE" in text


# ---- Reproducible


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("elsewhere")


def test_an_export_of_the_same_model_gives_the_same_bytes(fmu: Path, elsewhere: Path, root: Path) -> None:
    """Whatever the model file is called, and wherever it and the FMU lie."""
    model = elsewhere / f"a copy, {fmu.stem}.model"
    shutil.copy(root / "modelDescription" / f"{fmu.stem}.xml", model)
    again = elsewhere / f"{fmu.stem} again.fmu"
    subprocess.run([sys.executable, root / "fmu" / "export.py", "--quiet", "-o", again, model], check=True)
    assert again.read_bytes() == fmu.read_bytes()
