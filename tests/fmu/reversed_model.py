"""A model file whose transitions stand in the opposite order, as an FMU."""

import subprocess
from pathlib import Path
from xml.etree import ElementTree

NAMESPACE = "urn:zenofmu:model:1"
TRANSITIONS = {f"{{{NAMESPACE}}}transition", f"{{{NAMESPACE}}}update"}


def reverse_transitions(text: str) -> str:
    ElementTree.register_namespace("", NAMESPACE)
    model = ElementTree.fromstring(text)
    for mode in model.iter(f"{{{NAMESPACE}}}mode"):
        places = [place for place, element in enumerate(mode) if element.tag in TRANSITIONS]
        elements = [mode[place] for place in places]
        for place, element in zip(places, reversed(elements), strict=True):
            mode[place] = element
    return ElementTree.tostring(model, encoding="unicode")


def export_reversed(root: Path, system: str, folder: Path) -> Path:
    model, fmu = folder / f"{system}.xml", folder / f"{system}.fmu"
    text = (root / "modelDescription" / f"{system}.xml").read_text(encoding="utf-8")
    model.write_text(reverse_transitions(text), encoding="utf-8")
    subprocess.run([root / "zenofmu", "export", model, "-o", fmu, "--platform", "linux64"], check=True, stdout=subprocess.PIPE)
    return fmu
