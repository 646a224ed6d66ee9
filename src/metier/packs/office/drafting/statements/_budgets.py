"""A budget from a message that is read whole: two amounts for each name and their difference by a formula."""

import re
from typing import TYPE_CHECKING, Final

from metier.language import choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting.content._sheet_blocks import write_budget
from metier.packs.office.drafting.statements._columns import take_columns
from metier.packs.office.drafting.statements._points import SaidRecord, take_rows
from metier.packs.office.drafting.statements._sheet_words import is_sheet_read, take_sheet

if TYPE_CHECKING:
    from metier.language import Language

__all__ = ["state_budget"]

_PLANNED: Final = re.compile(r"预算|计划|批复|核定|预估|定额|目标|budget|plan", re.IGNORECASE)
_SPENT: Final = re.compile(r"实际|实付|实花|执行|支出|花费|已用|发生|actual|spent|real", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"差(?!旅)|结余|余额|剩余|节余|盈亏|超支|节约|\b(?:difference|variance|delta|left|remaining|balance|"
    r"gap|over/under)\b",
    re.IGNORECASE,
)
_FORMAT: Final = (
    r"(?:金额|数字|数值|数)?(?:都|也|要|请|统一)*(?:显示|保留|带|用|加|取)?(?:上)?(?:[两二2]位小数|"
    r"千[分位]位?(?:分隔)?(?:符|号)?)|"
    r"\b(?:with )?(?:two decimals(?: places)?|(?:a )?thousands? separators?)\b"
)


def state_budget(text: RequestText, language: "Language") -> DraftBlock | None:
    """Names with two amounts each and their difference by a formula, under four columns that the message names."""
    columns = take_columns(text, 4)
    rows = take_rows(text) if columns else ()
    if not columns or not rows or len({one.name for one, _ in rows}) < len(rows):
        return None
    title, sheet = take_title(text), take_sheet(text)
    _open_quotes(text, columns)
    formula = _take_difference(text, columns)
    if formula is None or not _roles_agree(rows, columns) or not _says_count(text, len(columns), len(rows)):
        return None
    text.take_all(_FORMAT)
    if not is_sheet_read(text, "budget", rows[0][0].start):
        return None
    data = [(one.name, *one.numbers) for one, _ in rows]
    name = sheet or title or choose(language, zh="预算表", en="Budget")
    return write_budget(columns, data, formula, title, language, sheet=name)


def _open_quotes(text: RequestText, names: tuple[str, ...]) -> None:
    """Show the names of columns that stand in quotation marks once more: “相差”那一列由公式得出."""
    for one in list(text.left_quotes()):
        if one.text in names:
            text.mask = f"{text.mask[: one.start - 1]} {text.raw[one.start : one.end]} {text.mask[one.end + 1 :]}"


def _take_difference(text: RequestText, columns: tuple[str, ...]) -> str | None:
    """How the last column is computed from the two before it; None if the message leaves it open."""
    last = re.escape(columns[3])
    sides = []
    for name in columns[1:3]:
        short = {name, re.sub(r"(?:金额|数额?|票款|费用?|costs?)$", "", name)} | ({"预算"} if "预算" in name else set())
        short |= {"实际"} if "实际" in name else set()
        sides.append("|".join(re.escape(one) for one in sorted(short, key=len, reverse=True) if one))
    minus = r"\s*(?:数|额)?\s*(?:里|中)?\s*(?:减去?|[-－−–]|\bminus\b|\bless\b)\s*"
    between = rf"(?:(?P<ab>(?:{sides[0]}){minus}(?:{sides[1]}))|(?P<ba>(?:{sides[1]}){minus}(?:{sides[0]})))"
    said = re.search(between, text.mask, re.IGNORECASE)
    if said:
        text.consume(*said.span())
    text.take_all(
        rf"(?:最后一?列|那一?列|{last})?(?:那一?[列栏]|这一?[列栏]|一?[列栏])?(?:要|请|都|得|由|用|以|拿|"
        rf"写|填|来|就|自动|成|是|等于|[=＝]|靠|"
        rf"从)*公式(?:来|去)?(?:自动)?(?:计算|算|求|得)?(?:出来?)?|"
        rf"(?:{last}|最后一?列)(?:那?一?[列栏])?(?:请|要|都)?(?:自动)?(?:计算|算)(?:出来?)?|"
        rf"{last}(?:那?一?[列栏])?\s*(?:=|等于|是|就是|"
        rf"为)?(?=\s*[,，。;)\ufffc]|$)|(?:就是|也就是|拿)(?=\ufffc)|"
        rf"(?:let|have) (?:excel|it|a formula|formulas?) (?:compute|calculate|work out) (?:the )?{last}|"
        rf"(?:(?:the )?{last}|the last (?:one|column))(?: column)? (?:should be|must be|is|as|comes from|by|"
        rf"with|to be)?\s*(?:calculated|computed)?\s*(?:by|with|from|as)? ?(?:an? )?(?:live )?formulas?|"
        rf"\buse an? formula (?:in|for) the (?:last column|{last})|(?:the )?{last} (?:must be |should be |"
        rf"is )?(?:calculated|computed)|"
        r"(?:要|用|写)?公式(?:计算)?|\b(?:as|by|with) (?:an? )?formulas?\b"
    )
    text.take_all(r"(?:,|，)?\s*(?:不要|别|不用)手[填算工]+|,?\s*not typed(?: in)?")
    if said:
        return "B{row}-C{row}" if said["ab"] else "C{row}-B{row}"
    if not _DIFFERENCE.search(columns[3]):
        return None
    roles = [(bool(_PLANNED.search(one)), bool(_SPENT.search(one))) for one in columns[1:3]]
    if roles == [(True, False), (False, True)]:
        return "B{row}-C{row}"
    return "C{row}-B{row}" if roles == [(False, True), (True, False)] else None


def _roles_agree(rows: "tuple[tuple[SaidRecord, tuple[str, str]], ...]", columns: tuple[str, ...]) -> bool:
    """Whether each number stands in the column that the word beside it names."""
    for _, said in rows:
        for form in (_PLANNED, _SPENT):
            named = [bool(form.search(one)) for one in said]
            there = [bool(form.search(one)) for one in columns[1:3]]
            if any(named) and any(there) and named != there:
                return False
    return True


def _says_count(text: RequestText, columns: int, rows: int) -> bool:
    """Whether the counts of columns and rows that the message gives are those of the table."""
    wide = [found[1] for found in text.take_each(rf"({COUNT})\s*(?:个)?(?:列|栏)(?!名)|\b({COUNT}) columns")]
    long = [found[1] or found[2] for found in text.take_each(rf"(?:下面)?({COUNT})行|\b({COUNT}) (?:rows|items)\b")]
    return all(read_count(one or "") in (columns, None) for one in wide) and all(
        read_count(one or "") == rows for one in long
    )
