"""Forms of the sentences of a brief in both languages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.packs.office._request_text import CHINESE
from metier.packs.office.drafting.briefs._cover import NameCover

__all__ = ["Forms", "choose_forms"]

_FORMS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "title": ("标题“{}”", 'titled "{}"'),
        "subtitle": ("副标题“{}”", 'subtitle "{}"'),
        "art_title": ("用艺术字做标题“{}”", 'with the word art title "{}"'),
        "art": ("艺术字“{}”", 'word art "{}"'),
        "caption": ("图题“{}”", 'with the caption "{}"'),
        "note": ("图下方写一行说明“{}”", 'note below the chart: "{}"'),
        "topic": ("主题为“{}”", 'on the topic "{}"'),
        "text": ("文字为“{}”", 'with the text "{}"'),
        "place": ("放在{}", "at {}"),
        "value": ("大字号显示“{}”", '"{}" in large type'),
        "label": ("标签“{}”", 'with the label "{}"'),
        "levels": ("分{}级标题", "with {} heading levels"),
        "columns": ("列为{}", "columns {}"),
        "rows": ("{}个空行", "{} empty rows"),
        "grid": ("{}行{}列", "{} x {}"),
        "bold": ("表头加粗", "bold header"),
        "tasks": ("任务为{}", "tasks {}"),
        "weeks": ("时间跨度{}周", "{} weeks"),
        "table": ("插入表格", "insert a table"),
        "heading": ("插入加粗标题", "insert a bold heading"),
    }
)
# English slots that are sentences of their own; the others go on with the order.
_SENTENCES: Final = ("columns ", "tasks ", "bold header")
_VERB: Final = re.compile(
    r"[:：,，]?\s*(?:插入|添加|加入?|写|做|建|\b(?:insert|add|make|write|create))?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Forms:
    """How the slots are said in the language of a request."""

    is_chinese: bool

    def say_levels(self, count: int) -> str:
        """How many levels an outline has."""
        return self.say("levels", "一二三四五"[count - 1] if self.is_chinese and 0 < count < 6 else count)

    def say(self, slot: str, *values: str | int) -> str:
        """One slot with its values."""
        return _FORMS[slot][0 if self.is_chinese else 1].format(*values)

    def add(self, order: str, slot: str) -> str:
        """An order that says what is to be made."""
        said = self.say(slot)
        bare = _VERB.sub("", order).strip()
        return f"{bare}{'' if self.is_chinese else ' '}{said}".strip()

    def list_names(self, names: Sequence[str], cover: NameCover) -> str:
        """Names with the signs between them."""
        return ("、" if self.is_chinese else ", ").join(cover.cover(one) for one in names)

    def say_lines(self, title: str, lines: Sequence[str]) -> str:
        """A bold heading with its lines."""
        quoted = "".join(f"“{one}”" for one in lines) if self.is_chinese else " ".join(f'"{one}"' for one in lines)
        if self.is_chinese:
            return f"加粗标题“{title}”，下面{len(lines)}行文字：{quoted}"
        return f'Heading "{title}". Lines: {quoted}'

    def say_tables(self, tables: Sequence[tuple[str, int | None]]) -> str:
        """Two tables, each with its columns and rows."""
        if self.is_chinese:
            columns = "；".join(f"第{at}个表的列为{names}" for at, (names, _) in zip("一二三", tables, strict=False))
            rows = [
                f"第{at}个表{count}行" for at, (_, count) in zip("一二三", tables, strict=False) if count is not None
            ]
            return f"{columns}。{'，'.join(rows)}"
        counts = {count for _, count in tables}
        said = f" {next(iter(counts))} rows each." if len(counts) == 1 and None not in counts else ""
        if len(tables) != 2 or (len(counts) > 1):
            return "; ".join(f"{count} rows of {names}" for names, count in tables)  # which is asked about
        return f"The first has {tables[0][0]}; the second has {tables[-1][0]}.{said}"

    def join(self, parts: Sequence[str], tail: str) -> str:
        """The parts and what stands behind the colon."""
        if self.is_chinese:
            return f"{'，'.join(parts)}{tail}"
        said = parts[0]
        for one in parts[1:]:
            opens = one.startswith(_SENTENCES) or re.match(r"[A-Z]|\d+ (?:empty rows|weeks)", one)
            said += f". {one[:1].upper()}{one[1:]}" if opens and not tail else f", {one}"
        return f"{said}{tail}"


def choose_forms(request: str) -> Forms:
    """The forms in the language of a request."""
    return Forms(CHINESE.search(request) is not None)
