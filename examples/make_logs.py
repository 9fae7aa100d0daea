"""Run the frameworks offline to make the logs in ``logs/`` again: ``python examples/make_logs.py [FOLDER]``.

What is said is always the same; ids, times and versions are those of the run. Needs the ``dev`` extra.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate, use_tools
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.graph import MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langsmith import Client, tracing_context
from requests.adapters import BaseAdapter

from inspect_task import look_up_order, scripted_model
from langsmith_eval import support_agent
from support import CONVERSATIONS, ORDER, Conversation, next_turn, order_status


class ScriptedChat(BaseChatModel):
    """A LangChain chat model that says the script's turns."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        turns_so_far = sum(m.type == "ai" for m in messages)
        text, looks_up = next_turn(str(messages[0].content), turns_so_far)
        call = {"id": f"call-{turns_so_far}", "name": "look_up_order", "args": {"order_id": ORDER}}
        message = AIMessage(text, tool_calls=[call] if looks_up else [])
        return ChatResult(generations=[ChatGeneration(message=message)])


def support_graph() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The support agent as a LangGraph graph."""
    chat = ScriptedChat()

    def agent(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [chat.invoke(state["messages"])]}

    look_up = tool("look_up_order", description="Look an order up.")(order_status)
    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode([look_up]))
    graph.add_conditional_edges("agent", tools_condition)
    graph.add_edge("tools", "agent")
    graph.set_entry_point("agent")
    return graph.compile()


class RunRecorder(BaseAdapter):
    """Takes the requests that a LangSmith client would send, and keeps the runs in them."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: dict[str, dict[str, Any]] = {}

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        """Keep the run, and answer that all is well."""
        row = json.loads(str(request.body, "utf-8") if isinstance(request.body, bytes) else "{}")
        run_id = row.get("id") or (request.path_url or "").rsplit("/", 1)[-1]
        self.runs.setdefault(run_id, {}).update({k: v for k, v in row.items() if v is not None})
        response = requests.Response()
        response.status_code = 200
        response._content = b"{}"
        return response

    def close(self) -> None:
        """Nothing is open."""


def write_inspect_log(path: Path) -> None:
    """Evaluate the conversations with Inspect and keep the log."""
    # in a folder of its own, or the log would name the repository around it
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        task = Task(
            name="support",
            dataset=[Sample(id=c.name, input=c.question) for c in CONVERSATIONS],
            solver=[use_tools(look_up_order()), generate()],
        )
        [log] = eval(task, model=scripted_model(), log_dir=folder, display="none", max_samples=1)
        shutil.copyfile(log.location.removeprefix("file://"), path)


def write_langsmith_runs(path: Path, run_agent: Callable[[Conversation], object]) -> None:
    """Trace the conversations with the LangSmith SDK and keep the runs, one JSON object a line."""
    recorder = RunRecorder()
    url = "https://api.smith.langchain.com"
    client = Client(url, api_key="offline", info={}, auto_batch_tracing=False)
    client.session.mount(url, recorder)
    for conversation in CONVERSATIONS:
        with tracing_context(enabled=True, client=client, project_name="support"):
            run_agent(conversation)
    with path.open("w", encoding="utf-8") as file:
        for run in sorted(recorder.runs.values(), key=lambda run: str(run["dotted_order"])):
            run.get("extra", {}).pop("runtime", None)  # the machine's own
            file.write(json.dumps(run, ensure_ascii=False) + "\n")


def main(folder: Path) -> None:
    """Write every log into a folder."""
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    write_inspect_log(folder / "inspect.eval")
    write_langsmith_runs(
        folder / "langsmith-sdk.jsonl",
        lambda c: support_agent(
            {"question": c.question}, langsmith_extra={"metadata": {"conversation": c.name}}
        ),
    )
    graph = support_graph()
    write_langsmith_runs(
        folder / "langgraph.jsonl",
        lambda c: graph.invoke({"messages": [("user", c.question)]}, {"metadata": {"conversation": c.name}}),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("logs"))
