"""Recognises questions about a report and answers them in its own words, with the figures of its tables."""

import re
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final

from metier.language import Language, join_names
from metier.patterns import compile_later
from metier.questions._drafts import unit_of_differences, with_unit
from metier.questions._match import find_numeric_columns, is_coordinate, list_causes
from metier.questions._results import Answer, Remark, Results, ResultTable
from metier.questions._words import strip_title
from metier.questions.queries import CONCEPTS, NOUNS, concepts_of
from metier.questions.remarks._read import find_limit
from metier.questions.remarks._remark_sentences import REMARK_SENTENCES
from metier.textsearch import to_simplified

_I: Final = re.IGNORECASE
_SOURCE: Final = compile_later(
    r"(?:数字|数据|数值|结果|这些|指标).{0,10}(?:哪里?来|从哪|来源|怎么来|来的|实测|路测|测出来|测量|编的|真的假的|真实)"
    r"|是(?:不是)?(?:实测|路测|现网|真实测量)|(?:实测|路测|现网)(?:的|数据|来的)?[吗么]"
    r"|\bwhere (?:do|did|are|does) .{1,30}\b(?:come|taken|from)\b"
    r"|\b(?:measured|made[- ]up|invented|real)\b.{0,20}\bor\b"
    r"|\b(?:are|is) (?:these|those|this|the|they).{0,24}\b(?:real|measured|made[- ]up|simulated|from a drive test)\b",
    _I,
)
_OF_SOURCE: Final = compile_later(
    r"不是现网|数字孪生|虚构|示例数据|实测|路测|not (?:a )?measure|digital twin|invented|simulat.{0,20}not", _I
)
_LEFT_OUT: Final = compile_later(
    r"(?:仿真|分析|报告|模型|孪生|诊断|结果).{0,6}(?:没有?|未|不)(?:考虑|包括|包含|涵盖|计入|算进?).{0,6}(?:什么|哪些|啥)"
    r"|(?:哪些|什么)(?:因素|情况|东西)?.{0,4}(?:没有?|未)(?:考虑|算进|计入)"
    r"|\bwhat (?:does|did|do|is|are|has|have)\b.{1,40}\b(?:leaves? out|left out|ignored?|omit(?:ted)?"
    r"|not (?:consider(?:ed)?|cover(?:ed)?|include[ds]?|model(?:led)?)|neglect(?:ed)?)\b",
    _I,
)
_OF_LIMITS: Final = compile_later(
    r"不是现网|(?:未|没有|不)(?:考虑|包括|包含|涵盖|计入|模拟)|不含|not (?:a )?measure|(?:not|does not|is not) "
    r"(?:include|cover|consider|model)|left out|leaves out",
    _I,
)
_RULE: Final = compile_later(
    r"(?:怎么|如何|按什么|凭什么|用什么|什么(?:标准|条件|门限)).{0,12}(?:判断|判定|认定|定|算|界定|标准)|算(?:是|作|不算)?.{0,6}的标准"
    r"|\bhow (?:did|do|was|were) .{1,20}\b(?:decide|define|determine|judge|call)|\bwhat (?:counts|makes|qualifies)\b"
    r"|\b(?:criteri(?:on|a)|definition) (?:of|for)\b|\bby what (?:rule|standard)\b",
    _I,
)
_LIMITS: Final = compile_later(r"门限|阈值|\bthresholds?\b|\blimit\b", _I)
_MOVED: Final = compile_later(r"如果|假如|要是|放宽|收紧|改成|(?<!切)换成|\bif\b|\bwhat about\b|\bdropp?(?:ed)?\b", _I)
_GAP: Final = compile_later(r"超|差|[高低多]|几个|多少|\b(?:over|above|below|past|how far|by how much|how much)\b", _I)
_BEFORE: Final = compile_later(
    r"(?:为什么|为啥|为何|凭什么).{0,24}(?:排|放|列|摆).{0,16}(?:前|后|先)"
    r"|\bwhy (?:is|are|does|do|did|was|were) .{1,60}"
    r"\b(?:before|above|ahead of|after|below|behind|ranked|listed)\b",
    _I,
)
_AFTER: Final = compile_later(r"后面|之后|\b(?:after|below|behind)\b", _I)
_WHY: Final = compile_later(r"为什么|为啥|为何|怎么会|什么原因|\bwhy\b|\bwhat causes\b", _I)
_ROW: Final = compile_later(r"(?<![\d-])(?:[A-Za-z0-9]+[-_])*\d{4,}(?!\d)")
_BOTH: Final = compile_later(r"\bboth\b|\bat the same time\b", _I)
_COUNTS: Final = compile_later(r"多少|几|哪|有没有|\b(?:how many|which|any|list)\b", _I)
_DONE: Final = compile_later(
    r"(?:仿真|优化|调整|调|下发)(?:完|过|了)?(?:之后|以后|后|完)?.{0,4}(?:好|提升|改善|变|提高|差)了?(?:多少|没|吗|多)"
    r"|\b(?:got|get|become|became) (?:worse|better) (?:after|afterwards)"
    r"|\bafter(?:wards| the (?:simulation|optimi[sz]ation|changes))\b"
    r"|\bwould you (?:lower|raise|increase|reduce|change|turn)\b|\bwhat do you want to change\b",
    _I,
)
_SIMULATED: Final = compile_later(r"仿真|优化后|原值|新值|推荐|simulat|after|new value|recommend|will be", _I)
_MEAN: Final = compile_later(r"平均|均值|\b(?:mean|average)\b", _I)
_SHAPES: Final = (_SOURCE, _LEFT_OUT, _RULE, _BEFORE, _DONE)
_CLAUSES: Final = compile_later(r"[，,;；？?。]")
_MAX_WHY: Final = 40
_TWO: Final = 2


def has_remark_shape(text: str) -> bool:
    """Whether a message may ask about a report; whether there is one that answers it, only the results say."""
    said = to_simplified(text)
    return (
        any(one.search(said) for one in _SHAPES)
        or (_LIMITS.search(said) is not None and _GAP.search(said) is not None and not _MOVED.search(said))
        or (_WHY.search(said) is not None and len(said) <= _MAX_WHY)
        or (_WHY.search(said) is not None and _ROW.search(said) is not None)
        or (_BOTH.search(said) is not None and _COUNTS.search(said) is not None)
    )


def answer_remark(text: str, results: Results, language: Language) -> Answer | None:
    """The answer in the words and figures of the newest report; None if it says nothing about the question."""
    said = to_simplified(text.strip())
    return RemarkAnswers(said, results, language).write() if has_remark_shape(said) and results.tables else None


class RemarkAnswers:
    """Answers of one question about the newest report."""

    def __init__(self, text: str, results: Results, language: Language) -> None:
        self._text = text
        self._language: Language = language
        self._remarks = results.remarks
        newest = results.tables[0].said
        self._tables = [one for one in results.tables if one.said == newest]
        self._findings = [one for one in self._tables if re.search("[：:]", one.title)]
        self._causes = list_causes(self._tables)

    def write(self) -> Answer | None:
        writers: Sequence[Callable[[], Answer | None]] = (
            self._write_left_out,
            self._write_not_done,
            self._write_order,
            self._write_limit,
            self._write_source,
            self._write_rule,
            self._write_row,
            self._write_cause,
            self._write_both,
        )
        return next((answer for one in writers if (answer := one()) is not None), None)

    def _say(self, code: str, **values: object) -> str:
        return REMARK_SENTENCES.render(code, self._language, **values)

    def _finish(self, text: str, *, found: bool = True) -> Answer:
        return Answer(f"{text}\n\n{self._say('source', said=self._tables[0].said)}", found=found)

    def _quote(self, *remarks: Remark) -> str:
        return "\n".join(self._say("quoted", text=_write_remark(one)) for one in remarks)

    def _list_named(self) -> list[ResultTable]:
        """Findings that the text names, in its order."""
        placed = [(place, one) for one in self._findings if (place := self._find_place(one)) >= 0]
        return [one for _, one in sorted(placed, key=lambda one: one[0])]

    def _find_place(self, table: ResultTable) -> int:
        """Where the text names a finding: by its subject, or by what only this finding is about; −1 if it does not."""
        subject, lower = _subject_of(table), self._text.lower()
        if (at := lower.find(subject.lower())) >= 0:
            return at
        about = concepts_of(subject) - NOUNS
        same = [one for one in self._findings if concepts_of(_subject_of(one)) - NOUNS == about]
        if not about or len(same) > 1 or not about <= concepts_of(self._text):
            return -1
        return min(at for at, _ in enumerate(self._text) for name in about if _begins(name, self._text, at))

    def _write_source(self) -> Answer | None:
        told = [one for one in self._remarks if _OF_SOURCE.search(one.text)]
        return self._finish(self._quote(*told)) if _SOURCE.search(self._text) and told else None

    def _write_left_out(self) -> Answer | None:
        """What the report says of its own limits; that it says nothing of them otherwise."""
        if not _LEFT_OUT.search(self._text):
            return None
        told = [one for one in self._remarks if _OF_LIMITS.search(one.text)]
        return self._finish(self._quote(*told) if told else self._say("no_limits"), found=bool(told))

    def _write_rule(self) -> Answer | None:
        if not _RULE.search(self._text) and not (_LIMITS.search(self._text) and not _MOVED.search(self._text)):
            return None
        subjects = [_subject_of(one) for one in self._list_named()]
        if not subjects and re.search(r"\bweak\b", self._text, _I):
            subjects = [_subject_of(one) for one in self._findings if concepts_of(_subject_of(one)) == {"weak"}]
        told = [one for one in self._remarks if one.subject and one.subject in subjects[:1]]
        if len(told) != 1:
            return None
        return self._finish(self._say("rule", subject=told[0].subject, text=told[0].text))

    def _write_order(self) -> Answer | None:
        named = self._list_named()
        if not _BEFORE.search(self._text) or len(named) != _TWO:
            return None
        first, second = reversed(named) if _AFTER.search(self._text) else named
        told = {"first": _subject_of(first), "second": _subject_of(second)}
        if self._findings.index(first) > self._findings.index(second):
            return self._finish(self._say("order_reverse", **told))
        many, few = (len({str(row[0]) for row in one.rows}) for one in (first, second))
        if _kind_of(first) != _kind_of(second):
            text = self._say("order_kind", **told)
        else:
            text = self._say("order_other", many=many, few=few, **told)
        quoted = [one for one in self._remarks if one.subject in told.values()]
        return self._finish(f"{text}\n{self._quote(*quoted)}".strip())

    def _write_limit(self) -> Answer | None:
        """A value against the limit that the report states."""
        if not _LIMITS.search(self._text) or not _GAP.search(self._text) or _MOVED.search(self._text):
            return None
        stated, named = find_limit(self._text, self._remarks), self._find_row()
        if stated is None or (named is None and _ROW.search(self._text)):
            return None
        if named is None and not _MEAN.search(self._text):
            return self._finish(self._quote(stated.remark))
        found = self._find_value(named, stated.unit)
        if found is None:
            return None
        table, at, value = found
        column, limit = table.columns[at], with_unit(stated.limit, stated.unit)
        gap = value - stated.limit
        is_past = gap < 0 if stated.is_low else gap > 0
        unit = unit_of_differences(column, self._language)
        name = named or self._say("mean", rows=len(table.rows))
        told = {"name": name, "column": column.title, "value": with_unit(round(value, 2), column.unit), "limit": limit}
        text = self._say("over" if is_past else "within", gap=with_unit(round(abs(gap), 2), unit), **told)
        return self._finish(f"{text}\n{self._quote(stated.remark)}")

    def _find_value(self, name: str | None, unit: str) -> tuple[ResultTable, int, float] | None:
        """The value of the column that the text is about: of a row, or the mean of the table with the most rows."""
        said, ranked = concepts_of(self._text) - NOUNS, []
        for table in self._tables:
            for at in find_numeric_columns(table):
                head = table.columns[at]
                about = concepts_of(head.title) - NOUNS
                if not about & said or head.unit != unit or is_coordinate(head.title):
                    continue
                rows = [row[at] for row in table.rows if at < len(row) and name in (None, str(row[0]))]
                values = [float(one) for one in rows if isinstance(one, int | float)]
                if values and len({str(row[0]) for row in table.rows}) == len(table.rows):
                    ranked.append(((len(about & said) - len(about - said), len(table.rows)), table, at, fmean(values)))
        best = max(ranked, key=lambda one: one[0], default=None)
        return None if best is None else best[1:]

    def _find_row(self) -> str | None:
        """The row whose name, or the end of it, stands in the text."""
        codes = _ROW.findall(self._text)
        names = {str(row[0]) for table in self._tables for row in table.rows}
        found = [one for one in names if any(one == code or one.endswith(f"-{code}") for code in codes)]
        return found[0] if len(found) == 1 and len(codes) == 1 else None

    def _write_row(self) -> Answer | None:
        """Causes and symptoms of a row that is asked why about."""
        name = self._find_row()
        if not _WHY.search(self._text) or name is None or not self._causes or _BEFORE.search(self._text):
            return None
        lines = [
            self._say("not_in", name=name, finding=_subject_of(one))
            for one in self._list_named()
            if not any(str(row[0]) == name for row in one.rows)
        ]
        seen = [one for one in self._tables if one not in self._findings]
        lines += self._describe(name, seen)[:1]
        causes = self._describe(name, self._causes)
        symptoms = self._describe(name, [one for one in self._findings if one not in self._causes])
        code = "why_row" if causes else "why_none"
        lines.append(self._say(code, name=name, count=len(self._causes), causes=join_names(causes, self._language)))
        lines += [self._say("why_shown", symptoms=join_names(symptoms, self._language))] if symptoms else []
        return self._finish("\n".join(lines))

    def _write_cause(self) -> Answer | None:
        """What the report says of a cause that is asked why about; a second question is named as not answered."""
        named = [one for one in self._list_named() if one in self._causes]
        told = [one for one in self._remarks if named and one.subject == _subject_of(named[0])]
        if not _WHY.search(self._text) or _ROW.search(self._text) or len(named) != 1 or len(told) != 1:
            return None
        asked = [one.strip() for one in _CLAUSES.split(self._text) if one.strip() and not _WHY.search(one)]
        left = [self._say("not_told", clause=one) for one in asked]
        return self._finish("\n".join([self._quote(*told), self._say("no_more"), *left]))

    def _describe(self, name: str, findings: Sequence[ResultTable]) -> list[str]:
        told = []
        for one in findings:
            row = next((row for row in one.rows if str(row[0]) == name), None)
            if row is None:
                continue
            values = [
                f"{head.title} {with_unit(value, head.unit)}"
                for head, value in zip(one.columns[1:], row[1:], strict=False)
                if not is_coordinate(head.title) and isinstance(value, int | float)
            ]
            told.append(
                self._say("value", finding=_subject_of(one), values=join_names(values, self._language))
                if values
                else _subject_of(one)
            )
        return told

    def _write_both(self) -> Answer | None:
        named = self._list_named()
        if not _BOTH.search(self._text) or not _COUNTS.search(self._text) or len(named) != _TWO:
            return None
        if re.search(r"\d", self._text):
            return None
        held = [list(dict.fromkeys(str(row[0]) for row in one.rows)) for one in named]
        same = [one for one in held[0] if one in held[1]]
        told = {"first": _subject_of(named[0]), "second": _subject_of(named[1])}
        text = self._say("both", count=len(same), many=len(held[0]), few=len(held[1]), **told)
        return self._finish(f"{text}\n\n{join_names(same, self._language)}" if same else text)

    def _write_not_done(self) -> Answer | None:
        heads = [text for one in self._tables for text in (one.title, *(column.title for column in one.columns))]
        if not _DONE.search(self._text) or not self._causes or any(_SIMULATED.search(one) for one in heads):
            return None
        return self._finish(self._say("not_simulated"), found=False)


def _write_remark(remark: Remark) -> str:
    return f"{remark.subject}: {remark.text}" if remark.subject else remark.text


def _subject_of(table: ResultTable) -> str:
    return re.split("[：:]", strip_title(table.title))[-1].strip()


def _kind_of(table: ResultTable) -> str:
    return re.split("[：:]", table.title)[0]


def _begins(concept: str, text: str, at: int) -> bool:
    return CONCEPTS[concept].match(text, at) is not None
