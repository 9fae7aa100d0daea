"""Parquet files of conversations as sources: each is one, also in a folder of nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.support import SPEC, Command, said

from turngrade.adapters.cli.reading import kind_of
from turngrade.core import Transcript, transcript_table

Write = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path, write: Write) -> Path:
    """Two files, of which one says who speaks."""
    made = tmp_path / "chats"
    made.mkdir()
    chats = [said("a", "Your refund is approved"), said("b", "No.")]
    pq.write_table(pa.Table.from_pylist(chats), made / "0.parquet")
    transcripts = [Transcript.from_texts(["Your refund was issued"], id="c", source="run.eval")]
    pq.write_table(transcript_table(transcripts), made / "1.parquet")
    write("spec.yaml", SPEC)
    return made


def test_each_file_of_a_folder_is_a_source(folder: Path, turngrade: Command) -> None:
    assert {kind_of(path) for path in folder.iterdir()} == {"plain"}
    result = turngrade("grade", "spec.yaml", "chats", "--only", "no-refund-promise", "-o", "-")
    assert [(row["source"], row["id"], row["passed"]) for row in result.rows] == [
        ("chats/0.parquet", "a", False),
        ("chats/0.parquet", "b", True),
        ("run.eval", "c", False),
    ]


def test_verdicts_beside_them_are_left_out(folder: Path, turngrade: Command) -> None:
    turngrade("grade", "spec.yaml", "chats", "-o", "chats/verdicts.parquet")
    again = turngrade("grade", "spec.yaml", "chats", "-o", "-", "--show", "none")
    assert len(again.rows) == 3
    assert "chats/verdicts.parquet: skipped: verdicts that turngrade wrote" in again.err


@pytest.mark.parametrize("chosen", [{}, {"ARROW_DEFAULT_MEMORY_POOL": "mimalloc"}])
def test_arrow_takes_its_memory_from_the_system(
    chosen: dict[str, str], folder: Path, environment: dict[str, str]
) -> None:
    """Its own allocator would keep more and more of it; who wants that one can have it."""
    code = "\n".join(
        [
            "from turngrade.adapters.cli.app import run",
            "run(['grade', 'spec.yaml', 'chats', '-q'])",
            "import pyarrow",
            "print(pyarrow.default_memory_pool().backend_name)",
        ]
    )
    command = [sys.executable, "-c", code]
    environment.pop("ARROW_DEFAULT_MEMORY_POOL", None)
    env = {**environment, **chosen}
    done = subprocess.run(command, cwd=folder.parent, env=env, text=True, capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == chosen.get("ARROW_DEFAULT_MEMORY_POOL", "system")
