"""Decks as a whole: size, animations, looks of single words and of notes; only what changed is recorded."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Emu

from metier.json_values import JsonObject
from metier.packs.office.slides import find_overflow
from tests.packs.office.slides.changed_decks import change_deck


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    made = Presentation()
    made.slide_width, made.slide_height = Emu(12_192_000), Emu(6_858_000)
    for title, points in (("销售", "同比增长15%\n新增客户48家"), ("问题", "回款慢")):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, points
        slide.shapes.add_textbox(Emu(8_000_000), Emu(5_000_000), Emu(4_000_000), Emu(900_000)).text_frame.text = "注"
    made.slides[0].notes_slide.notes_text_frame.text = "慢讲"
    made.save(str(tmp_path / "deck.pptx"))
    return tmp_path / "deck.pptx"


def test_slides_of_another_ratio_keep_everything_on_the_page(deck: Path) -> None:
    _, made = change_deck(deck, {"op": "set_slide_size", "ratio": "4:3"})
    assert (made.slide_width, made.slide_height) == (9_144_000, 6_858_000)
    box = made.slides[0].shapes[2]
    assert (box.left, box.left + box.width) == (6_000_000, 9_000_000)
    assert {one.kind for one in find_overflow(deck.with_name("out.pptx"))} == {"overlap"}, "as it was before"


def test_animations_go_and_a_deck_without_any_stays_as_it_is(deck: Path) -> None:
    done, made = change_deck(deck, {"op": "add_animation", "effect": "fade", "slide_index": 1})
    moving = deck.with_name("moving.pptx")
    made.save(str(moving))
    done, made = change_deck(moving, {"op": "clear_animations", "apply_to_all": True})
    assert [one.address for one in done.changes] == ["s1"]
    assert "timing" not in {one.tag.rpartition("}")[2] for slide in made.slides for one in slide._element}
    done, _ = change_deck(deck, {"op": "clear_animations", "apply_to_all": True})
    assert (done.unchanged, done.changes) == (True, ())


def test_only_the_words_that_are_named_get_the_look(deck: Path) -> None:
    _, made = change_deck(deck, {"op": "set_slide_text_style", "slide_index": 1, "words": "增长15%", "bold": True})
    runs = [
        (run.text, run.font.bold) for one in made.slides[0].placeholders[1].text_frame.paragraphs for run in one.runs
    ]
    assert runs == [("同比", None), ("增长15%", True), ("新增客户48家", None)]


def test_notes_get_their_own_font(deck: Path) -> None:
    done, made = change_deck(deck, {"op": "set_slide_text_style", "apply_to_all": True, "notes": True, "font": "宋体"})
    assert [one.address for one in done.changes] == ["s1.notes"]
    assert made.slides[0].notes_slide.notes_text_frame.paragraphs[0].runs[0].font.name == "宋体"
    assert made.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.name is None


@pytest.mark.parametrize(
    "step",
    [
        {"op": "set_slide_background", "color": "#DDEBF7", "apply_to_all": True},
        {"op": "set_slide_transition", "effect": "fade", "apply_to_all": True},
        {"op": "set_slide_text_style", "bold": True, "apply_to_all": True},
    ],
    ids=lambda step: step["op"],
)
def test_a_look_that_a_slide_has_already_is_not_counted_as_a_change(deck: Path, step: JsonObject) -> None:
    first = {**step, "apply_to_all": False, "slide_index": 1}
    done, _ = change_deck(deck, first, step)
    assert [(one.action_id, one.address) for one in done.changes] == [("a0", "s1"), ("a1", "s2")]
