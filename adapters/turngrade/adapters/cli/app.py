"""The ``turngrade`` command: its verbs, and how errors become exit codes."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.runner import guarded_streams
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.verbs import VERBS


class Verbs(click.Group):
    """A group whose verbs are modules of `turngrade.adapters.cli.commands`, imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the verbs, in the order in which people meet them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb; None where there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"turngrade.adapters.cli.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs and their first lines of help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb; a mistyped one is answered with the nearest."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches  # only faults need it

            near = get_close_matches(args[0], VERBS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else f" The verbs are {', '.join(VERBS)}."
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Examples:
  turngrade lint spec.yaml
  turngrade grade spec.yaml logs/ -o grades.jsonl

\b
Exit codes: 0 all passed, 1 some failed, 2 interrupted, 3 some verdict or
source is an error, 4 bad usage or spec, 5 nothing graded.
""",
)
@click.version_option(package_name="turngrade", prog_name="turngrade")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Grade what AI agents said against a spec of patterns and substrings.

    The same spec gives the same verdicts on Inspect logs, LangSmith runs and
    plain message lists.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(args: Sequence[str]) -> int:
    """Run the command and say how it ended.

    Args:
        args: The command line behind the program's name.

    Returns:
        The exit code, see `Exit`.
    """
    _write_what_the_terminal_cannot_as_escapes()
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # its own keeps ever more pages for later
    before = _terminate_like_an_interrupt()
    try:
        with guarded_streams():
            return _invoke(args)
    finally:
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def _invoke(args: Sequence[str]) -> int:
    try:
        code = cli.main(list(args), prog_name="turngrade", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return Exit.USAGE
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return Exit.INTERRUPTED
    except OSError as error:  # such as a summary for GitHub that cannot be written; most is told elsewhere
        click.echo(f"stopped: {visible(str(error))}", err=True)
        return Exit.ERROR
    return int(code or 0)


def _write_what_the_terminal_cannot_as_escapes() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _terminate_like_an_interrupt() -> Any:
    """Make SIGTERM clean up as Ctrl-C does; returns the handler that was there."""
    try:
        return signal.signal(signal.SIGTERM, _interrupt)
    except ValueError:  # not in the main thread
        return None


class _Terminated(KeyboardInterrupt):
    """SIGTERM. Python ends by SIGINT once a bare `KeyboardInterrupt` came out of `exec`, though handled."""


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise _Terminated
