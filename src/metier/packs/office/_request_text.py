"""A request as the rules read it: quoted text set apart, and every character that a rule used marked as used."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from metier.json_values import JsonValue
from metier.textsearch import lower_keep_length

__all__ = [
    "CHINESE",
    "CONSUMED",
    "END",
    "QUOTED",
    "PlainQuotes",
    "RequestText",
    "TextSpan",
    "find_spans",
    "rewrite_unquoted",
]

CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
CONSUMED: Final = "\ufffc"
_INSIDE: Final = "\ue000"
QUOTED: Final = f'"{_INSIDE}+"'
# What ends a value that is not quoted.
END: Final = (
    rf"[,，。;!?\n{CONSUMED}]|\.(?=\s|$)|"
    r"\s+(?=(?:副?标题|题目|表头|列名|内容|正文|备注|说明|要点)(?:就?是|为|写|叫|用|:))"  # 标题是甲 副标题写乙
)
_WIDE: Final = str.maketrans(
    {
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF10, 0xFF5B) if chr(code).isalnum()},
        **dict(zip("：；（）“”「」『』／｜！？【】", ':;()""""""/|!?[]', strict=True)),
        "\u00a0": " ",
        "\u3000": " ",
        "\t": " ",
    }
)
# Which signs quote; a single one does not inside or behind a Latin word (don't, the teachers' room).
_PAIRS: Final = re.compile(
    r"[“”„〝]([^“”„〝〞\n]+)[“”〞]|「([^「」\n]+)」|『([^『』\n]+)』|﹁([^﹁﹂\n]+)﹂|[\"＂]([^\"＂\n]+)[\"＂]|"
    r"(?<![A-Za-z0-9])['＇]([^'＇\n]+)['＇](?![A-Za-z0-9!])|‘((?:[^‘’\n]|(?<=[A-Za-z])’(?=[a-z]))+)’(?![A-Za-z0-9])|"
    r"«([^«»\n]+)»|《([^《》\n]+)》"
)
_DANGLING: Final = re.compile(r"(?<=\S)\s+(?:and|then|or|and then)[\s\ufffc]*$", re.IGNORECASE)
_KNOWN_QUOTES: Final = frozenset({"“”", "《》", '""', "「」", "『』"})
_TOTALS: Final = frozenset({"合计", "总计", "总价"})
_MAX_PATTERNS: Final = 4_096
_MAX_REQUESTS: Final = 64


@lru_cache(_MAX_PATTERNS)
def _compile(pattern: str) -> re.Pattern[str]:
    """A pattern of the rules. They have more of them than `re` keeps, which would compile most anew for each order."""
    return re.compile(pattern, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A stretch of the request and its text."""

    start: int
    end: int
    text: str


@lru_cache(_MAX_REQUESTS)
def _mask_quotes(raw: str) -> tuple[str, tuple[TextSpan, ...]]:
    """The mask of a request and its quotes; a hundred rules read the same words one after another."""
    masked = list(raw.translate(_WIDE))
    quotes = []
    for found in _PAIRS.finditer(raw):
        group = next(number for number, text in enumerate(found.groups(), 1) if text is not None)
        start, end = found.span(group)
        masked[start - 1], masked[end] = '"', '"'
        masked[start:end] = _INSIDE * (end - start)
        quotes.append(TextSpan(start, end, found[group].strip()))
    return "".join(masked), tuple(quotes)


@dataclass(frozen=True, slots=True)
class PlainQuotes:
    """A message with “” for the rarer signs that quote (‘’, '', ＂＂), and how these were written."""

    text: str
    written: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, message: str, texts: Iterable[str] = ()) -> "PlainQuotes":
        """The message in plain quotes; what stands in texts of the document with its own signs keeps these."""
        chars, written = list(message), list[tuple[str, str]]()
        for one in _mask_quotes(message)[1]:
            start, end = one.start - 1, one.end
            own = message[start : end + 1]
            if message[start] + message[end] in _KNOWN_QUOTES or any(own in text for text in texts):
                continue
            chars[start], chars[end] = "“", "”"
            written.append((f"“{message[one.start : end]}”", own))
        return cls("".join(chars), tuple(written))

    def restore(self, value: JsonValue) -> JsonValue:
        """A value that was taken from the message with the signs that the user wrote."""
        if isinstance(value, str):
            for plain, own in self.written:
                value = value.replace(plain, own)
            return value
        if isinstance(value, list):
            return [self.restore(one) for one in value]
        return {name: self.restore(one) for name, one in value.items()} if isinstance(value, dict) else value


def rewrite_unquoted(raw: str, rewrite: Callable[[str], str]) -> str:
    """The request rewritten with its quotations out of sight; as it was if one of them got lost or moved.

    No pattern can then take a comma inside a quotation for one of a list. A word of a total (“合计”) stays in sight.
    """
    quotes = [one for one in _mask_quotes(raw)[1] if one.text not in _TOTALS]
    hidden = list(raw)
    for one in quotes:
        hidden[one.start : one.end] = _INSIDE * (one.end - one.start)
    parts = re.split(f"({_INSIDE}+)", rewrite("".join(hidden)))
    if [len(one) for one in parts[1::2]] != [one.end - one.start for one in quotes]:
        return raw
    parts[1::2] = [raw[one.start : one.end] for one in quotes]
    return "".join(parts)


def find_spans(words: str, text: str, *, any_case: bool = False) -> Iterator[tuple[int, int]]:
    """Where words stand in a text, one after the other.

    Not by a pattern: each would be compiled, and drive those of the rules out of the memory of `re`.
    """
    if any_case:
        words, text = lower_keep_length(words), lower_keep_length(text)
    at = text.find(words) if words else -1
    while at >= 0:
        yield at, at + len(words)
        at = text.find(words, at + len(words))


@dataclass(slots=True)
class RequestText:
    """The request with the positions of its quotes. `mask` has the same length as `raw`: rules match on it.

    Full-width signs are half-width there, quoted text is hidden, and what a rule consumed is replaced.
    """

    raw: str
    mask: str = ""
    quotes: tuple[TextSpan, ...] = field(default=())

    def __post_init__(self) -> None:
        self.mask, self.quotes = _mask_quotes(self.raw)

    def consume(self, start: int, end: int) -> None:
        """Mark characters as understood."""
        self.mask = self.mask[:start] + CONSUMED * (end - start) + self.mask[end:]

    def take(self, pattern: str) -> "re.Match[str] | None":
        """Find the pattern in what is left, and consume it."""
        found = _compile(pattern).search(self.mask)
        if found:
            self.consume(*found.span())
        return found

    def take_each(self, pattern: str) -> "Iterator[re.Match[str]]":
        """Consume one occurrence after the other, each looked for behind the one before."""
        form, at = _compile(pattern), 0
        while (found := form.search(self.mask, at)) and found.end() > found.start():
            self.consume(*found.span())
            at = found.end()
            yield found

    def take_all(self, pattern: str) -> int:
        """Consume every occurrence; how many there were.

        Each pass goes on behind what it consumed: from the start again for each of 400 clauses took seconds.
        """
        count, before = 0, -1
        while count > before:
            before, count = count, count + sum(1 for _ in self.take_each(pattern))
        return count

    def has(self, pattern: str) -> bool:
        """Whether the pattern occurs in what is left."""
        return _compile(pattern).search(self.mask) is not None

    def text_of(self, start: int, end: int) -> str:
        """Original text of a stretch, without quotation marks around it and without what was consumed at its edges."""
        while start < end and self.mask[start] in f"{CONSUMED} ":
            start += 1
        while end > start and self.mask[end - 1] in f"{CONSUMED} ":
            end -= 1
        text = self.raw[start:end].strip()
        quote = next((one for one in self.quotes if one.start - 1 == start and one.end + 1 == end), None)
        return quote.text if quote else text

    def take_value(self, cue: str, stop: str = END) -> str:
        """Value after a cue: a quote, or the words up to the end of the clause or to `stop`; empty if there is none."""
        stops = END if stop == END else f"{END}|{stop}"
        found = _compile(rf"(?:{cue})\s*({QUOTED}|(?:(?!{stops}).)+)").search(self.mask)
        if not found:
            return ""
        start, end = found.span(found.lastindex or 1)
        if dangling := _DANGLING.search(self.mask, start, end):
            end = dangling.start()  # called Q1 and, where the next order is used already
        value = self.text_of(start, end)
        if value:
            self.consume(found.start(), end)
        return value

    def take_quote(self, cue: str) -> str:
        """Quoted value after a cue, with at most a few characters between them; empty if there is none."""
        found = _compile(rf"(?:{cue})[^\"{CONSUMED},，。;\n]{{0,12}}({QUOTED})").search(self.mask)
        if not found:
            return ""
        value = self.text_of(*found.span(found.lastindex or 1))
        self.consume(*found.span())
        return value

    def take_any_quote(self) -> str:
        """The first quote that no rule used; empty if there is none."""
        quote = next(self.left_quotes(), None)
        if quote is None:
            return ""
        self.consume(quote.start - 1, quote.end + 1)
        return quote.text

    def left_quotes(self) -> Iterator[TextSpan]:
        """Quotes that no rule used."""
        return (one for one in self.quotes if self.mask[one.start] == _INSIDE)
