"""One conversation as a person sees it: what is open, what is offered, and what an action leads to."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from metier.agent import TurnRequest
from metier.attachments import add_attachment
from metier.errors import InvalidInput, MetierError
from metier.json_values import JsonObject, JsonValue
from metier.store import Event
from metier.testing.journeys._host import JourneyHost
from metier.testing.journeys._journey import Action, FileBytes
from metier.workspaces import WorkspaceQuota, workspace_folder

_USER: Final = "journey"
_APPROVALS: Final = frozenset({"approve", "exception"})


@dataclass(frozen=True, slots=True)
class StepRecord:
    """What happened after an action: the stored events, or the error that refused it."""

    action: Action
    events: tuple[Event, ...] = ()
    error: MetierError | None = None

    def data_of(self, *kinds: str) -> list[JsonObject]:
        """Data of the events of these kinds."""
        return [event.data for event in self.events if event.kind in kinds]

    @property
    def text(self) -> str:
        """All that was said."""
        return "\n".join(str(one.get("text", "")) for one in self.data_of("text.done"))


@dataclass(slots=True)
class Visit:
    """A person in one conversation on a host."""

    host: JourneyHost
    conversation: str | None = None
    records: list[StepRecord] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return [event for record in self.records for event in record.events]

    @property
    def pause(self) -> JsonObject | None:
        """The open question."""
        found: JsonObject | None = None
        for event in self.events:
            if event.kind == "pause.opened":
                found = event.data
            elif event.kind == "pause.answered" and found and event.data.get("pause") == found.get("pause"):
                found = None
        return found

    @property
    def skill(self) -> str:
        """Id of the skill in use; empty if there is none."""
        ids = [str(one.data.get("skill")) if one.kind == "skill.activated" else "" for one in self._skill_events()]
        return ids[-1] if ids else ""

    @property
    def facts(self) -> dict[str, JsonValue]:
        """Facts of the conversation by name."""
        known: dict[str, JsonValue] = {}
        for event in self.events:
            if event.kind == "fact.saved":
                known[str(event.data.get("name"))] = event.data.get("value")
            elif event.kind == "fact.removed":
                known.pop(str(event.data.get("name")), None)
        return known

    @property
    def chips(self) -> Sequence[JsonObject]:
        """The messages that were suggested last, and not since an older message."""
        shown = self.records[-1].data_of("suggestions") if self.records else []
        return as_objects(shown[-1].get("suggestions")) if shown else []

    @property
    def choices(self) -> Sequence[JsonObject]:
        """Options of the open question."""
        return as_objects(self.pause.get("choices")) if self.pause else []

    async def do(self, action: Action) -> StepRecord:
        """Do one thing and wait until the turn is over or waits for an answer."""
        events: list[Event] = []
        error: MetierError | None = None
        try:
            async for event in await self._start(action):
                events.append(event)
                self.conversation = event.conversation
                if event.kind == "tool.called" and event.data.get("tool") == action.stop_at:
                    await self.host.runtime.stop(event.conversation)
        except MetierError as refused:
            error = refused
        self.records.append(StepRecord(action, tuple(events), error))
        return self.records[-1]

    async def _start(self, action: Action) -> AsyncIterator[Event]:
        runtime = self.host.runtime
        match action.kind:
            case "say":
                return self._send(str(action.value))
            case "chip":
                return self._send(str(self._find_chip(str(action.value)).get("value")))
            case "attach":
                await self._attach(action.attach or {})
                return _no_events()
            case "restart" | "tomorrow":
                await self.host.restart(timedelta(days=1) if action.kind == "tomorrow" else timedelta())
                return _no_events()
            case _:
                pause = self._require_pause()
                return runtime.answer(str(pause["pause"]), self._answer_value(action, pause), user=_USER)

    async def _attach(self, files: Mapping[str, str | FileBytes]) -> None:
        store, settings = self.host.runtime.store, self.host.settings
        if self.conversation is None:
            self.conversation = (await store.conversations.create(_USER)).id
        workspace = workspace_folder(settings.storage_dir, self.conversation)
        for name, content in files.items():
            raw = content.encode() if isinstance(content, str) else content.base64
            add_attachment(workspace, name, raw, max_bytes=settings.attachment_max_bytes, quota=WorkspaceQuota())

    def _send(self, message: str) -> AsyncIterator[Event]:
        return self.host.runtime.turn(TurnRequest(message, conversation=self.conversation, user=_USER))

    def _find_chip(self, words: str) -> JsonObject:
        found = next((one for one in self.chips if words in str(one.get("text"))), None)
        if found is None:
            offered = ", ".join(str(one.get("text")) for one in self.chips) or "nothing"
            raise InvalidInput(f"{words!r} is not offered", hint=f"offered: {offered}")
        return found

    def _require_pause(self) -> JsonObject:
        if self.pause is None:
            raise InvalidInput("no question is open", hint="say something instead")
        return self.pause

    def _answer_value(self, action: Action, pause: JsonObject) -> JsonValue:
        match action.kind:
            case "choose":
                return self._find_choice(action.value)
            case "approve":
                return {"decision": "approve", **(action.value if isinstance(action.value, Mapping) else {})}
            case "reject" if pause.get("purpose") in _APPROVALS:
                return {"decision": "reject", **({"note": action.value} if isinstance(action.value, str) else {})}
            case "reject":
                return None
            case _:
                return action.value

    def _find_choice(self, wanted: JsonValue) -> JsonValue:
        choices = self.choices
        if isinstance(wanted, int) and 1 <= wanted <= len(choices):
            return choices[wanted - 1].get("value")
        found = next((one for one in choices if str(wanted) in str(one.get("text"))), None)
        if found is None:
            options = ", ".join(str(one.get("text")) for one in choices) or "nothing"
            raise InvalidInput(f"{wanted!r} is no option of the question", hint=f"options: {options}")
        return found.get("value")

    def _skill_events(self) -> list[Event]:
        return [event for event in self.events if event.kind in ("skill.activated", "skill.left")]


def as_objects(value: JsonValue) -> list[JsonObject]:
    """The objects of a list; empty if it is none."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return []
    return [one for one in value if isinstance(one, Mapping)]


async def _no_events() -> AsyncIterator[Event]:
    return
    yield
