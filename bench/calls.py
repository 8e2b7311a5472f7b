"""Part c: what a communication step costs in which no solver step is due, one of any size, one with a new input."""

from __future__ import annotations

from measuring import Claim, Part, Table, Workshop, repeated, time_ratio

TOLERANCE = 1e-9
TWO_COORDINATES = ["BallOnSine", "DoublePendulum", "CartPendulum"]
IDLE_TIME = 0.5  # in free motion
IDLE_CALLS, IDLE_STEP = 1000, 1e-12
STEPS = [1e-2, 1e-3, 1e-4]
STOP = 5.0
INPUTS = {"BallOnSine": "Fx", "DoublePendulum": "tau1"}
INPUT = 0.01


def idle_calls(shop: Workshop) -> tuple[str, dict[str, float]]:
    """The table, and the instructions of a call."""
    rows, instructions = [], {}
    for name in TWO_COORDINATES:
        model = shop.model(name)
        play = model.play("idle", stop=IDLE_TIME, step=IDLE_STEP, calls=IDLE_CALLS, tolerance=TOLERANCE)
        profile = shop.count(play)
        if profile.inclusive("CVode") > 0:
            raise RuntimeError(f"{name}: a solver step is due near t = {IDLE_TIME}")
        run = model.play("run", stop=1, step=1, tolerance=TOLERANCE)
        whole = shop.count(run)
        instructions[name] = profile.inclusive("fmi2DoStep") / IDLE_CALLS
        per_step = whole.solver_steps / whole.total
        rows.append([name, instructions[name], instructions[name] * per_step,
                     time_ratio(repeated(play), repeated(run)).times(whole.solver_steps / IDLE_CALLS)])  # fmt: skip
    return str(Table(["model", "instructions", "instructions / per solver step of a run", "time / per solver step"], rows)), instructions


def step_sizes(shop: Workshop, name: str, idle: float) -> tuple[list[list[object]], float]:
    """Rows, and the instructions of a further call in units of an idle one."""
    model = shop.model(name)
    rows, first, share = [], None, 0.0
    for step in STEPS:
        command = model.play("run", stop=STOP, step=step, tolerance=TOLERANCE)
        profile = shop.count(command)
        calls = round(STOP / step)
        if first is None:
            first = (profile, calls, command)
        more = calls - first[1]
        share = (profile.inclusive("fmi2DoStep") - first[0].inclusive("fmi2DoStep")) / more / idle if more else 0.0
        rows.append([name, f"{step:g}", calls, profile.solver_steps, profile.total / first[0].total,
                     time_ratio(repeated(command), repeated(first[2])) if more else "1", share if more else ""])  # fmt: skip
    return rows, share


def new_inputs(shop: Workshop, name: str, step: float) -> list[object]:
    model = shop.model(name)
    held = model.play("run", stop=STOP, step=step, tolerance=TOLERANCE, start={INPUTS[name]: INPUT})
    changing = model.play("run", stop=STOP, step=step, tolerance=TOLERANCE, inputs={INPUTS[name]: INPUT})
    one, other = shop.count(held), shop.count(changing)
    further = (other.solver_steps - one.solver_steps) / (STOP / step)
    return [name, f"{step:g}", other.total / one.total, time_ratio(repeated(changing), repeated(held)), one.solver_steps, other.solver_steps, further]


def report(shop: Workshop) -> Part:
    idle_table, idle = idle_calls(shop)
    sizes = {name: step_sizes(shop, name, idle[name]) for name in INPUTS}
    size_header = ["model", "step", "calls", "solver steps", "instructions", "time", "instructions of a further call / of an idle one"]
    input_header = ["model", "step", "instructions, new input / held", "time, new input / held", "solver steps: held", "new input",
                    "further steps per change"]  # fmt: skip
    text = f"""## c. Calls

**A communication step in which no solver step is due**, at t = {IDLE_TIME:g} s, nothing read; models of two coordinates.

{idle_table}

**The size of communication steps**, {STOP:g} s, nothing read; instructions and times as ratios to those of the largest step. The
solver's steps don't depend on it, so smaller ones cost their calls and nothing else.

{Table(size_header, [row for rows, _ in sizes.values() for row in rows])}

**An input that changes at every communication step**, between -{INPUT:g} and {INPUT:g}, against one that stays. The solver starts anew at
every change, and its order has to grow again.

{Table(input_header, [new_inputs(shop, name, step) for name in INPUTS for step in STEPS[:2]])}
"""
    claims = [Claim(f"c: instructions of a doStep without a solver step, {name}", idle[name], 2000) for name in TWO_COORDINATES]
    claims += [Claim(f"c: instructions of a further call at step {STEPS[-1]:g} / of an idle one, {name}", share, 1.1)
               for name, (_, share) in sizes.items()]  # fmt: skip
    return Part(text, claims)
