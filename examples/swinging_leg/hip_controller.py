"""A controller for the DoublePendulum, as an FMU of another exporter (PythonFMU).

The impacts of the knee eat energy; a torque at the hip gives it back, so that the knee locks and opens periodically
instead of dying away: the controlled version of the system that [TAC, Example 4] announces and its reference [31]
analyses.
"""

from pythonfmu import Fmi2Causality, Fmi2Initial, Fmi2Slave, Fmi2Variability, Real


class HipController(Fmi2Slave):
    """torque = gain (target - energy) omega1: drives the energy to the target, since a torque's power is torque omega1.

    At rest it asks for no torque. So it doesn't matter that hosts disagree on what an input reads in the first step
    (FMPy: 0, others: the start value of the output that it is connected to): omega1 is 0 in both cases.
    """

    author = "zenofmu"
    description = "Torque at the hip that keeps the energy of the double pendulum"

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.gain = 1.0
        self.target = -1.6
        self.kinetic = 0.0
        self.potential = 0.0
        self.omega1 = 0.0
        self.torque = 0.0
        self._register("gain", Fmi2Causality.parameter, "torque for each joule missing and each rad/s")
        self._register("target", Fmi2Causality.parameter, "wanted energy, J")
        self._register("kinetic", Fmi2Causality.input, "kinetic energy of the leg, J")
        self._register("potential", Fmi2Causality.input, "potential energy of the leg, J")
        self._register("omega1", Fmi2Causality.input, "rate of the upper link, rad/s")
        self._register("torque", Fmi2Causality.output, "torque at the hip, N.m")

    def _register(self, name: str, causality: Fmi2Causality, description: str) -> None:
        parameter = causality == Fmi2Causality.parameter
        self.register_variable(
            Real(
                name,
                causality=causality,
                description=description,
                variability=Fmi2Variability.tunable if parameter else Fmi2Variability.continuous,
                initial=None if causality == Fmi2Causality.input else Fmi2Initial.exact,
            )
        )

    def do_step(self, _time: float, _step: float) -> bool:
        self.torque = self.gain * (self.target - self.kinetic - self.potential) * self.omega1
        return True
