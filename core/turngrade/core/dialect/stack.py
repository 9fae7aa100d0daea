"""Recursion that does not depend on how deep the caller already is.

Parsing and compiling recurse with the nesting of a pattern. Near the recursion limit the same pattern would
compile for one caller and fail for another; on a thread of its own it always has the same room.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def with_room(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function; if it recurses too deeply here, call it again where nothing is on the stack.

    Raises:
        RecursionError: It recurses too deeply even there.
    """
    try:
        return function(*args, **kwargs)
    except RecursionError:
        return _on_fresh_stack(function, *args, **kwargs)


def _on_fresh_stack(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(function(*args, **kwargs))
        except BaseException as error:
            future.set_exception(error)

    thread = Thread(target=run, name="turngrade-compile", daemon=True)
    thread.start()
    thread.join()
    return future.result()
