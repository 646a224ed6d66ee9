"""A message about tables as one plain sentence, with words of no meaning for the names of the columns."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import CHINESE
from metier.packs.office.drafting.columns import HiddenNames, NamedColumns, hide_names
from metier.packs.office.drafting.remarks import Bare
from metier.packs.office.drafting.tables._read import SaidTables, read_tables

__all__ = ["RestatedTable", "restate_table"]

_RARE: Final = "龘靐齉爨灪麤虪饢鱻驫"
_ZH: Final = MappingProxyType({"end": "在文末", "start": "在文档开头", "": ""})
_EN: Final = MappingProxyType({"end": " at the end of the document", "start": " at the top of the document", "": ""})


@dataclass(frozen=True, slots=True)
class RestatedTable:
    """The plain sentence, and what the plan must have besides."""

    text: str
    hidden: HiddenNames
    headers: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # background before the order
    positions: tuple[str, ...] = ()  # first cells below the header, before the total
    kind: str = ""  # by which the block of the one table is named; empty where its plan names it already
    title: str = ""

    def is_borne_out(self, plan: JsonObject, request: str) -> bool:
        """Whether every remark only says what the plan has, and every name is in the user's own words."""
        if any(name not in request for names in (*self.headers, self.positions) for name in names):
            return False
        return Bare(self.text, self.remarks).is_borne_out(plan)


def restate_table(request: str) -> RestatedTable | None:
    """The sentence; None if the message is about more than tables, or not read to its last word."""
    said = read_tables(request)
    if said is None:
        return None
    is_chinese = CHINESE.search(request) is not None
    sign = "、" if is_chinese else ", "
    parts = [sign.join(one.names) for one in said.lists]
    if said.positions:
        return _restate_positions(said)
    text = (_write_zh if is_chinese else _write_en)(said, parts)
    columns, at = [], 0
    for one, part in zip(said.lists, parts, strict=True):
        at = text.index(part, at)
        columns.append(NamedColumns(one.names, at, at + len(part)))
        at += len(part)
    hidden = hide_names(text, columns) if columns else HiddenNames(text, {})
    return RestatedTable(
        hidden.text,
        hidden,
        tuple(one.names for one in said.lists),
        tuple(said.remarks),
        tuple(said.left_out),
        kind=said.kind if len(said.lists) == 1 and said.kind != "table" and not said.art else "",
        title=said.title,
    )


def _restate_positions(said: SaidTables) -> RestatedTable:
    """The sentence for a quotation; a name of a position stands under characters that no rule reads."""
    names = {f"{_RARE[at // len(_RARE)]}{_RARE[at % len(_RARE)]}货": one.name for at, one in enumerate(said.positions)}
    rows = "；".join(
        f"{name} 数量{one.count}{one.unit} 单价{one.price}" for name, one in zip(names, said.positions, strict=True)
    )
    columns = f"，列名为{'、'.join(said.lists[0].names)}" if said.lists else ""
    title = f"，标题为“{said.title}”" if said.title else ""
    text = f"{_ZH[said.place]}插入报价表{columns}{title}：{rows}，并计算{said.total}。"
    return RestatedTable(
        text, HiddenNames(text, names), (), tuple(said.remarks), tuple(said.left_out), tuple(names.values())
    )


def _write_zh(said: SaidTables, parts: list[str]) -> str:
    place = _ZH[said.place]
    rows = f"，共{said.rows}行" if said.rows is not None and not said.is_header_only else ""
    bold = "，表头加粗" if said.is_bold and parts else ""
    title = f"，标题为“{said.title}”" if said.title else ""
    if said.grid is not None:
        table = f"插入一个{said.grid[0]}行{said.grid[1]}列的表格"
    elif len(parts) == 2:
        rows = f"。各{said.rows}行" if said.rows is not None else ""
        return f"{place}依次插入两个表格：第一个表的列为{parts[0]}；第二个表的列为{parts[1]}{rows}。"
    elif said.is_header_only:
        table = f"插入一个只有表头的表格，表头为{parts[0]}"
    else:
        table = f"插入表格，列为{parts[0]}{rows}"
    if said.art:
        return f"{place}插入艺术字“{said.art}”，并在其下方{table}{bold}。"
    return f"{place}{table}{bold}{title}。"


def _write_en(said: SaidTables, parts: list[str]) -> str:
    place = _EN[said.place]
    rows = f" and {said.rows} rows" if said.rows is not None and not said.is_header_only else ""
    title = f' titled "{said.title}"' if said.title else ""
    if said.grid is not None:
        table = f"a {said.grid[0]} x {said.grid[1]} table"
    elif len(parts) == 2:
        rows = f" {said.rows} rows each." if said.rows is not None else ""
        return f"Insert two tables{place}. The first has {parts[0]}; the second has {parts[1]}.{rows}"
    elif said.is_header_only:
        table = f"a table with just the header row: {parts[0]}"
    else:
        table = f"a table{title} with the columns {parts[0]}{rows}"
    if said.art:
        return f'Insert word art "{said.art}"{place} and below it insert {table}.'
    return f"Insert {table}{place}."
