"""Promises that are withdrawn or put off by what is said right behind them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from metier.packs.office.analysis._dates import find_date
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._transcript import Utterance

__all__ = ["move_day", "settle_promises", "takes_back"]

# What the same person says next of it: `算了，我下周再看`.
_TAKES_BACK: Final = re.compile(
    r"(?:不对|不行|算了|还是算了|说错了|讲错了|口误)[，,。]|(?:never ?mind|scrap that|"
    r"forget it)\b",
    re.IGNORECASE,
)
_MAX_LATER: Final = 5
_ANY_DAY: Final = date(2000, 1, 3)
_WITHDRAWN: Final = re.compile(
    r"^(?:那|好|哦|嗯|还是|你|不对|[，,])*(?:不用(?:了|[，,。！!]|你|交|写|做|发|弄|改|管|$)|不必了?|不需要了?|"
    r"算了|(?:取消|作废)[了吧]*(?:[，,。！!]|$)|先?别[交写做发弄改管]|"
    r"先不(?:用|要|做|发|写)|never ?mind|no need|don't bother|scrap that|cancel)"
    r"|^(?:我)?(?:开(?:个)?玩笑|说着玩|逗你)|^(?:just )?(?:kidding|joking)\b",
    re.IGNORECASE,
)
_CANCELLED: Final = re.compile(
    r"(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:就|先|也)?(?:取消|作废|不用[交写做发弄改]|不[交写做]了)"
)
_CHANGED: Final = re.compile(
    r"(?:^|[，,。；;])(?:还是|那|就|我)*(?P<change>(?:改(?:成|到|为|在)|推迟到|延(?:期|后)?到|提前到|"
    r"挪到)(?P<day>[^，,。；;]{2,12}?))(?:吧|了|好了)?[。！!]?$"
)


def settle_promises(
    found: Iterable[tuple[int, Promise]],
    said: Sequence[Utterance],
    find_day: Callable[[str], tuple[date | None, str]],
) -> Iterator[Promise]:
    """Promises without those that the next utterance withdraws, and with the day it changes them to."""
    kept: list[tuple[int, Promise]] = []
    for at, promise in found:
        if kept and at == kept[-1][0] + 1 and _read_change(said[at].text):
            continue
        kept.append((at, promise))
    for at, promise in kept:
        following = said[at + 1].text.strip() if at + 1 < len(said) and said[at + 1].speaker else ""
        later = said[at + 1 : at + 1 + _MAX_LATER]
        if _WITHDRAWN.match(following) or _is_taken_back(said[at].speaker, later) or _is_cancelled(promise, later):
            continue
        if change := _read_change(following):
            yield _put_off(promise, change, find_day(change[1]), said[at + 1].line)
        else:
            yield promise


def takes_back(text: str) -> bool:
    """Whether somebody takes back what they said before: `算了，我下周再看`."""
    return _TAKES_BACK.match(text.strip()) is not None


def _is_taken_back(speaker: str, later: Sequence[Utterance]) -> bool:
    own = next((one.text.strip() for one in later if one.speaker == speaker), "")
    return _TAKES_BACK.match(own) is not None and _read_change(own) is None


def _is_cancelled(promise: Promise, later: Sequence[Utterance]) -> bool:
    """Whether what is said behind it cancels the thing by its name."""
    found = (_CANCELLED.search(one.text) for one in later if one.speaker)
    return any(one and one["thing"][-2:] in promise.what for one in found)


def _put_off(promise: Promise, change: tuple[str, str], day: tuple[date | None, str], line: str) -> Promise:
    what, both = f"{promise.what}（{change[0]}）", f"{promise.line} / {line}"
    return replace(promise, what=what, when=day[0], said=day[1], line=both)


def move_day(promise: Promise, day: tuple[date | None, str], line: str) -> Promise:
    """A promise by the day that the reply names instead of the one that was asked for."""
    if not day[1] or day == (promise.when, promise.said):
        return promise
    if not promise.said:
        return replace(promise, when=day[0], said=day[1])
    note = f"（改为{day[1]}）" if re.search(r"[\u4e00-\u9fff]", promise.what) else f" (moved to {day[1]})"
    return replace(promise, what=promise.what + note, when=day[0], said=day[1], line=f"{promise.line} / {line}")


def _read_change(text: str) -> tuple[str, str] | None:
    """`改成下周二`, with the words of the day."""
    match = _CHANGED.search(text.strip())
    if match is None:
        return None
    day = find_date(match["day"], _ANY_DAY)
    return (match["change"], match["day"]) if day is not None else None
