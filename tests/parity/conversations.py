"""The conversations that every framework plays, and what must be read back from each."""

from __future__ import annotations

from dataclasses import dataclass

from turngrade.core import Transcript


@dataclass(frozen=True)
class Turn:
    """One turn of the assistant.

    Args:
        text: What it says.
        calls_tool: Whether it calls a tool, too.
        reasoning: What it thinks aloud, in the framework's own place for that.
        refusal: Whether the text is a refusal, in the framework's own place for that.
    """

    text: str = ""
    calls_tool: bool = False
    reasoning: str | None = None
    refusal: bool = False


@dataclass(frozen=True)
class Conversation:
    """One run of an agent.

    Args:
        name: Its name, which is also what the user says.
        turns: What the assistant says, in order.
        history: What the assistant said before the run; it stands in the input and is not graded.
    """

    name: str
    turns: tuple[Turn, ...]
    history: tuple[str, ...] = ()

    @property
    def expected(self) -> Transcript:
        """The transcript that all frameworks must agree on."""
        return Transcript.from_texts([turn.text for turn in self.turns], id=self.name)


def _talk(name: str, *turns: str | Turn, history: tuple[str, ...] = ()) -> Conversation:
    return Conversation(name, tuple(Turn(t) if isinstance(t, str) else t for t in turns), history)


CONVERSATIONS = {
    conversation.name: conversation
    for conversation in (
        _talk("greeting", "Hello, world!"),
        _talk("tool", Turn("Let me look that up.", calls_tool=True), "The answer is 42."),
        _talk("tool only", Turn(calls_tool=True), Turn(calls_tool=True), "Done: order ORD-20481937."),
        _talk("several turns", "alpha one", "beta two", "alpha three", "gamma four"),
        _talk("same words twice", "the same words", "other words", "the same words"),
        _talk("many lines", "second line\n", "first line\nsecond line\r\nthird line\u2028fourth\n\n"),
        _talk(
            "unicode",
            "Größe: naïve café, Straße, \u017fum \u212aelvin \u0130stanbul",
            "non\u00a0breaking \ufeff",
        ),
        _talk("emoji", "👍🏽 ok", "👩‍👩‍👧 family 🇪🇺", "😀"),
        _talk("markup", '{"a": "b\\n\\u0041"}', "<b>&amp;</b> \\d+ $1 %s ${x}", "/slash/ 'quote' `tick`"),
        _talk("blank", "Hello", " \t\n"),
        _talk("empty", Turn()),
        _talk("empty turns", Turn(calls_tool=True), Turn()),
        _talk("nothing said"),
        _talk("reasoning", Turn("the public answer", reasoning="a secret plan, alpha and 42")),
        _talk("thinking in the text", "<think>alpha 42</think>\nthe public answer", "<think>left open"),
        _talk("refusal", Turn("I'm sorry, but I can't help with that.", refusal=True)),
        _talk("long", "word " * 2000 + "needle", "short"),
        _talk("history", "beta, fresh", "the end", history=("alpha from before, SECRET 42",)),
        _talk(
            "personal data",
            Turn("Your card: 4111 1111 1111 1111", calls_tool=True),
            "SSN 123-45-6789, a@b.example",
        ),
        _talk("at the end", "Hello", "Alpha, alpha three: the ANSWER is a secret, caf, 4111 1111 1111 1111"),
        _talk("folding", "sum and Kelvin", "\u017fum, Istanbul, \u0130stanbul"),
        _talk("one line", "first, then third, the last line"),
        _talk("long at the end", "Hello", "word " * 1000),
        _talk("promise", "We will not refund this.", "I promise a full refund. We cannot refund more."),
    )
}
