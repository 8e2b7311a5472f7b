"""The picture of a run: the trajectory over the constraint, the gap on a log scale, the contact force; or the states of
a system with modes."""

from collections.abc import Mapping
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from event_table import kind
from hybrid_run import HybridFmu, Result
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

FLIGHT, CONTACT, ZENO, GROUND = "#2b6cb0", "#d1495b", "#b7791f", "#d6dde6"
GRID = 90  # points in each direction at which the constraint is looked at


def draw(fmu: HybridFmu, result: Result, start: Mapping[str, float], path: Path) -> None:
    figure = draw_modes(fmu, result) if fmu.states else draw_contacts(fmu, result, start)
    figure.suptitle(f"{fmu.name}: {fmu.description.description or ''}", fontsize=11)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    plt.close(figure)


def draw_contacts(fmu: HybridFmu, result: Result, start: Mapping[str, float]) -> Figure:
    figure, (trajectory, gap, force) = plt.subplots(
        3, 1, figsize=(9, 11), height_ratios=(3, 2, 2), layout="constrained", dpi=110
    )
    gap.sharex(force)
    draw_trajectory(trajectory, fmu, result, start)
    draw_gap(gap, fmu, result)
    draw_force(force, fmu, result)
    return figure


def draw_modes(fmu: HybridFmu, result: Result) -> Figure:
    """Each state over time, and which mode is in force."""
    names = [*fmu.states, "mode"]
    height = 1.2 + 1.5 * len(names)
    figure, rows = plt.subplots(len(names), 1, figsize=(9, height), sharex=True, layout="constrained", dpi=110)
    for axes, name in zip(rows, names, strict=True):
        style = "steps-post" if name == "mode" else "default"
        axes.plot(result.times, result.values[name], color=FLIGHT, lw=1.2, drawstyle=style)
        axes.set_ylabel(fmu.label(name))
        for event in result.events:
            if kind(event) == "transition":
                axes.axvline(event.time, color=ZENO, lw=0.6, alpha=0.6)
    rows[-1].yaxis.set_major_locator(MaxNLocator(integer=True))
    rows[-1].set_xlabel("time [s]")
    return figure


# ---- The trajectory


def draw_trajectory(axes: Axes, fmu: HybridFmu, result: Result, start: Mapping[str, float]) -> None:
    """In the plane of two coordinates, or over time where there is only one."""
    constraint = fmu.constraints[0]
    involved = coordinates_of_gap(fmu, constraint, result, start)
    horizontal, vertical = plane(fmu.coordinates, involved)
    xs = result.times if horizontal is None else result.values[horizontal]
    ys = result.values[vertical]
    closed = result.values[f"{constraint}.closed"] > 0
    axes.plot(xs, ys, color=FLIGHT, lw=1.1, label="flight")
    axes.plot(np.where(closed, xs, np.nan), np.where(closed, ys, np.nan), color=CONTACT, lw=2.4, label="contact")
    for wanted, marker, color in (("impact", ".", FLIGHT), ("Zeno", "*", ZENO), ("release", "^", CONTACT)):
        at = [np.searchsorted(result.times, event.time) for event in result.events if kind(event) == wanted]
        if at:
            axes.plot(xs[at], ys[at], marker, color=color, ms=9 if marker == "*" else 5, ls="", label=wanted, zorder=3)
    axes.margins(0.06)
    if set(involved) <= {horizontal, vertical}:
        draw_constraint(axes, fmu, constraint, start, horizontal, vertical)
    axes.set_xlabel("time [s]" if horizontal is None else fmu.label(horizontal))
    axes.set_ylabel(fmu.label(vertical))
    axes.legend(loc="best", fontsize=8)


def coordinates_of_gap(fmu: HybridFmu, constraint: str, result: Result, start: Mapping[str, float]) -> list[str]:
    """The coordinates on which h depends: the gap changes with them along the trajectory."""
    middle = {name: float(result.values[name][len(result.times) // 2]) for name in fmu.coordinates}
    moved = [middle | {name: middle[name] + 0.1} for name in fmu.coordinates]
    gaps = fmu.gap_at(constraint, start, [middle, *moved])
    return [name for name, gap in zip(fmu.coordinates, gaps[1:], strict=True) if gap != gaps[0]]


def plane(coordinates: list[str], involved: list[str]) -> tuple[str | None, str]:
    """Two coordinates, if possible those on which the gap depends, in the model's order."""
    if len(coordinates) == 1:
        return None, coordinates[0]
    chosen = (involved + [name for name in coordinates if name not in involved])[:2]
    first, second = sorted(chosen, key=coordinates.index)
    return first, second


def draw_constraint(
    axes: Axes, fmu: HybridFmu, constraint: str, start: Mapping[str, float], horizontal: str | None, vertical: str
) -> None:
    """Shades where h < 0, which the FMU itself is asked for."""
    limits = axes.get_xlim(), axes.get_ylim()
    xs, ys = (np.linspace(*limit, GRID) for limit in limits)
    points = [{vertical: float(y)} | ({horizontal: float(x)} if horizontal else {}) for y in ys for x in xs]
    gaps = fmu.gap_at(constraint, start, points).reshape(GRID, GRID)
    if gaps.min() < 0 < gaps.max():
        axes.contourf(xs, ys, gaps, levels=[gaps.min(), 0], colors=[GROUND], zorder=0)
        axes.contour(xs, ys, gaps, levels=[0], colors="0.35", linewidths=1, zorder=1)
    axes.set_xlim(limits[0])
    axes.set_ylim(limits[1])


# ---- Over time


def shade_contact(axes: Axes, result: Result, constraint: str) -> None:
    closed = result.values[f"{constraint}.closed"] > 0
    full_height = axes.get_xaxis_transform()
    axes.fill_between(result.times, 0, 1, closed, step="post", transform=full_height, color=CONTACT, alpha=0.1, lw=0)


def draw_gap(axes: Axes, fmu: HybridFmu, result: Result) -> None:
    for constraint in fmu.constraints:
        gap = result.values[f"{constraint}.gap"]
        axes.plot(result.times, np.where(gap > 0, gap, np.nan), color=FLIGHT, lw=1)
        axes.set_ylabel(fmu.label(f"{constraint}.gap"))
        shade_contact(axes, result, constraint)
    axes.set_yscale("log")
    axes.tick_params(labelbottom=False)


def draw_force(axes: Axes, fmu: HybridFmu, result: Result) -> None:
    for constraint in fmu.constraints:
        axes.plot(result.times, result.values[f"{constraint}.force"], color=CONTACT, lw=1.2)
        axes.set_ylabel(fmu.label(f"{constraint}.force"))
        shade_contact(axes, result, constraint)
    axes.set_xlabel("time [s]")
