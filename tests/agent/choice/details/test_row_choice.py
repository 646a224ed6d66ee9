"""Words that seem to choose among the rows of an open approval."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from metier.agent.choice.details._row_choice import _seems_to_choose, read_row_choice
from metier.language import language_of

if TYPE_CHECKING:
    from metier.agent.turn import TurnState


@pytest.mark.parametrize("said", ["只改大写金额", "only fix the dates please"])
async def test_an_approval_without_rows_is_approved_or_rejected_as_a_whole(said: str) -> None:
    preview = {"sentence": {"zh": "将撤销。", "en": "It would be undone."}, "columns": [], "rows": [], "totals": []}
    pause = SimpleNamespace(
        id="p", payload={"purpose": "approve", "calls": [{"name": "undo_write", "preview": preview}]}
    )
    state = SimpleNamespace(
        calls=SimpleNamespace(pending_pause=pause),
        request=SimpleNamespace(language=language_of(said), message=said),
        uses_builtin_model=lambda _stage: True,
    )
    answer = await read_row_choice(cast("TurnState", state))
    assert answer is not None
    assert "0" not in answer.text
    assert ("整体" if language_of(said) == "zh" else "as a whole") in answer.text


def test_a_doubt_about_a_row_is_no_choice_and_an_order_for_a_place_is_no_doubt() -> None:
    doubts = ("I don't like the third", "第三条不太好", "只改第二条的金额", "第一条改，第三条不改")
    assert [one for one in doubts if not _seems_to_choose(one)] == []
    others = (
        "第二条改成六个月",
        "把第二段删掉",
        "replace the second clause",
        "第二天再说",
        "the first time",
        "第二条呢",
        "好的",
    )
    assert [one for one in others if _seems_to_choose(one)] == []
