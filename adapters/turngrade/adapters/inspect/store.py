"""Files in stores that fsspec knows, such as `s3://bucket/log.eval`, read with the user's own credentials."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

_QUERY = r"(?i)(\bhttps?://[^\s'\"?]*)\?[^\s'\"]*"
_USER = r"(?<=://)[^/@\s'\"]*@"

_DENIED = (401, 403)


class Store:
    """What stands behind a URL: a file, a folder, or a wildcard for several.

    Whatever goes wrong is an `OSError` that says so in words and holds no secret.

    Args:
        url: A URL of a kind that fsspec knows.

    Raises:
        OSError: fsspec, or its package for such URLs, is missing; or it knows none.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        with _telling():
            self._files, self._path = _connect(url)
            self._files.invalidate_cache()

    def size(self) -> int | None:
        """Bytes of the file; None where the store does not tell.

        Raises:
            OSError: There is none.
        """
        with _telling():
            info = self._files.info(self._path)
        if info["type"] == "directory":
            raise OSError("a folder, not a file")
        size: int | None = info["size"]
        return size

    def is_folder(self) -> bool:
        """Whether it is a folder.

        Raises:
            OSError: There is nothing.
        """
        with _telling():
            return bool(self._files.info(self._path)["type"] == "directory")

    def version(self) -> str:
        """What changes when the file does.

        Raises:
            OSError: There is none.
        """
        with _telling():
            self._files.invalidate_cache()
            return str(self._files.ukey(self._path))

    def below(self) -> list[str]:
        """The paths of the files in the folder, to its full depth, from the folder on, in order."""
        folder = self._path.rstrip("/") + "/"
        with _telling():
            return sorted(path.removeprefix(folder) for path in self._files.find(self._path))

    def matching(self) -> dict[str, bool]:
        """The URLs of the files and folders that the wildcard matches, in order, and which are folders."""
        with _telling():
            found = self._files.glob(self._path, detail=True)
            bucket = self._path.partition("/")[0]
            if not found and bucket:  # one that is not there, or is closed, looks the same
                self._files.info(bucket)
        return {
            self._files.unstrip_protocol(path): info["type"] == "directory"
            for path, info in sorted(found.items())
        }

    def open(self) -> BinaryIO:
        """Open the file for reading, seekable. Only what is read is fetched, by ranges."""
        size = self.size()
        if not size:
            with _telling():
                return io.BytesIO(self._files.cat_file(self._path))
        from .ranges import RangedFile  # costs start-up time, and local logs do without

        return cast(BinaryIO, RangedFile(partial(_part, self._files, self._path), size))

    def download(self, target: Path) -> None:
        """Copy the file.

        Args:
            target: Where to; its folder is there.
        """
        with _telling():
            self._files.get_file(self._path, str(target))


def is_url(source: str) -> bool:
    """Whether a source is a URL, such as ``s3://bucket/log.eval``; one of a local file is not meant.

    Args:
        source: A path or a URL.
    """
    return "://" in source and not source.startswith("file://")


def shown_url(text: str) -> str:
    """A URL, or a text with URLs in it, without what may be secret: users, passwords, signatures of a query.

    Args:
        text: A URL, or what a store says.
    """
    if "://" not in text:  # as nearly always; the patterns are compiled when they are needed
        return text
    return re.sub(_USER, "", re.sub(_QUERY, r"\1?…", text))


def _part(files: Any, path: str, start: int, end: int) -> bytes:
    with _telling():
        data: bytes = files.cat_file(path, start=start, end=end)
    return data


def _connect(url: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError("reading URLs needs fsspec") from None
    connected: tuple[Any, str] = url_to_fs(url)
    return connected


@contextmanager
def _telling() -> Iterator[None]:
    """Tell what a store raises in words: each has exceptions of its own."""
    try:
        yield
    except Exception as error:
        raise OSError(shown_url(_words(error))) from error


def _words(error: Exception) -> str:
    text, kind = str(error), type(error).__name__
    status = getattr(error, "status", getattr(error.__cause__, "status", None))
    if isinstance(error, ImportError):
        return f"{text}: pip install {_packages(text)}"
    if kind == "NoCredentialsError":
        return "no credentials for the store were found"
    if isinstance(error, TimeoutError) or isinstance(error.__cause__, TimeoutError):
        return "the store did not answer in time"
    if isinstance(error, PermissionError) or status in _DENIED:
        return f"access denied ({status or text})"
    if isinstance(error, FileNotFoundError):
        return _absence(text, error.__cause__)
    if isinstance(error, ValueError) and text:  # of fsspec: an unknown kind of URL, a bucket without a name
        return text
    return f"{kind}: {text}" if text else kind


def _packages(missing: str) -> str:
    """What to install for kinds of URLs, by what fsspec says of them."""
    if "s3" in missing.lower():
        return "'turngrade[s3]'"
    return "fsspec, and the package of the kind of URL (s3fs, gcsfs, adlfs, aiohttp, …)"


def _absence(text: str, cause: BaseException | None) -> str:
    """What is not there; fsspec says the same of a web server that cannot be reached."""
    if type(cause).__name__.startswith("ClientConnector"):
        return str(cause)
    return text if "does not exist" in text else "no such file or folder"
