"""Edits of words within a line that is quoted, and places beside a signature."""

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders

_LINES = ("活动通知", "各部门报名。", "材料由各部门保管。", "锦绣苑业委会")
_READING = Reading("", "docx", pieces=tuple(TextPiece(f"p{at}", one) for at, one in enumerate(_LINES, 1)))


def test_words_within_a_quoted_line_change_there_alone() -> None:
    made = read_orders("把“材料由各部门保管。”中的“各部门”改为“综合科”", _READING, language="zh")
    assert [one.get("address") for one in made.actions] == ["p3"]
    assert made.actions[0]["replace_text"] == "材料由综合科保管。"


def test_words_that_the_quoted_line_lacks_are_asked_about() -> None:
    assert not read_orders("把“活动通知”中的“各部门”改为“综合科”", _READING, language="zh").actions


@pytest.mark.parametrize("side", ["上面", "后面"])
def test_a_place_beside_the_signature_signs_nothing_anew(side: str) -> None:
    made = read_orders(f"落款“锦绣苑业委会”{side}再加一行“雨天顺延。”", _READING, language="zh")
    assert all("锦绣苑业委会" not in str(one.get("text", "")) for one in made.actions)


def test_what_stays_may_be_said_to_be_kept() -> None:
    made = read_orders("删除“各部门报名。”和“材料由各部门保管。”这两段，其余保留。", _READING, language="zh")
    assert [one["op"] for one in made.actions] == ["delete_paragraphs"]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("文末写明：自即日起施行", "自即日起施行"),
        ("末尾注明：以上内容归公司所有", "以上内容归公司所有"),
        ("在文末写上负责人：王建国", "负责人：王建国"),
        ("文末加上联系电话：021-5555", "联系电话：021-5555"),
    ],
)
def test_a_line_at_the_end_is_written_with_its_own_label(said: str, line: str) -> None:
    reading = Reading("", "docx", pieces=(TextPiece("p1", "活动通知"),))
    made = read_orders(said, reading, language="zh")
    assert [one.get("text") for one in made.actions][-1] == line


@pytest.mark.parametrize(
    ("said", "parties"),
    [("在文末加个签字栏：甲方、乙方", ("甲方", "乙方")), ("文末加签字栏，乙方", ("乙方",)), ("文末加签字栏", ())],
)
def test_parties_that_the_order_names_sign(said: str, parties: tuple[str, ...]) -> None:
    reading = Reading("", "docx", pieces=(TextPiece("p1", "活动通知"),))
    written = str(read_orders(said, reading, language="zh").actions)
    assert [one for one in ("甲方", "乙方") if one in written] == list(parties)
