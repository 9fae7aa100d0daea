"""Grading on a Ray cluster: Ray Data datasets of transcripts, and files on shared or object storage."""

from turngrade.adapters.ray.datasets import grade_dataset
from turngrade.adapters.ray.shards import ShardResult, grade_shards, shard_path

__all__ = ["ShardResult", "grade_dataset", "grade_shards", "shard_path"]
