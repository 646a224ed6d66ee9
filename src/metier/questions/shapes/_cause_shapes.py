"""Shapes of questions about the findings: how many rows have none or several, which comes first, all in short."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from metier.language import join_names
from metier.patterns import compile_later
from metier.questions._match import find_numeric_columns, is_coordinate
from metier.questions._results import Answer, ResultTable
from metier.questions.queries import concepts_of
from metier.questions.shapes._screen import ShownRows, measure_of, name_heading, names_of, subject_of

_I: Final = re.IGNORECASE
_FINE: Final = compile_later(
    r"(?:没有?(?:任何)?(?:问题|毛病)|没事|正常|健康)的?(?:小区)?(?:有)?|\b(?:are|is|look) (?:fine|ok(?:ay)?"
    r"|healthy|clean|normal|good)\b"
    r"|\b(?:healthy|problem-free|clean)\b",
    _I,
)
_NO_CAUSE: Final = compile_later(
    r"(?:没有?|无)(?:查|找|定位)?(?:出|到)?的?(?:任何)?(?:根因|原因)的?|\b(?:no|without (?:a|any)"
    r"|unknown) (?:root )?causes?\b",
    _I,
)
_SEVERAL: Final = compile_later(
    r"(?P<zh>[两二三3多2])[个种项]?(?:以上)?的?(?:根因|原因)|不止一[个种项]?(?:根因|原因)"
    r"|\b(?P<en>two|three|several|multiple|more than one|2|3)(?: or more)? (?:root )?causes\b|\bat (?:once"
    r"|the same time)\b|同时",
    _I,
)
_SECOND: Final = compile_later(
    r"(?:排名?)?第二(?:多|常见|大)?的?(?=根因|原因)|(?:根因|原因).{0,4}第二(?:多|常见|大)?"
    r"|\bsecond(?:[- ]most)?[- ](?:common|frequent|biggest|largest)\b"
    r"|(?:和|跟|比|与)?第一(?:名|个)?(?:差|少)(?:了)?(?:多少|几个)|\bhow far behind(?: the first)?\b|\bgap\b"
    r"|\bto the first\b",
    _I,
)
_SUMMARY: Final = compile_later(
    r"[一两二三1-3几](?:两|三)?句话?(?:总结|概括|说清楚?|说完)?|总结(?:一下|下)|概括(?:一下|下)|(?:给|跟"
    r"|向)(?:老板|领导|经理)(?:看|汇报|说)?|别用(?:术语|行话)|说人话"
    r"|\b(?:one|two|three|a few|a couple of|\d) sentences?\b|\bfor (?:my|the) (?:boss|manager|director)\b"
    r"|\b(?:no|without) jargon\b"
    r"|\bin (?:short|a nutshell|plain (?:words|english))\b|\bsum (?:it|this|that) up\b|\bsummar(?:y"
    r"|i[sz]e)(?: (?:it|this|that))?\b|\btl;?dr\b",
    _I,
)
_FIRST: Final = compile_later(
    r"(?:最?先|优先)(?:该|应该)?(?:修|处理|解决|搞|弄|改|治)(?:哪一?[个些项类]?|什么|谁)|最(?:划算|值得|要紧"
    r"|紧急|急)的?(?:是)?"
    r"|\b(?:what|which(?: one| cause)?) (?:should|do|would) (?:i|we|you) (?:fix|tackle|do|repair|handle)(?: first)?\b"
    r"|\bwhich (?:cells?|sites?|ones?) (?:should|do|would) (?:i|we|you) (?:send (?:a |the |our )?"
    r"(?:crews?|teams?|engineers?|people) to|visit|go to|fix|tackle|start with)(?: first)?\b"
    r"|先(?:派(?:人|队)|去)(?:修|看|处理|查)?(?:哪一?[个些]?(?:小区|站点?|基站)?)"
    r"|\bwhere (?:should|do) (?:i|we) (?:start|begin)\b|\bon fire\b|\bcan i go home\b|\bmost urgent\b",
    _I,
)
_RATHER: Final = compile_later(
    r"还是|哪[个种一]更?多|谁多|多多少|差多少|为主|主要|\bor\b|\bmostly\b|\bmainly\b|\bmore\b|\bby how many\b"
    r"|\bonly\b|\ba problem\b|只是|有没有问题",
    _I,
)
_WORDS_OF: Final = (
    ("weak", compile_later(r"弱?覆盖(?:问题)?|信号|\b(?:weak )?coverage\b|\bsignal\b", _I)),
    ("overload", compile_later(r"容量(?:问题)?|高?负荷|负载|\bcapacity\b|\b(?:over)?load\b|\bcongestion\b", _I)),
    ("interference", compile_later(r"干扰(?:问题)?|\binterference\b", _I)),
)
_EVIDENCE: Final = compile_later(
    r"凭(?:什么|啥)(?:说|判断?|认定)?|(?:有什么|有啥|的)?(?:依据|证据)(?:是什么|呢)?|怎么判(?:断"
    r"|定)?(?:出来)?的?|多大把握|有把握吗|靠得住吗"
    r"|\bhow (?:sure|certain|confident)\b|\bevidence\b|\bon what basis\b|\bbased on what\b|\bhow do you know\b",
    _I,
)
_ONLY: Final = compile_later(r"只[看要留显列](?:示|出)?|\bonly\b", _I)
_TABLE: Final = compile_later(r"表|\btables?\b|\blist\b", _I)
_TIME: Final = compile_later(
    r"(?:数据|结果).{0,6}(?:什么时候|哪天|几号|哪一?天|何时)|昨天.{0,6}今天|今天.{0,6}昨天|\bwhen (?:was"
    r"|were)\b.{1,30}\b(?:recorded|measured|collected|taken)\b"
    r"|\byesterday\b",
    _I,
)
_SITE: Final = compile_later(r"(?:哪个?|一个|同一?个?)(?:基站|站点|站)|\bwhich sites?\b|\bone site\b|\bsame site\b", _I)
_TIMED: Final = compile_later(r"时间|日期|\btime\b|\bdate\b|\bday\b|小时|\bhour\b", _I)
_GAPS: Final = compile_later(
    r"缺(?:数据|值|失|数)|数据(?:全不全|完整吗|齐吗)|\b(?:missing|incomplete) (?:data|values?)\b"
    r"|\bdata (?:complete|missing)\b",
    _I,
)
_TOTAL: Final = compile_later(
    r"\bhow many cells (?:did you|were|have you|are)\b.{0,24}\b(?:total|look(?:ed)?|check(?:ed)?|examined?"
    r"|in all)\b|(?:一共|总共)(?:看|查|算)了?多少个?小区",
    _I,
)
_BY_CAUSE: Final = compile_later(
    r"按(?:根因|原因)(?:来)?分?(?:个|成|一下)?(?:组|类)?|各(?:个|种|类)?(?:根因|原因)|每[组类种个](?:根因"
    r"|原因)?|算出来|算一?下|\b(?:by|per|for each) (?:root )?cause\b",
    _I,
)
_MEAN: Final = compile_later(r"平均值?(?:的)?|均值|\b(?:mean|average)\b", _I)

CAUSE_PATTERNS: Final = (
    *(_FINE, _NO_CAUSE, _SEVERAL, _SECOND, _SUMMARY, _FIRST, _EVIDENCE, _TIME, _GAPS, _TOTAL, _BY_CAUSE, _SITE),
)
_MAX_NAMED: Final = 3
_TWO: Final = 2


def has_cause_shape(text: str) -> bool:
    """Whether a text has the shape of a question about findings."""
    is_choice = len([1 for _, word in _WORDS_OF if word.search(text)]) == _TWO and _RATHER.search(text) is not None
    is_part = _ONLY.search(text) is not None and _TABLE.search(text) is not None
    return is_choice or is_part or any(one.search(text) for one in CAUSE_PATTERNS)


class CauseShapes:
    """Answers of questions about the findings of an analysis."""

    def __init__(self, screen: ShownRows, tables: Sequence[ResultTable]) -> None:
        self._screen = screen
        self._text = screen.text
        self._tables = tables

    def write(self) -> Answer | None:
        writers: Sequence[Callable[[], Answer | None]] = (self._write_gaps, self._write_time, self._write_site)
        if self._screen.causes and self._screen.find_base() is not None:
            writers = (
                *writers,
                self._write_no_cause,
                self._write_several,
                self._write_second,
                self._write_grouped,
                self._write_rather,
                self._write_evidence,
                self._write_only,
                self._write_summary,
                self._write_fine,
                self._write_total,
            )
        return next((answer for writer in writers if (answer := writer()) is not None), None)

    def _rows(self) -> ResultTable:
        base = self._screen.find_base()
        return self._tables[0] if base is None else base

    def _count_by_name(self) -> dict[str, list[str]]:
        """Causes of each row that has one."""
        made: dict[str, list[str]] = {}
        for cause in self._screen.causes:
            for name in dict.fromkeys(names_of(cause)):
                made.setdefault(name, []).append(subject_of(cause))
        return made

    def _rank(self) -> list[tuple[str, int]]:
        counted = [(subject_of(one), len(set(names_of(one)))) for one in self._screen.causes]
        return sorted(counted, key=lambda one: -one[1])

    def _write_fine(self) -> Answer | None:
        if not _FINE.search(self._text) or not self._screen.is_plain(_FINE):
            return None
        base = self._rows()
        held = {name for one in self._screen.findings for name in names_of(one)}
        shown = _keep(base, [name for name in names_of(base) if name not in held])
        told = {"count": len(shown.rows), "total": len(base.rows), "findings": len(self._screen.findings)}
        return self._screen.finish(self._screen.say("fine", **told), base, *self._screen.findings, shown=shown)

    def _write_no_cause(self) -> Answer | None:
        if not _NO_CAUSE.search(self._text) or not self._screen.is_plain(_NO_CAUSE, _COUNTED):
            return None
        base, held = self._rows(), self._count_by_name()
        shown = _keep(base, [name for name in names_of(base) if name not in held])
        symptoms = {name for one in self._screen.findings for name in names_of(one)} - set(held)
        told = {"count": len(shown.rows), "total": len(base.rows), "causes": len(self._screen.causes)}
        symptoms &= set(names_of(base))
        text = self._screen.say("no_cause", symptoms=len(symptoms), **told)
        return self._screen.finish(text, base, *self._screen.causes, shown=shown)

    def _write_several(self) -> Answer | None:
        asked = _SEVERAL.search(self._text)
        is_of_causes = re.search(r"根因|原因|\bcauses?\b", self._text, _I)
        if asked is None or not is_of_causes or not self._screen.is_plain(_SEVERAL, _COUNTED):
            return None
        least = 3 if (asked["zh"] or asked["en"] or "") in ("三", "3", "three") else _TWO
        many = sorted(
            ((name, found) for name, found in self._count_by_name().items() if len(found) >= least),
            key=lambda one: -len(one[1]),
        )
        head = self._screen.say("several", count=len(many), total=len(self._rows().rows), least=least)
        rows = [(name, join_names(found, self._screen.language)) for name, found in many]
        listed = self._screen.list_rows((name_heading(self._rows()), self._screen.say("causes")), rows) if rows else ""
        return self._screen.finish(f"{head}\n\n{listed}".strip(), *self._screen.causes)

    def _write_second(self) -> Answer | None:
        ranked = self._rank()
        is_of_causes = re.search(r"根因|原因|\bcauses?\b", self._text, _I)
        if not is_of_causes or not re.search("第二|second", self._text, _I) or len(ranked) < _TWO:
            return None
        if not _SECOND.search(self._text) or not self._screen.is_plain(_SECOND):
            return None
        (first, most), (second, count) = ranked[:_TWO]
        text = self._screen.say("second", first=first, most=most, second=second, count=count, gap=most - count)
        return self._screen.finish(text, *self._screen.causes)

    def _write_grouped(self) -> Answer | None:
        """Mean of a column for the rows of each cause."""
        if not _BY_CAUSE.search(self._text) or not _MEAN.search(self._text):
            return None
        found = self._screen.find_measures(_MEAN.sub(" ", self._text))
        if found is None:
            return self._screen.decline()
        if len(found) != 1 or not self._screen.is_plain(_BY_CAUSE, _MEAN):
            return None
        measure, rows = found[0], []
        for cause in self._screen.causes:
            names = dict.fromkeys(names_of(cause))
            values = [measure.values[name] for name in names if name in measure.values]
            mean = round(fmean(values), 2) if values else None
            rows.append((subject_of(cause), len(names), len(values), mean))
        heads = ("cause", "number", "have_it")
        titles = (*(self._screen.say(one) for one in heads), f"{self._screen.say('mean')} {measure.column.heading}")
        head = self._screen.say("grouped", column=measure.column.title)
        text = f"{head}\n\n{self._screen.list_rows(titles, rows)}{self._screen.note_part(measure)}"
        return self._screen.finish(
            text, measure.table, *(one for one in self._screen.causes if one is not measure.table)
        )

    def _write_rather(self) -> Answer | None:
        """Which of two findings has more rows."""
        named = [(name, word) for name, word in _WORDS_OF if word.search(self._text)]
        if len(named) != _TWO or not _RATHER.search(self._text):
            return None
        if not self._screen.is_plain(_RATHER, *(word for _, word in named)):
            return None
        found = [self._screen.find_about(name) for name, _ in named]
        tables = [one for one in found if one is not None]
        if len(tables) != _TWO:
            return None
        counted = sorted(((subject_of(one), len(set(names_of(one)))) for one in tables), key=lambda one: -one[1])
        (first, most), (second, count) = counted
        text = self._screen.say("pair", first=first, most=most, second=second, count=count, gap=most - count)
        rest = self._screen.say("mostly", first=first) if most > count else self._screen.say("equal")
        return self._screen.finish(f"{text} {rest}", *tables)

    def _write_evidence(self) -> Answer | None:
        named = self._screen.find_named(self._text)
        if not _EVIDENCE.search(self._text) or len(named) != 1 or re.search(r"\d", self._text):
            return None
        table = named[0]
        ranges = []
        for at in find_numeric_columns(table):
            measure = measure_of(table, at)
            if not is_coordinate(measure.column.title) and measure.values:
                low, high = (measure.write(one) for one in (min(measure.values.values()), max(measure.values.values())))
                ranges.append(self._screen.say("between", column=measure.column.title, low=low, high=high))
        told = {"count": len(set(names_of(table))), "total": len(self._rows().rows)}
        values = join_names(ranges, self._screen.language)
        text = self._screen.say("rests_on", finding=subject_of(table), values=values, **told)
        return self._screen.finish(f"{text} {self._screen.say('no_confidence')}", table, shown=table)

    def _write_only(self) -> Answer | None:
        named = self._screen.find_named(self._text)
        if not _ONLY.search(self._text) or not _TABLE.search(self._text) or len(named) != 1:
            return None
        rest = re.compile("|".join(re.escape(one) for one in (subject_of(named[0]), "but")), _I)
        if not self._screen.is_plain(_ONLY, _TABLE, rest, *(word for _, word in _WORDS_OF)):
            return None
        told = {"finding": subject_of(named[0]), "count": len(named[0].rows)}
        return self._screen.finish(self._screen.say("rows_of", **told), named[0], shown=named[0])

    def _write_summary(self) -> Answer | None:
        asks_first = _FIRST.search(self._text) is not None
        if not (asks_first or _SUMMARY.search(self._text)) or not self._screen.is_plain(_SUMMARY, _FIRST):
            return None
        if self._screen.find_measures(self._text) != ():
            return None
        say, ranked = self._screen.say, self._rank()
        told = [say("counted", name=name, count=count) for name, count in ranked[:_MAX_NAMED]]
        causes = join_names(told, self._screen.language)
        total = len(self._rows().rows)
        lines = [say("summary", count=len(self._count_by_name()), total=total, causes=causes)]
        first = self._screen.causes[0]
        count = len(set(names_of(first)))
        lines.append(say("first", first=subject_of(first), count=count, name=str(first.rows[0][0])))
        lines = [*reversed(lines), say("no_costs")] if asks_first else lines
        return self._screen.finish("\n".join(lines), self._rows(), *self._screen.causes)

    def _write_time(self) -> Answer | None:
        heads = (one.title for table in self._tables for one in table.columns)
        if not _TIME.search(self._text) or any(_TIMED.search(one) for one in heads):
            return None
        return replace(self._screen.finish(self._screen.say("no_time"), self._tables[0]), found=False)

    def _write_site(self) -> Answer | None:
        heads = (one.title for table in self._tables for one in table.columns)
        if not self._screen.causes or not _SITE.search(self._text) or any("site" in concepts_of(one) for one in heads):
            return None
        return replace(self._screen.finish(self._screen.say("no_site"), self._tables[0]), found=False)

    def _write_gaps(self) -> Answer | None:
        if not _GAPS.search(self._text) or self._screen.find_measures(self._text):
            return None
        empty: dict[str, int] = {}
        cells = 0
        for table in self._tables:
            for at, head in enumerate(table.columns):
                cells += len(table.rows)
                count = sum(at >= len(row) or row[at] is None or row[at] == "" for row in table.rows)
                if count:
                    empty[head.title] = empty.get(head.title, 0) + count
        told = {"cells": cells, "tables": len(self._tables)}
        listed = [self._screen.say("counted", name=name, count=count) for name, count in empty.items()]
        columns = join_names(listed, self._screen.language)
        code = "gaps" if empty else "no_gaps"
        text = self._screen.say(code, count=sum(empty.values()), columns=columns, **told)
        return self._screen.finish(text, *self._tables)

    def _write_total(self) -> Answer | None:
        if not _TOTAL.search(self._text) or not self._screen.is_plain(_TOTAL, _COUNTED):
            return None
        return self._screen.finish(self._screen.say("total", rows=len(self._rows().rows)), self._rows())


_COUNTED: Final = compile_later(r"(?:有|一共|总共)?(?:几个|多少个?)(?:小区)?|\bhow many\b|\bin total\b|\bat once\b", _I)


def _keep(table: ResultTable, names: Sequence[str]) -> ResultTable:
    kept = set(names)
    rows = tuple(row for row in table.rows if str(row[0]) in kept)
    return replace(table, rows=rows, total=len(rows))
