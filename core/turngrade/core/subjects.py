"""Texts prepared for matching, each alone and several in a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, compress
from typing import Final

from msgspec import Struct

from turngrade.core.checks import Check
from turngrade.core.dialect import Subject, screen_of
from turngrade.core.transcript import AssistantMessage

_SEVERAL: Final = 3
"""From so many messages on, one look at all of them is quicker than one at each."""

_LARGEST_ROW: Final = 1_000_000
"""Most characters that are looked at together: quick looks give up beyond that."""


class Subjects:
    """Texts of one transcript, prepared for matching once for all graders of a spec.

    Args:
        checks: Those that will search the texts: what can be told at once for all of them is.
    """

    def __init__(self, checks: Iterable[Check] = ()) -> None:
        self._screen = screen_of(tuple(chain.from_iterable(check.patterns for check in checks)))
        self._by_id: dict[int, Subject] = {}
        self._rows: dict[int, tuple[Row, ...]] = {}

    def of(self, text: str) -> Subject:
        """The prepared text; the transcript keeps the text, and so its id, alive."""
        subject = self._by_id.get(id(text))
        if subject is None:
            subject = self._by_id[id(text)] = Subject(text, self._screen)
        return subject

    def rows(self, messages: tuple[AssistantMessage, ...]) -> tuple[Row, ...]:
        """Some messages in rows, for one look at all texts of a row; none where that does not pay.

        Args:
            messages: A scope of the transcript, which keeps it, and so its id, alive.
        """
        rows = self._rows.get(id(messages))
        if rows is None:
            rows = self._rows[id(messages)] = tuple(_rows(messages))
        return rows


class Row(Struct, frozen=True):
    """Texts of several messages in one.

    Args:
        subject: The texts, one behind the other.
        messages: Identities of the messages.
    """

    subject: Subject
    messages: frozenset[int]


def _rows(messages: tuple[AssistantMessage, ...]) -> Iterator[Row]:
    """ASCII in a row of its own: it is searched in half of the time, and looks can tell more of it."""
    texts = [[text for _, text in message.texts()] for message in messages]
    if len(messages) < _SEVERAL or sum(map(len, chain.from_iterable(texts))) > _LARGEST_ROW:
        return
    whole = "\n".join(chain.from_iterable(texts))
    if whole.isascii():
        yield Row(Subject(whole), frozenset(map(id, messages)))
        return
    for is_ascii in (True, False):
        chosen = [all(map(str.isascii, own)) is is_ascii for own in texts]
        if sum(chosen) >= _SEVERAL:
            together = "\n".join(chain.from_iterable(compress(texts, chosen)))
            yield Row(Subject(together), frozenset(map(id, compress(messages, chosen))))
