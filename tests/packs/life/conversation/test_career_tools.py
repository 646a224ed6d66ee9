"""What the decision matrix says of the weights that it takes."""

import pytest

from metier.language import Language
from metier.packs.life.conversation._career_tools import read_decision


@pytest.mark.parametrize(
    ("said", "language", "told"),
    [
        ("收入，成长，离家近", "zh", "权重相同"),
        ("pay, growth, commute", "en", "count the same"),
        ("看心情吧随便都行反正", "zh", "没有读懂"),
        ("收入5，成长3", "zh", ""),
        ("pay matters most, then growth", "en", ""),
    ],
)
def test_equal_weights_are_never_taken_in_silence(said: str, language: Language, told: str) -> None:
    found = read_decision("甲\n乙", said, language).data
    assert found is not None
    note = str(found["note"])
    assert (told in note) if told else note == ""
