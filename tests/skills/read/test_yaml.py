"""YAML as plain data: every value keeps its text and its line, and nothing clever is allowed."""

import json
from contextlib import suppress

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.json_values import JsonValue
from metier.skills.model import MAX_YAML_DEPTH
from metier.skills.read import PlainScalar, YamlRefused, load_yaml, node_to_json


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param("a: &x 1\nb: *x\n", "yaml_alias", 1, id="anchor"),
        pytest.param("a: 1\nb: *x\n", "yaml_alias", 2, id="alias"),
        pytest.param("? *x\n: 1\n", "yaml_alias", 1, id="alias as a key"),
        pytest.param("a: !!str 1\n", "yaml_tag", 1, id="standard tag"),
        pytest.param("a: !mine 1\n", "yaml_tag", 1, id="own tag"),
        pytest.param("<<: {a: 1}\n", "yaml_merge_key", 1, id="merge key"),
        pytest.param("a: 1\nb: 2\na: 3\n", "yaml_duplicate_key", 3, id="duplicate"),
        pytest.param("x: {a: 1, a: 2}\n", "yaml_duplicate_key", 1, id="duplicate in flow style"),
        pytest.param("a: " + "[" * MAX_YAML_DEPTH + "]" * MAX_YAML_DEPTH, "yaml_too_deep", 1, id="deep"),
        pytest.param("a: 1\n--- \nb: 2\n", "yaml_multiple_documents", 2, id="two documents"),
        pytest.param("- a\n- b\n", "yaml_not_mapping", 1, id="a list"),
        pytest.param("just text\n", "yaml_not_mapping", 1, id="a text"),
        pytest.param("# nothing\n", "yaml_not_mapping", 1, id="a comment"),
        pytest.param("", "yaml_not_mapping", 1, id="nothing"),
        pytest.param("a: 1\n\tb: 2\n", "yaml_invalid", 2, id="tab"),
        pytest.param("a: 1\nb: \x01\n", "yaml_invalid", 2, id="control character"),
        pytest.param("甲: 1\n乙: 2\nb: \x01\n", "yaml_invalid", 3, id="control character after Chinese"),
        pytest.param("a: \ud800\n", "yaml_invalid", 1, id="half a character"),
        pytest.param("[a, b]: 1\n", "yaml_invalid", 1, id="a list as a key"),
        pytest.param("a: 'x\n", "yaml_invalid", None, id="open quote"),
    ],
)
def test_what_is_refused_has_a_code_and_a_line(text: str, code: str, line: int | None) -> None:
    with pytest.raises(YamlRefused) as caught:
        load_yaml(text)
    assert caught.value.code == code
    assert line in (caught.value.line, None)
    assert str(caught.value)


def test_a_quoted_merge_key_is_an_ordinary_key() -> None:
    assert load_yaml('"<<": x\n').data == {"<<": "x"}


def test_the_deepest_allowed_value_is_read() -> None:
    depth = MAX_YAML_DEPTH - 2
    value: JsonValue = node_to_json(load_yaml("a: " + "[" * depth + "x" + "]" * depth).data["a"])
    for _ in range(depth):
        assert isinstance(value, list)
        (value,) = value
    assert value == "x"


def test_every_key_and_item_knows_its_line() -> None:
    text = "a: 1\nb:\n  c: 2\n  d:\n    - x\n    - e: 3\n"
    assert load_yaml(text).lines == {"a": 1, "b": 2, "b.c": 3, "b.d": 4, "b.d[0]": 5, "b.d[1]": 6, "b.d[1].e": 6}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("text", "text"),
        ("no", "no"),
        ("12:30:45", "12:30:45"),
        ("2024-01-01", "2024-01-01"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("7", 7),
        ("-7", -7),
        ("0", 0),
        ("007", "007"),
        ("1.10", 1.1),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1e999", "1e999"),
        (".inf", ".inf"),
        ("1_000", "1_000"),
        ("0x1f", "0x1f"),
        ("'7'", "7"),
        ('"true"', "true"),
        ("9" * 5000, "9" * 5000),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_scalar_becomes_json_by_the_plain_rules(written: str, value: JsonValue) -> None:
    read = node_to_json(load_yaml(f"a: {written}\n").data["a"])
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    "word",
    [
        *("no", "On", "y", "~", "null", "1_000", "0x1f", "0o17", "0b11", "1.", "+.5", "1e5", "12:30:45", ".INF", "="),
        *("2024-01-01", "2024-1-1", "2024-01-01T10:00:00Z", "2024-01-01 10:00:00 +02:00", "00123", ".nan"),
    ],
)
def test_a_word_that_others_take_for_something_else_is_ambiguous(word: str) -> None:
    assert PlainScalar(word).is_ambiguous


@pytest.mark.parametrize(
    "word", ["none", "nope", "once", "1.2.3", "v1", "2024-01-01 report", "_", "1 000", "e5", "-", "12:30 pm", "东", ""]
)
def test_an_ordinary_word_is_not_ambiguous(word: str) -> None:
    assert not PlainScalar(word).is_ambiguous


@settings(deadline=None)
@given(st.text(alphabet="0123456789abcdefxoyYnNtTrRuUeElLsS+-._:~=<", min_size=1, max_size=12))
def test_whatever_pyyaml_does_not_take_for_text_is_ambiguous(word: str) -> None:
    tag = yaml.SafeLoader("").resolve(yaml.ScalarNode, word, (True, False))  # type: ignore[no-untyped-call]
    if tag not in ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"):
        assert PlainScalar(word).is_ambiguous


@settings(deadline=None)
@given(st.text() | st.text(alphabet=st.sampled_from("abc:-?&*!|>'\"%@`#{}[], \n\t\\.<~0")))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(YamlRefused):
        json.dumps(node_to_json(load_yaml(text).data)).encode()
