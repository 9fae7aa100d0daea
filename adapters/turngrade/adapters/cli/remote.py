"""SOURCE arguments that are URLs: files, folders and wildcards in stores that fsspec knows."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec.structs import replace

from turngrade.adapters.cli.sources import SUFFIXES, Notice, Source, SourceFile, bulk_export
from turngrade.core import Unreadable

if TYPE_CHECKING:
    from turngrade.adapters.inspect import Store

_LONGEST_NAME = 200


def remote_sources(url: str, spool: Path) -> Iterable[Source]:
    """Find what a URL names: a file, a folder or a wildcard. A URL of the web names a file.

    Args:
        url: The URL, as the user wrote it.
        spool: An existing folder, in which files are kept while they are read.

    Returns:
        The sources, in order.

    Raises:
        OSError: There is nothing, or the store does not let it be seen.
    """
    from turngrade.adapters.inspect import Store

    store = Store(url)
    if is_on_web(url):
        if url.endswith("/"):
            raise OSError("folders on the web cannot be listed; name their files")
        return [_named(url, spool)]
    try:
        is_folder = store.is_folder()
    except OSError:
        if not glob.has_magic(url):
            raise
        return _matching(store, spool)
    return _in_folder(url, spool) if is_folder else [_named(url, spool)]


def is_on_web(url: str) -> bool:
    """Whether a URL is of the web, where files can be read, and neither listed nor written.

    Args:
        url: A URL.
    """
    return url.lower().startswith(("http://", "https://"))


@contextmanager
def fetched(source: SourceFile) -> Iterator[Iterable[Source]]:
    """Copy what a source names to the disk, as long as it is read.

    Args:
        source: A source with a URL.

    Yields:
        The copy, as sources that are read under the URL's name. A folder of Parquet files may be several.

    Raises:
        OSError: It cannot be fetched.
    """
    from turngrade.adapters.inspect import Store

    with TemporaryDirectory(dir=source.path) as folder:
        if not source.parts:
            target = Path(folder, PurePosixPath(source.name).name[-_LONGEST_NAME:])
            Store(source.url or source.name).download(target)
            yield [SourceFile(source.name, target, source.found)]
            return
        for part in source.parts:
            target = Path(folder, part.removeprefix(f"{source.url}/"))
            target.parent.mkdir(parents=True, exist_ok=True)
            Store(part).download(target)
        yield [_renamed(local, folder, source.name) for local in bulk_export(folder)]


def _nothing(url: str, why: str) -> Notice:
    from turngrade.adapters.inspect import shown_url

    return Notice(shown_url(url), why)


def _named(url: str, spool: Path, parts: tuple[str, ...] = (), *, found: bool = False) -> SourceFile:
    from turngrade.adapters.inspect import shown_url

    return SourceFile(shown_url(url), spool, found, url, parts)


def _in_folder(url: str, spool: Path) -> list[Source]:
    from turngrade.adapters.inspect import Store

    folder = url.rstrip("/")
    visible = [path for path in Store(url).below() if not _is_hidden(path)]
    found: list[Source] = [
        _named(
            f"{folder}/{place}".rstrip("/"), spool, tuple(f"{folder}/{part}" for part in parts), found=True
        )
        for place, parts in _grouped(visible).items()
        if parts or PurePosixPath(place).suffix.lower() in SUFFIXES
    ]
    wanted = ", ".join(sorted(SUFFIXES))
    return found or [_nothing(url, f"the folder holds no transcripts (looked for {wanted})")]


def _matching(store: Store, spool: Path) -> list[Source]:
    sources: list[Source] = []
    for url, is_folder in store.matching().items():
        if is_folder:
            sources.extend(_in_folder(url, spool))
        elif PurePosixPath(url).suffix.lower() in SUFFIXES:
            sources.append(_named(url, spool, found=True))
    return sources or [_nothing(store.url, "the wildcard matches no file that holds transcripts")]


def _grouped(paths: list[str]) -> dict[str, tuple[str, ...]]:
    """The outermost folders of nothing but Parquet files, with these; and all other files, with nothing."""
    data = [path for path in paths if not PurePosixPath(path).name.startswith("_")]
    mixed = {folder for path in data if not _is_parquet(path) for folder in _folders(path)}
    groups: dict[str, tuple[str, ...]] = {}
    for path in data:
        export = next((folder for folder in _folders(path) if folder not in mixed), None)
        if export is None:
            groups[path] = ()
        else:
            groups[export] = (*groups.get(export, ()), path)
    return groups


def _folders(path: str) -> list[str]:
    """The folders that a file is in, from the outermost, which has no name, inwards."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:depth]) for depth in range(len(parts) + 1)]


def _is_parquet(url: str) -> bool:
    return url.lower().endswith(".parquet")


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _renamed(local: Source, folder: str, name: str) -> Source:
    """A source of the copy under the name of the original."""
    if isinstance(local, SourceFile):
        return replace(local, name=local.name.replace(folder, name, 1))
    return Unreadable(name, local.message) if isinstance(local, Unreadable) else local
