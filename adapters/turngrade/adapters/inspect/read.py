"""Transcripts straight from log files, of every Inspect release, without importing Inspect."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial

from turngrade.core.transcript import OnRead, Transcript, Unreadable

from .convert import transcript_from_record
from .eval_log import eval_log_samples
from .problems import InvalidLog
from .shape import SampleRecord
from .sniff import ZIP_MAGIC
from .source import open_log
from .store import shown_url

_EMPTY_ZIP_MAGIC = b"PK\x05\x06"


def read_transcripts(
    path: str | os.PathLike[str],
    *,
    on_read: OnRead | None = None,
    wanted: Callable[[int], bool] | None = None,
) -> Iterator[Transcript | Unreadable]:
    """The transcripts of an Inspect log, one sample in memory at a time.

    Logs of all releases are read, also those in progress and those whose run was killed. What cannot be read
    gives an `Unreadable`, and the rest is read on. A sample may hold 1 GiB of JSON.

    Args:
        path: An ``.eval`` or ``.json`` log, or an fsspec URL of one (``s3://…``), which is read by ranges and
            with the user's own credentials. As source it is named without its secrets, such as a signature.
        on_read: Is told how far the reading is, before each sample is given.
        wanted: Whether the sample of a number, from 0, is wanted. In an ``.eval`` log an `Unreadable` stands
            in for one that is not, which costs next to nothing; a ``.json`` log gives all.

    Yields:
        Samples by epoch and id; those of a ``.json`` log in its order.
    """
    source = shown_url(os.fspath(path))
    try:
        with open_log(os.fspath(path)) as file:
            start = file.read(len(ZIP_MAGIC))
            file.seek(0)
            if not start:
                raise InvalidLog("the file is empty")
            if start in (ZIP_MAGIC, _EMPTY_ZIP_MAGIC):
                samples = eval_log_samples(file, source, on_read, wanted)
            else:
                from .json_log import json_log_samples  # costs start-up time

                samples = json_log_samples(file, source, on_read)
            # `map` lets a sample go before it asks for the next: the JSON of one is in memory at a time
            yield from map(partial(_transcript, source), samples)
    except InvalidLog as error:
        yield Unreadable(source, error.message)
    except OSError as error:
        yield Unreadable(source, error.strerror or str(error))


def _transcript(source: str, sample: SampleRecord | Unreadable) -> Transcript | Unreadable:
    return sample if isinstance(sample, Unreadable) else transcript_from_record(sample, source=source)
