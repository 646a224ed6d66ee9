"""A fact is a name, a value and where it came from; its text is safe to show."""

from typing import Any

import pytest

from metier.errors import InvalidInput
from metier.facts import Fact, FactOption, fact_from_json, make_fact, read_options


def test_hostile_values_are_made_safe_or_refused() -> None:
    dirty = "朝\x00阳\u202e区\u200b\n\n第二行\U000e0041\ud800"
    fact = make_fact(Fact("place", dirty, title="地\u2066点", label="x" * 500))
    assert (fact.value, fact.title, len(fact.label)) == ("朝 阳区 第二行", "地点", 120)
    nested = make_fact(Fact("rows", [{"a\x07": "b\u200f"}, 3]))
    assert nested.value == [{"a": "b"}, 3]
    refused = [Fact("a.b", 1), Fact("名", 1), Fact("x" * 65, 1), Fact("x", ""), Fact("x", "\u200b"), Fact("x", None)]
    refused += [Fact("x", "字" * 2001), Fact("x", float("nan"))]
    for one in refused:
        with pytest.raises(InvalidInput):
            make_fact(one)


def test_the_label_is_that_of_the_option_or_the_value_itself() -> None:
    options = read_options([{"value": "DT1", "label": "北京"}, "DT2", None, {"label": "无"}])
    assert options == (FactOption("DT1", "北京"), FactOption("DT2", "DT2"))
    assert make_fact(Fact("scenario", "DT1", options=options)).label == "北京"


def test_an_option_has_its_names_in_other_languages() -> None:
    options = read_options([{"value": "DT1", "label": "北京", "also": ["Beijing", 3]}])
    kept = make_fact(Fact("scenario", "DT1", options=options))
    assert kept.options == (FactOption("DT1", "北京", ("Beijing",)),)
    assert fact_from_json(kept.to_json()).options == kept.options
    assert make_fact(Fact("bands", ["n41", 3])).label == "n41, 3"


def test_a_fact_reads_what_it_wrote_and_knows_its_type() -> None:
    fact = make_fact(Fact("scenario", "DT1", "场景", "北京", "words", (FactOption("DT1", "北京"),), "skill", "step"))
    assert fact_from_json(fact.to_json()) == fact
    types: dict[str, Any] = {"text": "a", "number": 1.5, "boolean": True, "list": [1], "object": {"a": 1}}
    assert {name: make_fact(Fact("x", value)).type for name, value in types.items()} == {one: one for one in types}
