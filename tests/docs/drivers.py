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

PROJECT = """
import os
import runpy
from datetime import UTC, datetime

from tests.langsmith.loopback import API_KEY, Loopback

run = {"id": "0190a1b2-0000-7000-8000-000000000001", "run_type": "chain", "name": "support-agent"}
run |= {"trace_id": run["id"], "start_time": datetime.now(UTC).isoformat(), "dotted_order": "Z" + run["id"]}
run |= {"end_time": run["start_time"], "inputs": {}, "outputs": {"answer": "I promise you a refund."}}

with Loopback() as server:
    os.environ |= {"LANGSMITH_ENDPOINT": server.url, "LANGSMITH_API_KEY": API_KEY}
    server.store.add_trace("my-project", [run])
    for _ in range(2):
        runpy.run_path("grade_project.py")

scores = sorted((row["key"], row["score"]) for row in server.store.feedback)  # posted side by side
assert scores == [("no-refund-promise", False), ("thanks", False)], scores
"""

DRIVERS = {
    ("README.md", "support_task.py"): SUPPORT_TASK,
    ("README.md", "experiment.py"): EXPERIMENT,
    ("langsmith.md", "grade_project.py"): PROJECT,
    ("scale.md", "make_transcripts.py"): "import runpy; runpy.run_path('make_transcripts.py')",
}
