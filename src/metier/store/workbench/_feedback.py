"""Repository of feedback: thumbs up or down on the answer of a turn, with a reason."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, Row, delete, insert, select

from metier.errors import RecordNotFound
from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import Claim
from metier.store.database import Session, feedback, is_equal, is_since, select_newest

Verdict = Literal["up", "down"]
FeedbackReason = Literal["wrong_skill", "wrong_result", "incomplete", "slow", "other"]

FEEDBACK_REASONS: frozenset[str] = frozenset(get_args(FeedbackReason))
_VERDICTS: frozenset[str] = frozenset(get_args(Verdict))


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a user thinks of the answer of a turn; `skill` is the one that was in use."""

    id: str
    conversation: str
    turn: str
    user: str
    verdict: Verdict
    reason: FeedbackReason | None
    note: str
    skill: str | None
    at: datetime

    def to_json(self) -> JsonObject:
        """Convert to the JSON of the API and the command line."""
        return {
            "id": self.id,
            "at": self.at.isoformat(),
            "conversation": self.conversation,
            "turn": self.turn,
            "user": self.user,
            "verdict": self.verdict,
            "reason": self.reason,
            "note": self.note,
            "skill": self.skill,
        }


class FeedbackAccess:
    """Repository behind `store.feedback`; one record per turn and user."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(
        self,
        conversation: str,
        turn: str,
        user: str,
        verdict: Verdict,
        *,
        reason: FeedbackReason | None = None,
        note: str = "",
        skill: str | None = None,
    ) -> Feedback:
        """Store the feedback of a user on a turn, in place of an earlier one."""
        claim = Claim(conversation, values.check_name(turn, "turn"))
        row: dict[str, str | int | None] = {
            "id": self._session.new_id(),
            "conversation": conversation,
            "turn": turn,
            "user_id": values.check_name(user, "user"),
            "verdict": values.check_choice(verdict, _VERDICTS, "verdict"),
            "reason": None if reason is None else values.check_choice(reason, FEEDBACK_REASONS, "reason"),
            "note": values.check_text(note, "note"),
            "skill": values.check_optional_name(skill, "skill"),
            "at": values.to_micros(self._session.now()),
        }
        return await self._session.write(lambda connection: _put(connection, claim, row))

    async def remove(self, turn: str, user: str) -> bool:
        """Take the feedback of a user on a turn back; whether there was one."""
        gone = delete(feedback).where(
            feedback.c.turn == values.check_name(turn, "turn"), feedback.c.user_id == values.check_name(user, "user")
        )
        return await self._session.write(lambda connection: connection.execute(gone).rowcount > 0)

    async def get(self, feedback_id: str) -> Feedback:
        """The feedback with this id, or `RecordNotFound`."""
        found = select(feedback).where(feedback.c.id == values.check_name(feedback_id, "feedback"))
        row = await self._session.read(lambda connection: connection.execute(found).one_or_none())
        if row is None:
            raise RecordNotFound(f"there is no feedback {feedback_id!r}")
        return _from_row(row)

    async def list(
        self,
        *,
        conversation: str | None = None,
        user: str | None = None,
        verdict: Verdict | None = None,
        skill: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
    ) -> tuple[Feedback, ...]:
        """Feedback, newest first, filtered by the given arguments; `since` is inclusive."""
        found = select_newest(
            feedback,
            feedback.c.at,
            limit,
            is_equal(feedback.c.conversation, conversation, "conversation"),
            is_equal(feedback.c.user_id, user, "user"),
            None if verdict is None else feedback.c.verdict == values.check_choice(verdict, _VERDICTS, "verdict"),
            is_equal(feedback.c.skill, skill, "skill"),
            is_since(feedback.c.at, since),
        )
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))


def _put(connection: Connection, claim: Claim, row: dict[str, str | int | None]) -> Feedback:
    claim.lock_conversation(connection)
    connection.execute(delete(feedback).where(feedback.c.turn == row["turn"], feedback.c.user_id == row["user_id"]))
    return _from_row(connection.execute(insert(feedback).values(row).returning(feedback)).one())


def _from_row(row: Row[tuple[object, ...]]) -> Feedback:
    return Feedback(
        id=row.id,
        conversation=row.conversation,
        turn=row.turn,
        user=row.user_id,
        verdict=row.verdict,
        reason=row.reason,
        note=row.note,
        skill=row.skill,
        at=values.from_micros(row.at),
    )
