"""Make the logs `old-VERSION.eval`: run with the Python of an environment that has that inspect-ai release.

usage: python make_old.py FOLDER
"""

import os
import sys
from glob import glob

import inspect_ai
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes, model_graded_qa
from inspect_ai.solver import fork, generate, solver, use_tools
from inspect_ai.tool import tool

try:
    from inspect_ai.util import subtask
except ImportError:
    from inspect_ai.solver import subtask

LONG = "long enough to be stored as an attachment of the sample and not within its events " + "x" * 60


def says(text):
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def calls(text, function, **arguments):
    output = ModelOutput.for_tool_call("mockllm/model", function, arguments)
    output.choices[0].message.content = text
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


@tool
def oracle():
    async def execute(question: str):
        """Ask a model.

        Args:
            question (str): The question.
        """
        return (await get_model().generate(question)).completion

    return execute


@subtask
async def helper(question: str):
    return (await get_model().generate(question)).completion


@solver
def play():
    async def solve(state, generate_):
        await helper("help")
        await fork(state, [generate()])
        state.messages.append(ChatMessageAssistant(content="written by hand"))
        return await generate_(state)

    return solve


outputs = [
    says("from the subtask " + LONG),
    says("from the fork " + LONG),
    calls("asks the oracle " + LONG, "oracle", question="?"),
    says("from the oracle " + LONG),
    says("the answer " + LONG),
]
input = [ChatMessageUser(content="hi"), ChatMessageAssistant(content="few-shot"), ChatMessageUser(content="go")]
judge = get_model("mockllm/model", custom_outputs=[says("GRADE: C, says the judge " + LONG)], memoize=False)
(log,) = eval(
    Task(
        dataset=[Sample(input=input, target="answer", id="s/1")],
        solver=[use_tools(oracle()), play()],
        scorer=[includes(), model_graded_qa(model=judge)],
    ),
    model=get_model("mockllm/model", custom_outputs=outputs, memoize=False),
    log_dir=sys.argv[1],
    log_format="eval",
)
print(inspect_ai.__version__, log.status, log.error)
(made,) = glob(os.path.join(sys.argv[1], "*_task_*.eval"))
os.rename(made, os.path.join(sys.argv[1], f"old-{inspect_ai.__version__}.eval"))
