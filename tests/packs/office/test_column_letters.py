"""Columns of a sheet have the letters that spreadsheets give them."""

import pytest

from metier.packs.office._column_letters import column_index, column_letters


@pytest.mark.parametrize(
    ("index", "letters"), [(1, "A"), (26, "Z"), (27, "AA"), (52, "AZ"), (702, "ZZ"), (703, "AAA"), (16_384, "XFD")]
)
def test_a_number_and_its_letters_are_the_same_column(index: int, letters: str) -> None:
    assert column_letters(index) == letters
    assert column_index(letters.lower()) == index
