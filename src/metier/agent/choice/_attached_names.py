"""A message as the router reads it: the ending of an attached file's name is no order for a file of that kind.

审查采购合同.docx is about a contract, and the skill that makes new Word documents is not meant by it.
"""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from metier.agent.turn import TurnState
from metier.attachments import list_attached_names
from metier.names import is_command
from metier.routing import Decision, RoutingNote


@dataclass(frozen=True, slots=True)
class ReadWithoutEndings:
    """A message whose attached files are named without their endings, and the names that stand in it."""

    message: str
    names: tuple[str, ...] = ()

    def put_back(self, decision: Decision) -> Decision:
        """The decision with the files named in full in its requests; it says what was read without its ending."""
        if not self.names:
            return decision
        notes = [RoutingNote.of("spelling", written=name, read=_drop_ending(name)) for name in self.names]
        requests = tuple(one._replace(text=self._name_in_full(one.text)) for one in decision.requests)
        return replace(decision, requests=requests, why=(*notes, *decision.why))

    def _name_in_full(self, text: str) -> str:
        for name in self.names:
            text = _replace(_drop_ending(name), name, text)
        return text


async def read_without_endings(state: TurnState) -> ReadWithoutEndings:
    """The message of a turn without the endings of the attached files that it names; a command stays as it is."""
    message = state.request.message
    if "." not in message or is_command(message):
        return ReadWithoutEndings(message)
    names = await asyncio.to_thread(list_attached_names, state.resources.workspace(state.conversation))
    return drop_endings(message, names)


def drop_endings(message: str, names: Iterable[str]) -> ReadWithoutEndings:
    """A message in which these files are named without their endings: “check q3.xlsx” is “check q3”.

    A name keeps its ending where its stem stands in the message besides, alone or as that of another file.
    """
    found = []
    for name in sorted(set(names), key=lambda one: (-len(one), one)):
        stem = _drop_ending(name)
        is_alone = bool(stem) and message.casefold().count(stem.casefold()) == 1
        if is_alone and (rest := _replace(name, stem, message)) != message:
            message = rest
            found.append(name)
    return ReadWithoutEndings(message, tuple(found))


def _drop_ending(name: str) -> str:
    return name.rpartition(".")[0]


def _replace(name: str, text: str, message: str) -> str:
    """The message with another text where a name stands that is no part of a longer one."""
    pattern = rf"(?<![A-Za-z0-9_.-]){re.escape(name)}(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"
    return re.sub(pattern, lambda _: text, message, flags=re.IGNORECASE)
