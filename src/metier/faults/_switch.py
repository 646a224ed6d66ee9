"""Fault points: passed everywhere, inert until `arm_faults` names an action for one of them."""

import logging
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal, cast, get_args

from metier.errors import InvalidSettings
from metier.faults._points import FAULT_POINTS
from metier.names import suggest

_log = logging.getLogger(__name__)

FaultAction = Literal["kill", "term", "stop", "raise", "sleep", "hang"]
_ACTIONS: Final = get_args(FaultAction)
_DEFAULT_SLEEP_S: Final = 1.0


class InjectedFault(RuntimeError):
    """Error of the action `raise`."""


@dataclass(frozen=True, slots=True)
class FaultRule:
    """What happens at the `at`-th passage of a point."""

    point: str
    action: FaultAction
    seconds: float = _DEFAULT_SLEEP_S
    at: int = 1


@dataclass(slots=True)
class _FaultPlan:
    """Rules of a process, and how often each point was passed."""

    rules: tuple[FaultRule, ...]
    passed: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def pass_point(self, name: str) -> None:
        with self.lock:
            self.passed[name] += 1
            count = self.passed[name]
        for rule in self.rules:
            if rule.point == name and rule.at == count:
                _act(rule)


@dataclass(slots=True)
class _Switch:
    plan: _FaultPlan | None = None


_SWITCH: Final = _Switch()  # of the whole process, as the faults are


def fault_point(name: str) -> None:
    """Do what `METIER_FAULTS` says for this point; without the setting, nothing."""
    if _SWITCH.plan is not None:
        _SWITCH.plan.pass_point(name)


@contextmanager
def arm_faults(text: str) -> Iterator[None]:
    """Turn on these faults in the whole process while the context is open; an empty text changes nothing."""
    if not text:
        yield
        return
    rules = parse_faults(text)
    _log.warning("FAULT INJECTION IS ON (METIER_FAULTS=%s): this process will fail on purpose", text)
    before, _SWITCH.plan = _SWITCH.plan, _FaultPlan(rules)
    try:
        yield
    finally:
        _SWITCH.plan = before


def parse_faults(text: str) -> tuple[FaultRule, ...]:
    """Read `point=action[:seconds][@passage]`, separated by commas; raises `InvalidSettings`."""
    return tuple(_parse_rule(one.strip()) for one in text.split(",") if one.strip())


def _parse_rule(text: str) -> FaultRule:
    point, _, rest = text.partition("=")
    rest, _, passage = rest.partition("@")
    action, _, seconds = rest.partition(":")
    if point not in FAULT_POINTS:
        hint = suggest(point, FAULT_POINTS, f"points: {', '.join(FAULT_POINTS)}")
        raise InvalidSettings(f"METIER_FAULTS names {point!r}, which is no fault point", hint=hint)
    try:
        rule = FaultRule(point, cast("FaultAction", action), float(seconds or _DEFAULT_SLEEP_S), int(passage or 1))
    except ValueError as error:
        raise InvalidSettings(
            f"METIER_FAULTS has {text!r}: {error}", hint="write point=action:seconds@passage"
        ) from None
    if action not in _ACTIONS:
        hint = f"actions: {', '.join(_ACTIONS)}"
        raise InvalidSettings(f"METIER_FAULTS names the action {action!r} for {point!r}", hint=hint)
    return rule


def _act(rule: FaultRule) -> None:
    """Carry out the action. `sleep` and `hang` block the thread that passes: on the event loop, the whole server."""
    if rule.action == "raise":
        raise InjectedFault(f"fault point {rule.point}")
    if rule.action == "sleep":
        time.sleep(rule.seconds)
    elif rule.action == "hang":
        threading.Event().wait()
    else:
        number = {"kill": signal.SIGKILL, "term": signal.SIGTERM, "stop": signal.SIGSTOP}[rule.action]
        os.kill(os.getpid(), number)
