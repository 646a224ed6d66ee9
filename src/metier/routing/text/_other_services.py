"""Requests for everyday services, such as a booking or a reminder, in messages that share other words with a skill."""

from collections.abc import Iterable
from typing import Final

from metier.patterns import compile_later

# What is asked for, and the words by which a skill that does it would say so.
_SERVICES: Final = tuple(
    (compile_later(asked), compile_later(offered))
    for asked, offered in (
        (r"预[订定]|(?:^|\b)(?:please\s+)?(?:book|reserve)\s+(?:a|an|the|me|us)\b", r"预[订定约]|订|book|reserv"),
        (
            r"提醒我|叫我起床|定个?闹钟|\bremind\s+me\b|\bset\s+an?\s+alarm\b",
            r"提醒|闹钟|日程|remind|alarm|calendar|todo",
        ),
    )
)


def find_other_service(message: str, lines: Iterable[str]) -> str:
    """Words of a folded message that ask for a service of which these texts of a skill say nothing; empty if none."""
    found = [(hit[0].strip(), offered) for asked, offered in _SERVICES if (hit := asked.search(message)) is not None]
    if not found:
        return ""
    said = "\n".join(lines).casefold()
    return next((words for words, offered in found if offered.search(said) is None), "")
