"""A message as the router reads it: the ending of an attached file's name is no order for a file of that kind.

审查采购合同.docx is about a contract, and the skill that makes new Word documents is not meant by it.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

from metier.agent.turn import TurnState
from metier.attachments import NamedFile, list_attached_names, match_names, replace_names, strip_ending
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
        notes = [RoutingNote.of("spelling", written=name, read=strip_ending(name)) for name in self.names]
        requests = tuple(one._replace(text=self._name_in_full(one.text)) for one in decision.requests)
        return replace(decision, requests=requests, why=(*notes, *decision.why))

    def _name_in_full(self, text: str) -> str:
        stems = {strip_ending(name): name for name in self.names}
        return replace_names(text, stems, lambda one: stems[one.name])


async def load_attached_names(state: TurnState) -> tuple[str, ...]:
    """Names of the attached files, which are listed once in a turn."""
    names = state.request.attached_names
    if names is None:
        names = await asyncio.to_thread(list_attached_names, state.resources.workspace(state.conversation))
        state.request = replace(state.request, attached_names=names)
    return names


async def read_without_endings(state: TurnState) -> ReadWithoutEndings:
    """The message of a turn without the endings of the attached files that it names; a command stays as it is."""
    message = state.request.message
    if "." not in message or is_command(message):
        return ReadWithoutEndings(message)
    return drop_endings(message, await load_attached_names(state))


def drop_endings(message: str, names: Iterable[str]) -> ReadWithoutEndings:
    """A message in which these files are named without their endings: “check q3.xlsx” is “check q3”.

    A name keeps its ending where its stem stands in the message besides, alone or as that of another file.
    """
    named = [one.name for one in match_names(message, names) if one.form == "full"]
    found = [
        name
        for name in dict.fromkeys(named)
        if "." in name and message.casefold().count(strip_ending(name).casefold()) <= 1 and named.count(name) == 1
    ]

    def write(one: NamedFile) -> str:
        is_read = one.form == "full" and one.name in found
        return strip_ending(one.name) if is_read else message[one.start : one.end]

    return ReadWithoutEndings(replace_names(message, names, write), tuple(found))
