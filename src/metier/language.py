"""The two languages of the product, and sentences that are written once in each.

A room keeps its sentences as data in a `Sentences` table; code passes codes and values and never asks which language it
is. A `Note` is a code with its values: programs read it, people get its sentence in their language.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Final, Literal, Self, TypeAlias, TypeVar

from metier.json_values import JsonObject, JsonValue

__all__ = [
    "BilingualText",
    "Language",
    "Note",
    "NoteValue",
    "Sentences",
    "choose",
    "cut_at_sentence",
    "join_names",
    "language_of",
    "prefers_chinese",
    "quote_names",
    "read_language_wish",
    "resolve_language",
    "shorten_text",
    "split_sentences",
    "values_to_json",
    "write_count",
]

Language = Literal["en", "zh"]
NoteValue: TypeAlias = "str | int | Sequence[str] | Note"

_T = TypeVar("_T")
_SEPARATORS: Final[Mapping[Language, str]] = MappingProxyType({"en": ", ", "zh": "、"})
# Where a text may be cut, the best places first. A point or comma between digits is part of a number.
_SENTENCE_END: Final = re.compile(r"(?<=[。！？!?；])|(?<=[.;])(?=\s)|(?<=\n)")
_CLAUSE_END: Final = re.compile(r"(?<=[，、：])|(?<=[,:])(?=\s)")
_WORD_END: Final = re.compile(r"(?=\s)")
_WEIGHT: Final = re.compile(r"[01](?:\.\d{0,3})?")
_ELLIPSIS: Final = "…"
# A count and what is counted, with the verb if it follows: `{count} open questions are`.
_COUNTED: Final = re.compile(
    r"(\{(\w+)\} (?:(?!(?:has|is|was|does|of|in|to) )[a-z]+ )?)([a-z]{3,}s)\b( are| were| have)?"
)
_NOT_COUNTED: Final = frozenset({"does", "this", "less", "across"})
_SINGULAR_VERBS: Final = MappingProxyType({" are": " is", " were": " was", " have": " has", None: ""})
_MIN_ENGLISH_WORDS: Final = 3
_ENGLISH_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_MAX_NAME_CHARS: Final = 4
_CHINESE_RUN: Final = re.compile(r"[\u4e00-\u9fff]+")
# Words that join a sentence, which no list of terms and no name has.
_ENGLISH_JOINT: Final = re.compile(
    r"\b(?:the|an?|in|of|for|to|is|are|was|what|how|why|which|please|and|with|from|about|my|me|at|on|as|by)\b",
    re.IGNORECASE,
)
_CHINESE_JOINT: Final = re.compile("[的了吗呢吧是把请帮我你您他这那在有和与用给让做写看查问么怎成]|翻译|意思|分析|什么")
# Chinese at the end is a name after these words; after others it is what is asked: "Tom and Jerry 剧情简介".
_LETTERS: Final = re.compile("[A-Za-z]+")
_BEFORE_NAME: Final = re.compile(
    r"in|of|at|for|about|from|to|near|on|with|by|and|or|vs|between|the|my|called|named"
    r"|analy[sz]e|check|show|find|open|read|diagnose|summari[sz]e|compare",
    re.IGNORECASE,
)
# Chinese at the start is a name if it is a file or does something; else it is a verb: "重启 the server".
_CHINESE_HEAD: Final = re.compile(r"[^A-Za-z]*?[\u4e00-\u9fff]")
_NAME_FIRST: Final = re.compile(
    r"[^A-Za-z]*(?:\.[A-Za-z]{2,5}\b|['’]s\b|\s(?:is|are|was|were|has|have|had|does|did|will|needs|shows|seems|looks)\b)"
)
# A whole message that wants what was said once more in the other language: 用英文说一遍, "say that in Chinese".
_WISH: Final = (
    (
        re.compile(
            r"(?:请|麻烦|你|能不能|可不可以|可以|能|帮我|给我|那|再|把(?:它|这个|这些|这段|上面的?|刚才的?|结果|回答)+)*"
            r"(?:用|换成?|改成?|改用|翻译?成?|译成|说|讲)(英文|英语|中文|汉语|普通话)(?:再|重新)?"
            r"(?:说|讲|写|回答|输出|来|解释|重复|显示|答)?(?:一?[遍次下])?(?:给我)?(?:可以吗|好吗|行吗|[吗吧呗])?[。.!！?？]*"
        ),
        "英",
    ),
    (
        re.compile(
            r"(?:(?:please|now|and|ok(?:ay)?|can you|could you|would you)[, ]+)*"
            r"(?:(?:say|repeat|tell me|give me|show(?: me)?|write|answer|explain|put|translate|switch|have)\s+)?"
            r"(?:(?:it|that|this|them|the (?:answer|result|report|last answer)|everything|all (?:of )?(?:it|that))\s+)?"
            r"(?:again\s+|once more\s+)?(?:in|into|to)\s+(english|chinese|mandarin)(?:,?\s+please)?[.!?]*",
            re.IGNORECASE,
        ),
        "english",
    ),
)
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")


def language_of(text: str) -> Language:
    """Return `zh` if the text has a Chinese character, else `en`."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"


def resolve_language(setting: Literal["auto", "en", "zh"], message: str) -> Language:
    """Return the language of the settings; with `auto` that of the message.

    An English sentence stays English if all that is Chinese in it are names: "Analyse weak coverage in 朝阳".
    Chinese that begins or ends it as what is asked makes it Chinese: "Tom and Jerry 剧情简介", "重启 the server".
    A message that wants nothing but another language gets it: 用英文说一遍.
    """
    if setting != "auto":
        return setting
    if (wanted := read_language_wish(message)) is not None:
        return wanted
    return "en" if _is_english_with_names(message) else language_of(message)


def read_language_wish(message: str) -> Language | None:
    """The language that a message wants what was said again in; None if it says anything else."""
    said = message.strip()
    for pattern, english in _WISH:
        if (found := pattern.fullmatch(said)) is not None:
            return "en" if found[1].lower().startswith(english) else "zh"
    return None


def _is_english_with_names(message: str) -> bool:
    words, names = _ENGLISH_WORD.findall(message), _CHINESE_RUN.findall(message)
    if not names:
        return False
    before, _, after = message.partition(names[0])
    is_within = len(names) == 1 and len(names[0]) <= _MAX_NAME_CHARS and all(map(_LETTERS.search, (before, after)))
    least = _MIN_ENGLISH_WORDS - is_within  # one Chinese name between English words: "is 乙 cheaper?"
    if len(words) < least or len("".join(names)) > 2 * len(words):
        return False
    if _ENGLISH_JOINT.search(message) is None or any(_CHINESE_JOINT.search(one) for one in names):
        return False
    *_, last = _LETTERS.finditer(message)  # there are words
    if language_of(message[last.end() :]) == "zh" and not _BEFORE_NAME.fullmatch(last[0]):
        return False
    return _CHINESE_HEAD.match(message) is None or _NAME_FIRST.match(message) is not None


def prefers_chinese(accepted: str) -> bool:
    """Whether an `Accept-Language` header names Chinese before English."""
    ranked: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        known = name[:2].lower()
        if known in ("zh", "en"):
            ranked.append((float(weight) if _WEIGHT.fullmatch(weight) else 1.0, known))
    return bool(ranked) and max(ranked, key=lambda one: one[0])[1] == "zh"


def choose(language: Language, *, en: _T, zh: _T) -> _T:
    """Return the one of two values that is for this language."""
    return zh if language == "zh" else en


def shorten_text(text: str, max_chars: int) -> str:
    """Return at most so many characters, cut between words or after a Chinese character, with `…` where it was cut."""
    if len(text) <= max_chars:
        return text
    kept = text[: max_chars - 1]
    last = kept.rfind(" ")
    # A Latin word is not cut; a text without blanks, such as Chinese, may be cut anywhere.
    if last > max_chars // 2 and kept[-1].isascii() and text[max_chars - 1].isascii():
        kept = kept[:last]
    return f"{kept.rstrip()}…"


def join_names(names: Iterable[str], language: Language) -> str:
    """Join names to a list within a sentence."""
    return _SEPARATORS[language].join(names)


def join_sentences(sentences: Iterable[str], language: Language) -> str:
    """Join whole sentences: with a blank, in Chinese without one."""
    return ("" if language == "zh" else " ").join(sentence for sentence in sentences if sentence)


def quote_names(names: Iterable[str]) -> str:
    """Join names that are not Chinese to a list within a Chinese sentence."""
    return _SEPARATORS["zh"].join(f"「{name}」" for name in names)


def split_sentences(text: str) -> tuple[str, ...]:
    """Split a text after its sentences; joined, they are the text again."""
    return tuple(part for part in _SENTENCE_END.split(text) if part)


def cut_at_sentence(text: str, fits: Callable[[str], bool]) -> str:
    """Longest beginning that fits: whole sentences; failing that whole clauses or words, with an ellipsis.

    Empty if not even the first word fits. A longer beginning must never fit where a shorter one does not.
    """
    if fits(text):
        return text
    first = len(text) - len(text.lstrip())
    for ends, mark in ((_SENTENCE_END, ""), (_CLAUSE_END, _ELLIPSIS), (_WORD_END, _ELLIPSIS)):
        cuts = [found.start() for found in ends.finditer(text) if first < found.start() < len(text)]
        shortest, longest = 0, len(cuts)
        while shortest < longest:  # how many of the cuts leave a beginning that fits
            middle = (shortest + longest + 1) // 2
            does_fit = fits(text[: cuts[middle - 1]].rstrip() + mark)
            shortest, longest = (middle, longest) if does_fit else (shortest, middle - 1)
        if shortest:
            return text[: cuts[shortest - 1]].rstrip() + mark
    return ""


@dataclass(frozen=True, slots=True)
class BilingualText:
    """A text in Chinese and English."""

    zh: str
    en: str

    def text(self, language: Language) -> str:
        """The text in this language."""
        return choose(language, en=self.en, zh=self.zh)

    def to_json(self) -> JsonObject:
        return {"zh": self.zh, "en": self.en}


class Sentences(Mapping[str, tuple[str, str]]):
    """Table of sentences by code, each as (English, Chinese) with the same placeholders."""

    __slots__ = ("_patterns", "_texts")

    def __init__(self, texts: Mapping[str, tuple[str, str]]) -> None:
        self._texts = MappingProxyType(dict(texts))
        self._patterns: tuple[tuple[str, re.Pattern[str]], ...] | None = None

    def __getitem__(self, code: str) -> tuple[str, str]:
        return self._texts[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def render(self, code: str, language: Language, /, **values: object) -> str:
        """Render the sentence of a code: names become a list, a missing value `…`; an unknown code stays as is."""
        if code not in self._texts:
            return code
        english, chinese = self._texts[code]
        english = _COUNTED.sub(lambda found: _make_singular(found, values), english)
        filled = _Filled({name: _render_value(value, language) for name, value in values.items()})
        return choose(language, en=english, zh=chinese).format_map(filled)

    def read_back(self, text: str) -> tuple[str, Mapping[str, str]] | None:
        """Code and values of an English text that is one of these sentences, the longest that fits; None for others.

        For sentences that were written before it was known who reads them.
        """
        if self._patterns is None:
            longest_first = sorted(self._texts, key=lambda code: -len(_PLACEHOLDER.sub("", self._texts[code][0])))
            self._patterns = tuple((code, _compile_sentence(self._texts[code][0])) for code in longest_first)
        for code, pattern in self._patterns:
            if found := pattern.fullmatch(text):
                return code, found.groupdict()
        return None

    def occurs_in(self, code: str, text: str) -> bool:
        """Whether a text contains the sentence of a code, in either language and with any values."""
        return any(_contains_in_order(text, _PLACEHOLDER.split(one)) for one in self._texts.get(code, ()))


@dataclass(frozen=True, slots=True)
class Note:
    """A statement: a code for programs and the values of its sentence. A room sets its own table in a subclass."""

    sentences: ClassVar[Sentences] = Sentences({})

    code: str
    values: Mapping[str, NoteValue] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, code: str, /, **values: NoteValue) -> Self:
        """Build a note from keyword values."""
        return cls(code, values)

    def text(self, language: Language = "en") -> str:
        """Sentence in this language."""
        return self.sentences.render(self.code, language, **self.values)

    def to_json(self) -> JsonObject:
        """Code and values; a nested note becomes its own code and values."""
        return {"code": self.code, "values": values_to_json(self.values)}


def values_to_json(values: Mapping[str, NoteValue]) -> JsonObject:
    """Values of a note as JSON."""
    return {name: _value_to_json(value) for name, value in values.items()}


def write_count(count: int, nouns: str) -> str:
    """A count and what is counted in English, the nouns given as for many: `1 row`, `1,200 rows`."""
    return f"{count:,} {_name_one(nouns) if count == 1 else nouns}"


def _make_singular(found: re.Match[str], values: Mapping[str, object]) -> str:
    """`{count} rows are` as `{count} row is` if the count is one."""
    noun = found[3]
    if str(values.get(found[2])) != "1" or noun in _NOT_COUNTED:
        return found[0]
    return f"{found[1]}{_name_one(noun)}{_SINGULAR_VERBS[found[4]]}"


def _name_one(nouns: str) -> str:
    """`rows` as `row`, `entries` as `entry`."""
    if nouns.endswith("ies"):
        return f"{nouns[:-3]}y"
    return nouns[:-2] if nouns.endswith(("sses", "shes", "ches", "xes")) else nouns[:-1]


def _compile_sentence(sentence: str) -> re.Pattern[str]:
    """Pattern of a sentence: what stands at a placeholder is its value, the same one wherever it stands again."""
    parts: list[str] = []
    seen: set[str] = set()
    for place, part in enumerate(re.split(r"\{(\w+)\}", sentence)):
        if place % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>.+?)")
            seen.add(part)
    return re.compile("".join(parts), re.DOTALL)


def _contains_in_order(text: str, parts: Sequence[str]) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return any(parts)


def _value_to_json(value: NoteValue) -> JsonValue:
    if isinstance(value, Note):
        return value.to_json()
    return value if isinstance(value, str | int) else list(value)


def _render_value(value: object, language: Language) -> object:
    if isinstance(value, Note):
        return value.text(language)
    return join_names(map(str, value), language) if isinstance(value, list | tuple) else value


class _Filled(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "…"
