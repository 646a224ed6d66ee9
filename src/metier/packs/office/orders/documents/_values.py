"""Values that an order names by what they are: the name of a party, a telephone number, a date."""

import itertools
import re
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._literal import names_value
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._view import DocTable, DocumentView

__all__ = ["ask_term", "replace_party", "replace_value"]

_MAX_SENTENCES: Final = 3
_MAX_QUOTED: Final = 60
_LITERAL: Final = re.compile(
    r"全部|全都|所有|统一|替换|全文|文中|每[一个处]|字样|一词|[“”\"「」『』]|\b(?:replace|all|every|each|"
    r"throughout|everywhere)\b",
    re.IGNORECASE,
)


# Words for a way of writing: what is to be written so, nobody has said.
_FORM: Final = re.compile(
    r"(?:中文|人民币|汉字)?[大小]写(?:金额|数字)?|[全半]角|简体|繁体|英文|中文|.{0,4}格式|uppercase|"
    r"lowercase|english|chinese"
)


# Kinds of values: words that name them, and how they are written.
_KINDS: Final = (
    (
        r"电话|手机|联系方式|号码|phone|mobile|telephone",
        r"(?<!\d)(?:1[3-9]\d{9}|0\d{2,3}[- ]?\d{7,8}|\+?\d[\d -]{7,14}\d)(?!\d)",
    ),
    (r"邮箱|邮件|e-?mail", r"[\w.+-]+@[\w-]+\.[\w.]+"),
    (
        r"日期|时间|哪天|截止|期限|deadline|date",
        r"(?:\d{4}\s*年\s*)?\d{1,2}\s*月\s*\d{1,2}\s*日|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2} (?:January|February|"
        r"March|"
        r"April|May|June|July|August|September|October|November|December)(?: \d{4})?",
    ),
    (r"网址|链接|website|url|link", r"https?://\S+|www\.\S+"),
)
_NAMED: Final = re.compile(r"(?:的)?(?:名字|名称|全称|公司名称?|单位名称?|姓名)$|'s name$")


def replace_value(
    text: RequestText, view: DocumentView, old: str, new: str, *, is_there: bool
) -> list[JsonObject] | None:
    """把联系电话改成…: what stands after a label, and not the label, is meant; None if the words themselves are.

    Words without digits that are to become a number or a date are a name for a value: which one, only the user knows.
    """
    label = _NAMED.sub("", old).strip()
    label = re.sub(r"(?<=[方人])(?:公司|单位)$", "", label)
    if is_there and label == old and _LITERAL.search(text.raw):
        return None
    if not _FORM.fullmatch(new) and (filled := _replace_in_form(view, {label, old}, new)) is not None:
        return filled
    if _FORM.fullmatch(new) or (
        is_there and any(cell.strip() == old for table in view.tables for cell in table.rows[0])
    ):
        raise OrderUnclear("no_value")
    found = _find_behind(view, label)
    if len(found) == 1:
        value = found[0][1]["value"].strip()
        new = _keep_unit(value, new)
        if re.search(r"全文|全部|都|所有|everywhere|throughout|\ball\b", text.raw) or label != old:
            return [step("replace_text", find_text=value, replace_text=new, max_matches=500)]
        return [step("replace_text", find_text=value, replace_text=new, address=found[0][0].address, occurrence=1)]
    if (kind := _replace_kind(view, label, new)) is not None:
        return kind
    if (beside := replace_beside(view, label, new)) is not None:
        return beside
    if found:
        raise OrderUnclear("many_places", text=old, count=len(found))
    if re.search(r"\d|[零一二三四五六七八九十百千万]+[元万%天日月年]", new) and not re.search(r"\d", old):
        raise ask_term(view, old, new) if is_there else OrderUnclear("no_text_here", text=old)
    return None


def _keep_unit(old: str, new: str) -> str:
    """A bare number with the unit of the one that it replaces: 300元 → 400."""
    unit = re.fullmatch(r"\d[\d,.]*\s*(?P<unit>[^\d\s]{1,8})", old)
    return (
        f"{new}{old[unit.start('unit') - (old[unit.start('unit') - 1] == ' ') :]}"
        if unit and re.fullmatch(r"\d[\d,.]*", new)
        else new
    )


def _find_behind(view: DocumentView, label: str) -> list[tuple[TextPiece, re.Match[str]]]:
    """What stands behind a label and its colon, else behind its verb: 地点：学校礼堂, 地点为学校礼堂."""
    name = rf"(?<![\u4e00-\u9fff]){re.escape(label)}"
    forms = (
        rf"{name}\s*[:：]\s*(?P<value>[^，。；,;\s][^，。；;\n]*)",
        rf"{name}(?:定在|设在|为|是)(?P<value>[^，。；,;：:\s]{{2,20}})",
    )
    known = ([(one, match) for one in view.all if (match := re.search(form, one.text))] for form in forms)
    return next(filter(None, known), [])


def ask_term(view: DocumentView, words: str, new: str) -> OrderUnclear:
    """The question which words become which, with the first few sentences in which they stand."""
    sentences = (
        sentence.strip()
        for one in view.texts_with(words)
        for sentence in re.split(r"(?<=[。！？；])|(?<=[.!?;])\s", one.line)
        if words in sentence
    )
    first = itertools.islice(dict.fromkeys(sentences), _MAX_SENTENCES)
    return OrderUnclear("term_in_text", text=words, new=new[:40], known=[f"“{one[:_MAX_QUOTED]}”" for one in first])


# Another word for a party, not a name: then the word itself is replaced.
_ROLE: Final = re.compile(
    r"[\u4e00-\u9fff]{1,4}[人方者]|(?:the )?(?:party [a-d]|[a-z]+(?:or|er|ee|ant|ord))", re.IGNORECASE
)


def replace_party(text: RequestText, view: DocumentView, old: str, new: str) -> list[JsonObject] | None:
    """The name of the party that the old words stand for; None if they stand for none, or are meant themselves."""
    name = "" if _LITERAL.search(text.raw) else _find_party(view, old)
    if not name or _ROLE.fullmatch(new.strip()):
        return None
    return [step("replace_text", find_text=name, replace_text=new, max_matches=500)]


def _find_party(view: DocumentView, label: str) -> str:
    """Name of the party that a label stands for: 甲方（出租方）：张建国, Harbour Estates Ltd ("Landlord")."""
    words = re.escape(label)
    forms = (
        rf"^\s*(?:{words}\s*[（(][^（()）]{{1,12}}[)）]|[^\s：:（(]{{1,8}}[（(]{words}[)）])\s*[:：]\s*(?P<it>[^\s，。；,;（(]{{2,40}})\s*$",
        rf"(?P<it>[A-Z][\w.'’-]*(?:\s+(?:&|of|[A-Z][\w.'’-]*))*)\s*\(\s*[\"“”']*(?:[Tt]he )?(?i:{words})[\"“”']*\s*\)",
    )
    found = {one["it"] for piece in view.all for form in forms if (one := re.search(form, piece.text))}
    return found.pop() if len(found) == 1 else ""


# A figure with its sign before or its unit after it, and for how long it holds.
_FIGURE: Final = re.compile(
    r"(?P<sign>[£$€¥￥]?)\s*\d+(?:,\d{3})*(?:\.\d+)?\s*(?P<unit>[%％]|[\u4e00-\u9fff]{0,2}|[A-Za-z]{0,8})"
    r"(?P<time>\s+(?:a|per|each|every) (?P<span>day|week|month|quarter|year))?"
)
_COUNTED: Final = re.compile(
    r"的?(?:数量|数目|个数|人数|金额|数值|数字|比例)$|\s+(?:amount|figure|number|count|value|rate)$", re.IGNORECASE
)


def replace_beside(view: DocumentView, label: str, new: str) -> list[JsonObject] | None:
    """The only figure of this kind that stands beside its name: a monthly rent of £2,400, a row Rent | £2,400.

    None if there is none, or if several differ: which one is meant, only the user knows.
    """
    said = _FIGURE.fullmatch(new.strip())
    if said is None or re.search(r"\d", label):
        return None
    names = [re.escape(one) for one in dict.fromkeys((label, _COUNTED.sub("", label))) if len(one) > 1]
    if not names:
        return None
    name = rf"(?<![A-Za-z])(?:{'|'.join(names)})(?![A-Za-z])"
    figure = rf"{re.escape(said['sign'])}\d+(?:,\d{{3}})*(?:\.\d+)?\s*{re.escape(said['unit'])}"
    form = re.compile(
        rf"{name}[^\d,，。;；.:：£$€¥￥]{{0,12}}[:：]?\s*(?P<after>{figure})(?![\d%％])|(?<![\d.])(?P<before>{figure})\s*{name}",
        re.IGNORECASE,
    )
    value = new.strip()[: said.start("time")].strip() if said["time"] else new.strip()
    made: list[JsonObject] = []
    old: set[str] = set()
    for piece in view.all:
        if piece.address.startswith("t") or not _holds_for(piece.text, said["span"]):
            continue
        for words, was in dict.fromkeys((one[0], one["after"] or one["before"]) for one in form.finditer(piece.text)):
            old.add(was.strip())
            told = words.replace(was.strip(), value)
            made.append(step("replace_text", find_text=words, replace_text=told, address=piece.address))
    for table in view.tables:
        for row, cells in enumerate(table.rows, 1):
            hits = [at for at, cell in enumerate(cells, 1) if re.fullmatch(figure, cell.strip(), re.IGNORECASE)]
            is_named = bool(cells) and re.fullmatch(name, cells[0].strip(), re.IGNORECASE) is not None
            if is_named and len(hits) == 1 and _holds_for(" ".join(cells), said["span"]):
                old.add(cells[hits[0] - 1].strip())
                made.append(step("set_table_cell_text", row=row, col=hits[0], text=value, table_index=table.number))
    return made if len(old) == 1 else None


_MIN_PAIRS: Final = 2


def _replace_in_form(view: DocumentView, labels: set[str], new: str) -> list[JsonObject] | None:
    """The cell beside a label of a form, whose rows are labels and values by turns; None if there is no such cell."""
    found = [
        (table.number, row, at + 2)
        for table in view.tables
        if _is_form(table)
        for row, cells in enumerate(table.rows, 1)
        for at in range(0, len(cells) - 1, 2)
        if cells[at].strip().rstrip(":：").strip() in labels
    ]
    if len(found) > 1:
        raise OrderUnclear("many_places", text=max(labels, key=len), count=len(found))
    return [
        step("set_table_cell_text", row=row, col=column, text=new, table_index=number) for number, row, column in found
    ] or None


def _is_form(table: DocTable) -> bool:
    """Whether a table is filled in beside its labels: an even number of columns, and most rows begin with a name."""
    names = [names_value(cells[0].strip().rstrip(":：")) for cells in table.rows if cells]
    is_even = all(len(cells) % 2 == 0 for cells in table.rows)
    has_head = bool(table.rows) and all(names_value(cell) or not cell.strip() for cell in table.rows[0])
    return is_even and len(names) >= _MIN_PAIRS and sum(names) * 2 >= len(names) and not has_head


def _holds_for(text: str, span: str | None) -> bool:
    """Whether a text says for how long its figure holds, as the new one does: a month, monthly."""
    return span is None or re.search(rf"{span[:4]}", text, re.IGNORECASE) is not None


def _replace_kind(view: DocumentView, old: str, new: str) -> list[JsonObject] | None:
    """The only value of a kind in the document: its only telephone number, its only date."""
    for names, form in _KINDS:
        if not re.search(names, old, re.IGNORECASE) or not re.search(form, new) or re.search(r"\d", old):
            continue
        near = [one for one in view.all if old in one.text]
        values = {match[0].strip() for one in near or view.all for match in re.finditer(form, one.text)}
        if len(values) != 1:
            code = "many_places" if values else "no_text_here"
            raise OrderUnclear(code, text=old, **({"count": len(values)} if values else {}))
        return [step("replace_text", find_text=values.pop(), replace_text=new, max_matches=500)]
    return None
