"""Pictures can be read on a dark page: each has its own ground, and its print stands out from it in both themes."""

from pathlib import Path

from metier.exports import Drawing, LabelShape
from metier.exports._scales import DARK_PAPER, PAPER, find_dark_colour, measure_contrast
from metier.packs.life._chart_figures import draw_births
from metier.packs.life.bazi import compute_bazi
from metier.packs.life.pictures import draw_bazi, draw_natal, list_notes, write_picture
from metier.packs.life.tarot import SPREADS, Commitment, draw_from, draw_spread
from metier.packs.life.zodiac import compute_natal

READABLE = 4.5


def _list_drawings() -> list[Drawing]:
    (moment,) = draw_births(1, 3)
    bazi = compute_bazi(moment)
    return [draw_bazi(bazi, "zh", list_notes(bazi, "zh")), draw_natal(compute_natal(moment), "zh")]


def test_the_print_of_the_charts_stands_out_from_the_ground_in_both_themes() -> None:
    inks = {one.colour for drawing in _list_drawings() for one in drawing.shapes if isinstance(one, LabelShape)}
    faint = {
        ink: (measure_contrast(ink, PAPER), measure_contrast(find_dark_colour(ink), DARK_PAPER))
        for ink in inks
        if measure_contrast(ink, PAPER) < READABLE or measure_contrast(find_dark_colour(ink), DARK_PAPER) < READABLE
    }
    assert faint == {}


def test_every_picture_has_a_ground_of_its_own(tmp_path: Path) -> None:
    charts = [(tmp_path / write_picture(tmp_path, "chart", one)).read_text("utf-8") for one in _list_drawings()]
    assert all("prefers-color-scheme:dark" in one and f'fill="{PAPER}"' in one for one in charts)
    for name in SPREADS:
        spread = draw_spread(draw_from(Commitment("x", "07" * 16, name), "2026-01-01"), "zh")
        assert '<rect width="100%" height="100%"' in spread
