"""The events of a run as a table: every impact, Zeno point, release and transition; long cascades shortened."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from hybrid_run import Event

IMPACT = re.compile(r"impact on (?P<constraint>\w+), speed (?P<speed>\S+)")
ZENO = re.compile(
    r"Zeno truncation on (?P<constraint>\w+) .*: Zeno point at (?P<time>\S+), time bound (?P<time_bound>\S+), "
    r"position bound (?P<position_bound>\S+), velocity bound (?P<velocity_bound>\S+), (?P<verdict>.*)"
)
RELEASE = re.compile(r"release from (?P<constraint>\w+)")
SLIDING = re.compile(r"sliding on (?P<constraint>\w+) begins")
TRANSITION = re.compile(r"transition from mode '(?P<origin>\w+)' to mode '(?P<target>\w+)': (?P<guard>.*)")

# Of a row of these, so many at the beginning and at the end are shown.
SHOWN = {"impact": (4, 2), "transition": (12, 8)}


def kind(event: Event) -> str:
    patterns = {"impact": IMPACT, "Zeno": ZENO, "release": RELEASE, "sliding": SLIDING, "transition": TRANSITION}
    for name, pattern in patterns.items():
        if pattern.match(event.text):
            return name
    return "other"


def count(events: Sequence[Event], wanted: str) -> int:
    return sum(kind(event) == wanted for event in events)


def plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def summary(events: Sequence[Event]) -> str:
    if transitions := count(events, "transition"):
        return plural(transitions, "transition")
    parts = ((count(events, "impact"), "impact"), (count(events, "Zeno"), "Zeno point"), (count(events, "release"), "release"))
    return ", ".join(plural(number, noun) for number, noun in parts)


def row(time: str, what: str, constraint: str, text: str) -> str:
    return f"{time:>18}  {what:<8} {constraint:<10} {text}".rstrip()


def describe(event: Event) -> Iterator[str]:
    time = f"{event.time:.10f}"
    if match := IMPACT.match(event.text):
        yield row(time, "impact", match["constraint"], f"speed {float(match['speed']):.6g}")
    elif match := ZENO.match(event.text):
        yield row(time, "Zeno", match["constraint"], f"point at {float(match['time']):.10f}, {match['verdict']}")
        bounds = f"time {match['time_bound']}, position {match['position_bound']}, velocity {match['velocity_bound']}"
        yield row("", "", "", f"within: {bounds}")
    elif match := RELEASE.match(event.text):
        yield row(time, "release", match["constraint"], "")
    elif match := SLIDING.match(event.text):
        yield row(time, "contact", match["constraint"], "sliding begins")
    elif match := TRANSITION.match(event.text):
        yield row(time, "mode", match["target"], f"from {match['origin']}: {match['guard']}")
    else:
        yield row(time, event.text, "", "")


def shortened(alike: Sequence[Event], first: int, last: int) -> Iterator[str]:
    left_out = len(alike) - first - last
    if left_out <= 1:
        left_out = 0
    for event in alike[:first]:
        yield from describe(event)
    if left_out:
        yield row("...", f"{left_out} more {kind(alike[0])}s", "", "")
    for event in alike[first + left_out :]:
        yield from describe(event)


def table(events: Sequence[Event]) -> Iterator[str]:
    """Lines of text. That sliding begins goes without saying after a Zeno point."""
    yield row("time [s]", "event", "mode" if count(events, "transition") else "constraint", "")
    zeno_times = {event.time for event in events if kind(event) == "Zeno"}
    shown = [event for event in events if kind(event) != "sliding" or event.time not in zeno_times]
    for alike, group in groupby(shown, key=kind):
        events_of_kind = list(group)
        first, last = SHOWN.get(alike, (len(events_of_kind), 0))
        yield from shortened(events_of_kind, first, last)
