"""Clauses that give a cause in so many words, before or beside the order: 因为时间短, “because the board meets”."""

import re
from typing import Final

from metier.packs.office.drafting._asides import begins_with_order, fills_part, names_look, orders
from metier.packs.office.drafting.talk._guard import counts, names_manner, refuses, states
from metier.packs.office.drafting.talk._told import can_be, has_verb, wishes

__all__ = ["is_cause"]

_MAX_CHARS: Final = 30
_MAX_WORDS: Final = 16
_CAUSE: Final = re.compile(
    r"^(?:因为|由于|毕竟|鉴于|考虑到|谁让|谁叫)(?P<zh>[\u4e00-\u9fff]{2,})$|^(?:because|since|as|seeing that|"
    r"given that)(?: of)? (?P<en>[a-z].+)$",
    re.IGNORECASE,
)
# Who is to take notice of it, which every text is for.
_NOTICE: Final = re.compile(
    r"\b(?:should|must|can|will|need to|have to|ought to) (?:see|notice|read|find|know|remember|understand|"
    r"spot) (?:it|this|that|them)"
    r"(?: (?:at once|right away|straight away|immediately|quickly|easily|from afar|at a glance|first thing))?\b|"
    r"(?:都|也|就)?(?:要|得|能|好)?(?:让|给)?(?:大家|来客|访客|顾客|客人|他们|家长|同事|员工|游客|居民)(?:都|"
    r"也)?(?:一眼|马上|立刻|一来|一进门)?(?:就)?(?:要|能)?"
    r"(?:看到|看见|注意到|知道)",
    re.IGNORECASE,
)
_SHORT: Final = re.compile(r"\b(?:time|money|notice) (?:is|was) (?:very |so |too )?short\b", re.IGNORECASE)
_PARTS: Final = re.compile(
    r"[\"“”、/|()\[\]→:：\d]|要求|必须|横|竖|打印|\b(?:print\w*|landscape|portrait|as follows|in (?:english|"
    r"chinese))\b"
)


def is_cause(clause: str) -> bool:
    """Whether a clause only gives a cause; nothing in it shapes the result."""
    found = _CAUSE.match(clause.strip())
    if found is None or len(clause.split()) > _MAX_WORDS or len(found["zh"] or "") > _MAX_CHARS:
        return False
    if found["en"] and not (has_verb(found["en"]) or _NOTICE.search(found["en"])):
        return False  # as a table
    said = _SHORT.sub(" ", _NOTICE.sub(" ", found["zh"] or found["en"]))
    if _PARTS.search(said) or wishes(said) or names_look(said) or names_manner(said) or counts(said):
        return False
    if orders(said) or begins_with_order(said) or fills_part(said) or states(said):
        return False
    return not refuses(can_be(said))
