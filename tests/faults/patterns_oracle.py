"""What must hold of any pattern: nothing raised but ``InvalidPattern``, and agreement with Node.

Random bytes become a pattern, flags and texts; the pattern goes the way that users' patterns go, through both
engines, and Node says what is right.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator
from random import Random
from zlib import crc32

from tests.dialect import generators
from tests.dialect.engine import widened
from tests.dialect.generators import TextGenerator
from tests.dialect.node_judge import Case, GroupSpans, Judge, Ruling

from turngrade.core.dialect import (
    Deadline,
    InvalidPattern,
    Match,
    MatchError,
    Pattern,
    PatternTooLarge,
    Subject,
    compile_pattern,
    parse,
)
from turngrade.core.dialect.nfa import Unsuitable
from turngrade.core.dialect.utf16 import join_pairs

FLAGS = ("", "i", "u", "iu", "v", "iv", "m", "s", "ims", "imsu", "y", "uy", "sv", "dg", "x", "uv")
SEPARATOR = b"\xff"
SECONDS = 0.5
LIMIT_MILLISECONDS = 100
"""For Node, for each text."""
LONGEST = 1000
TEXTS = 2


def _tokens() -> tuple[str, ...]:
    """Pieces of patterns, one for each value of a byte but the separator's."""
    properties = [f"\\p{{{name}}}" for name in generators.PROPERTIES[:6]]
    groups = ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?<m>", "(?i:", "(?-i:", "(?s-m:", ")", ")"]
    structure = [*groups, "|", "[", "[^", "]", "-", ".", "^", "$", "\\b", "\\B", "\\1", "\\2", "\\k<n>"]
    letters = [*dict.fromkeys(generators.LETTERS), *"éſ\u212aßİςΣ😀\ud83d\ude00\n\u2028\x85\ufeff"]
    escapes = [*generators.CLASS_ESCAPES, *generators.ESCAPES, *generators.LOOSE_ESCAPES]
    rest = [*generators.LOOSE, *generators.SET_ITEMS, *generators.SET_LOOSE, *generators.FOREIGN]
    pieces = [*structure, *generators.QUANTIFIERS, *letters, *properties, *escapes, *rest]
    return tuple(dict.fromkeys(pieces))[:255]


TOKENS = _tokens()


def case_of(data: bytes) -> Case:
    """The pattern, flags and texts that bytes stand for.

    The first byte chooses the flags, the second whether the rest is written in characters or in tokens.
    """
    flags = FLAGS[data[0] % len(FLAGS)] if data else ""
    read = _in_tokens if len(data) > 1 and data[1] % 2 else _in_characters
    first, *others = data[2:].split(SEPARATOR)
    pattern = read(first)
    texts = [_in_characters(text) for text in others[:TEXTS]]
    return Case(pattern, flags, (*texts, *_likely_texts(pattern, flags, crc32(data))))


def bytes_of(pattern: str, flags: str, texts: tuple[str, ...] = ()) -> bytes:
    """Bytes that stand for this case, for a corpus to start from."""
    parts = [text.encode("utf-8", "surrogatepass") for text in (pattern, *texts)]
    return bytes([FLAGS.index(flags), 0]) + SEPARATOR.join(parts)


def _in_tokens(data: bytes) -> str:
    return "".join(TOKENS[byte % len(TOKENS)] for byte in data)


def _in_characters(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _likely_texts(pattern: str, flags: str, seed: int) -> Iterator[str]:
    """Texts that may match the pattern."""
    try:
        generator = TextGenerator(Random(seed), parse(pattern, flags))
    except InvalidPattern:
        return
    for _ in range(TEXTS):
        yield generator.text()


def examine(case: Case, judge: Judge, counts: Counter[str]) -> str | None:
    """What is wrong with how a pattern is treated, or None. Node works at it in the meantime."""
    judge.put(case)
    try:
        outcome = _Outcome(case, counts)
    except Exception:
        judge.get()
        return traceback.format_exc(limit=-6)
    return outcome.fault(judge.get())


def examine_alone(case: Case) -> str | None:
    """What is wrong as far as that can be told without Node: the two engines must agree.

    Raises:
        Exception: Whatever the dialect raises, other than ``InvalidPattern``.
    """
    return _Outcome(case, Counter()).own_fault()


class _Outcome:
    """What the dialect makes of a case."""

    def __init__(self, case: Case, counts: Counter[str]) -> None:
        self._counts = counts
        self._refused: InvalidPattern | None = None
        self._answers: list[_Answer] = []
        try:
            pattern = compile_pattern(case.pattern, case.flags, max_length=LONGEST)
        except InvalidPattern as error:
            self._refused = error
            error.explain()
        else:
            self._answers = [_Answer(pattern, text, counts) for text in case.texts]

    def fault(self, ruling: Ruling) -> str | None:
        """Where V8 is of another opinion."""
        if self._refused is not None:
            return self._fault_of_refusal(self._refused, ruling)
        if ruling.error is not None:
            return f"accepted, V8: {ruling.error!r}"
        self._counts["valid"] += 1
        faults = (answer.fault(found) for answer, found in zip(self._answers, ruling.found, strict=True))
        return next(filter(None, faults), None)

    def own_fault(self) -> str | None:
        """Where the two engines are of different opinions."""
        return next(filter(None, (answer.own_fault for answer in self._answers)), None)

    def _fault_of_refusal(self, error: InvalidPattern, ruling: Ruling) -> str | None:
        if isinstance(error, PatternTooLarge):
            self._counts["too large"] += 1
            return None
        self._counts["invalid"] += 1
        if "not supported" in error.reason:
            return None
        if ruling.error is None:
            return f"valid, but refused: {error.reason}"
        if join_pairs(str(error)) != join_pairs(ruling.error):
            return f"reason {str(error)!r}, V8: {ruling.error!r}"
        return None


class _Answer:
    """What both engines find in a text."""

    def __init__(self, pattern: Pattern, text: str, counts: Counter[str]) -> None:
        self._pattern, self._text, self._counts = pattern, text, counts
        self._subject = Subject(text)
        self._match: Match | None = None
        self.own_fault: str | None = None
        try:
            self._match = pattern.search(self._subject, deadline=Deadline.after(SECONDS))
            self._is_found = pattern.test(self._subject, deadline=Deadline.after(SECONDS))
            self._is_settled = True
        except MatchError:
            self._is_settled = False
        else:
            self.own_fault = self._fault_of_linear()

    def fault(self, found: tuple[GroupSpans, ...] | None) -> str | None:
        """Where V8 found something else."""
        counts, match = self._counts, self._match
        if found is None or not self._is_settled:
            counts["no answer from V8" if found is None else "no answer here"] += 1
            return None
        counts["pairs"] += 1
        counts["matches"] += match is not None
        expected = _expected(self._pattern, self._text, found)
        told = None if match is None else (match.start, match.end, match.groups or (expected and expected[2]))
        if told != expected or self._is_found != (match is not None):
            return f"{self._text!r}: {told}, test {self._is_found}, V8: {expected}"
        return self.own_fault

    def _fault_of_linear(self) -> str | None:
        """Where the linear engine, which short texts do not reach, is of another opinion."""
        pattern, subject, match = self._pattern, self._subject, self._match
        try:
            span = pattern._read(subject)._scanned(Deadline.after(SECONDS)).find(0, Deadline.after(SECONDS))
        except (Unsuitable, MatchError):
            return None
        self._counts["linear"] += 1
        mapped = None if span is None else subject.span(*span, unicode=_is_unicode(pattern))
        expected = None if match is None else (match.start, match.end)
        return None if mapped == expected else f"{self._text!r}: linear engine {mapped}, {expected}"


def _expected(
    pattern: Pattern, text: str, found: tuple[GroupSpans, ...]
) -> tuple[int, int, tuple[str | None, ...]] | None:
    """V8's first match in code points, with the texts of its groups."""
    if not found:
        return None
    spans = widened(found[0], text) if _is_unicode(pattern) else found[0]
    whole, *groups = [None if span is None else _in_text(text, span) for span in spans]
    assert whole is not None
    return (*whole, tuple(None if span is None else text[slice(*span)] for span in groups))


def _is_unicode(pattern: Pattern) -> bool:
    return "u" in pattern.flags or "v" in pattern.flags


def _in_text(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """A span of UTF-16 units as one of characters; half a character counts as all of it."""
    starts = [at for at, character in enumerate(text) for _ in range(1 + (character > "\uffff"))]
    starts.append(len(text))
    start, end = span
    is_inside = 0 < end < len(starts) and starts[end] == starts[end - 1]
    return starts[start], starts[end] + is_inside
