"""Slides made from a document say what it says, or tell what they leave out."""

from importlib import resources
from pathlib import Path
from typing import Final

import pytest
from docx import Document

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis._outline import build_outline, propose_outline, propose_slides
from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._reading import read_document

_SAMPLES: Final = Path(str(resources.files("metier.packs.office"))) / "samples"


def _read(path: Path) -> Reading:
    return read_document(path.parent, ConversationDocument(path.name, path.name, "docx", path.name), with_others=False)


def _reading(*lines: str) -> Reading:
    pieces = (TextPiece("p1", "Plan"), TextPiece("p2", "Part", level=1, kind="heading"))
    return Reading("plan.docx", "docx", (*pieces, *(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 3))))


def _texts_of(actions: tuple[JsonObject, ...]) -> str:
    return str(actions)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_sentence_of_the_sample_is_on_its_slides(language: Language) -> None:
    path = _SAMPLES / f"sample-outline.{language}.docx"
    made = propose_slides(_read(path), language=language)
    lines = [one.text.strip().rstrip("。.") for one in Document(str(path)).paragraphs if one.text.strip()]
    assert [line for line in lines if line not in _texts_of(made.actions)] == []
    assert len(made.tables) == 1  # nothing was left out


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("The portal is old. " + "It was built for desktops and nobody liked it much, " * 3 + "70 % are mobile.", "en"),
        ("门户已经用了八年。" + "当时只考虑了电脑端，后来又加了很多功能，" * 4 + "移动端访问占七成。", "zh"),
    ],
)
def test_what_a_long_point_leaves_out_is_told_with_its_whole_text(line: str, language: Language) -> None:
    for made in (
        propose_slides(_reading(line), language=language),
        propose_outline(_reading(line), task="", language=language),
    ):
        assert ("Left out" if language == "en" else "删减的要点") in made.summary
        assert len(made.tables) == 2
        assert line in str(made.tables[1]["rows"])


def test_words_are_never_cut_in_the_middle() -> None:
    line = (
        "The committee recommends that administrative responsibilities be distributed among the participating members"
    )
    title, sections = build_outline(
        [TextPiece("p1", line), TextPiece("p2", "One", kind="heading", level=1), TextPiece("p3", line)]
    )
    for text in (title, *sections[0].points):
        assert set(text.removesuffix("…").split()) <= set(line.split())


def test_an_agenda_names_every_section() -> None:
    names = [f"Section {number}" for number in range(1, 21)]
    pieces = [
        TextPiece("p0", "Plan"),
        *(TextPiece(f"p{at}", name, kind="heading", level=1) for at, name in enumerate(names, 1)),
    ]
    made = propose_slides(Reading("plan.docx", "docx", tuple(pieces)), language="en")
    rows = made.tables[0]["rows"]
    assert isinstance(rows, list)
    agenda = " / ".join(str(row[2]) for row in rows if isinstance(row, list) and "Agenda" in str(row[1]))
    assert agenda.split(" / ") == names


def test_an_outline_in_markdown_leaves_no_signs_on_the_slides() -> None:
    lines = (
        *("# 年度总结", "---", "## 一、背景", "- **门户**已用`八年`"),
        *("* 见[报告](https://a.example/x_(1).html)", "> 用户*不满*"),
        *("## 二、计划", "1. 招标", "- [ ] 试点", "- [x] ~~旧方案~~"),
        *("| 阶段 | 时间 |", "|---|:---:|", "| 上线 | 3月 |", "```python"),
        *("价格 3*4*5，见 __init__ 与 \\*注", "-5℃ 以下停工", "### 细节", "__重点 词__"),
    )  # fmt: skip
    pieces = tuple(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1))
    title, sections = build_outline(pieces)
    assert title == "年度总结"
    assert [(one.title, one.points) for one in sections] == [
        ("一、背景", ("门户已用八年", "见报告", "用户不满")),
        (
            "二、计划",
            (
                *("1. 招标", "试点", "旧方案", "阶段 / 时间", "上线 / 3月"),
                *("价格 3*4*5，见 __init__ 与 *注", "-5℃ 以下停工", "细节", "重点 词"),
            ),
        ),
    ]


def test_tags_entities_and_marks_of_notes_are_signs_too() -> None:
    lines = ("# 计划", "## 一", "- 第一行<br>第二行[^1]", "- <b>A&amp;B</b> 与 <https://a.example>", "- a < b 且 c > d")
    (part,) = build_outline(tuple(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1)))[1]
    assert part.points == ("第一行 第二行", "A&B 与 https://a.example", "a < b 且 c > d")


def test_headings_of_markdown_without_a_title_are_parts_and_plain_text_stays() -> None:
    pieces = tuple(TextPiece(f"p{at}", line) for at, line in enumerate(("# A", "- one", "# B", "- two"), 1))
    assert [(one.title, one.points) for one in build_outline(pieces)[1]] == [("A", ("one",)), ("B", ("two",))]
    lines = ("计划", "一、要求", "C# 与 #5 号楼", "*号键不变")
    plain = tuple(TextPiece(f"p{at}", line) for at, line in enumerate(lines, 1))
    assert build_outline(plain)[1][0].points == lines[2:]
