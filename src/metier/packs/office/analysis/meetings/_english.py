"""Promises and requests in English: `I will …`, `Anna, please …`, `Tom will …`, `the contract has to be sent`."""

import re
from collections.abc import Collection
from typing import Final

__all__ = ["is_idle", "read_english"]

_SELF: Final = re.compile(
    r"\b(?:I(?:'ll| will| can| could| am going to|'m going to)|^(?:(?:OK|Okay|Sure|Right|Well),? )?[Ll]et me)\s+"
    r"(?P<what>[^.;!?]+)"
)
_ASKED: Final = re.compile(
    r"\b(?P<who>[A-Z][a-z]+),?\s+(?:please|could you|can you|would you|will you|you(?:'ll| will))\s+"
    r"(?!like|prefer|mind if)(?P<what>[^.;!?]+)"
    r"|\bplease,?\s+(?P<who2>[A-Z][a-z]+),?\s+(?P<what2>[^.;!?]+)"
)
_THIRD: Final = re.compile(
    r"\b(?P<who>[A-Z][a-z]+)\s+(?:will|is going to|takes care of|is responsible for)\s+(?P<what>[^.;!?]+)"
)
# `Ben, redo it this weekend`, `From now on Omar checks the log every morning`
_ORDERED: Final = re.compile(
    r"^(?P<who>[A-Z][\w.]+(?: [A-Z][\w.]+)?),\s+(?:you )?(?:please )?(?!(?:i|we|you|he|she|it|they|the|a|an|that|"
    r"this|there|"
    r"do|did|does|is|are|was|were|can|could|would|will|what|who|how|why|when|where|if|not|no|yes|thanks?|sorry|have|has|had|"
    r"good|great|right|my|your|our|in|on|at|for|and|but|so|as|let|see|look|think|say|tell|go ahead|start|"
    r"remember|wait|hold|"
    r"come on|stop|relax|calm|mind|\w+ing)\b)(?P<what>[a-z]+ [^.;!?]+)[.!]?$"
)
_DUTY: Final = re.compile(
    r"(?i:\b(?:from now on|from next \w+|starting \w+|"
    r"from \w+day)),?\s+(?P<who>[A-Z][\w.]+(?: [A-Z][\w.]+)?)\s+(?:will\s+)?"
    r"(?P<what>[a-z]+s?\b [^.;!?]+)"
)
# Behind a choice that is closed, what somebody of the meeting does for it: `Saturday it is, Ray brings the speakers`.
_THEN: Final = re.compile(
    r"(?i:\bit is|\bsettled|\bagreed),\s+(?:and |then )?(?P<who>[A-Z][\w.]+(?: [A-Z][\w.]+)?)\s+"
    r"(?P<what>[a-z]+s\b [^.;!?]+)"
)
_LIMIT: Final = r"\b(?:by|until|before|within|no later than)\s"
_PLEDGED: Final = re.compile(
    rf"\b(?:can|will|should|shall)\s+be\s+(?:ready|done|finished|completed?|delivered|available|sent|"
    rf"in place|up|fixed)\b[^.;!?]*?{_LIMIT}"
)
_NEEDED: Final = re.compile(
    r"\b(?:needs? to|has to|have to|must)\s+(?:still\s+)?(?:be\s+)?(?:confirm|check|clarif|settle|agree|send|"
    r"sent|sign|"
    r"review|approve|order|prepare|finish|fix|talk|ask|contact|call|update|write|written)"
)
# `The budget has to be updated, I will do it soon`
_TAKEN: Final = re.compile(
    r"\bI(?:'ll| will| can)\s+(?:do|take care of|handle|see to|look after|sort)\s+(?:it|that|this|them)\b"
)
_OTHERS: Final = re.compile(
    r"\b(?:supplier|customer|client|vendor|they|he|she|if|maybe|perhaps|might|not|never)\b|n't\b", re.IGNORECASE
)
_IDLE: Final = re.compile(
    r"^(?:have to (?:see|think|go)|never|need|want|like|hope|try|believe|bet|guess|do (?!it\b|that\b|this\b)|be|"
    r"cry|die|scream|see|think|say|agree|join|let|"
    r"start|begin|stop|not|never|miss|hear|understand|imagine|recall|remember|feel|love|enjoy|mind|know|wait|pass|"
    r"manage|survive|live with|put up|leave (?:you|it (?:there|at))|take (?:your|his|her|their) word|"
    r"head (?:home|off|out)|"
    r"(?:have|get|grab) (?:a|some|another|the) (?:coffee|tea|drink|beer|nap|break|bite|snack)|admit|explain|finish my|"
    r"introduce|share my screen|tell you|ask you|interrupt|repeat|add (?:that|one|something)|go (?:first|next|"
    r"home|now)|"
    r"get (?:this|it) straight|stand|sit|stay|use (?:a|some) (?:coffee|break|drink|holiday)|have (?:sworn|been|done)|"
    r"be|tell|care less|go for)\b"
)
# Words with a capital at the head of a sentence that name nobody.
_NO_NAME: Final = re.compile(
    r"(?:No|Some|Every|Any)(?:body|one|thing)|We|They|It|This|That|There|You|Let|He|She|One|Who|What|Which|"
    r"These|Those|Each|"
    r"All|Both|None|Others?|Another|No|Not|And|But|So|Then|Now|Here|If|When|Yes|Well|Ok|Okay|Please|Today|Tomorrow|"
    r"Tonight|Maybe|Perhaps|Probably|Hopefully|Also|Otherwise|Mon|Tues|Wednes|Thurs|Fri|Satur|Sunday|\w+day"
)
_DOES: Final = re.compile(
    r"(?:also |then |now )?(?:send|write|prepare|draft|check|review|call|contact|ask|book|order|arrange|"
    r"organi[sz]e|fix|test|update|"
    r"finish|complete|deliver|set up|sign|pay|buy|talk|speak|follow|handle|take|make|create|build|collect|"
    r"confirm|clarify|share|"
    r"circulate|schedule|present|investigate|look|get|bring|find|print|upload|deploy|migrate|document|train|"
    r"hire|do|provide|submit)\b"
)


def is_idle(sentence: str) -> bool:
    """Whether what the speaker announces is talk or a state of their own: `Let me see`, `I'll bite my tongue`."""
    match = _SELF.search(sentence)
    return match is not None and _IDLE.match(match["what"]) is not None


def _is_known(who: str, known: Collection[str]) -> bool:
    return who in known or any(who in one.split() for one in known)


def _is_name(who: str, known: Collection[str]) -> bool:
    return who in known or any(who in one.split() for one in known) or _NO_NAME.fullmatch(who) is None


def _is_doer(match: re.Match[str], known: Collection[str]) -> bool:
    """Somebody of the meeting, or a name or an office that does something: `Prices will rise` is nobody's work."""
    who = match["who"]
    if who in known or any(who in one.split() for one in known):
        return True
    return _NO_NAME.fullmatch(who) is None and _DOES.match(match["what"]) is not None


def read_english(
    sentence: str, speaker: str, known: Collection[str], *, is_said: bool = True
) -> tuple[str, str] | None:
    """Who does what, with no name where nobody takes work that is needed."""
    if (match := _ASKED.search(sentence)) and _is_name(who := match["who"] or match["who2"], known):
        return who, (match["what"] or match["what2"]).strip()
    if speaker and _NEEDED.search(sentence) and _TAKEN.search(sentence):
        return speaker, sentence.rstrip(".;")
    if is_said and (match := _SELF.search(sentence)) and not _IDLE.match(match["what"]):
        return speaker, match["what"].strip()
    if (match := _ORDERED.match(sentence)) and match["who"] != speaker and _is_known(match["who"], known):
        return match["who"], match["what"].strip()
    if (match := _DUTY.search(sentence) or _THEN.search(sentence)) and _is_known(match["who"], known):
        return match["who"], match["what"].strip()
    if (match := _THIRD.search(sentence)) and _is_doer(match, known):
        return match["who"], match["what"].strip()
    if not speaker or sentence.endswith("?"):
        return None
    if _PLEDGED.search(sentence) and not _OTHERS.search(sentence):
        return speaker, sentence.rstrip(".;")
    if not _NEEDED.search(sentence):
        return None
    return (speaker if _TAKEN.search(sentence) else ""), sentence.rstrip(".;")
