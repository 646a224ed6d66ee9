"""Shapes of questions about the values of all rows."""

import math
import re
from statistics import StatisticsError, correlation, fmean, pstdev
from typing import Final

from metier.json_values import JsonValue
from metier.patterns import compile_later
from metier.questions._drafts import unit_of_differences, with_unit
from metier.questions._match import find_numeric_columns, is_coordinate, is_high_bad
from metier.questions._numbers import find_rows
from metier.questions._results import Answer
from metier.questions.shapes._screen import ShownMeasure, ShownRows, measure_of, name_heading, subject_of

_I: Final = re.IGNORECASE
_NUM: Final = r"-?\d+(?:\.\d+)?"
_UNIT: Final = r"\s*(?:dBm|dB|%|°|Mbps)?\s*"
_OUTLIERS: Final = compile_later(r"离群(?:点|值|的)?|异常[点值]|\boutliers?\b", _I)
_BANDS: Final = compile_later(
    rf"(?P<low>{_NUM}){_UNIT}(?:到|至|~|～|\bto\b)\s*(?P<high>{_NUM}){_UNIT}"
    rf"|(?P<above>{_NUM}){_UNIT}(?:以上|\b(?:and|or) (?:above|more|better|higher)\b)"
    rf"|(?P<below>{_NUM}){_UNIT}(?:以下|\b(?:and|or) (?:below|less|worse|lower)\b)"
    rf"|(?:高于|大于|超过|\babove|\bover)\s*(?P<over>{_NUM}){_UNIT}|(?:低于|小于|\bbelow"
    rf"|\bunder)\s*(?P<under>{_NUM}){_UNIT}",
    _I,
)
_SPLIT: Final = compile_later(
    r"(?:分成?|划分?)(?:为|成)?[一二两三四五六七八九\d]*[档段级组]|数一?数|[三四五\d]档"
    r"|\b(?:split|bands?|buckets?|bins?|tiers?|brackets?|into (?:two|three|four|five|\d))\b|\b(?:two|three"
    r"|four|five|\d)(?= bands)",
    _I,
)
_PART: Final = compile_later(
    r"(?P<side>最[高低好差]的?|前|后|top|bottom|best|worst|highest|lowest)\s*(?P<share>(?:的)?四分之一"
    r"|三分之一|\d+\s*%|quarter|third|half|decile)"
    r"(?:\s*of (?:them|the (?:cells|rows)))?",
    _I,
)
_SHARES: Final = (
    ("四分之一", 0.25),
    ("三分之一", 1 / 3),
    ("quarter", 0.25),
    ("third", 1 / 3),
    ("half", 0.5),
    ("decile", 0.1),
)
_PERCENTILE: Final = compile_later(
    r"(?P<a>\d{1,2})(?:st|nd|rd|th)?[- ]percentile|第?\s*(?P<b>\d{1,2})\s*%?\s*(?:百?分位)(?:数|点|值)?"
    r"|\bp(?P<c>\d{1,2})\b(?:值|分位数?)?",
    _I,
)
_CORRELATION: Final = compile_later(
    r"(?:有没有|有|是不是|是否)?相关(?:性|系数|度)?(?:大不大|高不高|强不强|怎么样)?|有没?有?关系"
    r"|\bcorrelat(?:ed?|ion|es)\b(?: between)?|\brelated\b"
    r"|\brelationship between\b",
    _I,
)
_BEST_WORST: Final = compile_later(
    r"最好.{0,6}最差的?|最差.{0,6}最好的?|\bbest\b.{0,16}\bworst\b|\bworst\b.{0,16}\bbest\b", _I
)
_BESIDE: Final = compile_later(
    r"(?:放一?起|并排|对比|比较|比一?比|比一下|所有列|每一?列|全部列)|\bside by side\b|\bcompare\b"
    r"|\ball (?:the )?columns\b|\bevery column\b",
    _I,
)
_DETAIL: Final = compile_later(
    r"(?:再|多|详细|仔细)?(?:细说|说细|说说|讲讲|展开)(?:说?说|一下|讲)?|详细(?:情况|信息|点)?"
    r"|\b(?:more|details?)\b.{0,8}\b(?:on|about|of)\b|\bwhy (?:is|was)\b(?=.{1,24}\b(?:flagged|marked|listed)\b)",
    _I,
)
_MOVED: Final = compile_later(rf"(?:门限|阈值|标准|\bthreshold|\bcut-?off|\blimit)[^\d-]{{0,14}}(?P<limit>{_NUM})", _I)
_IF: Final = compile_later(
    r"如果|假如|要是|换成|改成|放宽|收紧|降到|提到|\bif\b|\bwhat about\b|\bwith (?:a|the)\b|\bdropp?(?:ed)?\b", _I
)
_STRONG: Final = 0.7
_MEDIUM: Final = 0.3
_MIN_PAIRS: Final = 3
_FAR: Final = 3.0
_MIN_BANDS: Final = 2

ROW_PATTERNS: Final = (_OUTLIERS, _PART, _PERCENTILE, _CORRELATION)


def has_row_shape(text: str) -> bool:
    """Whether a text has the shape of a question about all rows."""
    return (
        any(one.search(text) for one in ROW_PATTERNS)
        or (_SPLIT.search(text) is not None and len(_BANDS.findall(text)) >= _MIN_BANDS)
        or (_BEST_WORST.search(text) is not None and _BESIDE.search(text) is not None)
        or (_DETAIL.search(text) is not None and bool(find_rows(text)))
        or (_MOVED.search(text) is not None and _IF.search(text) is not None)
    )


class RowShapes:
    """Answers of questions about the values of all rows."""

    def __init__(self, screen: ShownRows) -> None:
        self._screen = screen
        self._text = screen.text

    def write(self) -> Answer | None:
        writers = (
            self._write_bands,
            self._write_outliers,
            self._write_part,
            self._write_percentile,
            self._write_correlation,
            self._write_best_and_worst,
            self._write_row,
            self._write_moved,
        )
        return next((answer for writer in writers if (answer := writer()) is not None), None)

    def _find_one(self, *shapes: re.Pattern[str]) -> ShownMeasure | Answer | None:
        """The only column that is named beside the shape; an answer if no table has it; None for another question."""
        found = self._screen.find_measures(self._text)
        if found is None:
            return self._screen.decline()
        return found[0] if len(found) == 1 and self._screen.is_plain(*shapes) else None

    def _write_outliers(self) -> Answer | None:
        if not _OUTLIERS.search(self._text):
            return None
        measure = self._find_one(_OUTLIERS)
        if not isinstance(measure, ShownMeasure):
            return measure
        middle, spread = fmean(measure.values.values()), pstdev(measure.values.values())
        if not spread:
            return None
        ranked = sorted(measure.values.items(), key=lambda one: -abs(one[1] - middle))
        far = [one for one in ranked if abs(one[1] - middle) > _FAR * spread]
        told: dict[str, object] = {"mean": measure.write(middle), "rows": len(ranked)}
        told["spread"] = with_unit(round(spread, 2), unit_of_differences(measure.column, self._screen.language))
        lines = [self._screen.say("outliers", column=measure.column.title, count=len(far), **told)]
        if far:
            lines += ["", self._screen.list_rows((name_heading(measure.table), measure.column.heading), far)]
        else:
            name, value = ranked[0]
            times = f"{abs(value - middle) / spread:.1f}"
            lines.append(self._screen.say("farthest", name=name, value=measure.write(value), times=times))
        return self._finish("\n".join(lines), measure)

    def _write_bands(self) -> Answer | None:
        bands = list(_BANDS.finditer(self._text))
        if len(bands) < _MIN_BANDS or not _SPLIT.search(self._text):
            return None
        measure = self._find_one(_BANDS, _SPLIT)
        if not isinstance(measure, ShownMeasure):
            return measure
        counts = [0] * (len(bands) + 1)
        for value in measure.values.values():
            counts[next((at for at, one in enumerate(bands) if _is_within(value, one)), len(bands))] += 1
        names = [one[0].strip() for one in bands]
        rows = list(zip([*names, self._screen.say("in_no_band")], counts, strict=True))
        rows = rows if counts[-1] else rows[:-1]
        head = self._screen.say("bands", column=measure.column.title, rows=len(measure.values))
        table = self._screen.list_rows((self._screen.say("band"), self._screen.say("number")), rows)
        return self._finish(f"{head}\n\n{table}\n\n{self._screen.say('edges')}", measure)

    def _write_part(self) -> Answer | None:
        part = _PART.search(self._text)
        if part is None:
            return None
        measure = self._find_one(_PART)
        if not isinstance(measure, ShownMeasure):
            return measure
        share = next((worth for word, worth in _SHARES if word in part["share"].lower()), 0.0)
        share = share or float(re.sub(r"\D", "", part["share"])) / 100
        side, is_bad = part["side"].lower(), is_high_bad(measure.column.title)
        is_low = side in ("后", "bottom", "lowest") or "低" in side
        is_low = (
            is_low
            or (("差" in side or side == "worst") and not is_bad)
            or (("好" in side or side == "best") and is_bad)
        )
        ranked = sorted(measure.values.items(), key=lambda one: one[1] if is_low else -one[1])
        count = max(1, math.ceil(len(ranked) * share))
        order = self._screen.say("ascending" if is_low else "descending")
        told = {"count": count, "rows": len(ranked), "share": f"{100 * share:.0f}"}
        head = self._screen.say("part", column=measure.column.title, order=order, **told)
        heads = (name_heading(measure.table), measure.column.heading)
        return self._finish(f"{head}\n\n{self._screen.list_rows(heads, ranked[:count])}", measure)

    def _write_percentile(self) -> Answer | None:
        asked = _PERCENTILE.search(self._text)
        if asked is None:
            return None
        measure = self._find_one(_PERCENTILE)
        if not isinstance(measure, ShownMeasure):
            return measure
        share = int(asked["a"] or asked["b"] or asked["c"])
        values = sorted(measure.values.values())
        place = (len(values) - 1) * share / 100
        low = math.floor(place)
        high = min(low + 1, len(values) - 1)
        value = values[low] + (values[high] - values[low]) * (place - low)
        told = {"rows": len(values), "share": share, "value": measure.write(value)}
        return self._finish(self._screen.say("percentile", column=measure.column.title, **told), measure)

    def _write_correlation(self) -> Answer | None:
        if not _CORRELATION.search(self._text):
            return None
        found = self._screen.find_measures(self._text)
        if found is None:
            return self._screen.decline()
        if len(found) != 2 or not self._screen.is_plain(_CORRELATION):
            return None
        first, second = found
        names = [name for name in first.values if name in second.values]
        told = {"first": first.column.title, "second": second.column.title, "rows": len(names)}
        tables = (first.table,) if first.table is second.table else (first.table, second.table)
        try:
            value = correlation([first.values[one] for one in names], [second.values[one] for one in names])
        except StatisticsError:
            return self._screen.finish(self._screen.say("too_few", **told), *tables)
        if len(names) < _MIN_PAIRS:
            return self._screen.finish(self._screen.say("too_few", **told), *tables)
        reading = self._screen.say(_name_correlation(value))
        text = self._screen.say("correlation", value=f"{value:.2f}", reading=reading, **told)
        return self._screen.finish(text, *tables)

    def _write_best_and_worst(self) -> Answer | None:
        base, found = self._screen.find_base(), self._screen.find_measures(self._text)
        if base is None or not _BEST_WORST.search(self._text) or not _BESIDE.search(self._text):
            return None
        if not found and not self._screen.is_plain(_BEST_WORST, _BESIDE):
            return None
        at = next((at for at in find_numeric_columns(base) if not is_coordinate(base.columns[at].title)), 0)
        measure = found[0] if found else measure_of(base, at)
        if not measure.values or (found and not self._screen.is_plain(_BEST_WORST, _BESIDE)):
            return None
        ranked = sorted(measure.values, key=lambda name: measure.values[name])
        worst, best = (ranked[-1], ranked[0]) if is_high_bad(measure.column.title) else (ranked[0], ranked[-1])
        rows = [
            (one.heading, *(_cell_of(measure, name, place) for name in (best, worst)))
            for place, one in enumerate(measure.table.columns)
            if place
        ]
        found_in = [", ".join(self._list_found(name)) or None for name in (best, worst)]
        rows.append((self._screen.say("found_in"), *found_in))
        heads = (
            self._screen.say("indicator"),
            self._screen.say("best", name=best),
            self._screen.say("worst", name=worst),
        )
        text = f"{self._screen.say('best_worst', column=measure.column.title)}\n\n{self._screen.list_rows(heads, rows)}"
        return self._finish(text, measure)

    def _write_row(self) -> Answer | None:
        base, numbers = self._screen.find_base(), find_rows(self._text)
        if base is None or len(numbers) != 1 or not _DETAIL.search(self._text):
            return None
        at = numbers[0] - 1 if numbers[0] > 0 else len(base.rows) + numbers[0]
        if not 0 <= at < len(base.rows):
            return None
        name = str(base.rows[at][0])
        told = {"number": at + 1, "title": base.title, "name": name}
        lines = [self._screen.say("row", values=self._screen.write_values(base, base.rows[at]), **told), ""]
        held = [(one, row) for one in self._screen.findings for row in one.rows if str(row[0]) == name]
        lines += [
            self._screen.say("in_finding", finding=one.title, values=self._screen.write_values(one, row))
            for one, row in held
        ]
        lines += [] if held else [self._screen.say("in_none")]
        tables = dict.fromkeys([id(base), *(id(one) for one, _ in held)])
        known = {id(one): one for one in (base, *self._screen.findings)}
        return self._screen.finish("\n".join(lines), *(known[one] for one in tables))

    def _write_moved(self) -> Answer | None:
        """A threshold that is moved: what the column says, and that the finding has a rule of its own."""
        moved, base = _MOVED.search(self._text), self._screen.find_base()
        if moved is None or base is None or not _IF.search(self._text):
            return None
        limit = float(moved["limit"])
        found = self._screen.find_measures(self._text)
        if not found:
            columns = [measure_of(base, at) for at in find_numeric_columns(base)]
            found = tuple(one for one in columns if limit < 0 and one.values and max(one.values.values()) < 0)
        if len(found) != 1 or not self._screen.is_plain(_MOVED, _IF):
            return None
        measure = found[0]
        count = sum(value < limit for value in measure.values.values())
        told = {"rows": len(measure.values), "limit": measure.write(limit), "column": measure.column.title}
        lines = [self._screen.say("moved", count=count, **told)]
        same = [
            one
            for one in self._screen.findings
            if one not in self._screen.causes and any(head.title == measure.column.title for head in one.columns)
        ]
        lines += [
            self._screen.say("moved_finding", finding=subject_of(one), now=len({str(row[0]) for row in one.rows}))
            for one in same[:1]
        ]
        return self._finish("\n".join(lines), measure)

    def _list_found(self, name: str) -> list[str]:
        return [subject_of(one) for one in self._screen.findings if any(str(row[0]) == name for row in one.rows)]

    def _finish(self, text: str, measure: ShownMeasure) -> Answer:
        return self._screen.finish(f"{text}{self._screen.note_part(measure)}", measure.table)


def _is_within(value: float, band: re.Match[str]) -> bool:
    if band["low"]:
        low, high = sorted((float(band["low"]), float(band["high"])))
        return low <= value <= high
    if band["above"] or band["over"]:
        return value >= float(band["above"]) if band["above"] else value > float(band["over"])
    return value < float(band["below"] or band["under"])


def _cell_of(measure: ShownMeasure, name: str, at: int) -> JsonValue:
    return next((row[at] for row in measure.table.rows if str(row[0]) == name and at < len(row)), None)


def _name_correlation(value: float) -> str:
    """Code of the sentence for how strong a correlation is, and which way it goes."""
    if abs(value) < _MEDIUM:
        return "uncorrelated"
    if abs(value) < _STRONG:
        return "medium_up" if value > 0 else "medium_down"
    return "strong_up" if value > 0 else "strong_down"
