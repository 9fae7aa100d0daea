"""What runs the files of the pages that need a model or a server: a script for each."""

SUPPORT_TASK = """
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from support_task import support

output = ModelOutput.from_content("mockllm/model", "I promise you a full refund for ORD-20481937.")
output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
[log] = eval(support(), model=get_model("mockllm/model", custom_outputs=[output]), display="none")
assert log.results is not None
values = {score.name: score.metrics["accuracy"].value for score in log.results.scores}
assert values == {"no-refund-promise": 0, "names-the-order": 1, "aggregate": 0.5}
"""

EXPERIMENT = """
import os
import runpy

from langsmith import Client
from langsmith.run_trees import get_cached_client
from tests.langsmith.loopback import API_KEY, Loopback

with Loopback() as server:
    os.environ |= {"LANGSMITH_ENDPOINT": server.url, "LANGSMITH_API_KEY": API_KEY}
    dataset = Client().create_dataset("support questions")
    Client().create_examples(dataset_id=dataset.id, examples=[{"inputs": {"question": "Refund?"}}])
    runpy.run_path("experiment.py")
    get_cached_client().flush()

scores = {row["key"]: row["score"] for row in server.store.feedback}
assert scores == {"no-refund-promise": 0, "names-the-order": 1}, scores
"""

DRIVERS = {("README.md", "support_task.py"): SUPPORT_TASK, ("README.md", "experiment.py"): EXPERIMENT}
