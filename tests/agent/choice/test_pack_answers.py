"""A pack is asked about the work of a skill that says so, with the facts of the conversation."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from metier.agent.choice._claims import find_ordered
from metier.agent.choice._pack_answers import ask_packs
from metier.pack import PackAnswer, PackQuestion


def _state(metadata: dict[str, str], asked: list[PackQuestion], told: PackAnswer = PackAnswer("42")) -> Any:  # noqa: B008
    def answer(question: PackQuestion) -> PackAnswer:
        asked.append(question)
        return told

    async def load_facts() -> list[SimpleNamespace]:
        return [SimpleNamespace(name="data_file", value="a.csv")]

    return SimpleNamespace(
        skill=SimpleNamespace(active=SimpleNamespace(id="data-analysis", metadata=metadata)),
        resources=SimpleNamespace(answerers=(answer,), workspace=lambda _: Path("w")),
        journal=SimpleNamespace(load_facts=load_facts),
        request=SimpleNamespace(message="how much", language="en"),
        conversation="c",
    )


async def test_the_pack_sees_the_question_the_skill_and_the_facts() -> None:
    asked: list[PackQuestion] = []
    found = await ask_packs(_state({"questions": "pack"}, asked))
    assert found == PackAnswer("42")
    assert asked == [PackQuestion("how much", "data-analysis", "en", Path("w"), {"data_file": "a.csv"})]


async def test_a_skill_that_does_not_say_so_asks_no_pack_and_reads_no_facts() -> None:
    asked: list[PackQuestion] = []
    assert await ask_packs(_state({}, asked)) is None
    assert asked == []


async def test_what_the_pack_knows_as_an_order_is_for_the_steps_of_the_skill_in_use() -> None:
    ordered = await find_ordered(_state({"questions": "pack"}, [], PackAnswer("", found=False, is_order=True)))
    assert ordered is not None
    assert (ordered.verdict, ordered.skill, [one.code for one in ordered.why]) == ("auto", "data-analysis", ["order"])
    assert await find_ordered(_state({"questions": "pack"}, [])) is None


async def test_an_order_may_be_for_the_steps_of_another_skill_that_the_pack_names() -> None:
    state = _state({"questions": "pack"}, [], PackAnswer("", is_order=True, skill="tarot"))
    state.request.catalog = {"tarot": SimpleNamespace(id="tarot")}
    ordered = await find_ordered(state)
    assert ordered is not None
    assert ordered.skill == "tarot"
    state.request.catalog = {}
    assert (await find_ordered(state) or ordered).skill == "data-analysis"
