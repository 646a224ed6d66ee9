"""Items behind the words of an enumeration that a plan does not write."""

import re
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import begins_with_order
from metier.packs.office.drafting.sequences._steps import find_marks
from metier.packs.office.drafting.sequences._written import list_compared, normalize

__all__ = ["find_lost_step"]

_ITEM: Final = re.compile(r"\"[^\"]+\"|[^,，、。;:!?\n()\"]+")
_THING: Final = re.compile(r"\s*[:(\"]")  # 艺术字“…”, 人员表（…）: no item, but a thing with what it has
_PLACED: Final = re.compile(
    r"[在往到](?:它|其|这|那|上|下|后|前|旁|文)[^,，]{0,6}?[做放插加建画写来]"
)  # 然后在它下面做一张表
# A text that begins with a word of an enumeration, which no item does.
_STEP_EN: Final = re.compile(
    r"\b(?:(?:start|begin|finish|end|clos)(?:e|es|s|ing|ning)? with|and then|then|next|finally|lastly) "
    r"[A-Z][^,.;:!?\n\"]*"
)


def find_lost_step(request: str, plan: JsonObject) -> str:
    """The first item of an enumeration that a plan leaves out or cuts; empty if it keeps them or there is none."""
    written = list_compared(plan)
    text = RequestText(request)
    if said := next((one[0] for one in _STEP_EN.finditer(text.mask) if normalize(one[0]) in written), ""):
        return said
    marks = find_marks(text)
    if len(marks) < 2 or not any(one.kind == "first" for one in marks):
        return ""
    for one in marks:
        found = _ITEM.match(text.mask, one.end)
        said = text.raw[one.end : found.end()].strip() if found else ""
        if found is None or not said or _is_order(said) or _THING.match(text.mask, found.end()):
            continue
        bare = normalize(said)
        if not any(bare.startswith(name) or (len(bare) > 1 and name.startswith(bare)) for name in written):
            return f"{text.raw[one.start : one.end]}{text.raw[one.end : found.end()]}".strip()
    return ""


def _is_order(said: str) -> bool:
    return begins_with_order(said) or _PLACED.match(said) is not None
