"""A local Ray cluster of several nodes; Ray is imported when a test asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.s3_server import s3, s3_server

__all__ = ["s3", "s3_server"]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A cluster of three nodes with a CPU each, to which this process is connected."""
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    for _ in range(2):
        made.add_node(num_cpus=1)
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield made
    ray.shutdown()
    made.shutdown()
