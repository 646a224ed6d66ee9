"""Terms are named in the language in which they are explained."""

from pathlib import Path

import metier.packs.phm.conversation._terms as room
from metier.language import language_of
from metier.pack import read_terms


def test_an_english_answer_names_every_term_in_english() -> None:
    folder = Path(room.__file__).parents[1] / "knowledge"
    for term in read_terms(folder):
        english = [one for one in term.names if language_of(one) == "en"]
        assert english, term.names
        answer = str(room.explain_term(f"meaning of {english[-1]}")["answer"])
        words, _, source = answer.partition("Source:")
        assert language_of(words) == language_of(source) == "en", answer
        assert "›" in source, answer
        assert "#" not in source, answer  # people find a title, not a number
