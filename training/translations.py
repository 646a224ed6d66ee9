"""`python -m training.translations --words dict.txt`: write the English words that are near to Chinese ones.

The list of Chinese words, with how often each was counted and its part of speech, is `jieba/dict.txt` of the package
jieba 0.42.1 (MIT). Both kinds of words are embedded by the multilingual encoder as it comes; nothing else is read.
"""

import re
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.cli.terminal import print_note
from metier.routing import plain_encoders
from metier.routing.ranking import find_shipped_file
from metier.textsearch import to_simplified
from training.graphs import DATA, write_checksums

Floats = NDArray[np.float32]
FILE: Final = "translations-zh-en.txt"
_CHINESE: Final = re.compile(r"[一-鿿]{2,4}")
_ENGLISH: Final = re.compile(r"[a-z]{3,}")
# Names, numbers, pronouns, particles, places and times say nothing of a skill.
_UNTOLD: Final = "nr ns nt nrt nrfg m mq q r p c u y e o f d uj ul t tg"
_MAX_CHINESE: Final = 40_000
_MAX_TRANSLATIONS: Final = 6
_LEAST_SIMILARITY: Final = 0.7
_MAX_BEHIND_BEST: Final = 0.15
_BATCH: Final = 512


def list_chinese_words(lines: Sequence[str]) -> list[str]:
    """Common words of two to four characters, the most frequent first."""
    untold = _UNTOLD.split()
    counted = [(word, int(count)) for word, count, kind in map(str.split, lines) if kind not in untold]
    words = [(word, count) for word, count in counted if _CHINESE.fullmatch(word) and to_simplified(word) == word]
    return [word for word, _ in sorted(words, key=lambda one: -one[1])][:_MAX_CHINESE]


def list_english_words() -> list[str]:
    """Whole words of the English encoder's vocabulary."""
    pieces = find_shipped_file("bert-uncased.vocab.txt").read_text("utf-8").splitlines()
    return [piece for piece in pieces if _ENGLISH.fullmatch(piece)]


def embed_words(words: Sequence[str]) -> Floats:
    """Unit vectors of words by the multilingual encoder without its map."""
    embed = plain_encoders()["use"]
    rows = np.vstack([embed(words[start : start + _BATCH]) for start in range(0, len(words), _BATCH)])
    unit: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def translate(chinese: Sequence[str], english: Sequence[str]) -> Iterator[str]:
    """A line for each Chinese word that has near English ones: the word, and these, the nearest first."""
    targets = embed_words(english)
    for start in range(0, len(chinese), _BATCH):
        words = chinese[start : start + _BATCH]
        for word, near in zip(words, embed_words(words) @ targets.T, strict=True):
            best = np.argsort(-near)[:_MAX_TRANSLATIONS]
            least = max(_LEAST_SIMILARITY, float(near[best[0]]) - _MAX_BEHIND_BEST)
            if kept := [english[at] for at in best.tolist() if near[at] >= least]:
                yield " ".join((word, *kept))


def run() -> None:
    """Write the file, and the checksums beside it."""
    parser = ArgumentParser(prog="python -m training.translations", description="Write English words for Chinese ones.")
    parser.add_argument("--words", type=Path, required=True, help="jieba/dict.txt of the package jieba 0.42.1")
    asked = parser.parse_args()
    chinese = list_chinese_words(asked.words.read_text("utf-8").splitlines())
    lines = sorted(translate(chinese, list_english_words()))
    (DATA / FILE).write_text("\n".join(lines) + "\n", "utf-8")
    write_checksums(DATA)
    print_note(f"{len(lines)} of {len(chinese)} words")


if __name__ == "__main__":
    run()
