"""Files to read → transcripts, through the adapter whose kind of file it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from turngrade.adapters.cli.extras import missing
from turngrade.adapters.cli.own_files import holds_verdicts
from turngrade.adapters.cli.sources import Notice, Project, Source, SourceFile
from turngrade.core import OnRead, Transcript, Unreadable

Kind: TypeAlias = Literal["inspect", "langsmith", "plain"]
Item: TypeAlias = Transcript | Unreadable | Notice

_LOOKED_AT = 1 << 20
_BLANK = b"\xef\xbb\xbf \t\r\n"

KINDS = (
    "an Inspect log, LangSmith runs, or plain message lists "
    '({"id": …, "messages": [{"role": …, "content": …}]})'
)


def read(
    source: Source,
    limit: int | None = None,
    *,
    by_thread: bool = False,
    on_read: OnRead | None = None,
    wanted: Callable[[int], bool] | None = None,
) -> Iterator[Item]:
    """Read the transcripts of a source, one at a time, in its order.

    Whatever goes wrong comes as `Unreadable` in its place; a source without transcripts gives one `Notice`.

    Args:
        source: What to read.
        limit: At most so many are wanted; a project is then not asked for more. Files are read on demand.
        by_thread: Whether the LangSmith traces of a thread are one transcript. All of a source is then read
            before its first thread is complete.
        on_read: Is told how far the reading of a file is.
        wanted: Whether the item of a number, from 0, is wanted; anything may stand in for one that is not.
    """
    if isinstance(source, Unreadable | Notice):
        yield source
        return
    empty = True
    try:
        for item in _items(source, limit, by_thread, on_read, wanted):
            empty = False
            yield item
    except Exception as error:  # one source, however broken, must not keep the others from being graded
        yield Unreadable(source.name, f"cannot be read: {_reason(error)}")
        return
    if empty:
        yield Notice(source.name, "holds no transcripts")


def may_have_threads(source: Source) -> bool:
    """Whether a source holds LangSmith runs, or cannot be read to say."""
    if not isinstance(source, SourceFile):
        return isinstance(source, Project)
    if source.url is not None:
        return not _is_archive(source)
    try:
        return kind_of(source.path) == "langsmith"
    except OSError:
        return True


def kind_of(path: Path) -> Kind | None:
    """What kind of file it is, by its content, or by a suffix that only one kind has; None where unknown.

    A folder is a bulk export of LangSmith: `resolve` lists no other.

    Raises:
        OSError: The file cannot be opened.
    """
    if path.is_dir():
        return "langsmith"
    with path.open("rb") as file:
        magic = file.read(4)
    suffix = path.suffix.lower()
    if suffix == ".eval" or magic[:2] == b"PK":
        return "inspect"
    from turngrade.adapters import inspect, langsmith, plain  # costs start-up time, and archives need none

    if suffix == ".parquet" or magic == b"PAR1":
        return "plain" if plain.is_messages(path) else "langsmith"
    if inspect.is_log(path):
        return "inspect"
    if langsmith.is_export(path):
        return "langsmith"
    return "plain" if plain.is_messages(path) else None


def _items(
    source: SourceFile | Project,
    limit: int | None,
    by_thread: bool,
    on_read: OnRead | None,
    wanted: Callable[[int], bool] | None,
) -> Iterator[Item]:
    if isinstance(source, SourceFile):
        if source.url is None:
            return _file(source, by_thread, on_read, wanted)
        return _remote(source, by_thread, on_read)
    return _threads(_project(source, None), None) if by_thread else _project(source, limit)


def _file(
    source: SourceFile,
    by_thread: bool,
    on_read: OnRead | None,
    wanted: Callable[[int], bool] | None = None,
) -> Iterator[Item]:
    try:
        item = _not_transcripts(source)
        kind = kind_of(source.path)
    except OSError as error:
        yield Unreadable(source.name, f"cannot be read: {error.strerror or error}")
        return
    if item is not None:
        yield item
        return
    if kind is None:
        if not _is_blank(source.path):
            yield _unknown(source)
        return
    read_transcripts = _reader(kind, wanted)
    path = str(source.path)
    if by_thread and kind == "langsmith":
        items = _threads(read_transcripts(path, on_read=_half(on_read)), on_read)
    else:
        items = read_transcripts(path, on_read=on_read)
    for item in items:
        yield item if source.name == str(source.path) else replace(item, source=source.name)


def _remote(source: SourceFile, by_thread: bool, on_read: OnRead | None) -> Iterator[Item]:
    """A source behind a URL: of an archive only what is needed is fetched, of others all."""
    if _is_archive(source):
        for item in _reader("inspect")(source.url or source.name, on_read=on_read):
            yield replace(item, source=source.name)
        return
    from turngrade.adapters.cli.remote import fetched

    with fetched(source) as copies:
        for copy in copies:
            if isinstance(copy, SourceFile):
                yield from _file(copy, by_thread, on_read)
            elif not isinstance(copy, Project):
                yield copy


def _is_archive(source: SourceFile) -> bool:
    return source.name.removesuffix("?…").endswith(".eval")


class _Reader(Protocol):
    """What each adapter has, to read a file of its kind."""

    def __call__(self, path: str, *, on_read: OnRead | None) -> Iterator[Transcript | Unreadable]: ...


def _reader(kind: Kind, wanted: Callable[[int], bool] | None = None) -> _Reader:
    if kind == "inspect":
        from turngrade.adapters import inspect

        return partial(inspect.read_transcripts, wanted=wanted)
    from turngrade.adapters import langsmith, plain

    return langsmith.read_transcripts if kind == "langsmith" else plain.read_transcripts


def _project(project: Project, limit: int | None) -> Iterator[Transcript | Unreadable]:
    from turngrade.adapters.langsmith import read_project

    wanted = project.filters
    return read_project(
        project.project,
        since=wanted.since,
        until=wanted.until,
        root_name=wanted.root_name,
        tag=wanted.tag,
        limit=limit,
    )


def _threads(
    items: Iterable[Transcript | Unreadable], on_read: OnRead | None
) -> Iterator[Transcript | Unreadable]:
    from turngrade.adapters.langsmith import group_by_thread

    threads = list(group_by_thread(items))  # its turns are in memory by then
    for number, thread in enumerate(threads, start=1):
        if on_read is not None:
            on_read((1 + number / len(threads)) / 2)
        yield thread


def _half(on_read: OnRead | None) -> OnRead | None:
    """Reading the turns is one half of reading threads."""
    return None if on_read is None else lambda part: on_read(part / 2)


def _not_transcripts(source: SourceFile) -> Item | None:
    """What to say of a file that turngrade wrote, or that is not what its suffix says; None of others."""
    path = source.path
    if path.is_dir():
        return None
    with path.open("rb") as file:
        magic = file.read(4)
    suffix = path.suffix.lower()
    if suffix == ".parquet" and magic != b"PAR1":
        return Unreadable(source.name, "is no Parquet file, whatever its name says")
    if suffix == ".eval" and magic and magic[:2] != b"PK" and not magic.lstrip().startswith(b"{"):
        return Unreadable(source.name, "is no Inspect log, whatever its name says")
    if holds_verdicts(path):
        ours = "verdicts that turngrade wrote, and no transcripts"
        return (
            Notice(source.name, f"skipped: {ours}")
            if source.found
            else Unreadable(source.name, f"holds {ours}")
        )
    return None


def _is_blank(path: Path) -> bool:
    """Whether there is nothing but white space in a file."""
    with path.open("rb") as file:
        return not any(chunk.strip(_BLANK) for chunk in iter(lambda: file.read(_LOOKED_AT), b""))


def _unknown(source: SourceFile) -> Item:
    fault = _json_fault(source.path)
    if fault is not None:
        return Unreadable(source.name, f"is not JSON: {fault}; expected {KINDS}")
    if source.found:
        return Notice(source.name, f"skipped: not {KINDS}")
    return Unreadable(source.name, f"is a file of unknown kind; expected {KINDS}")


def _json_fault(path: Path) -> str | None:
    """Why a file's first value is not JSON; None where it is, or where that cannot be told from its start."""
    with path.open("rb") as file:
        data = file.read(_LOOKED_AT)
        if file.read(1):
            return "it is binary" if b"\0" in data else None
    try:
        json.loads(data.split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        try:
            json.loads(data)
        except UnicodeDecodeError:
            return "it is binary, or in an encoding other than UTF-8"
        except RecursionError:
            return "it is nested too deeply"
        except ValueError as error:
            return str(error)
    return None


def _reason(error: Exception) -> str:
    if isinstance(error, ImportError):
        return missing(error)
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
