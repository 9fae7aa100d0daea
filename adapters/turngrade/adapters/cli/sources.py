"""The SOURCE arguments of the command line → files to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, TypeAlias

from msgspec import Struct

from turngrade.adapters.cli.own_files import copies, holds_verdicts
from turngrade.adapters.cli.spool import Spool
from turngrade.core import Unreadable

SUFFIXES = frozenset({".eval", ".json", ".jsonl", ".ndjson", ".parquet"})
"""The files that are looked for in a folder."""

STDIN = "-"
PROJECT = "langsmith:"


class SourceFile(Struct, frozen=True):
    """A file that may hold transcripts, or a folder of Parquet files that is one export.

    Args:
        name: The source as the user wrote it, for messages and rows; of a URL without what is secret.
        path: Where its bytes are; differs from ``name`` for standard input and pipes. With a URL, a folder in
            which they may be kept while they are read.
        found: Found in a folder or by a wildcard, not named by the user: may be something else.
        url: Behind which URL it is; None where it is here.
        parts: The URLs of the files of an export that is behind a URL.
    """

    name: str
    path: Path
    found: bool = False
    url: str | None = None
    parts: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it really is: equal for sources that are the same file."""
        return self.url or os.path.realpath(self.path)


class Filters(Struct, frozen=True):
    """Which traces of a LangSmith project are read, by their root runs.

    Args:
        since: Those that started at or after this time.
        until: Those that started before this time.
        root_name: Those of this name.
        tag: Those with this tag.
    """

    since: datetime | None = None
    until: datetime | None = None
    root_name: str | None = None
    tag: str | None = None


EVERYTHING = Filters()


class Project(Struct, frozen=True):
    """A LangSmith project.

    Args:
        name: ``langsmith:PROJECT``, as the user wrote it.
        filters: Which of its traces.
    """

    name: str
    filters: Filters = EVERYTHING

    @property
    def project(self) -> str:
        """The project's own name, or its id."""
        return self.name.removeprefix(PROJECT)


class Notice(Struct, frozen=True):
    """A source, or a part of one, that holds nothing to grade. It is told, and is no error."""

    source: str
    message: str


Source: TypeAlias = SourceFile | Project | Notice | Unreadable


def label_of(source: Source) -> str:
    """What a source is called: as the user wrote it, or as it was found."""
    return source.name if isinstance(source, SourceFile | Project) else source.source


def resolve(arguments: Iterable[str], spool: Spool, filters: Filters = EVERYTHING) -> list[Source]:
    """Find what each argument names: a file, a folder, a wildcard, a URL, ``-`` or ``langsmith:PROJECT``.

    A file that is reached twice is listed once, where it is reached first.

    Args:
        arguments: SOURCE arguments.
        spool: Gives the folder in which standard input, pipes and what is behind URLs are kept while they are
            read.
        filters: Which traces of projects are read.

    Returns:
        The sources, in the order of the arguments; what cannot be found is `Unreadable` in its place.
    """
    found: list[Source] = []
    seen: set[str] = set()
    for argument in arguments:
        for source in _resolve(argument, spool, filters):
            key = source.place if isinstance(source, SourceFile) else repr(source)
            if key not in seen:
                seen.add(key)
                found.append(source)
    return _without_copies(found)


def _without_copies(sources: list[Source]) -> list[Source]:
    """The same without the copies of other sources that nobody named: they hold the same transcripts."""
    logs = copies(source.url or str(source.path) for source in sources if isinstance(source, SourceFile))
    return [
        Notice(source.name, f"skipped: the copy of {log} with scores; name it to read it")
        if isinstance(source, SourceFile) and source.found and (log := logs.get(source.place)) is not None
        else source
        for source in sources
    ]


def _resolve(argument: str, spool: Spool, filters: Filters) -> Iterable[Source]:
    if argument.startswith(PROJECT):
        return [Project(argument, filters)]
    if _is_url(argument):
        return _remote(argument, spool)
    argument = argument.removeprefix("file://")
    path = Path(argument)
    try:
        if argument == STDIN:
            return [_standard_input(spool)]
        if path.is_dir():
            return _in_folder(argument)
        if path.is_file():
            return [SourceFile(argument, path)]
        if path.exists():  # a pipe, such as the shell's <(command)
            with path.open("rb") as pipe:
                return [_spooled(argument, pipe, spool)]
        if _is_wildcard(argument):
            return _matching(argument)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        return [Unreadable(argument, f"cannot be read: {_why(error, path)}")]
    return [Unreadable(argument, f"no such file or folder{_nearest(path)}")]


def _why(error: OSError | ValueError, path: Path) -> str:
    """What is wrong, and with what file, if with another one: it may be the copy of standard input."""
    if not isinstance(error, OSError) or error.strerror is None:
        return str(error)
    known = error.filename in (None, str(path))
    return error.strerror if known else f"{error.strerror}: {error.filename}"


def _is_url(argument: str) -> bool:
    return "://" in argument and not argument.startswith("file://")


def _remote(url: str, spool: Spool) -> Iterable[Source]:
    from turngrade.adapters.cli.remote import remote_sources
    from turngrade.adapters.inspect import shown_url

    try:
        return remote_sources(url, spool())
    except OSError as error:
        return [Unreadable(shown_url(url), f"cannot be read: {error}")]


def _standard_input(spool: Spool) -> Source:
    if sys.stdin is None:  # the process was started with a closed one
        return Unreadable(STDIN, "cannot be read: standard input is closed")
    return _spooled(STDIN, sys.stdin.buffer, spool)


def _spooled(name: str, stream: IO[bytes], spool: Spool) -> SourceFile:
    from shutil import copyfileobj  # costs start-up time
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile(dir=spool(), suffix=".jsonl", delete=False) as copy:
        copyfileobj(stream, copy)
    return SourceFile(name, Path(copy.name))


def _in_folder(folder: str) -> Iterable[Source]:
    found = sorted(_walk(folder), key=label_of)
    wanted = ", ".join(sorted(SUFFIXES))
    return found or [Notice(folder, f"the folder holds no transcripts (looked for {wanted})")]


def _found(name: str) -> Source:
    """What nobody named may be a pipe, on which reading would wait for ever."""
    if os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        return Notice(name, "skipped: no regular file; name it to read it")
    return SourceFile(name, Path(name), found=True)


def _walk(folder: str) -> Iterator[Source]:
    faults: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=faults.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if _is_bulk_export(parent, files):
            folders.clear()
            yield from bulk_export(parent)
            continue
        for name in files:
            if not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES:
                yield _found(os.path.join(parent, name))
    for fault in faults:
        yield Unreadable(str(fault.filename), f"cannot be read: {fault.strerror or fault}")


def bulk_export(folder: str) -> Iterator[Source]:
    """A folder of Parquet files as one source, if all are of one export; conversations are one a file.

    Args:
        folder: A folder that holds nothing else.
    """
    from turngrade.adapters.plain import is_messages

    files = sorted(
        path
        for path in Path(folder).rglob("*")
        if path.suffix.lower() == ".parquet" and path.name[0] not in "._" and path.is_file()
    )
    ours = [path for path in files if holds_verdicts(path)]
    if (len(files) - len(ours) < 2 and ours) or any(map(is_messages, files)):
        yield from (_found(str(path)) for path in files)
    elif ours:
        fault = f"holds verdicts that turngrade wrote ({ours[0].name}) among the files of an export"
        yield Unreadable(folder, f"{fault}; move them elsewhere")
    else:
        yield SourceFile(folder, Path(folder), found=True)


def _is_bulk_export(folder: str, files: Iterable[str]) -> bool:
    """Whether a folder is one export, whose traces may have rows in any of its Parquet files."""
    if any(not name.startswith((".", "_")) and not name.lower().endswith(".parquet") for name in files):
        return False
    from turngrade.adapters.langsmith import is_export

    return is_export(folder)


def _is_wildcard(argument: str) -> bool:
    from glob import has_magic  # costs start-up time

    return has_magic(argument)


def _matching(pattern: str) -> Iterable[Source]:
    from glob import glob

    names = sorted(glob(pattern, recursive=True))
    sources: list[Source] = []
    for name in names:
        if os.path.isdir(name):
            sources.extend(_in_folder(name))
        elif Path(name).suffix.lower() in SUFFIXES:
            sources.append(_found(name))
    return sources or [Notice(pattern, "the wildcard matches no file that holds transcripts")]


def _nearest(path: Path) -> str:
    from difflib import get_close_matches  # only faults need it

    try:
        near = get_close_matches(path.name, os.listdir(path.parent), n=1)
    except OSError:
        return ""
    return f"; did you mean {path.parent / near[0]}?" if near else ""
