"""One message of a conversation, whatever shape it was recorded in."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from turngrade.adapters.langsmith.shapes.values import plain_text


class Message(Struct, frozen=True):
    """A message as the parsers of all shapes report it.

    Args:
        role: ``assistant``, ``user``, ``system``, ``tool``, ``remove``, or another name in lower case.
        text: The visible text: text parts joined with nothing, a refusal included.
        id: The id the framework gave it.
        name: The name of the agent that said it, where the message says so.
        tools: Ids (or names) of the tools it calls.
        candidate: Position among the alternatives of one model call; 0 is the first.
    """

    role: str
    text: str = ""
    id: str | None = None
    name: str | None = None
    tools: tuple[str, ...] = ()
    candidate: int = 0

    def __post_init__(self) -> None:
        if type(self.text) is not str:
            force_setattr(self, "text", plain_text(self.text))

    @property
    def is_assistant(self) -> bool:
        """Whether an assistant said it."""
        return self.role == "assistant"

    def as_candidate(self, index: int) -> Message:
        """The same message as alternative number ``index`` of its call."""
        return replace(self, candidate=index)


ROLES = {
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "human": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "user": "user",
    "developer": "system",
    "system": "system",
    "systemmessage": "system",
    "systemmessagechunk": "system",
    "function": "tool",
    "functionmessage": "tool",
    "functionmessagechunk": "tool",
    "tool": "tool",
    "toolmessage": "tool",
    "toolmessagechunk": "tool",
    "remove": "remove",
    "removemessage": "remove",
}
"""The role names of all frameworks, in lower case, and the one name each has here."""


def role_named(name: object) -> str | None:
    """The role of that name, or None where it is no role's name."""
    return ROLES.get(name.lower()) if isinstance(name, str) else None
