"""`python -m training.rare_words LIST`: write the rare English words that spelling leaves as they are.

LIST has a word at the beginning of each line (`frequency_dictionary_en_82_765.txt` of SymSpell). What the encoder's
vocabulary or another word of the list explains is left out.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from metier.routing.ranking import DATA
from metier.routing.text import MAX_WORD_CHARS, MIN_WORD_CHARS, is_known_word, list_stems
from training.graphs import write_checksums
from training.translations import list_english_words


def pick_rare_words(listed: Sequence[str]) -> list[str]:
    """Words of a list that spelling would look at and that neither the vocabulary nor another of them explains."""
    common = frozenset(list_english_words())
    able = {word for word in listed if MIN_WORD_CHARS <= len(word) <= MAX_WORD_CHARS and word.isascii()}
    rare = {word for word in able if word.isalpha() and word.islower() and not is_known_word(word, common)}
    return sorted(word for word in rare if rare.isdisjoint(form for form in list_stems(word) if form != word))


def run(argv: Sequence[str] | None = None) -> int:
    """Write the list beside the other data of the router and return the exit code."""
    parser = ArgumentParser(prog="python -m training.rare_words", description="Write the rare words of English.")
    parser.add_argument("words", type=Path, help="file with a word at the beginning of each line")
    lines = parser.parse_args(argv).words.read_text("utf-8-sig").splitlines()
    words = pick_rare_words([line.split()[0] for line in lines if line.strip()])
    (DATA / "english-rare-words.txt").write_text("".join(f"{word}\n" for word in words), "utf-8")
    write_checksums(DATA)
    return 0


if __name__ == "__main__":
    sys.exit(run())
