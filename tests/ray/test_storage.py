"""Folders of shards, on a disk and in a store: a file is whole or absent, and its content has a name."""

from __future__ import annotations

import os
import re
import time
import uuid
from pathlib import Path
from typing import IO

import pytest
from fsspec.core import url_to_fs  # type: ignore[import-untyped]
from tests.s3_server import S3Server

from turngrade.adapters.ray.storage import Folder, forget_listings, version_of

pytest.importorskip("fsspec")


@pytest.fixture(params=["disk", "memory", "s3"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    if request.param == "s3":
        request.getfixturevalue("s3")
    places = {
        "disk": str(tmp_path / "new" / "folder"),
        "memory": f"memory://{uuid.uuid4()}",
        "s3": "s3://logs/new/folder",
    }
    made = Folder(places[request.param])
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


def test_a_file_that_another_machine_wrote_is_seen(s3: S3Server) -> None:
    folder = Folder("s3://logs/folder")
    assert folder.names() == frozenset()
    s3.put("folder/a", b"new")
    with folder.open("a") as file:
        assert file.read() == b"new"
    assert folder.names() == {"a"}


def test_the_lines_of_an_object_take_little_longer_than_its_bytes(s3: S3Server) -> None:
    s3.put("folder/a", b"".join(b"%1500d\n" % number for number in range(2000)))
    took = []
    for read in (lambda file: file.read(), list):
        with Folder("s3://logs/folder").open("a") as file:
            begun = time.process_time()
            read(file)
            took.append(time.process_time() - begun)
    assert took[1] < 20 * took[0]


def test_no_bucket_is_made(s3: S3Server) -> None:
    folder = Folder("s3://nobucket/folder")
    folder.make()
    with pytest.raises(OSError, match="The specified bucket does not exist"):
        folder.write_whole(lambda file: "a")
    assert "nobucket" not in s3.buckets()


@pytest.mark.parametrize("place", ["nostore://a/b", "s3://nobucket", "spec.json/folder"])
@pytest.mark.usefixtures("s3")
def test_what_goes_wrong_is_told_with_the_place(place: str, tmp_path: Path) -> None:
    (tmp_path / "spec.json").touch()
    folder = Folder(place if "://" in place else str(tmp_path / place))
    with pytest.raises(OSError, match=re.escape(f"{folder.place}: ")):
        made_and_opened(folder)


def made_and_opened(folder: Folder) -> IO[bytes]:
    folder.make()
    return folder.open("a")


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


def test_a_new_content_has_another_version_although_the_old_one_was_listed(s3: S3Server) -> None:
    url = s3.put("runs/a", b"one")
    url_to_fs(url)[0].ls("s3://logs/runs")
    old = version_of(url)
    s3.put("runs/a", b"more")
    forget_listings([url, "no-such-store://a/b"])
    assert version_of(url) not in ("", old)


@pytest.mark.parametrize("place", ["nothing-of-that-name", "no-such-store://a/b", "s3://nobucket/a"])
@pytest.mark.usefixtures("s3")
def test_what_cannot_be_found_has_no_version(place: str) -> None:
    assert version_of(place) == ""
