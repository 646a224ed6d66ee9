"""What a result says of its severity and of those it affects; numbers are told only of what can be counted."""

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Language
from metier.patterns import compile_later
from metier.questions._match import numeric_value
from metier.questions._results import Answer, Remark, ResultTable, TableColumn
from metier.questions.judgements._judgement_sentences import JUDGEMENT_SENTENCES

# These are affected or not; there is no number of them.
_UNCOUNTED: Final = compile_later(r"(?i)业务|生产|production|services?")
# Numbers that count nothing: places in an order, lengths of time, shares, angles, multiples.
_NO_COUNT: Final = compile_later(
    r"(?i)第\s*\d+(?:\s*[到至、-]\s*\d+)?\s*[个台项条户人处]?|（共[^（）]*）"
    r"|\d+\s*(?:个\s*(?:多?月|百分点|小时|钟头|星期|礼拜|季度|工作日)|人[月日天])"
    r"|\b(?:record|row|item|step|page|sample|line|entry|point|file|number|part|day|week|month|year|run|round)\s+"
    r"\d+(?:\s+of\s+\d+)?"
    r"|\d+\s+(?:times|days|hours|minutes|seconds|milliseconds|weeks|months|quarters|years|degrees|percents?"
    r"|(?:percentage\s+)?points|decibels|watts|volts|amperes|metres|meters|kilomet(?:re|er)s|miles"
    r"|less|does|this|across|versus|plus|minus)\b"
)
# A number of things: 53个小区, "22 of the 53 cells", "far from plan: 22".
_COUNT: Final = compile_later(
    r"(?i)(?<![\d.])\d+\s*(?:[个台项条户处]|人(?![工次]))|(?<![\d.])\b\d+\s+(?:of\s|people\b|[a-z]{4,}s\b)|:\s\d+(?=[;.]|$)"
)
# Columns that mention a thing and do not count it: 用户平均速率, "users per cell".
_NO_TOTAL: Final = compile_later(
    r"(?i)平均|均值|人均|加权|中位|最大|最小|峰值|每|率|占比|比例|百分|%"
    r"|\b(?:mean|avg|average|weighted|median|max(?:imum)?|min(?:imum)?|peak|per|rates?|ratio|share|percent(?:age)?)\b"
)
_COUNT_UNITS: Final = frozenset({"", "个", "户", "人", "台", "名", "位", "家"})
_FIRST: Final = compile_later(r"(?<=。)|(?<=[^\d]\.)\s")  # where the first sentence of a line ends
_SENTENCE: Final = BilingualText("。", ".")
_MAX_LINES: Final = 8
_MAX_FOUND: Final = 5
_MAX_SHORT: Final = 3
_MAX_VERDICT: Final = 200
_MIN_NOUN: Final = 2
# Where a noun stands for itself: 无人, 人工, 负责人 and 用户样本 count nobody.
_ALONE: Final = MappingProxyType(
    {
        "人": "(?<![无责机本法])人(?![工机脸次])",
        "用户": "用户(?!样本|数据|速率|体验|感知|面)",
        "user": r"\buser(?!\s+(?:samples?|data|rates?|experience)\b)",
    }
)


def tell_severity(remarks: Sequence[Remark], said: str, language: Language, *, opening: str = "") -> Answer | None:
    """The verdict of a report first, then what it found; that there is no verdict is said. None if it found nothing.

    `opening` is the code of the sentence before it, where something else than the severity is asked.
    """
    found = _list_findings(remarks)
    if not found:
        return None
    has_verdict = any(one.is_verdict for one in remarks)
    code = opening or ("said" if has_verdict else "said_no_verdict")
    return _list(_say(code, language), found, said, language)


def tell_impact(
    affected: str, tables: Sequence[ResultTable], remarks: Sequence[Remark], said: str, language: Language
) -> Answer | None:
    """Sentences of the report that count something; whether they count those who were asked about is said.

    What cannot be counted is affected or not: sentences that name it, else that nothing is said of it. None if the
    report counts and finds nothing.
    """
    if _UNCOUNTED.fullmatch(affected):
        return _tell_effect(affected, remarks, said, language)
    counted = _list_counted(remarks)[:_MAX_LINES]
    if not counted:
        return None
    noun = _read_noun(affected)
    things = [one.columns[0].title for one in tables if one.columns]
    named = re.compile(rf"(?i)\d\s*[个台名户位]?[^\d，,。；;]{{0,10}}{noun}|{noun}[^.]*: \d")
    is_counted = any(map(named.search, counted)) or any(re.search(rf"(?i){noun}", one) for one in things)
    opening = _say("impact", language) if is_counted else _say("impact_unknown", language, affected=affected)
    sums = [] if is_counted else _add_up(noun, tables, language)
    return _list(opening, [*sums, *counted], said, language)


def counts_things(text: str) -> bool:
    """Whether a sentence has a number of things; 12个月, "45 days" and "record 277 of 350" are none."""
    return _COUNT.search(_NO_COUNT.sub(" ", text)) is not None


def tell_short(remarks: Sequence[Remark], said: str, language: Language, *, opening: str = "short") -> Answer | None:
    """The main points of a report, one short line each; None if it found nothing."""
    verdicts = [one.line if len(one.line) <= _MAX_VERDICT else _split_first(one) for one in remarks if one.is_verdict]
    found = verdicts or _list_findings(remarks)
    return _list(_say(opening, language), found[:_MAX_SHORT], said, language) if found else None


def tell_remedy(remarks: Sequence[Remark], said: str, language: Language) -> Answer | None:
    """What the report says of each thing that it names, where its advice stands; without any, what it found."""
    named = [one.line for one in remarks if one.subject and one.text.count(_SENTENCE.text(language)) > 1]
    if named:
        return _list(_say("remedy", language), named[:_MAX_FOUND], said, language)
    return tell_severity(remarks, said, language, opening="no_remedy")


def _read_noun(affected: str) -> str:
    """Pattern of the noun where it is counted itself, without the s of a plural."""
    noun = affected if len(affected) <= _MIN_NOUN else affected.removesuffix("s")
    return _ALONE.get(noun.casefold(), re.escape(noun))


def _tell_effect(affected: str, remarks: Sequence[Remark], said: str, language: Language) -> Answer | None:
    noun = affected.casefold().removesuffix("s")
    naming = [one.line for one in remarks if noun in one.line.casefold()][:_MAX_FOUND]
    if naming:
        return _list(_say("said", language), naming, said, language)
    found = _list_findings(remarks)
    return _list(_say("effect_unknown", language, affected=affected), found, said, language) if found else None


def _list_findings(remarks: Sequence[Remark]) -> list[str]:
    """Verdicts, then the first sentences about a subject; without either the first sentences that count."""
    verdicts = [one.line for one in remarks if one.is_verdict]
    subjects = [_split_first(one) for one in remarks if one.subject and not one.is_verdict]
    return ([*verdicts, *subjects] or _list_counted(remarks))[:_MAX_FOUND]


def _list_counted(remarks: Sequence[Remark]) -> list[str]:
    return [line for one in remarks if counts_things(line := _split_first(one))]


def _split_first(remark: Remark) -> str:
    return _FIRST.split(remark.line)[0]


def _add_up(noun: str, tables: Sequence[ResultTable], language: Language) -> Iterator[str]:
    """Sums of the columns of a thing: the users of the cells in one table, which are not all that are affected."""
    for table in tables:
        for at, column in enumerate(table.columns):
            values = [numeric_value(row[at]) if at < len(row) else None for row in table.rows]
            known = [one for one in values if one is not None and one >= 0 and float(one).is_integer()]
            if _counts(noun, column) and len(known) == table.total:
                names = {"table": table.title, "column": column.title}
                yield _say("sum", language, **names, rows=table.total, sum=f"{sum(known):.0f}")


def _counts(noun: str, column: TableColumn) -> bool:
    """Whether a column is the number of a thing: 用户数, "connected users"; not 用户平均速率 or 负责人."""
    plural = noun if noun.casefold() == "people" else f"{noun}s"
    title = rf"(?i){noun}(?:总?数量?|个数)(?!据)|\b{plural}\b(?!\s+(?:samples?|data)\b)|\b{noun}\s+(?:count|number)\b"
    is_count = re.search(title, column.title) is not None and _NO_TOTAL.search(column.title) is None
    return is_count and column.unit in _COUNT_UNITS


def _list(opening: str, lines: Sequence[str], said: str, language: Language) -> Answer:
    listed = "\n".join(f"- {one}" for one in lines)
    return Answer(f"{opening}\n\n{listed}\n\n{_say('source', language, said=said)}")


def _say(code: str, language: Language, **values: object) -> str:
    return JUDGEMENT_SENTENCES.render(code, language, **values)
