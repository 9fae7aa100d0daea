"""To a Ray cluster and away again."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 5.0
"""Seconds within which a cluster must take a connection. Ray itself would try for minutes."""

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",  # a cluster that starts here tells nobody
    "RAY_BACKEND_LOG_LEVEL": "fatal",  # Ray Data's own actors make Ray warn on stderr
}
"""Of Ray, read when it is imported; what the user has set stays."""

_NAMES = frozenset({"auto", "local"})


class NoCluster(Exception):
    """There is no cluster to work on, or no Ray to reach it with; the message says what to do."""


@contextmanager
def connected(address: str | None = None) -> Iterator[None]:
    """Be connected to a cluster; one that this process is connected to already is used, and left alone.

    Args:
        address: ``HOST:PORT``, ``ray://HOST:PORT``, or ``auto`` for the one that runs on this machine. None
            is the one that the variable ``RAY_ADDRESS`` names, or that runs on this machine, or a new one
            here that ends with the work.

    Raises:
        NoCluster: Ray is not installed, or no cluster answers.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import ray  # pyright: ignore[reportMissingImports]
        import ray.data  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise NoCluster(f"Ray is needed ({error}); pip install 'turngrade[ray]'") from error
    if ray.is_initialized():
        yield
        return
    _knock(address or os.environ.get("RAY_ADDRESS"))
    try:
        with _own_handler(signal.SIGTERM), _silence():
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise NoCluster(str(error)) from error
    try:
        _be_quiet(ray.data.DataContext.get_current())
        yield
    finally:
        ray.shutdown()


def _knock(address: str | None) -> None:
    if not address or address in _NAMES:
        return
    parts = urlsplit(address if "://" in address else f"ray://{address}")
    try:
        place = (parts.hostname or "", parts.port or (10001 if "://" in address else 6379))
        socket.create_connection(place, PATIENCE).close()
    except (OSError, ValueError) as error:
        fault = getattr(error, "strerror", None) or str(error)
        raise NoCluster(f"no Ray cluster answers at {address}: {fault}") from error


@contextmanager
def _own_handler(signum: int) -> Iterator[None]:
    """Keep the caller's handler of a signal, in whose place Ray puts its own."""
    handler = signal.getsignal(signum)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread() and handler is not None:
            signal.signal(signum, handler)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep stderr from Ray's native code, which tells of its own settings there."""
    try:
        kept = os.dup(2)
    except OSError:  # closed
        yield
        return
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _be_quiet(context: Any) -> None:
    """Leave the terminal to whoever called, and who is told of faults by exceptions."""
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
