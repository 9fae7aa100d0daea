"""What the benchmark of matching compares finds the same; how fast it is, `make bench` says."""

from __future__ import annotations

from tests.benchmarks import bench_matching as bench
from tests.benchmarks.messages import messages
from tests.benchmarks.patterns40 import PATTERNS

from turngrade.core import Transcript, load_spec


def test_forty_graders_find_what_a_plain_loop_and_v8_find() -> None:
    texts = messages(250_000)
    assert 0.02 < sum(not text.isascii() for text in texts) / len(texts) < 0.2
    assert any("😀" in text for text in texts)
    runs = [texts[at : at + bench.MESSAGES_A_RUN] for at in range(0, len(texts), bench.MESSAGES_A_RUN)]
    transcripts = [Transcript.from_texts(run) for run in runs]
    spec = load_spec([bench.grader(*pattern) for pattern in PATTERNS])
    expected = sorted(bench.plain_loop(texts, [bench.Plain(*pattern) for pattern in PATTERNS]))
    assert len({hit.name for hit in expected}) > 10
    assert sorted(bench.graded(spec, transcripts)) == expected
    with bench.without_re2():
        assert sorted(bench.graded(spec, transcripts)) == expected
    short = [text for text in texts if len(text) < 2_000]
    hits = bench.plain_loop(short, [bench.Plain(*pattern) for pattern in PATTERNS])
    v8 = bench.node_loop(short, giving_up_after=60)
    assert v8["counts"] == {name: sum(hit.name == name for hit in hits) for name, _, _ in PATTERNS}
