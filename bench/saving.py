"""Part d: the share of the certificate, and what it costs to save, restore and serialise a state."""

from __future__ import annotations

from measuring import Claim, Part, Table, Workshop, last_counters, reference, repeated, run, time_ratio

TOLERANCE = 1e-9
CASCADES = {"DoublePendulum": ("knee", 20.0), "BallOnSine": ("surface", 20.0), "ImpactOscillator": ("stop", 18.85)}
SAVED = "DoublePendulum"
SAVE_TIME = 2.3  # between two impacts
CALLS = 1000
# How long after saving it is restored.
LATER = {"at once": 0.0, "0.1 µs later": 1e-7, "0.1 s later": 0.1, "after the next impact": 0.3, "after the next Zeno point": 2.0}


def certificates(shop: Workshop) -> tuple[list[list[object]], dict[str, float]]:
    rows, shares = [], {}
    for name, (constraint, stop) in CASCADES.items():
        profile = shop.count(shop.model(name).play("run", stop=stop, step=0.01, tolerance=TOLERANCE, counters=[f"{constraint}.zeno.count"]))
        proofs = profile.inclusive("zeno_certify") / profile.total
        (cascades,) = last_counters(profile)
        rows.append([name, cascades, profile.calls["zeno_certify"], f"{100 * proofs:.2f} %"])
        if cascades == 3:
            shares[name] = 100 * proofs
    return rows, shares


def steps_until(shop: Workshop, time: float) -> int:
    return shop.count(shop.model(SAVED).play("run", stop=time, step=time, tolerance=TOLERANCE)).solver_steps


def steps_since_anchor(shop: Workshop, time: float) -> int:
    """Solver steps from the last event, which the solver starts anew from."""
    last = max(event["time"] for event in reference(SAVED)["events"] if event["time"] < time)
    return steps_until(shop, time) - steps_until(shop, last - 1e-7)


def calls(shop: Workshop) -> list[list[object]]:
    model = shop.model(SAVED)
    plays = {what: model.play(what, stop=SAVE_TIME, calls=CALLS, tolerance=TOLERANCE) for what in ("save", "serialize", "deserialize")}
    profiles = {what: shop.count(command) for what, command in plays.items()}
    if any(profile.own["dynamics"] + profile.own["constraints"] > 0 for profile in profiles.values()):
        raise RuntimeError("a state is saved or serialised with the help of the model")
    counts = {what: profile.total / CALLS for what, profile in profiles.items()}
    return [[what, counts[what], counts[what] / counts["save"], time_ratio(repeated(command), repeated(plays["save"]))]
            for what, command in plays.items()]  # fmt: skip


def saved_bytes(shop: Workshop) -> int:
    return int(run(shop.model(SAVED).play("serialize", stop=SAVE_TIME, tolerance=TOLERANCE)).splitlines()[2])


def restores(shop: Workshop, since_anchor: int) -> list[list[object]]:
    rows = []
    plays = [shop.model(SAVED).play("restore", stop=SAVE_TIME, step=later, tolerance=TOLERANCE) for later in LATER.values()]
    for (when, later), play in zip(LATER.items(), plays, strict=True):
        profile = shop.count(play)
        # Callgrind counts the calls before the restore too, where some are in it.
        steps = profile.solver_steps - steps_until(shop, SAVE_TIME + later) if profile.inclusive("CVode") > 0 else 0
        rows.append([when, steps, since_anchor, profile.total, time_ratio(repeated(play), repeated(plays[0]))])
    return rows


def report(shop: Workshop) -> Part:
    since_anchor = steps_since_anchor(shop, SAVE_TIME)
    proofs, shares = certificates(shop)
    restored = restores(shop, since_anchor)
    text = f"""## d. Certificate and saved states

**The certificate**: its share of the instructions of a whole run at tolerance {TOLERANCE:g}, nothing read.

{Table(["model", "cascades", "proofs tried", "share of the certificate"], proofs)}

**Saving and serialising** a state of `{SAVED}`, into memory that is there; ratios to saving.

{Table(["call", "instructions", "instructions / saving", "time / saving"], calls(shop))}

The state has {saved_bytes(shop)} bytes; no call evaluates the model.

**Restoring** a state of `{SAVED}` that was saved at t = {SAVE_TIME:g} s. Nothing is integrated while the solver's last step still covers
that time; else the steps since the last event are taken again.

{Table(["restored", "solver steps in the restore", "solver steps since the last event", "instructions", "time / at once"], restored)}
"""
    claims = [Claim(f"d: share of the certificate in a run with three cascades, %, {name}", share, 5) for name, share in shares.items()]
    claims += [Claim("d: solver steps in a restore while the last step covers the time", max(row[1] for row in restored[:2]), 0),
               Claim("d: solver steps in any restore / since the last event", max(row[1] for row in restored) / since_anchor, 1)]  # fmt: skip
    return Part(text, claims)
