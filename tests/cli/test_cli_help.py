from __future__ import annotations

import pytest
from tests.cli.support import Command

from turngrade.adapters.cli.verbs import VERBS

SCREEN = 45
"""Lines of one screen."""


@pytest.mark.parametrize("verb", VERBS)
class TestHelpOfAVerb:
    def test_fits_one_screen_of_80_columns(self, turngrade: Command, verb: str) -> None:
        lines = turngrade(verb, "--help").out.splitlines()
        assert len(lines) <= SCREEN
        assert max(map(len, lines)) <= 80

    def test_begins_with_what_the_list_of_verbs_says(self, turngrade: Command, verb: str) -> None:
        assert turngrade(verb, "--help").out.splitlines()[2].strip() == VERBS[verb]

    def test_has_two_examples(self, turngrade: Command, verb: str) -> None:
        examples = turngrade(verb, "-h").out.split("Examples:")[1]
        assert examples.count(f"turngrade {verb}") == 2


def test_help_lists_the_verbs_and_the_exit_codes(turngrade: Command) -> None:
    out = turngrade("--help").out
    for verb, does in VERBS.items():
        assert f"  {verb}" in out
        assert does.split()[0] in out
    for code in range(6):
        assert f"{code} " in out.split("Exit codes:")[1]
    assert turngrade().out == out
    assert turngrade("-h").out == out
