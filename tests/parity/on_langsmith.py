"""The conversations as LangSmith traces: of a traced agent loop, and of a LangGraph graph."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langsmith import Client, traceable, tracing_context
from tests.langsmith.loopback import API_KEY, Loopback
from tests.parity.conversations import CONVERSATIONS, Conversation, Turn
from tests.parity.on_plain import assistant_message

TOOL_RESULT = "alpha, beta, 42: a tool said this, and no assistant"


@traceable(run_type="llm", name="model")
def model(messages: list[dict[str, Any]], turn: int) -> dict[str, Any]:
    return assistant_message(_conversation(messages).turns[turn], f"call-{turn}")


@traceable(run_type="tool", name="look_up")
def look_up(what: str) -> str:
    return TOOL_RESULT


@traceable
def agent(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """An agent loop that returns its last words only, as many do; nothing where nothing was said."""
    turns = _conversation(messages).turns
    for number, turn in enumerate(turns):
        messages = [*messages, model(messages, number)]
        if turn.calls_tool:
            messages.append({"role": "tool", "tool_call_id": f"call-{number}", "content": look_up("alpha")})
        else:
            messages.append({"role": "user", "content": "Go on, alpha."})
    return {"answer": turns[-1].text} if turns else {}


class ScriptedChat(BaseChatModel):
    """A LangChain chat model that says the turns."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        number = _turns_said(messages)
        message = _ai_message(_played(messages).turns[number], f"call-{number}")
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool("look_up")
def look_up_tool(what: str) -> str:
    """Look something up."""
    return TOOL_RESULT


def graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The agent as a LangGraph graph whose state holds all messages."""
    chat = ScriptedChat()

    def say(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [chat.invoke(state["messages"])]}

    def go_on(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [HumanMessage("Go on, alpha.")]}

    def next_node(state: MessagesState) -> Literal["tools", "go on", "__end__"]:
        messages = state["messages"]
        if isinstance(messages[-1], AIMessage) and messages[-1].tool_calls:
            return "tools"
        return "go on" if _turns_said(messages) < len(_played(messages).turns) else "__end__"

    def first_node(state: MessagesState) -> Literal["say", "__end__"]:
        return "say" if _played(state["messages"]).turns else "__end__"

    built = StateGraph(MessagesState)
    built.add_node("say", say)
    built.add_node("go on", go_on)
    built.add_node("tools", ToolNode([look_up_tool]))
    built.add_conditional_edges(START, first_node, {"say": "say", "__end__": END})
    built.add_conditional_edges("say", next_node, {"tools": "tools", "go on": "go on", "__end__": END})
    built.add_edge("tools", "say")
    built.add_edge("go on", "say")
    return built.compile()


def messages_in(conversation: Conversation) -> list[dict[str, Any]]:
    """What the agent is called with."""
    past = [{"role": "assistant", "content": text} for text in conversation.history]
    return [*past, {"role": "user", "content": conversation.name}]


def record(path: Path, run: Callable[[Conversation], object]) -> Path:
    """Run every conversation with tracing on, and write the runs that the SDK uploads, one a line."""
    with Loopback() as server:
        client = Client(server.url, api_key=API_KEY)
        for conversation in CONVERSATIONS.values():
            with tracing_context(enabled=True, client=client, metadata={"conversation": conversation.name}):
                run(conversation)
        client.flush()
    runs = sorted(server.store.runs.values(), key=lambda row: str(row["dotted_order"]))
    path.write_text("".join(json.dumps(row) + "\n" for row in runs), "utf-8")
    return path


def _conversation(messages: list[dict[str, Any]]) -> Conversation:
    return next(CONVERSATIONS[m["content"]] for m in messages if m["content"] in CONVERSATIONS)


def _played(messages: list[Any]) -> Conversation:
    return next(CONVERSATIONS[m.text] for m in messages if m.text in CONVERSATIONS)


def _turns_said(messages: list[Any]) -> int:
    said = [message for message in messages if message.type == "ai"]
    return len(said) - len(_played(messages).history)


def _ai_message(turn: Turn, call_id: str) -> AIMessage:
    calls = [{"id": call_id, "name": "look_up", "args": {"what": "alpha"}}] if turn.calls_tool else []
    if turn.refusal:
        return AIMessage("", additional_kwargs={"refusal": turn.text}, tool_calls=calls)
    if turn.reasoning is not None:
        blocks: list[str | dict[Any, Any]] = [
            {"type": "thinking", "thinking": turn.reasoning},
            {"type": "text", "text": turn.text},
        ]
        return AIMessage(blocks, tool_calls=calls)
    return AIMessage(turn.text, tool_calls=calls)
