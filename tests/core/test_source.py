"""Reading spec files: well-formedness, positions, and what must be refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml as library
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turngrade.core import InvalidSpec
from turngrade.core.source import MAX_BYTES, parse_document, read_document
from turngrade.core.yaml_source import _Loader


def message_of(text: str, *, is_json: bool = False) -> str:
    with pytest.raises(InvalidSpec) as caught:
        parse_document(text, is_json=is_json)
    return str(caught.value)


def test_positions_are_those_of_keys_and_items() -> None:
    document = parse_document("name: x\ngraders:\n  - type: contains\n    config: {value: a}\n")
    assert document.places.of(("graders", 0, "config", "value")) == (4, 14)
    assert document.places.of(("graders", 0)) == (3, 5)
    assert document.places.of(("graders", 0, "config", "missing")) == (4, 5)
    assert document.places.of(("nowhere",)) == (None, None)


@pytest.mark.parametrize(
    ("yaml", "data"),
    [
        ("a: yes", {"a": "yes"}),
        ("a: on", {"a": "on"}),
        ("a: 2024-01-01", {"a": "2024-01-01"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 0123", {"a": 123}),
        ("a: true", {"a": True}),
        ("a: 1.5", {"a": 1.5}),
        ("a: 1e3", {"a": 1000.0}),
        ("a: ~", {"a": None}),
        ("a:", {"a": None}),
        ("a: '1'", {"a": "1"}),
        ('a: "\\ud83d\\ude00"', {"a": "😀"}),
        ("x: &x {b: 1}\ny: {<<: *x, c: 2}", {"x": {"b": 1}, "y": {"b": 1, "c": 2}}),
    ],
)
def test_scalars_are_those_of_yaml_1_2(yaml: str, data: object) -> None:
    assert parse_document(yaml).data == data


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("!!bool foo", "'foo' is no bool"),
        ('!!bool ""', "'' is no bool"),
        ("!!int foo", "'foo' is no int"),
        ("!!float foo", "'foo' is no float"),
        ("!!timestamp foo", "'foo' is no timestamp"),
        ("!!timestamp 2020-99-99", "'2020-99-99' is no timestamp"),
        ("9" * 5000, "a number of 5000 digits"),
    ],
)
def test_a_value_that_is_not_what_its_tag_says_is_told_with_its_place(value: str, said: str) -> None:
    with pytest.raises(InvalidSpec) as caught:
        parse_document(f"a: 1\nb: {value}")
    (problem,) = caught.value.problems
    assert said in problem.message
    assert (problem.line, problem.column) == (2, 4)


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("a: 1\nb: 2\na: 3", "the key 'a' stands twice in one mapping (line 3, column 1)"),
        ("a: [1, 2", "not well-formed YAML"),
        ("", "the spec is empty"),
        ("a: &a [*a]", "an alias that contains itself"),
        ("? [a]\n: b", "a key must be a plain string"),
        (
            "a: !!python/object/apply:os.system [ls]",
            "not well-formed YAML: could not determine a constructor",
        ),
        ("a: 1\n---\nb: 2", "expected a single document"),
        ("a: \x00", "not well-formed YAML"),
        ("[" * 3000, "nested too deeply"),
    ],
)
def test_bad_yaml_is_refused(yaml: str, said: str) -> None:
    assert said in message_of(yaml)


def test_aliases_cannot_blow_the_document_up() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "aliases expand" in message_of("\n".join(lines))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": }', "not well-formed JSON: Expecting value (line 1, column 7)"),
    ],
)
def test_bad_json_is_refused(text: str, said: str) -> None:
    assert said in message_of(text, is_json=True)


def test_json_has_positions_too() -> None:
    assert parse_document('{\n  "a": {"b": 1}}', is_json=True).places.of(("a", "b")) == (2, 9)
    tabbed = parse_document('{\n\t"a":\t1}', is_json=True)
    assert (tabbed.data, tabbed.places.of(("a",))) == ({"a": 1}, (None, None))


def test_json_that_is_too_deep_for_yaml_has_no_positions() -> None:
    deep = parse_document(f'{{"a": {"[" * 600}{"]" * 600}}}', is_json=True)
    assert list(deep.data) == ["a"]
    assert deep.places.of(("a",)) == (None, None)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("name: é".encode("latin-1"))
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    for path, said in (
        (tmp_path / "missing.yaml", "No such file"),
        (tmp_path, "Is a directory"),
        (latin, "not UTF-8 (byte 6)"),
        (large, "larger than 4 MiB"),
    ):
        with pytest.raises(InvalidSpec, match=said.replace("(", r"\(").replace(")", r"\)")):
            read_document(path)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "bom.yaml"
    path.write_bytes(b"\xef\xbb\xbfname: x")
    assert read_document(path).data == {"name": "x"}


@pytest.mark.parametrize(
    ("yaml", "data"),
    [
        ("[Is it?]", ["Is it?"]),
        ("{a: what? now, b: x?y}", {"a": "what? now", "b": "x?y"}),
        (r"{pattern: \d+?, b: http://x/?a=b}", {"pattern": r"\d+?", "b": "http://x/?a=b"}),
        ("- a?\n- [b? # no\n  , c]", ["a?", ["b?", "c"]]),
        ("a: b\n  c? d\ne: f: g".replace(": g", ":g"), {"a": "b c? d", "e": "f:g"}),
        ("{a?: b}", {"a?": "b"}),
        ("{? a : b}", {"a": "b"}),
    ],
)
def test_a_question_mark_is_text(yaml: str, data: object) -> None:
    assert parse_document(yaml).data == data


TOKENS = ["a", "b", ":", ": ", " ", "\n", "  ", "- ", "[", "]", "{", "}", ", ", "#", " #", "é", "'q'", "x:y"]


class _Library(_Loader):
    """Ours, but for the scalars without quotes."""

    scan_plain = library.SafeLoader.scan_plain


def _read(text: str, loader: type[library.SafeLoader]) -> object:
    try:
        return library.load(text, loader)
    except (library.YAMLError, TypeError) as error:
        return str(error)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(TOKENS), max_size=14).map("".join))
def test_without_question_marks_yaml_is_read_as_its_library_reads_it(text: str) -> None:
    assert _read(text, _Loader) == _read(text, _Library)
