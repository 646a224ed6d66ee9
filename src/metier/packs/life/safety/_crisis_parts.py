"""Parts of a message that are scored alone: plain sentences around a danger must not hide it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from metier.packs.life.safety._crisis import find_crisis
from metier.packs.life.safety._texts import fold_words

# A longer message is not scored as a whole by the parts that learned from sentences: plain ones hid 29 of 54 dangers.
_MAX_WHOLE_CHARS: Final = 120
# Of a very long message, the first and last of them.
_MAX_SENTENCES: Final = 256
# Bound of a part that counts whatever its score. A piece lacks what stands around it, so that up to its bound its score
# says nothing; docs/design/life.md has the figures.
COUNTS: Final = -9.0
_SENTENCE_BOUND: Final = 0.2
_CLAUSES_BOUND: Final = 0.6
_CAUGHT_BOUND: Final = 0.75
_MAX_CAUGHT: Final = 3
# A sentence with fewer clauses is one thought; one with as many may be a list, in which one of them is the danger.
_MIN_LISTED: Final = 4
_MIN_ENDLESS: Final = 8
_MAX_CLAUSES: Final = 64
# Letters of a block and of a piece of an endless sentence; a Chinese character says as much as three.
_MAX_BLOCK_SIZE: Final = 1000
_MAX_PIECE_SIZE: Final = 100
_WIDE: Final = re.compile(r"[⺀-鿿豈-﫿]")
_WIDE_SIZE: Final = 3
_SENTENCE: Final = re.compile(r"(?<=[。！？!?；;…\n])|(?<=[a-z0-9][.])\s|(?<=[.!?][\"”’'])\s")
# In chats a blank, a sign or a picture stands where a comma would.
_SIGNS: Final = r"~～|·•/．\t\u00a0\u3000\u2028\"‐-‗“-⁞←-➿\U0001f000-\U0001faff"
_CLAUSE: Final = re.compile(
    rf"(?<=[，,、：:{_SIGNS}])|(?<=[⺀-鿿])\s+(?=[⺀-鿿])|(?<=\s-)\s|"
    r"(?<=[^\s.\d]\.)(?=[^\s.\d])|(?<=\.\.\.)|\s(?=(?:and|but|so|then)\s)"
)
# What a rule catches in a stretch without any sign is looked at by itself: a few words, or as many characters.
_WINDOW: Final = re.compile(r"(?=((?:[⺀-鿿]{1,14}|(?<!\S)(?:[^\s⺀-鿿]+\s+){1,5}[^\s⺀-鿿]+)))")
_MIN_STRETCH_SIZE: Final = 60
_EDGE: Final = re.compile(rf"\A[\s\-{_SIGNS}]+|[\s\-{_SIGNS}]+\Z")


@dataclass(frozen=True, slots=True)
class MessageBlock:
    """Some sentences of a long message that stand together."""

    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)


def is_long(text: str) -> bool:
    """Whether a message is read in blocks."""
    return len(text) > _MAX_WHOLE_CHARS


def split_parts(text: str) -> dict[str, float]:
    """The folded parts of a message, each with the score up to which it says nothing.

    A short message as a whole, its sentences, and the clauses of a sentence that strings together many, each alone and
    with the next. Sentences of a long message count by themselves.
    """
    sentences = _list_sentences(text)
    parts = {} if is_long(text) else {fold_words(text): COUNTS}
    for piece in sentences:
        parts.setdefault(fold_words(piece), COUNTS if is_long(text) else _SENTENCE_BOUND)
    for clauses in _list_clauses(sentences):
        parts.setdefault(fold_words(clauses), _CLAUSES_BOUND)
    for caught in list_caught(text):
        parts.setdefault(caught, _CAUGHT_BOUND)
    return {part: bound for part, bound in parts.items() if part.strip()}


def split_blocks(text: str) -> list[MessageBlock]:
    """The folded sentences of a long message in blocks of about the length that whole messages were learned with."""
    blocks: list[MessageBlock] = []
    held: list[str] = []
    for sentence in map(fold_words, _list_sentences(text)):
        if held and _measure(held) + _measure([sentence]) > _MAX_BLOCK_SIZE:
            blocks.append(MessageBlock(tuple(held)))
            held = []
        held.append(sentence)
    return [*blocks, MessageBlock(tuple(held))] if held else blocks


def list_caught(text: str) -> list[str]:
    """The folded clauses that a rule of words catches by themselves, of a message that one catches.

    Of a long clause, the stretch of a few words in it that the rule catches.
    """
    if not find_crisis(text):
        return []
    clauses = (one for sentence in _list_sentences(text) for one in _split_clauses(sentence))
    caught = (_find_stretch(one) for one in clauses if find_crisis(one))
    return list(islice((fold_words(one) for one in caught if one != text), _MAX_CAUGHT))


def _split_clauses(sentence: str) -> list[str]:
    return [one for piece in _CLAUSE.split(sentence) if (one := _EDGE.sub("", piece))]


def _find_stretch(clause: str) -> str:
    if _measure([clause]) <= _MIN_STRETCH_SIZE:
        return clause
    caught = [found.span(1) for found in _WINDOW.finditer(clause) if find_crisis(found[1])]
    if not caught:
        return clause
    start, end = caught[-1][0], caught[0][1]  # what all of them have in common
    if start < end and _WIDE.match(clause, start):
        return clause[max(start - 1, 0) : end + 1]
    return clause[slice(*caught[len(caught) // 2])]  # those before and behind it cut the words that tell it


def _list_sentences(text: str) -> list[str]:
    cut = (one.strip() for one in _SENTENCE.split(text) if one.strip())
    pieces = list(dict.fromkeys(piece for one in cut for piece in _cut_long(one)))
    half = _MAX_SENTENCES // 2
    return pieces if len(pieces) <= 2 * half else [*pieces[:half], *pieces[-half:]]


def _list_clauses(sentences: Iterable[str]) -> Iterator[str]:
    left = _MAX_CLAUSES
    for sentence in sentences:
        clauses = _split_clauses(sentence)[:left]
        if len(clauses) >= _MIN_LISTED:
            left -= len(clauses)
            for at, clause in enumerate(clauses):
                yield clause
                yield " ".join(clauses[at : at + 2])


def _cut_long(sentence: str) -> Iterator[str]:
    """A sentence in pieces short enough to be scored, cut between clauses where there are some."""
    if len(sentence) <= _MAX_WHOLE_CHARS:
        yield sentence
        return
    piece, clauses = "", _CLAUSE.split(sentence)
    for clause in clauses:
        if piece and (len(clauses) >= _MIN_ENDLESS or _measure([piece, clause]) > _MAX_PIECE_SIZE):
            yield piece
            piece = ""
        piece += clause
        while len(piece) > _MAX_WHOLE_CHARS:
            yield piece[:_MAX_WHOLE_CHARS]
            piece = piece[_MAX_WHOLE_CHARS:]
    if piece.strip():
        yield piece


def _measure(texts: Iterable[str]) -> int:
    return sum(len(one) + (_WIDE_SIZE - 1) * len(_WIDE.findall(one)) for one in texts)
