"""Answers about the state of the data: gaps, outliers, how far they carry, why a value stands out, what a row does."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from metier.language import join_names
from metier.packs.workspace.data.questions._rows import FIRST_LINE, show_figure

if TYPE_CHECKING:
    import pandas as pd

    from metier.language import Language
    from metier.packs.workspace.data.questions._query import DataQuery
    from metier.packs.workspace.data.questions._rows import DataRows

_PLAIN: Final = frozenset({"which", "ask", "and", "column", "role", "rows", "whether", "to"})
_TWO_YEARS: Final = 730
_CLOSE: Final = 0.02  # a figure as people say it: 148 for 148.34
_MAX_LINES: Final = 5


class StateAnswers:
    """Answers of one question about the data as they are."""

    def __init__(self, query: "DataQuery", rows: "DataRows", language: "Language") -> None:
        self._query = query
        self._rows = rows
        self._language: Language = language

    def write(self) -> str:
        writers: Sequence[Callable[[], str]] = (self._write_trust, self._write_forecast)
        query = self._query
        if not query.is_open:
            more = (
                self._write_gaps,
                self._write_left,
                self._write_odd,
                self._write_skew,
                self._write_why,
                self._write_method,
            )
            writers = (*writers, *more)
        return next((text for one in writers if (text := one())), "")

    def _say(self, code: str, **values: object) -> str:
        return self._rows.say(code, **values)

    def _allows(self, *kinds: str) -> bool:
        return self._query.kinds <= _PLAIN | set(kinds)

    def _select_measured_values(self) -> "pd.Series | None":
        return self._rows.frame[self._query.measure.name].dropna() if self._query.measure is not None else None

    def _write_ends(self) -> tuple[str, str, int]:
        first, last = self._rows.write_ends()
        days = date.fromisoformat(last) - date.fromisoformat(first) if first else timedelta()
        return first, last, days.days

    def _write_gaps(self) -> str:
        if not self._query.find("missing") or not self._allows("missing", "still"):
            return ""
        return self._list_gaps()

    def _list_gaps(self) -> str:
        frame, lines, told = self._rows.frame, list[str](), list[str]()
        for one in self._rows.columns:
            missing = frame.index[frame[one.name].isna()]
            if len(missing):
                told.append(self._say("gaps_of", column=one.name, count=len(missing)))
                lines += [
                    self._say("row", line=int(label) + FIRST_LINE, values=self._rows.write_row(int(label)))
                    for label in missing[:_MAX_LINES]
                ]
        if not told:
            return self._say("no_gaps", columns=len(self._rows.columns))
        return "\n".join([self._say("gaps", columns=join_names(told, self._language)), *lines])

    def _write_odd(self) -> str:
        query = self._query
        if not query.kinds & {"odd", "toobig"} or query.kinds & {"drop", "why"} or query.measure is None:
            return ""
        if not self._allows("odd", "toobig", "order"):
            return ""
        found = self._rows.find_odd()
        if found is None:
            return self._say("no_odd", measure=query.measure.name)
        told = {"measure": query.measure.name, "line": found[0] + FIRST_LINE, "count": found[1]}
        return self._say("odd_row", values=self._rows.write_row(found[0]), **told)

    def _write_left(self) -> str:
        """Whether a value is still first without one row."""
        query = self._query
        line = query.find("line")
        if not query.find("drop") or not query.kinds & {"line", "odd"} or len(query.levels) != 1:
            return ""
        column, values = next(iter(query.levels.items()))
        if (
            len(values) != 1
            or not self._allows("drop", "line", "odd", "level", "still", "order")
            or query.measure is None
        ):
            return ""
        if query.values_of("order") not in ([], ["high"]) or not query.kinds & {"still", "order"}:
            return ""
        odd = self._rows.find_odd()
        label = int(line.number) - FIRST_LINE if line is not None else odd[0] if odd is not None else -1
        if label not in self._rows.frame.index:
            return ""
        value = show_figure(self._rows.frame.loc[label, query.measure.name])
        left = self._say("line", line=label + FIRST_LINE, value=value)
        ranked = self._rows.group(self._rows.frame.drop(index=label), column, "")
        names = [one[0] for one in ranked]
        if values[0] not in names or len(ranked) < 2:
            return ""
        place = names.index(values[0])
        shown = [self._rows.write(one[1]) for one in ranked]
        if place == 0:
            return self._say("still", left=left, name=names[0], value=shown[0], second=names[1], other=shown[1])
        told = {"first": names[0], "value": shown[0], "name": values[0], "place": place + 1, "other": shown[place]}
        return self._say("no_longer", left=left, **told)

    def _write_skew(self) -> str:
        """Why the mean and the median are apart."""
        query, values = self._query, self._select_measured_values()
        if set(query.values_of("stat")) != {"mean", "median"} or values is None or not query.find("why"):
            return ""
        if not self._allows("stat", "why", "number", "tall", "than", "gap") or query.levels or query.spans:
            return ""
        mean, median = float(values.mean()), float(values.median())
        said = [one for one in query.tokens if one.kind == "number"]
        other = (
            [one.text for one in said if min(abs(one.number - mean) / mean, abs(one.number - median) / median) > _CLOSE]
            if mean > 0 and median > 0
            else []
        )
        told = {
            "measure": query.measure.name if query.measure else "",
            "mean": show_figure(mean),
            "median": show_figure(median),
        }
        if mean <= median:
            text = self._say("no_skew", **told)
        else:
            label = int(str(values.idxmax()))
            more = {"largest": show_figure(values.max()), "line": label + FIRST_LINE, "rows": len(values)}
            text = self._say("skew", above=int((values > mean).sum()), **told, **more)
        return "\n".join(
            [text, *([self._say("other_figure", said=join_names(other, self._language))] if other else [])]
        )

    def _write_why(self) -> str:
        """A group beside the others: how many rows it has and how much each is worth."""
        query = self._query
        if not query.find("why") or query.derived or query.counts or query.by or query.period:
            return ""
        if not self._allows("why", "tall", "level", "span", "order") or len(query.levels) + len(query.spans) != 1:
            return ""
        if self._rows.stat != "sum":
            return ""
        if query.spans:
            said, first, after = query.spans[0]
            months = (after.year - first.year) * 12 + after.month - first.month
            period = {1: "M", 3: "Q"}.get(months, "") if first.day == 1 and after.day == 1 else ""
            by, name = (
                "",
                f"{first.year}-{first.month:02d}" if months == 1 else f"{first.year}Q{(first.month + 2) // 3}",
            )
        else:
            by, values = next(iter(query.levels.items()))
            period, said, name = "", values[0], values[0]
        if not (by or period) or (query.levels and len(values) != 1):
            return ""
        made = self._rows.group(self._rows.frame, by, period)
        own = next((one for one in made if one[0] == name), None)
        others = [one for one in made if one[0] != name]
        if own is None or not others:
            return ""
        return self._compare_with_others(
            said, own, others, self._rows.note_dominant(self._rows.frame, by, period, [name])
        )

    def _compare_with_others(
        self, said: str, own: tuple[str, float, int], others: Sequence[tuple[str, float, int]], notes: Sequence[str]
    ) -> str:
        count = len(others)
        mean, rows = sum(one[1] for one in others) / count, sum(one[2] for one in others) / count
        each, typical = own[1] / own[2], mean / rows
        told = {"name": said, "measure": self._rows.measure, "value": self._rows.write(own[1]), "rows": own[2]}
        told |= {"each": self._rows.write(each), "others": count, "mean": self._rows.write(mean)}
        lines = [self._say("why", count=show_figure(rows), typical=self._rows.write(typical), **told)]
        is_high = "low" not in self._query.values_of("tall") + self._query.values_of("order")
        if is_high != (own[1] > mean):
            lines.append(self._say("why_not" if is_high else "why_not_low", name=said))
        elif mean > 0 and typical > 0 and rows > 0:
            by_rows, by_size = abs(own[2] / rows - 1), abs(each / typical - 1)
            code = "why_rows" if by_rows > 2 * by_size else "why_size" if by_size > 2 * by_rows else "why_both"
            lines.append(self._say(code))
        return "\n".join([*lines, *notes, self._say("why_limit")])

    def _write_method(self) -> str:
        """How a derived figure is computed."""
        query = self._query
        if not query.find("method") or not query.derived or not self._allows("method", "derived"):
            return ""
        value = self._rows.write(self._rows.reduce(self._rows.frame))
        text = self._say("figure", measure=self._rows.measure, value=value, rows=len(self._rows.frame))
        return "\n".join([text, *self._rows.note_costs(self._rows.frame)])

    def _write_trust(self) -> str:
        query, values = self._query, self._select_measured_values()
        first, last, days = self._write_ends()
        if not query.find("trust") or values is None or not first or query.levels or not query.is_about_data:
            return ""
        odd = self._rows.find_odd()
        told = {"rows": f"{len(self._rows.frame):,}", "first": first, "last": last, "odd": odd[1] if odd else 0}
        told |= {"gaps": self._list_gaps().split("\n")[0], "measure": query.measure.name if query.measure else ""}
        return self._say("trust" if days < _TWO_YEARS else "trust_long", **told)

    def _write_forecast(self) -> str:
        query, values = self._query, self._select_measured_values()
        first, last, _ = self._write_ends()
        if not query.find("forecast") or values is None or not first or self._rows.stat != "sum" or query.levels:
            return ""
        if query.spans or query.outside or not query.is_about_data:
            return ""
        months = self._rows.group(self._rows.frame, "", "M")
        total = sum(one[1] for one in months)
        told = {"first": first, "last": last, "measure": self._rows.measure, "value": self._rows.write(total)}
        return self._say("forecast", month=self._rows.write(total / max(1, len(months))), **told)
