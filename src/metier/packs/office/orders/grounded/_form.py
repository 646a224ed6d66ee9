"""Whether new words can stand where the old ones do: decided by the document and by the form of both."""

import re
from collections.abc import Sequence
from typing import Final

from metier.packs.office.orders.grounded._facts import TableGrid
from metier.packs.office.orders.grounded._values import find_values
from metier.textsearch import has_cjk

__all__ = ["has_form", "is_alike", "is_key_of_other_form", "is_same_shape"]

_COUNT: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
# Words that begin what is said of something, and no name for it: by email, be trained, 由督导决定, 每天两次.
_SAYS: Final = re.compile(
    rf"(?:be|by|to|via|through|from|until|at|for|with|out of|not|no longer|an?|{_COUNT})\b|"
    r"由|每(?!日|周|月刊)|须|应(?!急|用|届|收|付|聘|税)|按(?!摩|钮|键)|经由|被|已|未|提前|不(?!锈|动产)|没|待|暂|停[用止业]|取消|作废|报废",
    re.IGNORECASE,
)
_SAYS_INSIDE: Final = re.compile(
    r"[\u4e00-\u9fff](?:给|由)[\u4e00-\u9fff]|[一二两三四五六七八九十\d][次遍回]$|[\u4e00-\u9fff]{2}中$"
)
_BEFORE: Final = re.compile(rf"\b(an?|the|this|that|\d+|{_COUNT})\s*$", re.IGNORECASE)
_BEGINS: Final = re.compile(rf"(?:an?|the|\d+|{_COUNT}|be|by)\b", re.IGNORECASE)
_MARKS: Final = re.compile(r"[,，。;；:：!！?？]")


def has_form(old: str, new: str, texts: Sequence[str], *, is_whole: bool) -> bool:
    """Whether unquoted new words are a name as the old ones are. `is_whole`: the old ones are all of a cell or line."""
    if _BEGINS.match(new) and not _BEGINS.match(old) and any(_stands_after(one, old) for one in texts):
        return False
    if old in new or new in old:
        return True
    if (_SAYS.match(new) and not _SAYS.match(old)) or (_SAYS_INSIDE.search(new) and not _SAYS_INSIDE.search(old)):
        return False
    if _MARKS.search(new) and not _MARKS.search(old):
        return False
    if is_whole or is_alike(old, new) or find_values(old):
        return True
    sizes = sorted(len(re.findall(r"[A-Za-z]+|[\u4e00-\u9fff]", one)) or 1 for one in (old, new))
    return sizes[1] <= 2 * max(sizes[0], 2 if has_cjk(old) else 1)


def _stands_after(text: str, old: str) -> bool:
    """Whether a text has an article or a number before the words: a signature, two observers."""
    return any(_BEFORE.search(text[: one.start()]) for one in re.finditer(rf"\b{re.escape(old)}", text, re.IGNORECASE))


def is_alike(old: str, new: str) -> bool:
    """Whether two names are of one sort: they end alike, or share half of their signs or a word."""
    if old.isascii() or new.isascii():
        words = [set(re.findall(r"[a-z]+", one.lower())) for one in (old, new)]
        return bool(words[0] & words[1])
    shared = set(old.lower()) & set(new.lower())
    return old[-1] == new[-1] or len(shared) * 2 >= min(len(old), len(new))


def is_key_of_other_form(old: str, new: str, grids: Sequence[TableGrid]) -> bool:
    """Whether old words are what a row is called, or of a kind that its column holds, and the new ones are not."""
    for grid in grids:
        for at in range(len(grid.head)):
            cells = [one for one in grid.column(at) if one]
            if old not in cells or new in cells:
                continue
            kinds = [{one.kind for one in find_values(cell)} - {"name"} for cell in cells]
            if all(kinds) and not ({one.kind for one in find_values(new)} & set[str]().union(*kinds)):
                return True
            if at == 0 and not is_alike(old, new) and not is_same_shape(old, new):
                return True
    return False


def is_same_shape(old: str, new: str) -> bool:
    """Whether two names have as many words or signs, written with the same sort of letters."""
    shapes = [
        re.sub(r"[\u4e00-\u9fff]", "字", re.sub(r"[A-Z]", "A", re.sub(r"[a-z]+", "a", re.sub(r"\d", "0", one))))
        for one in (old, new)
    ]
    return shapes[0] == shapes[1]
