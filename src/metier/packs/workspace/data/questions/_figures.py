"""Answers about the measure of a question; each kind allows only the words that it uses."""

import operator
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.language import join_names
from metier.packs.workspace.data.questions._rows import DataRows, show_figure
from metier.visible_text import write_markdown_table

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.workspace.data.questions._query import DataQuery

_NAMES: Final = frozenset(
    {"column", "role", "level", "span", "derived", "stat", "which", "ask", "and", "each", "period"}
)
_COMPARES: Final = frozenset({"gap", "than", "tall"})
_SIGNS: Final = MappingProxyType({"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge})
_MAX_LISTED: Final = 20
_MAX_COMPARED: Final = 6


class FigureAnswers:
    """Answers about the measure: values, ranks, comparisons, shares, limits."""

    def __init__(self, query: "DataQuery", rows: DataRows, language: "Language") -> None:
        self._query = query
        self._rows = rows
        self._language: Language = language
        is_plain = query.values_of("stat") in ([], ["sum"])
        is_counted = query.find("rows") is not None and not self._has_measure() and is_plain
        query.counts = query.counts or (is_counted and not query.bounds)

    def write(self) -> str:
        writers: Sequence[Callable[[], str]] = (
            self._write_fitting,
            self._write_fitting_rows,
            self._write_distinct,
            self._write_typical,
            self._write_loss,
            self._write_share,
            self._write_compared,
            self._write_rank,
            self._write_largest,
            self._write_listed,
            self._write_value,
        )
        stats = self._query.values_of("stat")
        if ("median" in stats and self._query.derived) or ("mean" in stats and self._query.derived == "profit"):
            writers = (self._write_typical,)  # no other writer takes the mean or the median of what is derived
        return next((text for one in writers if (text := one())), "")

    def _has_measure(self) -> bool:
        roles = ("money", "pieces", "cost")
        return any(
            one.kind in ("derived", "loss")
            or (one.kind == "column" and one.column is not None and one.column.kind == "number")
            or (one.kind == "role" and one.value in roles)
            for one in self._query.tokens
        )

    def _allows(self, *kinds: str) -> bool:
        """Whether the question has only words that this kind of answer uses; a measure taken away counts as used."""
        query = self._query
        taken = {"not"} if query.find("not") and self._has_taken() else set[str]()
        taken |= {"drop"} if query.excluded else set()
        rows = {"rows", "count"} if query.counts or query.values_of("stat") == ["mean"] else set[str]()
        rows |= {"count"} if query.sums_pieces else set()
        return query.kinds <= _NAMES | taken | rows | set(kinds) and len(query.values_of("stat")) <= 1

    def _has_taken(self) -> bool:
        tokens = self._query.tokens
        pairs = pairwise(tokens)
        return any(one.kind == "not" and other.kind in ("role", "column") for one, other in pairs)

    def _group(self) -> tuple[str, str]:
        return (self._query.by.name if self._query.by else "", self._query.period)

    def _name_group(self) -> str:
        by, period = self._group()
        codes = {"M": "group_M", "Q": "group_Q", "W": "group_W", "D": "group_D"}
        return by or self._rows.say(codes[period])

    def _write_fitting(self) -> str:
        """Groups whose value is on one side of a limit."""
        query, (by, period) = self._query, self._group()
        asks = query.kinds & {"which", "count", "howmany"}
        if len(query.bounds) != 1 or not (by or period) or not asks or not self._allows("bound", "howmany", "count"):
            return ""
        (sign, limit), made = query.bounds[0], self._rows.group(self._rows.select(), by, period)
        kept = [one for one in made if _SIGNS[sign](one[1], limit)]
        told = {"measure": self._rows.measure, "sign": sign, "limit": self._rows.write(limit)}
        head = self._rows.say("fitting", count=len(kept), all=len(made), group=self._name_group(), **told)
        return f"{head}\n\n{self._list(kept)}" if kept else head

    def _write_fitting_rows(self) -> str:
        """Rows whose value is on one side of a limit."""
        query, (by, period) = self._query, self._group()
        allowed = self._allows("bound", "rows", "count", "howmany", "whether")
        if len(query.bounds) != 1 or by or period or not query.find("rows") or not allowed or query.measure is None:
            return ""
        if query.derived or query.values_of("stat"):
            return ""
        (sign, limit), frame = query.bounds[0], self._rows.select()
        values = frame[query.measure.name].dropna()
        kept = values[values.map(lambda one: _SIGNS[sign](one, limit))]
        told = {"measure": query.measure.name, "sign": sign, "limit": show_figure(limit)}
        return self._rows.say("rows_fitting", count=len(kept), all=f"{len(frame):,}", **told)

    def _write_distinct(self) -> str:
        """How many different values a column has."""
        query, (by, period) = self._query, self._group()
        asks = query.kinds & {"howmany"} or (query.find("count") and not query.find("rows"))
        if not asks or not (by or period) or self._has_measure() or not self._allows("howmany", "count"):
            return ""
        if query.values_of("stat") not in ([], ["sum"]):
            return ""
        names = sorted(one for one in self._rows.name_groups(self._rows.select(), by, period).dropna().unique())
        told = {"count": len(names), "group": self._name_group()}
        return self._rows.say("distinct", names=join_names(names[:_MAX_LISTED], self._language), **told)

    def _write_typical(self) -> str:
        """The mean over groups: 平均每个月卖多少, "per shop on average"."""
        query, (by, period) = self._query, self._group()
        kinds = [one.kind for one in query.tokens]
        if "each" not in kinds or query.values_of("stat") != ["mean"] or not (by or period) or query.find("order"):
            return ""
        is_over = bool(period) or kinds.index("stat") < kinds.index("each")
        if (
            not is_over
            or query.derived == "margin"
            or not self._allows()
            or query.measure is None
            or query.measure.aggregate != "sum"
        ):
            return ""
        self._rows.stat = "sum"
        frame = self._rows.select()
        made = self._rows.group(frame, by, period)
        if not made:
            return ""
        total = sum(one[1] for one in made)
        told = {"measure": self._rows.measure, "value": self._rows.write(total / len(made)), "count": len(made)}
        if by:
            lines = [self._rows.say("typical", group=by, **told)]
        else:
            lines = self._rows.write_typical_time(frame, period, total, told)
        return "\n".join([*lines, *self._rows.note_costs(frame)])

    def _write_loss(self) -> str:
        query = self._query
        is_lumped = any(len(values) > 1 for values in query.levels.values()) or len(query.spans) > 1
        if not query.find("loss") or is_lumped or not self._allows("loss", "whether", "howmany", "count", "rows"):
            return ""
        (by, period), frame = self._group(), self._rows.select()
        if query.find("rows"):
            return "" if by or period else self._rows.count_losses(frame)
        if by or period:
            made = self._rows.group(frame, by, period)
            kept = sorted((one for one in made if one[1] < 0), key=lambda one: one[1])
            told = {"measure": self._rows.measure, "sign": "<", "limit": "0"}
            head = self._rows.say("fitting", count=len(kept), all=len(made), group=self._name_group(), **told)
            return "\n\n".join([head, *([self._list(kept)] if kept else []), *self._rows.note_costs(frame)])
        value = self._rows.reduce(frame)
        if value is None:
            return ""
        text = self._rows.say("figure", measure=self._rows.measure, value=self._rows.write(value), rows=len(frame))
        lines = [self._rows.say("no_loss" if value >= 0 else "loss", text=text)]
        if self._rows.time:
            months = self._rows.group(frame, "", "M")
            lines.append(self._rows.say("loss_times", all=len(months), count=sum(one[1] < 0 for one in months)))
        return "\n".join([*lines, *self._rows.note_costs(frame)])

    def _write_share(self) -> str:
        query, (by, period) = self._query, self._group()
        if not query.find("share") or query.derived or self._rows.stat != "sum" or not self._allows("share", "order"):
            return ""
        if len(query.levels) == 1 and not by and not period and not query.find("order"):
            name, values = next(iter(query.levels.items()))
            whole = self._rows.select(without=name)
            whole = whole[whole[name].notna()]
            parts = [(one, whole[whole[name] == one]) for one in values]
            if len(values) > 1 and query.values_of("stat") == ["sum"]:
                both = self._rows.say("together", names=join_names(values, self._language))
                parts.append((both, whole[whole[name].isin(values)]))
            self._rows.without = name
        elif len(query.spans) == 1 and not query.levels and not by and not period and not query.find("order"):
            whole, parts = self._rows.select(without="time"), [(query.spans[0][0], self._rows.select())]
            self._rows.without = "time"
        elif by or period:
            return self._write_rank() if query.find("order") else self._write_listed()
        else:
            return ""
        total = self._rows.reduce(whole)
        if not total:
            return ""
        lines = []
        for name, part in parts:
            value = self._rows.reduce(part) or 0.0
            told = {"part": self._rows.write(value), "whole": self._rows.write(total)}
            lines.append(self._rows.say("share", name=name, share=f"{100 * value / total:.1f}", **told))
        return "\n".join([*lines, self._name_measure()])

    def _name_measure(self) -> str:
        return f"({self._rows.measure})"

    def _list_compared(self) -> list[tuple[str, object]]:
        """Names and rows of the values or times that stand beside each other."""
        query = self._query
        several = [(name, values) for name, values in query.levels.items() if len(values) > 1]
        if len(several) == 1 and len(query.spans) < 2:
            name, values = several[0]
            whole = self._rows.select(without=name)
            return [(one, whole[whole[name] == one]) for one in values]
        if not several and len(query.spans) > 1:
            whole = self._rows.select(without="time")
            return [(said, whole[self._rows.within(first, after)[whole.index]]) for said, first, after in query.spans]
        return []

    def _write_compared(self) -> str:
        query = self._query
        made = self._list_compared()
        if not 1 < len(made) <= _MAX_COMPARED or query.values_of("stat") == ["sum"] or query.by or query.find("drop"):
            return ""
        if not self._allows(*_COMPARES, "order", "whether") or query.bounds or query.find("top"):
            return ""
        if query.find("each") and not query.find("rows"):
            return ""
        if query.period and not query.spans:
            return ""
        values = [(name, self._rows.reduce(part), len(part)) for name, part in made]  # type: ignore[arg-type]  # a part is a frame; pandas is imported late
        if any(value is None for _, value, _ in values):
            return ""
        lines = [
            self._rows.say("value", name=name, measure=self._rows.measure, value=self._rows.write(value), rows=rows)
            for name, value, rows in values
        ]
        if len(values) == 2:
            (first, one, _), (second, other, _) = values
            lines.append(self._write_gap(first, one or 0.0, second, other or 0.0))
        if len(query.levels) == 1:
            name = next(iter(query.levels))
            lines += self._rows.note_dominant(self._rows.select(), name, "", [one for one, _, _ in values])
        return "\n".join([*lines, *self._note_odd(made), *self._rows.note_costs(self._rows.select())])

    def _note_odd(self, made: Sequence[tuple[str, object]]) -> list[str]:
        """Which of the compared has the value farthest from the rest."""
        odd = self._rows.find_odd() if not (self._query.counts or self._query.derived) else None
        if odd is None or self._query.measure is None:
            return []
        value = show_figure(self._rows.frame.loc[odd[0], self._query.measure.name])
        return [
            self._rows.say("odd_inside", name=name, line=odd[0] + 2, value=value)
            for name, part in made
            if odd[0] in part.index  # type: ignore[attr-defined]  # a part is a frame; pandas is imported late
        ]

    def _write_gap(self, first: str, one: float, second: str, other: float) -> str:
        if one == other:
            return self._rows.say("equal")
        more = self._rows.say("more" if one > other else "less")
        told = {"first": first, "second": second, "gap": self._rows.write_gap(abs(one - other)), "more": more}
        if self._rows.is_rate or other <= 0:
            return self._rows.say("gap_points", **told)
        return self._rows.say("gap", percent=f"{100 * (one - other) / other:+.1f} %", **told)

    def _list_orders(self) -> list[str]:
        """Which end is meant; 第二名 and "top 3" mean the high one."""
        orders, top = self._query.values_of("order"), self._query.find("top")
        is_high = self._query.find("second") or (top is not None and top.text[0] in "前排tT")
        ends = self._query.values_of("tall") if self._query.find("second") else []
        return orders or ends or (["high"] if is_high else [])

    def _write_rank(self) -> str:
        query, (by, period) = self._query, self._group()
        frame = self._rows.select()
        orders, top = self._list_orders(), query.find("top")
        allowed = self._allows("order", "top", "second", *_COMPARES, "share")
        if (
            sorted(orders) == ["high", "low"]
            and (by or period)
            and allowed
            and not query.kinds & {"top", "second", "share"}
        ):
            return self._write_ends(self._rows.group(frame, by, period))
        if len(orders) != 1 or not (by or period) or not allowed or len(query.spans) > 1 or query.bounds:
            return ""
        if (query.find("gap") and not query.find("second")) or (query.find("share") and self._rows.stat != "sum"):
            return ""
        ranked = self._rows.group(frame, by, period)
        if not ranked:
            return ""
        ranked = ranked if orders[0] == "high" else ranked[::-1]
        if top is not None:
            return f"{self._head(by, period)}\n\n{self._list(ranked[: int(top.number)])}"
        name, value, rows = ranked[0]
        code = "first" if orders[0] == "high" else "last"
        lines = [self._rows.say(code, name=name, measure=self._rows.measure, value=self._rows.write(value), rows=rows)]
        same = [one[0] for one in ranked if one[1] == value]
        if len(same) > 1:
            lines.append(self._rows.say("ties", names=join_names(same, self._language)))
        if len(ranked) > 1:
            gap = self._rows.write_gap(abs(value - ranked[1][1]))
            lines.append(self._rows.say("next", name=ranked[1][0], value=self._rows.write(ranked[1][1]), gap=gap))
        if query.find("share"):
            lines.append(self._write_part(name, value, sum(one[1] for one in ranked)))
        lines += self._rows.note_dominant(frame, by, period, [name])
        return "\n".join([*lines, *self._rows.note_costs(frame)])

    def _write_part(self, name: str, value: float, whole: float) -> str:
        told = {"part": self._rows.write(value), "whole": self._rows.write(whole)}
        return self._rows.say("share", name=name, share=f"{100 * value / whole:.1f}", **told)

    def _write_ends(self, ranked: Sequence[tuple[str, float, int]]) -> str:
        """The highest and the lowest group, and how far they are apart."""
        if len(ranked) < 2:
            return ""
        (first, high, many), (last, low, few) = ranked[0], ranked[-1]
        told = {"measure": self._rows.measure}
        lines = [
            self._rows.say("first", name=first, value=self._rows.write(high), rows=many, **told),
            self._rows.say("last", name=last, value=self._rows.write(low), rows=few, **told),
        ]
        return "\n".join([*lines, self._write_gap(first, high, last, low)])

    def _write_largest(self) -> str:
        """The row with the largest or smallest value."""
        query, (by, period) = self._query, self._group()
        orders = query.values_of("order")
        if len(orders) != 1 or by or period or not query.find("rows") or query.derived or query.measure is None:
            return ""
        if not self._allows("order", "rows", "whether") or query.values_of("stat"):
            return ""
        values = self._rows.select()[query.measure.name].dropna()
        if values.empty:
            return ""
        label = int(str(values.idxmax() if orders[0] == "high" else values.idxmin()))
        return self._rows.say("row", line=label + 2, values=self._rows.write_row(label))

    def _head(self, by: str, period: str) -> str:
        del by, period
        return self._rows.say("listed", measure=self._rows.measure, group=self._name_group())

    def _write_listed(self) -> str:
        query, (by, period) = self._query, self._group()
        if not (by or period) or not self._allows("share", "howmany") or query.bounds or len(query.spans) > 1:
            return ""
        if not query.kinds & {"each", "share", "ask"} or query.kinds & {"howmany"}:
            return ""
        if any(len(values) > 1 for values in query.levels.values()):
            return ""  # of each of them, or of all together
        made = self._rows.group(self._rows.select(), by, period)
        made = sorted(made) if period else made
        return f"{self._head(by, period)}\n\n{self._list(made)}" if made else ""

    def _list(self, made: Sequence[tuple[str, float, int]]) -> str:
        total = sum(one[1] for one in made)
        with_share = self._query.find("share") is not None and total > 0
        rows_head = [] if self._query.counts else [self._rows.say("col_rows")]
        heads = [self._name_group(), *rows_head, self._rows.measure]
        heads += [self._rows.say("col_share")] if with_share else []
        listed: list[list[str]] = []
        for name, value, rows in made[:_MAX_LISTED]:
            counted = [] if self._query.counts else [str(rows)]
            cells = [name, *counted, self._rows.write(value), *([f"{100 * value / total:.1f}"] if with_share else [])]
            listed.append(cells)
        left = len(made) - _MAX_LISTED
        return "\n".join(
            [write_markdown_table(heads, listed), *(["", self._rows.say("more_rows", left=left)] if left > 0 else [])]
        )

    def _write_value(self) -> str:
        """The measure of the rows that are named, or of all."""
        query = self._query
        if query.by or query.period or query.bounds or not self._allows("whether"):
            return ""
        is_each = query.find("each") is not None and not (query.find("rows") and query.values_of("stat") == ["mean"])
        is_asked = query.kinds & {"ask", "which", "stat", "count"} or any(
            one.kind == "role" and one.text[0] in "多几" for one in query.tokens
        )
        if not is_asked or is_each:
            return ""
        frame = self._rows.select()
        value = self._rows.reduce(frame)
        if value is None or not (self._has_measure() or query.counts or query.values_of("stat")):
            return ""
        if query.counts:
            return self._rows.say("count", value=f"{len(frame):,}", extra="")
        text = self._rows.say("figure", measure=self._rows.measure, value=self._rows.write(value), rows=len(frame))
        return "\n".join([text, *self._rows.note_costs(frame)])
