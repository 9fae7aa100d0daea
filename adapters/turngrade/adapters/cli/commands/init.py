"""``turngrade init``: a starter spec, its schema and a sample."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click

from turngrade.adapters.cli.exit_codes import Exit
from turngrade.adapters.cli.file_name import FILE
from turngrade.adapters.cli.outputs.files import AtomicFile
from turngrade.adapters.cli.terminal import visible
from turngrade.adapters.cli.verbs import VERBS

HELP = f"""{VERBS["init"]}

Writes turngrade.yaml (a commented spec that passes on the sample),
turngrade.schema.json (editors complete the spec with it) and sample.jsonl into
FOLDER, by default the current one. With --from-vally or --from-promptfoo the
spec is made of that file, and what cannot be carried over is listed.
"""

EXAMPLES = """\b
Examples:
  turngrade init
  turngrade init evals/ --from-promptfoo promptfooconfig.yaml

\b
Exit codes: 0 written, 4 bad usage, a file that is there already, or one that
cannot be carried over.
"""

SPEC = "turngrade.yaml"
SCHEMA = "turngrade.schema.json"
MODELINE = f"# yaml-language-server: $schema={SCHEMA}\n"


@click.command("init", help=HELP, epilog=EXAMPLES, short_help=VERBS["init"])
@click.argument("folder", type=FILE, default=".")
@click.option("--from-vally", type=FILE, metavar="FILE", help="Carry a Vally eval file over.")
@click.option("--from-promptfoo", type=FILE, metavar="FILE", help="Carry a promptfoo configuration over.")
@click.option("--force", is_flag=True, help="Overwrite files that are there already.")
def command(folder: str, from_vally: str | None, from_promptfoo: str | None, force: bool) -> int:
    """Write the files."""
    if from_vally is not None and from_promptfoo is not None:
        raise click.UsageError("--from-vally and --from-promptfoo exclude each other")
    files, left_out = (
        _starter() if not (from_vally or from_promptfoo) else _carried_over(from_vally, from_promptfoo)
    )
    files[SCHEMA] = _schema()
    _write(Path(folder), files, force)
    for note in left_out:
        click.echo(f"not carried over: {visible(note)}", err=True)
    _tell_next_steps(folder, "sample.jsonl" in files)
    return Exit.PASSED


def _starter() -> tuple[dict[str, str], tuple[str, ...]]:
    from turngrade.adapters.cli.starter import starter_files

    return starter_files(), ()


def _carried_over(vally: str | None, promptfoo: str | None) -> tuple[dict[str, str], tuple[str, ...]]:
    from turngrade.adapters.cli.importing import NotImportable, from_promptfoo, from_vally

    try:
        imported = from_vally(vally) if vally is not None else from_promptfoo(promptfoo or "")
    except NotImportable as error:
        raise click.ClickException(visible(str(error))) from error
    text = json.dumps(imported.spec, ensure_ascii=False)
    return {SPEC: MODELINE + _yaml(json.loads(text))}, imported.left_out


def _yaml(data: object) -> str:
    import yaml

    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)


def _schema() -> str:
    from turngrade.core import spec_schema

    return json.dumps(spec_schema(), indent=2, ensure_ascii=False) + "\n"


def _write(folder: Path, files: dict[str, str], force: bool) -> None:
    """Write all files, or none.

    Raises:
        click.ClickException: One is there already, or cannot be written.
    """
    there = [name for name in files if (folder / name).exists()]
    if there and not force:
        raise click.ClickException(f"{folder / there[0]} is there already; --force overwrites it")
    opened: list[AtomicFile] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            opened.append(AtomicFile(str(folder / name)))
            opened[-1].file.write(text.encode())
        for file in opened:
            file.commit()
    except OSError as error:
        raise click.ClickException(f"{visible(str(folder))}: cannot be written: {error.strerror}") from error
    finally:
        for file in opened:
            file.discard()
    for name in files:
        click.echo(visible(str(folder / name)))


def _tell_next_steps(folder: str, sample: bool) -> None:
    spec = shlex.quote(str(Path(folder, SPEC)))
    source = shlex.quote(str(Path(folder, "sample.jsonl"))) if sample else "SOURCE..."
    steps = (f"turngrade lint {spec}", f"turngrade test {spec}", f"turngrade grade {spec} {source}")
    click.echo(visible("next:\n  " + "\n  ".join(steps), newline="\n"), err=True)
