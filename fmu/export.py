"""Makes an FMU of a model file: generates its C code, compiles it for every platform, packs the archive.

All that is the same for every FMU is ready in the build folder (cmake/CrossRuntimes.cmake, cmake/Fmus.cmake):

    zenofmu-compiler                            turns the model file into C, modelDescription.xml and documentation
    zig, llvm-lipo                              compile, and join the architectures of macOS
    runtimes/<platform>/<target>/runtime.rsp    what the C file is compiled and linked with on that platform
    licenses/                                   of the code that gets into the libraries

Only the Python standard library is used: an export starts without delay.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn
from xml.etree import ElementTree

from archive import pack

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Platform:
    """How the shared library of an FMI platform is linked; `{name}` is the model's name."""

    suffix: str
    link_flags: tuple[str, ...] = ()


# -s everywhere: without debug information and symbol tables no path of this machine is in the file.
PLATFORMS = {
    "linux64": Platform(".so", ("-Wl,-z,defs", "-Wl,--build-id=none", "-Wl,-soname,{name}.so")),
    "win64": Platform(".dll"),
    "darwin64": Platform(".dylib", ("-Wl,-install_name,@rpath/{name}.dylib",)),
}


class ExportError(Exception):
    """Something that the user can mend; the message is one line."""


class CompilerFailed(Exception):
    """The model compiler has said on standard error what is wrong with the model."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Toolbox:
    """The build folder."""

    folder: Path

    def generate(self, model: Path, into: Path) -> None:
        # A name that begins with a hyphen must not be taken for an option.
        argument = os.path.join(".", model) if str(model).startswith("-") else str(model)
        result = subprocess.run([self.folder / "zenofmu-compiler", "generate", argument, "--output", into], check=False)
        if result.returncode < 0:
            raise ExportError(f"{model}: the model compiler was ended by {signal.Signals(-result.returncode).name}")
        if result.returncode > 0:
            raise CompilerFailed(result.returncode)

    def targets(self, platform: str) -> list[Path]:
        """The runtimes of a platform: one for each architecture that its library serves."""
        return sorted((self.folder / "runtimes" / platform).iterdir())

    def link(self, runtime: Path, platform: str, name: str, generated: Path) -> Path:
        """Compiles model.c and links it with a runtime."""
        library = generated / f"{runtime.name}{PLATFORMS[platform].suffix}"
        flags = [flag.format(name=name) for flag in PLATFORMS[platform].link_flags]
        command: list[str | Path] = [self.folder / "zig", "cc", "-target", runtime.name, "model.c", f"@{runtime / 'runtime.rsp'}"]
        # Where the folder lies must not matter, so the compiler sees relative paths; and what it caches of this model
        # goes with the folder.
        self._run(
            [*command, "-shared", "-s", *flags, "-o", library.name],
            cwd=generated,
            env=os.environ | {"ZIG_LOCAL_CACHE_DIR": str(generated / "cache")},
        )
        return library

    def join(self, libraries: Sequence[Path]) -> bytes:
        """One library for all architectures."""
        if len(libraries) == 1:
            return libraries[0].read_bytes()
        joined = libraries[0].with_name("joined")
        self._run([self.folder / "llvm-lipo", "-create", *libraries, "-output", joined])
        return joined.read_bytes()

    @staticmethod
    def _run(command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        result = subprocess.run(command, check=False, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode != 0:
            sys.stderr.buffer.write(result.stdout)
            raise ExportError(f"{Path(command[0]).name} failed with status {result.returncode}; its messages are above")


def model_name(description: bytes) -> str:
    (co_simulation,) = ElementTree.fromstring(description).findall("CoSimulation")
    return co_simulation.attrib["modelIdentifier"]


def build_libraries(toolbox: Toolbox, platforms: Sequence[str], name: str, generated: Path) -> dict[str, bytes]:
    """The libraries of all platforms, compiled side by side, by their names in the FMU."""
    with ThreadPoolExecutor() as pool:
        links = {
            platform: [pool.submit(toolbox.link, runtime, platform, name, generated) for runtime in toolbox.targets(platform)]
            for platform in platforms
        }
    return {
        f"binaries/{platform}/{name}{PLATFORMS[platform].suffix}": toolbox.join([link.result() for link in jobs])
        for platform, jobs in links.items()
    }


def make_fmu(toolbox: Toolbox, model: Path, platforms: Sequence[str]) -> tuple[str, bytes]:
    """The model's name and the bytes of its FMU."""
    with tempfile.TemporaryDirectory(prefix="zenofmu-") as temporary:
        generated = Path(temporary)
        toolbox.generate(model, generated)
        description = (generated / "modelDescription.xml").read_bytes()
        name = model_name(description)
        files = {
            "modelDescription.xml": description,
            "model.png": (ROOT / "resources" / "model.png").read_bytes(),
            "documentation/index.html": (generated / "documentation" / "index.html").read_bytes(),
        }
        for license_file in (toolbox.folder / "licenses").iterdir():
            files[f"documentation/licenses/{license_file.name}"] = license_file.read_bytes()
        return name, pack(files | build_libraries(toolbox, platforms, name, generated))


def check_target(path: Path) -> None:
    """Refuses what can't be written, before any work is done."""
    if path.is_dir():
        raise ExportError(f"{path}: is a folder, expected the name of a file to write")
    if path.exists() and not path.is_file():
        raise ExportError(f"{path}: is not an ordinary file, expected one or a new name")
    if not path.parent.is_dir():
        raise ExportError(f"{path}: the folder {path.parent} does not exist")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise ExportError(f"{path}: the folder {path.parent} can't be written to")


def write_whole(path: Path, content: bytes) -> None:
    """Writes beside the target and renames: whoever looks, and whenever we are killed, the file is whole or absent."""
    target = Path(os.path.realpath(path))
    check_target(target)
    try:
        replace(target, content)
    except OSError as error:
        raise ExportError(f"{path}: can't be written: {error.strerror}") from error


def replace(target: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o666 & ~current_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def current_umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def export(arguments: argparse.Namespace) -> None:
    if arguments.output:
        check_target(Path(os.path.realpath(arguments.output)))
    if not arguments.model.is_file():
        raise ExportError(f"{arguments.model}: no such file")
    name, content = make_fmu(Toolbox(arguments.build), arguments.model, arguments.platforms)
    output = arguments.output or Path(f"{name}.fmu")
    write_whole(output, content)
    if not arguments.quiet:
        print(f"{output}: {name} for {', '.join(arguments.platforms)}, {len(content) / 1e6:.1f} MB")


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the command."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; --help shows how\n")


def platform_list(text: str) -> list[str]:
    chosen = [name.strip() for name in text.split(",")]
    for name in chosen:
        if name not in PLATFORMS:
            raise argparse.ArgumentTypeError(f"unknown platform '{name}', expected {', '.join(PLATFORMS)}")
    return chosen


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = Parser(prog="zenofmu export", description="Makes an FMI 2.0 co-simulation FMU of a model file.", allow_abbrev=False)
    parser.add_argument("model", metavar="FILE", type=Path, help="the model file")
    parser.add_argument("-o", "--output", metavar="OUT.fmu", type=Path, help="default: <model's name>.fmu in the current folder")
    parser.add_argument(
        "--platform", metavar="LIST", type=platform_list, action="extend", dest="platforms",
        help=f"only for these of {', '.join(PLATFORMS)}; separated by commas, or given several times",
    )  # fmt: skip
    parser.add_argument("--build", metavar="FOLDER", type=Path, default=ROOT / "build" / "release", help=argparse.SUPPRESS)
    parser.add_argument("--quiet", action="store_true", help="say nothing when all went well")
    arguments = parser.parse_args(argv)
    arguments.platforms = [name for name in PLATFORMS if name in (arguments.platforms or PLATFORMS)]
    return arguments


def end_like_an_interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    """A polite request to end removes temporary files on the way out, as Ctrl-C does."""
    raise KeyboardInterrupt


def main(argv: Sequence[str]) -> int:
    arguments = parse(argv)
    for request in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(request, end_like_an_interrupt)
    try:
        export(arguments)
    except CompilerFailed as failure:
        return failure.status
    except (ExportError, OSError) as error:
        print(f"zenofmu export: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("zenofmu export: interrupted, nothing was written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
