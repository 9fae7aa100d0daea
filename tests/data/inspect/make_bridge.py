"""Make `bridge.eval`: an agent of the OpenAI package over Inspect's bridge, which replays its history in each request.

usage: python make_bridge.py FOLDER   (needs the packages inspect-ai and openai; no network)
"""

import os
import sys
from glob import glob

from inspect_ai import Task, eval
from inspect_ai.agent import agent, agent_bridge
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from openai import AsyncOpenAI

LONG = "long enough to be stored as an attachment of the sample and not within its events " + "x" * 60


def says(text):
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


@agent
def client():
    async def execute(state):
        async with agent_bridge(state) as bridge:
            openai = AsyncOpenAI(api_key="none")
            messages = [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": "few-shot"},
                {"role": "user", "content": "go"},
            ]
            for _ in range(3):
                answer = await openai.chat.completions.create(model="inspect", messages=messages)
                messages.append({"role": "assistant", "content": answer.choices[0].message.content})
                messages.append({"role": "user", "content": "go on"})
            return bridge.state

    return execute


input = [ChatMessageUser(content="hi"), ChatMessageAssistant(content="few-shot"), ChatMessageUser(content="go")]
(log,) = eval(
    Task(dataset=[Sample(input=input, target="three", id="a")], solver=client(), scorer=includes()),
    model=get_model("mockllm/model", custom_outputs=[says("one " + LONG), says("few-shot"), says("three")], memoize=False),
    log_dir=sys.argv[1],
    display="none",
)
print(log.status, log.error, log.samples and log.samples[0].error)
(made,) = glob(os.path.join(sys.argv[1], "*_task_*.eval"))
os.rename(made, os.path.join(sys.argv[1], "bridge.eval"))
