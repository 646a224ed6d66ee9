"""A new row by its values, in any order of words, and a row, point or sentence that goes by what it is about."""

import re
from collections.abc import Container, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.orders._days import fit_day
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.grounded._change import describe_row, find_row
from metier.packs.office.orders.grounded._doubt import check_accounted, check_ordered
from metier.packs.office.orders.grounded._facts import TableGrid, TextFact
from metier.packs.office.orders.grounded._said import SaidClause
from metier.packs.office.orders.grounded._values import find_values
from metier.packs.office.orders.grounded._words import content_words, count_shared, stem, words_of

__all__ = ["add_row", "remove_item"]

_ADDS: Final = re.compile(
    r"(?:再|又|新)?(?:加|补|添|新增|增加|插入?)(?:上|入|进去?)?(?:了)?(?:一)?(?:个|行|条|项|笔|名|台|位|件|批)|"
    r"(?:新到|新来|新进|新入职|又来|转来)了?(?:一)?(?:个|名|台|位|条|批|件)|"
    r"\b(?:add|insert|append|put|enter|include)\b.{0,20}?\b(?:a|an|one|another|new|this)\b.{0,12}?\b(?:row|line|"
    r"entry|record|item|expense|student|"
    r"order|product|person|invoice|customer|payment|receipt|milestone|task)\b|\bneeds? (?:to go in|adding)\b|"
    r"\bnew (?:row|entry|line|record)\b",
    re.IGNORECASE,
)
_PART: Final = re.compile(r"(?<!\d)[,，、;；]|[,，、;；](?!\d{3}(?!\d))|[;；。?？!！\n]|(?<=[A-Za-z\d])\.(?=\s|$)")
_LEAD: Final = re.compile(
    r"^(?:and|it's|it is|that's|with|under|to|for|on|at|by|is|are|was|the|a|an|also)\b(?:\s+(?:the|a|an)\b)?\s*|"
    r"^(?:就?是|为|写|填|叫)",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    r"\bbetween (?P<a>[\w' ]+?) and (?P<b>[\w' ]+)|\b(?P<side>after|below|before|above) (?:the )?(?P<it>[\w' ]+)|"
    r"(?:在)?(?P<zh>[\u4e00-\u9fffA-Za-z0-9]{2,12}?)(?:那行|那一行|这行)?(?P<zh_side>后面|之后|下面|前面|之前|上面)",
    re.IGNORECASE,
)


def add_row(said: str, grids: Sequence[TableGrid]) -> list[JsonObject] | None:
    """Steps for a row whose values the message lists; None if it lists none, or a value has no column of its own."""
    trigger = _ADDS.search(said)
    if trigger is None or re.search(r"[“”\"「」]", said):
        return None
    end = _PART.search(said, trigger.end())
    colon = re.search(r"[:：]", said[trigger.end() :])
    at = min(one for one in (end.start() if end else len(said), trigger.end() + colon.start() if colon else len(said)))
    head, tail = said[:at], said[at + 1 :]
    if re.match(r"\bneeds? (?:to go in|adding)", trigger[0], re.IGNORECASE):
        tail = f"{_with_capital(said[: trigger.start()].strip())}, {said[trigger.end() : at]}, {tail}"
        head = said[trigger.start() : trigger.end()]
    parts = [part for one in _PART.split(tail) if one and (part := one.strip(" :：.。")) and not _is_promise(part)]
    if len(parts) < 2:
        return None
    fitting = []
    for grid in grids:
        values = _place(grid, parts)
        if values is not None:
            fitting.append((count_shared(head, f"{grid.name} {' '.join(grid.head)}"), len(values), grid, values))
    best = max((one[:2] for one in fitting), default=None)
    top = [one for one in fitting if one[:2] == best]
    if len(top) != 1 or (insert := top[0][2].insert) is None:
        return None
    if not _is_for_table(top[0][2], head, parts):
        return None
    check_ordered([SaidClause(head)], 0, [{"text": ", ".join(parts)}], "")
    cells = [describe_row(top[0][2], cells) for _, cells in top[0][2].rows]
    check_accounted(re.sub(r"[^\x00-\x7f]", " ", head.replace(trigger[0], " ")), "\n".join((*cells, *parts)))
    grid, values = top[0][2], {at: fit_day(top[0][2].column(at), value) for at, value in top[0][3].items()}
    return insert(values, _position(grid, head))


def _is_for_table(grid: TableGrid, head: str, parts: Sequence[str]) -> bool:
    """Whether the table is named, or its columns know all values but one: else a list of words fits many tables."""
    if re.search(
        r"第[一二三四五六七八九十\d]+[条款节段章]|\b(?:section|clause|paragraph|article)\b", head, re.IGNORECASE
    ):
        return False
    if re.search(r"[行表]|\b(?:rows?|table|lines?|entry|record)\b", head, re.IGNORECASE):
        return True
    if count_shared(head, f"{grid.name} {' '.join(grid.head)}") >= 1:
        return True
    pieces = [piece for part in parts for piece in _split_labelled(grid, part)]
    return sum(not find_values(one) and _find_column(grid, one, {}) is None for one in pieces) <= 1


def _with_capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def _is_promise(part: str) -> bool:
    return (
        re.fullmatch(r"合计.{0,4}(?:别漏|要算|要包括|跟着).{0,6}|谢谢|麻烦了?|thanks?|please", part, re.IGNORECASE)
        is not None
    )


def _position(grid: TableGrid, head: str) -> int:
    """Number of the row before which the new one stands; 0 for the end. Asked if the place is not clear."""
    found = _PLACED.search(head)
    if found is None and re.search(r"之间|中间", head):
        raise OrderUnclear("no_place")  # between two rows of which one may not be there
    if found is None:
        return 0
    words = found["a"] or found["it"] or found["zh"]
    row = find_row(grid, words)
    if row is None:
        if re.search(r"表|table|list|最", found[0]):
            return 0
        raise OrderUnclear("no_place")
    is_before = (found["side"] or found["zh_side"] or "").lower() in ("before", "above", "前面", "之前", "上面")
    return row[0] if is_before else row[0] + 1


def _place(grid: TableGrid, parts: Sequence[str]) -> dict[int, str] | None:
    """Which value stands in which column; None if one fits none, or two the same."""
    made: dict[int, str] = {}
    open_parts: list[str] = []
    pieces = [piece for part in parts for piece in _split_labelled(grid, part)]
    pieces.sort(key=lambda part: _find_labelled(grid, part, ()) is None)
    for part in pieces:
        found = _find_column(grid, part, made)
        if found is None:
            open_parts.append(part)
            continue
        if any(column in made for column in found):
            return None
        made |= found
    left = [at for at in _open_columns(grid) if at not in made]
    for part in open_parts:
        column = next((at for at in left if _is_alike(grid, at, part)), None)
        if column is None or _says_more(grid, column, part):
            return None
        made[column] = _LEAD.sub("", part).strip()
        left.remove(column)
    texts = [at for at in _open_columns(grid) if at not in made and not _is_optional(grid, at)]
    return made if made and not texts else None


def _says_more(grid: TableGrid, at: int, part: str) -> bool:
    """Whether a value is one that the column knows, and words beside it: small on Sundays."""
    known = [one for one in grid.column(at) if one.isascii() and re.search(r"[A-Za-z]{2}", one)]
    return any(
        re.search(rf"\b{re.escape(one)}\b", part, re.IGNORECASE) and one.lower() != part.lower() for one in known
    )


def _open_columns(grid: TableGrid) -> list[int]:
    """Columns without formulas and running numbers."""
    return [
        at
        for at in range(len(grid.head))
        if not any((row, at) in grid.fixed for row, _ in grid.rows) and not is_serial(grid, at)
    ]


def is_serial(grid: TableGrid, at: int) -> bool:
    """Whether a column only counts its rows."""
    return len(grid.rows) > 1 and [one.rstrip(".") for one in grid.column(at)] == [
        str(one) for one in range(1, len(grid.rows) + 1)
    ]


def _is_optional(grid: TableGrid, at: int) -> bool:
    cells = grid.column(at)
    return any(not one for one in cells) or bool(
        re.search(r"备注|说明|remark|note|comment", grid.head[at], re.IGNORECASE)
    )


def _split_labelled(grid: TableGrid, part: str) -> list[str]:
    """语文80数学81 as two parts: values that stand behind the names of their columns."""
    heads = [one for one in grid.head if len(one) > 1]
    spots = sorted(
        {found.start() for one in heads for found in re.finditer(rf"{re.escape(one)}(?=\s*[:：是为]?\s*\S)", part)}
    )
    if len(spots) < 2:
        return [part]
    return [
        one
        for one in (part[start:end].strip() for start, end in zip([0, *spots], [*spots, len(part)], strict=False))
        if one
    ]


def _find_labelled(grid: TableGrid, part: str, made: Container[int]) -> dict[int, str] | None:
    """The column whose name stands before the value: 单价51800, costs us 1.15."""
    for at in _open_columns(grid):
        name = re.sub(r"\s*[（(\[].*$", "", grid.head[at]).strip()
        form = rf"{re.escape(name)}s?\s*(?:写|填|是|为|[:：=]|\bus\b|\bis\b|\bof\b)*\s*(?P<it>.+)$"
        if at not in made and len(name) > 1 and (found := re.match(form, part, re.IGNORECASE)):
            return {at: found["it"].strip()}
    return None


def _find_column(grid: TableGrid, part: str, made: dict[int, str]) -> dict[int, str] | None:
    """Columns that a part names or whose values it has; None if nothing tells."""
    if (labelled := _find_labelled(grid, part, made)) is not None:
        return labelled
    columns = [at for at in _open_columns(grid) if at not in made]
    plain = _LEAD.sub("", part).strip()
    for at in columns:
        known = list(dict.fromkeys(one for one in grid.column(at) if one))
        same = next((one for one in known if one.lower() == plain.lower()), "")
        own = set() if re.search(r"\d", plain) else set(content_words(plain))
        same = same or next((one for one in known if own and own == set(content_words(one))), "")
        if same and not re.fullmatch(r"[\d.,]+", same):
            return {at: same}
        if state := _read_state(grid, at, part):
            return {at: state}
    return _by_kind(grid, columns, part)


def _read_state(grid: TableGrid, at: int, part: str) -> str:
    """Yes or no for a column that says only that: not paid yet."""
    states = {one.lower(): one for one in grid.column(at) if one}
    if not states or not set(states) <= {"yes", "no", "是", "否", "y", "n"}:
        return ""
    head = grid.head[at]
    is_said = (
        any(stem(one) == stem(head) or stem(head).startswith(one[:3]) for one in content_words(part))
        if head.isascii()
        else head in part
    )
    if not is_said:
        return ""
    refuses = re.search(r"\bnot\b|n't\b|\bun|没|未|不", part, re.IGNORECASE) is not None
    return next((states[one] for one in (("no", "n", "否") if refuses else ("yes", "y", "是")) if one in states), "")


def _by_kind(grid: TableGrid, columns: Sequence[int], part: str) -> dict[int, str] | None:
    values = find_values(part)
    if len(values) != 1:
        return None
    value = values[0]
    fitting = []
    for at in columns:
        held = [one for cell in grid.column(at) for one in find_values(cell)[:1]]
        if held and all(one.kind == value.kind for one in held):
            fitting.append(at)
    units = [
        at
        for at in columns
        if value.unit and (value.unit in grid.column(at) or grid.head[at].strip() in ("单位", "Unit"))
    ]
    if value.kind == "number" and units:
        counted = [at for at in fitting if at < units[0]][-1:]
        return {counted[0]: value.text, units[0]: value.unit} if counted else None
    if value.kind == "number" and len(fitting) > 1:
        named = [
            at
            for at in fitting
            if (value.unit and value.unit in grid.head[at])
            or re.search(r"数量|quantity|qty", grid.head[at], re.IGNORECASE)
        ]
        shared = [at for at in fitting if words_of(grid.head[at]) & words_of(part)]
        fitting = shared or (named if value.unit else fitting)
    rest = part.replace(value.text, " ").strip()
    if len(fitting) == 1 and (
        not rest or value.unit or count_shared(rest, grid.head[fitting[0]]) > 0 or not content_words(rest)
    ):
        return {fitting[0]: value.text}
    return None


def _is_alike(grid: TableGrid, at: int, part: str) -> bool:
    """Whether a value may stand in a column: numbers among numbers, words among words."""
    held = [one for one in grid.column(at) if one]
    plain = _LEAD.sub("", part).strip()
    is_number = re.fullmatch(r"[£$€¥￥]?[\d.,]+[%％]?", plain) is not None
    numbers = [one for one in held if re.fullmatch(r"[£$€¥￥]?[\d.,]+[%％]?", one)]
    if is_number != bool(numbers and len(numbers) == len(held)):
        return False
    return is_number or (
        (len(plain) <= max(map(len, held), default=0) * 3 + 6 and not find_values(plain)[:1]) or _has_kind(held, plain)
    )


def _has_kind(held: Sequence[str], plain: str) -> bool:
    kinds = {one.kind for cell in held for one in find_values(cell)[:1]}
    return bool(kinds & {one.kind for one in find_values(plain)})


_GOES: Final = re.compile(
    r"(?:那|这)?(?:一)?(?:句(?:话)?|条|行|点|项|个|笔)?(?:就)?(?:都)?(?:不要了?|不用了|去掉|删掉?|删了|删除|拿掉|"
    r"取消(?:了|掉)?)(?:吧)?$|^(?:把|请)?(?:删掉?|删除|去掉|取消)|"
    r"\b(?:can|should|must|has to|needs to) (?:go|come out|be (?:deleted|removed|dropped))\b|\bis no longer needed\b|"
    r"\b(?:delete|remove|drop|scrap|lose|cut|get rid of)\b|\btake\b.{2,40}?\b(?:out|off)\b",
    re.IGNORECASE,
)
_UNITS: Final = (
    ("row", r"那?一?行|\b(?:rows?|line in the table|entry)\b|表格?里?"),
    ("point", r"(?:那|这)?一?[条点]|\b(?:bullets?|points?)\b"),
    ("sentence", r"(?:那|这)?一?句(?:话)?|\bsentences?\b"),
)


def remove_item(
    clauses: Sequence[SaidClause], at: int, facts: Sequence[TextFact], grids: Sequence[TableGrid]
) -> list[JsonObject] | None:
    """Step that takes out the only row, point or sentence that a clause is about; None if it names none, or several."""
    text, earlier = clauses[at].text, [one.text for one in reversed(clauses[:at])][:1]
    found = _GOES.search(text)
    if found is None or re.search(
        r"列|栏|页|章|节|所有|全部|每|\d|[“\"「]|\b(?:columns?|slides?|pages?|sections?|all|every|blank|empty)\b", text
    ):
        return None
    unit = next((name for name, form in _UNITS if re.search(form, text, re.IGNORECASE)), "")
    if not unit and not re.match(
        r"(?:把|请|将)|(?:please )?(?:delete|remove|drop|scrap|lose|cut|get rid|take)\b", text, re.IGNORECASE
    ):
        return None
    words = re.sub(_GOES, " ", text) if not text.lower().startswith(("delete", "take", "remove", "drop")) else text
    for said in (words, " ".join([words, *earlier])):
        items: list[tuple[float, JsonObject, str, str]] = []
        for grid in grids if unit in ("", "row") else ():
            row = find_row(grid, said)
            if row is not None and grid.delete is not None:
                score = row[2] + 0.7 * count_shared(said, grid.name)
                step, place = grid.delete(row[0], row[1]), describe_row(grid, row[1])
                items.append((score, step, " | ".join(row[1]), place))
        for fact in facts if unit != "row" and len(facts) > 1 else ():
            score = count_shared(said, fact.text)
            if score >= 1 and fact.delete is not None:
                score += 0.7 * count_shared(said, fact.context)
                items.append((score, fact.delete(), fact.text, f"{fact.text}\n{fact.context}"))
        best = max((one[0] for one in items), default=0.0)
        top = [one for one in items if one[0] > best - 0.6]
        if len(top) > 1:
            raise OrderUnclear("which_of", first=top[0][2][:60], second=top[1][2][:60])
        if best >= 1:
            _check_whole(top[0][2], said, unit)
            check_ordered(clauses, at, [top[0][1]], "")
            check_accounted(re.sub(_GOES, " ", text), top[0][3])
            return [top[0][1]]
    return None


def _check_whole(text: str, said: str, unit: str) -> None:
    """Ask if only one part of a sentence is named and nothing says that all of it goes."""
    parts = [one.strip() for one in re.split(r"[,，;；]", text.rstrip("。.;； ")) if one.strip()]
    named = [one for one in parts if count_shared(said, one) > 0]
    if unit in ("", "point") and " | " not in text and len(parts) > 1 and len(named) < len(parts):
        raise OrderUnclear("which_of", first=(named or parts)[0][:60], second=text[:60])
