"""Parsers of the message shapes that LangSmith runs hold: a module a family, and one way in for all."""

from turngrade.adapters.langsmith.shapes.lists import ListFinder, is_conversation, read_list, read_message
from turngrade.adapters.langsmith.shapes.message import Message
from turngrade.adapters.langsmith.shapes.payload import (
    DATA,
    EMPTY,
    TEXT_KEYS,
    Reading,
    read_payload,
    read_root,
)
from turngrade.adapters.langsmith.shapes.text import text_of
from turngrade.adapters.langsmith.shapes.values import as_list, as_mapping, is_set, plain_text, told

__all__ = [
    "DATA",
    "EMPTY",
    "TEXT_KEYS",
    "ListFinder",
    "Message",
    "Reading",
    "as_list",
    "as_mapping",
    "is_conversation",
    "is_set",
    "plain_text",
    "read_list",
    "read_message",
    "read_payload",
    "read_root",
    "text_of",
    "told",
]
