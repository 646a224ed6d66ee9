"""Journeys played through the page: a person's actions as clicks and keys, checked by the events of the server."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from playwright.async_api import Locator, expect

from metier.errors import InvalidInput
from metier.json_values import JsonValue
from metier.store import Event
from metier.testing.journeys import Action, Journey, JourneyStep, StepRecord, Visit, check_step
from tests.browser import visit as browser

_MANY = 1000
_QUIET = "/favicon.svg"  # nothing of the page runs there
# No turn runs, and one has ended or asked something.
_ANSWERED = """(turns, events) => !turns.some((one) => one.state === "running")
  && events.some((one) => ["turn.done", "turn.failed", "pause.opened", "error"].includes(one.kind))"""
_CALLED = """(turns, events) => events.some((one) => one.kind === "tool.called" && one.data.tool === "%s")"""
_PRESS = """[...document.querySelectorAll("button")]
  .find((one) => (one.ariaLabel ?? one.textContent).trim() === %s).click()"""
# Reads turns and new events until a condition holds; a minute is for a busy machine.
_WAIT = """async ([path, after]) => {
  const read = async (what) => (await fetch(`${path}/${what}`)).json();
  for (let tries = 0; tries < 1200; tries += 1) {
    const { turns } = await read("turns");
    const { events } = await read(`events.json?limit=1000&after=${after}`);
    if ((%s)(turns, events)) { %s; return; }
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error("the server has not answered");
}"""


@dataclass(slots=True, kw_only=True)
class PageVisit(Visit):
    """A person with the page in front of them; `restart` starts the server again."""

    page: browser.Visit
    restart: Callable[[], None]
    days: int = 0

    async def do(self, action: Action) -> StepRecord:
        error: InvalidInput | None = None
        before = len(self.events)
        try:
            await self._act(action)
        except InvalidInput as refused:
            error = refused
        if error is None and action.kind not in ("restart", "tomorrow"):
            await self._wait_until_answered()
        self.records.append(StepRecord(action, tuple((await self._read_events())[before:]), error))
        return self.records[-1]

    async def _act(self, action: Action) -> None:
        match action.kind:
            case "say":
                await self.page.say(str(action.value))
            case "chip":
                await self.page.page.locator(".suggestion").filter(has_text=str(action.value)).click()
            case "choose":
                await self._locate_choice(action.value).click()
            case "fill":
                await self._fill(action.fill or {})
            case "approve":
                await self._open_question.get_by_role("button", name=self.page.says("approve"), exact=True).click()
            case "reject":
                for _ in range(2):  # the first asks for a reason
                    await self._open_question.get_by_role("button", name=self.page.says("reject"), exact=True).click()
            case "restart" | "tomorrow":
                await self._come_back(later_days=int(action.kind == "tomorrow"))
            case _:
                raise NotImplementedError(f"nobody has played {action.kind!r} in the page yet")
        if action.stop_at:
            await self._stop_at(action.stop_at)

    @property
    def _open_question(self) -> Locator:
        return self.page.page.locator("section.pause").last

    def _locate_choice(self, wanted: JsonValue) -> Locator:
        choices = self._open_question.locator(".choice")
        return choices.nth(wanted - 1) if isinstance(wanted, int) else choices.filter(has_text=str(wanted)).first

    async def _fill(self, values: Mapping[str, JsonValue]) -> None:
        """Fill the form; a list does not offer what is no option, and the page sends no form without it."""
        form = self._open_question.locator("form")
        (field,) = [one for one in self._form_fields() if one["name"] in values]
        wanted = values[field["name"]]
        if "options" not in field:
            await form.locator("input").first.fill(str(wanted))
            await form.locator("button.primary").click()
            return
        labels = {one["value"]: str(one["label"]) for one in field["options"]}
        if wanted in labels:
            await form.get_by_role("combobox").select_option(label=labels[wanted])
        await form.locator("button.primary").click()
        if wanted not in labels:
            await expect(form.locator(".field-error").first).to_be_visible()
            raise InvalidInput(f"the form does not offer {wanted!r}", hint=f"options: {', '.join(labels.values())}")

    def _form_fields(self) -> list[dict[str, Any]]:
        assert self.pause is not None
        form: Any = self.pause["form"]
        return [dict(one) for one in form["fields"]]

    async def _stop_at(self, tool: str) -> None:
        """Press Stop once the tool runs, by the page itself: a short run is over before another word to the browser."""
        await self.page.page.wait_for_url("**/chat/*")
        self.conversation = self.page.conversation
        await self._wait_for(_CALLED % tool, then=_PRESS % json.dumps(self.page.says("stop")))

    async def _come_back(self, *, later_days: int) -> None:
        """Leave the page, let the server start again, and open the conversation a day later."""
        self.days += later_days
        await self.page.open(_QUIET)
        self.page.forgive("favicon.ico")  # the browser may ask for it while the server is down
        self.restart()
        await self.page.page.clock.set_fixed_time(datetime.now().astimezone() + timedelta(days=self.days))
        await self.page.open(f"/chat/{self.conversation}")
        await expect(self.page.page.locator(".turn").first).to_be_visible()

    async def _wait_until_answered(self) -> None:
        """Wait until the turn has ended at the server and the page shows it."""
        await self.page.page.wait_for_url("**/chat/*")
        self.conversation = self.page.conversation
        await self._wait_for(_ANSWERED)
        await expect(self.page.button("stop")).to_have_count(0)
        await expect(self.page.page.locator(".thinking")).to_have_count(0)

    async def _wait_for(self, condition: str, *, then: str = "") -> None:
        after = self.events[-1].seq if self.events else 0
        await self.page.page.evaluate(_WAIT % (condition, then), [f"/api/conversations/{self.conversation}", after])

    async def _read_events(self) -> list[Event]:
        if self.conversation is None:
            return []
        path = f"/api/conversations/{self.conversation}/events.json"
        found: list[Event] = []
        while True:
            listed = (await self.page.json(f"{path}?limit={_MANY}&after={found[-1].seq if found else 0}"))["events"]
            found += [Event(**{**one, "at": datetime.fromisoformat(one["at"])}) for one in listed]
            if len(listed) < _MANY:
                return found

    async def look(self) -> None:
        """Look at the page: the open question is there and no other one, and something can be written."""
        await expect(self.page.page.locator("section.pause")).to_have_count(0 if self.pause is None else 1)
        await expect(self.page.composer).to_be_editable()

    async def forget(self) -> None:
        """Delete the conversation: the next journey begins with an empty list."""
        await self.page.page.request.delete(f"{self.page.address}/api/conversations/{self.conversation}")

    async def take_picture(self, journey: Journey, step: JourneyStep) -> None:
        """Photograph the page from its last message or map on, or at its end, for the guide."""
        if step.picture != "end":
            place = self.page.page.locator(".said" if step.picture == "message" else "figure.map").last
            await place.evaluate("one => one.scrollIntoView({block: 'start'})")
        name = journey.id.partition(": ")[0].removesuffix("-en")
        await self.page.shot(f"journey-{name}", max_bytes=120_000)


async def play(visit: PageVisit, journey: Journey) -> list[str]:
    """Play a journey; what went wrong, in words."""
    wrong = []
    for number, step in enumerate(journey.steps, 1):
        record = await visit.do(step)
        failures = check_step(journey, step, visit, record)
        wrong += [f"{journey.id}, step {number}, {step.describe()}: {why}" for why in failures]
        await visit.look()
        if step.picture is not None:
            await visit.take_picture(journey, step)
    await visit.page.open(_QUIET)
    await visit.forget()
    return wrong
