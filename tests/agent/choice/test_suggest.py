"""The question which skill is meant: it says what needs a language model, and offers nothing that has nothing to do."""

from pathlib import Path

import pytest

from metier import Runtime, Settings, TurnRequest
from metier.agent.choice._suggest import orders_prose
from metier.pack import select_packs


@pytest.mark.parametrize(
    "message",
    [
        "写一份放假通知",
        "帮我写个请假条",
        "起草一封给客户的道歉信",
        "Write an email to the customer about the delay",
        "could you draft a short speech for the party?",
    ],
)
def test_an_order_for_a_text_of_ones_own_is_found(message: str) -> None:
    assert orders_prose(message)


@pytest.mark.parametrize(
    "message",
    ["通知发给谁了？", "打开那封邮件", "插入一个四列的表", "which email is it?", "send the report", "填写报价表"],
)
def test_other_orders_about_texts_are_not(message: str) -> None:
    assert not orders_prose(message)


async def test_without_a_model_the_question_says_so_and_offers_no_undo_before_a_write(tmp_path: Path) -> None:
    settings = Settings(storage_dir=tmp_path, skills_dir=(), packs=("office",))
    async with Runtime.open(settings, packs=select_packs(settings).found) as runtime:
        events = [event async for event in runtime.turn(TurnRequest(message="写一份放假通知"))]
    asked = next(event.data for event in events if event.kind == "pause.opened")
    assert "没有接入语言模型" in str(asked["text"])
    offered = str(asked["schema"])
    assert "document_edit" in offered
    assert "document_undo" not in offered
