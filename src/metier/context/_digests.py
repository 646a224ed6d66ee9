"""Digests of tool results and long messages: shortened by whole rows and sentences; no number or word is cut."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final, NamedTuple

from metier.context._messages import USE_SKILL, dump_json
from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.language import cut_at_sentence
from metier.patterns import compile_later

# Keys whose text says what the rest means; it is kept longer than other texts.
_SUMMARY_KEYS: Final = frozenset({"summary", "message", "conclusion", "answer", "text", "title"})
_MAX_CACHED_DIGESTS: Final = 2048
_SUMMARY_FACTOR: Final = 4
_MAX_TOKEN_CHARS: Final = 12
_JOIN_TOKENS: Final = 2
_SENTENCE_ENDS: Final = compile_later(r"\n+|[。！？；]|[.!?;](?=\s)")


class _Detail(NamedTuple):
    rows: int
    chars: int
    depth: int


# Each is tried in turn until the digest fits.
_DETAILS: Final = (
    _Detail(20, 400, 6),
    _Detail(10, 240, 6),
    _Detail(5, 160, 5),
    _Detail(3, 100, 4),
    _Detail(1, 60, 3),
    _Detail(0, 40, 2),
    _Detail(0, 10, 1),
)


@dataclass(frozen=True, slots=True)
class DigestPolicy:
    """When tool results in the history become digests; none is ever removed.

    A result beyond `max_result_tokens` becomes a digest of that size. If the results then still have more than
    `trigger_tokens`, the oldest shrink to `digest_tokens`, one by one, until they have not. The newest `keep` results
    do not shrink, nor do those of `keep_tools`: skill and knowledge texts are still needed when old numbers are not.
    `page_tools` return one page of a longer text: their newest results are shown whole, since nothing else could read
    what a digest of a page leaves out. A user's message beyond `max_message_tokens` shows its beginning and its end.
    """

    trigger_tokens: int = 3000
    keep: int = 2
    keep_tools: frozenset[str] = frozenset({USE_SKILL, "load_rule", "search_knowledge"})
    page_tools: frozenset[str] = frozenset({"read_document", "read_result"})
    max_result_tokens: int = 1200
    digest_tokens: int = 200
    max_message_tokens: int | None = None

    def keep_also(self, tools: frozenset[str]) -> "DigestPolicy":
        """The same policy with the results of further tools kept whole."""
        return replace(self, keep_tools=self.keep_tools | tools) if tools else self

    def keep_none(self) -> "DigestPolicy":
        """The same policy with the results of all tools treated alike."""
        return replace(self, keep_tools=frozenset())

    def tighten(self) -> "DigestPolicy":
        """The same policy with half of the tokens."""
        return replace(
            self,
            trigger_tokens=self.trigger_tokens // 2,
            max_result_tokens=self.max_result_tokens // 2,
            digest_tokens=self.digest_tokens // 2,
            max_message_tokens=None if self.max_message_tokens is None else self.max_message_tokens // 2,
        )


def digest_text(text: str, max_tokens: int, count: Callable[[str], int]) -> str:
    """Shorten a result to at most `max_tokens`; one that is short enough is returned as it is."""
    if count(text) <= max_tokens:
        return text
    try:
        value = load_json(text)
    except JsonInvalid:
        value = text
    return digest_value(value, max_tokens, count)


class DigestCache:
    """`digest_text` that remembers: every build of a long turn makes the same digests of its results again.

    Keys are digests of the texts. A full cache is cleared, as that of the token counts is.
    """

    def __init__(self, *, max_entries: int = _MAX_CACHED_DIGESTS) -> None:
        self._max_entries = max_entries
        self._known: dict[tuple[bytes, int], str] = {}

    def __call__(self, text: str, max_tokens: int, count: Callable[[str], int]) -> str:
        key = (blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest(), max_tokens)
        found = self._known.get(key)
        if found is None:
            found = digest_text(text, max_tokens, count)
            if len(self._known) >= self._max_entries:
                self._known.clear()
            self._known[key] = found
        return found


def cut_middle(text: str, max_tokens: int, count: Callable[[str], int], note: str) -> str:
    """Beginning and end of a long message, at ends of lines or sentences, with the note where the middle was.

    What is wanted stands at one of the two ends of what somebody pastes. Text without a sentence is cut anywhere.
    """
    room = max(0, max_tokens - count(note) - _JOIN_TOKENS)
    most = room * 2 // 3
    head = cut_at_sentence(text[: most * _MAX_TOKEN_CHARS], lambda part: count(part) <= most) or text[: most // 2]
    left, rest = room - count(head), text[len(head) :][-room * _MAX_TOKEN_CHARS :]
    starts = [found.end() for found in _SENTENCE_ENDS.finditer(rest)]
    # The first start whose text to the end fits: a later one leaves less.
    at = bisect_left(starts, True, key=lambda start: count(rest[start:]) <= left)
    tail = rest[starts[at] :] if at < len(starts) else ""
    tail = tail.strip() or rest[len(rest) - left // 2 :]
    return "\n".join(part for part in (head, note, tail) if part)


def digest_value(value: JsonValue, max_tokens: int, count: Callable[[str], int], *, omit: bool = False) -> str:
    """JSON text of a value in at most `max_tokens`: fewer rows, shorter texts, less depth.

    What is missing is told as a number in brackets; with `omit` it is left out, and the text is empty if nothing fits.
    """
    if isinstance(value, str):
        return cut_at_sentence(value, lambda text: count(text) <= max_tokens) or ("" if omit else _size_mark(value))
    whole = dump_json(value)
    if count(whole) <= max_tokens:
        return whole
    for detail in _DETAILS:
        short = _Shortener(detail, omit).shorten(value, detail.depth)
        made = "" if short in (None, "", [], {}) else dump_json(short)
        if count(made) <= max_tokens:
            return made
    return "" if omit else _size_mark(value)


def _size_mark(value: JsonValue) -> str:
    return f"(… {len(value)})" if isinstance(value, str | Mapping | Sequence) else "(…)"


@dataclass(frozen=True, slots=True)
class _Shortener:
    """Shortens a value to one level of detail; None stands for what is left out."""

    detail: _Detail
    omit: bool

    def shorten(self, value: JsonValue, depth: int, chars: int | None = None) -> JsonValue:
        if isinstance(value, str):
            limit = self.detail.chars if chars is None else chars
            return cut_at_sentence(value, lambda text: len(text) <= limit) or self._leave_out(value)
        if isinstance(value, Mapping):
            return self._shorten_object(value, depth)
        return self._shorten_list(value, depth) if isinstance(value, Sequence) else value

    def _shorten_object(self, value: Mapping[str, JsonValue], depth: int) -> JsonValue:
        if not depth:
            return self._leave_out(value)
        longer = dict.fromkeys(_SUMMARY_KEYS, self.detail.chars * _SUMMARY_FACTOR)
        short = {key: self.shorten(one, depth - 1, longer.get(key)) for key, one in value.items()}
        return {key: one for key, one in short.items() if not self.omit or one not in (None, [], {})}

    def _shorten_list(self, value: Sequence[JsonValue], depth: int) -> JsonValue:
        if not value:
            return []
        if not depth or not self.detail.rows:
            return self._leave_out(value)
        kept = [self.shorten(one, depth - 1) for one in value[: self.detail.rows]]
        if self.omit:
            return [one for one in kept if one not in (None, [], {})]
        return [*kept, f"… {len(value)}"] if len(value) > self.detail.rows else kept

    def _leave_out(self, value: JsonValue) -> JsonValue:
        return None if self.omit else _size_mark(value)
