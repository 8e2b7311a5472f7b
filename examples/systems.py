"""The systems of these examples: how each becomes an SSP file, and what can be read from it."""

import xml.etree.ElementTree as ElementTree
import zipfile
from dataclasses import dataclass
from pathlib import Path

from pythonfmu.builder import FmuBuilder

EXAMPLES = Path(__file__).resolve().parent
FMUS = EXAMPLES.parent / "build" / "fmus"
SSD = "{http://ssp-standard.org/SSP1/SystemStructureDescription}"
SSC = "{http://ssp-standard.org/SSP1/SystemStructureCommon}"

# Communication step of all examples: a power of two that is a whole number of nanoseconds, so that a host that adds up
# its times and one that counts in nanoseconds call an FMU at the very same times.
STEP = 1.0 / 128.0
STEP_NS = 7_812_500


@dataclass(frozen=True)
class Signal:
    """An output of a component."""

    component: str
    name: str
    type: str  # "Real" or "Integer"


@dataclass(frozen=True)
class System:
    """A folder with a SystemStructure.ssd, and the PythonFMU script of the partner of our FMU."""

    folder: Path
    partner: str

    @property
    def _description(self) -> ElementTree.Element:
        return ElementTree.parse(self.folder / "SystemStructure.ssd").getroot()

    @property
    def stop_time(self) -> float:
        return float(self._description.find(f"{SSD}DefaultExperiment").get("stopTime"))

    @property
    def steps(self) -> int:
        return round(self.stop_time / STEP)

    @property
    def signals(self) -> list[Signal]:
        return [
            Signal(component.get("name"), connector.get("name"), connector[0].tag.removeprefix(SSC))
            for component in self._description.iter(f"{SSD}Component")
            for connector in component.iter(f"{SSD}Connector")
            if connector.get("kind") == "output"
        ]

    def build_partner(self, folder: Path) -> Path:
        """PythonFMU's export, with the state functions that a rollback master needs."""
        return FmuBuilder.build_FMU(self.folder / self.partner, folder, canGetAndSetFMUstate=True)

    def build(self, folder: Path, fmus: Path = FMUS) -> Path:
        """The SSP file: the description and both FMUs."""
        folder.mkdir(parents=True, exist_ok=True)
        partner = self.build_partner(folder)
        path = folder / f"{self._description.get('name')}.ssp"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(self.folder / "SystemStructure.ssd", "SystemStructure.ssd")
            for component in self._description.iter(f"{SSD}Component"):
                source = component.get("source")
                name = Path(source).name
                archive.write(partner if name == partner.name else fmus / name, source)
        return path


SYSTEMS = {
    "SwingingLeg": System(EXAMPLES / "swinging_leg", "hip_controller.py"),
    "BallInWind": System(EXAMPLES / "ball_in_wind", "gust.py"),
}
