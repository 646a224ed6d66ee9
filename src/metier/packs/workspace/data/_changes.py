"""Changes of a file into a new one: convert, clean, merge; each is described before it is made."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from metier.language import BilingualText, Language
from metier.packs.workspace.data._columns import GAPS
from metier.packs.workspace.data._summary import Typed
from metier.packs.workspace.data._texts import TEXTS
from metier.tools import ToolError

if TYPE_CHECKING:
    import pandas as pd

_MAX_EXAMPLE_CHARS: Final = 40
_TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "trim": BilingualText("去掉首尾空格", "remove blanks at the ends"),
        "gaps": BilingualText("占位符改为空值", "empty placeholders such as N/A"),
        "numbers": BilingualText("数字去掉分隔符和符号", "numbers without separators and signs"),
        "dates": BilingualText("日期统一为 年-月-日", "dates as year-month-day"),
    }
)


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
