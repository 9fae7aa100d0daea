"""Grading on a Ray cluster: Ray Data datasets of transcripts, and files on shared or object storage."""

from turngrade.adapters.ray.connection import NoCluster, connected
from turngrade.adapters.ray.datasets import grade_dataset
from turngrade.adapters.ray.shards import ClusterFailed, ShardResult, grade_shards, shard_name, write_shards
from turngrade.adapters.ray.storage import Folder

__all__ = [
    "ClusterFailed",
    "Folder",
    "NoCluster",
    "ShardResult",
    "connected",
    "grade_dataset",
    "grade_shards",
    "shard_name",
    "write_shards",
]
