"""An S3 server on this machine, which counts what it sends. Fixtures, for folders' ``conftest.py``."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import boto3
import pytest
import s3fs  # type: ignore[import-untyped]
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

KEY, SECRET = "AKIATESTTESTTESTTEST", "seCret/seCret+seCret"
"""The credentials; neither may be seen anywhere."""


class S3Server:
    """Buckets ``logs``, and ``shut``, which lets nobody read."""

    def __init__(self) -> None:
        self.sent = 0
        """Bytes of bodies that were sent since it was set to 0."""
        self._app = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._count, threaded=True, request_handler=_Quiet)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._client = boto3.client(
            "s3", endpoint_url=self.endpoint, aws_access_key_id=KEY, aws_secret_access_key=SECRET
        )
        for bucket in ("logs", "shut"):
            self._client.create_bucket(Bucket=bucket)
        deny = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "arn:aws:s3:::shut/*"}
        policy = {"Version": "2012-10-17", "Statement": [deny]}
        self._client.put_bucket_policy(Bucket="shut", Policy=json.dumps(policy))

    def put(self, key: str, body: bytes) -> str:
        """Put an object into ``logs``; its URL."""
        self._client.put_object(Bucket="logs", Key=key, Body=body)
        return f"s3://logs/{key}"

    def get(self, key: str) -> bytes:
        """An object of ``logs``."""
        body: bytes = self._client.get_object(Bucket="logs", Key=key)["Body"].read()
        return body

    def names(self) -> list[str]:
        """The names of the objects in ``logs``."""
        return [each["Key"] for each in self._client.list_objects_v2(Bucket="logs").get("Contents", [])]

    def written(self, key: str) -> Any:
        """When an object of ``logs`` was put there."""
        return self._client.head_object(Bucket="logs", Key=key)["LastModified"]

    def buckets(self) -> list[str]:
        """The names of the buckets."""
        return [each["Name"] for each in self._client.list_buckets()["Buckets"]]

    def clear(self) -> None:
        """Delete all objects of ``logs``."""
        for key in self.names():
            self._client.delete_object(Bucket="logs", Key=key)

    def signed(self, key: str) -> str:
        """A URL by which anybody may read an object of ``logs`` for a while."""
        url: str = self._client.generate_presigned_url("get_object", {"Bucket": "logs", "Key": key})
        return url

    def close(self) -> None:
        self._client.close()
        self._server.shutdown()
        self._server.server_close()

    def _count(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        for chunk in self._app(environ, start_response):
            self.sent += len(chunk) if environ["REQUEST_METHOD"] == "GET" else 0
            yield chunk


class _Quiet(WSGIRequestHandler):
    def log_request(self, *args: Any) -> None:
        """Nobody wants to see it."""


@pytest.fixture(scope="module")
def s3_server() -> Iterator[S3Server]:
    server = S3Server()
    yield server
    server.close()


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """The server without objects, and an environment that leads to it."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "AWS_ENDPOINT_URL": s3_server.endpoint,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }.items():
        monkeypatch.setenv(name, value)
    s3_server.clear()
    s3fs.S3FileSystem.clear_instance_cache()
    yield s3_server
    s3fs.S3FileSystem.clear_instance_cache()
