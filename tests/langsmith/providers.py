"""The real OpenAI and Anthropic clients, wrapped for LangSmith, on a transport that answers from a script."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import anthropic
import httpx2
import openai

with warnings.catch_warnings():  # the package imports a module of its own that it has moved
    warnings.simplefilter("ignore", DeprecationWarning)
    from langsmith.wrappers import wrap_anthropic, wrap_openai


def openai_client(*answers: Any) -> openai.OpenAI:
    """A client that gets the answers one after the other: a dict as JSON, a string as an event stream."""
    http = httpx2.Client(transport=_transport(answers))
    client = openai.OpenAI(api_key="none", base_url="http://model.invalid", http_client=http, max_retries=0)
    wrapped: openai.OpenAI = wrap_openai(client)
    return wrapped


def anthropic_client(*answers: Any) -> anthropic.Anthropic:
    """The same for Anthropic."""
    http = httpx2.Client(transport=_transport(answers))
    client = anthropic.Anthropic(
        api_key="none", base_url="http://model.invalid", http_client=http, max_retries=0
    )
    wrapped: anthropic.Anthropic = wrap_anthropic(client)
    return wrapped


def _transport(answers: tuple[Any, ...]) -> httpx2.MockTransport:
    script: Iterator[Any] = iter(answers)

    def answer(_request: httpx2.Request) -> httpx2.Response:
        body = next(script)
        if isinstance(body, str):
            return httpx2.Response(200, text=body, headers={"content-type": "text/event-stream"})
        return httpx2.Response(200, json=body)

    return httpx2.MockTransport(answer)


def completion(*messages: dict[str, Any]) -> dict[str, Any]:
    """A chat completion with one choice for each message."""
    choices = [
        {
            "index": index,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": None, **message},
        }
        for index, message in enumerate(messages)
    ]
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


def tool_call(name: str) -> dict[str, Any]:
    """A function call in a chat completion."""
    return {"id": f"call-{name}", "type": "function", "function": {"name": name, "arguments": "{}"}}


def stream(*texts: str) -> str:
    """A chat completion as an event stream."""
    chunks = [
        f'data: {{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        f'[{{"index":0,"delta":{{"role":"assistant","content":"{text}"}}}}]}}\n\n'
        for text in texts
    ]
    return "".join(chunks) + "data: [DONE]\n\n"


def response(*items: dict[str, Any]) -> dict[str, Any]:
    """An answer of the Responses API."""
    return {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": list(items),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def said(*texts: str) -> dict[str, Any]:
    """A message item of the Responses API."""
    content = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}


def anthropic_message(*content: dict[str, Any], stop: str = "end_turn") -> dict[str, Any]:
    """An answer of the Messages API."""
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
