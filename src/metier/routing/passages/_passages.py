"""Passages of a long message: its sentences, and which of them ask for something.

The vector of a long message is that of its bulk, and every word is a small share of it. The request is one sentence.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from metier.routing.passages._asking import asks_others, is_asking
from metier.routing.passages._frames import has_code
from metier.routing.passages._pasted import SaidSentence, list_sentences
from metier.textsearch import has_cjk

# Below these a message is one passage: most requests with their details are shorter.
_LONG_CJK_CHARS: Final = 90
_LONG_LATIN_CHARS: Final = 260
_MAX_PASSAGE_CHARS: Final = 300
_MAX_WIDE_CHARS: Final = 500
_MAX_PASSAGES: Final = 4
# Where words are weighed: passages at either end, and others with telling words.
_MAX_AT_ENDS: Final = 3
_MAX_TELLING: Final = 3
_PASSIVE_WORTH: Final = 0.7
# Sentences before and after a request that may say what it is about: "Our posts get few readers. What can we do?"
_AROUND: Final = ((2, 0), (1, 1))
_MAX_WIDENED: Final = 2
# What an author says beside a pasted text is the request, as long as it is no more than so many sentences.
_MAX_OWN: Final = 6
_MAX_BLOCK: Final = 5

WeighTexts = Callable[[Sequence[str]], Sequence[float]]


class Passage(NamedTuple):
    """Sentences of a long message: the place of the first, from 1, among how many, and whether they ask for something.

    `size` is the number of sentences; `is_wide`: sentences around a request are part of it. `to_others`: several people
    are asked; `is_pasted`: somebody else says it. `beside_others`: the message has words of other people; `by_others`:
    it has no others.
    """

    text: str
    place: int
    total: int
    asks: bool
    size: int = 1
    is_wide: bool = False
    to_others: bool = False
    is_pasted: bool = False
    beside_others: bool = False
    by_others: bool = False

    @property
    def places(self) -> range:
        """Places of its sentences, from 1."""
        return range(self.place, self.place + self.size)


def find_passages(message: str, weigh: WeighTexts | None = None) -> Sequence[Passage]:
    """Passages of a long message in which its request may stand, the likeliest first; none of a short message.

    Sentences that ask and stand next to each other are one passage. Those at either end of the message go first: a
    request stands before or after what it is about. Then come the sentences with the most telling words, whether they
    ask or not, if `weigh` says how telling texts are. The likeliest follow once more with the sentences around them.
    What an author says beside a mail or a chat of other people asks, and what these say does not.
    """
    sentences = _split_sentences(message)
    if not _are_passages(sentences, message):
        return ()
    by_others, beside_others = all(one.is_pasted for one in sentences), any(one.is_pasted for one in sentences)
    if by_others:  # a forwarded mail alone: some of it is what it is sent for
        sentences = [one._replace(is_pasted=False) for one in sentences]
    kinds = _read_kinds(sentences)
    places = range(len(sentences))
    runs = [list(run) for _, run in groupby(places, key=lambda at: (kinds[at], kinds[at].joins or sentences[at].line))]
    asked = _list_new(_join(sentences, run[0], run[-1] + 1, kinds[run[0]]) for run in runs if kinds[run[0]].asks)
    alone = _list_new(_join(sentences, at, at + 1, kinds[at]) for at in places)
    best = sorted(asked or alone, key=_order)[: _MAX_PASSAGES if weigh is None else _MAX_AT_ENDS]
    telling = _pick_telling([*alone, *asked], best, weigh) if weigh else ()
    wide = (one for passage in best[:_MAX_WIDENED] for one in _widen(passage, sentences) if passage.asks)
    found = _list_new((*best, *telling, *wide))
    return [one._replace(beside_others=beside_others, by_others=by_others) for one in found]


def has_passages(message: str) -> bool:
    """Whether a message is long and has several sentences, or has code or words of other people."""
    return _are_passages(_split_sentences(message), message)


def _are_passages(sentences: Sequence[SaidSentence], message: str) -> bool:
    return len(sentences) > 1 or any(one.is_pasted for one in sentences) or (bool(sentences) and has_code(message))


class _Kind(NamedTuple):
    asks: bool
    to_others: bool
    is_pasted: bool
    joins: bool = False


def _read_kinds(sentences: Sequence[SaidSentence]) -> Sequence[_Kind]:
    """Of each sentence whether it asks, and whom; all that is the author's own asks if there is little of it."""
    own = sum(not one.is_pasted for one in sentences)
    is_request = own < len(sentences) and own <= _MAX_OWN
    asking = {text: is_asking(text) for text in {one.text for one in sentences if not one.is_pasted}}
    return [
        _Kind(
            not one.is_pasted and (is_request or asking[one.text]),
            not one.is_pasted and asking[one.text] and (one.to_others or asks_others(one.text)),
            one.is_pasted,
            is_request and not one.is_pasted,
        )
        for one in sentences
    ]


def _split_sentences(message: str) -> Sequence[SaidSentence]:
    """Sentences of a long message, or of one with code or words of other people; none of another."""
    is_long = len(message) > (_LONG_CJK_CHARS if has_cjk(message) else _LONG_LATIN_CHARS)
    found = list_sentences(message) if is_long or "\n" in message else ()
    return found if is_long or any(one.is_pasted for one in found) or (found and has_code(message)) else ()


def _list_new(passages: Iterable[Passage]) -> Sequence[Passage]:
    """Passages without repetitions: what is repeated is a signature, a quoted thread or a table."""
    found: dict[str, Passage] = {}
    for passage in passages:
        found.setdefault(passage.text, passage)
    return tuple(found.values())


def _pick_telling(passages: Sequence[Passage], chosen: Sequence[Passage], weigh: WeighTexts) -> Iterator[Passage]:
    """The passages with the most telling words, one for each place, besides those that are chosen already."""
    taken = {place for one in chosen for place in one.places if one.size == 1}
    told = weigh([one.text for one in passages])
    weights = [weight * (1 if one.asks else _PASSIVE_WORTH) for one, weight in zip(passages, told, strict=True)]
    count = 0
    for at in sorted(range(len(passages)), key=lambda at: -weights[at]):
        one = passages[at]
        if count == _MAX_TELLING or weights[at] <= 0:
            return
        if taken.isdisjoint(one.places):
            taken.update(one.places)
            count += 1
            yield one


def _join(
    sentences: Sequence[SaidSentence], start: int, end: int, kind: _Kind, *, most: int = _MAX_PASSAGE_CHARS
) -> Passage:
    """Sentences as one passage; of a long one the end is kept, where the request stands."""
    text = " ".join(one.text for one in sentences[start:end])
    kept = text[-most:] if end - start > 1 else text[:most]
    asks, to_others, is_pasted, _ = kind
    return Passage(kept, start + 1, len(sentences), asks, end - start, to_others=to_others, is_pasted=is_pasted)


def _widen(passage: Passage, sentences: Sequence[SaidSentence]) -> Iterator[Passage]:
    """The passage with its whole paragraph where that is short, else with sentences before and after it."""
    start, end = passage.place - 1, passage.place - 1 + passage.size
    least, most = _find_block(sentences, start, end)
    is_block = end - start < most - least <= _MAX_BLOCK and most - least < len(sentences)
    for before, after in ((start - least, most - end),) if is_block else _AROUND:
        first, last = max(start - before, 0), min(end + after, len(sentences))
        wide = _join(sentences, first, last, _Kind(True, passage.to_others, passage.is_pasted), most=_MAX_WIDE_CHARS)
        if not any(one.is_pasted != passage.is_pasted for one in sentences[first:last]):
            yield wide._replace(place=passage.place, is_wide=True)


def _find_block(sentences: Sequence[SaidSentence], start: int, end: int) -> tuple[int, int]:
    """Places of the paragraph around sentences."""
    while start > 0 and sentences[start - 1].block == sentences[start].block:
        start -= 1
    while end < len(sentences) and sentences[end].block == sentences[end - 1].block:
        end += 1
    return start, end


def _order(passage: Passage) -> tuple[bool, bool, int]:
    from_end = min(passage.place - 1, passage.total - passage.place - passage.size + 1)
    return (not passage.asks, passage.to_others, from_end)
