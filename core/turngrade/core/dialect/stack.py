"""Recursion that does not depend on how deep the caller already is.

Parsing and compiling recurse with the nesting of a pattern. Near the recursion limit the same pattern would
compile for one caller and fail for another; on a thread of its own it always has the same room.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import ParamSpec, TypeVar

from turngrade.core.dialect.errors import PatternTooLarge

P = ParamSpec("P")
T = TypeVar("T")


def with_room(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function; if it recurses too deeply here, call it again where nothing is on the stack.

    Raises:
        RecursionError: It recurses too deeply even there.
        PatternTooLarge: So says the parser, which may have met the limit itself.
    """
    try:
        return function(*args, **kwargs)
    except (RecursionError, PatternTooLarge):
        return _on_fresh_stack(function, *args, **kwargs)


def _on_fresh_stack(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    from concurrent.futures import Future  # costs start-up time, and few patterns are nested so deeply

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
