"""A folder of shards: on a disk that all machines of a cluster share, or in an object store."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import IO, Any

PART = ".part"

_BUFFER = 1 << 20


class Folder:
    """A folder, by its path or by a URL that fsspec knows. Picklable.

    Args:
        place: The path or the URL.
    """

    def __init__(self, place: str) -> None:
        self.place = place if "://" in place else os.path.abspath(place)

    @property
    def _store(self) -> tuple[Any, str]:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]

        store, path = url_to_fs(self.place)
        return store, path.rstrip("/")

    def make(self) -> None:
        """Make it if it is missing. Object stores have no folders, and buckets are not for us to make.

        Raises:
            OSError: It cannot be made.
        """
        with self._telling():
            store, path = self._store
            if "://" not in self.place or path.startswith("/"):  # behind other URLs it begins with a bucket
                store.makedirs(path, exist_ok=True)

    def names(self) -> frozenset[str]:
        """The names of the files in it, as they are now.

        Raises:
            OSError: They cannot be listed.
        """
        with self._telling():
            store, path = self._store
            store.invalidate_cache(path)
            try:
                found = store.ls(path, detail=False)
            except FileNotFoundError:  # an object store says so of a folder without files
                found = []
        return frozenset(PurePosixPath(name).name for name in found)

    def full(self, name: str) -> str:
        """The path or the URL of a file in it."""
        return f"{self.place.rstrip('/')}/{name}"

    def open(self, name: str) -> IO[bytes]:
        """Open a file in it for reading.

        Raises:
            OSError: It cannot be opened.
        """
        with self._telling():
            store, path = self._store
            store.invalidate_cache(path)  # others write here
            opened = store.open(f"{path}/{name}", "rb")
        return io.BufferedReader(opened, _BUFFER)  # a store's own file looks for each line on its own, slowly

    def write_whole(self, write: Callable[[IO[bytes]], str]) -> str:
        """Write a file that appears under its name when it is complete, or not at all.

        Whoever writes may die at any byte, or do the same work twice: the file has a name of its own first.

        Args:
            write: Writes what is in the file, and says what it is called.

        Returns:
            The name.
        """
        store, path = self._store
        part = f"{path}/.{os.getpid()}-{os.urandom(8).hex()}{PART}"
        try:
            with store.open(part, "wb") as file:
                name = write(file)
                file.flush()
                with suppress(OSError, AttributeError):  # not of a disk
                    os.fsync(file.fileno())
            store.mv(part, f"{path}/{name}")
        except BaseException:
            with suppress(OSError):
                store.rm_file(part)
            raise
        return name

    def remove(self, names: Iterable[str]) -> None:
        """Remove files; those that have gone already do no harm."""
        store, path = self._store
        for name in names:
            with suppress(FileNotFoundError):
                store.rm_file(f"{path}/{name}")

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Tell what goes wrong with the place; each store has exceptions of its own."""
        try:
            yield
        except Exception as error:
            said = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise OSError(f"{self.place}: {said}") from error


def forget_listings(places: Iterable[str]) -> None:
    """Have stores look anew, which keep what they once listed.

    Args:
        places: Paths or URLs.
    """
    from fsspec.core import url_to_fs

    for place in places:
        with suppress(Exception):  # what cannot be reached is told when it is read
            url_to_fs(place)[0].invalidate_cache()


def version_of(place: str) -> str:
    """What tells one content of a file from another: its size and time, or what its store says of it.

    Args:
        place: A path or a URL, of a file or a folder.

    Returns:
        An empty string for what cannot be found.
    """
    from fsspec.core import url_to_fs

    try:
        store, path = url_to_fs(place)
        info = store.info(path)
        infos = {path: info} if info.get("type") == "file" else store.find(path, detail=True)
    except Exception:  # each store has its own for what cannot be seen
        return ""
    return repr([(name, _told(info)) for name, info in sorted(infos.items())])


def _told(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    told = ("size", "mtime", "ETag", "etag", "LastModified", "updated", "last_modified", "version_id")
    return [(key, str(info[key])) for key in told if info.get(key) is not None]
