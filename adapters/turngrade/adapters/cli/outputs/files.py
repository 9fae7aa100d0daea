"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO

from turngrade.adapters.cli.outputs.base import Output, kind_of, open_output
from turngrade.core import Grade, Spec, Transcript

STDOUT = "-"


class AtomicFile:
    """A file that takes its name only when it is complete.

    It is written beside its destination and renamed. A destination that is no regular file (a pipe, a
    device) cannot be replaced and is written to directly.

    Raises:
        OSError: The folder is missing or may not be written to.
    """

    def __init__(self, name: str) -> None:
        self.destination = Path(os.path.realpath(name))
        self.temporary: Path | None = None
        self.file: IO[bytes]
        if self.destination.is_dir():
            raise IsADirectoryError(21, "is a folder")
        if self.destination.exists() and not self.destination.is_file():
            self.file = self.destination.open("wb")
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{self.destination.name}.", dir=self.destination.parent)
        self.temporary = Path(temporary)
        self.file = os.fdopen(handle, "wb")

    def commit(self) -> None:
        """Put the complete file in its place."""
        self.file.close()
        if self.temporary is not None:
            self.temporary.chmod(self._mode())
            self.temporary.replace(self.destination)
            self.temporary = None

    def discard(self) -> None:
        """Leave the destination as it was. Does nothing behind `commit`."""
        self.file.close()
        if self.temporary is not None:
            self.temporary.unlink(missing_ok=True)
            self.temporary = None

    def _mode(self) -> int:
        """The mode of the file that is replaced, or that of a new one."""
        try:
            return self.destination.stat().st_mode & 0o777
        except FileNotFoundError:
            mask = os.umask(0)
            os.umask(mask)
            return 0o666 & ~mask


class OutputFiles:
    """All output files of a call. As a context manager it discards what was not committed.

    Args:
        names: The files; ``-`` is stdout.
        spec: The spec whose grades are written.

    Raises:
        UnknownKind: A suffix is that of no kind of output.
        OSError: A file cannot be created; its ``filename`` is the name as given.
    """

    def __init__(self, names: Iterable[str], spec: Spec) -> None:
        self.files: list[AtomicFile] = []
        self.outputs: list[Output] = []
        for name in names:
            kind_of(name)
            try:
                file = sys.stdout.buffer if name == STDOUT else self._create(name)
            except OSError as error:
                self.discard()
                raise OSError(error.errno, error.strerror, name) from error
            self.outputs.append(open_output(name, file, spec))

    def _create(self, name: str) -> IO[bytes]:
        self.files.append(AtomicFile(name))
        return self.files[-1].file

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Hand a grade to every writer."""
        for output in self.outputs:
            output.add(grade, transcript)

    def commit(self) -> None:
        """Finish every writer; then, all being complete, put the files in their places."""
        for output in self.outputs:
            output.finish()
        for file in self.files:
            file.commit()

    def discard(self) -> None:
        """Remove what is not committed."""
        for file in self.files:
            file.discard()

    def __enter__(self) -> OutputFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.discard()
