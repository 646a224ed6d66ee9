"""Changes of a file into a new one: convert, clean, merge; each is described before it is made."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from metier.documents import ShownCell
from metier.language import BilingualText, Language
from metier.packs.workspace.data._columns import GAPS
from metier.packs.workspace.data._summary import Typed
from metier.packs.workspace.data._texts import TEXTS
from metier.tools import ToolError

if TYPE_CHECKING:
    import pandas as pd

    from metier.packs.workspace.data._columns import DataColumn

_MAX_EXAMPLE_CHARS: Final = 40
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "trim": BilingualText("去掉首尾空格", "remove blanks at the ends"),
        "gaps": BilingualText("占位符改为空值", "empty placeholders such as N/A"),
        "numbers": BilingualText("数字去掉分隔符和符号", "numbers without separators and signs"),
        "dates": BilingualText("日期统一为 年-月-日", "dates as year-month-day"),
    }
)

Cell = str | int | float | ShownCell
_PLAIN: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_SHOWN: Final = re.compile(r"(-?)([¥￥$€£]?)(\d{1,3}(?:,\d{3})+|0|[1-9]\d*)(?:\.(\d+))?(%?)")
_DATE: Final = re.compile(r"(\d{4})([-/.年])(\d{1,2})([-/.月])(\d{1,2})(日?)(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?")
_MAX_DIGITS: Final = 15  # a workbook keeps no more of a number
_MAX_CELL_CHARS: Final = 32_767  # nor of a text
_FIRST_YEAR: Final = 1900  # and no dates before
_NUMBERS: Final = ("number", "year")


@dataclass(frozen=True, slots=True)
class Effect:
    """One change: how many rows or cells it touches, and an example before and after."""

    id: str
    title: BilingualText
    count: int
    old: str = ""
    new: str = ""


def clean_table(table: Typed, chosen: Collection[str] | None = None) -> "tuple[pd.DataFrame, list[Effect]]":
    """The cleaned table with the chosen effects (all if None), and all effects that cleaning would have."""
    raw = table.loaded.frame
    made = raw.copy()
    effects: list[Effect] = []
    for name in raw.columns:
        effects += _clean_column(table, str(name), made, chosen)
    same = made.duplicated() if _is_on("duplicates", chosen) else raw.duplicated()
    if count := int(same.sum()):
        effects.append(Effect("duplicates", BilingualText("删除完全重复的行", "Remove exact duplicate rows"), count))
        if _is_on("duplicates", chosen):
            made = made[~same]
    return made.reset_index(drop=True), effects


def _is_on(effect: str, chosen: Collection[str] | None) -> bool:
    return chosen is None or effect in chosen


def _clean_column(table: Typed, name: str, made: "pd.DataFrame", chosen: Collection[str] | None) -> list[Effect]:
    raw, typed, column = table.loaded.frame[name], table.frame[name], table.get(name)
    kind = column.kind if column is not None else "text"
    trimmed = raw.str.strip()
    empty = trimmed.str.lower().isin(GAPS) & raw.notna()
    plain = trimmed.mask(empty)
    steps = [("trim", raw, trimmed), ("gaps", trimmed, plain)]
    if kind in ("number", "year"):
        texts = typed.map(lambda one: f"{one:.15g}", na_action="ignore").astype("str")
        steps.append(("numbers", plain, texts.where(typed.notna(), plain)))
    if kind == "date":
        has_time = bool((typed.dropna().dt.normalize() != typed.dropna()).any())
        texts = typed.dt.strftime("%Y-%m-%d %H:%M:%S" if has_time else "%Y-%m-%d").astype("str")
        steps.append(("dates", plain, texts.where(typed.notna(), plain)))
    effects = []
    for code, before, after in steps:
        changed = (before != after) & ~(before.isna() & after.isna()) & before.notna()
        if count := int(changed.sum()):
            at: Any = changed.idxmax()
            new = "" if after.isna()[at] else str(after[at])
            unit = f" ({column.unit})" if column is not None and column.unit and code == "numbers" else ""
            title = BilingualText(f"{name}：{_TITLES[code].zh}{unit}", f"{name}: {_TITLES[code].en}{unit}")
            effects.append(Effect(f"{code}:{name}", title, count, _short(before[at]), _short(new)))
            if _is_on(f"{code}:{name}", chosen):
                made.loc[changed, name] = after[changed]
    return effects


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _MAX_EXAMPLE_CHARS else f"{text[:_MAX_EXAMPLE_CHARS]}…"


def _error(code: str, language: Language, **values: object) -> ToolError:
    return ToolError(TEXTS.render(code, language, **values), code=code, hint=TEXTS.render(f"{code}_hint", language))


def merge_tables(first: Any, second: Any, names: Sequence[str], language: Language) -> "tuple[Any, list[Effect]]":
    """Append rows if both have the same columns, else join on the shared column that tells rows apart best."""
    import pandas as pd

    if set(first.columns) == set(second.columns):
        both = pd.concat([first, second[list(first.columns)]], ignore_index=True)
        title = BilingualText(
            f"把「{names[1]}」的行接到「{names[0]}」后面", f"Append the rows of {names[1]} to {names[0]}"
        )
        effects = [Effect("append", title, len(second), f"{len(first):,}", f"{len(both):,}")]
        if same := int(both.duplicated().sum()):
            note = BilingualText("合并后完全重复的行（保留）", "Exact duplicates afterwards (kept)")
            effects.append(Effect("same", note, same))
        return both, effects
    shared = [str(one) for one in first.columns if one in set(second.columns)]
    if not shared:
        raise _error("no_common_column", language, first=names[0], second=names[1])
    key = max(shared, key=lambda one: int(second[one].nunique()) / len(second) + int(first[one].nunique()) / len(first))
    if second[key].duplicated().any() and not first[key].duplicated().any():
        first, second, names = second, first, (names[1], names[0])  # the one that names each key once is looked up
    if count := int(second[key].duplicated().sum()):
        raise _error("key_not_unique", language, key=key, count=count, second=names[1])
    others = [one for one in second.columns if one == key or one not in set(shared)]
    both = first.merge(second[others], on=key, how="left", indicator=True)
    matched = int((both["_merge"] == "both").sum())
    both = both.drop(columns="_merge")
    title = BilingualText(
        f"按「{key}」把「{names[1]}」的列接到「{names[0]}」", f"Join columns of {names[1]} to {names[0]} on {key}"
    )
    found = BilingualText(f"「{names[0]}」中找到对应行的", f"Rows of {names[0]} with a match")
    lost = BilingualText("没有对应行、新列为空的", "Rows without a match: the new columns stay empty")
    unused = len(second) - int(second[key].isin(first[key]).sum())
    dropped = BilingualText(
        f"「{names[1]}」中用不上、不在新文件里的行", f"Rows of {names[1]} without a match: not in the new file"
    )
    return both, [
        Effect("join", title, len(others) - 1, f"{len(first.columns)}", f"{len(both.columns)}"),
        Effect("matched", found, matched),
        Effect("unmatched", lost, len(both) - matched),
        *([Effect("unused", dropped, unused)] if unused else []),
    ]


def convert_table(table: Typed, ending: str) -> "tuple[pd.DataFrame, list[Effect]]":
    """The table for a file with this ending, and what happens to its columns.

    A cell becomes a number or a date only if it still looks as before; every other one stays the text that it is.
    """
    made = table.loaded.frame.copy()
    effects = [Effect("convert", BilingualText("写成新格式的行", "rows in the new format"), len(made))]
    if kinds := [one.name for one in table.columns if one.kind == "id"]:
        title = BilingualText(
            f"按文字保留的编号列：{'、'.join(kinds)}", f"identifiers kept as text: {', '.join(kinds)}"
        )
        effects.append(Effect("ids", title, len(kinds)))
    for column in table.columns:
        if ending in ("xlsx", "json") and column.kind in (*_NUMBERS, "date"):
            read = _read_plain if ending == "json" else _read_date if column.kind == "date" else _read_number
            effects += _convert_column(made, column, read)
    if table.loaded.options.get("kind") == "xlsx":
        title = BilingualText(
            "工作簿单元格按存储的值写出：百分比写成小数，日期写成 年-月-日，合并单元格只有第一格有值",
            "workbook cells as stored: percentages as shares, dates as year-month-day, merged cells once",
        )
        effects.append(Effect("stored", title, len(made)))
        effects += [Effect(f"note:{at}", BilingualText(one, one), 1) for at, one in enumerate(table.loaded.notes, 1)]
    if ending == "xlsx":
        effects += _tell_cut_cells(table.loaded.frame)
    return made, effects


def _tell_cut_cells(raw: "pd.DataFrame") -> list[Effect]:
    """What a workbook cannot hold: it cuts longer texts."""
    lengths = [raw[name].str.len() for name in raw.columns]
    count = sum(int((one > _MAX_CELL_CHARS).sum()) for one in lengths)
    title = BilingualText(
        f"超过 {_MAX_CELL_CHARS:,} 个字符、会被截断的单元格", f"cells cut after {_MAX_CELL_CHARS:,} characters"
    )
    return [Effect("cut", title, count)] if count else []


def _convert_column(made: "pd.DataFrame", column: "DataColumn", read: Callable[[str], Cell]) -> list[Effect]:
    """Read each value that occurs once, put the cells into the frame, and tell of what became of them."""
    import pandas as pd

    texts = made[column.name]
    codes, found = pd.factorize(texts)
    cells = [read(str(one)) for one in found]
    rows = pd.Series([*cells, None], dtype="object").iloc[codes]  # -1, a gap, is the last
    rows.index = texts.index
    made[column.name] = rows
    counts = pd.Series(codes[codes >= 0]).value_counts()
    told = (
        ("shown", BilingualText("存成数值或日期，显示不变", "stored as a value, shown as before"), ShownCell),
        ("text", BilingualText("按原文保留为文字", "kept as the text that it is"), str),
    )
    effects = []
    for code, title, kind in told:
        at = [place for place, cell in enumerate(cells) if isinstance(cell, kind)]
        if at and not (code == "text" and len(at) == len(cells)):
            old, cell = str(found[at[0]]), cells[at[0]]
            new = f"{cell.value} [{cell.form}]" if isinstance(cell, ShownCell) else old
            named = BilingualText(f"{column.name}：{title.zh}", f"{column.name}: {title.en}")
            effects.append(Effect(f"{code}:{column.name}", named, int(counts.reindex(at).sum()), old, new))
    return effects


def _read_plain(text: str) -> Cell:
    """A number if it is written as json writes it."""
    if not _PLAIN.fullmatch(text) or len(text) > _MAX_DIGITS:
        return text
    value = float(text) if "." in text else int(text)
    is_whole = isinstance(value, float) and value.is_integer()  # 5.0 would be written as 5
    return value if str(value) == text and not is_whole else text


def _read_number(text: str) -> Cell:
    found = _SHOWN.fullmatch(text)
    if found is None or sum(one.isdigit() for one in text) > _MAX_DIGITS:
        return text
    sign, currency, whole, decimals, percent = found.groups()
    bare = f"{sign}{whole.replace(',', '')}" + (f".{decimals}" if decimals else "")
    value: int | float = float(bare) if decimals else int(bare)
    if sign and not value:
        return text  # -0 and -0.00% would lose their sign
    if str(value) == text and not (decimals and value == int(value)):  # 5.0 needs a form, or it is shown as 5
        return value
    form = (f'"{currency}"' if currency else "") + ("#,##0" if "," in text else "0")
    form += ("." + "0" * len(decimals) if decimals else "") + ("%" if percent else "")
    return ShownCell(round(value / 100, _MAX_DIGITS) if percent else value, form)


def _read_date(text: str) -> Cell:
    found = _DATE.fullmatch(text)
    if found is None or int(found[1]) < _FIRST_YEAR:
        return text
    year, gap, month, other, day, end, hours, minutes, seconds = found.groups()
    try:
        value = datetime(int(year), int(month), int(day), int(hours or 0), int(minutes or 0), int(seconds or 0))
    except ValueError:
        return text
    form = f'yyyy"{gap}"{"m" * len(month)}"{other}"{"d" * len(day)}' + (f'"{end}"' if end else "")
    if hours:
        form += f" {'h' * len(hours)}:mm" + (":ss" if seconds else "")
    return ShownCell(value, re.sub(r'"([-/])"', r"\1", form))
