"""Rare words for spelling: what the vocabulary explains, or another word of the list, is left out."""

from training.rare_words import pick_rare_words


def test_words_of_the_vocabulary_and_forms_of_other_words_are_left_out() -> None:
    listed = ["trowel", "trowels", "troweling", "table", "tables", "lien", "awl", "naïve", "McAdam", "x" * 21]
    assert pick_rare_words(listed) == ["lien", "trowel"]
