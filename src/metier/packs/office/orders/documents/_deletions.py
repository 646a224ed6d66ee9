"""Orders that take something out of a document."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import DELETE, OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_span, take_table
from metier.packs.office.orders.documents._tables import take_line
from metier.packs.office.orders.documents._view import DocumentView, PieceSpan, name_number

__all__ = ["DELETE_RULES"]


def _delete(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(DELETE):
        return None
    view = DocumentView(context.reading)
    text.take_all(r"掉")
    if text.take(r"(?:所有|全部)?的?(?:批注|注释)|\b(?:all )?(?:the )?comments?\b"):
        words = text.take_quote(r"包含|含有|\bcontaining\b")
        return [step("delete_comments", containing=words or None)]
    if text.take(r"页码|\bpage numbers?\b"):
        return [step("set_footer", text="")] if not text.has(r"页眉") else None
    if text.take(
        r"(?:所有|全部|多余)?的?(?:空白?(?:的)?(?:行|段落?)|空格行)|"
        r"\b(?:all )?(?:the )?(?:manual |extra )*(?:empty|blank|extra) (?:lines|"
        r"paragraphs)(?: between (?:the )?paragraphs)?\b"
    ):
        return _delete_empty(context)
    if text.has(r"第[^段条]{1,4}[行列]|表格|最后一[行列]|表[里中上]|[行列](?=$)|\btable\b|\b(?:row|column)\b") or (
        view.tables and text.has(r"(?:那|这)一?(?:行|项|栏|列)")
    ):
        return _delete_in_table(text, view)
    return _delete_text(text, view)


def _delete_empty(context: OrderContext) -> list[JsonObject]:
    listed = [one for one in context.reading.pieces if re.fullmatch(r"p\d+", one.address)]
    known = {one.address for one in listed}
    numbers = [int(one.address[1:]) for one in listed]
    missing = [f"p{one}" for one in range(1, max(numbers, default=0) + 1) if f"p{one}" not in known]
    addresses: list[JsonValue] = [one.address for one in listed if not one.line.strip()] or list(missing)
    if not addresses:
        raise OrderUnclear("no_such", text="空行", known=("—",))
    return [
        step(
            "delete_paragraphs",
            addresses=addresses,
            expected=["", *(one.text for one in listed if not one.text.strip())],
        )
    ]


def _delete_in_table(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    table = take_table(text, view)
    row = take_line(text, table, "行|row")
    column = 0 if row else take_line(text, table, "列|column")
    if row:
        return [
            step(
                "edit_table",
                change="delete_row",
                index=row,
                table_index=table.number,
                expected="\t".join(table.rows[row - 1]),
            )
        ]
    if column:
        cells = "\t".join(one[column - 1] for one in table.rows)
        return [step("edit_table", change="delete_column", index=column, table_index=table.number, expected=cells)]
    for at, cells_of in enumerate(table.rows, 1):
        for cell in cells_of:
            if (
                len(cell.strip()) > 1
                and (
                    found := re.search(
                        (
                            rf"[“\"「]?{re.escape(cell.strip())}[”\"」]?(?:的)?(?:那|这)?一?(?:行|"
                            rf"条|项|个|栏|种)"
                        ),
                        text.raw,
                    )
                )
                and "\ufffc" not in text.mask[found.start() : found.end()]
            ):
                text.consume(*found.span())
                return [
                    step(
                        "edit_table",
                        change="delete_row",
                        index=at,
                        table_index=table.number,
                        expected="\t".join(cells_of),
                    )
                ]
    if re.search(r"[行列]|\b(?:row|column)\b", text.mask):
        raise OrderUnclear("no_place")
    if re.search(r"表[里中上]", text.raw):
        raise OrderUnclear("no_place")
    return [step("delete_paragraphs", addresses=[f"t{table.number}"])]


def _delete_sentence(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    """The last sentence of a place: of a clause, a paragraph, or of the document."""
    if not text.take(r"(?:的)?最后(?:那|这)?一?句(?:话)?|\b(?:the )?last sentence\b(?: of)?"):
        return None
    track = bool(text.take(r"(?:打开|开启)修订(?:模式)?|\bturn on track(?:ed)? changes\b|\btrack(?:ed)? changes\b"))
    span = take_span(text, view)
    if span is None and not view.filled:
        raise OrderUnclear("no_place")
    piece = span.pieces[-1] if span is not None else view.filled[-1]
    text.take_all(r"[,，]|\b(?:then|on|turn)\b|先|再|然后")
    sentences = re.findall(r"[^。！？!?.;；]+[。！？!?.;；]?", piece.text)
    if not sentences:
        raise OrderUnclear("no_place")
    if len(sentences) == 1 and not track:
        return [_delete_step(PieceSpan((piece,)))]
    last = sentences[-1]
    return [
        step(
            "replace_text",
            find_text=last,
            replace_text="",
            address=piece.address,
            occurrence=piece.text.count(last),
            track=track or None,
        )
    ]


_RENUMBER: Final = (
    r"[,，]?(?:并)?(?:把)?(?:后面|后续|其余|下面|之后)?(?:的)?(?:条号|编号|序号|"
    r"条款号?)(?:都)?(?:重新)?(?:顺(?:一下|下来|延|着排)?|依次)?(?:排(?:一下|列)?|编(?:号|一下)?|"
    r"往前(?:提|移|顺))?(?:一下)?|[,，]?\s*(?:and )?renumber (?:the )?(?:rest|following|others|"
    r"remaining)(?: clauses| articles)?"
)


def _renumber(view: DocumentView, gone: PieceSpan) -> list[JsonObject]:
    """Typed numbers of the clauses after one that goes; asked if the text refers to one of them."""
    found = re.match(r"\s*第(.+?)条", gone.pieces[0].line)
    heads = [(number, piece) for number, piece in view.clauses() if not piece.number]
    number = next((one for one, piece in heads if piece is gone.pieces[0]), 0)
    later = [(one, piece) for one, piece in heads if one > number]
    mentions = re.compile("|".join(rf"第{name_number(piece, one)}条" for one, piece in later) or "(?!)")
    bodies = [one.text for one in view.filled if one not in gone.pieces]
    if found is None or sum(len(mentions.findall(one)) for one in bodies) != len(later):
        raise OrderUnclear("renumber")
    return [
        step(
            "replace_text",
            find_text=piece.text,
            replace_text=piece.text.replace(f"第{name_number(piece, one)}条", f"第{name_number(piece, one - 1)}条", 1),
            address=piece.address,
        )
        for one, piece in later
    ]


def _delete_text(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    if (sentence := _delete_sentence(text, view)) is not None:
        return sentence
    renumbers = bool(text.take(_RENUMBER)) if text.has(r"条号|编号|序号|\brenumber\b") else False
    quoted = next(iter(text.left_quotes()), None)
    span = take_span(text, view)
    if span is None and quoted is not None:
        words = text.take_any_quote()
        places = view.texts_with(words)
        if not places:
            raise OrderUnclear("no_text_here", text=words)
        text.take_all(
            r"(?:所有|全部)?(?:的)?(?:这?[几两三四]?个?字|字样|一词|这句话?|这段话?|文字|words?)|[:,，]|"
            r"全文|文中|里面?|中的?"
        )
        whole = [one for one in places if one.text.strip() == words.strip()]
        if whole and len(whole) == len(places):
            return [_delete_step(PieceSpan(tuple(whole)))]
        return [step("replace_text", find_text=words, replace_text="", max_matches=500)]
    if span is None:
        raise OrderUnclear("no_place")
    if len(span.pieces) == len(view.filled):
        raise OrderUnclear("no_place")
    if renumbers:
        return [*_renumber(view, span), _delete_step(span, view)]
    text.take_all(r"整(?:个|段|条|节)?|内容|[:,，]|标题|\b(?:paragraphs?|entirely|section|clause|heading)\b")
    if span.sentence:
        return [step("replace_text", find_text=span.sentence, replace_text="", address=span.pieces[0].address)]
    return [_delete_step(span, view)]


def _delete_step(span: PieceSpan, view: DocumentView | None = None) -> JsonObject:
    if view is not None and span.is_section:
        blocks, texts = view.blocks_of(span)
        return step("delete_paragraphs", addresses=list[JsonValue](blocks), expected=list[JsonValue](texts))
    addresses: list[JsonValue] = [one.address for one in span.pieces]
    return step("delete_paragraphs", addresses=addresses, expected=[one.text for one in span.pieces])


DELETE_RULES: Final = (_delete,)
