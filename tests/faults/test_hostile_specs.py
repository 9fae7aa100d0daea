"""Specs run no code, read no other files and reach no network; nothing that is written carries a key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.faults.originals import CHATS, SPEC
from tests.langsmith.loopback import API_KEY, Loopback
from tests.langsmith.project_runs import trace

# what a process does while it loads specs and grades: the audit hook sees it all, in C code too
CHILD = """
import json, sys
from turngrade.adapters.cli.app import run

seen = []
watched = (
    "open", "exec", "os.exec", "os.fork", "os.system", "os.posix_spawn", "subprocess.Popen", "ctypes.dlopen",
    "socket.__new__", "socket.connect", "socket.getaddrinfo", "urllib.Request", "pickle.find_class",
    "os.remove", "os.rename", "os.mkdir", "shutil.rmtree",
)
sys.argv.pop(0)
run(["grade", "sound.yaml", "chats.jsonl", "-q", "-o", "first.jsonl"])  # all that is imported has been
sys.addaudithook(lambda event, args: seen.append([event, repr(args)]) if event in watched else None)
codes = [run(["lint", sys.argv[0]]), run(["grade", sys.argv[0], "chats.jsonl", "-q", "-o", "out.jsonl"])]
seen.append(["codes", codes])
print()
print(json.dumps(seen))
"""

GRADER = "- {type: output-contains, config: {substring: x}}"
SPECS = {
    "python tag": "graders: !!python/object/apply:os.system ['touch pwned']",
    "python name": "graders:\n- !!python/name:os.system {}",
    "python module": "name: !!python/module:antigravity\ngraders:\n" + GRADER,
    "python new": "graders: !!python/object/new:type {args: ['z', [], {}], state: !!python/name:exec }",
    "python tuple": "graders: !!python/tuple [1]",
    "own tag": "graders: !include /etc/passwd",
    "own tag in an item": "graders:\n- !ENV ${HOME}",
    "binary": "name: !!binary aGk=\ngraders:\n" + GRADER,
    "set": "graders: !!set {a, b}",
    "tag directive": "%TAG ! tag:yaml.org,2002:python/\n---\ngraders: !name:os.system x",
    "include": "include: /etc/passwd\ngraders:\n" + GRADER,
    "extends": "extends: ../../etc/passwd\ngraders:\n" + GRADER,
    "reference": "$ref: file:///etc/passwd\ngraders:\n" + GRADER,
    "schema": "$schema: http://127.0.0.1:9/evil.json\ngraders:\n" + GRADER,
    "schema of a file": "$schema: /etc/passwd\ngraders:\n" + GRADER,
    "url": "graders: http://127.0.0.1:9/graders.yaml",
    "path": "graders: /etc/passwd",
    "several documents": "graders: []\n---\ngraders: []",
    "template": "name: '{{ self.__init__.__globals__ }}${jndi:ldap://127.0.0.1/a}'\ngraders:\n" + GRADER,
    "merge": "a: &a {type: x}\ngraders:\n- <<: *a",
    "aliases": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\ngraders: [*b,*b,*b,*b]",
    "code in a pattern": "graders:\n- {type: output-matches, config: {pattern: '(?{system(1)})'}}",
    "vally": "stimuli:\n- name: ../../etc/passwd\n  prompt: x\n  graders:\n"
    "  - {type: run-command, config: {command: touch pwned}}",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sound.yaml").write_text(SPEC)
    (tmp_path / "chats.jsonl").write_bytes(CHATS.data)
    return tmp_path


@pytest.mark.parametrize("name", SPECS)
def test_a_spec_only_says_what_is_looked_for(folder: Path, name: str) -> None:
    (folder / "evil.yaml").write_text(SPECS[name])
    done = subprocess.run(
        [sys.executable, "-c", CHILD, "evil.yaml"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    events = json.loads(done.stdout.splitlines()[-1])
    kind, codes = events.pop()
    assert kind == "codes"
    assert set(codes) <= {0, 1, 3, 4, 5}
    assert [event for event in events if not _is_ours(folder, *event)] == []
    assert not (folder / "pwned").exists()
    assert "root:" not in done.stdout + done.stderr


def _is_ours(folder: Path, event: str, args: str) -> bool:
    """Whether an event is the reading of spec, source and our own modules, or the writing of the output."""
    if event == "exec":  # of modules, as they are imported
        return "<code object <module>" in args or "<string>" in args
    if event in ("os.remove", "os.rename", "os.mkdir", "shutil.rmtree"):
        return "out.jsonl" in args or "/turngrade-" in args
    if event != "open":
        return False
    path = args[1:].split(",")[0].strip("'\"")
    if path.isdigit():  # a descriptor, which was opened before
        return True
    ours = (
        str(folder),
        "/tmp",
        sys.prefix,
        sys.base_prefix,
        *(part for part in sys.path if part),
        "/dev/null",
    )
    known = ("evil.yaml", "chats.jsonl", "out.jsonl", ".out.jsonl")
    return os.path.basename(path).startswith(known) or (path.startswith(ours) and "passwd" not in path)


def test_the_watch_sees_what_a_spec_could_do(folder: Path) -> None:
    (folder / "evil.yaml").write_text(SPEC)
    spy = CHILD.replace(
        'run(["lint", sys.argv[0]])', 'open("/etc/passwd").close() or __import__("socket").socket()'
    )
    spy = spy.replace("codes])", "str(codes)])")
    done = subprocess.run(
        [sys.executable, "-c", spy, "evil.yaml"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    events = json.loads(done.stdout.splitlines()[-1])
    foreign = {event for event, args in events[:-1] if not _is_ours(folder, event, args)}
    assert foreign == {"open", "socket.__new__"}


# --- keys


SECRET = "sk-not-a-real-secret-4711"


def _said(folder: Path, *args: str, **env: str) -> str:
    """All that a call prints and writes."""
    done = subprocess.run(
        [sys.executable, "-m", "turngrade.adapters.cli", *args],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    written = (path.read_bytes() for path in folder.glob("out.*"))
    return (done.stdout + done.stderr + b"".join(written)).decode("utf-8", "replace")


@pytest.mark.parametrize(
    "fault",
    [
        {},
        {"status": 401},
        {"status": 403},
        {"status": 422},
        pytest.param({"drop": "before"}, marks=pytest.mark.slow),  # half a minute of tries
        {"body": {"detail": API_KEY}, "status": 400},
    ],
)
def test_a_key_of_langsmith_is_never_shown(folder: Path, fault: dict[str, Any]) -> None:
    with Loopback() as server:
        server.store.add_trace("shop", trace(1, "first", "last"))
        if fault:
            server.inject("POST", "/", times=99, **fault)
            server.inject("GET", "/", times=99, **fault)
        env = {
            "LANGSMITH_ENDPOINT": server.url,
            "LANGSMITH_API_KEY": API_KEY,
            "TURNGRADE_TEST_SECRET": SECRET,
        }
        said = _said(
            folder, "grade", "sound.yaml", "langsmith:shop", "--write-back", "-o", "out.jsonl", **env
        )
    assert "langsmith:shop" in said
    assert API_KEY not in said
    assert API_KEY[8:] not in said
    assert SECRET not in said


@pytest.mark.parametrize(
    "url",
    [
        f"https://user:{SECRET}@127.0.0.1:9/log.eval",
        f"https://127.0.0.1:9/log.eval?X-Amz-Signature={SECRET}",
        f"http://127.0.0.1:9/log.eval?token={SECRET}#{SECRET}",
        f"memory://user:{SECRET}@bucket/*log.eval",
        f"nosuch://{SECRET}@bucket/log.eval",
    ],
)
def test_a_secret_in_a_url_is_never_shown(folder: Path, url: str) -> None:
    env = {"AWS_SECRET_ACCESS_KEY": SECRET, "AWS_ACCESS_KEY_ID": "x"}
    said = _said(
        folder, "grade", "sound.yaml", url, "-o", "out.jsonl", "-o", "out.md", "-o", "out.html", **env
    )
    assert "log.eval" in said
    assert SECRET not in said
