"""Reasons of failures in both languages.

An operator, a numeric function or a loader gives its reason in English, where nobody knows yet who will read it; the
Chinese sentence is found by the English words.
"""

from typing import Final

from metier.language import Sentences
from metier.packs.phm.diagnosis._findings import Finding
from metier.packs.phm.diagnosis._names import Name
from metier.packs.phm.reasons._operators import OPERATOR_REASONS
from metier.packs.phm.reasons._signals import SIGNAL_REASONS

__all__ = ["REASONS"]

# A finding may be the reason itself; within another sentence it has no full stop.
REASONS: Final = Sentences(
    {
        **Name.sentences,
        **{code: (en.rstrip("."), zh.rstrip("。")) for code, (en, zh) in Finding.sentences.items()},
        **{english: (english, chinese) for english, chinese in (*SIGNAL_REASONS, *OPERATOR_REASONS)},
    }
)
