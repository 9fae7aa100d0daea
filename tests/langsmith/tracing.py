"""Real traces, made on the spot: live trees, and the rows that the SDK uploads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langsmith import Client, tracing_context
from tests.langsmith.loopback import API_KEY, Loopback

from turngrade.adapters.langsmith import group_by_trace, transcript_from_trace
from turngrade.core import AssistantMessage, Transcript


class Scripted(BaseChatModel):
    """A chat model that says prepared messages, one a call."""

    script: list[Any]
    said: int = 0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_args: Any, **_kwargs: Any) -> ChatResult:
        says = self.script[self.said]
        self.said += 1
        message = AIMessage(says) if isinstance(says, str) else says
        return ChatResult(generations=[ChatGeneration(message=message)])


def calls(name: str, text: str = "", **arguments: Any) -> AIMessage:
    """A message that calls a tool."""
    return AIMessage(text, tool_calls=[{"name": name, "args": arguments, "id": f"call-{name}"}])


@dataclass
class Recorder:
    """Uploads traces to a server of its own and reads them back."""

    server: Loopback
    client: Client

    def transcripts(self) -> list[Transcript]:
        """The transcripts of all traces that were uploaded, as JSON, in order of their start."""
        self.client.flush()
        rows = sorted(self.server.store.runs.values(), key=lambda run: run["dotted_order"])
        plain: list[dict[str, Any]] = json.loads(json.dumps(rows, default=str))
        return [transcript_from_trace(runs) for runs in group_by_trace(plain).values()]

    def trace(self, app: Callable[[], object]) -> Transcript:
        """Run something that makes one trace, and read it. An error that it raises is part of the trace."""
        before = len(self.server.store.runs)
        with suppress(ZeroDivisionError):
            app()
        found = self.transcripts()
        assert len(self.server.store.runs) > before, "nothing was traced"
        return found[-1]


@contextmanager
def recording() -> Iterator[Recorder]:
    """Trace to a loopback server."""
    with Loopback() as server:
        client = Client(api_url=server.url, api_key=API_KEY)
        with tracing_context(enabled=True, client=client):
            yield Recorder(server, client)
        client.cleanup()


def run(transcript: Transcript) -> list[str]:
    """The texts of scope ``run``."""
    return _texts(transcript.in_scope("run"))


def conversation(transcript: Transcript) -> list[str]:
    """The texts of scope ``conversation``."""
    return _texts(transcript.in_scope("conversation"))


def model_calls(transcript: Transcript) -> list[str]:
    """The texts of scope ``model-calls``."""
    return _texts(transcript.in_scope("model-calls"))


def _texts(messages: Sequence[AssistantMessage]) -> list[str]:
    return [message.text for message in messages]
