"""``turngrade schema``: the JSON Schema of the spec file."""

from __future__ import annotations

import json

import click

from turngrade.adapters.cli.verbs import VERBS

HELP = f"""{VERBS["schema"]}

Editors complete and check a spec that names the schema in its first line:

    # yaml-language-server: $schema=turngrade.schema.json
"""

EXAMPLES = """\b
Examples:
  turngrade schema > turngrade.schema.json
  turngrade schema | jq '."$defs" | keys'
"""


@click.command("schema", help=HELP, epilog=EXAMPLES, short_help=VERBS["schema"])
def command() -> int:
    """Print the schema."""
    from turngrade.core import spec_schema

    click.echo(json.dumps(spec_schema(), indent=2, ensure_ascii=False))
    return 0
