"""Facts of a conversation are stored once a name, and an unknown one is answered with the names there are."""

import pytest

from metier.errors import RecordNotFound
from metier.facts import Fact
from metier.store import Store


async def test_a_fact_takes_the_place_of_the_one_of_its_name(store: Store) -> None:
    where = (await store.conversations.create("ann")).id
    for name, value in (("period", "week"), ("scenario", "east"), ("period", "month")):
        await store.facts.save(where, Fact(name, value))
    assert {one.fact.name: one.fact.value for one in await store.facts.list(where)} == {
        "period": "month",
        "scenario": "east",
    }
    assert (await store.facts.get(where, "period")).fact.value == "month"


async def test_an_unknown_fact_is_refused_with_the_names_of_those_there_are(store: Store) -> None:
    where = (await store.conversations.create("ann")).id
    with pytest.raises(RecordNotFound, match="has no fact 'period'") as caught:
        await store.facts.get(where, "period")
    assert caught.value.hint == "its facts: none"
    for name in ("month", "scenario"):
        await store.facts.save(where, Fact(name, "x"))
    with pytest.raises(RecordNotFound) as caught:
        await store.facts.get(where, "period")
    assert caught.value.hint == "its facts: month, scenario"
