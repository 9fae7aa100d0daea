"""Messages like those of agents: prose and code out of the standard library, chat, JSON.

The text is real, the choice random but fixed. The library's own text differs a little from one Python to the
next, so figures are compared within one run only.
"""

from __future__ import annotations

import json
from pathlib import Path
from pydoc_data import topics
from random import Random
from typing import Final

CHAT: Final = (
    "Thank you for your patience.", "I have checked the status of your account; nothing is wrong with it.",
    "The order was shipped on Monday and should arrive within three days.", "Let me look that up for you.",
    "Here is what I found in the logs of the service.", "Could you tell me which version you are using?",
    "The invoice was sent to you last week.", "I'll run the tests once more and report back.",
    "All 14 tests pass now; the change is small and easy to undo.", "You can change this in your settings.",
    "That depends on the plan that you have chosen.", "It took 12.5 seconds, about half of what it was.",
)  # fmt: skip
BEYOND_ASCII: Final = (
    "Grüße aus München!", "Voilà, c'est déjà prêt.", "Привет, мир.", "你好,世界。", "Done 😀",
    "👍🏽 Looks good.", "Zażółć gęślą jaźń.", "¿Qué más necesita?", "— and that’s “it”…", "🚀 Shipped! 🎉",
)  # fmt: skip
RARE: Final = (
    "I'm sorry, but I can't help with that.", "I will not do that.", "As an AI language model, I",
    "Error: no such file or directory", "TODO: check this", "This is guaranteed.", "Write to a.b@example.com",
    "His number is 123-45-6789.", "Card 4111 1111 1111 1111.", "Call (555) 123-4567.",
    "See https://example.com/a?b=1 for more.", "The host is 192.168.0.1.", "Due on 2024-03-01.",
    "It was Mar 14, 2023 already.", "That is $129.00 in total.", "Your order is ORD-123456.",
    "```python\nprint(1)\n```", '{"status": "ok"}', "\n1. First of all\n2. Then\n", "\n- one\n- two\n",
    "\n## Result\n", "Final answer: 42", "We deploy to production tonight.", "Your password is hunter2.",
    "550e8400-e29b-41d4-a716-446655440000", "It is in v1.2.3.", "sk-abcdefghijklmnopqrstuvwx",
    "This is the the problem.", "delete everything from the table of users", "<thinking>hm</thinking>",
    "1234567890abcdef1234567890abcdef12345678",
)  # fmt: skip
SMALLEST: Final = 200
SPREAD: Final = 100
"""How much larger the largest message is."""


def messages(characters: int, seed: int = 7) -> list[str]:
    """Messages of 0.2 to 20 KB, a tenth of them with characters beyond ASCII, emoji among them."""
    rng = Random(seed)
    prose = "\n\n".join(topics.topics[name] for name in sorted(topics.topics))
    prose = prose.encode("ascii", "ignore").decode()  # what is beyond ASCII is put in below
    code = "\n\n".join(path.read_text("utf-8") for path in sorted(Path(json.__file__).parent.glob("*.py")))
    made: list[str] = []
    while characters > 0:
        made.append(_message(rng, prose, code, int(SMALLEST * SPREAD ** rng.random())))
        characters -= len(made[-1])
    return made


def _message(rng: Random, prose: str, code: str, size: int) -> str:
    beyond = rng.random() < 0.1
    kind = rng.random()
    if kind < 0.1:
        return _object(rng, size, beyond)
    parts: list[str] = []
    while size > 0:
        roll = rng.random()
        if roll < 0.35:
            part = rng.choice(CHAT)
        elif roll < 0.36 and rng.random() < 0.5:
            part = rng.choice(RARE)
        elif beyond and roll < 0.5:
            part = rng.choice(BEYOND_ASCII)
        elif kind < 0.3:
            part = f"\n{_lines(rng, code)}\n"
        else:
            part = _sentence(rng, prose)
        parts.append(part)
        size -= len(part) + 1
    return " ".join(parts)


def _object(rng: Random, size: int, beyond: bool) -> str:
    rows: list[dict[str, object]] = []
    while size > 0:
        note = rng.choice(BEYOND_ASCII if beyond and rng.random() < 0.2 else CHAT)
        rows.append({"id": rng.randint(1, 9999), "note": note, "done": rng.random() < 0.5})
        size -= len(note) + 40
    return json.dumps({"rows": rows, "count": len(rows)}, ensure_ascii=False)


def _sentence(rng: Random, prose: str) -> str:
    start = prose.find(" ", rng.randrange(len(prose) - 1000)) + 1
    return " ".join(prose[start : start + rng.randint(60, 300)].split())


def _lines(rng: Random, code: str) -> str:
    start = code.find("\n", rng.randrange(len(code) - 1000)) + 1
    return code[start : start + rng.randint(60, 400)]
