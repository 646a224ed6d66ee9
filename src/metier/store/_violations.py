"""Repository of violations: tool calls that the gate refused."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, Row, insert

from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import Claim
from metier.store.database import Session, belongs_to_user, is_equal, is_since, select_newest, violations

GateLayer = Literal["operator", "skill", "plan", "task_type", "default"]

_LAYERS: frozenset[str] = frozenset(get_args(GateLayer))


@dataclass(frozen=True, slots=True)
class Violation:
    """A refused tool call: the tool, a digest of its arguments, the gate layer that refused it and the reason."""

    id: str
    conversation: str
    turn: str | None
    tool: str
    args_digest: str
    layer: GateLayer
    code: str
    reason: str
    skill: str | None
    at: datetime

    def to_json(self) -> JsonObject:
        """Convert to the JSON of the API and the command line."""
        return {
            "id": self.id,
            "at": self.at.isoformat(),
            "conversation": self.conversation,
            "turn": self.turn,
            "tool": self.tool,
            "args_digest": self.args_digest,
            "layer": self.layer,
            "code": self.code,
            "reason": self.reason,
            "skill": self.skill,
        }


class Violations:
    """Repository behind `store.violations`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def record(
        self,
        conversation: str,
        *,
        tool: str,
        args_digest: str,
        layer: GateLayer,
        code: str,
        reason: str,
        skill: str | None = None,
        turn: str | None = None,
    ) -> Violation:
        """Store a violation. No fence is needed: the refusal stays true after the lease has ended."""
        claim = Claim(conversation, turn)
        row: dict[str, str | int | None] = {
            "id": self._session.new_id(),
            "conversation": conversation,
            "turn": turn,
            "tool": values.check_name(tool, "tool"),
            "args_digest": values.check_text(args_digest, "args_digest"),
            "layer": values.check_choice(layer, _LAYERS, "layer"),
            "code": values.check_name(code, "code"),
            "reason": values.check_text(reason, "reason"),
            "skill": values.check_optional_name(skill, "skill"),
            "at": values.to_micros(self._session.now()),
        }
        return await self._session.write(lambda connection: _insert(connection, claim, row))

    async def list(
        self,
        *,
        conversation: str | None = None,
        user: str | None = None,
        tool: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
    ) -> tuple[Violation, ...]:
        """Violations, newest first, filtered by the given arguments; `since` is inclusive."""
        found = select_newest(
            violations,
            violations.c.at,
            limit,
            is_equal(violations.c.conversation, conversation, "conversation"),
            belongs_to_user(violations.c.conversation, user),
            is_equal(violations.c.tool, tool, "tool"),
            is_since(violations.c.at, since),
        )
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))


def _insert(connection: Connection, claim: Claim, row: dict[str, str | int | None]) -> Violation:
    claim.lock_conversation(connection)
    return _from_row(connection.execute(insert(violations).values(row).returning(violations)).one())


def _from_row(row: Row[tuple[object, ...]]) -> Violation:
    return Violation(
        id=row.id,
        conversation=row.conversation,
        turn=row.turn,
        tool=row.tool,
        args_digest=row.args_digest,
        layer=row.layer,
        code=row.code,
        reason=row.reason,
        skill=row.skill,
        at=values.from_micros(row.at),
    )
