"""Public API of the agent: `Runtime` runs one turn at a time per conversation and emits events once they are stored."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, Final, Literal

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.language_models import BaseChatModel

from metier.agent._from_settings import (
    Foundations,
    build_resources,
    collect_tools,
    open_library,
    open_mcp_servers,
    open_store,
)
from metier.agent.choice import read_answer
from metier.agent.lifecycle import (
    GivenAnswer,
    NewTurn,
    Observer,
    RequestPlace,
    ResumedTurn,
    TurnDriver,
    check_edited_arguments,
    check_form_data,
    check_guards,
    choose_opening,
    claim_key,
    find_answer_event,
    find_guarded_text,
    find_place,
    has_call_in_flight,
    is_about_plan,
    is_left_empty,
    read_given,
    require_owner,
    require_skill_of,
    tell_interrupted,
)
from metier.agent.models import ModelPool
from metier.agent.turn import Resources, TurnRequest, resolve_skills, turn_events, validate_answer, validate_request
from metier.background import repeat, try_step
from metier.clock import random_id, utc_now
from metier.errors import Conflict, Refused, Unavailable
from metier.faults import fault_point
from metier.json_values import JsonObject, JsonValue
from metier.limits import run_limited
from metier.pack import Pack
from metier.routing import Router
from metier.settings import Settings
from metier.skills import Catalog, SkillLibrary, narrow_groups
from metier.store import Conversation, Event, Pause, Principal, Store, Turn
from metier.tools import ExceptionPolicy, Outcome, Registry, ScriptPool, SkillScripts, Tool, ToolCall, ToolContext
from metier.tools.mcp import McpServers

_REPLAY_POLL_S: Final = 0.05
_LOOKS_PER_LEASE: Final = 8  # for turns of processes that are gone: one is found at most this part of a lease late


class Runtime:
    """Runs turns. Created by `Runtime.open`; all state of a conversation is in the store."""

    def __init__(self, resources: Resources, driver: TurnDriver, owner: str) -> None:
        self._resources = resources
        self._driver = driver
        self._owner = owner
        self.is_draining = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings,
        *,
        model: BaseChatModel | None = None,
        models: Mapping[str, BaseChatModel] | None = None,
        tools: Sequence[Tool] = (),
        packs: Sequence[Pack] = (),
        middleware: Sequence[AgentMiddleware[Any, Any, Any]] = (),
        router: Router | None = None,
        exceptions: ExceptionPolicy | None = None,
        observers: Sequence[Observer] = (),
        clock: Callable[[], datetime] = utc_now,
        new_id: Callable[[], str] = random_id,
        watch: bool = False,
        recover_turns: Literal["no", "mark", "resume"] = "no",
    ) -> AsyncIterator["Runtime"]:
        """Open everything turns share: store, skills, router, tools, model and agent.

        `model` and `router` override the settings; `models` are further ones by name. `tools` and those of `middleware`
        are added to the built-in ones; `packs` add tools, skills and a prompt if the operator has none. `watch` reloads
        changed skills, `recover_turns` looks for turns whose process is gone. `observers` get every stored event.
        """
        own = collect_tools(settings, tools, middleware)
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(open_store(settings, clock, new_id))
            pool = await stack.enter_async_context(ScriptPool.from_settings(settings))
            mcp = await stack.enter_async_context(open_mcp_servers(settings))
            library = open_library(settings, packs)
            if watch:
                await stack.enter_async_context(library.watch())
            resources = build_resources(
                Foundations(settings, store, library, mcp, SkillScripts(pool), own),
                packs,
                models=stack.enter_context(ModelPool.open(settings, model=model, models=models)),
                router=router,
                exceptions=exceptions,
                clock=clock,
                new_id=new_id,
            )
            stack.callback(resources.router.close)
            reopen = partial(open_store, settings, clock, new_id)
            driver = await stack.enter_async_context(TurnDriver.open(resources, middleware, reopen, observers))
            runtime = cls(resources, driver, f"{socket.gethostname()}:{os.getpid()}:{new_id()[:8]}")
            if recover_turns != "no":
                await stack.enter_async_context(runtime._recover_periodically(go_on=recover_turns == "resume"))
            yield runtime

    @property
    def store(self) -> Store:
        """Store with all conversations, turns and events."""
        return self._resources.store

    def catalog(self) -> Catalog:
        """Current skills, of all users."""
        return self._resources.library.catalog()

    def catalog_of(self, user: str) -> Catalog:
        """Current skills that a user sees: those of everybody and the user's own."""
        return self.catalog().narrow_to(user)

    @property
    def library(self) -> SkillLibrary:
        """Skill folders behind the catalog."""
        return self._resources.library

    def tools(self, catalog: Catalog | None = None) -> Registry:
        """Current tools, including those of packs, MCP servers and skills: of this catalog, or of all users."""
        return self._resources.toolset(self.catalog() if catalog is None else catalog).registry

    @property
    def models(self) -> ModelPool:
        """Configured models: which there are, which is the default, which a stage uses."""
        return self._resources.models

    @property
    def mcp(self) -> McpServers | None:
        """Configured MCP servers, with the tools that wait for approval; None if there are none."""
        return self._resources.mcp

    async def prepare(self, *, tools: bool = True) -> None:
        """Load all, or all but the packs' tools, that a first turn would load, beside the event loop; repeatable."""
        await self._resources.prepare(tools=tools)

    async def call(
        self, tool: str, arguments: JsonObject, *, conversation: str, skill: str | None = None, user: str = "local"
    ) -> Outcome:
        """Run one tool outside a turn, through the gate. A refused call is recorded in this conversation.

        A call that needs approval is not run: there is nobody to ask.
        """
        require_owner(await self.store.conversations.get(conversation), user)
        resources, catalog = self._resources, (await self._resources.load_catalog_and_tools()).narrow_to(user)
        gate = resources.open_gate_for(catalog, catalog[skill] if skill else None, None, None, frozenset()).gate
        context = ToolContext(resources.workspace(conversation), conversation, user=user)
        call = ToolCall(resources.new_id(), tool, arguments)
        return await resources.toolset(catalog).executor.run(call, gate=gate, context=context)

    async def turn(self, request: TurnRequest) -> AsyncIterator[Event]:
        """Answer one message. The events are stored whether or not the caller reads them to the end.

        A message that answers an open question resumes the turn that asked it. `ConversationBusy` if one is running.
        """
        self._refuse_while_draining()
        fault_point("request_accepted")
        asked = validate_request(request, self._resources.settings.message_max_tokens)
        if asked.model is not None:
            self.models[asked.model]  # raises if it is not configured
        catalog = (await self._resources.load_catalog()).narrow_to(asked.user)
        groups = narrow_groups(self._resources.settings.skill_groups, asked.groups)
        asked = resolve_skills(asked, catalog.in_groups(groups))
        asked = await claim_key(self.store, asked)
        place = await self._find_place(asked)
        # Before the pause is looked at: the message that led to a pause must not answer it.
        if place.earlier is not None and not await is_left_empty(self._resources, place.earlier):
            async for event in self._replay(place.earlier):
                yield event
            return
        guarded = await check_guards(self._resources, place.conversation, asked.message, asked.voice_mode)
        asked = replace(asked, voice_mode=guarded.voice) if guarded and guarded.voice is not None else asked
        aside = place.pause
        answers, value = (False, None) if guarded and guarded.text else await read_answer(aside, asked.message)
        if aside and answers:
            first = choose_opening(guarded, asked.message) if guarded else ""
            given = GivenAnswer(
                aside, value, asked.idempotency_key, asked.message, asked.by, first, asked.shown
            ).narrow()
            await given.require_right(self.store, self._resources.settings, conversation=place.conversation)
            async for event in self._resume_with_answer(given, place.conversation):
                yield event
            return
        await self._resources.prepare_tokenizer()
        lease = await self.store.turns.start(
            place.conversation.id, self._owner, self._resources.settings.lease_s, request_key=asked.idempotency_key
        )
        if lease.replayed and await is_left_empty(self._resources, lease):
            lease = await self._take_lease(lease.id)
        new = NewTurn(self._resources, asked, place.conversation, catalog, aside, guarded, place.has_open_pauses)
        run = partial(self._driver.run, lease, new.start, self._take_lease)
        async for event in self._replay(lease) if lease.replayed else run():
            yield event

    async def answer(
        self,
        pause: str,
        answer: JsonValue,
        *,
        answer_key: str | None = None,
        user: str | None = None,
        by: Principal | None = None,
        shown: str = "",
    ) -> AsyncIterator[Event]:
        """Answer a pause and resume its turn, in any process.

        `by` says who answers and needs the right to; without it the caller is trusted. `user` must own the conversation
        if given. An invalid answer raises `InvalidInput`, an approval of something else than what `shown` is the digest
        of `ApprovalChanged`; the pause stays open. Repeating one runs nothing.
        """
        self._refuse_while_draining()
        found = await self.store.pauses.get(pause)
        given = GivenAnswer(found, await read_given(found, answer), answer_key, by=by, shown=shown)
        place = await given.require_right(self.store, self._resources.settings, owner=user)
        stopped, opening = await find_guarded_text(self._resources, place, answer)
        if stopped:
            async for event in self.turn(TurnRequest(stopped, conversation=place.id, user=place.user, by=by)):
                yield event
            return
        value = await run_limited(lambda: validate_answer(found, given.answer))
        await check_edited_arguments(self._resources, found, value, place.skill)
        async for event in self._resume_with_answer(replace(given, answer=value, opening=opening), place):
            yield event

    async def resume(self, turn: str) -> AsyncIterator[Event]:
        """Resume an interrupted turn."""
        async for event in self._driver.run(await self._take_lease(turn), ResumedTurn(self._resources).start):
            yield event

    async def _take_lease(self, turn: str) -> Turn:
        return await self.store.turns.resume(turn, self._owner, self._resources.settings.lease_s)

    async def resume_interrupted(self, *, go_on: bool = True) -> tuple[Turn, ...]:
        """Find turns whose process is gone and mark them; with `go_on`, resume them in the background.

        Leases that have not expired are left alone, and so are this runtime's turns, whose leases may have expired.
        """
        if self.is_draining or not await self.store.turns.has_expired(but=self._driver.running_turns):
            return ()
        await self._driver.renew_leases()
        turns = await self.store.turns.interrupt_expired(but=self._driver.running_turns)
        for turn in turns:
            if await is_left_empty(self._resources, turn):
                continue  # only who sent the message knows it, and takes the turn up with it
            if (told := await tell_interrupted(self._resources, turn)) is not None:
                self._driver.notify_observers(told)
            if go_on:
                self._driver.run_in_background(self._resume_to_end(turn.id))
        return turns

    async def drain(self, limit_s: float) -> bool:
        """Refuse new turns and wait for those that run; False if some still run when the time is up."""
        self.is_draining = True
        running = asyncio.create_task(self.wait_until_idle())
        done, _ = await asyncio.wait({running}, timeout=limit_s)
        running.cancel()
        return bool(done)

    def _refuse_while_draining(self) -> None:
        if self.is_draining:
            raise Unavailable("the server is stopping", hint="send it again in a few seconds")

    async def stop(self, conversation: str, *, user: str | None = None) -> bool:
        """Stop the turn of this conversation if it runs in this process; False if there is none.

        What the model has said so far is kept; the outcome of a running call is unknown unless its tool is idempotent.
        """
        if user is not None:
            require_owner(await self.store.conversations.get(conversation), user)
        return await self._driver.stop(conversation)

    async def wait_until_idle(self) -> None:
        """Wait until this runtime has no turn running."""
        await self._driver.wait_until_idle()

    @asynccontextmanager
    async def _recover_periodically(self, *, go_on: bool) -> AsyncIterator[None]:
        self._driver.keep_leases()
        resume, failed = partial(self.resume_interrupted, go_on=go_on), "interrupted turns could not be looked for"
        await try_step(resume, failed)
        every_s = self._resources.settings.lease_s / _LOOKS_PER_LEASE
        task = asyncio.create_task(repeat(resume, every_s=every_s, what=failed))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _resume_if_left(self, turn: Turn) -> bool:
        """Resume a turn that nobody runs and that left a call in flight, so that a person is asked about the call.

        A new message would otherwise go on with the plan and run that call again.
        """
        is_left = turn.state in ("running", "interrupted") and not self._is_running(turn)
        if not (is_left and await has_call_in_flight(self.store, turn)):
            return False
        await self._resume_to_end(turn.id)
        return True

    def _is_running(self, turn: Turn) -> bool:
        return turn.state == "running" and turn.lease_until > self._resources.clock()

    async def _resume_to_end(self, turn: str) -> None:
        async for _ in self.resume(turn):
            pass

    async def _resume_with_answer(self, given: GivenAnswer, conversation: Conversation) -> AsyncIterator[Event]:
        pause = given.pause
        if pause.turn is None:
            raise Refused(f"pause {pause.id!r} belongs to no turn", hint="send a message instead")
        if pause.answered_at is None:
            self._driver.check_pause(pause)
            await check_form_data(self._resources, pause, given.answer)
            if given.is_approving or is_about_plan(pause):
                await require_skill_of(self._resources, conversation)
        done, lease = await given.store_once(self.store, self._owner, self._resources.settings.lease_s)
        fault_point("answer_stored")
        lease = lease or await self._resume_once(pause, pause.turn)
        is_resumed = False  # nor if the same answer was applied elsewhere just before the lease
        if lease is not None:
            resumed = ResumedTurn(self._resources, done, given.said, given.opening, conversation)
            async for event in self._driver.run(lease, resumed.start):
                is_resumed = True
                yield event
        if is_resumed:
            return
        events = await turn_events(self.store, await self.store.turns.get(pause.turn))
        taken = find_answer_event(events, pause)
        for event in events if taken is None else events[events.index(taken) :]:
            yield event

    async def _resume_once(self, pause: Pause, turn_id: str) -> Turn | None:
        """Lease of the turn that asked; None if the same answer has resumed it elsewhere, perhaps only just now."""
        is_taken, turn = await self._wait_for_answer(pause, turn_id)
        if is_taken or turn.state not in ("paused", "interrupted", "running"):  # running: its process died asking
            return None
        try:
            return await self._take_lease(turn_id)
        except Conflict:
            if not (await self._wait_for_answer(pause, turn_id))[0]:
                raise
            return None

    async def _wait_for_answer(self, pause: Pause, turn_id: str) -> tuple[bool, Turn]:
        """Wait while the turn runs and the answer is not applied; returns whether it was applied, and the turn."""
        while True:
            turn = await self.store.turns.get(turn_id)
            is_taken = find_answer_event(await turn_events(self.store, turn), pause) is not None
            if is_taken or not self._is_running(turn):
                return is_taken, turn
            await asyncio.sleep(_REPLAY_POLL_S)

    async def _find_place(self, asked: TurnRequest) -> RequestPlace:
        place = await find_place(self.store, asked)
        if not place.is_repeated and place.last is not None and await self._resume_if_left(place.last):
            return await find_place(self.store, asked)
        return place

    async def _replay(self, turn: Turn) -> AsyncIterator[Event]:
        """Events of a turn that another request started: at least the first, which may only just be written."""
        while not (events := await turn_events(self.store, turn)):
            if not self._is_running(await self.store.turns.get(turn.id)):
                return
            await asyncio.sleep(_REPLAY_POLL_S)
        for event in events:
            yield event
