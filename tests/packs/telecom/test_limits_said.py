"""Restrictions, several places and things to try hold in a conversation, in both languages."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from metier.agent import Runtime
from metier.pack import select_packs
from metier.settings import Settings
from tests.e2e.support import said

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runtime(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Runtime]:
    settings = Settings(
        storage_dir=tmp_path_factory.mktemp("limits"), skills_dir=(), packs=("telecom", "office", "life")
    )
    async with Runtime.open(settings, packs=select_packs(settings).found) as opened:
        yield opened


def arguments_of(turn: Any, tool: str) -> list[Any]:
    return [one["arguments"] for one in turn.all("tool.called") if one["tool"] == tool]


@pytest.mark.parametrize(
    ("first", "later", "answer"),
    [
        ("分析朝阳区弱覆盖，只做小区级", "浦东和西湖呢", "不需要"),
        ("Analyse weak coverage in Chaoyang, cell level only", "and Pudong and Xihu?", "not now"),
    ],
)
async def test_places_of_a_follow_up_are_done_in_turn_and_each_asks_its_own_question(
    runtime: Runtime, first: str, later: str, answer: str
) -> None:
    begun = await said(runtime, first)
    talk = begun.conversation
    assert [one["level"] for one in arguments_of(begun, "query_root_cause_analysis")] == ["cell"]
    one = await said(runtime, later, talk)
    assert [found["digitaltwins_id"] for found in arguments_of(one, "query_root_cause_analysis")] == ["DT20260103"]
    assert one.one("pause.opened")["step"] == "confirm"
    two = await said(runtime, answer, talk)
    assert [found["digitaltwins_id"] for found in arguments_of(two, "query_root_cause_analysis")] == ["DT20260104"]
    assert two.one("pause.opened")["step"] == "confirm"


async def test_what_another_value_would_do_is_computed_and_nothing_is_applied(runtime: Runtime) -> None:
    told = await said(runtime, "把朝阳460-00-100031的下倾角改成6度会怎样")
    assert "14 → 6" in told.text
    assert "没有下发" in told.text
    beyond = await said(runtime, "what if the tilt of 460-00-100031 in Chaoyang is set to 60 degrees?")
    assert "out of bounds" in beyond.text


@pytest.mark.parametrize(
    ("message", "words"), [("撤销上一次下发", "没有可以撤销的"), ("undo the last delivery", "none to take back")]
)
async def test_a_delivery_that_was_not_made_cannot_be_taken_back(runtime: Runtime, message: str, words: str) -> None:
    assert words in (await said(runtime, message)).text


@pytest.mark.parametrize("message", ["分析朝陽區弱覆蓋問題", "撤銷", "把朝陽460-00-100031的下傾角改成6度會怎樣"])
async def test_traditional_characters_are_read(runtime: Runtime, message: str) -> None:
    told = await said(runtime, message)
    assert told.all("tool.called") or "没有可以撤销的" in told.text
