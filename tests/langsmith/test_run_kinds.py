"""The four kinds of runs, in any arrangement, give equal transcripts; and none of them is changed."""

from __future__ import annotations

import copy
import pickle
import random
from datetime import datetime
from typing import Any

import pytest
from langsmith.run_trees import RunTree
from langsmith.schemas import Run as SchemaRun
from langsmith.types.run import Run as RunV2
from tests.langsmith.recorded import Run, all_traces, nested

from turngrade.adapters.langsmith import group_by_trace, transcript_from_run, transcript_from_trace
from turngrade.core import Transcript

TRACES = dict(all_traces())
EACH_TRACE = pytest.mark.parametrize("name", TRACES)


def as_run_tree(run: Run) -> RunTree:
    """A live tree, as a traced function leaves it behind."""
    fields = {
        key: value for key, value in run.items() if key not in ("child_runs", "parent_run_ids", "status")
    }
    tree = RunTree(**{**fields, "extra": run.get("extra") or {}})
    for child in run["child_runs"]:
        grown = as_run_tree(child)
        grown.parent_run = tree
        tree.child_runs.append(grown)
    return tree


def as_schema_run(run: Run) -> SchemaRun:
    """A run of the v1 API with its child runs loaded."""
    fields = {key: value for key, value in run.items() if key not in ("child_runs", "parent_run_ids")}
    parents = run.get("parent_run_ids") or []
    children = [as_schema_run(child) for child in run["child_runs"]]
    return SchemaRun(
        **{
            **fields,
            "parent_run_id": parents[-1] if parents else None,
            "parent_run_ids": parents,
            "child_runs": children,
            "serialized": None,
            "app_path": None,
        }
    )


def as_v2_run(run: Run) -> RunV2:
    """A run of the v2 API: types and states in capitals, no parent, no children."""
    status: Any = (run.get("status") or "success").upper()
    return RunV2(
        id=run["id"],
        trace_id=run["trace_id"],
        dotted_order=run["dotted_order"],
        name=run["name"],
        run_type=run["run_type"].upper(),
        status=status,
        start_time=datetime.fromisoformat(run["start_time"]),
        inputs=run.get("inputs"),
        outputs=run.get("outputs"),
        error=run.get("error"),
        extra=run.get("extra"),
        tags=run.get("tags"),
        parent_run_ids=run.get("parent_run_ids"),
    )


def assert_equal(one: Transcript, other: Transcript) -> None:
    assert one.messages == other.messages
    assert one.in_scope("conversation") == other.in_scope("conversation")
    assert one.in_scope("model-calls") == other.in_scope("model-calls")
    assert (one.output, one.output_without_text) == (other.output, other.output_without_text)
    assert one.output_fields == other.output_fields
    assert (one.id, one.incomplete, one.metadata) == (other.id, other.incomplete, other.metadata)


@EACH_TRACE
def test_kinds_agree(name: str) -> None:
    runs = TRACES[name]
    tree = nested(runs)
    flat = transcript_from_trace(runs)
    assert_equal(transcript_from_run(tree), flat)
    assert_equal(transcript_from_run(as_run_tree(tree)), flat)
    assert_equal(transcript_from_run(as_schema_run(tree)), flat)
    root, *others = map(as_v2_run, runs)
    assert_equal(transcript_from_run(root, children=others), flat)


@EACH_TRACE
def test_order_of_the_runs_does_not_matter(name: str) -> None:
    runs = TRACES[name]
    shuffled = random.Random(name).sample(runs, len(runs))
    assert_equal(transcript_from_trace(shuffled), transcript_from_trace(runs))


@EACH_TRACE
def test_runs_are_not_changed(name: str) -> None:
    tree = nested(TRACES[name])
    run = as_run_tree(tree)
    schema_run = as_schema_run(tree)
    before = copy.deepcopy(tree), run.model_dump(), schema_run.model_dump()
    for each in (tree, run, schema_run):
        transcript_from_run(each)
    assert (tree, run.model_dump(), schema_run.model_dump()) == before


def test_extra_of_a_run_without_metadata_stays_as_it_is() -> None:
    run = as_run_tree({**nested(TRACES["traceable_plain_str:0"]), "extra": {}})
    run.extra = {}
    transcript_from_run(run)
    assert run.extra == {}


@pytest.mark.parametrize("kind", [as_run_tree, as_schema_run])
def test_a_child_run_is_read_like_a_root(kind: Any) -> None:
    tree = nested(TRACES["langgraph_subagent_as_tool:0"])
    tool = next(child for child in tree["child_runs"] if child["name"] == "tools")["child_runs"][0]
    graph = tool["child_runs"][0]
    transcript = transcript_from_run(kind(graph))
    assert [message.text for message in transcript.messages] == ["inner thoughts from subagent"]
    assert transcript.output == "inner thoughts from subagent"
    assert transcript.incomplete is None


def test_only_what_is_below_a_run_belongs_to_it() -> None:
    runs = TRACES["langgraph_subagent_as_tool:0"]
    graph = next(run for run in runs if run["name"] == "LangGraph" and run.get("parent_run_ids"))
    transcript = transcript_from_run(graph, children=runs)
    assert [message.text for message in transcript.messages] == ["inner thoughts from subagent"]


class TestMissingChildRuns:
    def test_said_where_they_were_not_loaded(self) -> None:
        tree = nested(TRACES["openai_loop:0"])
        run = as_schema_run(tree).model_copy(update={"child_runs": None})
        transcript = transcript_from_run(run)
        assert transcript.incomplete is not None
        assert "not loaded" in transcript.incomplete
        assert transcript_from_run(as_v2_run(TRACES["openai_loop:0"][0])).incomplete is not None

    def test_not_said_of_a_leaf(self) -> None:
        run = as_run_tree(nested(TRACES["traceable_plain_str:0"]))
        assert transcript_from_run(run).incomplete is None
        v2 = as_v2_run(TRACES["traceable_plain_str:0"][0])
        assert transcript_from_run(v2, children=[]).incomplete is None

    def test_not_said_of_a_model_call(self) -> None:
        assert transcript_from_run(as_v2_run(TRACES["openai_resp_text:0"][0])).incomplete is None

    @pytest.mark.parametrize("name", [name for name, runs in TRACES.items() if name.startswith("langgraph_")])
    def test_said_of_the_root_run_of_a_graph_alone(self, name: str) -> None:
        transcript = transcript_from_trace(TRACES[name][:1])
        assert transcript.incomplete is not None
        assert "child runs are missing" in transcript.incomplete

    def test_said_where_the_server_lists_them(self) -> None:
        run = {**TRACES["openai_loop:0"][0], "child_run_ids": ["a", "b"]}
        assert "2 child runs are missing" in str(transcript_from_trace([run]).incomplete)

    def test_said_where_tokens_were_used(self) -> None:
        run = {**TRACES["openai_loop:0"][0], "total_tokens": 12}
        assert "12 tokens" in str(transcript_from_trace([run]).incomplete)

    def test_said_where_a_parent_is_missing(self) -> None:
        runs = [run for run in TRACES["langgraph_react:0"] if run["name"] != "tools"]
        assert "parent of run" in str(transcript_from_trace(runs).incomplete)

    def test_said_where_a_call_of_the_state_is_missing(self) -> None:
        runs = TRACES["langgraph_react:0"]
        last = [run for run in runs if run["run_type"] == "llm"][-1]
        transcript = transcript_from_trace(
            [run for run in runs if run is not last and run["name"] != "agent"]
        )
        assert transcript.incomplete is not None

    def test_said_where_the_root_is_missing(self) -> None:
        runs = TRACES["openai_loop:0"][1:]
        transcript = transcript_from_trace(runs)
        assert "root run" in str(transcript.incomplete)
        assert [message.text for message in transcript.messages] == ["I'll search.", "Done: 42"]
        assert transcript.output is None

    def test_said_where_only_the_run_above_the_others_is_missing(self) -> None:
        runs = TRACES["google_adk_thought:0"][1:]
        transcript = transcript_from_trace(runs)
        assert "runs above" in str(transcript.incomplete)
        assert (transcript.id, transcript.output) == (runs[0]["id"], "secret plan visible")

    @pytest.mark.parametrize(
        "elsewhere",
        [
            {"outputs_preview": "Do"},
            {"s3_urls": {"outputs": {"presigned_url": "u"}}},
            {"outputs_s3_urls": {"ROOT": {}}},
        ],
    )
    def test_said_where_outputs_were_not_loaded(self, elsewhere: Run) -> None:
        runs = [*TRACES["openai_loop:0"][:-1], {**TRACES["openai_loop:0"][-1], "outputs": None, **elsewhere}]
        assert "outputs of run" in str(transcript_from_trace(runs).incomplete)
        whole = [{**run, **elsewhere} for run in TRACES["openai_loop:0"]]
        assert transcript_from_trace(whole).incomplete is None


def test_runs_are_grouped_by_trace() -> None:
    runs = [run for _name, trace in all_traces() for run in trace]
    groups = group_by_trace(runs)
    assert list(map(len, groups.values())) == list(map(len, TRACES.values()))
    bare = [{key: run[key] for key in ("id", "name")} | {"parent_run_id": _parent(run)} for run in runs]
    assert list(map(len, group_by_trace(bare).values())) == list(map(len, TRACES.values()))


def _parent(run: Run) -> str | None:
    parents = run.get("parent_run_ids")
    return parents[-1] if parents else None


@pytest.mark.parametrize("name", ["langgraph_subagent_as_tool:0", "traceable_tuple_out:0"])
def test_transcripts_travel_between_processes(name: str) -> None:
    transcript = transcript_from_trace(TRACES[name])
    assert_equal(pickle.loads(pickle.dumps(transcript)), transcript)


def test_what_is_no_run_is_refused() -> None:
    with pytest.raises(ValueError, match="no id"):
        transcript_from_run({"outputs": {}})
    with pytest.raises(ValueError, match="at least one run"):
        transcript_from_trace([])
