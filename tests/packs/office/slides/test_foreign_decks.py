"""Decks as PowerPoint and LibreOffice write them: sections, groups, merged cells, indented parts, effects."""

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from lxml import etree
from pptx import Presentation
from pptx.util import Cm

from metier.json_values import JsonObject
from metier.packs.office._hosts import find_host_app
from metier.packs.office._step_error import PlanStepError
from metier.packs.office.files._open import _ENDINGS
from tests.packs.office.slides.changed_decks import change_deck

P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    made = Presentation()
    for number in range(1, 6):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = f"第{number}张", "要点"
    group = made.slides[1].shapes.add_group_shape()
    group.shapes.add_textbox(Cm(1), Cm(14), Cm(5), Cm(2)).text_frame.text = "组内"
    group.shapes.add_textbox(Cm(8), Cm(14), Cm(5), Cm(2)).text_frame.text = "组内"
    table = made.slides[4].shapes.add_table(4, 2, Cm(2), Cm(10), Cm(14), Cm(6)).table
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(3, 0).merge(table.cell(3, 1))
    ids = [str(one.get("id")) for one in made.part._element.sldIdLst]
    sections = "".join(
        f'<p14:section name="{name}" id="{{{name}}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{one}"/>' for one in listed)
        + "</p14:sldIdLst></p14:section>"
        for name, listed in (("A", ids[:2]), ("B", ids[2:]))
    )
    listed = f'<p14:sectionLst xmlns:p14="{P14}">{sections}</p14:sectionLst>'
    main = "http://schemas.openxmlformats.org/presentationml/2006/main"
    made.part._element.append(
        etree.fromstring(f'<p:extLst xmlns:p="{main}"><p:ext uri="x">{listed}</p:ext></p:extLst>')
    )
    made.save(str(tmp_path / "deck.pptx"))
    return tmp_path / "deck.pptx"


SECTIONS = {
    "a new slide joins the one before it": (({"op": "add_slide", "title": "新", "position": 2},), (3, 3)),
    "a copy too": (({"op": "duplicate_slide", "source_index": 3},), (2, 4)),
    "one that goes leaves its section": (({"op": "delete_slide", "slide_index": 3},), (2, 2)),
    "one that moves joins its neighbours": (({"op": "reorder_slides", "from_index": 5, "to_index": 1},), (3, 2)),
    "all of a section go": (
        ({"op": "delete_slide", "slide_index": 1}, {"op": "delete_slide", "slide_index": 1}),
        (0, 3),
    ),
}


@pytest.mark.parametrize(("steps", "wanted"), SECTIONS.values(), ids=SECTIONS)
def test_sections_list_each_slide_once_in_the_order_of_the_show(
    deck: Path, steps: tuple[JsonObject, ...], wanted: tuple[int, int]
) -> None:
    _, made = change_deck(deck, *steps)
    root = made.part._element
    listed = [[one.get("id") for one in section.iter(f"{{{P14}}}sldId")] for section in root.iter(f"{{{P14}}}section")]
    assert tuple(map(len, listed)) == wanted
    assert [one for section in listed for one in section] == [str(one.get("id")) for one in root.sldIdLst]


def test_a_footer_has_an_id_that_no_shape_inside_a_group_has(deck: Path) -> None:
    _, made = change_deck(deck, {"op": "set_footer", "text": "公司"}, {"op": "set_page_numbers"})
    ids = [one.get("id") for one in made.slides[1]._element.iter("{*}cNvPr")]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "step",
    [
        {"change": "insert_row", "row": 3, "values": ["甲", "乙"]},
        {"change": "delete_row", "row": 2},
        {"change": "delete_row", "row": 3},
    ],
    ids=["into a merged cell", "the first row of a merged cell", "the last row of a merged cell"],
)
def test_rows_of_merged_cells_are_not_torn(deck: Path, step: JsonObject) -> None:
    with pytest.raises(PlanStepError) as refused:
        change_deck(deck, {"op": "edit_slide_table", "slide_index": 5, **step})
    assert refused.value.problem == "merged_table"


@pytest.mark.parametrize("row", [4, 5], ids=["below cells merged downwards", "below cells merged sideways"])
def test_a_row_below_merged_cells_has_cells_of_its_own(deck: Path, row: int) -> None:
    step: JsonObject = {"op": "edit_slide_table", "slide_index": 5, "change": "insert_row", "row": row}
    _, made = change_deck(deck, {**step, "values": ["甲", "乙"]})
    table = next(one for one in made.slides[4].shapes if one.has_table).table
    assert [table.cell(row - 1, at).text for at in (0, 1)] == ["甲", "乙"]
    assert not any(cell.is_merge_origin or cell.is_spanned for cell in table.rows[row - 1].cells)


def test_indented_masters_and_layouts_keep_their_bytes(deck: Path) -> None:
    indented = deck.with_name("indented.pptx")
    with ZipFile(deck) as old, ZipFile(indented, "w", ZIP_DEFLATED) as made:
        for name in old.namelist():
            content = old.read(name)
            is_pattern = re.search(r"slide(?:Layout|Master)\d+\.xml$", name)
            made.writestr(name, content.replace(b"<p:sp>", b"\n        <p:sp>") if is_pattern else content)
    change_deck(indented, {"op": "hide_slide", "slide_index": 2})
    with ZipFile(indented) as old, ZipFile(deck.with_name("out.pptx")) as new:
        changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
    assert changed == ["ppt/slides/slide2.xml"]


def test_a_shape_that_moves_already_is_told_and_not_passed_over(deck: Path) -> None:
    _, made = change_deck(deck, {"op": "add_animation", "effect": "fade", "slide_index": 1})
    made.save(str(deck))
    done, _ = change_deck(deck, {"op": "add_animation", "effect": "wipe", "slide_index": 1})
    assert not done.changes
    assert "已有动画" in done.warnings[0].zh


@pytest.mark.parametrize("ending", [one for endings in _ENDINGS.values() for one in endings])
def test_every_file_that_is_opened_can_be_changed(ending: str) -> None:
    assert find_host_app(Path(f"x{ending}")) is not None
