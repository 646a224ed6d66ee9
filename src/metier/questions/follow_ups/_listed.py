"""Short questions about the rows that the last answer listed: 第一个, "the first one", 占比多少, "what share?"."""

from dataclasses import dataclass
from typing import Final, Literal

from metier.language import Language
from metier.patterns import compile_later
from metier.questions._numbers import read_number
from metier.questions._results import Answer, Results, ResultTable
from metier.questions._sentences import SENTENCES

_MAX_CHARS: Final = 40
_PLACE_ZH: Final = (
    r"(?:那么?|就|先|再|看一?看|选|要|请|说说|讲讲|了解|[，,\s])*"
    r"(?:第\s*(?:[一二两三四五六七八九十]{1,3}|\d{1,3})\s*(?:个|条|行|台|名|项|位)?|最后(?:一?个|一?条|一?行))"
    r"(?:小区|设备)?(?:的?(?:情况|详情|数据))?(?:怎么样|如何|呢|吧)?[？?。.！!\s]*"
)
_PLACE_EN: Final = (
    r"(?i:(?:(?:and|ok(?:ay)?|so|then|please|show\s+me|tell\s+me\s+(?:more\s+)?about|what\s+about|how\s+about|take|pick|choose"
    r"|i(?:'ll)?\s+(?:take|mean|want)|let's\s+(?:take|see)),?\s+)*(?:the\s+)?"
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,3}(?:st|nd|rd|th))"
    r"(?:\s+(?:one|row|cell|machine|item))?(?:,?\s+please)?[?.!\s]*)"
)
_SHARE_ZH: Final = (
    r"(?:那么?|这些|它们|他们|这|各|[，,\s])*(?:占(?:了|全部|总数|全网|整体|总体)*的?(?:比例?)?(?:是|有)?(?:多少|多大|几成|百分之几)(?:比例)?"
    r"|(?:占比|比例|百分比)(?:是|有)?(?:多少|多大|几成|呢)?)[？?。.！!\s]*"
)
_SHARE_EN: Final = (
    r"(?i:(?:(?:and|so|ok(?:ay)?|then),?\s+)*(?:what(?:'s|\s+is)?\s+(?:the(?:ir)?\s+)?|as\s+an?\s+|in\s+)"
    r"(?:share|percentage|percent|proportion|fraction)"
    r"(?:\s+(?:is|are|do|does|that|this|it|they|those|these|of|the|all|total|whole|them|overall|make|up)){0,6}[?.!\s]*)"
)
_PLACE: Final = compile_later(f"{_PLACE_ZH}|{_PLACE_EN}")
_NUMBERS: Final = compile_later(r"\d+|[a-z]+|[一二两三四五六七八九十]+")
_LAST: Final = compile_later(r"最后|(?i:\blast\b)")
_SHARE: Final = compile_later(f"{_SHARE_ZH}|{_SHARE_EN}")
_MAX_TOLD: Final = 8  # tables of findings to tell of where no list was asked for


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """What is asked of the list: the row at a place (from 1, -1 for the last), or its share of all rows."""

    kind: Literal["place", "share"]
    place: int = 0


def read_listed(message: str) -> ListedQuestion | None:
    """The question, if the whole message is one; None for any other."""
    said = message.strip()
    if not said or len(said) > _MAX_CHARS:
        return None
    if _SHARE.fullmatch(said):
        return ListedQuestion("share")
    if _PLACE.fullmatch(said) is None:
        return None
    place = -1 if _LAST.search(said) else next(filter(None, map(read_number, _NUMBERS.findall(said.lower()))), 0)
    return ListedQuestion("place", place) if place else None


def name_listed(asked: ListedQuestion, listed: ResultTable) -> str:
    """The name of the row at the place that is asked about; empty if the list has no such row."""
    at = asked.place if asked.place < 0 else asked.place - 1
    return str(listed.rows[at][0]) if -len(listed.rows) <= at < len(listed.rows) and listed.rows[at] else ""


def tell_no_place(listed: ResultTable, place: int, language: Language) -> Answer:
    """That the list just shown has no row at a place."""
    return Answer(SENTENCES.render("listed_short", language, count=len(listed.rows), place=place), found=False)


def answer_share(listed: ResultTable | None, results: Results, language: Language) -> Answer | None:
    """How many of all rows the list has; without a list, the shares of the findings, or what can be asked."""
    if listed is not None and listed.rows:
        base = _find_base(listed, results)
        told = _tell_share(len({row[0] for row in listed.rows}), base, language) if base is not None else ""
        return Answer(told, shown=listed) if told else None
    parts = [(one, _find_base(one, results)) for one in results.tables]
    pairs = [(one, base) for one, base in parts if base is not None and _count(base) > _count(one)]
    lines = [f"- {one.title}: {_tell_share(_count(one), base, language)}" for one, base in pairs[:_MAX_TOLD]]
    if not lines:
        return Answer(SENTENCES.render("share_of_what", language), found=False) if results.tables else None
    return Answer("\n".join([SENTENCES.render("share_of_each", language), "", *lines]))


def _count(table: ResultTable) -> int:
    return len({row[0] for row in table.rows if row})


def _find_base(listed: ResultTable, results: Results) -> ResultTable | None:
    """The largest table that has all rows of the list, and more or as many."""
    names = {str(row[0]) for row in listed.rows if row}
    bases = [one for one in results.tables if names <= {str(row[0]) for row in one.rows if row}]
    return max(bases, key=_count, default=None)


def _tell_share(count: int, base: ResultTable | None, language: Language) -> str:
    total = 0 if base is None else _count(base)
    if base is None or not total:
        return ""
    return SENTENCES.render(
        "share_of_base", language, count=count, total=total, share=f"{100 * count / total:.1f}", title=base.title
    )
