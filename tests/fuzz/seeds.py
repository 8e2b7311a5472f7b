#!/usr/bin/env python3
"""Seeds of the fuzz targets.

    seeds.py FOLDER MODEL.xml ...

FOLDER/model_file gets the models that are not too long, without comments, blanks and descriptions of their parts,
FOLDER/expression the expressions of all, with a first byte that lets the target take them. FOLDER/calls and
FOLDER/saved_state get what earlier runs have found worth keeping: the lines of corpus/*.txt, an input in hexadecimal
digits each. FOLDER/TARGET.list names the seeds of a target.

    seeds.py --collect CORPUS

writes such lines for the inputs in a folder.
"""

import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

TARGETS = ["expression", "model_file", "saved_state", "calls"]
LONGEST_MODEL = 3000  # the target's -max_len (cmake/Fuzz.cmake): part of a model is none
CONDITION, PIECEWISE, CONSTANT, DERIVATIVE = 1, 2, 4, 8
EXPRESSION_ATTRIBUTES = ["value", "start", "rateStart", "restitution", "rising", "falling", "when", "min", "max", "above"]


def expressions(root):
    """Pairs of first byte and text."""
    for element in root.iter():
        if element.text and element.text.strip():
            yield PIECEWISE | DERIVATIVE, element.text.strip()
        for name in EXPRESSION_ATTRIBUTES:
            if name in element.attrib:
                yield CONDITION | PIECEWISE if name == "when" else CONSTANT, element.attrib[name]


def with_names_of_the_target(text, root):
    """The names that the models give become those that the target `expression` knows."""
    known = ["x", "y", "v", "w", "m", "g", "u", "s", "held"]
    named = [element.attrib[key] for element in root.iter() for key in ["name", "rate"] if key in element.attrib]
    table = {name: known[i % len(known)] for i, name in enumerate(dict.fromkeys(named))}
    words, word = [], ""
    for character in text + "\0":
        if character.isalnum() or character == "_":
            word += character
        else:
            words += [table.get(word, word), character]
            word = ""
    return "".join(words)[:-1]


def minified(root):
    """Small inputs are quick ones, and a description is only copied: the one of the model is enough to mutate."""
    for element in root.iter():
        if element is not root:
            element.attrib.pop("description", None)
        element.text = element.text.strip() if element.text else None
        element.tail = None
    ElementTree.register_namespace("", "urn:zenofmu:model:1")
    return ElementTree.tostring(root)


def collect(corpus):
    for line in sorted({path.read_bytes().hex() for path in corpus.iterdir()}, key=lambda line: (len(line), line)):
        print(line)


def write_kept(folder, target):
    for i, line in enumerate((Path(__file__).parent / "corpus" / f"{target}.txt").read_text().split()):
        (folder / target / str(i)).write_bytes(bytes.fromhex(line))


def write_list(folder, target):
    (folder / f"{target}.list").write_text(",".join(sorted(str(path) for path in (folder / target).iterdir())))


def make(folder, model_files):
    shutil.rmtree(folder, ignore_errors=True)
    for target in TARGETS:
        (folder / target).mkdir(parents=True)
    found = set()
    for path in map(Path, model_files):
        root = ElementTree.parse(path).getroot()
        found |= {(first, with_names_of_the_target(text, root)) for first, text in expressions(root)}
        model = minified(root)
        if len(model) <= LONGEST_MODEL:
            (folder / "model_file" / path.name).write_bytes(model)
    for i, (first, text) in enumerate(sorted(found)):
        (folder / "expression" / str(i)).write_bytes(bytes([first]) + text.encode())
    write_kept(folder, "calls")
    write_kept(folder, "saved_state")
    for target in TARGETS:
        write_list(folder, target)


if sys.argv[1] == "--collect":
    collect(Path(sys.argv[2]))
else:
    make(Path(sys.argv[1]), sys.argv[2:])
