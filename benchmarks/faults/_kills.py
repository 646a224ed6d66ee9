"""F01, F02, F30: SIGKILL, SIGTERM and SIGSTOP at the kill points of a turn, and at random moments."""

import asyncio
import signal
from dataclasses import dataclass, field
from typing import Final, Literal

from benchmarks.faults._client import Client, SeenEvent, Transcript
from benchmarks.faults._lane import Lane, Settled

Ending = Literal["kill", "term", "stop"]
_DEATH_LIMIT_S: Final = 60.0
_PAUSE_LEASES: Final = 2.5  # how long a stopped process stays so


@dataclass(frozen=True, slots=True)
class KillCase:
    """A point, its passage, and the message whose turn passes it; with `answers`, after the answer to its question."""

    point: str
    message: str
    passage: int = 1
    answers: bool = False

    @property
    def name(self) -> str:
        return self.point if self.passage == 1 else f"{self.point}@{self.passage}"


_TALK: Final = "/clerk talk"
_BILL: Final = "/clerk bill"
_STEPS: Final = "/steps"
_MEND: Final = "/mend mend"
KILL_CASES: Final = (
    KillCase("request_accepted", _TALK),
    KillCase("message_stored", _TALK),
    KillCase("routing", _TALK),
    KillCase("skill_activated", _STEPS),
    KillCase("context_built", _TALK),
    KillCase("model_delta", _TALK),
    KillCase("model_delta", _TALK, passage=10),
    KillCase("model_delta", _TALK, passage=11),
    KillCase("model_done", _TALK),
    KillCase("model_done", _TALK, passage=3),
    KillCase("plan_stored", _STEPS),
    KillCase("tool_announced", _STEPS),
    KillCase("tool_announced", _TALK, passage=2),
    KillCase("tool_running", _TALK),
    KillCase("tool_running", _TALK, passage=2),
    KillCase("tool_running", _STEPS),
    KillCase("tool_done", _TALK, passage=2),
    KillCase("tool_done", _STEPS),
    KillCase("result_stored", _TALK),
    KillCase("result_stored", _STEPS),
    KillCase("plan_judged", _STEPS, passage=2),
    KillCase("plan_rewritten", _MEND),
    KillCase("report_delta", _STEPS),
    KillCase("report_delta", _STEPS, passage=3),
    KillCase("pause_stored", _BILL),
    KillCase("answer_stored", _BILL, answers=True),
    KillCase("tool_running", _BILL, answers=True),
    KillCase("tool_done", _BILL, answers=True),
    KillCase("result_stored", _BILL, answers=True),
)


@dataclass(slots=True)
class KillResult:
    """What one kill led to."""

    case: str
    ending: Ending
    code: int | None = None
    settled: Settled = field(default_factory=Settled)
    ready_s: float = 0.0
    ready_cpu_s: float = 0.0
    is_starved: bool = False  # the turn ended before the point: the database did not answer in time
    repeats: int = 0  # how often a starved turn was tried again before this one

    @property
    def problems(self) -> list[str]:
        return [f"{self.case} ({self.ending}): {one}" for one in self.settled.problems]


async def kill_at_point(lane: Lane, case: KillCase, ending: Ending) -> KillResult:
    """Run a turn up to the point, let the server die there, start it again, and check the promises."""
    result = KillResult(case.name, ending)
    key, seen = lane.new_key(), Transcript()
    # Told to stop, a server lets turns end: these take longer than it waits.
    slow = " pace=0.1 hold=0.8" if ending == "term" else ""
    message = f"{case.message} {key}{slow}"
    rule = f"{case.point}={ending}@{case.passage}"
    async with Client.open(lane.running.address) as client:
        asked = Transcript()
        if case.answers:
            asked = await client.chat_accepted(message, key)
            pause = None if asked.is_starved else await client.wait_for_pause(asked.conversation)
            if pause is None:
                return await _check_starved(lane, result, asked.conversation, asked.events)
            await lane.running.arm(rule)
            sending = client.answer(pause, {"decision": "approve"}, key=f"{key}-answer")
        else:
            await lane.running.arm(rule)
            sending = client.chat_accepted(message, key)
        reading = asyncio.create_task(sending)
        if ending == "stop":
            return await _continue_and_check(lane, result, asked, reading)
        seen = await reading
    if case.answers:
        seen.events, seen.conversation = [*asked.events, *seen.events], asked.conversation
    if seen.is_starved:
        return await _check_starved(lane, result, seen.conversation, seen.events)
    result.code = await lane.running.wait(_DEATH_LIMIT_S)
    return await _restart_and_check(lane, result, message, key, seen)


async def _continue_and_check(
    lane: Lane, result: KillResult, asked: Transcript, reading: asyncio.Task[Transcript]
) -> KillResult:
    """Let a stopped process go on after its leases have ended; with PostgreSQL, after another one took over its turn.

    Alone, it goes on with its turn as if nothing had been; beside another, it has no effect any more.
    """
    stopped = lane.running
    is_stopped = await stopped.wait_until_stopped(_DEATH_LIMIT_S)
    has_other = is_stopped and not lane.options.database_url.startswith("sqlite")
    if has_other:
        await lane.start()
    await asyncio.sleep(_PAUSE_LEASES * lane.lease_s)
    stopped.send_signal(signal.SIGCONT)
    seen = await reading
    conversation, events = asked.conversation or seen.conversation, [*asked.events, *seen.events]
    if not is_stopped and seen.is_starved:
        return await _check_starved(lane, result, conversation, events)
    if not is_stopped or not conversation:
        result.settled.problems.append(f"the process did not stop, the client saw {_describe(seen)}")
        return result
    result.settled = await lane.settle(conversation, events)
    if not has_other and any(one.data.get("code") == "interrupted" for one in events if one.kind == "error"):
        result.settled.problems.append("P2: a server declared its own live turn dead")
    if not seen.is_ended and not seen.closed and not seen.error:
        result.settled.problems.append(f"P5: the stream has no last word: {_describe(seen)}")
    if has_other and (code := await stopped.stop()) != 0:
        result.settled.problems.append(f"the exit code is {code} instead of 0")
    return result


async def _check_starved(lane: Lane, result: KillResult, conversation: str, events: list[SeenEvent]) -> KillResult:
    """Check the promises to a turn that the database let down before its point: it was no kill, and it is no excuse.

    The server is started anew: the rule of the kill still waits in the old one.
    """
    result.is_starved = True
    await lane.running.kill()
    await lane.start()
    if conversation:
        lane.conversations.append(conversation)
        result.settled = await lane.settle(conversation, events)
    return result


def _describe(seen: Transcript) -> str:
    last = seen.events[-1] if seen.events else None
    return f"{seen.status} {seen.error or seen.closed or (last and (last.kind, last.data))}"[:300]


async def kill_at_random(lane: Lane, ending: Ending) -> KillResult:
    """Kill the server from outside at a random moment of a turn."""
    delay_s = lane.random.uniform(0, 0.6)
    result = KillResult(f"random after {delay_s * 1000:.0f} ms", ending)
    key = lane.new_key()
    message = f"{lane.random.choice((_TALK, _STEPS, _MEND))} {key} pace=0.01 hold=0.05"
    async with Client.open(lane.running.address) as client:
        reading = asyncio.create_task(client.chat(message, key=key))
        await asyncio.sleep(delay_s)
        lane.running.send_signal(signal.SIGKILL if ending == "kill" else signal.SIGTERM)
        seen = await reading
    result.code = await lane.running.wait(_DEATH_LIMIT_S)
    return await _restart_and_check(lane, result, message, key, seen)


async def _restart_and_check(lane: Lane, result: KillResult, message: str, key: str, seen: Transcript) -> KillResult:
    expected = 0 if result.ending == "term" else -signal.SIGKILL
    if result.code is None:
        result.settled.problems.append(f"the point was not passed, the client saw {_describe(seen)}")
        await lane.running.kill()
    elif result.code != expected:
        result.settled.problems.append(f"the exit code is {result.code} instead of {expected}")
    before = list(result.settled.problems)
    server = await lane.start()
    result.ready_s, result.ready_cpu_s = asyncio.get_running_loop().time() - server.started_at, server.cpu_s
    events: list[SeenEvent] = seen.events
    if not seen.conversation:  # nothing came back: the client sends the same request again
        async with Client.open(server.address) as client:
            again = await send_again(client, message, key)
            seen.conversation, events = again.conversation, again.events
    if not seen.conversation:
        result.settled.problems.append(f"the request sent again gets no answer: {seen.error}")
        return result
    lane.conversations.append(seen.conversation)
    result.settled = await lane.settle(seen.conversation, events)
    result.settled.problems = [*before, *result.settled.problems]
    return result


async def send_again(client: Client, message: str, key: str) -> Transcript:
    """Send a request that got no answer again, with its key, until it has one."""
    again = Transcript()
    for _ in range(100):
        again = await client.chat(message, key=key)
        if again.conversation:
            break
        await asyncio.sleep(0.1)
    return again
