"""Draws Fig. 14d and 14e of [Burden] again, with ours beside them, and prints their numbers: what bench/figure14 does.

For both examples: rho and the position error over the time step, and both over the relaxation epsilon. The time step of
ours is the communication step, on which its error doesn't depend: it follows the tolerance. Where not said otherwise
the bounds within which a cascade may be truncated (truncation.epsilon_q, _v, _t) are the tolerance too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "scripts"))

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from comparison import Errors, Settings, burden_program, ours, paoli_schatzman, relaxed
from hybrid_run import HybridFmu
from matplotlib.axes import Axes
from oscillator import EXAMPLES

STEPS = [10**-k for k in (1, 1.5, 2, 2.5, 3, 3.5, 4)]
SMALL_STEPS = [10**-k for k in (4.5, 5)]  # for Paoli and Schatzman, who have no other way to a small error
COMMUNICATION_STEPS = [1e-1, 1e-2, 1e-3]
STRIPS = [1e-3, 1e-5, 1e-7, 1e-9]
TOLERANCES = [1e-6, 1e-9, 1e-12]
ALL_TOLERANCES = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12]
RELAXATIONS = [10.0**-k for k in range(1, 10)]
STEP_OF_RELAXATIONS = 1e-4  # small: what is left is the error of epsilon
COMMUNICATION_STEP = 1e-2
TOLERANCE = 1e-10

PS_COLOR = "#6b7280"
STRIP_COLORS = ["#f6c177", "#e8924a", "#d1495b", "#8c2f5e"]
Y_LABELS = {"rho": "ρ [m, m/s]", "position": "position error [m]"}
OURS_COLORS = ["#90cdf4", "#3b82c4", "#1e3a6e"]


@dataclass
class Curve:
    label: str
    style: dict[str, object]
    points: list[tuple[float, Errors]] = field(default_factory=list)

    def of(self, error: str) -> tuple[np.ndarray, np.ndarray]:
        """Abscissas and one of the errors, where there is one."""
        xs = np.array([x for x, _ in self.points])
        ys = np.array([getattr(errors, error) for _, errors in self.points])
        return xs[~np.isnan(ys)], ys[~np.isnan(ys)]


@dataclass(frozen=True)
class Comparison:
    """The curves of one example."""

    number: int
    over_step: list[Curve]
    over_epsilon: list[Curve]
    over_tolerance: list[Curve]


def curve(label: str, xs: Iterable[float], errors: Callable[[float], Errors], **style: object) -> Curve:
    return Curve(label, style, [(x, errors(x)) for x in xs])


def power(value: float) -> str:
    """A power of ten, for labels."""
    return f"1e{round(np.log10(value))}"


def compare(program: Path, fmu: HybridFmu, number: int) -> Comparison:
    return Comparison(
        number, over_step(program, fmu, number), over_epsilon(program, fmu, number), over_tolerance(fmu, number)
    )


def over_step(program: Path, fmu: HybridFmu, number: int) -> list[Curve]:
    def ps(h: float) -> Errors:
        return paoli_schatzman(program, number, h)

    curves = [curve("Paoli–Schatzman (29)", STEPS + SMALL_STEPS, ps, color=PS_COLOR, marker="s")]
    for strip, color in zip(STRIPS, STRIP_COLORS, strict=True):

        def on_strip(h: float, strip: float = strip) -> Errors:
            return relaxed(program, number, h, strip)

        curves.append(curve(f"Fig. 12, ε = {power(strip)} s", STEPS, on_strip, color=color, marker="o"))
    for tolerance, color in zip(TOLERANCES, OURS_COLORS, strict=True):

        def at_tolerance(h: float, settings: Settings = Settings(tolerance, truncation=tolerance)) -> Errors:
            return ours(fmu, number, h, settings)

        label = f"ours, tolerance {power(tolerance)}"
        curves.append(curve(label, COMMUNICATION_STEPS, at_tolerance, color=color, marker="D", lw=2))
    return curves


def over_epsilon(program: Path, fmu: HybridFmu, number: int) -> list[Curve]:
    def strips(epsilon: float) -> Errors:
        return relaxed(program, number, STEP_OF_RELAXATIONS, epsilon)

    def relaxation(epsilon: float) -> Errors:
        return ours(fmu, number, COMMUNICATION_STEP, Settings(TOLERANCE, epsilon, TOLERANCE))

    theirs, us = f"Fig. 12, h = {power(STEP_OF_RELAXATIONS)} s", f"ours, tolerance {power(TOLERANCE)}"
    return [
        curve(theirs, RELAXATIONS, strips, color=STRIP_COLORS[2], marker="o"),
        curve(us, RELAXATIONS, relaxation, color=OURS_COLORS[1], marker="D"),
    ]


def over_tolerance(fmu: HybridFmu, number: int) -> list[Curve]:
    def truncating_late(tolerance: float) -> Errors:
        return ours(fmu, number, COMMUNICATION_STEP, Settings(tolerance, truncation=tolerance))

    def by_default(tolerance: float) -> Errors:
        return ours(fmu, number, COMMUNICATION_STEP, Settings(tolerance))

    return [
        curve("ours", ALL_TOLERANCES, truncating_late),
        curve("ours, truncation by default (1e-4)", ALL_TOLERANCES, by_default),
    ]


# ---- The tables


def tables(comparison: Comparison) -> str:
    shown = [f"### {EXAMPLES[comparison.number].title}"]
    for error, name in (("position", "position error [m]"), ("rho", "ρ")):
        shown += [
            table(f"{name} over the time step [s]", comparison.over_step, error),
            table(f"{name} over ε [s]", comparison.over_epsilon, error),
            table(f"{name} over the tolerance", comparison.over_tolerance, error),
        ]
    return "\n\n".join(shown)


def table(title: str, curves: Sequence[Curve], error: str) -> str:
    """One row for each curve; the order is that of its last two points."""
    shown = [(each.label, *each.of(error)) for each in curves if len(each.of(error)[0])]
    columns = sorted({x for _, xs, _ in shown for x in xs}, reverse=True)
    lines = [f"| {title} | {' | '.join(f'{x:.1e}' for x in columns)} | last order |", "|---" * (len(columns) + 2) + "|"]
    for label, xs, ys in shown:
        values = dict(zip(xs, ys, strict=True))
        cells = [f"{values[x]:.1e}" if x in values else "" for x in columns]
        order = round(np.log(ys[-1] / ys[-2]) / np.log(xs[-1] / xs[-2]), 1)
        lines.append(f"| {label} | {' | '.join(cells)} | {order + 0.0:.1f} |")  # + 0.0: no minus sign before 0
    return "\n".join(lines)


# ---- The picture


def draw(comparisons: Sequence[Comparison], path: Path) -> None:
    size = (14, 4.3 * len(comparisons) + 0.8)
    figure, rows = plt.subplots(len(comparisons), 3, figsize=size, layout="constrained", dpi=90, squeeze=False)
    figure.suptitle("Oscillator with a stop: errors against the exact solution [Burden, Fig. 14d and 14e, with ours]")
    for (rho, position, epsilon), comparison in zip(rows, comparisons, strict=True):
        title = EXAMPLES[comparison.number].title
        draw_over_step(rho, comparison, "rho", f"{title}: ρ (Fig. 14d)")
        draw_over_step(position, comparison, "position", f"{title}: position (Fig. 14e)")
        draw_over_epsilon(epsilon, comparison, f"{title}: over ε")
    figure.legend(*rows[0][1].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    plt.close(figure)


def draw_over_step(axes: Axes, comparison: Comparison, error: str, title: str) -> None:
    for each in comparison.over_step:
        axes.plot(*each.of(error), label=each.label, ms=4.5, **each.style)
    ps, *_, finest_strip = comparison.over_step[: 1 + len(STRIPS)]
    if error == "position":
        guide(axes, ps.of(error), 1, 0.15)
    if error == "position" or comparison.number == 1:  # at rest, in Example 2, rho comes from epsilon
        guide(axes, finest_strip.of(error), 2, 0.25)
    decorate(axes, title, "time step h, of ours the communication step [s]", Y_LABELS[error])


def draw_over_epsilon(axes: Axes, comparison: Comparison, title: str) -> None:
    theirs, us = comparison.over_epsilon
    for each in (theirs, us):
        axes.plot(*each.of("rho"), label=f"{each.label}: ρ", ms=4.5, **each.style)
        axes.plot(*each.of("position"), label=f"{each.label}: position", ms=4.5, ls="--", mfc="white", **each.style)
    guide(axes, us.of("position"), 1, 0.2)
    if comparison.number == 2:
        guide(axes, theirs.of("rho"), 0.5, 10)
    decorate(axes, title, "relaxation ε [s]", f"{Y_LABELS['rho']}, {Y_LABELS['position']}")
    axes.legend(fontsize=8, loc="lower right")


def guide(axes: Axes, like: tuple[np.ndarray, np.ndarray], order: float, factor: float) -> None:
    """A line of this slope beside the left end of a curve."""
    end, size = like[0][-1], factor * like[1][-1]
    xs = np.array([end, 10 * end])
    ys = size * (xs / end) ** order
    axes.plot(xs, ys, color="0.45", lw=1, ls=":", zorder=0)
    style = {"textcoords": "offset points", "color": "0.35", "fontsize": 8}
    axes.annotate(f"order {order:g}", (xs[1], ys[1]), xytext=(3, -2), **style)


def decorate(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(color="0.92")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="figure14", description=__doc__.splitlines()[0])
    parser.add_argument("--fmu", type=Path, default=ROOT / "build" / "fmus" / "ImpactOscillator.fmu")
    parser.add_argument("--output", metavar="FILE.png", type=Path, default=ROOT / "build" / "pictures" / "figure14.png")
    arguments = parser.parse_args(argv)
    comparisons = []
    with burden_program() as program, HybridFmu(arguments.fmu) as fmu:
        for number in EXAMPLES:
            comparisons.append(compare(program, fmu, number))
            print(tables(comparisons[-1]), end="\n\n", flush=True)
    draw(comparisons, arguments.output)
    print(f"picture: {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
