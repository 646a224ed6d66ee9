"""Actions of an `ah32.plan.v1` plan, built from findings and tables."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences
from metier.packs.office.analysis._model import DocumentFinding

__all__ = ["PlanActions", "table_json"]

_MAX_ROWS: Final = 100
_MAX_TITLE_CHARS: Final = 200
_TITLES: Final = Sentences(
    {
        "comment": ("Comment: {what}", "批注：{what}"),
        "replace": ("Replace: {what}", "修改：{what}"),
        "text": ("Write: {what}", "写入：{what}"),
        "table": ("Table: {what}", "表格：{what}"),
        "block": ("Write the block: {what}", "写入内容块：{what}"),
        "more": ("… {count} more rows are in the result table", "……其余 {count} 行见结果表"),
    }
)


class PlanActions:
    """Builds the actions of a plan in one language; ids are counted, so that the same findings give the same plan."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._number = 0

    def _head(self, op: str, title: str) -> dict[str, JsonValue]:
        self._number += 1
        plain = re.sub(r"\s+", " ", title).strip()[:_MAX_TITLE_CHARS] or op
        return {"id": f"a{self._number}", "title": plain, "op": op}

    def _title(self, code: str, what: str) -> str:
        return _TITLES.render(code, self._language, what=what)

    def text(self, text: str, *, level: int = 0) -> JsonObject:
        """Paragraphs of text; with a level, a heading, which the writer reads from `# `."""
        written = f"{'#' * level} {text}" if level else text
        return {
            **self._head("insert_text", self._title("text", text[:40])),
            "text": written,
            "new_paragraph_after": True,
        }

    def table(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> JsonObject:
        """A table with a header row; rows beyond the limit of the operation are counted in the last one."""
        most = _MAX_ROWS - 1
        data = [list(columns), *(list(row) for row in rows[:most])]
        if len(rows) > most:
            rest = _TITLES.render("more", self._language, count=len(rows) - most + 1)
            data[-1] = [rest, *("" for _ in columns[1:])]
        return {
            **self._head("insert_table", self._title("table", title)),
            "rows": len(data),
            "cols": len(columns),
            "data": data,
            "header": True,
            "borders": True,
        }

    def block(self, block_id: str, title: str, actions: Sequence[JsonObject], *, anchor: str = "end") -> JsonObject:
        """One block that a second run replaces instead of doubling."""
        return {
            **self._head("upsert_block", self._title("block", title)),
            "block_id": block_id,
            "anchor": anchor,
            "actions": list(actions),
        }

    def operation(self, op: str, title: str, **fields: JsonValue) -> JsonObject:
        """Any other operation."""
        return {**self._head(op, title), **fields}

    def marks(self, findings: Iterable[DocumentFinding]) -> tuple[JsonObject, ...]:
        """A tracked replacement with its comment where the right words are known, else a comment at the place."""
        made: list[JsonObject] = []
        for finding in findings:
            note = finding.comment(self._language)
            if finding.replacement is not None and finding.quote:
                made.append(
                    self.operation(
                        "replace_text",
                        self._title("replace", finding.quote[:40]),
                        find_text=finding.quote,
                        replace_text=finding.replacement,
                        track=True,
                        max_matches=1,
                        address=finding.address,
                        comment=note,
                    )
                )
            elif finding.address:
                anchor: JsonObject = {"anchor_text": finding.quote} if finding.quote else {}
                made.append(
                    self.operation(
                        "add_comment",
                        self._title("comment", finding.message.text(self._language)[:60]),
                        text=note,
                        address=finding.address,
                        **anchor,
                    )
                )
        return tuple(made)


def table_json(title: str, columns: Sequence[str], rows: Iterable[Sequence[JsonValue]]) -> JsonObject:
    """A table for the user: title, names of the columns, rows."""
    return {"title": title, "columns": list(columns), "rows": [list(row) for row in rows]}
