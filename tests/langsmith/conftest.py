"""A LangSmith environment of its own for each test: no real server, no cached settings or client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.langsmith.loopback import API_KEY, Loopback

NOWHERE = "http://127.0.0.1:9"
"""Nothing listens on the discard port: a request that should not be made fails at once."""


@pytest.fixture(autouse=True)
def clean_langsmith(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Point the SDK nowhere, with tracing off; forget what it caches."""
    for name in ("LANGCHAIN_API_KEY", "LANGCHAIN_ENDPOINT", "LANGSMITH_PROJECT", "LANGSMITH_WORKSPACE_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANGSMITH_ENDPOINT", NOWHERE)
    monkeypatch.setenv("LANGSMITH_API_KEY", API_KEY)
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    forget_settings(monkeypatch)
    yield
    forget_settings(monkeypatch)


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A server to which the SDK's environment points, with tracing on."""
    with Loopback(zstd=True) as server:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", server.url)
        monkeypatch.setenv("LANGSMITH_TRACING", "true")
        forget_settings(monkeypatch)
        yield server


def forget_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop the SDK's cached environment and its module-level client."""
    from langsmith import run_trees, utils

    utils.get_env_var.cache_clear()  # type: ignore[attr-defined]
    utils.get_tracer_project.cache_clear()
    monkeypatch.setattr(run_trees, "_CLIENT", None)
