"""The natal wheel: what is written on it can be read."""

import math
from itertools import combinations

from metier.exports import LabelShape
from metier.packs.life._chart_figures import draw_births
from metier.packs.life.pictures import draw_natal
from metier.packs.life.zodiac import compute_natal

ANGLES = ("上升", "天顶")


def test_no_name_of_a_body_covers_another_or_an_angle() -> None:
    covered = []
    for moment in draw_births(40, 5):
        drawn = draw_natal(compute_natal(moment), "zh").shapes
        names = [one for one in drawn if isinstance(one, LabelShape) and (one.size == 13 or one.text in ANGLES)]
        assert len(names) == 12
        covered += [
            (moment, one.text, other.text)
            for one, other in combinations(names, 2)
            if math.dist((one.x, one.y), (other.x, other.y)) < 16
        ]
    assert covered == []
