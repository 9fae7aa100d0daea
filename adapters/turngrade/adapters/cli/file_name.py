"""Parameters that name files, or what else the command reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class FileName(click.ParamType):  # type: ignore[type-arg]
    """Any text; the shell completes it with its own file names.

    click's own type for paths looks at the file, and refuses what the command has better words for.
    """

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Leave it to the shell."""
        from click.shell_completion import CompletionItem  # costs start-up time

        return [CompletionItem(incomplete, type="file")]


FILE = FileName()
