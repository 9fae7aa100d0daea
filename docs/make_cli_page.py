"""Writes what ``--help`` prints into the blocks of docs/cli.md that begin with the call."""

from __future__ import annotations

import re
from pathlib import Path

import click

from turngrade.adapters.cli.app import cli

PAGE = Path(__file__).with_name("cli.md")

BLOCK = re.compile(r"```text\n\$ turngrade(?P<verb> [a-z]+)? --help\n.*?```\n", re.DOTALL)


def with_help(page: str) -> str:
    """The page with every block as the program prints it now."""
    return BLOCK.sub(lambda found: block((found["verb"] or "").strip()), page)


def block(verb: str) -> str:
    """The block of a verb, or of the command itself."""
    name = f"turngrade {verb}".strip()
    return f"```text\n$ {name} --help\n{help_of(verb, name).rstrip()}\n```\n"


def help_of(verb: str, name: str) -> str:
    """What ``--help`` prints on a terminal of 80 columns."""
    command = cli.get_command(click.Context(cli), verb) if verb else cli
    if command is None:
        raise SystemExit(f"{PAGE.name}: no such verb: {verb}")
    settings = {"terminal_width": 80, "help_option_names": ["-h", "--help"]}
    with click.Context(command, info_name=name, **settings) as context:  # type: ignore[arg-type]
        return context.get_help()


if __name__ == "__main__":
    PAGE.write_text(with_help(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
