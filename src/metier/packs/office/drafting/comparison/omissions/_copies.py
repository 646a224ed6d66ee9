"""Things that a request wants more than once and that its plan makes once."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText

__all__ = ["find_copies"]

_MANY: Final = r"[两二三四五六七八九十]|[2-9]|[1-9]\d"
_THINGS: Final = r"(?:表格?|清单|台账|登记表|纪要|周报|大纲|模板|图表?|幻灯片|横幅|提纲|附录|占位框|占位符)"
_COPIES: Final = re.compile(
    rf"一式(?P<a>{_MANY})份|"
    rf"(?<![第占每各前后这那上])(?P<b>{_MANY})\s*[张份套](?=\s*(?:[,，。;!\n]|$|完全|相同|一样|同样|这样|空白|空表|表|"
    rf"[^,，。;:、]{{1,8}}{_THINGS}))|"
    rf"(?<![第占每各前后这那上])(?P<c>{_MANY})\s*个(?:(?:完全)?(?:相同|一样|同样|这样|空白)的?)*[^,，。;:、]"
    rf"{{0,6}}{_THINGS}|"
    r"再来(?P<g>一)[个张份条](?=[,，。;!\n]|$)|\band (?P<h>another)(?: one)? (?:at|on|in|below|after|before)\b|"
    rf"\b(?P<i>two|three|four|five|six)\s+(?:[a-z]+ ){{0,3}}?(?:placeholders|banners|templates|outlines|"
    r"appendices|charts|reports)\b|"
    r"\b(?P<d>two|three|four|five|six|\d+)\s+(?:(?:more|identical|separate|empty|blank|such|of these) )*"
    r"(?:copies|tables|versions)\b|"
    r"\b(?:insert|add|make|put|create|place|give|want|need|paste|include)\b[^.;]*?\b(?:(?P<e>twice)|"
    r"(?P<f>three) times)\b",
    re.IGNORECASE,
)
# What is not to be doubled is said of one thing: 别插两份, “even if it runs twice”.
_NOT_AGAIN: Final = re.compile(
    r"[不别勿甭免防]|只|仅|重复|再次|就算|即使|哪怕|万一|要是|如果|以后|下次|若|"
    r"\b(?:not|never|no|n['’]t|even|if|when|avoid|without|should|must|run\w*|click\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[,，。;:\n]|\.(?=\s|$)")


def find_copies(text: RequestText, texts: Sequence[str], steps: Sequence[JsonObject]) -> str:
    """Words for more copies than the plan makes; those that are a part of a written text are none."""
    made = Counter(str(one.get("op")) for one in steps)
    most = max((made[op] for op in ("upsert_block", "insert_table", "add_slide")), default=0)
    if not most:
        return ""
    content = text.mask.find(":") + 1 or len(text.mask)
    for found in _COPIES.finditer(text.mask):
        count = 2 if found["e"] or found["g"] or found["h"] else read_count(next(one for one in found.groups() if one))
        clause = _CLAUSE.split(text.mask[: found.start()])[-1] + _CLAUSE.split(text.mask[found.start() :])[0]
        is_written = any(found[0] in one for one in texts) or found.start() >= content
        if count is not None and count > most and not is_written and not _NOT_AGAIN.search(clause):
            last = found.lastgroup or ""
            return text.raw[found.start(last) if last in "ef" else found.start() : found.end()]
    return ""
