"""Every conversation, played once in each framework and kept as the files that people have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, write_eval_log
from tests.parity import on_inspect, on_langsmith, on_plain


@dataclass(frozen=True)
class Recordings:
    """The files.

    Args:
        inspect_log: The Inspect log, as an object.
        inspect_eval: The log in Inspect's binary format.
        inspect_json: The same log as JSON.
        langsmith_agent: The runs of a traced agent loop.
        langsmith_graph: The runs of a LangGraph graph.
        plain: Plain message lists.
    """

    inspect_log: EvalLog
    inspect_eval: Path
    inspect_json: Path
    langsmith_agent: Path
    langsmith_graph: Path
    plain: Path


@pytest.fixture(scope="session")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    folder = tmp_path_factory.mktemp("parity")
    log = on_inspect.run(folder)
    write_eval_log(log, str(folder / "inspect.json"), format="json")
    graph = on_langsmith.graph()
    return Recordings(
        inspect_log=log,
        inspect_eval=Path(log.location.removeprefix("file://")),
        inspect_json=folder / "inspect.json",
        langsmith_agent=on_langsmith.record(
            folder / "agent.jsonl", lambda c: on_langsmith.agent(on_langsmith.messages_in(c))
        ),
        langsmith_graph=on_langsmith.record(
            folder / "graph.jsonl", lambda c: graph.invoke({"messages": on_langsmith.messages_in(c)})
        ),
        plain=on_plain.write(folder / "plain.jsonl"),
    )
