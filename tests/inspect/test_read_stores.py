"""Logs in stores that fsspec knows, on real servers: what is fetched of them, and what is told."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED

import fsspec  # type: ignore[import-untyped]
import pytest
import s3fs  # type: ignore[import-untyped]
from aiohttp import ClientTimeout
from tests.inspect.archives import DATA, members, read, the_fault, transcripts, write
from tests.s3_server import KEY, SECRET, S3Server

from turngrade.adapters.inspect import read_transcripts
from turngrade.core import Transcript

LOGS = ["epochs.eval", "inspect-0.3.260.json"]
MIB = 1 << 20


@pytest.mark.parametrize("name", LOGS)
def test_an_object_is_read_as_a_file_is(s3: S3Server, name: str) -> None:
    url = s3.put(f"runs/{name}", (DATA / name).read_bytes())
    stored, local = transcripts(url), transcripts(DATA / name)
    assert [row.source for row in stored] == [url] * len(local)
    assert [row.messages for row in stored] == [row.messages for row in local]


@pytest.mark.parametrize("name", LOGS)
def test_memory_is_a_store_too(name: str) -> None:
    url = f"memory://logs/{name}"
    with fsspec.open(url, "wb") as file:
        file.write((DATA / name).read_bytes())
    assert [row.messages for row in transcripts(url)] == [row.messages for row in transcripts(DATA / name)]


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A log of 40 samples of half a MiB, the first of them at the end."""
    [sample] = [data for name, data in members(DATA / "plain.eval").items() if "samples/" in name]
    ids = [f"{number:02}" for number in range(40)]
    rows = [
        (f"samples/{id}_epoch_1.json", sample.replace(b'"a"', f'"{id}"'.encode(), 1)[:-1] + _ballast())
        for id in reversed(ids)
    ]
    return write(tmp_path_factory.mktemp("big") / "big.eval", rows, ZIP_STORED).read_bytes()


def _ballast() -> bytes:
    return b', "ballast": "' + os.urandom(MIB // 4).hex().encode() + b'"}'


def test_all_samples_are_fetched_once(s3: S3Server, big: bytes) -> None:
    url = s3.put("big.eval", big)
    s3.sent = 0
    assert [row.id for row in transcripts(url)] == [f"{number:02}" for number in range(40)]
    assert len(big) <= s3.sent < len(big) + MIB // 10


def test_of_one_sample_only_its_part_is_fetched(s3: S3Server, big: bytes) -> None:
    url = s3.put("big.eval", big)
    s3.sent = 0
    rows = read_transcripts(url)
    first = next(rows)
    rows.close()  # type: ignore[attr-defined]
    assert isinstance(first, Transcript)
    assert first.id == "00"
    # the blocks at both ends, where the magic number, the directory and this sample stand
    assert len(big) > 19 * MIB
    assert s3.sent <= 4 * MIB


def test_an_object_that_shrinks_meanwhile_is_told(s3: S3Server, big: bytes) -> None:
    url = s3.put("big.eval", big)
    rows = read_transcripts(url)
    assert isinstance(next(rows), Transcript)
    s3.put("big.eval", big[: 5 * MIB])
    rest = list(rows)
    assert not isinstance(rest[-1], Transcript)
    assert len(rest) < 39


class TestFaults:
    """Each is one row, in words, and holds no key."""

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("s3://nobucket/x.eval", "The specified bucket does not exist"),
            ("s3://logs/nowhere.eval", "no such file or folder"),
            ("s3://logs", "a folder, not a file"),
            ("s3://shut/x.eval", "access denied (Forbidden)"),
            ("memory://logs/nowhere.eval", "no such file or folder"),
            ("nostore://x/y.eval", "Protocol not known: nostore"),
            ("http://127.0.0.1:9/x.eval", "Cannot connect to host 127.0.0.1:9"),
            ("http://user:pass@127.0.0.1:9/x.eval?sig=abc", "Cannot connect to host 127.0.0.1:9"),
        ],
    )
    @pytest.mark.usefixtures("s3")
    def test_in_words(self, url: str, message: str) -> None:
        [fault] = read(url)
        assert not isinstance(fault, Transcript)
        assert fault.message.startswith(message)
        for secret in (KEY, SECRET, "pass@", "sig="):
            assert secret not in f"{fault.source} {fault.message}"

    @pytest.mark.usefixtures("s3")
    def test_no_credentials(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("AWS_ACCESS_KEY_ID")
        monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
        s3fs.S3FileSystem.clear_instance_cache()
        assert the_fault("s3://logs/x.eval").message == "no credentials for the store were found"

    def test_without_fsspec(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "fsspec.core", None)
        assert the_fault("s3://bucket/log.eval").message.startswith(
            "reading URLs needs fsspec: pip install fsspec"
        )

    def test_without_the_package_of_the_store(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "s3fs", None)
        monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3", raising=False)
        assert the_fault("s3://bucket/log.eval").message == (
            "Install s3fs to access S3: pip install 'turngrade[s3]'"
        )

    def test_a_server_that_does_not_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        options = {"client_kwargs": {"timeout": ClientTimeout(total=0.2)}, "skip_instance_cache": True}
        monkeypatch.setitem(fsspec.config.conf, "http", options)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/x.eval"
            assert the_fault(url).message == "the store did not answer in time"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[str]:
    """A web server that knows no ranges, with a folder of logs."""
    for name in LOGS:
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Nobody wants to see it."""


@pytest.mark.parametrize("name", LOGS)
def test_a_server_without_ranges_sends_the_whole_file(web: str, name: str) -> None:
    stored = transcripts(f"{web}/{name}")
    assert [row.messages for row in stored] == [row.messages for row in transcripts(DATA / name)]


def test_a_signed_url_is_named_without_its_signature(s3: S3Server) -> None:
    s3.put("plain.eval", (DATA / "plain.eval").read_bytes())
    rows = transcripts(s3.signed("plain.eval"))
    assert [row.source for row in rows] == [f"{s3.endpoint}/logs/plain.eval?…"]
