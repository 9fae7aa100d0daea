"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO

from turngrade.adapters.cli.extras import missing
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
        from tempfile import mkstemp  # costs start-up time

        handle, temporary = mkstemp(prefix=f".{self.destination.name}.", dir=self.destination.parent)
        self.temporary = Path(temporary)
        self.file = os.fdopen(handle, "wb")

    def complete(self) -> None:
        """Write what is buffered, and close."""
        self.file.close()

    def commit(self) -> None:
        """Put the complete file in its place."""
        self.complete()
        if self.temporary is not None:
            self.temporary.chmod(self._mode())
            self.temporary.replace(self.destination)
            self.temporary = None

    def discard(self) -> None:
        """Leave the destination as it was. Does nothing behind `commit`."""
        with suppress(OSError):
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


class CannotWrite(Exception):
    """An output file cannot be created or written.

    Args:
        name: The file, as the user wrote it.
        why: What is in the way.
    """

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name, why)
        self.name = name
        self.why = why

    def __str__(self) -> str:
        return f"{self.name}: cannot be written: {self.why}"


class OutputFiles:
    """All output files of a call. As a context manager it discards what was not committed.

    Args:
        names: The files; ``-`` is stdout.
        spec: The spec whose grades are written.

    Raises:
        UnknownKind: A suffix is that of no kind of output.
        CannotWrite: A file cannot be created.
    """

    def __init__(self, names: Sequence[str], spec: Spec) -> None:
        self.files: dict[str, AtomicFile] = {}
        self.outputs: dict[str, Output] = {}
        for name in names:
            kind_of(name)
        try:
            for name in names:
                with told_by_name(name):
                    self.outputs[name] = open_output(name, self._file(name), spec)
        except BaseException:
            self.discard()
            raise

    def _file(self, name: str) -> IO[bytes]:
        if name == STDOUT:
            return sys.stdout.buffer
        if "://" in name and not os.path.isdir(os.path.dirname(name)):
            raise OSError("outputs are files on this machine, and this is a URL")
        self.files[name] = AtomicFile(name)
        return self.files[name].file

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Hand a grade to every writer.

        Raises:
            CannotWrite: A disk is full, or the like.
        """
        for name, output in self.outputs.items():
            with told_by_name(name):
                output.add(grade, transcript)

    def commit(self) -> None:
        """Finish every writer; then, all being complete, put the files in their places.

        Raises:
            CannotWrite: A disk is full, or the like.
        """
        for name, output in self.outputs.items():
            with told_by_name(name):
                output.finish()
        for name, file in self.files.items():
            with told_by_name(name):
                file.complete()
        for name, file in self.files.items():
            with told_by_name(name):
                file.commit()

    def discard(self) -> None:
        """Remove what is not committed."""
        self.outputs.clear()  # Parquet's writer writes when it is let go, and must find its file open
        for file in self.files.values():
            file.discard()

    def __enter__(self) -> OutputFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.discard()


@contextmanager
def told_by_name(name: str) -> Iterator[None]:
    """Say of which file an error is."""
    try:
        yield
    except ImportError as error:
        raise CannotWrite(name, missing(error)) from error
    except OSError as error:
        raise CannotWrite(name, error.strerror or str(error)) from error
