"""Items between signs that can mean nothing else: semicolons, marks such as 一是 and 1., an arrow."""

import re
from typing import Final

from metier.packs.office._request_text import find_spans

__all__ = ["is_marked_off"]

_MARK: Final = r"(?:第?[一二三四五六七八九]是|[一二三四五六七八九]、|[(（]?\d[.、)）]|[①-⑨])"
_BEFORE: Final = re.compile(rf"(?:[;；\n]|(?:^|[,，、。;；:：\s]){_MARK})\s*$")
_AFTER: Final = re.compile(rf"\s*(?:[;；\n→]|——|->|[。.]?\s*$|[,，、。;；]\s*{_MARK})")


def is_marked_off(item: str, request: str) -> bool:
    """Whether an item stands somewhere in a request as a whole between two such signs."""
    return not re.search(r"[,，]", item) and any(
        _BEFORE.search(request[:start]) and _AFTER.match(request, end) for start, end in find_spans(item, request)
    )
