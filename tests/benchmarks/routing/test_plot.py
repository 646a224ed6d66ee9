import xml.etree.ElementTree as ElementTree

import pytest

from benchmarks.routing._plot import Bar, Panel, draw_bar_chart

SVG = "{http://www.w3.org/2000/svg}"


def _chart(*bars: Bar) -> ElementTree.Element:
    return ElementTree.fromstring(draw_bar_chart("谁更准", "a note", [Panel("CLINC150 & <co>", bars)]))


def _widths(root: ElementTree.Element) -> list[float]:
    return [float(bar.attrib["width"]) for bar in root.iter(f"{SVG}rect")]


def test_a_chart_tells_its_title_and_values_to_those_who_do_not_see_it() -> None:
    root = _chart(Bar("Metier", 89.25, ours=True))
    assert root.attrib["role"] == "img"
    ids = root.attrib["aria-labelledby"].split()
    told = {element.attrib.get("id"): element.text for element in root}
    assert [told[id_] for id_ in ids] == ["谁更准", "CLINC150 & <co>: Metier 89.2 %"]


def test_a_longer_bar_is_a_larger_value() -> None:
    small, large, full = _widths(_chart(Bar("a", 10), Bar("b", 50), Bar("c", 100)))
    assert small * 5 == pytest.approx(large, abs=0.3)
    assert large * 2 == pytest.approx(full, abs=0.3)


@pytest.mark.parametrize(("value", "like"), [(-5, 0), (140, 100)], ids=["below", "above"])
def test_a_value_out_of_range_stays_inside_the_panel(value: float, like: float) -> None:
    assert _widths(_chart(Bar("a", value))) == _widths(_chart(Bar("a", like)))


def test_ours_have_a_colour_of_their_own_in_light_and_dark() -> None:
    root = _chart(Bar("ours", 1, ours=True), Bar("theirs", 1))
    assert [bar.attrib["class"] for bar in root.iter(f"{SVG}rect")] == ["ours", "theirs"]
    style = root.find(f"{SVG}style")
    assert style is not None
    assert "prefers-color-scheme: dark" in (style.text or "")


def test_no_panel_covers_another() -> None:
    panels = [Panel(f"set {number}", tuple(Bar(str(at), 100) for at in range(number + 1))) for number in range(5)]
    root = ElementTree.fromstring(draw_bar_chart("t", "n", panels))
    places = [(float(bar.attrib["x"]), float(bar.attrib["y"])) for bar in root.iter(f"{SVG}rect")]
    assert len(set(places)) == len(places) == 15
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    assert all(x + long < width and y < height for (x, y), long in zip(places, _widths(root), strict=True))
