"""Places that a text names: by their ending or place in the sentence, never a word of the trade or of a restriction."""

import pytest

from metier.packs.telecom._places import PlaceFinder


@pytest.mark.parametrize(
    "text",
    [
        "下发方位角以外的参数",
        "下发除方位角之外的参数",
        "其余的参数下发",
        "剩下的参数下发",
        "下发功率和下倾角的参数",
        "下发三成以上的参数",
        "下发一半的参数",
        "下发风险小的参数",
        "下发不用上站的参数",
        "apply everything except the azimuths",
        "apply half of the parameters",
    ],
)
def test_which_parameters_are_meant_is_no_place(text: str) -> None:
    assert not PlaceFinder().find(text)


@pytest.mark.parametrize(
    ("text", "place"), [("嘉善的弱覆盖", "嘉善"), ("下发苏州的参数", "苏州"), ("把苏州的参数下发", "苏州")]
)
def test_a_name_that_is_no_word_of_the_trade_is_a_place(text: str, place: str) -> None:
    assert PlaceFinder().find(text) == place
