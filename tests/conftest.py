"""What ./test has built before pytest starts."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the project."""
    return ROOT


@pytest.fixture(scope="session")
def fmus() -> Path:
    """The folder of all FMUs."""
    return ROOT / "build" / "fmus"
