"""New slides in a deck whose masters have no styles, as LibreOffice writes them."""

from pathlib import Path

import pytest
from lxml import etree
from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.slide import Slide

from metier.json_values import JsonObject
from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office.plan import load_plan
from metier.packs.office.slides import OutlineSlide, create_blank, create_deck, find_overflow
from metier.packs.office.slides._deck import Deck
from metier.packs.office.slides._measure import Spacing, text_height
from metier.packs.office.slides._sample_look import has_subtitle
from metier.packs.office.slides._sizes import find_spacing, inherited_size

_TITLE = "关于进一步加强公司数字化转型与数据治理工作统筹推进及各部门协同落实责任的实施方案（征求意见稿）专题汇报"
_POINTS = "\n".join(f"第{at}点：围绕业务流程推进系统集成，明确牵头部门和完成时限" for at in range(8))
_ROWS = [["风险", "措施"], *[[f"第{at}批设备延期交付", "提前锁定备选供应商，按周跟踪"] for at in range(8)]]


def _sample(size: int, look: str) -> etree._Element:
    return parse_xml(
        f'<a:p {nsdecls("a")}><a:pPr {look}<a:r><a:rPr lang="en-US" sz="{size}"/><a:t>Click to edit</a:t></a:r></a:p>'
    )


def _strip_styles(path: Path, *, has_samples: bool) -> Path:
    """A deck as LibreOffice saves it: looks stand in sample texts, tables have no styles."""
    create_blank(path)
    deck = Presentation(str(path))
    for master in deck.slide_masters:
        for place in (master, *master.slide_layouts):
            for styles in list(place._element.iter(qn("p:txStyles"), qn("a:lstStyle"))):
                styles.getparent().remove(styles)
        for shape in master.placeholders:
            body = shape.text_frame._txBody
            for one in list(body.iter(qn("a:p"))):
                body.remove(one)
            is_title = int(shape.placeholder_format.type or 0) == 1
            marks = '<a:spcBef><a:spcPts val="1400"/></a:spcBef><a:buChar char="•"/></a:pPr>'
            made = (
                _sample(4400, 'algn="ctr"/>') if is_title else _sample(3200, f'marL="343080" indent="-343080">{marks}')
            )
            body.append(made if has_samples else parse_xml(f"<a:p {nsdecls('a')}/>"))
    for relation in [one for one in deck.part.rels.values() if one.reltype == RT.TABLE_STYLES]:
        deck.part.drop_rel(relation.rId)
        deck.part.rels._rels.pop(relation.rId, None)
    deck.save(str(path))
    return path


def _run(source: Path, *actions: JsonObject) -> Path:
    listed = [{"title": "t", **one, "id": f"a{at}"} for at, one in enumerate(actions)]
    loaded = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wpp", "meta": {}, "actions": listed}, host="wpp")
    assert loaded.plan is not None
    target = source.with_name("out.pptx")
    host_for("wpp").execute(loaded.plan, source, target, request=WriteRequest())
    return target


def _level(slide: Slide, place: int) -> etree._Element:
    return slide.placeholders[place]._element.find(f".//{qn('a:lstStyle')}/{qn('a:lvl1pPr')}")


@pytest.mark.parametrize("has_samples", [True, False], ids=["samples", "nothing"])
def test_new_slides_have_sizes_and_points_and_nothing_overflows(tmp_path: Path, has_samples: bool) -> None:
    source = _strip_styles(tmp_path / "a.pptx", has_samples=has_samples)
    target = _run(
        source,
        {"op": "add_slide", "title": "短", "layout": 2, "content": "背景\n现状"},
        {"op": "add_slide", "title": _TITLE, "layout": 2, "content": _POINTS},
        {"op": "add_slide", "title": _TITLE, "layout": 11},
        {"op": "add_table", "rows": 9, "cols": 2, "data": _ROWS},
    )
    short, _, table = list(Presentation(str(target)).slides)[-3:]
    title, body = _level(short, 0), _level(short, 1)
    assert body.find(qn("a:buChar")) is not None, "points have their marks"
    sizes = [one.find(qn("a:defRPr")).get("sz") for one in (title, body)]
    assert sizes == (["4400", "3200"] if has_samples else ["3200", "2400"])
    assert title.get("algn") == ("ctr" if has_samples else None)
    assert inherited_size(short.placeholders[0]) == int(sizes[0]) / 100
    assert find_overflow(target) == ()
    assert any(one.reltype == RT.TABLE_STYLES for one in Presentation(str(target)).part.rels.values())
    assert any(getattr(one, "has_table", False) for one in table.shapes)


def test_a_deck_with_styles_keeps_them_on_its_masters(tmp_path: Path) -> None:
    create_blank(tmp_path / "a.pptx")
    target = _run(tmp_path / "a.pptx", {"op": "add_slide", "title": "短", "layout": 2, "content": "背景"})
    slide = list(Presentation(str(target)).slides)[-1]
    assert [_level(slide, at) for at in (0, 1)] == [None, None]


def test_of_layouts_of_one_kind_the_one_in_use_is_taken(tmp_path: Path) -> None:
    create_blank(tmp_path / "a.pptx")
    deck = Deck.open(tmp_path / "a.pptx")
    first = deck.find_layout(2)
    assert first is not None
    other = next(one for one in deck.layouts() if one._element.get("type") == "twoObj")
    other._element.set("type", "obj")
    deck.add_slide(other)
    found = deck.find_layout(2)
    assert found is not None
    assert (found.name, first.name != other.name) == (other.name, True)


def test_a_new_slide_takes_the_master_of_its_kind_and_stands_where_that_has_its_texts(tmp_path: Path) -> None:
    """LibreOffice gives the cover a master of its own, with all layouts; the places of these have no design."""
    source = _strip_styles(tmp_path / "a.pptx", has_samples=True)
    deck = Deck.open(source)
    layout = deck.find_layout(2)
    assert layout is not None
    sample = next(one for one in layout.slide_master.placeholders if int(one.placeholder_format.type or 0) == 2)
    sample.left, sample.top, sample.width, sample.height = 111, 222, 333_333, 444_444
    body = deck.add_slide(layout).placeholders[1]
    assert (body.left, body.top, body.width, body.height) == (111, 222, 333_333, 444_444)
    cover = deck.find_layout(1)
    assert cover is not None
    deck.add_slide(cover)
    deck.add_slide(cover)
    other = next(one for one in deck.layouts() if one._element.get("type") == "twoObj")
    other._element.set("type", "title")
    found = deck.find_layout(1)
    assert found is not None
    assert found.name == cover.name
    assert [has_subtitle(one) for one in deck.slides()] == [False, True, True]


def test_new_content_does_not_cover_a_line_of_the_design(tmp_path: Path) -> None:
    (tmp_path / "a.pptx").write_bytes(create_deck([OutlineSlide("封面", is_cover=True), OutlineSlide("背景", ("一",))]))
    target = _run(
        tmp_path / "a.pptx",
        {"op": "add_slide", "title": "风险", "layout": 11},
        {"op": "add_table", "rows": 9, "cols": 2, "data": _ROWS, "top": 1.0},
    )
    slide = list(Presentation(str(target)).slides)[-1]
    lines = [one for one in slide.slide_layout.slide_master.shapes if not one.is_placeholder]
    table = next(one for one in slide.shapes if getattr(one, "has_table", False))
    assert lines
    assert all(one.top + one.height < table.top for one in lines)


def test_room_between_paragraphs_counts(tmp_path: Path) -> None:
    source = _strip_styles(tmp_path / "a.pptx", has_samples=True)
    deck = Deck.open(source)
    layout = deck.find_layout(2)
    assert layout is not None
    body = deck.add_slide(layout).placeholders[1]
    assert find_spacing(body) == Spacing(14.0, 0.0, 1.0)
    lines = ["甲", "乙", "丙"]
    assert text_height(lines, 9e6, 20, Spacing(14.0)) - text_height(lines, 9e6, 20) == pytest.approx(2 * 8 * 12_700)
    assert text_height(lines, 9e6, 20, Spacing(lines=1.5)) > text_height(lines, 9e6, 20) * 1.3
