"""Words that choose rows by their place: a whole message, and never a number of rows, a doubt or a question."""

import pytest

from metier.questions import read_places

_ONLY = {
    "只改第二条": ((2, 2),),
    "那就只改第二条吧": ((2, 2),),
    "第二条就行": ((2, 2),),
    "第一条和第三条": ((1, 1), (3, 3)),
    "第1、3、5条": ((1, 1), (3, 3), (5, 5)),
    "改第二条，其他不动": ((2, 2),),
    "第二条和第四条可以，其余的不要": ((2, 2), (4, 4)),
    "第二条到第四条": ((2, 4),),
    "只做1和3": ((1, 1), (3, 3)),
    "只要最后一条": ((-1, -1),),
    "倒数第二条就行": ((-2, -2),),
    "fix only the second one": ((2, 2),),
    "just the second": ((2, 2),),
    "the first and the third": ((1, 1), (3, 3)),
    "1, 3 and 5": ((1, 1), (3, 3), (5, 5)),
    "rows 2 to 4": ((2, 4),),
    "the second to the fourth": ((2, 4),),
    "only the last one": ((-1, -1),),
    "could you fix only the second one?": ((2, 2),),
    "take the second one, leave the rest": ((2, 2),),
}
_ALL_BUT = {
    "除了第三条都改": ((3, 3),),
    "第三条除外": ((3, 3),),
    "不要第三条": ((3, 3),),
    "第三条先不改，其他照改": ((3, 3),),
    "去掉第2条和第5条": ((2, 2), (5, 5)),
    "everything except the third": ((3, 3),),
    "all but the second and the third": ((2, 2), (3, 3)),
    "skip the third": ((3, 3),),
    "don't change the third one": ((3, 3),),
    "leave the third alone": ((3, 3),),
}
_NOTHING = """第二条|the second one|第二条为什么要改|只改2条|改两条|改一个|只要一条|fix two|fix two of them
第二条不对|第二条不行
第二条改成六个月|只改第二条的金额|除了第三条都不改|不要跳过第二条|别漏了第二条|don't skip the second
don't leave out the third
why only the second?|只改第二条吗|只改第二条行不行|not only the second|第一条改，第三条不改|如果第二条不改会怎样
第二次|2026
take the second of March|do the second and tell me why|only if the third is right|the first page looks wrong"""


@pytest.mark.parametrize(("said", "places"), _ONLY.items())
def test_rows_that_are_named_by_their_place_are_chosen(said: str, places: tuple[tuple[int, int], ...]) -> None:
    placed = read_places(said)
    assert placed is not None
    assert (tuple((one.first, one.last) for one in placed.places), placed.is_left_out) == (places, False)


@pytest.mark.parametrize(("said", "places"), _ALL_BUT.items())
def test_rows_that_are_left_out_by_their_place_are_not(said: str, places: tuple[tuple[int, int], ...]) -> None:
    placed = read_places(said)
    assert placed is not None
    assert (tuple((one.first, one.last) for one in placed.places), placed.is_left_out) == (places, True)


@pytest.mark.parametrize("said", _NOTHING.replace("\n", "|").split("|"))
def test_a_number_of_rows_a_question_a_doubt_or_more_content_chooses_nothing(said: str) -> None:
    assert read_places(said) is None


def test_a_part_of_a_document_is_no_row_of_the_list() -> None:
    found = [one for said in ("只改第10段", "only paragraph 10", "只改第10行") if (one := read_places(said))]
    assert [one.places[0].is_part for one in found] == [True, True, False]
