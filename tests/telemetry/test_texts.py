"""Texts leave no words behind unless the operator wants them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.telemetry._texts import TextRedactor, load_or_create_key


def test_facts_about_a_text_are_its_length_language_and_mark() -> None:
    facts = TextRedactor(b"key").describe("东城弱覆盖")
    assert facts["chars"] == 5
    assert facts["language"] == "zh"
    assert facts == TextRedactor(b"key").describe("东城弱覆盖")
    assert TextRedactor(b"key").describe("why is it slow")["language"] == "en"


def test_the_mark_needs_the_key() -> None:
    assert TextRedactor(b"key").describe("yes")["mark"] != TextRedactor(b"other").describe("yes")["mark"]
    assert TextRedactor(b"key").describe("yes")["mark"] != TextRedactor(b"key").describe("no")["mark"]


def test_words_are_kept_when_content_is_on() -> None:
    assert TextRedactor(b"key", content=True).describe("好的")["text"] == "好的"
    assert TextRedactor(b"key", content=True).describe_value({"q": "好的"})["value"] == {"q": "好的"}


def test_half_a_character_has_facts_too() -> None:
    assert TextRedactor(b"key").describe("\ud800")["chars"] == 1


def test_a_payload_keeps_its_figures_and_codes() -> None:
    failure = {"code": "no_table", "message": "找不到表格"}
    cleaned = TextRedactor(b"key").redact({"op": "upsert_block", "ms": 12.5, "ok": True, "error": failure})
    assert cleaned["op"] == "upsert_block"
    assert cleaned["ms"] == 12.5
    error = cleaned["error"]
    assert isinstance(error, dict)
    assert error["code"] == "no_table"
    assert "找不到表格" not in json.dumps(cleaned, ensure_ascii=False)


_SECRET = "身份证 11010119900307"
_VALUES = st.recursive(
    st.sampled_from([_SECRET, 1, None, True]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "text", "rows"]), inner),
    max_leaves=10,
)


@settings(deadline=None)
@given(name=st.sampled_from(["message", "Text", "prompt", "doc_text", "arguments"]), value=_VALUES)
def test_nothing_said_survives_under_a_spoken_field(name: str, value: object) -> None:
    texts = TextRedactor(b"key")
    wrapped = {name: _SECRET, "list": [{name: [_SECRET]}], "long": _SECRET * 30, "inner": {"text": value}}
    kept = texts.redact(wrapped)  # type: ignore[arg-type]
    del kept["inner"]  # type: ignore[attr-defined]
    assert _SECRET not in json.dumps(kept, ensure_ascii=False)
    assert texts.redact({"text": [_SECRET]}) == {"text": [texts.describe(_SECRET)]}


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "telemetry" / "key"
    key = load_or_create_key(path)
    assert len(key) == 32
    assert load_or_create_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("blocked", ["file-as-folder", "empty"])
def test_a_key_that_cannot_be_kept_lasts_for_this_run(tmp_path: Path, blocked: str) -> None:
    (tmp_path / "at").write_bytes(b"")
    path = tmp_path / "at" / "key" if blocked == "file-as-folder" else tmp_path / "at"
    assert len(load_or_create_key(path)) == 32
