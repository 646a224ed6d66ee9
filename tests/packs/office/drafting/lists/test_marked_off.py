"""Items between semicolons, marks or arrows are whole, whatever they begin with."""

import pytest

from metier.packs.office.drafting.lists import is_marked_off


@pytest.mark.parametrize(
    ("item", "request_text"),
    [
        ("全年零事故", "三点：一是降本，二是全年零事故。"),
        ("有人中暑", "下雨→改期；有人中暑→备药"),
        ("就地过年", "第一条；就地过年；第三条"),
    ],
)
def test_an_item_between_such_signs_is_marked_off(item: str, request_text: str) -> None:
    assert is_marked_off(item, request_text)


def test_an_item_between_commas_is_not() -> None:
    assert not is_marked_off("就这样", "背景，现状，就这样，谢谢")
