"""Previews: which rows a person chose and edited fit the question, and what is left of it when some are chosen."""

import pytest

from metier.json_values import JsonObject
from metier.language import BilingualText
from metier.tools._calls import ToolError
from metier.tools._preview import MAX_PREVIEW_ROWS, Preview, PreviewColumn, PreviewRow, preview_from_json

PRICES = Preview(
    BilingualText("两个价格", "2 prices"),
    (
        PreviewColumn("name", BilingualText("名称", "Name")),
        PreviewColumn("new", BilingualText("新价", "New price"), "CNY", "new"),
    ),
    (
        PreviewRow("p1", {"name": "tea", "new": 15}, {"new": {"type": "number", "minimum": 10, "maximum": 20}}),
        PreviewRow("p2", {"name": "rice", "new": 8}),
    ),
)


@pytest.mark.parametrize(
    ("chosen", "problems"),
    [
        ([], []),
        ([{"id": "p1"}, {"id": "p2"}], []),
        ([{"id": "p1", "new": 12}], []),
        ([{"id": "p3"}], ["rows[0].id: 'p3' is not a row of this question"]),
        ([{"id": "p1"}, {"id": "p1"}], ["rows[1].id: 'p1' is chosen twice"]),
        ([{"id": "p2", "new": 9}], ["row rice, New price: cannot be edited"]),
        ([{"id": "p2", "colour": "red"}], ["row rice, colour: cannot be edited"]),
    ],
)
def test_rows_that_are_no_choice_are_named_with_what_is_wrong(chosen: list[JsonObject], problems: list[str]) -> None:
    assert [f"{one.path}: {one.reason}" for one in PRICES.find_problems(chosen)] == problems


@pytest.mark.parametrize("value", [9, 21, "twelve"])
def test_an_edited_value_outside_of_its_range_is_told_with_row_and_column(value: object) -> None:
    (found,) = PRICES.find_problems([{"id": "p1", "new": value}])  # type: ignore[dict-item]
    assert found.path == "row tea, New price"


def test_the_chosen_rows_alone_are_left_with_their_edited_values() -> None:
    left = PRICES.select([{"id": "p1", "new": 12}, {"id": "gone"}])
    assert [(row.id, dict(row.values)) for row in left.rows] == [("p1", {"name": "tea", "new": 12})]
    assert left.digest != PRICES.digest


def test_a_preview_is_read_as_it_was_written_and_its_digest_stays() -> None:
    assert preview_from_json(PRICES.to_json()).digest == PRICES.digest


@pytest.mark.parametrize("ids", [["a", "a"], [str(number) for number in range(MAX_PREVIEW_ROWS + 1)]])
def test_a_preview_with_too_many_rows_or_one_id_twice_is_none(ids: list[str]) -> None:
    rows = [{"id": one, "values": {}} for one in ids]
    with pytest.raises(ToolError, match="each with its own id"):
        preview_from_json({**PRICES.to_json(), "rows": rows})
