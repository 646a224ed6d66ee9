"""JSON by the book, and no more of it than a reader can bear."""

import json
import math
from collections.abc import Iterator
from contextlib import suppress
from types import MappingProxyType
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier import json_values
from metier.json_values import (
    MAX_JSON_DEPTH,
    JsonInvalid,
    JsonValue,
    clean_json,
    clean_text,
    copy_json,
    is_cleanable,
    is_plainly_json,
    list_items,
    list_objects,
    load_json,
    to_plain_json,
)
from metier.store._values import _find_fault, encode_json


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        pytest.param("", "Expecting value", 1, id="nothing"),
        pytest.param('{\n"a": 1,\n}', "Expecting|Illegal", 3, id="trailing comma"),
        pytest.param("[1] x", "Extra data", 1, id="more after the end"),
        pytest.param('{"a": NaN}', "NaN is not JSON", None, id="NaN"),
        pytest.param('{"a": -Infinity}', "-Infinity is not JSON", None, id="Infinity"),
        pytest.param('{"a": 1e999}', "1e999 is too large", None, id="a number that becomes infinity"),
        pytest.param('{"a": ' + "9" * 5000 + "}", "5000 digits", None, id="a number of 5000 digits"),
        pytest.param('{"a": 1, "b": 2, "a": 3}', "'a' is written twice", None, id="duplicate key"),
        pytest.param('{"a": "\\ud800"}', "half of a character", None, id="lone surrogate"),
        pytest.param('[1, {"\\uDfFf": 2}]', "half of a character", None, id="lone surrogate in a name"),
        pytest.param('["\ud800"]', "half of a character", None, id="lone surrogate without an escape"),
        pytest.param('{"\\udc00": 1}', "half of a character", None, id="lone surrogate in a key"),
        pytest.param("[" * 100_000, "nested too deep", None, id="bottomless"),
        pytest.param(
            "[" * (MAX_JSON_DEPTH + 1) + "]" * (MAX_JSON_DEPTH + 1), "nested deeper", None, id="a level too deep"
        ),
    ],
)
def test_what_is_not_json_is_refused(text: str, says: str, line: int | None) -> None:
    with pytest.raises(JsonInvalid, match=says) as caught:
        load_json(text)
    assert line in (caught.value.line, None)


def test_what_a_model_writes_may_hold_any_text_and_nothing_else_that_is_not_json() -> None:
    assert load_json('{"a": "x\ny\\ud800"}', any_text=True) == {"a": "x\ny\ud800"}
    for text in ('{"a": NaN}', '{"a": 1e999}', '{"a": 1, "a": 2}', "[" * 40 + "]" * 40, "[" * 100_000):
        with pytest.raises(JsonInvalid):
            load_json(text, any_text=True)


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert load_json('"\\ud83d\\ude00"') == "😀"


def test_the_deepest_allowed_value_is_read() -> None:
    text = "[" * MAX_JSON_DEPTH + "]" * MAX_JSON_DEPTH
    assert json.dumps(load_json(text)) == text


_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(_values)
def test_what_json_wrote_is_read_back(value: JsonValue) -> None:
    assert load_json(json.dumps(value)) == value


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from('{}[]",:0123456789eE+-.truefalsn\\ud8 ')))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(JsonInvalid):
        json.dumps(load_json(text)).encode()


def test_a_plain_copy_has_only_dicts_and_lists() -> None:
    copied = to_plain_json(MappingProxyType({"a": (1, MappingProxyType({"b": "c"}))}))
    assert copied == {"a": [1, {"b": "c"}]}
    assert json.dumps(copied) == '{"a": [1, {"b": "c"}]}'


def test_a_clean_copy_can_be_stored() -> None:
    dirty: JsonValue = {"a\ud800": ["x\x00y", math.nan, 1.5, None, True]}
    assert clean_json(dirty) == {"a\ufffd": ["x\ufffdy", None, 1.5, None, True]}
    assert clean_json([2**63 - 1, 2**63, -(2**70), 10**5000]) == [2**63 - 1, str(2**63), str(-(2**70)), None]
    assert clean_text("plain 文字\n") == "plain 文字\n"


@pytest.fixture
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that are reached in no time."""
    monkeypatch.setattr(json_values, "_MAX_PARTS", 1_000)
    monkeypatch.setattr(json_values, "_MAX_COPIED_PARTS", 10_000)


@pytest.mark.usefixtures("few_parts")
def test_what_stands_in_several_places_can_be_cleaned_but_no_loop_and_nothing_that_grows_without_end() -> None:
    rows: list[object] = [{"a": ()}]
    assert is_cleanable({"one": rows, "two": rows, "none": [(), ()]})
    rows.append(rows)
    assert not is_cleanable(rows)
    doubled: object = "x"
    for _ in range(40):
        doubled = [doubled, doubled]
    assert not is_cleanable(doubled)


def test_names_that_are_equal_once_cleaned_keep_their_values_under_short_names_of_their_own() -> None:
    names = [f"{chr(0xD800 + at // 1024)}{chr(0xD800 + at % 1024)}" for at in range(20_000)]
    taken = [f"\ufffd\ufffd\ufffd{at}" for at in range(2, 10_000)]  # what the names would become is there already
    cleaned = clean_json({name: at for at, name in enumerate([*taken, *names])})
    assert isinstance(cleaned, dict)
    assert list(cleaned.values()) == list(range(len(taken) + len(names)))
    assert max(map(len, cleaned)) <= len("\ufffd\ufffd\ufffd") + len("30000")
    assert clean_json(cleaned) == cleaned


@pytest.mark.usefixtures("few_parts")
@pytest.mark.parametrize("inner", ["x", (), [0.5] * 100, {"a": None}], ids=["text", "empty", "numbers", "object"])
def test_a_copy_of_what_doubles_without_end_is_refused(inner: object) -> None:
    for _ in range(40):
        inner = [inner, {"again": inner}]
    with pytest.raises(JsonInvalid, match="more than 10000 parts"):
        copy_json(inner)
    assert not is_cleanable(inner)


@pytest.mark.usefixtures("few_parts")
def test_what_is_as_wide_as_deep_is_not_listed_before_it_is_refused() -> None:
    looked_at = []

    class Wide(list[object]):
        def __iter__(self) -> Iterator[object]:
            looked_at.append(len(self))
            return super().__iter__()

    wide: object = None
    for _ in range(40):
        wide = Wide([wide] * 600)
    assert not is_cleanable(wide)
    assert looked_at == [600]


def test_a_clean_copy_of_anything_passes_the_check_of_the_store() -> None:
    deep: JsonValue = "x\x00"
    for _ in range(300):
        deep = {"a": [deep, 10**400, math.inf, "\ud800"]}
    encode_json({"arguments": clean_json(deep), "calls": [{"arguments": clean_json(deep)}]}, "data")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param({"a": {1, 2}}, "a set stands in it", id="a set"),
        pytest.param({1: "a"}, "key 1 is not a text", id="a key that is no text"),
        pytest.param([math.inf], "inf is not a number of JSON", id="infinity"),
        pytest.param("\ud800", "half of a character", id="a lone surrogate"),
        pytest.param(["a", 1, "早\ud800"], "half of a character", id="a lone surrogate in a row"),
        pytest.param(["a", 1, math.inf], "inf is not a number", id="an infinite number in a row"),
    ],
)
def test_a_checked_copy_refuses_what_is_not_json(value: object, reason: str) -> None:
    with pytest.raises(JsonInvalid, match=reason):
        copy_json(value)


def test_a_checked_copy_is_deep_and_bounded() -> None:
    inner: list[object] = [1]
    copied = copy_json({"a": inner})
    inner.append(2)
    assert copied == {"a": [1]}
    deep: object = None
    for _ in range(200):
        deep = [deep]
    with pytest.raises(JsonInvalid, match="deeper"):
        copy_json(deep)


def test_a_checked_copy_has_no_part_twice() -> None:
    inner: list[object] = [1]
    copied = copy_json([inner, inner])
    assert isinstance(copied, list)
    assert copied[0] is not copied[1]


_FAULTS = (math.inf, -math.inf, math.nan, "\ud800", "早\x00", 2**63, -(2**63) - 1, b"x", {1}, (1,), {1: 2}, {"\x00": 1})
_mixed: st.SearchStrategy[object] = st.recursive(
    st.one_of(_values, st.sampled_from(_FAULTS)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
    max_leaves=8,
)


@given(_mixed)
def test_what_is_plainly_json_is_stored_read_and_copied_as_it_is(value: object) -> None:
    if is_plainly_json(value, 10):
        plain = cast("JsonValue", value)
        assert _find_fault(plain, 10) is None
        assert load_json(encode_json(plain, "data")) == copy_json(plain) == plain


@pytest.mark.parametrize("fault", _FAULTS, ids=repr)
def test_a_fault_at_any_depth_is_not_plainly_json(fault: object) -> None:
    for around in ([fault], {"a": fault}, [[0.5, {"b": [fault, "x"]}]], [[[0.5]], [[fault]]]):
        assert not is_plainly_json(around, 10)


def test_levels_are_counted_as_the_store_and_the_copy_count_them() -> None:
    deep: JsonValue = []
    for levels in range(2, 6):
        deep = [deep]
        assert is_plainly_json(deep, levels)
        assert not is_plainly_json(deep, levels - 1)
        assert _find_fault(deep, levels) is None
        assert _find_fault(deep, levels - 1) is not None


@pytest.mark.usefixtures("few_parts")
def test_what_doubles_without_end_is_left_early() -> None:
    wide: object = [0.5] * 100
    for _ in range(60):
        wide = [wide] * 30
    assert not is_plainly_json(wide, 90)


@pytest.mark.parametrize(
    ("value", "items", "objects"),
    [
        ([1, {"a": 2}, "b"], 3, [{"a": 2}]),
        (({"a": 1},), 1, [{"a": 1}]),
        ("abc", 0, []),
        ({"a": 1}, 0, []),
        (None, 0, []),
    ],
)
def test_only_a_list_has_items(value: JsonValue, items: int, objects: list[JsonValue]) -> None:
    assert len(list_items(value)) == items
    assert list_objects(value) == objects
