"""Sections of a paper and of its key: the ordinal of a heading, its name, and the kind of question it announces."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from metier.patterns import read_chinese_integer

__all__ = ["ExamSection", "QuestionType", "find_section", "read_section_head"]

QuestionType = Literal["choice", "fill", "judge", "short"]
_KIND_WORD: Final = (
    r"(?:单项选择|多项选择|不定项选择|选择|单选|多选|填空|判断(?:正误)?|是非|简答|问答|论述|计算|解答|应用|作文|"
    r"材料分析|名词解释)"
)
_ORDINAL: Final = re.compile(
    r"^(?:(?P<cn>[一二三四五六七八九十]{1,3})\s*[、.．:：]|第(?P<cn2>[一二三四五六七八九十]{1,3}|\d{1,2})(?:大题|部分|卷)\s*[、:：]?"
    r"|(?:Part|Section)\s+(?P<en>[IVX]{1,4}|[A-H]|\d{1,2})\b\s*[.:：]?|(?P<roman>[IVX]{1,4})\s*[.．、])\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
# `选择题（每题2分）` without an ordinal, and `1. 选择题` whose number is the one of a section.
_NAMED: Final = re.compile(
    rf"^(?P<rest>{_KIND_WORD}题(?:(?:参考)?答案)?(?![\u4e00-\u9fff]).*)$"
    rf"|^(?P<number>\d{{1,2}})\s*[.．、]\s*(?P<rest2>{_KIND_WORD}题\s*(?:[（(][^（）()]*[）)])?\s*[:：]?)$"
)
_ENGLISH_NAMED: Final = re.compile(
    r"^(?P<rest>(?:multiple choice|true (?:or|/) false|fill in the blanks?|short answers?)\b.*)$", re.IGNORECASE
)
_POINTS: Final = re.compile(r"[（(][^（）()]*(?:分|题|points?|marks?|√|×)[^（）()]*[）)]", re.IGNORECASE)
_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_KINDS: Final[tuple[tuple[str, QuestionType], ...]] = (
    ("选择", "choice"),
    ("单选", "choice"),
    ("多选", "choice"),
    ("填空", "fill"),
    ("判断", "judge"),
    ("是非", "judge"),
    ("简答", "short"),
    ("问答", "short"),
    ("论述", "short"),
    ("计算", "short"),
    ("choice", "choice"),
    ("blank", "fill"),
    ("true", "judge"),
    ("short", "short"),
)


@dataclass(frozen=True, slots=True)
class ExamSection:
    """One section by its heading; `ordinal` is None where the heading has none, `kind` where it names none."""

    ordinal: int | None
    name: str
    kind: QuestionType | None

    @property
    def takes(self) -> Literal["one", "several", ""]:
        """How many letters a choice of this section takes, if the heading says so."""
        if re.search(r"单项|单选", self.name):
            return "one"
        return "several" if re.search(r"多项|多选|不定项", self.name) else ""


def read_section_head(line: str) -> tuple[ExamSection, str] | None:
    """The section that a line opens, and what stands behind its name; None for another line."""
    plain = line.strip()
    if match := _ORDINAL.match(plain):
        ordinal = _read_ordinal(match["cn"] or match["cn2"] or match["en"] or match["roman"])
    elif match := _NAMED.match(plain) or _ENGLISH_NAMED.match(plain):
        ordinal = int(match.groupdict().get("number") or 0) or None
    else:
        return None
    groups = match.groupdict()
    rest = _POINTS.sub("", groups["rest"] or groups.get("rest2") or "").strip()
    name = re.split(r"[\s:：,，。;；]|\d", rest, maxsplit=1)[0]
    kind = _find_kind(rest)
    if name.endswith("答案") and kind is None:
        return None
    return ExamSection(ordinal, re.sub(r"(?:参考)?答案$", "", name), kind), rest[len(name) :].lstrip(" 　:：.．、,，")


def _read_ordinal(word: str) -> int | None:
    if word.isdecimal():
        return int(word)
    if word.upper() in _ROMAN:
        return _ROMAN.index(word.upper()) + 1
    return ord(word.upper()) - ord("A") + 1 if word.isascii() else read_chinese_integer(word)


def _find_kind(name: str) -> QuestionType | None:
    lower = name.lower()
    return next((kind for word, kind in _KINDS if word in lower), None)


def find_section(wanted: ExamSection, known: Sequence[ExamSection]) -> ExamSection | None:
    """The section of the paper that a section of the key means; None where ordinal and kind do not agree on one."""
    fitting = [one for one in known if _agree(wanted, one)]
    if len(fitting) > 1:
        fitting = [one for one in fitting if one.name == wanted.name or (one.takes and one.takes == wanted.takes)]
    return fitting[0] if len(fitting) == 1 else None


def _agree(wanted: ExamSection, one: ExamSection) -> bool:
    if wanted.ordinal is not None and one.ordinal is not None and wanted.ordinal != one.ordinal:
        return False
    if wanted.kind is not None and one.kind is not None and wanted.kind != one.kind:
        return False
    if wanted.takes and one.takes and wanted.takes != one.takes:
        return False
    same_ordinal = wanted.ordinal is not None and wanted.ordinal == one.ordinal
    return same_ordinal or (wanted.kind is not None and wanted.kind == one.kind) or bool(wanted.name == one.name != "")
