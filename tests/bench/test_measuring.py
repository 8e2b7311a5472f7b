"""What ./bench/run rests on: callgrind's numbers are read right, and what is compared does the same."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path += [str(ROOT / "bench"), str(ROOT / "scripts")]

import against_cvode
from against_others import Trial, cheapest, factor_beyond
from measuring import Claim, Profile, Spread, Table, Workshop, read_profile, run

CALLGRIND = """\
events: Ir

fn=measured
12 5
cfn=CVode
calls=3 20
12 700
13 2
cfn=fmi2GetReal
calls=1 40
13 60

fn=CVode
20 400
cfn=derivative
calls=9 30
20 300

fn=derivative
30 300

fn=fmi2GetReal
40 60
"""


def test_instructions_are_counted_by_function_and_with_what_it_calls() -> None:
    profile = read_profile(CALLGRIND)
    assert profile.own == {"measured": 7, "CVode": 400, "derivative": 300, "fmi2GetReal": 60}
    assert profile.total == 767
    assert profile.solver_steps == 3
    assert profile.inclusive("CVode") == 700
    assert profile.inside["CVode", "derivative"] == 300
    assert profile.inclusive("never") == 0


def test_a_table_shows_three_digits_and_spreads() -> None:
    table = Table(["model", "ratio", "calls"], [["Ball", Spread([1.0, 3.0, 2.0]), 50000], ["", 0.000012345, 7]])
    assert str(table).splitlines()[2:] == ["| Ball | 2 (1 … 3) | 50000 |", "|  | 1.23e-05 | 7 |"]


@pytest.mark.parametrize(("value", "at_least", "holds"), [(1.3, False, True), (1.31, False, False), (99, True, False)])
def test_a_claim_holds_up_to_its_limit(value: float, at_least: bool, holds: bool) -> None:
    assert Claim("figure", value, 100 if at_least else 1.3, at_least).holds == holds


def test_steps_beyond_those_tried_follow_the_order_of_the_last_two() -> None:
    # Order 2: an error that is 100 times too large takes a step 10 times smaller.
    trials = [Trial("", step, 1e-4 * (step / 1e-3) ** 2, float) for step in (1e-2, 1e-3)]
    assert cheapest(trials) is None
    assert factor_beyond(trials) == pytest.approx(10)
    assert cheapest([*trials, Trial("", 1e-4, 9e-7, float)]).size == 1e-4


@pytest.mark.parametrize("case", against_cvode.CASES, ids=lambda case: case.model)
def test_the_bare_loop_goes_the_way_of_the_fmu(case: against_cvode.Case, shop: Workshop) -> None:
    ours, bare = (Profile(run(command(shop, case))) for command in (against_cvode.ours, against_cvode.bare))
    assert against_cvode.events(ours) == against_cvode.events(bare)
    # Both stay within 100 tolerances of the reference, as tests/fmu/test_accuracy.py asks of the FMUs.
    assert against_cvode.error(case, ours) < 100 * against_cvode.TOLERANCE
    assert against_cvode.error(case, bare) < 100 * against_cvode.TOLERANCE


@pytest.mark.parametrize("play", ["idle", "save", "restore", "serialize", "deserialize"])
def test_the_host_plays_what_is_measured(play: str, shop: Workshop) -> None:
    printed = run(shop.model("DoublePendulum").play(play, stop=0.5, step=1e-9, calls=3, repetitions=2, counters=["knee.impacts"]))
    _, impacts, _, nanoseconds = printed.splitlines()
    assert impacts.split() == ["0"]
    assert len(nanoseconds.split()) == 2


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("bench"))
