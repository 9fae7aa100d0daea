"""The runs of a trace as a tree, in the order in which they happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from turngrade.adapters.langsmith.shapes import is_set, told
from turngrade.adapters.langsmith.trace.runs import RunView

MARKED_AGENTS = frozenset({"middleware", "compaction", "guard", "guardrail", "grader", "judge", "evaluator"})
"""Values of the metadata key ``ls_agent_type`` that set a call apart from the agent's own."""

_AGENT_FRAMEWORKS = frozenset(
    {
        "langgraph",
        "langchain_create_agent",
        "openai-agents-sdk",
        "claude-agent-sdk",
        "vercel-ai-sdk",
        "google-adk",
    }
)
_EVALUATOR_KEYS = ("__ls_evaluator", "ls_evaluator")


class Node(Struct, eq=False):
    """A run with its place in the trace.

    Args:
        run: The run.
        parent: The run above it.
        children: The runs below it, in order.
        sub_agent: The outermost run below the root, from this one upwards, that starts a sub-agent's work;
            None for the main agent's runs.
        is_marked: Whether the run is marked as a guard's, a judge's, middleware's or a summariser's.
        starts_sub_agent: Whether what happens below is a sub-agent's: a tool's work, or a run tagged as a
            sub-agent's.
    """

    run: RunView
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    sub_agent: Node | None = None
    is_marked: bool = False
    starts_sub_agent: bool = False

    def ancestors(self) -> Iterator[Node]:
        """The runs above it, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def below(self) -> Iterator[Node]:
        """The run and all runs below it, in order."""
        stack: list[Node] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += reversed(node.children)

    @property
    def is_graph_node(self) -> bool:
        """Whether LangGraph ran it as a node of its parent."""
        tags = self.run.tags
        return bool(tags) and any(tag.startswith("graph:step:") for tag in tags)

    def take_place(self) -> None:
        """Fill in what follows from the place below a parent whose own place is known; nothing for a root."""
        if self.parent is not None:
            self.starts_sub_agent = _starts_sub_agent(self.run)
            self.sub_agent = self.parent.sub_agent or (self if self.starts_sub_agent else None)
            self.is_marked = self.parent.is_marked or _marked(self.run)


class Trace(Struct, frozen=True):
    """The tree of one trace.

    Args:
        root: The root run.
        nodes: All runs, parents before children, siblings in order of their start.
        ids: Their ids.
        incomplete: Why runs are known to be missing; None where none are.
    """

    root: Node
    nodes: tuple[Node, ...]
    ids: frozenset[str]
    incomplete: str | None = None


def build_trace(runs: Sequence[RunView], root_id: str | None = None) -> Trace:
    """Put the runs of one trace together.

    Args:
        runs: The runs of the trace, in any order.
        root_id: The run to take as the root; runs that are not below it are left out. By default the first
            run without a parent. Where there is none, the trace is incomplete, and the one run that is above
            all others takes its place, or else a root without outputs.
    """
    nodes = {run.id: Node(run) for run in sorted(runs, key=_order)}
    root, reason = _root(nodes, root_id)
    for node in nodes.values():
        if node is root or _is_elsewhere(node, root):
            continue
        parent = nodes.get(node.run.parents[-1])
        if parent is None:
            parent = next((nodes[above] for above in reversed(node.run.parents) if above in nodes), root)
            reason = reason or f"The parent of run {node.run.id} ({node.run.name}) is missing."
        node.parent = parent
        parent.children.append(node)
    reached = tuple(root.below())
    for node in reached:
        node.take_place()
    if reason is None and root_id is None and len(reached) < len(nodes):
        reason = f"{len(nodes) - len(reached)} runs have no way up to the root run."
    ids = frozenset([node.run.id for node in reached])
    return Trace(root, reached, ids, reason or _missing(root, nodes))


def _root(nodes: dict[str, Node], root_id: str | None) -> tuple[Node, str | None]:
    if root_id is not None:
        return nodes[root_id], None
    for node in nodes.values():
        if not node.run.parents:
            return node, None
    top = [node for node in nodes.values() if not any(parent in nodes for parent in node.run.parents)]
    if len(top) == 1:
        return top[0], f"The runs above {top[0].run.id} ({top[0].run.name}) are missing."
    first = next(iter(nodes.values())).run
    trace_id = first.trace_id or first.parents[0]
    stand_in = RunView(id=trace_id, trace_id=trace_id, thread_id=first.thread_id)
    return Node(stand_in), f"The root run {trace_id} is missing: only runs below it were found."


def _is_elsewhere(node: Node, root: Node) -> bool:
    """Whether a run is no descendant of the root: another root, itself, or a run beside or above it."""
    parents = node.run.parents
    return not parents or parents[-1] in root.run.parents or node.run.id in root.run.parents


def _order(run: RunView) -> tuple[bool, str, float]:
    # Runs without a recorded time keep the order in which they stand, behind the others of their parent.
    return (not run.dotted_order and run.start is None, run.dotted_order, run.start or 0.0)


def _missing(root: Node, nodes: dict[str, Node]) -> str | None:
    listed = {child for node in nodes.values() for child in node.run.child_ids}
    absent = sorted(listed - nodes.keys())
    if absent:
        return f"{len(absent)} child runs are missing, the first of them {absent[0]}."
    for run in (node.run for node in nodes.values() if node.run.no_runs):
        return f"A child of run {run.id} ({run.name}) is no run, for it has no id: {run.no_runs[0]}"
    withheld = next((node.run for node in nodes.values() if node.run.withheld), None)
    if withheld is not None:
        return f"The outputs of run {withheld.id} ({withheld.name}) are not here: load them, too."
    if root.children or root.run.is_model_call:
        return None
    if root.run.tokens > 0:
        return f"The child runs are missing: models used {root.run.tokens} tokens, but no call is here."
    if told(root.run.metadata.get("ls_integration")) in _AGENT_FRAMEWORKS:
        return "The child runs are missing: an agent framework ran this, and only its root run is here."
    return None


def _starts_sub_agent(run: RunView) -> bool:
    return run.kind == "tool" or told(run.metadata.get("ls_agent_type")) == "subagent"


def _marked(run: RunView) -> bool:
    metadata = run.metadata
    if not metadata:
        return False
    kind = metadata.get("ls_agent_type")
    if isinstance(kind, str) and kind.lower() in MARKED_AGENTS:
        return True
    if told(metadata.get("lc_source")) == "summarization":  # LangChain's summarising middleware
        return True
    return any(map(is_set, map(metadata.get, _EVALUATOR_KEYS)))
