"""Runs of every kind in which assistant messages come about, with what each scope must hold."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from inspect_ai import Task
from inspect_ai.agent import (
    Agent,
    AgentState,
    agent,
    agent_bridge,
    as_tool,
    handoff,
    last_message,
    react,
    run,
)
from inspect_ai.dataset import Sample
from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    CompactionAuto,
    CompactionEdit,
    CompactionNative,
    CompactionStrategy,
    CompactionSummary,
    CompactionTrim,
    ContentData,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, accuracy, includes, model_graded_qa, score, scorer
from inspect_ai.solver import Generate, Solver, TaskState, chain, fork, generate, solver, system_message
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import collect, span
from openai import AsyncOpenAI
from tests.inspect.mocking import add, calls, mock, says, submits

Said: TypeAlias = str | tuple[str, str] | tuple[str, str | None, str | None]
"""A message: its text; or its text and who said it; or its text, what the model produced, and who said it."""

LONG = (
    "a text of more than a hundred characters, which events hold as a reference to an attachment " + "x" * 60
)


@dataclass(frozen=True)
class Scenario:
    """One run.

    Args:
        task: The task, without a scorer of its own.
        model: The model that plays it.
        run: What scope ``run`` must hold.
        conversation: What scope ``conversation`` must hold; None where it is the texts of ``run``.
        model_calls: What scope ``model-calls`` must hold; None where it is ``run``.
        output: The final output.
        options: Options of the eval.
        scorers: Scorers of its own.
        fails: Whether the sample ends in an error.
    """

    task: Task
    model: Model
    run: list[Said]
    conversation: list[str] | None = None
    model_calls: list[Said] | None = None
    output: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    scorers: list[Scorer] = field(default_factory=list)
    fails: bool = False


SCENARIOS: dict[str, Callable[[], Scenario]] = {}


def scenario(make: Callable[[], Scenario]) -> Callable[[], Scenario]:
    SCENARIOS[make.__name__] = make
    return make


def task(plan: Solver | Agent | list[Solver], input: str | list[ChatMessage] = "x", **sample: Any) -> Task:
    return Task(dataset=[Sample(input=input, id="a", target="3", **sample)], solver=plan)


def step(do: Callable[[TaskState, Generate], Any]) -> Solver:
    """A solver from a function."""

    @solver(name=do.__name__)
    def wrapped() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            return await do(state, generate) or state

        return solve

    return wrapped()


# --- the plain conversation


@scenario
def one_answer() -> Scenario:
    return Scenario(task(generate()), mock([says(LONG)]), [LONG], output=LONG)


@scenario
def few_shot_input() -> Scenario:
    input: list[ChatMessage] = [
        ChatMessageUser(content="hi"),
        ChatMessageAssistant(content="few-shot answer"),
        ChatMessageUser(content="again"),
    ]
    return Scenario(
        task([system_message("be brief"), generate()], input),
        mock([says("few-shot answer")]),
        ["few-shot answer"],
    )


@scenario
def prefilled_input() -> Scenario:
    input: list[ChatMessage] = [ChatMessageUser(content="hi"), ChatMessageAssistant(content="Sure, I")]
    return Scenario(task(generate(), input), mock([says(" will.")]), [" will."])


@scenario
def written_by_hand() -> Scenario:
    async def by_hand(state: TaskState, generate: Generate) -> TaskState:
        state.messages.append(ChatMessageAssistant(content="before"))
        state = await generate(state)
        state.messages.append(ChatMessageAssistant(content="after", source="generate"))
        state.messages.append(ChatMessageAssistant(content="after that"))
        return await generate(state)

    return Scenario(
        task(step(by_hand)),
        mock([says("one"), says("two")]),
        ["before", "one", "after", "after that", "two"],
        output="two",
    )


@scenario
def nothing_said() -> Scenario:
    async def idle(state: TaskState, generate: Generate) -> None:
        return None

    return Scenario(task(step(idle)), mock([]), [], output=None)


@scenario
def empty_answer() -> Scenario:
    return Scenario(task(generate()), mock([says("")]), [""], output="")


@scenario
def several_choices() -> Scenario:
    return Scenario(
        task(generate(num_choices=3)),
        mock([says("first", "second", "third")]),
        ["first", "second", "third"],
        conversation=["first"],
        output="first",
    )


@scenario
def kinds_of_content() -> Scenario:
    answer = says(
        [
            ContentReasoning(reasoning="a reason", summary="its summary"),
            ContentText(text="visible A"),
            ContentToolUse(tool_type="web_search", id="s1", name="search", arguments="{}", result="a result"),
            ContentData(data={"key": "data"}),
            ContentText(text="I cannot", refusal=True),
        ]
    )
    return Scenario(task(generate()), mock([answer]), ["visible A\nI cannot"])


@scenario
def think_block_left_in_text() -> Scenario:
    return Scenario(
        task(generate()), mock([says("<think>a plan</think>done")]), ["<think>a plan</think>done"]
    )


@scenario
def refusal() -> Scenario:
    answer = says("I can't help", stop="content_filter")
    answer.error = "refused"
    return Scenario(task(generate()), mock([answer]), ["I can't help"])


# --- what a conversation loses


@scenario
def edited_afterwards() -> Scenario:
    async def edit(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.messages[-1].content = "edited"
        state.output.completion = "edited output"
        return state

    return Scenario(
        task(step(edit)), mock([says(LONG)]), [("edited", LONG, None)], ["edited"], output="edited output"
    )


@scenario
def overwritten_conversation() -> Scenario:
    async def forgetful(state: TaskState, generate: Generate) -> TaskState:
        for _ in range(3):
            state = await generate(state)
            state.messages = [state.messages[0], state.messages[-1], ChatMessageUser(content="go on")]
        return state

    return Scenario(
        task(step(forgetful)),
        mock([says("one"), says("two"), says("three")]),
        ["one", "two", "three"],
        ["three"],
    )


@scenario
def one_message_twice_in_the_conversation() -> Scenario:
    async def repeat(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.messages.append(state.messages[-1])
        by_hand = ChatMessageAssistant(content="by hand")
        state.messages += [by_hand, by_hand]
        return state

    return Scenario(
        task(step(repeat)),
        mock([says("once")]),
        ["once", "by hand"],
        ["once", "once", "by hand", "by hand"],
        output="once",
    )


@scenario
def one_message_and_an_edited_copy_of_it() -> Scenario:
    async def edit_a_copy(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.messages.append(state.messages[-1].model_copy(update={"content": "edited"}))
        return state

    return Scenario(task(step(edit_a_copy)), mock([says("once")]), ["once", "edited"], output="once")


@scenario
def outputs_that_share_an_id() -> Scenario:
    """As templates and replayed outputs give them; what is said again in the same words is one message."""
    template = says("")
    answers = iter(["aside one", "aside two", "aside two", "to be edited", "kept", "last"])

    def play(*_: object) -> ModelOutput:
        output = template.model_copy(deep=True)
        output.choices[0].message.content = next(answers)
        return output

    async def several(state: TaskState, generate: Generate) -> TaskState:
        for _ in range(3):
            await get_model().generate("an aside")
        state = await generate(state)
        state.messages[-1] = state.messages[-1].model_copy(update={"content": "edited"})
        return await generate(await generate(state))

    return Scenario(
        task(step(several)),
        mock(play),
        ["aside one", "aside two", ("edited", "to be edited", None), "kept", "last"],
        ["edited", "kept", "last"],
        output=None,
    )


@scenario
def replaced_by_new_messages() -> Scenario:
    async def replace(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.messages.append(ChatMessageUser(content="go on"))
        state = await generate(state)
        state.messages[-1] = ChatMessageAssistant(content="rewritten")
        state.messages[1] = ChatMessageAssistant(content="rewritten first")
        return state

    return Scenario(
        task(step(replace)),
        mock([says("first"), says("second")]),
        ["first", "rewritten first", "second", "rewritten"],
        ["rewritten first", "rewritten"],
        output="second",
    )


@scenario
def history_replaced_by_a_summary() -> Scenario:
    async def summarise(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(await generate(state))
        state.messages[1:] = [ChatMessageAssistant(content="a summary by hand")]
        state = await generate(state)
        state.messages[-1:] = [ChatMessageAssistant(content="a last word")]
        return state

    return Scenario(
        task(step(summarise)),
        mock([says("one"), says("two"), says("three")]),
        ["one", "two", "a summary by hand", "three", "a last word"],
        ["a summary by hand", "a last word"],
        output="three",
    )


@scenario
def written_by_hand_before_a_message_that_is_replaced() -> Scenario:
    async def by_hand(state: TaskState, generate: Generate) -> TaskState:
        state.messages.append(ChatMessageAssistant(content="by hand"))
        state = await generate(state)
        state.messages[-1] = ChatMessageAssistant(content="rewritten")
        state.messages.insert(1, ChatMessageAssistant(content="put first"))
        return await generate(state)

    return Scenario(
        task(step(by_hand)),
        mock([says("one"), says("two")]),
        ["put first", "by hand", "one", "rewritten", "two"],
        ["put first", "by hand", "rewritten", "two"],
        output="two",
    )


@scenario
def prefill_that_is_completed() -> Scenario:
    input: list[ChatMessage] = [ChatMessageUser(content="hi"), ChatMessageAssistant(content="Sure, ")]

    async def complete(state: TaskState, generate: Generate) -> TaskState:
        state.output = await get_model().generate(state.messages)
        whole = "Sure, " + state.output.completion
        state.messages[-1] = state.messages[-1].model_copy(update={"content": whole})
        return state

    return Scenario(
        task(step(complete), input),
        mock([says("I will")]),
        ["I will", "Sure, I will"],
        ["Sure, I will"],
        output="I will",
    )


@scenario
def few_shot_message_that_is_said_after_all() -> Scenario:
    input: list[ChatMessage] = [
        ChatMessageUser(content="hi"),
        ChatMessageAssistant(content="few-shot"),
        ChatMessageUser(content="again"),
    ]

    async def without(state: TaskState, generate: Generate) -> TaskState:
        del state.messages[1]
        state = await generate(state)
        state.messages.append(ChatMessageAssistant(content="few-shot"))
        return state

    return Scenario(task(step(without), input), mock([says("one")]), ["one", "few-shot"], output="one")


@scenario
def calls_on_the_side() -> Scenario:
    async def aside(state: TaskState, generate: Generate) -> TaskState:
        await get_model().generate("what would a critic say?")
        return await generate(state)

    return Scenario(
        task(step(aside)),
        mock([says("an aside"), says("the answer")]),
        ["an aside", "the answer"],
        ["the answer"],
    )


@scenario
def cache_reads() -> Scenario:
    async def three_times(state: TaskState, generate: Generate) -> TaskState:
        asked = list(state.messages)
        state = await generate(state, cache=True)
        for _ in range(2):
            await get_model().generate(asked, cache=True)
        return state

    return Scenario(task(step(three_times), "to be cached"), mock([says("kept")]), ["kept"])


@scenario
def history_truncated_on_overflow() -> Scenario:
    answers = iter(
        [
            calls("add", "turn one", x=1, y=1),
            calls("add", "turn two", x=2, y=2),
            says("no room", stop="model_length"),
        ]
    )

    def play(
        input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        return next(answers, None) or submits("3", "the end")

    return Scenario(
        task(react(tools=[add()], truncation="auto")),
        mock(play),
        ["turn one", "turn two", "no room", ("the end\n\n3", "the end", None)],
        ["turn two", "the end\n\n3"],
        output="the end\n\n3",
    )


# --- agents


@scenario
def react_with_tools() -> Scenario:
    return Scenario(
        task(react(tools=[add()])),
        mock(
            [calls("add", "one", x=1, y=2), says("no call"), calls("add", "", x=3, y=2), submits("3", "done")]
        ),
        ["one", "no call", "", ("done\n\n3", "done", None)],
        output="done\n\n3",
    )


@scenario
def react_with_several_attempts() -> Scenario:
    return Scenario(
        task(react(attempts=2)),
        mock([submits("5", "first"), submits("3", "second")]),
        [("first\n\n5", "first", None), ("second\n\n3", "second", None)],
        scorers=[includes()],
        output="second\n\n3",
    )


def _sub_agent() -> Agent:
    return react(name="sub", description="A sub-agent.", tools=[add()])


def _sub_turns() -> list[ModelOutput]:
    return [calls("add", "sub one", x=1, y=2), submits("sub answer", "sub two")]


@scenario
def agent_as_tool() -> Scenario:
    return Scenario(
        task(react(name="main", tools=[as_tool(_sub_agent())])),
        mock([calls("sub", "main one", input="do it"), *_sub_turns(), submits("3", "main two")]),
        ["main one", ("sub one", "sub"), ("sub two", "sub"), ("main two\n\n3", "main two", None)],
        ["main one", "main two\n\n3"],
        output="main two\n\n3",
    )


@scenario
def agent_handed_over_to() -> Scenario:
    return Scenario(
        task(react(name="main", tools=[handoff(_sub_agent())])),
        mock([calls("transfer_to_sub", "main one"), *_sub_turns(), submits("3", "main two")]),
        [
            "main one",
            ("[sub] sub one\nadd(x=1, y=2)", "sub one", "sub"),
            ("[sub] sub two\n\nsub answer", "sub two", "sub"),
            ("main two\n\n3", "main two", None),
        ],
        output="main two\n\n3",
    )


@scenario
def agent_handed_over_to_that_reports_only_its_last() -> Scenario:
    return Scenario(
        task(react(name="main", tools=[handoff(_sub_agent(), output_filter=last_message)])),
        mock([calls("transfer_to_sub", "main one"), *_sub_turns(), submits("3", "main two")]),
        [
            "main one",
            ("sub one", "sub"),
            ("[sub] sub two\n\nsub answer", "sub two", "sub"),
            ("main two\n\n3", "main two", None),
        ],
        ["main one", "[sub] sub two\n\nsub answer", "main two\n\n3"],
        output="main two\n\n3",
    )


@scenario
def forked_solvers() -> Scenario:
    async def forking(state: TaskState, generate_: Generate) -> TaskState:
        await fork(state, [generate()])
        return await generate_(state)

    return Scenario(
        task(step(forking)),
        mock([says("in the fork"), says("in the trunk")]),
        [("in the fork", "generate"), "in the trunk"],
        ["in the trunk"],
    )


@agent
def speaker(name: str) -> Agent:
    async def execute(state: AgentState) -> AgentState:
        """Say one thing."""
        state.output = await get_model().generate(state.messages)
        state.messages.append(state.output.message)
        return state

    return execute


@scenario
def agents_one_after_the_other() -> Scenario:
    async def relay(state: TaskState, generate: Generate) -> TaskState:
        for name in ("planner", "doer"):
            ran = await run(speaker(name), state.messages, name=name)
            assert isinstance(ran, AgentState)
            state.messages, state.output = ran.messages, ran.output
        return state

    return Scenario(
        task(step(relay)),
        mock([says("plan"), says("deed")]),
        [("plan", "planner"), ("deed", "doer")],
        output="deed",
    )


@scenario
def agents_side_by_side() -> Scenario:
    def play(
        input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        return says(f"about {input[-1].text}")

    async def crowd(state: TaskState, generate: Generate) -> TaskState:
        async def one(name: str) -> None:
            await run(speaker(name), name, name=name)

        await collect(one("left"), one("right"))
        return await generate(state)

    return Scenario(
        task(step(crowd)),
        mock(play),
        [("about left", "left"), ("about right", "right"), "about x"],
        ["about x"],
    )


@scenario
def spans_that_users_open() -> Scenario:
    async def phases(state: TaskState, generate: Generate) -> TaskState:
        async with span("draft"):
            await get_model().generate("a draft")
        return await generate(state)

    return Scenario(
        task(step(phases)), mock([says("a draft"), says("final")]), [("a draft", "draft"), "final"], ["final"]
    )


# --- compaction

_STEP = "step {} " + "w" * 400


def _compacting(strategy: CompactionStrategy, *summaries: str) -> tuple[Task, Model]:
    written = iter(summaries)
    steps = iter([calls("add", _STEP.format(i), x=i, y=i) for i in range(5)])

    def play(
        input: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        answer = says(next(written)) if not tools else next(steps, None) or submits("3", "the end")
        assert answer.usage is not None
        answer.usage.input_tokens = sum(len(message.text) for message in input) // 4
        return answer

    return task(react(tools=[add()], compaction=strategy)), mock(play)


_STEPS: list[Said] = [_STEP.format(i) for i in range(5)]
_END: Said = ("the end\n\n3", "the end", None)


@scenario
def compacted_by_summary() -> Scenario:
    plan, model = _compacting(CompactionSummary(threshold=900, memory=False), "a summary")
    return Scenario(
        plan,
        model,
        [*_STEPS, _END],
        model_calls=[*_STEPS[:4], ("a summary", "compaction"), _STEPS[4], _END],
        output="the end\n\n3",
    )


@scenario
def compacted_by_summary_of_a_summary() -> Scenario:
    long = "a summary that is too long " + "s" * 3000
    plan, model = _compacting(CompactionSummary(threshold=900, memory=False), long, "a short summary")
    return Scenario(
        plan,
        model,
        [*_STEPS, _END],
        model_calls=[*_STEPS[:4], (long, "compaction"), ("a short summary", "compaction"), _STEPS[4], _END],
        output="the end\n\n3",
    )


@scenario
def compacted_by_trimming() -> Scenario:
    plan, model = _compacting(CompactionTrim(threshold=900, memory=False, preserve=0.4))
    return Scenario(plan, model, [*_STEPS, _END], output="the end\n\n3")


@scenario
def compacted_by_editing() -> Scenario:
    plan, model = _compacting(CompactionEdit(threshold=900, memory=False, keep_tool_uses=1))
    return Scenario(plan, model, [*_STEPS, _END], output="the end\n\n3")


@scenario
def compacted_by_a_summary_where_the_provider_cannot() -> Scenario:
    strategy = CompactionAuto(threshold=900, memory=False)
    plan, model = _compacting(strategy, "a summary")
    summarised = [*_STEPS[:4], ("a summary", "compaction"), _STEPS[4], _END]
    return Scenario(plan, model, [*_STEPS, _END], model_calls=summarised, output="the end\n\n3")


async def _compacted(input: list[ChatMessage], *args: Any) -> tuple[list[ChatMessage], None]:
    """What a provider's own compaction gives: a block that only the provider can read."""
    block = ContentData(data={"compaction_metadata": {"type": "compaction", "encrypted": "e" * 40}})
    return [ChatMessageAssistant(content=[block])], None


@scenario
def compacted_by_the_provider() -> Scenario:
    plan, model = _compacting(CompactionNative(threshold=900, memory=False))
    model.api.compact = _compacted  # type: ignore[assignment,method-assign]
    return Scenario(plan, model, [*_STEPS, _END], output="the end\n\n3")


# --- agents of other frameworks


@agent
def bridged(system: str) -> Agent:
    """An agent on OpenAI's client, which sends all that was said with each request, as new messages."""

    async def execute(state: AgentState) -> AgentState:
        async with agent_bridge(state) as bridge:
            client = AsyncOpenAI(api_key="none")
            sent: list[Any] = [{"role": "system", "content": system}]
            sent += [{"role": message.role, "content": message.text} for message in state.messages]
            for question in ("go on", "and on"):
                answer = await client.chat.completions.create(model="inspect", messages=sent)
                sent.append({"role": "assistant", "content": answer.choices[0].message.content})
                sent.append({"role": "user", "content": question})
            await client.chat.completions.create(model="inspect", messages=sent)
        return bridge.state

    return execute


@scenario
def agent_bridged_from_openai() -> Scenario:
    few_shot: list[ChatMessage] = [
        ChatMessageUser(content="a question"),
        ChatMessageAssistant(content="few-shot"),
        ChatMessageUser(content="the question"),
    ]
    return Scenario(
        task(bridged("be brief"), few_shot),
        mock([says("one " + LONG), says("few-shot"), says("three")]),
        ["one " + LONG, "few-shot", "three"],
    )


# --- guards, judges and scoring


@scenario
def judged_after_the_run() -> Scenario:
    judge = model_graded_qa(model=mock([says("GRADE: C, says the judge")]))
    return Scenario(task(generate()), mock([says("the answer")]), ["the answer"], scorers=[judge])


@scorer(metrics=[accuracy()])
def asks_a_judge(role: str | None) -> Scorer:
    async def execute(state: TaskState, target: Target) -> Score:
        verdict = await mock([says("says the judge")], role=role).generate("is it right?")
        return Score(value=1, answer=verdict.completion)

    return execute


async def score_midway(state: TaskState, generate: Generate) -> TaskState:
    state = await generate(state)
    await score(state)
    return await generate(state)


@scenario
def judged_midway_in_the_grader_role() -> Scenario:
    return Scenario(
        task(step(score_midway)),
        mock([says("one"), says("two")]),
        ["one", "two"],
        model_calls=["one", ("says the judge", "grader"), "two"],
        scorers=[asks_a_judge("grader")],
    )


@scenario
def judged_midway_by_what_looks_like_the_agent() -> Scenario:
    """Nothing in the record tells this judge from the agent's own thinking."""
    return Scenario(
        task(step(score_midway)),
        mock([says("one"), says("two")]),
        ["one", "says the judge", "two"],
        ["one", "two"],
        scorers=[asks_a_judge(None)],
    )


@scenario
def judged_midway_in_a_scorer_span() -> Scenario:
    async def judged(state: TaskState, generate: Generate) -> TaskState:
        async with span("a judge", type="scorer"):
            await get_model().generate("is it right?")
        return await generate(state)

    return Scenario(
        task(step(judged)),
        mock([says("says the judge"), says("one")]),
        ["one"],
        model_calls=[("says the judge", "scorer"), "one"],
    )


@scenario
def watched_by_a_guard() -> Scenario:
    async def guarded(state: TaskState, generate: Generate) -> TaskState:
        async with span("sentinel", type="sentinel"):
            await get_model().generate("is it safe?")
        await mock([says("by role")], role="monitor").generate("is it safe?")
        return await generate(state)

    return Scenario(
        task(step(guarded)),
        mock([says("by span"), says("one")]),
        ["one"],
        model_calls=[("by span", "sentinel"), ("by role", "monitor"), "one"],
    )


@scenario
def guard_whose_words_enter_the_conversation() -> Scenario:
    async def guarded(state: TaskState, generate: Generate) -> TaskState:
        stepped_in = await mock([says("the guard steps in")], role="guard").generate("is it safe?")
        state.messages.append(stepped_in.message)
        return await generate(state)

    return Scenario(task(step(guarded)), mock([says("one")]), ["the guard steps in", "one"], output="one")


@scenario
def agent_in_a_role_of_its_own() -> Scenario:
    async def debate(state: TaskState, generate: Generate) -> TaskState:
        await mock([says("the opponent")], role="opponent").generate("argue")
        return await generate(state)

    return Scenario(task(step(debate)), mock([says("one")]), ["the opponent", "one"], ["one"])


# --- how runs end


@scenario
def sample_that_fails() -> Scenario:
    async def fails(state: TaskState, generate: Generate) -> TaskState:
        await generate(state)
        raise ValueError("it broke")

    return Scenario(
        task(step(fails)),
        mock([says("said before")]),
        ["said before"],
        output="said before",
        options={"fail_on_error": False},
        fails=True,
    )


@scenario
def sample_that_fails_and_is_tried_again() -> Scenario:
    """The attempt that failed is a run of its own, of which the log keeps only the last events."""
    tries = iter([True, False])

    async def flaky(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        if next(tries):
            raise ValueError("it broke")
        return state

    return Scenario(
        task(step(flaky)),
        mock([says("first attempt"), says("second attempt")]),
        ["second attempt"],
        options={"retry_on_error": 1},
    )


@scenario
def sample_stopped_by_a_limit() -> Scenario:
    return Scenario(
        task(react(tools=[add()])),
        mock([calls("add", f"turn {i}", x=1, y=i) for i in range(9)]),
        ["turn 0", "turn 1"],
        options={"message_limit": 6},
        output="turn 1",
    )


@scenario
def sample_stopped_by_the_operator() -> Scenario:
    async def stopped(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        running = sample_active()
        assert running is not None
        running.interrupt("score")
        return await generate(state)

    return Scenario(task(step(stopped)), mock([says("one"), says("two")]), ["one"], output="one")


@scenario
def model_call_that_fails() -> Scenario:
    async def persistent(state: TaskState, generate: Generate) -> TaskState:
        def broken(*_: object) -> ModelOutput:
            raise RuntimeError("the model is down")

        with suppress(RuntimeError):
            await mock(broken).generate("anyone there?")
        return await generate(state)

    return Scenario(task(step(persistent)), mock([says("one")]), ["one"])


@scenario
def solvers_in_a_chain() -> Scenario:
    return Scenario(
        task(chain(react(name="main", tools=[add()]), generate())),
        mock([submits("3", "one"), says("two")]),
        [("one\n\n3", "one", "main"), "two"],
        output="two",
    )
