"""Message lists: the state of a graph, the input of a model, the items of a response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from turngrade.adapters.langsmith.shapes import langchain, openai_chat, openai_responses
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping

_Known: TypeAlias = dict[int, tuple[object, Message]]
"""Messages by the address of what they were read from, and that itself."""

_NO_OTHERS = ("assistant", "remove")


def read_message(value: object) -> Message | None:
    """A value as one message, of any family; None where it is none."""
    data = as_mapping(value)
    return langchain.pair(value) if data is None else _message(data)


def _message(data: Mapping[str, Any]) -> Message | None:
    if "type" not in data:  # the other two families tell their messages by it
        return openai_chat.message(data)
    return openai_responses.message(data) or langchain.message(data) or openai_chat.message(data)


def read_list(value: object) -> tuple[Message, ...] | None:
    """A value as a list of messages; None where it holds no message.

    LangChain's lists of lists (one for each prompt) are joined, and tool call items of the Responses API
    become part of the message they belong to.
    """
    items = as_list(value)
    return _messages(items, {}, {}) if items and read_message(value) is None else None


def _messages(items: Sequence[Any], known: _Known, now: _Known) -> tuple[Message, ...] | None:
    """The messages of a list, of which some are known; what was read is noted in ``now``."""
    found: list[Message] = []
    for item in _flat(items):
        same = known.get(id(item))
        if same is not None:
            found.append(same[1])
            now[id(item)] = same
        elif (message := _append(found, item)) is not None:
            now[id(item)] = (item, message)
    return tuple(found) or None


def _append(found: list[Message], item: object) -> Message | None:
    """Add the message that an item is and return it, or join a tool call to the message before it."""
    data = as_mapping(item)
    call = None if data is None else openai_responses.call_id(data)
    if call is not None:
        openai_responses.join_call(found, call)
        return None
    message = langchain.pair(item) if data is None else _message(data)
    if message is not None:
        found.append(message)
    return message


def _flat(items: Sequence[Any]) -> Sequence[Any]:
    if as_list(items[0]) is None:
        return items
    nested = [as_list(item) for item in items]
    if all(inner is not None and langchain.pair(inner) is None for inner in nested):
        return [element for inner in nested for element in inner or ()]
    return items


def is_conversation(messages: Sequence[Message]) -> bool:
    """Whether a list is a conversation's record and no bare reply: somebody else has a word in it, too."""
    return any(message.role not in _NO_OTHERS for message in messages)


class ListFinder:
    """Finds the message lists in the inputs of a trace's runs.

    Every call of an agent is given what was said so far, and in live runs these are the very same objects.
    So what was read in the run before is known again by its identity; until then it is kept, so that its
    address stays its own.
    """

    def __init__(self) -> None:
        self._lists: dict[int, tuple[object, tuple[Message, ...]]] = {}
        self._known: _Known = {}
        self._now: _Known = {}

    def find(self, inputs: object) -> list[tuple[Message, ...]]:
        """All message lists in a run's inputs, the main one (under ``messages``) first.

        Args:
            inputs: The inputs. Nothing is looked for more than four levels below them.
        """
        if self._now:
            self._known, self._now = self._now, {}
        return self._find(inputs, 4)

    def _find(self, value: object, depth: int) -> list[tuple[Message, ...]]:
        if depth < 0:
            return []
        data = as_mapping(value)
        single = langchain.pair(value) if data is None else _message(data)
        if single is not None:
            return [(single,)]
        items = as_list(value)
        if items is not None:
            found = self._list(items) if items else None
            return [found] if found else [hit for item in items for hit in self._find(item, depth - 1)]
        if data is None:
            return []
        return [hit for key in _main_first(data) for hit in self._find(data[key], depth - 1)]

    def _list(self, items: Sequence[Any]) -> tuple[Message, ...] | None:
        same = self._lists.get(id(items))
        if same is not None:
            return same[1]
        found = _messages(items, self._known, self._now)
        if found is not None:
            self._lists[id(items)] = (items, found)
        return found


_MAIN_KEYS = ("messages", "input", "inputs", "contents")
_DESCRIPTIONS = frozenset({"tools", "functions", "response_format", "config", "invocation_params"})


def _main_first(data: Mapping[str, Any]) -> list[str]:
    main = [key for key in _MAIN_KEYS if key in data]
    if len(main) == len(data):
        return main
    return main + [key for key in data if key not in _MAIN_KEYS and key not in _DESCRIPTIONS]
