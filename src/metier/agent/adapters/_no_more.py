"""Clauses that want approvals to be given without asking: "don't ask me again", 以后不用问了."""

import re
from typing import Final

from metier.patterns import compile_later

# A whole clause: 别再问客户了 and "next time I will ask the customer" are about other people.
_NO_MORE: Final = compile_later(
    r"(?:你|请|就|那|这种|这类)*(?:以后|下次|今后|往后|后面)(?:的|也|都|就|再)*(?:不用|不必|别|无需|不要|不需要)再?(?:来)?问(?:我|了|吧)*"
    r"|(?:你|请|就|那|也|都)*(?:不用|不必|别|无需|不要|不需要)再(?:来)?问(?:我|了|吧)*"
    r"|(?:以后|下次|今后|往后)(?:也|都|就)*直接(?:下发|批准|同意|执行|写入)(?:就行|就好|吧|了)*"
    r"|(?:以后|今后)?(?:都|就)?(?:一直|总是|永远)(?:同意|批准)(?:吧|了)*"
    r"|(?:and |please |just |so |you (?:can |may )?)*(?:(?:from now on|next time|in future) )?(?:please |just )*"
    r"(?:(?:do not|don't|no need to|never) ask(?: me)?(?: again| any ?more| next time| every time| in future)*"
    r"|stop asking(?: me)?|always (?:approve|apply|do)(?: (?:it|them|these|this|that))?"
    r"|(?:approve|apply|do|run|write)(?: (?:it|them|these|this|that|all))*"
    r" without asking(?: me)?(?: again| next time)*)"
    r"(?:,? please)?"
    r"|(?:and )?(?:from now on|next time|in future) (?:please |just )*(?:approve|apply|do)"
    r"(?: (?:it|them|these|this|that))?(?: automatically| at once| directly)?"
    r"|(?:and )?without asking(?: me)?(?: again| next time)*",
    re.IGNORECASE,
)
_CLAUSE: Final = compile_later(r"[^，,。.;；!！\n]+")
_LATER_COMMA: Final = compile_later(r"\b(from now on|next time|in future)\s*,\s*", re.IGNORECASE)


def cut_no_more(message: str) -> str:
    """The message without the clauses that want approvals without asking; unchanged if it has none."""
    said = _LATER_COMMA.sub(r"\1 ", " ".join(message.split()).replace("’", "'"))
    clauses = [one.strip() for one in _CLAUSE.findall(said)]
    kept = [one for one in clauses if one and not _NO_MORE.fullmatch(one)]
    return message if len(kept) == len([one for one in clauses if one]) else ", ".join(kept)


def asks_no_more(message: str) -> bool:
    """Whether a message wants approvals to be given without asking, whatever else it says."""
    return cut_no_more(message) != message
