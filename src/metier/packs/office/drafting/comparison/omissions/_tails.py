"""Demands that were written as content: behind the last item of a list, or as the end of it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText, find_spans
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting._plan_texts import NUMBERING, list_lines, list_tables
from metier.packs.office.drafting.comparison.omissions._forms import FORMS

__all__ = ["list_glued", "list_tails"]

_AFTER_COMMA: Final = re.compile(r",(?:\s+(?:and|plus))?\s*$", re.IGNORECASE)
_GLUED: Final = re.compile(r"[,，]\s*(?=\S)")
_SENTENCE_END: Final = re.compile(r"[。!！?？]\s*(?=\S)|(?<=[a-z)])\.\s+(?=\S)")
_LIST_SIGN: Final = re.compile(r"[、,，]")
# Words with which a clause about the list goes on behind its last item.
_TAIL: Final = re.compile(
    r"(?:and (?:put|add|make|give|leave|use|keep)|with|in|on|as|by|from|for|at|due|ending|starting|beginning|using|"
    r"sorted|ordered|each|every|all|one|two|three|our|no|without|plus a|not)\b(?! (?:call|line|demand|going))"
)
_ASKED: Final = re.compile(r"(?:what|who|how|when|where|why|which)\b")  # what to wear, beside Tickets
_DISTRIBUTES: Final = re.compile(r"\b(?:each|apiece|respectively|per (?:item|point|line|slide|row))$", re.IGNORECASE)
_ORDERS: Final = re.compile(
    r"(?:请|帮我|给我|麻烦|务必|记得|注意|最好|统一|汇总|把|将|按|要能|要求|不要|别|只[要讲写列看]|[做画加插列写][个一]|"
    r"在[^,，]{1,8}[加插放写]|第[一二三]点就?)\S|(?:only|nothing) |"
    r".*\b(?:should|must|has to|gotta|in (?:red|blue|green|bold|caps|grey|brackets))\b|"
    r"(?:(?:so|but|also|and|then|please) )*(?!(?:the|an?|my|our|his|her|their|all|in|on|of|at|by|to|for|with|from|is|"
    r"are|was|were|has|have|had|as|not|no|up|down|over|under|than|after|before|during|per|both|half) )"
    r"[a-z]+(?<!s)(?<!ed)(?<!ing)(?<!ly) (?:the|an?|it|them|each|every\w*|all|this|these|those|my|our|to whole)\b",
    re.IGNORECASE,
)
_TURNED: Final = re.compile(
    r"[做设弄改变换]成|(?:超过|低于|高于|大于|小于|不足|少于|多于)$"
)  # no names: 列做成下拉, 超过400的
_ORDERS_ITEM: Final = re.compile(
    r"(?:(?:and|then|also|please|but) )*(?-i:highlight|underline|shade|bold|tick|star|flag|mark|circle|put|move|place|"
    r"make|keep|leave|set|turn|colou?r|remove|delete|drop|hide|repeat|double|sort|start with|begin with|end with|list) "
    r"(?:the |all |every )*(?P<object>\S.*)"
)
_OF_ITEM: Final = re.compile(
    r" (?:(?:comes |goes )?(?:first|last|second|third)|twice|again|only|optional|"
    r"(?:in|on|at|as|before|after|above|below|is|are|should|must|needs?|gets?|has to) \S.*|"
    r"bold|underlined|highlighted|italic|red|blue|green|yellow)$",
    re.IGNORECASE,
)
_MIN_WORDS: Final = 3
_MIN_SIGNS: Final = 2
_PAIR: Final = 2
_MAX_OUTER: Final = 3


def list_glued(request: RequestText, texts: Sequence[str]) -> Iterator[str]:
    """Clauses behind a list between 、 that were written as the end of its last item."""
    for text in texts:
        comma = _GLUED.search(text)
        at = request.raw.find(text) if comma else -1
        if comma and at > 0 and request.raw[:at].rstrip()[-1:] == "、" and request.mask[at : at + 1] != "\ue000":
            yield text[comma.end() :]


def list_tails(request: RequestText, actions: Sequence[JsonObject]) -> Iterator[str]:
    """What stands among the items of a plan and has not the form of the others."""
    for items in _list_items(actions):
        said = [_find_said(one, request.raw) for one in items]
        yield from (one for one in said if _TURNED.match(one) and not _is_quoted(one, request))
        for find in (_find_object, _find_sentence, _find_outer, _find_clause, _find_last):
            if part := find(said, request):
                yield part


def _find_object(items: Sequence[str], request: RequestText) -> str:
    """An item that orders something for another one: `highlight cash` or `cash first` behind `cash`."""
    for item in items:
        order = _ORDERS_ITEM.match(item)
        others = [one for one in items if one and one != item]
        is_order = order is not None and order["object"].lower().startswith(tuple(_lower(others)))
        is_said_again = any(
            item.lower().startswith(f"{one.lower()} ") and _OF_ITEM.match(item, len(one)) for one in others
        )
        if (is_order or is_said_again) and not _is_quoted(item, request):
            return item
    return ""


def _lower(items: Sequence[str]) -> list[str]:
    return [one.lower().removesuffix("s") for one in items]


def _find_sentence(items: Sequence[str], request: RequestText) -> str:
    """A second sentence inside of one item, where no other item has one: 预算。正文改成小四."""
    found = [(one, cut) for one in items if (cut := _SENTENCE_END.search(one)) and not _is_quoted(one, request)]
    return found[0][0][found[0][1].end() :] if len(found) == 1 else ""


def _find_outer(items: Sequence[str], request: RequestText) -> str:
    """What a stronger sign sets apart from a list: 背景、目标、方案；做一个值班表."""
    others = items[1:]
    if len(others) >= _MAX_OUTER or not others[0] or _is_quoted(items[0], request):
        return ""
    is_list = len(_LIST_SIGN.findall(items[0])) >= _MIN_SIGNS or (
        _LIST_SIGN.search(items[0]) is not None and re.match(r"and\b", others[0], re.IGNORECASE) is not None
    )
    return others[0] if is_list and not any(_LIST_SIGN.search(one) for one in others) else ""


def _find_clause(items: Sequence[str], request: RequestText) -> str:
    """A demand behind a comma in the last item, where no other item has a comma."""
    if any(_GLUED.search(one) for one in items[:-1]) or _is_quoted(items[-1], request):
        return ""
    comma = _GLUED.search(items[-1])
    tail = items[-1][comma.end() :] if comma else ""
    return tail if tail and _is_demand(tail) else ""


def _find_last(items: Sequence[str], request: RequestText) -> str:
    """The last of several English items between commas, where it has not the form of the others."""
    last = items[-1]
    is_after_comma = _AFTER_COMMA.search(request.raw[: request.raw.find(last)]) is not None
    if not last or not last.isascii() or not is_after_comma:
        return ""
    is_small = len(items) > _PAIR and last[:1].islower() and all(one[:1].isupper() for one in items[:-1] if one)
    is_long = len(last.split()) >= _MIN_WORDS and not any(_is_demand(one) for one in items[:-1])
    is_order = is_long and (_ORDERS.match(last) or (len(last.split()) > _MIN_WORDS and _is_demand(last)))
    is_tail = _TAIL.match(last) or _DISTRIBUTES.search(last) or is_order
    return last if is_tail or (is_small and not _ASKED.match(last)) else ""


def _is_demand(text: str) -> bool:
    return bool(_ORDERS.match(text)) or names_look(text) or any(form.pattern.search(text) for form in FORMS)


def _is_quoted(text: str, request: RequestText) -> bool:
    at = request.raw.find(text)
    return at >= 0 and request.mask[at : at + 1] == "\ue000"


def _find_said(text: str, request: str) -> str:
    """A text of the plan as the request has it; empty if it has it nowhere."""
    start, end = next(find_spans(text, request, any_case=True), (0, 0))
    return request[start:end]


def _list_items(actions: Sequence[JsonObject]) -> Iterator[list[str]]:
    """What stands under or beside each other: lines of a text, headings, columns and rows of a table."""
    headings = [line for one in actions if (line := str(one.get("text") or "")).startswith("#")]
    texts = [list_lines(one) for one in actions]
    tables = list_tables(actions)
    cells = [table[0] for table in tables if table]
    cells += [[row[0] for row in table[1:] if row and row[0]] for table in tables]
    for lines in (headings, *texts, *cells):
        if len(lines) > 1:
            yield [NUMBERING.sub("", line).strip(" :") for line in lines]
