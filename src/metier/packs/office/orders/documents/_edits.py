"""Orders that write into a document: new paragraphs, clauses and headings, replaced words, comments."""

import re
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import ADD, OrderContext, split_values, step, take_text
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._ordinals import read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_span
from metier.packs.office.orders.documents._replacements import replace_words
from metier.packs.office.orders.documents._view import DocumentView, name_number

__all__ = ["EDIT_RULES"]

_UNIT: Final = (
    r"(?:一行|一个)?副标题|(?:一|1|两|几)?(?:个|小)?(?:段(?:落|话|文字)?|句(?:话)?|行(?:字|文字)?|条(?:款)?(?!件)|"
    r"款|点|"
    r"项)(?:内容|说明|声明|条款|文字)?|\b(?:a |an |one |another |this |"
    r"the )?(?:following )?(?:new |closing |final |last |short )?(?:paragraph|sentence|line|clause|article|item|"
    r"statement|note)\b"
)
# The end of one of these is the end of the document; that of anything else is a place in it.
_ALL_OF_IT: Final = (
    r"(?:the|this|my|our) (?:document|doc|file|text|contract|agreement|report|letter|notice|paper|minutes|memo|"
    r"whole thing|page)\b"
)
_END: Final = (
    r"(?:在|到|于)?(?:这份|这个|本)?(?:合同|文档|文章|通知|全文|正文|文件|报告|协议|公告)?的?(?:最后面?|"
    r"(?<!节)(?<!部分)(?<!段)(?<!章)末尾|(?<!节)(?<!部分)(?<!段)结尾|文末|最末|尾部|最下面)(?:处)?(?:再)?|\b(?:at|"
    r"to) the (?:very )?(?:end|"
    rf"bottom)\b(?: of {_ALL_OF_IT})?"
)
_START: Final = (
    r"(?:在|到|于)?(?:这份|这个|本)?(?:合同|文档|文章|通知|全文|正文|文件|报告|协议)?的?(?:最前面?|开头|"
    r"最上面|开始处?|文首|顶部|最开头)(?:处)?(?:再)?|\b(?:at|to) the (?:very )?(?:beginning|start|"
    rf"top)\b(?: of {_ALL_OF_IT})?"
)
_SIDE: Final = (
    r"(?:的)?(?P<side>后面|之后|后边|以后|下面|下方|之下|后|前面|之前|前边|以前|上面|上方|之上|前)(?:再|"
    r"另起一段|另起一行)?|\b(?P<en>after|below|under|following|before|above)\b"
)
_AFTER_WORDS: Final = ("后", "下", "以后", "之后", "之下", "after", "below", "under", "following")
# 电话后面加“转802”: behind the value of a line with a label stands more of that line.
_GOES_ON_LINE: Final = re.compile(r"后(?:面|边)?$|之后|以后|after", re.IGNORECASE)
_LABELLED: Final = re.compile(r"\s*[^:：]{1,12}[:：]\s*[^。.!！?？]{1,40}[^。.!！?？\s]\s*")
_CLAUSE_HEAD: Final = re.compile(r"\s*(?:第[一二三四五六七八九十百\d]+条|[（(]?[一二三四五六七八九十\d]+[)）、.．])")


def _insert_inline(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Words beside other words of the same line: “学校东操场”后面加上“（雨天除外）”."""
    found = re.search(
        rf"(?:在)?({QUOTED})(?:这几个字|一词|这句话?)?(?:的)?(后面|之后|后|前面|之前|前)(?:紧接着)?(?:{ADD}|"
        rf"再加)(?:上)?\s*({QUOTED})\s*$|"
        rf"\b(?:add|insert|put) ({QUOTED}) (?:right )?(after|before) ({QUOTED})\s*$|"
        rf"^\s*(?:right |directly )?(after|before) ({QUOTED})\s*,? (?:add|insert|put|write) ({QUOTED})\s*$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return None
    old, new = next((found.span(a), found.span(b)) for a, b in ((1, 3), (6, 4), (8, 9)) if found[a])
    words, added = text.text_of(*old), text.text_of(*new)
    places = DocumentView(context.reading).texts_with(words)
    if len(places) != 1:
        code = "many_places" if places else "no_text_here"
        raise OrderUnclear(code, text=words, **({"count": len(places)} if places else {}))
    text.consume(*found.span())
    is_after = (found[2] or found[5] or found[7]).startswith(("后", "之后", "after"))
    op = "insert_after_text" if is_after else "insert_before_text"
    return [step(op, anchor_text=words, text=added, address=places[0].address)]


def _insert(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    verb = re.search(ADD, text.mask, re.IGNORECASE)
    if verb is None or text.has(
        r"页码|页眉|页脚|批注|表格|图表|一?[行列](?=$|[:,，])(?<=列)|目录|水印|\b(?:comment|table|chart|"
        r"row|column|header|footer|page number|footnote)\b|题注"
    ):
        return None
    view = DocumentView(context.reading)
    look = {} if ":" in text.mask else _take_new_look(text)
    words = take_text(text)
    level = _take_heading_level(text)
    unit = _take_unit(text)
    is_placed = unit is not None or level is not None or text.has(rf"{_END}|{_START}|{_SIDE}")
    if not words or not is_placed or _is_row(text, words, view):
        return None
    text.take(ADD)
    is_clause = bool(unit and re.search(r"条|款|clause|article", unit["unit"]))
    is_last = bool(text.take(_END)) or (look and not text.has(_SIDE) and not text.has(_START) and unit is not None)
    section = take_span(text, view, is_text=True) if is_last and not look and not is_clause else None
    if section is not None:
        following = view.blocks[view.blocks.index(section.pieces[-1].address) + 1 :][:1]
        if not section.is_section or (following and following[0].startswith("t")):
            raise OrderUnclear("no_place")  # a table may belong to the section, or to what comes after it
        return _after(view, section.pieces[-1], words, level, is_clause=False)
    if is_last:
        made = _at_end(view, words, level, is_clause=is_clause)
        if look and made[-1]["op"] == "insert_text":
            text.take_all(r"[,，]")
            return [*made, *_look_steps(look)]
        return None if look else made
    if text.take(_START):
        if look:
            text.take_all(r"[,，]")
            first = [step("set_selection", anchor="start_of_document")]
            return [*first, step("insert_text", text=words, new_paragraph_before=True), *_look_steps(look)]
        return _at_start(view, words, level)
    if look:
        return None
    return _insert_beside(context, text, view, _NewText(words, level, is_clause, unit is not None))


def _is_row(text: RequestText, words: str, view: DocumentView) -> bool:
    """Whether a new line with as many values as a table has columns is a row of it: 加一行：培训费，1000，新."""
    count = len(split_values(words)) if re.search(r"一?[行条]\s*[:：]", text.raw) else 1
    return count > 1 and any(len(one.rows[0]) == count for one in view.tables)


def _take_new_look(text: RequestText) -> dict[str, JsonValue]:
    """Alignment that a new line is to have."""
    mask = text.mask
    look = take_look(text)
    if set(look) - {"alignment", "bold", "italic", "color", "size", "font", "underline"}:
        text.mask = mask
        return {}
    return look


def _look_steps(look: dict[str, JsonValue]) -> list[JsonObject]:
    """Steps that give new lines, which are selected once they are written, their look."""
    inner = {name: value for name, value in look.items() if name != "alignment"}
    made = [step("set_text_style", apply_to_selection=True, **inner)] if inner else []
    if "alignment" in look:
        made.append(step("set_paragraph_format", apply_to_selection=True, alignment=look["alignment"]))
    return made


@dataclass(frozen=True, slots=True)
class _NewText:
    words: str
    level: int | None
    is_clause: bool
    has_unit: bool


def _insert_beside(context: OrderContext, text: RequestText, view: DocumentView, new: _NewText) -> list[JsonObject]:
    """Before or after a place; without one at the end, where a new clause or paragraph belongs."""
    words, level, is_clause = new.words, new.level, new.is_clause
    side = text.take(_SIDE)
    span = take_span(text, view, is_text=True)
    text.take_all(
        r"(?:另起)?(?:一段|新的?|如下|下列|以下)|[,，:]|\b(?:following|new|with|text|reading|saying)\b|“|”|标题"
    )
    if span is None:
        if side is None and is_clause and view.clauses():
            return _at_end(view, words, level, is_clause=True)
        if side is None and new.has_unit and not context.reading.selection:
            return _at_end(view, words, level, is_clause=False)
        raise OrderUnclear("no_place")
    if side is None:
        if span.is_section:
            return _after(view, span.pieces[-1], words, level, is_clause=False)
        raise OrderUnclear("no_place")
    said = side["side"] or side["en"]
    if (
        not new.has_unit
        and level is None
        and _GOES_ON_LINE.match(said)
        and (value := _LABELLED.fullmatch(span.pieces[0].text))
    ):
        if value[0].strip() in text.raw:
            raise OrderUnclear("no_place")  # the line is named, and what is added may be a line of its own
        return [step("insert_after_text", anchor_text=value[0].strip(), text=words, address=span.pieces[0].address)]
    if any(said.startswith(one) for one in _AFTER_WORDS):
        names_heading = span.is_bare and re.search(r"标题|\bheading\b", text.raw, re.IGNORECASE)
        last = span.pieces[0] if names_heading else span.pieces[-1]
        return _after(view, last, words, level, is_clause=is_clause)
    return _before(view, span.pieces[0], words, level, is_clause=is_clause)


def _take_unit(text: RequestText) -> re.Match[str] | None:
    """What is added: the words right after the verb."""
    found = re.search(rf"(?:{ADD})\s*(?:上|入)?\s*(?P<unit>{_UNIT})", text.mask, re.IGNORECASE)
    if found is not None:
        text.consume(*found.span("unit"))
    return found


def _take_heading_level(text: RequestText) -> int | None:
    zh = r"(?:一个)?(?:([一二三四1-4])级标题|(?:新的?)?小标题|(?:新的?)?标题(?=\s*(?:\"|为|是|叫|:|写|\ufffc)))"
    en = r"(?:an? )?(?:new )?(?:level[- ](\d) )?(?:heading|subheading)(?: level (\d))?\b"
    found = re.search(rf"(?:{ADD})\s*(?:上|入)?\s*(?P<it>{zh}|{en})", text.mask, re.IGNORECASE)
    if found is None:
        return None
    text.consume(*found.span("it"))
    word = next((one for one in found.groups()[1:] if one), "")
    return (read_ordinal(word) or 1) if word else 2 if "小标题" in found["it"] or "sub" in found["it"] else 1


def _at_end(view: DocumentView, words: str, level: int | None, *, is_clause: bool) -> list[JsonObject]:
    clauses = view.clauses()
    if is_clause and clauses:
        number, head = clauses[-1]
        span = view.clause(number)
        if head.number and not _CLAUSE_HEAD.match(words):
            return [_insert_step(span.pieces[-1] if span else head, words, is_after=True)]
        text = words if _CLAUSE_HEAD.match(words) else f"第{name_number(head, number + 1)}条 {words}"
        return [_insert_step(span.pieces[-1] if span else head, text, is_after=True)]
    if view.closing and _CLAUSE_HEAD.match(words) and level is None:
        return [_insert_step(view.closing[0], words, is_after=False)]  # a numbered point stands before the signature
    return [
        step("set_selection", anchor="end_of_document"),
        step("insert_text", text=words, new_paragraph_before=True, level=level),
    ]


def _at_start(view: DocumentView, words: str, level: int | None) -> list[JsonObject]:
    if view.title is not None and level is None and not _says_before_title(words):
        return _after(view, view.title, words, None, is_clause=False)
    first = view.filled[0] if view.filled else None
    if first is None:
        return [
            step("set_selection", anchor="start_of_document"),
            step("insert_text", text=words, new_paragraph_before=True, level=level),
        ]
    return _before(view, first, words, level, is_clause=False)


def _says_before_title(words: str) -> bool:
    return len(words) <= 12 and not words.endswith(("。", "."))


def _after(view: DocumentView, piece: TextPiece, words: str, level: int | None, *, is_clause: bool) -> list[JsonObject]:
    clauses = view.clauses()
    if is_clause and clauses and not _CLAUSE_HEAD.match(words):
        last_number, last_head = clauses[-1]
        last = view.clause(last_number)
        if last is not None and piece in last.pieces:
            return _at_end(view, words, level, is_clause=True)
        if not last_head.number:
            raise OrderUnclear("renumber")
    if level is not None:
        return [*_select(piece), step("insert_text", text=words, new_paragraph_before=True, level=level)]
    return [_insert_step(piece, words, is_after=True)]


def _before(
    view: DocumentView, piece: TextPiece, words: str, level: int | None, *, is_clause: bool
) -> list[JsonObject]:
    if is_clause and view.clauses() and not _CLAUSE_HEAD.match(words):
        raise OrderUnclear("renumber")
    if level is not None:
        earlier = view.pieces[: view.pieces.index(piece)]
        if earlier:
            return [*_select(earlier[-1]), step("insert_text", text=words, new_paragraph_before=True, level=level)]
        return [
            step("set_selection", anchor="start_of_document"),
            step("insert_text", text=words, new_paragraph_before=True, level=level),
        ]
    return [_insert_step(piece, words, is_after=False)]


def _select(piece: TextPiece) -> list[JsonObject]:
    return [step("set_selection_by_text", anchor_text=piece.text.strip(), position="after", address=piece.address)]


def _insert_step(piece: TextPiece, words: str, *, is_after: bool) -> JsonObject:
    op = "insert_after_text" if is_after else "insert_before_text"
    edge = "new_paragraph_before" if is_after else "new_paragraph_after"
    return step(op, anchor_text=piece.text.strip(), text=words, address=piece.address, **{edge: True})


EDIT_RULES: Final = (_insert_inline, replace_words, _insert)
