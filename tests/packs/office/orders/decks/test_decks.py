"""Orders for a deck: points, charts and slides, new and gone, in the look of the others."""

from pathlib import Path

from metier.packs.office.analysis import Reading
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.written import list_steps, write_orders


def test_points_of_slides_come_and_go_in_the_look_of_the_others(samples: dict[str, Path], tmp_path: Path) -> None:
    made = write_orders(samples["deck"], "第3页加一条要点：预算超支", tmp_path / "a.pptx")
    assert made.slides[2].placeholders[1].text_frame.text == "交付延迟\n人员不足\n预算超支"
    made = write_orders(samples["deck"], "删掉第二页的“成本下降5%”这一条", tmp_path / "b.pptx")
    assert made.slides[1].placeholders[1].text_frame.text == "收入增长20%\n新增客户15家"


def test_slides_are_named_as_they_are_before_the_orders(everyday: dict[str, Path], tmp_path: Path) -> None:
    deck = write_orders(everyday["summary"], "删掉第二页，第四页标题改成“展望”", tmp_path / "d.pptx")
    assert [one.shapes.title.text for one in deck.slides] == ["年终工作总结", "存在问题", "展望", "谢谢"]


def test_a_closing_slide_has_the_look_of_the_cover(samples: dict[str, Path], tmp_path: Path) -> None:
    deck = write_orders(samples["deck"], "最后加一页“谢谢聆听”,跟封面一个风格", tmp_path / "a.pptx")
    assert deck.slides[len(deck.slides) - 1].slide_layout.name == deck.slides[0].slide_layout.name


def test_numbers_of_a_chart_keep_their_size_and_are_not_mixed(readings: dict[str, Reading]) -> None:
    (made,) = list_steps("第2页做成柱状图：华东5万，华北400", readings["deck"])
    assert made["data"][1:] == [["华东", 50_000], ["华北", 400]]
    mixed = read_orders("第2页做成柱状图：华东5%，华北400", readings["deck"], language="zh")
    assert (mixed.actions, mixed.note and mixed.note.code) == ((), "mixed_units")
    kinds = {"bar chart": "column", "horizontal bar chart": "bar", "line chart": "line"}
    for said, kind in kinds.items():
        (made,) = list_steps(f"add a {said} to slide 2: East 5, West 4", readings["deck"])
        assert made["chart_type"] == kind


def test_how_many_points_a_slide_gets_is_no_part_of_its_title(readings: dict[str, Reading]) -> None:
    said = ("with three bullets", "with the following points", "with", "and these 3 items")
    for words in said:
        (made,) = list_steps(f"Add a slide at the end called Risks {words}: rates, staff, energy", readings["deck"])
        assert (made["title"], made["content"]) == ("Risks", "rates\nstaff\nenergy"), words
    (made,) = list_steps("Add a slide at the end called Dealing with Risks: rates, staff", readings["deck"])
    assert made["title"] == "Dealing with Risks"
