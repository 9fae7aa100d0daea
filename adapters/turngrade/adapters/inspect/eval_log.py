"""Samples of an `.eval` log: a zip archive with one JSON member a sample."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from turngrade.core.bounds import check_parts
from turngrade.core.transcript import OnRead, Unreadable

from .archive import Member, Misnamed, Unpacker, members, salvage
from .decode import sample_from_json
from .problems import InvalidLog, InvalidSample
from .shape import SampleRecord

_SAMPLE = re.compile(r"samples/(?P<id>.+)_epoch_(?P<epoch>\d+)(?P<chunked>/sample)?\.json", re.DOTALL)
_OTHERS = re.compile(r"(?:header|summaries|reductions)\.json|_journal/.+|samples/.+_epoch_\d+/.+", re.DOTALL)
"""What Inspect keeps beside the samples."""

_HEADER, _START = "header.json", "_journal/start.json"

_CHUNKED = (
    "the sample is stored in chunks, a form that Inspect itself does not read back; "
    "grade the log that it was converted from"
)


def eval_log_samples(
    file: BinaryIO,
    source: str,
    on_read: OnRead | None = None,
    wanted: Callable[[int], bool] | None = None,
) -> Iterator[SampleRecord | Unreadable]:
    """The samples of a log, by epoch and id, one in memory at a time.

    A log needs no header: one that is being written, or whose run was killed, gives the samples that it
    holds.

    Args:
        file: The archive, seekable.
        source: Where it is, for messages.
        on_read: Is told how far the reading is, before each sample is given.
        wanted: Whether the sample of a number, from 0, is wanted; an `Unreadable` stands in for one that is
            not, which is then not decoded.

    Raises:
        InvalidLog: It is not an Inspect log, or was written without its samples.
    """
    cut = None
    try:
        directory = members(file)
    except InvalidLog as error:
        cut = error.message
        directory = list(salvage(file))
    # an updated member stands behind the one that it replaces
    by_name = {member.name: member for member in directory}
    samples = _samples(by_name)
    unpacker = Unpacker(file)
    total = sum(member.compressed for _, _, (_, member) in samples)
    done = 0
    for number, (_, _, (match, member)) in enumerate(samples):
        done += member.compressed
        if on_read is not None and total:
            on_read(done / total)
        if wanted is None or wanted(number):
            yield _read(unpacker, source, match, member)
        else:
            yield Unreadable(source, "is not wanted", match["id"], int(match["epoch"]))
    yield from _misnamed(unpacker, source, directory, by_name)
    if cut is not None:
        whole = "1 whole sample" if len(samples) == 1 else f"{len(samples)} whole samples"
        yield Unreadable(source, f"{cut}; {whole} could be read, any others are lost")
    elif not samples:
        _explain_absence(unpacker, by_name)


def _samples(by_name: dict[str, Member]) -> list[tuple[int, str, tuple[re.Match[str], Member]]]:
    found = []
    for name, member in by_name.items():
        if match := _SAMPLE.fullmatch(name):
            id = match["id"]
            found.append((int(match["epoch"]), id.zfill(20) if id.isdecimal() else id, (match, member)))
    return sorted(found, key=lambda sample: sample[:2])


def _read(unpacker: Unpacker, source: str, match: re.Match[str], member: Member) -> SampleRecord | Unreadable:
    id, epoch = match["id"], int(match["epoch"])
    if match["chunked"]:
        return Unreadable(source, _CHUNKED, id=id, epoch=epoch)
    try:
        return sample_from_json(unpacker.read(member))
    except Misnamed as error:
        return Unreadable(source, f"{member.name}: {error.message}")
    except (InvalidLog, InvalidSample) as error:
        return Unreadable(source, f"{member.name}: {error.message}", id=id, epoch=epoch)


def _misnamed(
    unpacker: Unpacker, source: str, directory: list[Member], by_name: dict[str, Member]
) -> Iterator[Unreadable]:
    """The members that were passed over, as replaced or as no samples, because their name is damaged."""
    for member in directory:
        if by_name[member.name] is member and (
            _SAMPLE.fullmatch(member.name) or _OTHERS.fullmatch(member.name)
        ):
            continue
        try:
            unpacker.check_name(member)
        except InvalidLog as error:
            yield Unreadable(source, f"{member.name}: {error.message}")


def _explain_absence(unpacker: Unpacker, by_name: dict[str, Member]) -> None:
    """Say why a log has no samples, unless none has been run yet."""
    header = by_name.get(_HEADER)
    if header is None:
        if _START not in by_name:
            raise InvalidLog("a zip archive, but not an Inspect log")
        return
    try:
        data = unpacker.read(header)
        check_parts(data)
        check_header(json.loads(data))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidLog):
            raise
        raise InvalidLog(f"{_HEADER}: broken JSON: {error}") from error


def check_header(header: Any) -> None:
    """Say that samples are missing from a log without any, where its run did have some.

    Args:
        header: The log's fields but the samples.

    Raises:
        InvalidLog: Samples were run and are not stored, or it is no Inspect log.
    """
    if not isinstance(header, dict) or not isinstance(header.get("eval"), dict):
        raise InvalidLog("not an Inspect log: it has no `eval`")
    results = header.get("results")
    if isinstance(results, dict) and results.get("completed_samples"):
        raise InvalidLog("the log was written without its samples (log_samples=False): nothing to grade")
