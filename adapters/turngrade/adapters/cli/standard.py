"""Standard streams that may be closed, full, or no longer read: none of that ends the work."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO

from turngrade.adapters.cli.exit_codes import Exit


def run(args: list[str]) -> int:
    """Run the command on standard streams that never raise.

    What stdout does not take is dropped, and so is what stderr does not take. The grading goes on. A reader
    of stdout that has gone, such as ``head``, has what it wanted; any other fault of stdout is told on stderr
    and is `Exit.ERROR`, unless the call has ended otherwise than with a result. A fault of stderr changes
    nothing.

    Args:
        args: The command line behind the program's name.

    Returns:
        The exit code, see `Exit`.
    """
    _occupy_closed_descriptors()
    out, err = _Lenient(sys.stdout, 1), _Lenient(sys.stderr, 2)
    sys.stdout, sys.stderr = out.text(), err.text()
    try:
        from turngrade.adapters.cli import app

        code = app.run(args)
    except KeyboardInterrupt:  # that came before the work had begun, or behind it
        code = Exit.INTERRUPTED
    sys.stdout.flush()
    if out.fault is not None and code not in (Exit.INTERRUPTED, Exit.USAGE):
        sys.stderr.write(f"stdout: cannot be written: {out.fault.strerror or out.fault}\n")
        code = Exit.ERROR
    sys.stderr.flush()
    return code


class _Lenient(io.RawIOBase):
    """Writes to a standard stream, and after its first fault to nowhere.

    Args:
        stream: The stream; None where the process was started with a closed one.
        descriptor: Its number.
    """

    def __init__(self, stream: TextIO | None, descriptor: int) -> None:
        self.stream = stream
        buffer: Any = None if stream is None else stream.buffer
        self.raw: Any = getattr(buffer, "raw", buffer)
        self.descriptor = descriptor
        self.gone = False
        self.fault: OSError | None = None

    def text(self) -> TextIO:
        """The stream for text."""
        stream = self.stream
        return io.TextIOWrapper(
            io.BufferedWriter(self),
            encoding="utf-8" if stream is None else stream.encoding,
            line_buffering=self.descriptor == 2 or (stream is not None and stream.isatty()),
        )

    def write(self, data: Any, /) -> int:
        """Write; say that all was written where nothing can be."""
        if not self.gone:
            try:
                if self.raw is None:
                    raise OSError(errno.EBADF, "it is closed")
                return int(self.raw.write(data) or 0)
            except BrokenPipeError:
                self.gone = True
            except OSError as error:
                self.gone, self.fault = True, error
        return len(data)

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """The number of the stream."""
        return self.descriptor

    def isatty(self) -> bool:
        """Whether people look at it."""
        return self.raw is not None and bool(self.raw.isatty())


def _occupy_closed_descriptors() -> None:
    """Keep files that are opened later from taking the numbers of the standard streams."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
