"""Promises that are withdrawn or put off by what is said right behind them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from metier.packs.office.analysis._dates import find_date
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._transcript import Utterance

__all__ = ["settle_promises"]

_ANY_DAY: Final = date(2000, 1, 3)
_WITHDRAWN: Final = re.compile(
    r"^(?:那|好|哦|嗯|还是|你|不对|[，,])*(?:不用(?:了|[，,。！!]|你|交|写|做|发|弄|改|管|$)|不必了?|不需要了?|算了|(?:取消|作废)[了吧]*(?:[，,。！!]|$)|先?别[交写做发弄改管]|"
    r"先不(?:用|要|做|发|写)|never ?mind|no need|don't bother|scrap that|cancel)",
    re.IGNORECASE,
)
_CANCELLED: Final = re.compile(
    r"(?P<thing>[\u4e00-\u9fff]{2,8}?)(?:就|先|也)?(?:取消|作废|不用[交写做发弄改]|不[交写做]了)"
)
_CHANGED: Final = re.compile(
    r"(?:^|[，,。；;])(?:还是|那|就|我)*(?P<change>(?:改(?:成|到|为|在)|推迟到|延(?:期|后)?到|提前到|挪到)(?P<day>[^，,。；;]{2,12}?))(?:吧|了|好了)?[。！!]?$"
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
        cancelled = _CANCELLED.search(following)
        if _WITHDRAWN.match(following) or (cancelled and cancelled["thing"][-2:] in promise.what):
            continue
        if change := _read_change(following):
            yield _put_off(promise, change, find_day(change[1]), said[at + 1].line)
        else:
            yield promise


def _put_off(promise: Promise, change: tuple[str, str], day: tuple[date | None, str], line: str) -> Promise:
    what, both = f"{promise.what}（{change[0]}）", f"{promise.line} / {line}"
    return replace(promise, what=what, when=day[0], said=day[1], line=both)


def _read_change(text: str) -> tuple[str, str] | None:
    """`改成下周二`, with the words of the day."""
    match = _CHANGED.search(text.strip())
    if match is None:
        return None
    day = find_date(match["day"], _ANY_DAY)
    return (match["change"], match["day"]) if day is not None else None
