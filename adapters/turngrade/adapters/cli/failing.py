"""When a call fails: the exit code, as ``--fail-on`` and ``--fail-under`` change it."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import click
from msgspec import Struct

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.tally import Tally

FailOn: TypeAlias = Literal["fail", "error", "never"]

_ROUNDING = 1e-9


class Failing(Struct, frozen=True):
    """What makes a call fail.

    Args:
        on: ``fail``: a failed transcript or an error; ``error``: only an error; ``never``: neither.
        under: The pass rate of transcripts, 0.0 to 1.0, from which on failed ones are accepted.
    """

    on: FailOn = "fail"
    under: float | None = None

    def exit_code(self, tally: Tally) -> Exit:
        """The exit code of a call."""
        code = tally.exit_code()
        if code is Exit.ERROR and self.on == "never":
            return Exit.PASSED
        if code is Exit.FAILED and (self.on != "fail" or self.enough(tally)):
            return Exit.PASSED
        return code

    def enough(self, tally: Tally) -> bool:
        """Whether so many pass that the others are accepted."""
        return self.under is not None and tally.transcripts.rate >= self.under - _ROUNDING


class Rate(click.ParamType):  # type: ignore[type-arg]
    """A share, written ``0.9`` or ``90%``."""

    name = "rate"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The share as a number from 0.0 to 1.0."""
        text = str(value).strip()
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"{text!r} is no rate; write 0.9 or 90%", param, ctx)
        if not 0 <= share <= 1:
            self.fail(f"{text!r} is not between 0 and 1; write 0.9 or 90%", param, ctx)
        return share
