"""The examples are tested here too, so their modules are found."""

import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

# What hosts stumble over in a path: spaces, a plus that a URI decoder may take for a space, a percent sign before two
# hexadecimal digits, letters outside ASCII.
ODD = "a b+c %41 é 日本"


@pytest.fixture
def odd_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an odd name, in which hosts also unpack FMUs: resource URIs are odd too."""
    temporary = tmp_path / ODD / "tmp"
    temporary.mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)  # forgets the answer that Python keeps
    return temporary.parent
