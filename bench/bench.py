"""Measures what ./bench/run is asked for, shows it and writes docs/performance.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import against_cvode
import against_others
import calls
import growth
import saving
from measuring import ROOT, Part, Table, Workshop

PARTS = {"a": against_cvode, "b": against_others, "c": calls, "d": saving, "e": growth}
DOCUMENT = ROOT / "docs" / "performance.md"

HEAD = """# Performance

Written by `./bench/run`. Every figure is a ratio of two things measured in the same run, or a number of machine instructions
(callgrind), which hardly depends on the machine. Ratios of times are medians of rounds in which both took turns, with the least and
the largest in brackets.
"""


def measure(letters: str) -> list[Part]:
    parts = []
    with tempfile.TemporaryDirectory(prefix="zenofmu-bench-") as folder:
        shop = Workshop(Path(folder))
        for letter in letters:
            begin = time.monotonic()
            parts.append(PARTS[letter].report(shop))
            print(parts[-1].text, flush=True)
            print(f"zenofmu: part {letter} took {time.monotonic() - begin:.0f} s", file=sys.stderr)
    return parts


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("parts", nargs="?", default="".join(PARTS), help="letters of the parts; all of them are written to docs/performance.md")
    letters = parser.parse_args().parts
    parts = measure(letters)
    claims = [claim for part in parts for claim in part.claims]
    summary = f"## What is promised\n\n{Table(['figure', 'measured', 'promised', 'kept'], [c.row() for c in claims])}\n"
    print(summary)
    if set(letters) == set(PARTS):
        DOCUMENT.write_text("\n".join([HEAD, summary, *(part.text for part in parts)]))
    return 0 if all(claim.holds for claim in claims) else 1


if __name__ == "__main__":
    sys.exit(main())
