"""Repository of figures: one line per turn that ended, from which dashboards over time are made."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, select

from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store.database import FIGURE_KINDS, Session, events

_ENDS = ("turn.done", "turn.failed")


@dataclass(frozen=True, slots=True)
class TurnFigure:
    """A turn that ended: when, after how long without the time it waited for a person, and what it used."""

    at: datetime
    elapsed_ms: int | None
    failed: bool
    code: str | None
    skill: str | None
    model_calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class Figures:
    """Repository behind `store.figures`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def list_turns(self, since: datetime, until: datetime) -> tuple[TurnFigure, ...]:
        """Turns of all users that ended from `since` on and before `until`, in the order of their ends."""
        found = (
            select(events)
            .where(
                events.c.kind.in_(FIGURE_KINDS),
                events.c.at >= values.to_micros(since, "since"),
                events.c.at < values.to_micros(until, "until"),
            )
            .order_by(events.c.at, events.c.conversation, events.c.seq)
        )
        rows = await self._session.read(lambda connection: connection.execute(found).all())
        return tuple(_collect(rows))


def _collect(rows: Iterable[Row[tuple[object, ...]]]) -> Iterable[TurnFigure]:
    started: dict[str | None, int] = {}
    asked: dict[str | None, int] = {}
    waited: dict[str | None, int] = {}
    for row in rows:
        if row.kind == "turn.started":
            started[row.turn] = row.at
        elif row.kind == "pause.opened":
            asked.setdefault(row.turn, row.at)
        elif row.kind == "pause.answered" and row.turn in asked:
            waited[row.turn] = waited.get(row.turn, 0) + row.at - asked.pop(row.turn)
        elif row.kind in _ENDS:
            begun = started.get(row.turn)
            elapsed = None if begun is None else (row.at - begun - waited.get(row.turn, 0)) // 1000
            yield _build(row, elapsed, values.decode_object(row.data))


def _build(row: Row[tuple[object, ...]], elapsed_ms: int | None, data: JsonObject) -> TurnFigure:
    failed, cost, skill, code = row.kind == "turn.failed", data.get("cost"), data.get("skill"), data.get("code")
    return TurnFigure(
        at=values.from_micros(row.at),
        elapsed_ms=elapsed_ms,
        failed=failed,
        code=code if failed and isinstance(code, str) else None,
        skill=skill if isinstance(skill, str) else None,
        model_calls=_count(data, "model_calls"),
        input_tokens=_count(data, "input_tokens"),
        output_tokens=_count(data, "output_tokens"),
        cost=float(cost) if isinstance(cost, int | float) else None,
    )


def _count(data: JsonObject, name: str) -> int:
    value = data.get(name)
    return value if isinstance(value, int) else 0
