"""Orders that give parts of a document another shape: levels of headings, a table as a list, numbers of a column."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, OrderContext, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_table
from metier.packs.office.orders.documents._view import DocTable, DocumentView

__all__ = ["RESHAPE_RULES"]

_MAX_LEVEL: Final = 9


def _shift_levels(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """All headings one level down or up: bump every heading down one level."""
    found = text.take(
        r"(?:所有|全部|各级|每个|整篇)?的?标题(?:级别)?(?:都|全部|统一|各)*(?:往?(?P<down>降|下调|下降|下移|"
        r"降低)|往?(?P<up>升|上调|上升|提升|提高))"
        r"(?:了)?(?:低|高)?(?:一|1)级|"
        r"\b(?:bump|move|push|shift|demote|promote|lower|raise|take|drop|bring) (?:all |every |each |the |"
        r"of )*headings? "
        r"(?:(?P<below>down)|(?P<above>up))?(?: by)? ?(?:one|a|1) level(?: (?P<low>down|lower)| (?P<high>up|"
        r"higher))?\b|"
        r"\b(?P<verb>demote|promote) (?:all |every |each |the |of )*headings?(?: by)?(?: (?:one|a|1) level)?\b"
    )
    if found is None:
        return None
    verb = found[0].split()[0].lower()
    downs = bool(found["down"] or found["below"] or found["low"] or verb in ("demote", "lower", "drop"))
    ups = bool(found["up"] or found["above"] or found["high"] or verb in ("promote", "raise"))
    if downs == ups:
        raise OrderUnclear("no_value")
    view = DocumentView(context.reading)
    levels: dict[int, list[JsonValue]] = {}
    for one in view.headings:
        if "title" in one.style.lower() or one.style == "标题":
            continue  # the title of the document is no heading of a level
        levels.setdefault(one.level, []).append(one.address)
    if not levels or 0 in levels:
        raise OrderUnclear("no_place")
    if (downs and max(levels) >= _MAX_LEVEL) or (ups and min(levels) <= 1):
        raise OrderUnclear("no_value")
    return [
        step("apply_paragraph_style", addresses=listed, heading=level + (1 if downs else -1))
        for level, listed in sorted(levels.items(), reverse=downs)
    ]


def _table_to_list(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Each row of a table as a point with the names of its columns: turn the table into a bulleted list."""
    points = r"(?:a |an )?(?:bullet(?:ed)? list|bullets|bullet points?|list(?: of bullets)?|(?P<en>numbered list))"
    found = text.take(
        r"(?<=表)格?(?:都|给我|整个)?(?:改|变|转|换|做|写|拆)(?:换)?(?:成|为)(?:一个|一条条的?|几条)?(?:项目符号|"
        r"圆点)?的?(?:列表|清单|要点|条目|(?P<zh>编号列表))|"
        rf"\b(?:turn|convert|change|make|rewrite) (?=(?:the |this |that )?(?:\w+ )?table\b).*?\b(?:in)?to {points}\b"
    )
    if found is None:
        return None
    view = DocumentView(context.reading)
    text.take_all(r"表格?")
    table = take_table(RequestText(found[0]), view)
    before = view.blocks.index(f"t{table.number}") - 1
    place = next((one for one in view.filled if before >= 0 and one.address == view.blocks[before]), None)
    heads = [one.strip() for one in table.rows[0]]
    if place is None or len(table.rows) < 2 or not all(heads) or len(set(heads)) != len(heads):
        raise OrderUnclear("no_place")
    mark, joint = choose(context.language, zh=("：", "；"), en=(": ", "; "))
    lines = [
        joint.join(f"{head}{mark}{' '.join(cell.split())}" for head, cell in zip(heads, row, strict=True))
        for row in table.rows[1:]
    ]
    kind = "number" if found["zh"] or found["en"] else "bullet"
    return [
        step("set_selection_by_text", anchor_text=place.text, address=place.address, position="end"),
        step("insert_text", text="\n".join(lines), list=kind, new_paragraph_before=True),
        step("delete_paragraphs", addresses=[f"t{table.number}"]),
    ]


def _column_numbers(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Numbers of a column of a table with signs between thousands, and its side: 金额那列右对齐，加千分号."""
    view = DocumentView(context.reading)
    if not view.tables or not text.take(
        rf"(?:(?:{ADD})(?:上|个)?|用|带上?|要有|显示)*(?:千分|千位)(?:位|号|符|分隔)*(?:号|符)?|"
        r"\b(?:with |and |add |use |put )*(?:a )?thousands? (?:separators?|signs?|commas?)\b"
    ):
        return None
    look = take_look(text)
    if set(look) - {"alignment"}:
        raise OrderUnclear("no_look")
    table = take_table(text, view)
    columns = _take_heads(text, table)
    text.take_all(
        r"(?:表格?)?(?:里头?|里面|中|上|头)|(?:这|那)?一?[列栏]|给我|[,，]|数字|都|\b(?:columns?|in|numbers?|and|"
        r"with|aligned)\b"
    )
    if len(columns) != 1:
        raise OrderUnclear("no_column", known=tuple(table.rows[0]))
    at = columns[0]
    cells = [row[at - 1].strip() for row in table.rows[1:]]
    if not all(re.fullmatch(r"[¥￥$€£]?-?\d[\d,]*(?:\.\d+)?", one) for one in cells if one) or not any(cells):
        raise OrderUnclear("no_numbers", text=table.rows[0][at - 1])
    made = [
        step("set_table_cell_text", row=row, col=at, text=shown, table_index=table.number)
        for row, cell in enumerate(cells, 2)
        if cell and (shown := _with_signs(cell)) != cell
    ]
    if look:
        addresses: list[JsonValue] = [f"t{table.number}.r{row}.c{at}" for row in range(1, len(table.rows) + 1)]
        made.append(step("apply_paragraph_style", addresses=addresses, **look))
    if not made:
        raise OrderUnclear("no_value")
    return made


def _take_heads(text: RequestText, table: DocTable) -> list[int]:
    columns = []
    for at, head in enumerate(table.rows[0], 1):
        name = re.escape(head.strip())
        if len(head.strip()) > 1 and (
            found := re.search(
                rf"(?:(?:那|这)一?[列栏]的?)?{name}(?:(?:那|这)?一?[列栏]|\s+column\b)?", text.mask, re.IGNORECASE
            )
        ):
            text.consume(*found.span())
            columns.append(at)
    return columns


def _with_signs(cell: str) -> str:
    """12000.50 becomes 12,000.50; a sign of money stays."""
    found = re.fullmatch(r"([¥￥$€£]?-?)([\d,]+)(\.\d+)?", cell)
    if found is None:
        return cell
    return f"{found[1]}{int(found[2].replace(',', '')):,}{found[3] or ''}"


RESHAPE_RULES: Final = (_shift_levels, _table_to_list, _column_numbers)
