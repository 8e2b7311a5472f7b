"""Part e: how the work grows with links, impacts, instances and length."""

from __future__ import annotations

import math

from chain import chain_model
from measuring import Claim, Part, Table, Workshop, last_counters, repeated, time_ratio

TOLERANCE = 1e-9
LINKS = [2, 4, 8, 16, 32]
CHAIN_STOP = 0.5
RESTITUTIONS = [0.5, 0.8, 0.9, 0.95, 0.99]
INSTANCES = [1, 10, 100, 1000]
PERIODS = [3, 30, 300]  # of the forcing of ImpactOscillator, 2 pi each


def links(shop: Workshop) -> list[list[object]]:
    rows, last = [], None
    for count in LINKS:
        file = shop.folder / f"Chain{count}.xml"
        file.write_text(chain_model(count))
        play = shop.library(file).play("run", stop=CHAIN_STOP, step=CHAIN_STOP, tolerance=TOLERANCE)
        profile = shop.count(play)
        steps, evaluation = profile.solver_steps, profile.inclusive("derivative") / profile.calls["derivative"]
        growth: list[object] = ["", ""]
        if last:
            growth = [math.log2(evaluation / last[0]), time_ratio(repeated(play), repeated(last[2])).times(last[1] / steps)]
        rows.append([count, evaluation, growth[0], profile.total / steps, profile.inclusive("derivative") / profile.total, growth[1]])
        last = (evaluation, steps, play)
    return rows


def impacts(shop: Workshop) -> tuple[list[list[object]], float]:
    """Rows, and the instructions of an impact at the last restitution in units of those at the first."""
    model = shop.model("BouncingBall")
    rows, per_impact, first = [], [], None
    for e in RESTITUTIONS:
        # Nothing but the cascade: it ends at (1 + e)/(1 - e) times the time of the first fall.
        stop = 1.01 * (1 + e) / (1 - e) * math.sqrt(2 / 9.81)
        play = model.play("run", stop=stop, step=stop, tolerance=TOLERANCE, start={"e": e}, counters=["floor.impacts", "floor.zeno.count"])
        profile = shop.count(play)
        count, zeno = last_counters(profile)
        first = first or (play, count)
        per_impact.append(profile.inclusive("fmi2DoStep") / count)
        rows.append([f"{e:g}", count, zeno, profile.solver_steps / count, per_impact[-1], per_impact[-1] / per_impact[0],
                     time_ratio(repeated(play), repeated(first[0])).times(first[1] / count)])  # fmt: skip
    return rows, per_impact[-1] / per_impact[0]


def instances(shop: Workshop) -> tuple[list[list[object]], float]:
    model = shop.model("DoublePendulum")
    plays = [model.play("run", stop=0.5, step=0.01, tolerance=TOLERANCE, instances=count) for count in INSTANCES]
    each = [shop.count(play).total / count for play, count in zip(plays, INSTANCES, strict=True)]
    rows = [[count, one / each[0], time_ratio(repeated(play, max(1, 25 // count)), repeated(plays[0], 25), rounds=5).times(1 / count)]
            for count, one, play in zip(INSTANCES, each, plays, strict=True)]  # fmt: skip
    return rows, max(each) / each[0]


def lengths(shop: Workshop) -> tuple[list[list[object]], float]:
    model = shop.model("ImpactOscillator")
    seconds = [2 * math.pi * periods for periods in PERIODS]
    plays = [model.play("run", stop=stop, step=stop / periods, tolerance=TOLERANCE, counters=["stop.zeno.count"])
             for stop, periods in zip(seconds, PERIODS, strict=True)]  # fmt: skip
    profiles = [shop.count(play) for play in plays]
    each = [profile.inclusive("fmi2DoStep") / stop for profile, stop in zip(profiles, seconds, strict=True)]
    rows = [[f"{stop:,.0f}", *last_counters(profile), one, one / each[0], time_ratio(repeated(play), repeated(plays[0]), rounds=5).times(seconds[0] / stop)]
            for stop, profile, one, play in zip(seconds, profiles, each, plays, strict=True)]  # fmt: skip
    return rows, max(each) / min(each)


def report(shop: Workshop) -> Part:
    link_rows = links(shop)
    impact_rows, impact_growth = impacts(shop)
    instance_rows, instance_growth = instances(shop)
    length_rows, length_growth = lengths(shop)
    link_header = ["links", "instructions of a right-hand side", "grows like n^", "instructions per solver step", "share of right-hand sides",
                   "time per solver step / with half the links"]  # fmt: skip
    text = f"""## e. Growth

**Links** of a chain pendulum with a stop at its second joint (`bench/chain.py` has also the times of export), {CHAIN_STOP:g} s.

{Table(link_header, link_rows)}

**Impacts** in the one cascade of `BouncingBall`, from its start to its Zeno point.

{Table(["e", "impacts", "Zeno points", "solver steps per impact", "instructions per impact", "/ that of the first row", "time per impact / first row"], impact_rows)}

**Instances** of `DoublePendulum` that are stepped in turn, 0.5 s, each with its own memory; per instance, as ratios to a single one.

{Table(["instances", "instructions per instance", "time per instance"], instance_rows)}

**Length** of a run of `ImpactOscillator`, with one cascade in each of its periods.

{Table(["simulated seconds", "Zeno points", "instructions per simulated second", "/ that of the first row", "time per simulated second / first row"], length_rows)}
"""
    orders = [row[2] for row in link_rows[1:]]
    claims = [
        Claim("e: largest order in which a right-hand side grows with links", max(orders), 3),
        Claim(f"e: instructions per impact, e = {RESTITUTIONS[-1]:g} / e = {RESTITUTIONS[0]:g}", impact_growth, 1.2),
        Claim(f"e: instructions per instance, up to {INSTANCES[-1]} / one", instance_growth, 1.05),
        Claim("e: instructions per simulated second, largest / least", length_growth, 1.1),
    ]
    return Part(text, claims)
