"""What the parts of ./bench/run share: what is compiled, runs under callgrind, ratios of times, tables.

All that is compared is compiled alike: by zig cc for linux64, with the flags of the FMUs, against the same CVODE.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import median
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "bench"
BUILD = ROOT / "build" / "release"
FLAGS = ["-O2", "-DNDEBUG", "-std=gnu11", "-ffp-contract=off"]
# Symbols are bound when a library is loaded, not when they are first called: that would be counted.
ENVIRONMENT = os.environ | {"LD_BIND_NOW": "1"}
ROUNDS = 9

Command = Sequence[str | Path]


def run(command: Command) -> str:
    """What a command prints."""
    result = subprocess.run(command, check=False, env=ENVIRONMENT, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def reference(case: str) -> dict[str, list]:
    """Of tests/reference."""
    return json.loads((ROOT / "tests" / "reference" / f"{case}.json").read_text())


# ---- What is compiled


def the_runtime() -> Path:
    """Where CVODE, engine and FMI layer of linux64 are."""
    (runtime,) = (BUILD / "runtimes" / "linux64").iterdir()
    return runtime


def zig(arguments: Command) -> None:
    run([BUILD / "zig", "cc", "-target", the_runtime().name, *arguments])


def cvode() -> list[str | Path]:
    """What a program needs that calls the FMUs' own CVODE."""
    built = the_runtime() / "cmake" / "cvode" / "sundials"
    source = os.environ.get("ZENOFMU_SUNDIALS_SOURCE", str(ROOT / "build" / "sundials" / "source"))
    return [f"-I{built / 'include'}", f"-I{source}/include", built / "src" / "cvode" / "libsundials_cvode.a"]


@dataclass
class Workshop:
    """A folder for what is compiled and measured."""

    folder: Path

    @cached_property
    def host(self) -> Path:
        (headers,) = (ROOT / "build" / "venv").glob("lib/python3*/site-packages/fmpy/c-code")
        zig([*FLAGS, f"-I{headers}", HERE / "host.c", "-ldl", "-lm", "-o", self.folder / "host"])
        return self.folder / "host"

    @cached_property
    def bare(self) -> Path:
        engine = ROOT / "src" / "engine"
        zig([*FLAGS, f"-I{engine}", *sorted(HERE.glob("bare*.c")), engine / "vector.c", *cvode(), "-lm", "-o", self.folder / "bare"])
        return self.folder / "bare"

    def model(self, name: str) -> Library:
        return self.library(ROOT / "modelDescription" / f"{name}.xml")

    def library(self, model: Path) -> Library:
        """Linked as for the FMU, of the same objects, but with its symbols, for callgrind."""
        folder = self.folder / model.stem
        if not folder.exists():
            run([BUILD / "zenofmu-compiler", "generate", model, "--output", folder])
            zig([folder / "model.c", f"@{the_runtime() / 'runtime.rsp'}", "-shared", "-o", folder / "model.so"])
        return Library(self.host, folder / "model.so", ElementTree.parse(folder / "modelDescription.xml").getroot())

    def count(self, command: Command, function: str = "measured") -> Profile:
        """Instructions inside one function of the program."""
        file = self.folder / "callgrind.out"
        options = ["--collect-atstart=no", f"--toggle-collect={function}", "--compress-strings=no", "--compress-pos=no"]
        printed = run(["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={file}", *options, *command])
        return read_profile(file.read_text(), printed)


@dataclass(frozen=True)
class Library:
    """The library of an FMU, loaded by host.c."""

    host: Path
    path: Path
    description: ElementTree.Element

    def reference(self, name: str) -> str:
        variables = self.description.findall("ModelVariables/ScalarVariable")
        return next(v.attrib["valueReference"] for v in variables if v.attrib["name"] == name)

    def play(
        self,
        play: str,
        *,
        reals: Iterable[str] = (),
        counters: Iterable[str] = (),
        start: Mapping[str, float] | None = None,
        inputs: Mapping[str, float] | None = None,
        **settings: float,
    ) -> list[str | Path]:
        """The command; host.c says what plays and settings there are."""
        words = [f"{name}={value!r}" for name, value in settings.items()]
        words += [f"real={self.reference(name)}" for name in reals]
        words += [f"counter={self.reference(name)}" for name in counters]
        words += [f"start={self.reference(name)}:{value!r}" for name, value in (start or {}).items()]
        words += [f"input={self.reference(name)}:{value!r}" for name, value in (inputs or {}).items()]
        return [self.host, self.path, self.description.attrib["guid"], play, *words]


# ---- Instructions


@dataclass
class Profile:
    """Instructions of each function: its own, and with all that it calls; how often it was called, in the whole program."""

    printed: str  # by the program
    own: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    inside: Counter[tuple[str, str]] = field(default_factory=Counter)  # of calls, by caller and callee

    @property
    def total(self) -> int:
        return self.own.total()

    def inclusive(self, function: str) -> int:
        """Not of functions that call themselves."""
        return sum(cost for (_, callee), cost in self.inside.items() if callee == function)

    @property
    def solver_steps(self) -> int:
        return self.calls["CVode"]  # takes one step per call, here and in bare.c


def read_profile(text: str, printed: str = "") -> Profile:
    """Callgrind's format: after fn= lines `<line> <cost>` of its own, and after each calls= one with the callee's."""
    profile = Profile(printed)
    function = callee = ""
    called = False
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key == "fn":
            function = value
        elif key == "cfn":
            callee = value
        elif key == "calls":
            profile.calls[callee] += int(value.split()[0])
            called = True
        elif line[:1].isdigit():
            cost = int(line.split()[1])
            if called:
                profile.inside[function, callee] += cost
            else:
                profile.own[function] += cost
            called = False
    return profile


# ---- Times


@dataclass(frozen=True)
class Spread:
    """Of a figure over several rounds."""

    values: Sequence[float]

    @property
    def median(self) -> float:
        return median(self.values)

    def times(self, factor: float) -> Spread:
        return Spread([factor * value for value in self.values])

    def __str__(self) -> str:
        return f"{figure(self.median)} ({figure(min(self.values))} … {figure(max(self.values))})"


def nanoseconds(printed: str) -> float:
    """Of processor time: programs print in their last line how many each repetition took."""
    return median(map(float, printed.splitlines()[-1].split()))


def last_counters(profile: Profile) -> list[int]:
    """What host.c prints of them."""
    return list(map(int, profile.printed.splitlines()[1].split()))


def repeated(play: Command, count: int = 5) -> Command:
    """A play of host.c, so often in one process."""
    return [*play, f"repetitions={count}"]


def time_ratio(first: Command, second: Command, rounds: int = ROUNDS) -> Spread:
    """Of two programs that are run in turn, so that whatever else the machine does hits both."""
    return Spread([nanoseconds(run(first)) / nanoseconds(run(second)) for _ in range(rounds)])


# ---- Tables


def figure(value: float) -> str:
    """Three digits."""
    if value == 0 or not 1e-3 <= abs(value) < 1e6:
        return f"{value:.2e}" if value else "0"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


@dataclass(frozen=True)
class Claim:
    """What the project promises of a figure."""

    text: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def row(self) -> list[str]:
        bound = f"{'≥' if self.at_least else '≤'} {figure(self.limit)}"
        return [self.text, figure(self.value), bound, "yes" if self.holds else "**no**"]


@dataclass(frozen=True)
class Part:
    text: str  # Markdown
    claims: Sequence[Claim] = ()


@dataclass(frozen=True)
class Table:
    header: Sequence[str]
    rows: Sequence[Sequence[object]]

    def __str__(self) -> str:
        cells = [[figure(cell) if isinstance(cell, float) else str(cell) for cell in row] for row in self.rows]
        lines = [self.header, ["---"] * len(self.header), *cells]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)
