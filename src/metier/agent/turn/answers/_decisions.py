"""Decisions about held calls in words: a plain yes approves, alone, with the title of the call, or "as proposed"."""

import re
from collections.abc import Mapping
from typing import Final

from metier.agent.adapters import cut_no_more, hesitates, is_hum, read_assent, read_reply
from metier.agent.turn.answers._control import read_control
from metier.agent.turn.answers._row_choices import CHOSEN, UNCLEAR, choose_preview_rows, cut_refusal
from metier.agent.turn.answers._values import NO_ANSWER, STRIP_CHARS, ReadAnswer
from metier.patterns import compile_later
from metier.questions import find_places, read_places
from metier.store import Pause

_TITLE_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_TITLE_FILL: Final = re.compile(
    r"\b(?:the|them|it|these|those|this|that(?!['’]s)|now|changes?)\b|这些|它们|吧$", re.IGNORECASE
)
_BIDS: Final = re.compile(r"吧$|\b(?:it|them|these|those)\b", re.IGNORECASE)
_EXPRESS: Final = re.compile(r"\b(?:yes|approved?|confirm(?:ed)?|agreed?)\b|(?<!不)(?:同意|批准|确认)", re.IGNORECASE)
_DO_ZH: Final = "(?:来|改|办|做|写入|写|执行|修改|更改|下发|进行|处理|操作|批准|落实)"
_AS_PROPOSED: Final = compile_later(
    r"(?:(?:好的?|行|可以|嗯|同意|没问题|那就?|就|都|请|全部?|麻烦)[，,、\s]*){0,5}"
    rf"(?:(?:按照?|依照?|照着?)[你您](?:刚才|上面)?(?:说|建议|提议|提|列|写|讲|给)(?:出来)?的?(?:方案|建议|改动|修改"
    rf"|内容|那样|这样)?"
    rf"|(?:按照?|依照?|照着?)(?:[你您]的|这个|这些|上面的?|上述的?|以上的?|提议的?|建议的?)?(?:方案|建议|改动|修改"
    rf"|提议|计划|预览)"
    rf"|照着?(?:这样|这个)?){_DO_ZH}(?:就行|就好|好了|吧|了){{0,5}}"
    r"|(?:(?:ok(?:ay)?|yes|yeah|sure|fine|great|good|please|then|just),? ){0,5}"
    r"(?:(?:go ahead|proceed|(?:do|apply|make|write|change|fix|approve|carry out) (?:it|them|so|this|that|everything"
    r"|the changes)(?: all)?"
    r"|yes|ok(?:ay)?|approved?|agreed|fine),? (?:exactly |just )?as (?:you )?"
    r"(?:proposed?|suggest(?:ed)?|recommend(?:ed)?|said|say|shown|listed|planned)(?: it| them| above)?"
    r"|(?:go ahead|proceed) with (?:it|this|that|them|these|those|all of (?:it|them)"
    r"|(?:the|your|these|those) (?:proposed |suggested )?(?:changes|edits|proposals?|suggestions?|plan|corrections"
    r"|comments))"
    r"|(?:make|apply|write) (?:the|your|these|those) (?:proposed |suggested )?(?:changes|edits|corrections"
    r"|comments))(?:,? please)?",
    re.IGNORECASE,
)
_MAX_DOUBT_CHARS: Final = 60
_ABOUT_PROPOSAL: Final = compile_later(
    r"^(?:(?:好的?|行|可以|嗯|那就?|就|都|请|先)[，,、\s]*){0,5}(?:按照?|依照?|照着?)(?:[你您]|这|上面|上述|以上|方案"
    r"|建议|提议|计划|预览)"
    r"|\bas (?:you )?(?:propos|suggest|recommend|said\b|say\b|shown\b|listed\b|planned\b)|\byour (?:suggestion"
    r"|proposal|recommendation)"
    r"|^(?:(?:ok(?:ay)?|yes|sure|fine),? ){0,5}(?:go ahead|proceed)\b"
    r"|^(?:make|apply|write) (?:the|these|those|your) (?:\w+ )?(?:changes|edits|corrections|comments)\b"
)
# Nothing but words of changing and agreeing, in any order.
_DEED_ZH: Final = (
    r"可以|应该|可否|怎么样|如何|这样|那样|这么|那么|一下|就|那|这|我们?|你|您|帮|请|按|照|着|说|想|要|能|会|行|好|对|是|先|再|都|全|部"
    r"|得|的|吧|吗|呢|了|啊|不|该|可(?![以否])|直接|现在|马上|修改|更改|改[动正]?|写入?|批准|执行|下发|应用|它们?|[，,。、\s]"
)
_DEED_EN: Final = (
    r"can|could|may|might|should|shall|will|would|must|do|does|did|is|are|be|been|i|we|you|it|them|that|this|these|those"
    r"|the|so|now|then|please|ok|okay|fine|right|safe|to|go|ahead|as|my|say|said|want|like|need|let's|let|me|just|all|yes"
    r"|and|or|not|already|here|changes?|changed|apply|applied|approved?|write|written|fix|fixed|edits?|edited"
)
_ONLY_DEED: Final = compile_later(
    rf"(?=.*(?:改|写|批准|执行|下发|应用))(?:{_DEED_ZH})+"
    rf"|(?=.*\b(?:chang|appl|approv|writ|fix|edit))(?:(?:{_DEED_EN})[,.\s]+)*(?:{_DEED_EN})",
)


def parse_decision(pause: Pause, said: str) -> ReadAnswer:
    """Decision about calls: a plain yes approves, alone, with the call's title or as proposed; a no is any."""
    if read_control(said) not in (None, "stop") or is_hum(said):
        return NO_ANSWER  # 先别急 and "wait" decide nothing, and 嗯 alone may be a thought
    said = cut_refusal(pause, said)
    if choose_preview_rows(pause, said) is not None or read_places(said) is not None:
        return NO_ANSWER  # shown first: the next plain yes is about these rows
    is_titled = any(_is_titled_assent(said, one) for one in _list_titles(pause))
    if find_places(said) and read_assent(said) is None:
        return NO_ANSWER  # "I don't like the third" is about a row, and refuses nothing else
    rest = cut_no_more(said)  # 不用再问了，取消
    is_no = bool(rest) and read_reply(rest, _describe_calls(pause)) == "no"
    if is_no and not (is_titled and _EXPRESS.search(said)):  # of a call "Cancel the order", "cancel it" may mean either
        return NO_ANSWER if is_titled else {"decision": "reject"}
    if pause.payload.get(UNCLEAR):
        return NO_ANSWER  # which rows is not known yet: a yes is asked about once
    is_yes = is_titled or read_assent(said) == "yes" or _takes_proposal(pause, said)
    return {"decision": "approve"} if is_yes else NO_ANSWER


def sounds_like_approval(message: str) -> bool:
    """Whether a message speaks of doing what was proposed, though it may say more, or less, than a plain yes.

    One that has nothing but words of changing and agreeing names no other work: 可以改吗, "should I apply it?".
    """
    said = " ".join(message.split()).replace("’", "'").casefold()
    if len(said) <= _MAX_DOUBT_CHARS and _ONLY_DEED.fullmatch(said.strip(f"{STRIP_CHARS}?？")):
        return True
    is_question = said.endswith(("?", "？", "吗", "呢", "么"))
    return len(said) <= _MAX_DOUBT_CHARS and not is_question and _ABOUT_PROPOSAL.search(said) is not None


def _takes_proposal(pause: Pause, said: str) -> bool:
    """Whether the text says to do as proposed, and it is clear what that is: one call, shown, no rows chosen of it."""
    calls = pause.payload.get("calls")
    listed = calls if isinstance(calls, list) else []
    shown = listed[0].get("preview") if len(listed) == 1 and isinstance(listed[0], Mapping) else None
    if not isinstance(shown, Mapping) or pause.payload.get(CHOSEN) or hesitates(said):
        return False
    return _AS_PROPOSED.fullmatch(" ".join(said.strip(STRIP_CHARS).split()).replace("’", "'")) is not None


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
