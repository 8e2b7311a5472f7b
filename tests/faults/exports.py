"""Exports on which a fault is inflicted: files that can't be written, full disks, kills at any moment.

    exports.py [KILLS]      all of it, with so many kills at random moments; the mounts of small disks need root

What is on disk afterwards is whole or absent. Only an export that is killed may leave something behind: `.NAME.fmu.` and
eight letters beside the FMU, and `zenofmu-` and eight letters among the temporary files.
"""

import fnmatch
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXPORT = [sys.executable, str(ROOT / "fmu" / "export.py")]
FAULTY = [sys.executable, str(HERE / "faulty_export.py")]
MODEL = HERE / "models" / "Slope.xml"
OLD = b"an FMU that was there before"
MOST_SECONDS = 60  # an export takes about one


class Bench:
    """A folder for the FMU, one for temporary files, and how an export is called there."""

    def __init__(self, folder: Path, platforms: str) -> None:
        self.output = folder / "output"
        self.temporary = folder / "temporary"
        self.output.mkdir()
        self.temporary.mkdir()
        self.options = ["--quiet", "--platform", platforms, str(MODEL)]
        self.target = self.output / "Slope.fmu"
        self.faults = 0
        assert self.run(EXPORT).returncode == 0
        self.whole = self.target.read_bytes()
        self.target.unlink()

    def command(self, program: Sequence[str]) -> list[str]:
        return [*program, *self.options, "--output", str(self.target)]

    def start(self, program: Sequence[str], largest_file: int | None = None) -> subprocess.Popen[str]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        return subprocess.Popen(
            self.command(program), env=os.environ | {"TMPDIR": str(self.temporary)}, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
        )  # fmt: skip

    def run(self, program: Sequence[str], largest_file: int | None = None) -> subprocess.CompletedProcess[str]:
        process = self.start(program, largest_file)
        said, complaints = process.communicate(timeout=MOST_SECONDS)
        return subprocess.CompletedProcess(program, process.returncode, said, complaints)

    def temporary_files(self) -> list[str]:
        """But for the empty file, named by eight letters, by which Python tries whether it can write there."""
        return [path.name for path in self.temporary.iterdir() if len(path.name) != 8]

    def put_old(self, there: bool) -> None:
        self.target.unlink(missing_ok=True)
        if there:
            self.target.write_bytes(OLD)

    def clear(self) -> None:
        subprocess.run(["rm", "-rf", *self.output.iterdir(), *self.temporary.iterdir()], check=True)

    # ---- What must be so after a fault

    def expect_failure(self, result: subprocess.CompletedProcess[str], old: bool, temporary_files: bool = False) -> None:
        """It says so, and all is as it was."""
        self.faults += 1
        assert result.returncode == 1, result
        assert result.stderr and "Traceback" not in result.stderr, result.stderr
        assert [path.name for path in self.output.iterdir()] == ([self.target.name] if old else [])
        if old:
            assert self.target.read_bytes() == OLD
        if not temporary_files:
            assert self.temporary_files() == []

    def expect_success(self, result: subprocess.CompletedProcess[str]) -> None:
        assert result.returncode == 0, result.stderr
        assert self.target.read_bytes() == self.whole

    def expect_whole_or_as_before(self, old: bool) -> None:
        """After a kill."""
        self.faults += 1
        if self.target.exists():
            assert self.target.read_bytes() in ([self.whole, OLD] if old else [self.whole])
        else:
            assert not old
        for path in self.output.iterdir():
            assert path == self.target or fnmatch.fnmatchcase(path.name, ".Slope.fmu.????????")
        for name in self.temporary_files():
            assert fnmatch.fnmatchcase(name, "zenofmu-????????")

    def expect_that_the_next_one_works(self) -> None:
        """With all that was left behind, which is then removed."""
        self.expect_success(self.run(EXPORT))
        self.clear()


# ---- Everything that is asked of the system


def asked(bench: Bench) -> list[str]:
    result = bench.run([*FAULTY, "list"])
    bench.expect_success(result)
    return result.stdout.split()


def fail_each(bench: Bench, first: int = 1) -> None:
    events = asked(bench)
    cleaning = range(events.index("shutil.rmtree") + 1, events.index("tempfile.mkstemp") + 1)
    for number in range(first, len(events) + 1):
        old = number % 2 == 0
        bench.put_old(old)
        result = bench.run([*FAULTY, "fail", str(number)])
        if result.returncode == 0:  # a file that Python makes only to see whether it can
            bench.faults += 1
            bench.expect_success(result)
            continue
        bench.expect_failure(result, old, temporary_files=number in cleaning)
        bench.clear()
    bench.expect_that_the_next_one_works()


def kill_each(bench: Bench, first: int = 1) -> None:
    for number in range(first, len(asked(bench)) + 1):
        old = number % 2 == 0
        bench.put_old(old)
        process = bench.start([*FAULTY, "kill", str(number)])
        process.communicate(timeout=MOST_SECONDS)
        assert process.returncode == -signal.SIGKILL
        end_session(process)
        bench.expect_whole_or_as_before(old)
    bench.expect_that_the_next_one_works()


# ---- Kills at random moments


def end_session(process: subprocess.Popen[str]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_at_random(bench: Bench, kills: int, seed: int = 1) -> None:
    """Half of them take the compilers along, half don't."""
    chance = random.Random(seed)
    began = time.monotonic()
    bench.expect_that_the_next_one_works()
    duration = time.monotonic() - began
    for number in range(kills):
        old = chance.random() < 0.5
        bench.put_old(old)
        process = bench.start(EXPORT)
        time.sleep(chance.uniform(0, 1.1 * duration))
        if number % 2 == 0:
            end_session(process)
        else:
            process.kill()
        process.communicate(timeout=MOST_SECONDS)
        end_session(process)
        bench.expect_whole_or_as_before(old)
        if number % 10 == 9:
            bench.expect_that_the_next_one_works()
    bench.expect_that_the_next_one_works()


# ---- Where nothing can be written


def limit_files(bench: Bench, sizes: Sequence[int]) -> None:
    """No file can be larger than this: first the compilers fail, then the FMU can't be written."""
    for size in sizes:
        old = size % 2 == 0
        bench.put_old(old)
        bench.expect_failure(bench.run(EXPORT, largest_file=size), old)
    bench.expect_that_the_next_one_works()


def refuse_places(bench: Bench) -> None:
    """A folder as the target, a target in a folder that is none, a file that is read-only (which is replaced whole)."""
    bench.put_old(False)
    bench.target.mkdir()
    result = bench.run(EXPORT)
    assert result.returncode == 1 and "folder" in result.stderr
    assert list(bench.target.iterdir()) == []
    bench.target.rmdir()
    bench.output.rmdir()
    bench.output.write_bytes(b"")
    result = bench.run(EXPORT)
    assert result.returncode == 1 and str(bench.target) in result.stderr
    bench.output.unlink()
    bench.output.mkdir()
    bench.put_old(True)
    bench.target.chmod(0o444)
    bench.expect_that_the_next_one_works()
    bench.faults += 3


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def fill_disks(bench: Bench, sizes: int) -> None:
    """Disks from far too small to just too small for the FMU, and for the temporary files."""
    largest = len(bench.whole) - 4096
    for number in range(sizes):
        size = 8192 + (largest - 8192) * number // sizes
        old = number % 2 == 0
        with small_disk(bench.output, f"size={size}"):
            bench.put_old(old)
            bench.expect_failure(bench.run(EXPORT), old)
        with small_disk(bench.temporary, f"size={size}"):
            bench.put_old(old)
            bench.expect_failure(bench.run(EXPORT), old)
    bench.expect_that_the_next_one_works()


def write_protect(bench: Bench) -> None:
    for old in (False, True):
        with small_disk(bench.output, "size=1m"):
            bench.put_old(old)
            subprocess.run(["mount", "-o", "remount,ro", bench.output], check=True)
            bench.expect_failure(bench.run(EXPORT), old)
    bench.expect_that_the_next_one_works()


def main(kills: int) -> None:
    with tempfile.TemporaryDirectory(prefix="zenofmu-faults-") as folder:
        bench = Bench(Path(folder), "linux64,win64,darwin64")
        fail_each(bench)
        kill_each(bench)
        kill_at_random(bench, kills)
        limit_files(bench, range(1, len(bench.whole), len(bench.whole) // 16))
        refuse_places(bench)
        if os.geteuid() == 0:
            fill_disks(bench, sizes=16)
            write_protect(bench)
        else:
            print("not root: no small disks", file=sys.stderr)
        print(f"{bench.faults} faults injected")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
