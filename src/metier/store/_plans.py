"""Repository of plans: every saved version is kept, the newest is the current one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, Integer, Row, Text, bindparam, func, insert, select

from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import Claim, require_conversation
from metier.store.database import Session, plans

PlanState = Literal["draft", "running", "done", "failed", "abandoned"]

_STATES: frozenset[str] = frozenset(get_args(PlanState))
_SELECT_NEWEST = (
    select(plans)
    .where(plans.c.conversation == bindparam("which", type_=Text))
    .order_by(plans.c.version.desc())
    .limit(bindparam("limit", type_=Integer))
)


@dataclass(frozen=True, slots=True)
class SavedPlan:
    """One version of a conversation's plan."""

    conversation: str
    version: int
    turn: str | None
    state: PlanState
    plan: JsonObject
    saved_at: datetime


class Plans:
    """Repository behind `store.plans`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def save(
        self,
        conversation: str,
        plan: JsonObject,
        state: PlanState,
        *,
        turn: str | None = None,
        fence: int | None = None,
    ) -> SavedPlan:
        """Store the plan as a new version; earlier versions are kept."""
        claim = Claim(conversation, turn, fence)
        row: dict[str, str | int | None] = {
            "conversation": conversation,
            "turn": turn,
            "state": values.check_choice(state, _STATES, "plan state"),
            "plan": values.encode_object(plan, "plan"),
            "saved_at": (saved_at := values.to_micros(self._session.now())),
        }
        version = await self._session.write(lambda connection: _save(connection, claim, row))
        return SavedPlan(conversation, version, turn, state, plan, values.from_micros(saved_at))

    async def get_latest(self, conversation: str, *, is_known: bool = False) -> SavedPlan | None:
        """The newest version, or `None` if no plan was saved; with `is_known` the conversation is not looked up."""
        values.check_name(conversation, "conversation")
        return await self._session.read(lambda connection: _read_latest(connection, conversation, is_known=is_known))

    async def list(self, conversation: str, *, limit: int = 100) -> tuple[SavedPlan, ...]:
        """Versions of the conversation's plan, newest first."""
        values.check_name(conversation, "conversation")
        values.check_integer(limit, "limit", least=1)
        return await self._session.read(lambda connection: _read_versions(connection, conversation, limit))


def _save(connection: Connection, claim: Claim, row: dict[str, str | int | None]) -> int:
    """Write the row; its version."""
    newest = select(func.coalesce(func.max(plans.c.version), 0)).where(plans.c.conversation == claim.conversation)
    saved = claim.insert_row(connection, plans, row | {"version": newest.scalar_subquery() + 1})
    if saved is not None:
        return int(saved.version)
    claim.lock_conversation(connection)
    version = int(connection.execute(newest).scalar_one()) + 1
    connection.execute(insert(plans).values(row | {"version": version}))
    return version


def _read_latest(connection: Connection, conversation: str, *, is_known: bool) -> SavedPlan | None:
    return next(iter(_read_versions(connection, conversation, 1, is_known=is_known)), None)


def _read_versions(
    connection: Connection, conversation: str, limit: int, *, is_known: bool = False
) -> tuple[SavedPlan, ...]:
    rows = connection.execute(_SELECT_NEWEST, {"which": conversation, "limit": limit}).all()
    if not rows and not is_known:
        require_conversation(connection, conversation)
    return tuple(map(_from_row, rows))


def _from_row(row: Row[tuple[object, ...]]) -> SavedPlan:
    return SavedPlan(
        conversation=row.conversation,
        version=row.version,
        turn=row.turn,
        state=row.state,
        plan=values.decode_object(row.plan),
        saved_at=values.from_micros(row.saved_at),
    )
