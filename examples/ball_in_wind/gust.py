"""A disturbance for the BallOnSine, as an FMU of another exporter (PythonFMU): a gust of wind."""

import math

from pythonfmu import Fmi2Causality, Fmi2Initial, Fmi2Slave, Fmi2Variability, Real


class Gust(Fmi2Slave):
    """force = strength sin^2(pi (t - begin)/duration) while it blows, else 0.

    By default it comes when the ball has been caught in its valley, and throws it out of there.
    """

    author = "zenofmu"
    description = "Horizontal gust of wind"

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.strength = 3.0
        self.begin = 15.0
        self.duration = 2.0
        self.force = 0.0
        self._register("strength", Fmi2Causality.parameter, "largest force, N")
        self._register("begin", Fmi2Causality.parameter, "when it begins, s")
        self._register("duration", Fmi2Causality.parameter, "how long it blows, s")
        self._register("force", Fmi2Causality.output, "force of the wind, N")

    def _register(self, name: str, causality: Fmi2Causality, description: str) -> None:
        parameter = causality == Fmi2Causality.parameter
        self.register_variable(
            Real(
                name,
                causality=causality,
                description=description,
                variability=Fmi2Variability.tunable if parameter else Fmi2Variability.continuous,
                initial=Fmi2Initial.exact,
            )
        )

    def do_step(self, time: float, step: float) -> bool:
        phase = (time + step - self.begin) / self.duration
        self.force = self.strength * math.sin(math.pi * phase) ** 2 if 0.0 < phase < 1.0 else 0.0
        return True
