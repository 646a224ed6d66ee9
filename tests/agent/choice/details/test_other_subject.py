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
    ],
    ids=["another option", "a heading on screen", "a place of no option", "the same", "no place", "no fact of places"],
)
async def test_another_place_is_told_from_words_on_screen_and_from_the_same(
    message: str, fact: Fact, results: Results, is_other: bool
) -> None:
    async def load_facts() -> tuple[Fact, ...]:
        return (fact,)

    state = SimpleNamespace(request=SimpleNamespace(message=message), journal=SimpleNamespace(load_facts=load_facts))
    assert await names_other_value(cast("TurnState", state), results) is is_other
