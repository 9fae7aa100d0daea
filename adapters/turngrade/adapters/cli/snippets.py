"""Where a grader hit: the matched text with a little of what stands around it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.wording import place_of
from turngrade.core import Hit, Scope, Spec, Transcript, Verdict

CONTEXT = 80
"""Code points kept before and behind a hit."""

LEAST_CONTEXT = 12
"""Characters on either side of a hit that even a narrow table shows."""

LONGEST_HIT = 120
"""Code points of a hit that are kept; the middle of a longer one is cut out."""


class Snippet(Struct, frozen=True):
    """A hit in its surroundings, all of it safe to print.

    Args:
        before: Text before the hit, on one line.
        hit: The matched text, on one line; empty where the match is empty.
        after: Text behind the hit, on one line.
        place: ``output``, or ``message 3``, with the agent where it is not the main one.
        starts: Whether ``before`` reaches back to the start of the text.
        ends: Whether ``after`` reaches to its end.
    """

    before: str
    hit: str
    after: str
    place: str
    starts: bool = True
    ends: bool = True

    def cropped(self, room: int) -> Snippet:
        """The same hit with at most so many characters on either side, where possible whole words.

        Args:
            room: Characters; fewer than `LEAST_CONTEXT` are as many.
        """
        room = max(room, LEAST_CONTEXT)
        before, after = self.before, self.after
        if len(before) > room:
            before = before[-room:].partition(" ")[2] or before[-room:]
        if len(after) > room:
            after = after[:room].rpartition(" ")[0] or after[:room]
        starts = self.starts and len(before) == len(self.before)
        ends = self.ends and len(after) == len(self.after)
        return replace(self, before=before, after=after, starts=starts, ends=ends)


def snippet_of(verdict: Verdict, transcript: Transcript | None, scope: Scope) -> Snippet | None:
    """The first hit of a verdict in its surroundings; None where there is no hit.

    Args:
        verdict: What a grader says of the transcript.
        transcript: The transcript in the form in which it was graded.
        scope: The grader's scope.
    """
    if not verdict.hits:
        return None
    hit = verdict.hits[0]
    return snippet(hit, None if transcript is None else text_of(hit, transcript, scope))


def scopes_of(spec: Spec) -> dict[str, Scope]:
    """The scope of each of a spec's graders, by name."""
    return {grader.name: grader.scope for grader in spec.graders}


def text_of(hit: Hit, transcript: Transcript, scope: Scope) -> str | None:
    """The text that a hit lies in; None where the transcript is not the one that was graded."""
    if hit.message_index is None:
        text = transcript.output
    else:
        messages = transcript.in_scope(scope)
        if hit.message_index >= len(messages):
            return None
        text = getattr(messages[hit.message_index], hit.field)
    return text if text is not None and text[hit.start : hit.end] == hit.match else None


def snippet(hit: Hit, text: str | None) -> Snippet:
    """A hit with the text around it, or alone where its text is not known."""
    if text is None:
        return Snippet("", _shortened(hit.match), "", visible(place_of(hit)))
    start, end = max(hit.start - CONTEXT, 0), hit.end + CONTEXT
    return Snippet(
        before=visible(text[start : hit.start]),
        hit=_shortened(hit.match),
        after=visible(text[hit.end : end]),
        place=visible(place_of(hit)),
        starts=start == 0,
        ends=end >= len(text),
    )


def _shortened(match: str) -> str:
    if len(match) <= LONGEST_HIT:
        return visible(match)
    half = LONGEST_HIT // 2
    return f"{visible(match[:half])} … {visible(match[-half:])}"
