"""Names of columns side by side in a message, with or without the words that say that they are columns."""

import re
from typing import Final

from metier.packs.office._request_text import QUOTED, RequestText

__all__ = ["take_columns"]

_COLUMNS_BEFORE: Final = (
    r"(?:(?:[一二三四五\d]\s*[个]?(?:列|栏)?)?(?:的)?(?:表头|列名|栏名|各?列|栏目|字段)(?:依次|"
    r"分别)?(?:是|为|有|叫)?\s*:?\s*|"
    r"按(?=[^,，。;:、]{1,8}、)|[(]|:\s*|^|(?<=[。;\n])|[,，]\s*)"
)


def take_columns(text: RequestText, count: int) -> tuple[str, ...]:
    """The names of so many columns side by side; empty if there are none. The words around them are consumed."""
    name = r"(?:[^\d\s,，、;；。:：()|/\"\ufffc=＝][^\d,，、;；。:：()|/\"\ufffc=＝]{0,11}?)"
    quoted = rf"{QUOTED}(?:[、,，]?\s*{QUOTED}){{{count - 1}}}"
    if found := text.take(rf"(?:表头|列名|栏名|四个栏名|列)?(?:依次|分别)?(?:是|为|叫)?\s*(?P<all>{quoted})"):
        inner = [one.text for one in text.quotes if found.start() <= one.start < found.end()]
        return tuple(inner)
    for sign in ("、", r"\s*[|/]\s*", r"[,，]\s*(?:and )?"):
        last = r"(?:\s*(?:、|,? and )\s*)" if sign == "、" else rf"(?:{sign}|,? and )"
        form = (
            rf"(?P<lead>\b(?:columns?|headings?|headers?|header row)\s*(?:are|is|:)?\s*:?\s*|\b(?:as|of|with|"
            rf"set up columns)\s+(?=[A-Z])|{_COLUMNS_BEFORE})"
            rf"(?P<all>{name}(?:{sign}{name}){{{count - 2}}}{last}{name})"
            rf"(?P<tail>\s*(?:这)?[一二三四五\d]?\s*(?:个)?(?:列|栏)|的(?=[\u4e00-\u9fff]{{0,6}}表)|(?=列出来)|"
            rf"(?=\s*(?:[,，。;；:)\n]|\.(?:\s|$)|\ufffc|$|\band\b|\bfor\b)))"
        )
        for found in re.compile(form, re.IGNORECASE).finditer(text.mask):
            names = _split_names(text, *found.span("all"), rf"{sign}|\s+and\s+")
            if (
                len(names) == count
                and len(set(names)) == count
                and all(len(one) <= 12 or one.isascii() for one in names)
            ):
                text.consume(*found.span())
                return names
    return ()


_NAMES_LEAD: Final = re.compile(
    r"^(?:[一二三四五\d]\s*个?(?:[列栏](?!名))?(?=的?[表列栏字]|分别|依次|[是为]))?(?:的)?(?:表头|列名|"
    r"栏名|各?列|栏目|字段)?(?:依次|分别)*(?:是|为|有|"
    r"叫)?\s*(?=\S{2})"
)
_NO_COLUMN: Final = re.compile(r"表头|列名|栏名|^名称?[是为]|分别|依次|列[是为]|^按|^把|^请|表$")


def _split_names(text: RequestText, start: int, end: int, sign: str) -> tuple[str, ...]:
    """Names between signs, the first without the words that say what they are; empty if one of them is no name."""
    edges = [start, *(edge for one in re.compile(sign).finditer(text.mask, start, end) for edge in one.span()), end]
    names = [text.raw[slice(*one)].strip() for one in zip(edges[::2], edges[1::2], strict=True)]
    names = [_NAMES_LEAD.sub("", names[0]), *names[1:]]
    return () if any(not one or _NO_COLUMN.search(one) for one in names) else tuple(names)
