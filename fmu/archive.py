"""The FMU as an archive: the same files give the same bytes, whenever and wherever it is packed."""

import io
import zipfile
from collections.abc import Mapping

# The earliest time that the format knows.
TIMESTAMP = (1980, 1, 1, 0, 0, 0)
MADE_ON_UNIX = 3  # so that hosts which look at permissions find the ones below
FILE, EXECUTABLE = 0o100644, 0o100755


def pack(files: Mapping[str, bytes]) -> bytes:
    """Deflated, in the order of the names, which are relative and use forward slashes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            archive.writestr(_entry(name), files[name], zipfile.ZIP_DEFLATED, compresslevel=9)
    return buffer.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, TIMESTAMP)
    entry.create_system = MADE_ON_UNIX
    entry.external_attr = (EXECUTABLE if name.startswith("binaries/") else FILE) << 16
    return entry
