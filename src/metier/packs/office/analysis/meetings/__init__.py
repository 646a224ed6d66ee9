"""Meetings: who spoke, what was discussed, decided and promised, each with the line it was read from."""

from metier.packs.office.analysis.meetings._decisions import find_decisions
from metier.packs.office.analysis.meetings._minutes import MinutesDraft, propose_minutes, read_minutes
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._promises import find_promises
from metier.packs.office.analysis.meetings._topics import find_topics
from metier.packs.office.analysis.meetings._transcript import Utterance, list_speakers, read_transcript

__all__ = [
    "MinutesDraft",
    "Promise",
    "Utterance",
    "find_decisions",
    "find_promises",
    "find_topics",
    "list_speakers",
    "propose_minutes",
    "read_minutes",
    "read_transcript",
]
