"""What a skill is for, for people: its description without what is said to whoever chooses a skill. Pure."""

import re
from typing import Final

from metier.language import split_sentences
from metier.patterns import compile_later

# How descriptions speak to a model: "Use when the user wants to …", 用于……, 当用户需要……时使用.
_LEAD_EN: Final = compile_later(
    r"(?:(?:please )?(?:use|invoke|call|trigger|activate|apply)(?: this)?(?: skill| tool)?(?: only)?"
    r"|this skill (?:should be |is |can be )?(?:used|invoked|triggered|meant|useful)"
    r"|(?:a|the) skill) "
    r"(?:(?:to|for|in order to)"
    r"|(?:when|whenever|if) (?:(?:the |a )?(?:users?|person|people|somebody|someone|you|they)\b"
    r"(?: (?:wants?|needs?|asks?|would like|says?|requests?|mentions?|has|have))?"
    r"(?: (?:you|us|help))?(?: (?:to|for|about|with|that))? ?)?)\s*",
    re.IGNORECASE,
)
_LEAD_ZH: Final = compile_later(
    "(?:本技能|该技能|这个技能)?(?:用于|适用于|用来|当?用户(?:需要|想要?|要求|希望|提出)(?:了)?)"
)
_TAIL_ZH: Final = compile_later(r"\s*的?时候?(?:请)?(?:使用|调用|启用)(?:本技能|该技能)?(?=[。；]?$)")
_TO: Final = compile_later(r"\b(or|and) to\b")  # "use to apply them, or to undo"
# Whole sentences that only help to choose.
_FOR_CHOOSING: Final = compile_later(
    r"(?:do not|don't|never|not) (?:use|for|invoke|meant)\b"
    r"|(?:also )?(?:use|invoke|trigger)(?: this)?(?: skill)? (?:when|whenever|if)\b"
    r"|triggers?(?: on)?\b|keywords?\b|(?:本技能)?(?:不用于|不适用|不要(?:使用|用于)|请勿)|触发词|关键词",
    re.IGNORECASE,
)


def summarize_description(description: str) -> str:
    """The sentences of a description that tell people what they get, beginning like a sentence of its own."""
    listed = [one.strip() for one in split_sentences(description) if one.strip()]
    first, *others = listed or [""]
    kept = [_cut_lead(first), *(one for one in others if not _FOR_CHOOSING.match(one))]
    joint = " " if description.isascii() else ""
    return joint.join(one for one in kept if one) or description


def _cut_lead(sentence: str) -> str:
    found = _LEAD_EN.match(sentence)
    if found is not None:
        rest = _TO.sub(r"\1", sentence[found.end() :])
        return rest[:1].upper() + rest[1:]
    return _TAIL_ZH.sub("", _LEAD_ZH.sub("", sentence, count=1)) if _LEAD_ZH.match(sentence) else sentence
