"""Decisions about held calls in words: only a plain yes approves, alone or with the title of the call."""

import re
from collections.abc import Mapping
from typing import Final

from metier.agent.adapters import cut_no_more, read_assent, read_reply
from metier.agent.turn.answers._row_choices import choose_preview_rows
from metier.agent.turn.answers._values import NO_ANSWER, STRIP_CHARS, ReadAnswer
from metier.store import Pause

_TITLE_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_TITLE_FILL: Final = re.compile(
    r"\b(?:the|them|it|these|those|this|that(?!['’]s)|now|changes?)\b|这些|它们|吧$", re.IGNORECASE
)
_BIDS: Final = re.compile(r"吧$|\b(?:it|them|these|those)\b", re.IGNORECASE)
_EXPRESS: Final = re.compile(r"\b(?:yes|approved?|confirm(?:ed)?|agreed?)\b|(?<!不)(?:同意|批准|确认)", re.IGNORECASE)


def parse_decision(pause: Pause, said: str) -> ReadAnswer:
    """Decision about calls: only a plain yes approves, alone or with the call's title; a no may be in any words."""
    if choose_preview_rows(pause, said) is not None:
        return NO_ANSWER  # shown first: the next plain yes is about these rows
    is_titled = any(_is_titled_assent(said, one) for one in _list_titles(pause))
    rest = cut_no_more(said)  # 不用再问了，取消
    is_no = bool(rest) and read_reply(rest, _describe_calls(pause)) == "no"
    if is_no and not (is_titled and _EXPRESS.search(said)):  # of a call "Cancel the order", "cancel it" may mean either
        return NO_ANSWER if is_titled else {"decision": "reject"}
    return {"decision": "approve"} if is_titled or read_assent(said) == "yes" else NO_ANSWER


def _is_titled_assent(said: str, title: str) -> bool:
    """Whether the text is a plain yes and words of the title: "同意下发", "yes, apply the parameters", "下发吧"."""
    pieces = {title[at : at + size] for size in range(2, len(title) + 1) for at in range(len(title) - size + 1)}
    words = _TITLE_WORD.findall(title) if title.isascii() else sorted(pieces, key=len, reverse=True)
    if not words:
        return False
    edge = r"\b" if title.isascii() else ""
    rest, count = re.subn(f"{edge}(?:{'|'.join(map(re.escape, words))}){edge}", " ", said, flags=re.IGNORECASE)
    rest = _TITLE_FILL.sub(" ", rest).strip(STRIP_CHARS)
    names_deed = re.search(f"{edge}{re.escape(words[0] if title.isascii() else title[:2])}", said, re.IGNORECASE)
    is_bid = not rest and names_deed is not None and _BIDS.search(said) is not None
    return count > 0 and (read_assent(rest) == "yes" or is_bid)


def _list_titles(pause: Pause) -> list[str]:
    listed = pause.payload.get("calls")
    calls = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return [str(one.get("title", "")) for one in calls]


def _describe_calls(pause: Pause) -> str:
    """Words that a no may repeat: the question and the titles of its calls."""
    return " ".join([*_list_titles(pause), str(pause.payload.get("text", "")).strip("？?")])
