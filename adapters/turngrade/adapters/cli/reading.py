"""Files to read → transcripts, through the adapter whose kind of file it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from turngrade.adapters.cli.sources import Notice, Project, Source, SourceFile
from turngrade.core import Transcript, Unreadable

Kind: TypeAlias = Literal["inspect", "langsmith", "plain"]
Item: TypeAlias = Transcript | Unreadable | Notice

KINDS = (
    "an Inspect log, LangSmith runs, or plain message lists "
    '({"id": …, "messages": [{"role": …, "content": …}]})'
)


def read(source: Source, limit: int | None = None) -> Iterator[Item]:
    """Read the transcripts of a source, one at a time, in its order.

    Whatever goes wrong comes as `Unreadable` in its place; a source without transcripts gives one `Notice`.

    Args:
        source: What to read.
        limit: At most so many are wanted; a project is then not asked for more. Files are read on demand.
    """
    if isinstance(source, Unreadable | Notice):
        yield source
        return
    empty = True
    try:
        for item in _project(source, limit) if isinstance(source, Project) else _file(source):
            empty = False
            yield item
    except Exception as error:  # one source, however broken, must not keep the others from being graded
        yield Unreadable(source.name, f"cannot be read: {_reason(error)}")
        return
    if empty:
        yield Notice(source.name, "holds no transcripts")


def kind_of(path: Path) -> Kind | None:
    """What kind of file it is, by its content, or by a suffix that only one kind has; None where unknown.

    A folder is a bulk export of LangSmith: `resolve` lists no other.

    Raises:
        OSError: The file cannot be opened.
    """
    from turngrade.adapters import inspect, langsmith, plain

    if path.is_dir():
        return "langsmith"
    with path.open("rb") as file:
        magic = file.read(4)
    suffix = path.suffix.lower()
    if suffix == ".eval" or magic[:2] == b"PK":
        return "inspect"
    if suffix == ".parquet" or magic == b"PAR1":
        return "langsmith"
    if inspect.is_log(path):
        return "inspect"
    if langsmith.is_export(path):
        return "langsmith"
    return "plain" if plain.is_messages(path) else None


def _file(source: SourceFile) -> Iterator[Item]:
    try:
        size = source.path.stat().st_size
        kind = kind_of(source.path)
    except OSError as error:
        yield Unreadable(source.name, f"cannot be read: {error.strerror or error}")
        return
    if kind is None:
        if size:
            yield _unknown(source)
        return
    for item in _reader(kind)(str(source.path)):
        yield item if source.name == str(source.path) else replace(item, source=source.name)


def _reader(kind: Kind) -> Callable[[str], Iterator[Transcript | Unreadable]]:
    if kind == "inspect":
        from turngrade.adapters.inspect import read_transcripts
    elif kind == "langsmith":
        from turngrade.adapters.langsmith import read_transcripts
    else:
        from turngrade.adapters.plain import read_transcripts
    return read_transcripts


def _project(project: Project, limit: int | None) -> Iterator[Item]:
    from turngrade.adapters.langsmith import read_project

    return read_project(project.project, limit=limit)


def _unknown(source: SourceFile) -> Item:
    fault = _json_fault(source.path)
    if fault is not None:
        return Unreadable(source.name, f"is not JSON: {fault}; expected {KINDS}")
    if source.found:
        return Notice(source.name, f"skipped: not {KINDS}")
    return Unreadable(source.name, f"is a file of unknown kind; expected {KINDS}")


def _json_fault(path: Path) -> str | None:
    """Why a file's first value is not JSON; None where it is."""
    data = path.read_bytes()
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
        return f"{error}; install what it needs with: pip install 'turngrade[all]'"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
