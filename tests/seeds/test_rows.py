from scripts.seed_reference import find_missing_tests, read_rows


def test_every_row_of_the_seeds_has_a_test_that_exists_or_a_pack_that_owes_it() -> None:
    rows = read_rows()
    missing = {f"{row.seed} {row.feature}": gone for row in rows if (gone := find_missing_tests(row))}
    twice = {row.feature for row in rows if sum(other.feature == row.feature for other in rows) > 1}

    assert missing == {}
    assert twice == set()
    assert len(rows) >= 148
