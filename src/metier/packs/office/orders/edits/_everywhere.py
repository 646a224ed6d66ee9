"""Edits of words wherever they stand: “wherever it says A put B”, 凡是写“A”的地方都写成“B”; Hall B becomes Hall D."""

import re
from typing import Final

from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.edits._edit import EditCall, EditRule, LineEdit

__all__ = ["EVERY_RULES"]

_VALUE: Final = rf"{QUOTED}|[^\",，:]+?"
_EVERY: Final = (
    re.compile(
        r"(?:wherever|everywhere|whenever|every time|each time|anywhere)(?: that)? (?:it|the text|the "
        rf"document|this|you)? ?(?:says|said|reads|has|mentions|see|find|stands)? ?(?P<old>{_VALUE})"
        r"(?: is mentioned| stands| appears)?,? (?:it should (?:now )?(?:say|read|be)|(?:please )?(?:put|"
        r"write|use|say|make it|change it to|change that to|replace it (?:with|by)|should be)) "
        rf"(?P<new>{_VALUE})(?: now| instead| please)*",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:(?:凡是|凡|所有|每个|只要是?|全文|文中|文里|到处)+的?(?:写着?|出现|提到|有|用到?|叫|是)?(?:了|"
        rf"的)?)(?P<old>{_VALUE})的?(?:地方|处|位置|字样)?[,，]?(?:都|全部?|一律|统一|请)+(?:写|改写|改|换|"
        rf"替换|用)(?:成|为|作)?(?P<new>{_VALUE})"
    ),
)
_BECOMES: Final = re.compile(
    rf"(?:the )?(?P<old>{_VALUE}) (?:becomes|is now|is now called|turns into|should (?:be|read)|changes to) "
    rf"(?P<new>{_VALUE})(?: now| instead| throughout| everywhere)*",
    re.IGNORECASE,
)


_QUOTED_PAIR: Final = re.compile(
    rf"(?:把|将)?(?P<old>{QUOTED})(?:都|全部?|一律)?(?:改写|修改|更改|更正|替换|改|换|写)(?:成|为|作)?(?P<new>{QUOTED})"
)


def replace_everywhere(call: EditCall, said: str) -> LineEdit | None:
    """Wherever it says Aziz put Dimitri."""
    text = RequestText(said)
    for form in _EVERY:
        if (found := form.fullmatch(text.mask)) is None:
            continue
        old, new = (text.text_of(*found.span(name)) for name in ("old", "new"))
        if made := _replace(call, old, new):
            return made
        raise OrderUnclear("no_text_here", text=old)
    return None


def rename(call: EditCall, said: str) -> LineEdit | None:
    """Hall B becomes Hall D: a name for one of its own form."""
    text = RequestText(said)
    if (found := _QUOTED_PAIR.fullmatch(text.mask)) is not None:
        return _replace(call, text.text_of(*found.span("old")), text.text_of(*found.span("new")))
    if (found := _BECOMES.fullmatch(text.mask)) is None:
        return None
    old, new = (text.text_of(*found.span(name)) for name in ("old", "new"))
    return _replace(call, old, new) if _is_alike(old, new) else None


def _is_alike(old: str, new: str) -> bool:
    """Whether two names have as many words, all but one the same, with capitals and digits in the same places."""
    one, other = old.split(), new.split()
    if len(one) != len(other) or len(one) < 2 or sum(a != b for a, b in zip(one, other, strict=True)) != 1:
        return False
    a, b = next((a, b) for a, b in zip(one, other, strict=True) if a != b)
    return (a[0].isupper(), a[0].isdigit()) == (b[0].isupper(), b[0].isdigit())


def _replace(call: EditCall, old: str, new: str) -> LineEdit | None:
    form = (
        re.compile(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])")
        if old[-1:].isascii()
        else re.compile(re.escape(old))
    )
    pieces = [one for one in call.view.all if form.search(one.text)]
    if not pieces or not new or old == new:
        return None
    is_word = True if old.isascii() else None
    made = step("replace_text", find_text=old, replace_text=new, max_matches=500, whole_word=is_word)
    return LineEdit((made,), tuple(pieces))


EVERY_RULES: Final[tuple[EditRule, ...]] = (replace_everywhere, rename)
