"""fmu/export.py with a fault in it.

    faulty_export.py list ARGUMENT ...         an ordinary export, and then a list of what it has asked of the system
    faulty_export.py fail NUMBER ARGUMENT ...  what it asks with this number, from 1 on, fails as on a full disk
    faulty_export.py kill NUMBER ARGUMENT ...  at that moment it is killed

What Python asks of the system (files to open, rename, remove, ...; programs to start) passes its audit hooks first.
"""

import errno
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fmu"))

import export

ASKED = ("open", "os.", "shutil.", "tempfile.", "subprocess.Popen")


class Watch:
    """Notes what is asked, and is the fault at the chosen number."""

    def __init__(self, kind: str, number: int) -> None:
        self.kind, self.number = kind, number
        self.asked: list[str] = []

    def hear(self, event: str, _arguments: Sequence[object]) -> None:
        if not event.startswith(ASKED):
            return
        self.asked.append(event)
        if len(self.asked) != self.number:
            return
        if self.kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def main(arguments: Sequence[str]) -> int:
    kind, rest = arguments[0], list(arguments[1:])
    watch = Watch(kind, 0 if kind == "list" else int(rest.pop(0)))
    sys.addaudithook(watch.hear)
    status = export.main(rest)
    if kind == "list":
        print("\n".join(watch.asked))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
