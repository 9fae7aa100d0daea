"""JUnit XML for CI: a suite a source, a test case a verdict."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import IO

from turngrade.adapters.cli.snippets import Snippet, scopes_of, snippet_of
from turngrade.adapters.cli.terminal import visible
from turngrade.core import Grade, Spec, Transcript, Verdict


class JunitFile:
    """Collects the suites; XML's counts stand at the top."""

    def __init__(self, file: IO[bytes], spec: Spec) -> None:
        self.file = file
        self.scopes = scopes_of(spec)
        self.suites: dict[str, ET.Element] = {}

    def add(self, grade: Grade, transcript: Transcript | None) -> None:
        """Take the test cases of a grade."""
        source = grade.source or "transcripts"
        suite = self.suites.get(source)
        if suite is None:
            suite = self.suites[source] = ET.Element("testsuite", {"name": visible(source)})
        if grade.error is not None:
            _told(_case(suite, grade, "readable"), "error", "unreadable", grade.error)
        for verdict in grade.verdicts:
            snippet = snippet_of(verdict, transcript, self.scopes.get(verdict.name, "run"))
            _tell(_case(suite, grade, verdict.name), grade, verdict, snippet)

    def finish(self) -> None:
        """Write the document."""
        root = ET.Element("testsuites", {"name": "turngrade"})
        root.extend(self.suites.values())
        for suite in self.suites.values():
            suite.attrib |= _counts(suite)
        root.attrib |= {
            name: str(sum(int(suite.attrib[name]) for suite in self.suites.values()))
            for name in ("tests", "failures", "errors", "skipped")
        }
        ET.indent(root)
        self.file.write(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _case(suite: ET.Element, grade: Grade, name: str) -> ET.Element:
    id = grade.id if grade.id is not None else "source"
    epoch = f" (epoch {grade.epoch})" if grade.epoch is not None else ""
    attributes = {"classname": visible(f"{id}{epoch}"), "name": visible(name), "time": "0"}
    return ET.SubElement(suite, "testcase", attributes)


def _tell(case: ET.Element, grade: Grade, verdict: Verdict, snippet: Snippet | None) -> None:
    """Say what is wrong. A failed verdict that the threshold forgives is no failure of the run: skipped."""
    details = [verdict.evidence]
    if verdict.message is not None:
        details.append(verdict.message)
    if snippet is not None:
        hit = f"{snippet.before}»{snippet.hit}«{snippet.after}"
        details.append(f"{snippet.place}: {hit}")
    if verdict.status == "error":
        _told(case, "error", verdict.reason or "error", *details)
    elif verdict.status == "fail" and grade.passed:
        note = f"failed, but the transcript passes with a score of {grade.score:.2f}: {verdict.evidence}"
        ET.SubElement(case, "skipped", {"message": visible(note)})
    elif verdict.status == "fail":
        _told(case, "failure", verdict.type, *details)


def _told(case: ET.Element, tag: str, kind: str, *details: str) -> None:
    element = ET.SubElement(case, tag, {"message": visible(details[0]), "type": visible(kind)})
    element.text = visible("\n".join(details), newline="\n")


def _counts(suite: ET.Element) -> dict[str, str]:
    tags = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    return {name: str(sum(1 for _ in suite.iter(tag))) for name, tag in tags.items()}


def open_output(file: IO[bytes], spec: Spec) -> JunitFile:
    """The writer for an open file."""
    return JunitFile(file, spec)
