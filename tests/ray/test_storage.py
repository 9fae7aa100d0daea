"""Folders of shards, on a disk and in a store: a file is whole or absent, and its content has a name."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import IO

import pytest

from turngrade.adapters.ray.storage import Folder, version_of

pytest.importorskip("fsspec")


@pytest.fixture(params=["disk", "store"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    made = Folder(str(tmp_path / "new" / "folder") if request.param == "disk" else f"memory://{uuid.uuid4()}")
    made.make()
    made.make()
    return made


def test_a_file_appears_when_it_is_complete(folder: Folder) -> None:
    def write(file: IO[bytes]) -> str:
        file.write(b"a line\n")
        file.flush()
        assert "a.jsonl" not in folder.names()
        return "a.jsonl"

    assert folder.write_whole(write) == "a.jsonl"
    assert folder.names() == {"a.jsonl"}
    with folder.open("a.jsonl") as file:
        assert list(file) == [b"a line\n"]


def test_it_takes_the_place_of_an_older_one(folder: Folder) -> None:
    for content in (b"old and long", b"new"):

        def write(file: IO[bytes], content: bytes = content) -> str:
            file.write(content)
            return "a"

        folder.write_whole(write)
    with folder.open("a") as file:
        assert file.read() == b"new"


def test_nothing_is_left_of_one_that_fails(folder: Folder) -> None:
    def write(file: IO[bytes]) -> str:
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        folder.write_whole(write)
    assert folder.names() == frozenset()


def test_files_are_removed_also_twice(folder: Folder) -> None:
    folder.write_whole(lambda file: "a")
    folder.remove(["a", "b"])
    folder.remove(["a"])
    assert folder.names() == frozenset()


def test_the_full_name_of_a_file(folder: Folder) -> None:
    assert folder.full("a") == f"{folder.place}/a"
    assert Folder("s3://bucket/folder/").full("a") == "s3://bucket/folder/a"
    assert Folder("folder").full("a") == os.path.abspath("folder/a")  # workers are in other folders


def test_another_content_is_another_version(tmp_path: Path) -> None:
    file = tmp_path / "in" / "a.jsonl"
    file.parent.mkdir()
    versions = [version_of(str(file))]
    for content, seconds in (("one", 1), ("two", 2), ("more", 2)):
        file.write_text(content)
        os.utime(file, (seconds, seconds))
        versions.append(version_of(str(file)))
        assert version_of(str(file.parent)) == versions[-1]
    assert versions[0] == ""
    assert len(set(versions)) == len(versions)
    assert version_of(str(file)) == version_of(f"file://{file}")


@pytest.mark.parametrize("place", ["nothing-of-that-name", "no-such-store://a/b"])
def test_what_cannot_be_found_has_no_version(place: str) -> None:
    assert version_of(place) == ""
