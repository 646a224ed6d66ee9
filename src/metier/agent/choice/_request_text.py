"""The request of an earlier turn, as it was understood."""

from collections.abc import Sequence

from metier.names import is_command
from metier.store import Event


def read_request(events: Sequence[Event]) -> str:
    """What a turn was asked; of a short follow-up the whole question that it was read as."""
    read = next((one.data["read_as"] for one in events if one.kind == "skill.routed" and one.data.get("read_as")), None)
    started = next((one.data for one in events if one.kind == "turn.started"), {})
    said = str(read or started.get("message", ""))
    return said.partition(" ")[2] or said if is_command(said) else said
