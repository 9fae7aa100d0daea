"""Sources of evaluators → files of a folder, all of them or none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from turngrade.adapters.cli.outputs import CannotWrite
from turngrade.adapters.cli.outputs.files import AtomicFile, told_by_name

_OTHERS = re.compile(r"[^A-Za-z0-9_-]+")


def write_modules(folder: str, code: Mapping[str, str]) -> list[str]:
    """Write the modules into a folder. Files of the same names are replaced.

    Args:
        folder: The folder; it is made where it is not there.
        code: The source by grader name.

    Returns:
        The files, in the order of the graders.

    Raises:
        CannotWrite: A file, or the folder, cannot be written. Nothing is then changed.
    """
    names = [str(Path(folder, name)) for name in file_names(list(code))]
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(folder, error.strerror or str(error)) from error
    with ExitStack() as stack:
        files: dict[str, AtomicFile] = {}
        for name, source in zip(names, code.values(), strict=True):
            with told_by_name(name):
                files[name] = AtomicFile(name)
                stack.callback(files[name].discard)
                files[name].file.write(source.encode())
                files[name].complete()
        for name, file in files.items():
            with told_by_name(name):
                file.commit()
    return names


def file_names(graders: list[str]) -> list[str]:
    """A file name for each grader, unique whatever the case, of plain letters, digits, ``_`` and ``-``."""
    names: list[str] = []
    taken: set[str] = set()
    for grader in graders:
        stem = _OTHERS.sub("-", grader).strip("-") or "grader"
        name, number = stem, 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.lower())
        names.append(f"{name}.py")
    return names
