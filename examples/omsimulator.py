#!/usr/bin/env python3
"""The swinging leg in OMSimulator 3: `pip install OMSimulator`, then `python examples/omsimulator.py`.

Not run here: the package is an installer that fetches OMSimulator from build.openmodelica.org, which the machine of
this project doesn't reach. Written after OMSimulator's manual and test suite. build/examples/SwingingLeg.ssp is made
by examples/compose.py.
"""

from pathlib import Path

from OMSimulator import SSP, CRef

BUILD = Path(__file__).resolve().parent.parent / "build" / "examples"


def main() -> None:
    model = SSP(str(BUILD / "SwingingLeg.ssp")).instantiate()
    model.setResultFile(str(BUILD / "SwingingLeg_omsimulator.csv"))
    model.setStartTime(0.0)
    model.setStopTime(60.0)
    model.setFixedStepSize(1.0 / 128.0)
    model.initialize()
    model.simulate()
    for name in ("theta1", "knee.zeno.time"):
        print(name, "=", model.getValue(CRef("SwingingLeg", "leg", name)))
    model.terminate()
    model.delete()


if __name__ == "__main__":
    main()
