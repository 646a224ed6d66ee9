"""A question again with another limit: 低于 6 dB, then 7 呢 or "and 7?"."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from metier.patterns import compile_later
from metier.questions._parse import parse_question

_VALUE: Final = r"(-?\d+(?:\.\d+)?)\s*(?:%|％|°|度|个|元|万|(?!and\b|or\b)[A-Za-z/]{1,6})?"
_ONLY_LIMIT: Final = compile_later(
    rf"(?:那么?|如果是?|换成|改成)\s*{_VALUE}\s*(?:的话)?\s*[呢？?。]*|{_VALUE}\s*(?:的话|的)?\s*(?:呢|怎么样)\s*[？?。]?"
    rf"|(?:and|or|and with|what about|how about)\s+{_VALUE}\s*[?.]?",
    re.IGNORECASE,
)
_NUMBER: Final = compile_later(r"(?<![A-Za-z\d.-])-?\d+(?:\.\d+)?")  # 低于-100 has no gap


def read_other_limit(message: str, before: Iterable[str]) -> str | None:
    """The last question that had one limit, with the limit that the message names; None if it names something else.

    `before` are the messages before, the newest first; between the two only other limits may have been named.
    """
    found = _ONLY_LIMIT.fullmatch(unicodedata.normalize("NFKC", message).strip())
    if found is None:
        return None
    for said in before:
        asked = parse_question(said)
        if asked is not None and len(asked.limits) == 1:
            named = [one for one in _NUMBER.finditer(said) if float(one[0]) == asked.limits[0][1]]
            value = next(filter(None, found.groups()))
            return f"{said[: named[0].start()]}{value}{said[named[0].end() :]}" if len(named) == 1 else None
        if not _ONLY_LIMIT.fullmatch(said.strip()):
            return None
    return None
