"""Which attached file a message takes as template or sample, and slides on the user's own template."""

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from pptx import Presentation
from pptx.util import Cm

from metier.agent import Runtime, TurnRequest
from metier.attachments import add_attachment
from metier.pack import select_packs
from metier.packs.office.conversation.patterns._find import find_pattern, find_patterned_work, wants_kept_slides
from metier.packs.office.slides import find_overflow
from metier.settings import Settings
from metier.workspaces import WorkspaceQuota, workspace_folder


def _save(made: Any) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


@cache
def make_outline() -> bytes:
    made = Document()
    made.add_heading("年度工作汇报", 0)
    for title in ("一季度工作", "二季度工作"):
        made.add_heading(title, 1)
        for number in range(9):
            made.add_paragraph(f"完成第 {number} 项：走访企业一百二十户，整理问题三十六条，并逐条落实责任人和完成时间")
    return _save(made)


@cache
def make_template(width_cm: float = 25.4, height_cm: float = 14.29) -> bytes:
    """A deck of another size with two slides of its own and a font of its own."""
    made = Presentation()
    wide, high = Cm(width_cm) / made.slide_width, Cm(height_cm) / made.slide_height
    made.slide_width, made.slide_height = Cm(width_cm), Cm(height_cm)
    for master in made.slide_masters:
        for holder in (master, *master.slide_layouts):
            for one in holder.placeholders:
                if one._element.spPr.xfrm is not None:
                    one.left, one.width = int(one.left * wide), int(one.width * wide)
                    one.top, one.height = int(one.top * high), int(one.height * high)
    for _ in range(2):
        made.slides.add_slide(made.slide_layouts[0]).shapes.title.text = "模板示例页"
    return _save(made)


def attach(workspace: Path, *names: str) -> Path:
    for name in names:
        content = make_template() if name.endswith("pptx") else make_outline()
        add_attachment(workspace, name, content, max_bytes=1 << 24, quota=WorkspaceQuota())
    return workspace


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("用模板.pptx把提纲.docx做成幻灯片", "模板.pptx"),
        ("把提纲做成幻灯片，套用模板.pptx", "模板.pptx"),
        ("以模板.pptx为模板，把提纲.docx做成PPT", "模板.pptx"),
        ("把提纲做成PPT，版式用 模板.pptx", "模板.pptx"),
        ("按公司模板把提纲做成演示", "模板.pptx"),
        ("turn 提纲.docx into slides on 模板.pptx", "模板.pptx"),
        ("make slides from the outline with our company template", "模板.pptx"),
        ("把提纲做成幻灯片", "?"),
        ("把提纲.docx加到模板.pptx里", "?"),
        ("append 提纲.docx to 模板.pptx", "?"),
        ("把提纲.docx做成PPT，不用模板", ""),
        ("把提纲.docx做成PPT，默认版式", ""),
        ("make slides from 提纲.docx without a template", ""),
    ],
)
def test_a_presentation_is_the_template_only_if_the_words_say_so(tmp_path: Path, message: str, name: str) -> None:
    found = find_pattern(message, attach(tmp_path, "提纲.docx", "模板.pptx"), "pptx")
    assert (found.document.name if found.document else "?" if found.is_unclear else "") == name


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("照样本.docx的格式排版通知.docx", "样本.docx"),
        ("按样本.docx的样式给通知.docx排版", "样本.docx"),
        ("把通知.docx改成和样本.docx一样的格式", "样本.docx"),
        ("通知.docx的格式参照样本.docx", "样本.docx"),
        ("排版通知.docx，以样本.docx为准", "样本.docx"),
        ("仿照通知.docx排版样本.docx", "通知.docx"),
        ("照样本的格式排版通知", "样本.docx"),
        ("format 通知.docx like 样本.docx", "样本.docx"),
        ("make 通知.docx look like 样本.docx", "样本.docx"),
        ("apply the formatting of 样本.docx to 通知.docx", "样本.docx"),
        ("give 通知.docx 样本.docx's style", "样本.docx"),
        ("排版通知.docx", ""),
        ("把样本.docx里的甲方换成乙方", ""),
        ("用样本.docx和名单填写通知.docx", ""),
    ],
)
def test_a_sample_of_formatting_is_named_by_its_part_in_the_sentence(tmp_path: Path, message: str, name: str) -> None:
    found = find_patterned_work(message, attach(tmp_path, "样本.docx", "通知.docx"))
    assert (found[1].name if found and found[1] else "") == name


@pytest.mark.parametrize(
    ("message", "is_asked"),
    [
        ("照样本的格式排版通知.docx", True),
        ("format 通知.docx like the sample", True),
        ("按公文模板排版通知.docx", False),
        ("按标准版式排版通知.docx", False),
        ("按样本填写通知.docx", False),
    ],
)
def test_a_sample_that_no_file_is_for_certain_is_asked_about(tmp_path: Path, message: str, is_asked: bool) -> None:
    found = find_patterned_work(message, attach(tmp_path, "通知.docx", "年报.docx", "总结.docx"))
    assert found == (("doc-formatter", None) if is_asked else None)


def test_slides_of_a_template_stay_only_if_it_is_said() -> None:
    assert wants_kept_slides("把提纲做成PPT，保留模板原有的页")
    assert wants_kept_slides("make slides and keep the sample slides")
    assert not wants_kept_slides("用模板.pptx把提纲.docx做成幻灯片")


@pytest.fixture
def talk(tmp_path: Path) -> Callable[..., Any]:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none")

    async def run(*messages: str) -> tuple[str, Path]:
        async with Runtime.open(settings, packs=select_packs(settings, ["office"]).found) as runtime:
            made = await runtime.store.conversations.create("local")
            workspace = attach(workspace_folder(tmp_path, made.id), "提纲.docx", "模板.pptx")
            events = [
                event
                for message in messages
                async for event in runtime.turn(TurnRequest(message, conversation=made.id))
            ]
        return "\n".join(str(one.data["text"]) for one in events if one.kind == "text.done"), workspace

    return run


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(("用模板.pptx把提纲.docx做成幻灯片", "同意"), id="said first"),
        pytest.param(("把提纲做成幻灯片，套用模板.pptx", "同意"), id="said last"),
        pytest.param(("把提纲做成幻灯片", "用它作模板", "同意"), id="asked"),
    ],
)
async def test_an_outline_becomes_slides_on_the_users_own_template(
    talk: Callable[..., Any], messages: tuple[str, ...]
) -> None:
    said, workspace = await talk(*messages)
    deck = workspace / "documents" / "提纲.pptx"
    made = Presentation(str(deck))
    assert (round(made.slide_width / Cm(1), 1), round(made.slide_height / Cm(1), 2)) == (25.4, 14.29)
    assert {one.name for one in made.slide_layouts} == {one.name for one in Presentation().slide_layouts}
    titles = [one.shapes.title.text for one in made.slides if one.shapes.title]
    assert titles[:2] == ["年度工作汇报", "目录"]
    assert "模板示例页" not in titles
    assert find_overflow(deck) == ()
    assert "套用模板**模板.pptx**" in said
    assert "原有的 2 页不带入" in said


async def test_without_the_template_the_deck_is_another_file_of_the_default_size(talk: Callable[..., Any]) -> None:
    _, workspace = await talk("用模板.pptx把提纲.docx做成幻灯片", "同意", "把提纲.docx做成幻灯片，不用模板", "同意")
    sizes = {one.name: Presentation(str(one)).slide_width for one in (workspace / "documents").glob("*.pptx")}
    assert sizes == {"提纲.pptx": Cm(25.4), "提纲-2.pptx": 12_192_000}


async def test_slides_that_a_template_keeps_stand_before_the_new_ones(talk: Callable[..., Any]) -> None:
    _, workspace = await talk("把提纲.docx做成PPT，套用模板.pptx，保留模板原有的页", "同意")
    made = Presentation(str(workspace / "documents" / "提纲.pptx"))
    assert [one.shapes.title.text for one in made.slides][:3] == ["模板示例页", "模板示例页", "年度工作汇报"]
