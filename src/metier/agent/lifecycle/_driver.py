"""Runs a turn to its end in a background task, under a lease that is renewed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, TypeAlias

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.messages import BaseMessage, HumanMessage
from langgraph.errors import GraphRecursionError

from metier.agent.adapters import localize_failure, render_sentence, to_langchain_messages
from metier.agent.choice import advance_tasks
from metier.agent.deep import is_deep, run_deep
from metier.agent.lifecycle._leases import LeaseKeeper, renew_together
from metier.agent.lifecycle._recover import TurnCrashed
from metier.agent.lifecycle._stop import close_open_batch, write_stop
from metier.agent.lifecycle._suggestions import suggest_next
from metier.agent.loop import TurnAgent
from metier.agent.turn import Journal, Resources, TurnState
from metier.errors import LeaseLost, MetierError
from metier.json_values import JsonObject, JsonValue
from metier.patterns import keep_patterns
from metier.store import Event, EventDraft, Pause, PendingStore, Turn, end_shared_wait

Observer: TypeAlias = Callable[[Event], None]
StartTurn: TypeAlias = Callable[[Journal], Awaitable[tuple[TurnState, bool]]]

_log = logging.getLogger(__name__)


class _ModelFailed(Exception):
    """A call of the model failed; the cause is its error."""


class _RunningTurn(NamedTuple):
    journal: Journal
    task: asyncio.Task[None]


class TurnDriver:
    """Runs turns in background tasks and streams the events of each. Created by `TurnDriver.open`."""

    def __init__(
        self,
        resources: Resources,
        agent: TurnAgent,
        observers: Sequence[Observer],
        open_store: Callable[[], PendingStore],
    ) -> None:
        self._resources = resources
        self._agent = agent
        self._observers = tuple(observers)
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: dict[str, _RunningTurn] = {}
        self._keeper = LeaseKeeper(open_store, self._list_leases, resources.settings.lease_s)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        resources: Resources,
        middleware: Sequence[AgentMiddleware[Any, Any, Any]],
        open_store: Callable[[], PendingStore],
        observers: Sequence[Observer] = (),
    ) -> AsyncIterator["TurnDriver"]:
        """Open a driver; on close, running turns are cancelled, and left to be recovered as if the process had died.

        `open_store` opens the database once more, for the thread that renews leases.
        """
        keep_patterns()
        default_model = resources.models.get(resources.models.default)
        agent = TurnAgent(default_model, resources.settings.skill_tool, middleware)
        resources.run_calls = agent.run_calls
        driver = cls(resources, agent, observers, open_store)
        try:
            yield driver
        finally:
            driver._cancel_tasks()
            await asyncio.gather(*driver._tasks, return_exceptions=True)
            await driver._keeper.close()

    def check_pause(self, pause: Pause) -> None:
        """Raise `InvalidInput` if an answer to this pause could not be passed on here, before it is taken."""
        self._agent.check_pause(pause)

    async def run(
        self, lease: Turn, start: StartTurn, retake: Callable[[str], Awaitable[Turn]] | None = None
    ) -> AsyncIterator[Event]:
        """Run the turn and yield its events. The turn continues if the reader stops reading.

        Raises the store's error if the turn could not write its first event, or its end: nobody else would tell.
        `retake` takes the lease again if it was over before anything was stored: only the caller knows the message.
        """
        told: asyncio.Queue[Event | None] = asyncio.Queue()

        def publish(event: Event) -> None:
            told.put_nowait(event)
            self.notify_observers(event)

        journal = Journal(self._resources.store, lease, publish)
        self._running[lease.conversation] = _RunningTurn(
            journal, self.run_in_background(self._drive(journal, start, told))
        )
        self._keeper.start()
        is_told = False
        while (event := await told.get()) is not None:
            is_told = True
            yield event
        if journal.write_error is not None:
            raise journal.write_error
        if journal.is_lost and not is_told and retake is not None:
            async for event in self.run(await retake(lease.id), start):
                yield event

    def notify_observers(self, event: Event) -> None:
        """Pass a stored event to every observer; a failing observer stops neither the turn nor the others."""
        for observer in self._observers:
            try:
                observer(event)
            except Exception:  # noqa: BLE001 - an observer is somebody else's code
                _log.warning("an observer failed on event %s of %s", event.seq, event.conversation, exc_info=True)

    async def stop(self, conversation: str) -> bool:
        """Stop the running turn of a conversation and release its lease; False if none runs here."""
        running = self._running.get(conversation)
        if running is None:
            return False
        if await running.journal.close():
            running.task.cancel()
        elif running.journal.is_over:
            return False
        await asyncio.wait([running.task])  # unlike `gather`, cancels nothing if this call is cancelled
        return True

    def run_in_background(self, state: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a task that is cancelled when the driver closes."""
        task = asyncio.create_task(state)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _cancel_tasks(self) -> None:
        """Cancel all background tasks but those that are writing the end of a stopped turn."""
        stopping = {one.task for one in self._running.values() if one.journal.is_closed}
        for task in self._tasks - stopping:
            task.cancel()

    async def wait_until_idle(self) -> None:
        """Wait until no background task is running."""
        while self._tasks:
            await asyncio.wait(self._tasks)  # unlike `gather`, cancels nothing if this call is cancelled

    async def _drive(self, journal: Journal, begin: StartTurn, told: "asyncio.Queue[Event | None]") -> None:
        end_shared_wait()  # of the request that started the turn
        try:
            await self._run_or_fail(journal, begin)
        except asyncio.CancelledError:
            if not await self._on_cancelled(journal):
                raise
        finally:
            running = self._running.get(journal.lease.conversation)
            if running is not None and running.journal is journal:
                del self._running[journal.lease.conversation]
            told.put_nowait(None)

    async def _run_or_fail(self, journal: Journal, begin: StartTurn) -> None:
        """Run the turn and record its end. Its journal decides which end: a stop before that is `CancelledError`."""
        try:
            await self._run_turn(journal, begin)
        except LeaseLost:
            journal.is_lost = True
            _log.warning("turn %s was taken over", journal.lease.id)
        except MetierError as error:
            await self._record_failure(journal, error.to_json())
        except Exception as error:  # noqa: BLE001 - the edge of a background task: models and their services raise anything
            _log.warning("turn %s failed", journal.lease.id, exc_info=True)
            await self._record_failure(journal, _failure_to_json(error))

    async def _on_cancelled(self, journal: Journal) -> bool:
        """Store what a cancelled turn has done. True if a user stopped it, False if the process is shutting down."""
        try:
            if journal.is_closed:
                await write_stop(self._resources, journal.reopen())
                return True
            told = {"code": "interrupted", "turn": journal.lease.id, "message": "the process that ran this turn ended"}
            await journal.abandon(EventDraft("error", localize_failure(told, journal.language)))
        except MetierError as error:  # recovery will mark the turn interrupted
            _log.warning("the end of turn %s was not written: %s", journal.lease.id, error)
        return False

    async def _run_turn(self, journal: Journal, begin: StartTurn) -> None:
        state, goes_on = await begin(journal)
        await state.resources.load_tools(journal.emit)
        is_answered = not goes_on  # by a guard, a detail question, leaving a skill
        journal.language = state.request.language
        while goes_on:
            await self._run_within_steps(state)
            goes_on = not state.is_paused and await advance_tasks(state)
        if state.is_paused:
            await journal.finish("paused", *state.calls.closing_events)
        else:
            facts = await state.journal.load_facts() if state.skill.active is not None else ()
            suggested = suggest_next(state, facts, is_answered=is_answered)
            done = EventDraft("turn.done", _summarize_turn(state))
            await journal.finish("done", *([suggested] if suggested else []), done)

    async def _run_within_steps(self, state: TurnState) -> None:
        try:
            if is_deep(state):
                await run_deep(state)
            else:
                await self._run_agent(state)
        except GraphRecursionError:
            await close_open_batch(self._resources, state.journal)
            steps = self._resources.settings.turn_max_steps
            state.queue_reply(render_sentence("too_many_steps", state.request.language, steps=steps))

    async def _run_agent(self, state: TurnState) -> None:
        messages: Sequence[BaseMessage] = [HumanMessage(state.request.message)]
        if (task := state.tasks.running) is not None:
            said = await state.journal.load_messages()
            messages = [HumanMessage(task.text), *to_langchain_messages(said[task.first_message :])]
        elif not state.request.is_new:
            messages = to_langchain_messages(await state.journal.load_messages())
        try:
            await self._agent.run(state, messages)
        except Exception as error:
            if error is state.calls.model_error and not isinstance(error, MetierError):
                raise _ModelFailed from error
            raise

    async def _record_failure(self, journal: Journal, error: JsonObject) -> None:
        try:
            await close_open_batch(self._resources, journal, ends_tasks=True)
        except Exception:  # noqa: BLE001 - whatever it is, the failure itself must be recorded
            _log.warning("the open calls of turn %s were not closed", journal.lease.id, exc_info=True)
        try:
            await journal.finish("failed", EventDraft("turn.failed", localize_failure(error, journal.language)))
        except MetierError as unusable:  # recovery will mark the turn interrupted
            journal.write_error = unusable

    @property
    def running_turns(self) -> frozenset[str]:
        """Ids of the turns that run here."""
        return frozenset(lease.id for lease in self._list_leases())

    async def renew_leases(self) -> None:
        """Renew the lease of every turn that runs here."""
        if leases := self._list_leases():
            await renew_together(self._resources.store, leases)

    def keep_leases(self) -> None:
        """Connect the thread that renews leases before the first turn, in a process that runs many."""
        self._keeper.start(connect=True)

    def _list_leases(self) -> list[Turn]:
        return [one.journal.lease for one in tuple(self._running.values())]  # also from the thread that renews


def _failure_to_json(error: Exception) -> JsonObject:
    """Data of `turn.failed`. Only after a failed model call is it safe to say: send the message again."""
    code, hint = "turn_failed", "the log names the cause; see what the tools did before you send the message again"
    cause: BaseException = error
    if isinstance(error, TurnCrashed):
        hint = "send it again without the file that it works on, or in smaller parts; the server's log names the cause"
        return {"code": "turn_crashed", "message": f"{error}; it is not run again", "hint": hint}
    if isinstance(error, _ModelFailed):
        code, hint = "model_failed", "send the message again; METIER_MODEL names the model"
        cause = error.__cause__ or error
    return {"code": code, "message": f"{type(cause).__name__}: {str(cause)[:500]}", "hint": hint}


def _summarize_turn(state: TurnState) -> JsonObject:
    plan: JsonValue = None
    if state.plan.runner is not None:
        plan = {"state": state.plan.runner.state, **state.plan.runner.record.to_json()}
    skill = state.skill.active.id if state.skill.active else None
    return {"skill": skill, "plan": plan, **state.calls.usage.to_json()}
