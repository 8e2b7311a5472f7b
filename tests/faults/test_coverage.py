"""No function of the solver is called by the engine that the fault campaign forgets."""

import re
import subprocess
from pathlib import Path

# They return nothing.
CAN_NOT_FAIL = {"CVodeFree", "N_VConst", "N_VDestroy", "SUNLinSolFree", "SUNMatDestroy", "SUNNonlinSolFree"}


def symbols(file: Path, *options: str) -> set[str]:
    text = subprocess.run(["nm", *options, file], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in text.splitlines() if line.strip() and not line.endswith(":")}


def test_every_call_of_the_solver_can_be_made_to_fail(root: Path) -> None:
    build = root / "build" / "release"
    called = {name for name in symbols(build / "libzeno_engine.a", "--undefined-only") if re.match("CV|N_V|SUN", name)}
    faulty = {name.removeprefix("__wrap_") for name in symbols(build / "faults_Slope") if name.startswith("__wrap_")}
    assert "CVode" in called
    assert called - faulty <= CAN_NOT_FAIL
