"""The natal wheel: what is written on it can be read."""

import re
from itertools import combinations

import pytest

from metier.exports import LabelShape
from metier.language import Language
from metier.packs.life._chart_figures import draw_births
from metier.packs.life.pictures import draw_natal
from metier.packs.life.zodiac import compute_natal


def _width(label: LabelShape) -> float:
    return label.size * sum(0.58 if one.isascii() else 1.0 for one in label.text)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_label_covers_another_and_all_can_be_read_on_a_phone(language: Language) -> None:
    for moment in draw_births(40, 5):
        chart = compute_natal(moment)
        drawn = draw_natal(chart, language)
        labels = [one for one in drawn.shapes if isinstance(one, LabelShape)]
        degrees = sorted(one.text for one in labels if re.fullmatch(r"\d+°", one.text))
        assert degrees == sorted(f"{int(one.longitude % 30)}°" for one in chart.bodies)  # no body is left out
        assert min(one.size for one in labels) * 340 / drawn.width >= 10
        covered = [
            (one.text, other.text)
            for one, other in combinations(labels, 2)
            if abs(one.x - other.x) < (_width(one) + _width(other)) / 2 * 0.8 and abs(one.y - other.y) < one.size * 0.75
        ]
        assert covered == [], moment
