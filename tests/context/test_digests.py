import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.context import DigestPolicy, digest_text, digest_value
from metier.context._digests import DigestCache, cut_middle
from metier.json_values import JsonValue
from metier.tokens import count_tokens

ROWS: JsonValue = [{"cell": f"A{at}", "rsrp": -100.25 - at} for at in range(40)]
RESULT: JsonValue = {"summary": "朝阳区有 12 个弱覆盖小区。最差的是 A7。" * 5, "rows": ROWS, "note": "x " * 500}


def test_a_short_result_is_shown_as_it_is() -> None:
    assert digest_text('{"a":  1}', 100, count_tokens) == '{"a":  1}'


@pytest.mark.parametrize("most", [2000, 400, 200, 100, 70])
def test_a_digest_keeps_within_its_tokens_and_its_json(most: int) -> None:
    digest = digest_text(json.dumps(RESULT, ensure_ascii=False), most, count_tokens)
    assert count_tokens(digest) <= most
    assert set(json.loads(digest)) == {"summary", "rows", "note"}


def test_a_digest_says_how_many_rows_there_are() -> None:
    digest = json.loads(digest_value(RESULT, 300, count_tokens))
    assert digest["rows"][0] == {"cell": "A0", "rsrp": -100.25}
    assert digest["rows"][-1] == "… 40"


def test_the_summary_is_kept_longer_than_other_texts() -> None:
    digest = json.loads(digest_value(RESULT, 200, count_tokens))
    assert "12 个弱覆盖小区。最差的是 A7。" in digest["summary"]
    assert len(digest["note"]) < len(digest["summary"])


def test_a_text_is_cut_after_a_sentence() -> None:
    assert digest_text("RSRP 是 1,234.5。" + "很长。" * 200, 14, count_tokens).startswith("RSRP 是 1,234.5。")
    assert digest_text("word " * 300, 12, count_tokens).endswith("word…")


def test_what_does_not_fit_can_be_left_out_without_a_trace() -> None:
    assert json.loads(digest_value({"a": 1, "rows": ROWS, "b": "x" * 900}, 20, count_tokens, omit=True)) == {"a": 1}
    assert digest_value("x" * 900, 10, count_tokens, omit=True) == ""


def test_a_tighter_policy_leaves_less() -> None:
    assert DigestPolicy().tighten() == DigestPolicy(1500, 2, max_result_tokens=600, digest_tokens=100)


def test_the_middle_of_a_long_message_of_short_lines_is_cut_in_few_looks() -> None:
    text, looked = "ab\n" * 20_000, [0]

    def count(part: str) -> int:
        looked[0] += len(part)
        return len(part)

    cut = cut_middle(text, 20_000, count, "[…]")
    assert 19_000 < len(cut) <= 20_000
    assert looked[0] < 60 * len(text)


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.text("数a. ，。1", max_size=200)),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.sampled_from(["summary", "rows", "a"]), inner),
    max_leaves=40,
)


@given(values, st.integers(20, 200))
def test_no_number_of_a_digest_is_a_part_of_another(value: JsonValue, most: int) -> None:
    whole = json.dumps(value, ensure_ascii=False)
    numbers = set(re.findall(r"\d+", whole))
    digest = digest_value(value, most, count_tokens)
    shown = re.sub(r"…[ )]*\d+|\(\d+ …\)|\(… \d+\)", "", digest)
    assert set(re.findall(r"\d+", shown)) <= numbers


def test_a_digest_is_made_once_for_a_text_and_a_length() -> None:
    made: list[str] = []

    def count(text: str) -> int:
        made.append(text)
        return count_tokens(text)

    text, cache = json.dumps(RESULT, ensure_ascii=False), DigestCache(max_entries=2)
    assert cache(text, 60, count) == digest_text(text, 60, count_tokens)
    made.clear()
    assert (cache(text, 60, count), made) == (digest_text(text, 60, count_tokens), [])
    assert cache(text, 30, count) == digest_text(text, 30, count_tokens)
    assert cache("short", 30, count) == "short"  # the cache was full
    assert len(cache._known) == 1
