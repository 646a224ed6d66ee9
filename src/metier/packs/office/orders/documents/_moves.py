"""Orders that move paragraphs and sections, and places that other orders name."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import OrderContext, step
from metier.packs.office.orders._ordinals import read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_span
from metier.packs.office.orders.documents._view import DocumentView, PieceSpan

__all__ = ["MOVE_RULES", "move_span", "read_parties", "swap_spans", "take_place"]

_MOVE: Final = r"(?:移动?|挪|调(?:整)?|放|提|搬|排|拖|换)(?:动)?(?:到|至|在|去)(?:了)?|\b(?:move|put|shift|place)\b"
_SWAP: Final = (
    r"(?:交换|互换|对调|调换|换个?位置|换一下(?:位置|顺序)?|调个?(?:位置|顺序)|颠倒|调一下(?:顺序|"
    r"位置))(?:一下)?(?:位置|顺序)?|"
    r"\b(?:swap|switch|exchange)\b"
)
_SIDE: Final = (
    r"(?:的)?(?P<zh>(?<!最)后面|后边|之后|以后|(?<!最)后|下面|前面|前边|之前|以前|前|上面)(?:去)?|\b(?P<en>after|"
    r"behind|below|under|before|above|in front of)\b"
)
_AFTER: Final = ("后", "以后", "之后", "下", "after", "behind", "below", "under")


def take_place(context: OrderContext, text: RequestText) -> str:
    """Address of the paragraph after which something is to stand: 标题后面, after the title; empty if none is named."""
    found = re.search(
        r"(?:放|插|加)?(?:在|到)?(?P<it>[^,，]{2,20}?)(?:的)?(?:后面|下面|之后)|\bafter (?P<en>.+)$", text.mask
    )
    if found is None:
        return ""
    group = "it" if found["it"] else "en"
    part = RequestText(text.raw[found.start(group) : found.end(group)])
    view = DocumentView(context.reading)
    span = take_span(part, view) if re.search(r"标题|第.{1,3}[段条]|title|paragraph", part.raw) else None
    if span is None:
        return ""
    text.consume(*found.span())
    return span.pieces[-1].address


def read_parties(context: OrderContext) -> tuple[str, ...]:
    """Parties as a contract names them: 甲方, 乙方; empty if it names none."""
    names = ("甲方", "乙方", "丙方", "丁方", "Party A", "Party B", "Party C")
    found = [
        one for one in names if any(re.match(rf"\s*{one}\s*[：:（(]", piece.text) for piece in context.reading.pieces)
    ]
    return tuple(found)


def _move(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    view = DocumentView(context.reading)
    if text.take(_SWAP):
        return _swap(text, view)
    if not text.has(_MOVE) or text.has(r"[:：]"):
        return None
    first = bool(
        text.take(
            r"[,，]?\s*(?:当|作为?|做|成为|变成)(?:它|该节|那一?节|这一?节)?的?(?:第一段|首段|开头)|"
            r"[,]?\s*\bas (?:its |"
            r"the )?first (?:paragraph|line)(?: (?:of|in|under) (?:it|that section))?\b"
        )
    )
    verb = text.take(_MOVE)
    end = text.take(
        r"(?:全文|文档|文章)?(?:的)?(?:最后面?|末尾|结尾|文末)(?:去)?$|\b(?:to )?(?:the )?(?:very )?end\b(?: of "
        r"the \w+)?"
    )
    start = (
        None
        if end
        else text.take(r"(?:全文|文档)?(?:的)?(?:最前面?|开头)(?:去)?$|\b(?:to )?the (?:beginning|start|top)\b")
    )
    side = None if end or start else text.take(_SIDE)
    named = _take_two(text, view, most=1 if end or start else 2)
    text.take_all(r"[,，]|标题|内容|部分|整(?:个|段|节)|\b(?:the|section|part|paragraph|to|come|so that|comes)\b")
    if verb is None or not named or (side is None and not end and not start):
        return None
    if side is not None and len(named) == 2:
        # The place stands right before its side in Chinese, right after it in English.
        is_first = (named[1][0] > side.start()) if side["zh"] else (side.start() < named[0][0])
        moved, place = (named[1][1], named[0][1]) if is_first else (named[0][1], named[1][1])
    else:
        moved, place = named[0][1], None
    blocks, _ = _blocks(view, moved)
    if not view.blocks:
        return None
    if end:
        last = view.closing[0].address if view.closing else ""
        where: dict[str, JsonValue] = {"before": last} if last else {"after": view.blocks[-1]}
    elif start:
        title = view.title
        where = {"after": title.address} if title is not None else {"before": view.blocks[0]}
    elif place is None or side is None:
        raise OrderUnclear("no_place")
    else:
        others, _ = _blocks(view, place)
        said = side["zh"] or side["en"]
        where = {"after": others[0 if first else -1]} if said.startswith(_AFTER) else {"before": others[0]}
    if set(map(str, where.values())) & set(blocks):
        raise OrderUnclear("no_place")
    return move_span(view, moved, where)


def move_span(view: DocumentView, moved: PieceSpan, where: dict[str, JsonValue]) -> list[JsonObject]:
    """Steps that put a place before or after a block, with the typed numbers of headings in the new order."""
    blocks, texts = _blocks(view, moved)
    move = step("move_paragraphs", addresses=list[JsonValue](blocks), expected=list[JsonValue](texts), **where)
    rest = [one for one in view.blocks if one not in blocks]
    at = rest.index(str(next(iter(where.values())))) + (1 if "after" in where else 0)
    return _with_numbers(view, [*rest[:at], *blocks, *rest[at:]], [move])


def _take_two(text: RequestText, view: DocumentView, *, most: int = 2) -> list[tuple[int, PieceSpan]]:
    """Places that the order names, with where it names them, the first first."""
    found: list[tuple[int, PieceSpan]] = []
    tables = []
    if view.tables and (
        table := text.take(
            r"(?:这个|那个|这张|那张)?表格?(?=[放移挪调提\ufffc搬]|的?[前后])|\bthe "
            r"table\b"
        )
    ):
        if len(view.tables) != 1:
            raise OrderUnclear("which_table", count=len(view.tables))
        tables = [(table.start(), PieceSpan((TextPiece(f"t{view.tables[0].number}", ""),)))]
    while len(found) + len(tables) < most:
        before = text.mask
        span = take_span(text, view) or _take_quoted_heading(text, view)
        if span is None:
            break
        found.append(
            (next(at for at, (old, new) in enumerate(zip(before, text.mask, strict=True)) if old != new), span)
        )
    return sorted([*found, *tables], key=lambda one: one[0])


def _take_quoted_heading(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """A section by the words of its heading in quotes, with its number or without."""
    for one in text.left_quotes():
        heads = [piece for piece in view.filled if view.is_heading(piece) and one.text in piece.line]
        if len(heads) == 1:
            text.consume(one.start - 1, one.end + 1)
            return view.section_of(heads[0])
    return None


def _with_numbers(view: DocumentView, order: list[str], moves: list[JsonObject]) -> list[JsonObject]:
    """The moves, and before them the typed numbers of headings as the new order wants them."""
    pieces = {one.address: one for one in view.pieces}
    for form in (r"\s*第([一二三四五六七八九十\d]+)条", r"\s*([一二三四五六七八九十]+)、", r"\s*(\d+)[.、．](?!\d)"):
        heads = [
            (one, found)
            for one in view.filled
            if not one.number and view.is_heading(one) and (found := re.match(form, one.text))
        ]
        numbers = [read_ordinal(found[1]) or 0 for _, found in heads]
        if len(heads) < 2 or numbers != list(range(1, len(heads) + 1)):
            continue
        known = {one.address: found for one, found in heads}
        changed = []
        for number, address in enumerate((one for one in order if one in known), 1):
            found, text = known[address], pieces[address].text
            if (read_ordinal(found[1]) or 0) != number:
                new = str(number) if found[1].isdigit() else heads[number - 1][1][1]
                changed.append(
                    (pieces[address], f"{text[: found.start(1)]}{new}{text[found.end(1) :]}", found[0].strip())
                )
        bodies = [one.text for one in view.filled if one.address not in known]
        if form.endswith("条") and any(old in body for _, _, old in changed for body in bodies):
            raise OrderUnclear("renumber")
        renamed = [
            step("replace_text", find_text=piece.text, replace_text=new, address=piece.address)
            for piece, new, _ in changed
        ]
        texts = {str(one["find_text"]): str(one["replace_text"]) for one in renamed}
        numbered = [
            {**move, "expected": [texts.get(str(one), one) for one in listed]}
            for move in moves
            if isinstance(listed := move["expected"], list)
        ]
        return [*renamed, *numbered]
    return moves


def _swap(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    named = _take_two(text, view)
    if len(named) == 1 and len(named[0][1].pieces) == 2 and not named[0][1].is_section:
        named = [(at, PieceSpan((piece,))) for at, piece in enumerate(named[0][1].pieces)]
    text.take_all(
        r"(?:的)?(?:位置|顺序|次序)|[、,，]|部分|两(?:节|段|条|部分)|\b(?:order|positions?|of|sections?|parts?|with)\b"
    )
    if len(named) != 2:
        raise OrderUnclear("no_place")
    return swap_spans(view, named[0][1], named[1][1])


def swap_spans(view: DocumentView, first: PieceSpan, second: PieceSpan) -> list[JsonObject]:
    """Steps that let two places change theirs, with the typed numbers of headings as the new order wants them."""
    (one, words), (other, others) = sorted(
        (_blocks(view, span) for span in (first, second)), key=lambda pair: view.blocks.index(pair[0][0])
    )
    made = [step("move_paragraphs", addresses=list[JsonValue](other), expected=list[JsonValue](others), before=one[0])]
    between = view.blocks[view.blocks.index(one[-1]) + 1 : view.blocks.index(other[0])]
    if between:
        made.append(
            step("move_paragraphs", addresses=list[JsonValue](one), expected=list[JsonValue](words), after=between[-1])
        )
    last = view.blocks.index(other[-1])
    order = [*view.blocks[: view.blocks.index(one[0])], *other, *between, *one, *view.blocks[last + 1 :]]
    return _with_numbers(view, order, made)


def _blocks(view: DocumentView, span: PieceSpan) -> tuple[list[str], list[str]]:
    if span.is_section:
        return view.blocks_of(span)
    cells = {f"t{one.number}": "\n".join(cell for row in one.rows for cell in row) for one in view.tables}
    return [one.address for one in span.pieces], [cells.get(one.address, one.text) for one in span.pieces]


MOVE_RULES: Final = (_move,)
