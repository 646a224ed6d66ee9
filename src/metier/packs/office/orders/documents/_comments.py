"""Orders for comments on a place of a document."""

from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, OrderContext, step, take_text
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_span
from metier.packs.office.orders.documents._view import DocumentView

__all__ = ["COMMENT_RULES"]


def _comment(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.has(
        rf"{ADD}.{{0,4}}(?:批注|注释|备注)|批注(?:一?[句下]|:)|\b(?:add|insert|put|leave|"
        rf"make)\b.{{0,20}}\b(?:comments?|notes?)\b|"
        rf"\bcomment (?:on|at)\b"
    ):
        return None
    view = DocumentView(context.reading)
    words = take_text(text) if ":" in text.mask else ""
    quotes = list(text.left_quotes())
    if not words and quotes:
        words = quotes[-1].text
        text.consume(quotes[-1].start - 1, quotes[-1].end + 1)
    if not words:
        raise OrderUnclear("no_text")
    text.take_all(
        rf"(?:{ADD})?(?:一?[个条])?(?:批注|注释|备注)(?:一?下)?(?:[,，]?(?:问|提醒|告诉|请|写明?|说明|"
        rf"让)[^:\ufffc,，]{{0,8}})?|"
        rf"\b(?:add|insert|put|leave|make) (?:a )?(?:comments?|notes?)\b|\bcomment (?:on|at)\b|"
        rf"[,，](?:问|提醒|告诉|请|写明?|说明|让)[^:\ufffc,，]{{0,8}}(?=\ufffc)|"
        rf"\b(?:saying|to|on|at)\b|内容为?|写"
    )
    anchor = text.take_any_quote()
    span = None if anchor else take_span(text, view)
    text.take_all(rf"{ADD}|处|旁边?|那里|位置|上面?|写|[:,，]|\b(?:about|that says)\b")
    if anchor:
        pieces = view.texts_with(anchor)
        if len(pieces) != 1:
            raise OrderUnclear(
                "many_places" if pieces else "no_text_here", text=anchor, **({"count": len(pieces)} if pieces else {})
            )
        return [step("add_comment", text=words, anchor_text=anchor, address=pieces[0].address)]
    if span is None:
        raise OrderUnclear("no_place")
    return [step("add_comment", text=words, anchor_text=span.sentence or None, address=span.pieces[0].address)]


COMMENT_RULES: Final = (_comment,)
