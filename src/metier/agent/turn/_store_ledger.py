"""Ledger of refusals and exceptions, kept in the store."""

from metier.store import Store
from metier.tools import ExceptionRuling, RefusedCall, ToolExceptionRequest


class StoreLedger:
    """Records refusals and exceptions in the store, under their conversation.

    The conversation must exist. A failed write raises, so that no refusal is lost silently.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def record_violation(self, refused: RefusedCall) -> None:
        await self._store.violations.record(
            refused.conversation,
            turn=refused.turn,
            tool=refused.tool,
            args_digest=refused.args_digest,
            layer=refused.layer,
            code=refused.code,
            reason=refused.reason,
            skill=refused.skill,
        )

    async def record_exception_request(self, ask: ToolExceptionRequest) -> str:
        kept = await self._store.exceptions.request(
            ask.conversation, tool=ask.tool, reason=ask.reason, skill=ask.skill, turn=ask.turn
        )
        return kept.id

    async def record_exception_ruling(self, request: str, ruling: ExceptionRuling) -> None:
        await self._store.exceptions.decide(request, ruling.state, by=ruling.by, note=ruling.note or None)
