"""A message that names another place than the conversation has is a new request."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from metier.agent.choice.details._other_subject import names_other_value
from metier.facts import Fact, FactOption
from metier.questions import Results, ResultTable, TableColumn

if TYPE_CHECKING:
    from metier.agent.turn import TurnState

DISTRICTS = (FactOption("cy", "朝阳区"), FactOption("pd", "浦东新区"))
SAMPLES = (FactOption("own", "采购.docx"), FactOption("sample", "示例合同"))
FILE = Fact("document", "own", label="采购.docx", options=SAMPLES)
REVIEW = SimpleNamespace(title="合同审查", titles={}, triggers=("审合同",))
PLACE = Fact("district", "cy", label="朝阳区", options=DISTRICTS)
MODE = Fact("mode", "a", label="快速", options=(FactOption("a", "快速"), FactOption("b", "完整")))
SHOWN = Results((ResultTable("浦东对比", (TableColumn("a", "小区"),), (("C1",),), 1, "report"),))


@pytest.mark.parametrize(
    ("message", "fact", "results", "is_other"),
    [
        ("浦东的呢", PLACE, Results(), True),
        ("浦东那张表里有几个", PLACE, SHOWN, False),
        ("南山区的呢", PLACE, Results(), True),
        ("朝阳区的呢", PLACE, Results(), False),
        ("哪个小区最差", PLACE, Results(), False),
        ("南山区的呢", MODE, Results(), False),
        ("这份合同谁签的？", FILE, Results(), False),
        ("用示例合同", FILE, Results(), True),
    ],
    ids=[
        "another option",
        "a heading on screen",
        "a place of no option",
        "the same",
        "no place",
        "no fact of places",
        "a word of the skill",
        "the sample",
    ],
)
async def test_another_place_is_told_from_words_on_screen_and_from_the_same(
    message: str, fact: Fact, results: Results, is_other: bool
) -> None:
    async def load_facts() -> tuple[Fact, ...]:
        return (fact,)

    state = SimpleNamespace(
        request=SimpleNamespace(message=message),
        journal=SimpleNamespace(load_facts=load_facts),
        skill=SimpleNamespace(active=REVIEW if fact is FILE else None),
    )
    assert await names_other_value(cast("TurnState", state), results) is is_other
