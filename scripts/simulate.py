"""Simulates an FMU in FMPy, prints its events and draws a picture: what ./run does once everything is built."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from event_table import summary, table
from hybrid_run import HybridFmu, RunError

ROOT = Path(__file__).resolve().parent.parent
FMUS = ROOT / "build" / "fmus"
PICTURES = ROOT / "build" / "pictures"


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run", description="Builds all FMUs, simulates one, shows its events.")
    parser.add_argument("model", metavar="MODEL", nargs="?", default="BallOnSine", help="a name, an .xml or an .fmu file")
    parser.add_argument("--stop-time", metavar="T", type=float, help="default: that of the model's experiment")
    parser.add_argument("--tolerance", metavar="TOL", type=float, help="default: that of the model's experiment")
    parser.add_argument("--set", metavar="NAME=VALUE", type=assignment, action="append", default=[], dest="start",
                        help="a parameter or start value; may be repeated")  # fmt: skip
    parser.add_argument("--output", metavar="FILE.png", type=Path, help="default: build/pictures/<model>.png")
    return parser.parse_args(argv)


def assignment(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=VALUE")
    return name.strip(), float(value)


@contextmanager
def fmu_file(model: str) -> Iterator[Path]:
    """The FMU of a model given by name, model file or FMU file."""
    path = Path(model)
    if path.suffix not in (".xml", ".fmu"):
        path = FMUS / f"{model}.fmu"
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in FMUS.glob("*.fmu")))
            raise RunError(f"there is no model '{model}'; there are {known}")
    if path.suffix == ".fmu":
        if not path.is_file():
            raise RunError(f"{path}: no such file")
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="zenofmu-run-") as folder:
        exported = Path(folder) / "model.fmu"
        export = [sys.executable, ROOT / "fmu" / "export.py", "--quiet", "--output", exported, "--", path]
        if status := subprocess.run(export, check=False).returncode:
            sys.exit(status)
        yield exported


def simulate(arguments: argparse.Namespace) -> None:
    start = dict(arguments.start)
    with fmu_file(arguments.model) as path, HybridFmu(path) as fmu:
        result = fmu.run(arguments.stop_time, start, arguments.tolerance)
        print(f"{fmu.name}, {result.times[0]:g} to {result.times[-1]:g} s: {summary(result.events)}\n")
        print("\n".join(table(result.events)))
        picture = arguments.output or PICTURES / f"{fmu.name}.png"
        from picture import draw  # slow to load: after the table is on the screen

        draw(fmu, result, start, picture)
        print(f"\npicture: {picture}")


def main(argv: Sequence[str]) -> int:
    arguments = parse(argv)
    try:
        simulate(arguments)
    except (RunError, OSError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
