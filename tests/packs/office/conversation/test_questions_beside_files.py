"""What is asked beside a document is answered: its slips, which file is in use, how a write is taken back."""

from pathlib import Path

import pytest

from tests.packs.office.orders.written import make_deck, make_document
from tests.packs.office.turns import OfficeTurns

pytestmark = pytest.mark.asyncio(loop_scope="module")

_LINES = ("请准时的的到达,不要迟到。", "The the plan is is ready.", "黄总到场。")


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return make_document(
        tmp_path / "方案.docx", "春游方案", "请准时的的到达,不要迟到。", "The the plan is is ready.", "黄总到场。"
    )


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("有没有错别字", "其他错别字和语病要接入语言模型才能查"),
        ("改一下错别字", "其他错别字和语病要接入语言模型才能查"),
        ("fix the typos", "other spelling and grammar need a language model"),
        ("check the spelling", "other spelling and grammar need a language model"),
    ],
)
async def test_a_check_of_spelling_says_what_it_checks(turns: OfficeTurns, plan: Path, message: str, told: str) -> None:
    played = await turns.play(message, [plan])
    assert told in played.said
    lines = played.lines["方案.docx"]
    assert "请准时的到达，不要迟到。" in lines
    assert "The plan is ready." in lines


@pytest.mark.parametrize("message", ["现在用的是哪个文件", "which file is in use now?"])
async def test_the_file_in_use_is_named(turns: OfficeTurns, plan: Path, message: str) -> None:
    played = await turns.play(message, [plan])
    assert played.skills == ("document_overview",)
    assert "方案.docx" in played.said
    assert not played.written


async def test_how_to_undo_is_told_before_it_is_done(turns: OfficeTurns, plan: Path) -> None:
    played = await turns.play("怎么撤销", [plan], "把“黄总”改成“李总”")
    assert "说「撤销写入」" in played.said
    assert "李总到场。" in played.lines["方案.docx"]
    assert "Say “undo the write”" in (await turns.play("how do I undo", [plan])).said


@pytest.mark.parametrize("message", ["把目录去掉", "把目录页去掉，配色换成蓝色的"])
async def test_a_contents_slide_is_never_added_where_it_is_to_go(
    turns: OfficeTurns, tmp_path: Path, message: str
) -> None:
    deck = make_deck(tmp_path / "总结.pptx", ("年终总结", "市场部"), ("今年业绩", "增长18%"), ("存在问题", "周期长"))
    played = await turns.play(message, [deck])
    assert not played.written
    assert played.texts[0].endswith(("？", "。"))
    assert "生成目录页" not in played.said
