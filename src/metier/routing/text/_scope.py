"""Scope that a description states: phrases it quotes, and what it says it is not for.

Public skill files say "Use when …", quote what people say ("A/B test," "split test"), and end with "Do not use for …",
a list under such a heading, or "For email, see emails". The last kinds name other skills' subjects, so they count
against a skill and not for it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from metier.patterns import compile_later
from metier.routing.text._scope_cues import (
    CIRCUMSTANCE,
    CLAUSE,
    CONDITION,
    COVERED,
    EXCEPTION,
    EXPLAINS,
    HEADING,
    OWN,
    TAIL,
    WEAK_TAIL,
    WHOLE,
)
from metier.textsearch import has_cjk

_SENTENCE: Final = compile_later(
    r"[^.!?。！？；;\n]+(?:[.!?](?![\"'”’」』)]*(?:\s|$))[^.!?。！？；;\n]*)*[.!?。！？；;\n]*[\"'”’」』)]*\s*"
)
# Marks of a list, and numbers, whose full stop ends no sentence.
_ITEM: Final = compile_later(
    r"^[ \t]*(?:[*•·▪–-][ \t]+|(?:\d{1,2}[.)）、．]|[①-⑳])(?=[\s\u4e00-\u9fff])[ \t]*|[（(]\d{1,2}[）)][ \t]*)",
    re.MULTILINE,
)
_MARK: Final = "- "
_QUOTED: Final = compile_later(
    r"[“「『](?P<curly>[^“”「」『』\n]{2,60})[”」』]"
    r'|(?<![\w"])"(?P<double>[^"\n]{2,60})"'
    r"|(?<![\w'])'(?P<single>[^'\n]{2,60}(?:'[a-z]{1,2}\b[^'\n]{0,40})?)'(?!\w)"
    r"|`(?P<code>[^`\n]{2,60})`"
)
_LISTED: Final = compile_later(
    r"\s*(?:[,，、;；]\s*(?:and\s+|or\s+|以及|或者?|和)?|\s+or\s+|(?<=s)\s+and\s+(?=[\w-]+s\b)|或者?|以及|(?<=[\u4e00-\u9fff]{2})[和及](?=[\u4e00-\u9fff]{2}))\s*"
)
_EXCEPT: Final = compile_later(r"^\W*(?:except|apart|other)\b", re.IGNORECASE)
_BRACKETS: Final = (("(", ")"), ("（", "）"))
_HEAD: Final = compile_later(r"^[^:：,，]{0,40}[:：](?!//)")
_LEADS: Final = compile_later(
    r"^\W*(?:\d{1,2}[)）.]|[①-⑳])\s*|^(?:\W*\b(?:it|this|skill|for|when|if|to)\b)+\s*", re.IGNORECASE
)
_ELSEWHERE: Final = compile_later(
    r"(?<=\w),\s*(?:please\s+)?(?:see|use|prefer|try|consult|refer\s+to|go\s+to|invoke)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_SAYS_NOTHING: Final = compile_later(
    r"\W*(?:(?:it|this|the|skill|is|has|for|when|not|use|if|to|in|用于|时|场景|情况|本技能|该技能)\W*)*$", re.IGNORECASE
)
_CLAUSE_END: Final = "，,（(；;："
_AROUND: Final = " ,.;:!?，。；：！？、…【】"
_AROUND_TAIL: Final = " ,，、(（—–-"
_MAX_WORDS: Final = 7
_MAX_CJK_CHARS: Final = 14
_MAX_PHRASES: Final = 60
_MIN_CHARS: Final = 2


class Exclusion(NamedTuple):
    """One thing that a skill is not for, and the case in which it is after all ("unless it is attached")."""

    text: str
    unless: str = ""


@dataclass(frozen=True, slots=True)
class StatedScope:
    """Description split by what it says: `covered` text, `phrases` quoted in it, and what is `excluded`."""

    covered: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[Exclusion, ...] = ()


def parse_scope(description: str) -> StatedScope:
    """Split a description; one that only excludes is covered as a whole."""
    covered: list[str] = []
    excluded: list[Exclusion] = []
    opened = ""
    for sentence in _SENTENCE.findall(_ITEM.sub(_MARK, description)):
        goes_on = bool(opened) and _belongs_to(opened, sentence)
        kept, out = ("", sentence) if goes_on else _split_sentence(sentence)
        covered.append(kept)
        if out.strip():
            text, case = _cut_exception(out)
            excluded += [Exclusion(one, case) for one in _list_items(text)]
            covered.append(case)
        opened = sentence if out.strip() and _opens_list(sentence, after=opened if goes_on else "") else ""
    text = " ".join(part.strip() for part in covered if part.strip())
    if not any(char.isalnum() for char in text):
        return StatedScope(description, tuple(_find_phrases(description)))
    return StatedScope(text, tuple(_find_phrases(text)), tuple(excluded))


def _split_sentence(sentence: str) -> tuple[str, str]:
    """What a sentence covers, and what it excludes. What stands in quotation marks is what users say."""
    said = _QUOTED.sub(lambda found: found[0][0] + "_" * (len(found[0]) - 2) + found[0][-1], sentence)
    if WHOLE.search(said):
        return "", sentence
    if own := OWN.search(said):
        start, end = own.span("own" if own["own"] else "other")
        return sentence[: own.start()] + sentence[own.end() :], sentence[start:end]
    found = [one for one in (TAIL.search(said), _find_weak(said)) if one]
    if found:
        return _cut_tail(sentence, min(found, key=re.Match.start))
    if (clause := CLAUSE.search(said)) and not CIRCUMSTANCE.match(said):
        start = max(said.rfind(mark, 0, clause.start()) for mark in _CLAUSE_END) + 1
        return ("", sentence) if CONDITION.match(sentence) else (sentence[:start], sentence[start:])
    return sentence, ""


def _find_weak(said: str) -> re.Match[str] | None:
    return None if CIRCUMSTANCE.match(said) else WEAK_TAIL.search(said)


def _cut_tail(sentence: str, found: re.Match[str]) -> tuple[str, str]:
    """ "Use for complex pages - not for single files": only what follows is excluded.

    "If it is about mail, do not use this" says so in front.
    """
    start = max(found.start(), found.end("head") if "head" in found.re.groupindex else 0)
    head, tail, rest = sentence[:start], sentence[found.end() :], ""
    if CONDITION.match(head):
        return "", head
    if _EXCEPT.match(sentence) and "," in tail:
        tail, _, rest = tail.partition(",")
    for mark, end in _BRACKETS:
        if sentence.count(mark, 0, found.end()) > sentence.count(end, 0, found.end()) and end in tail:
            tail, _, rest = tail.partition(end)
    kept = "" if _SAYS_NOTHING.match(head) else head.rstrip(_AROUND_TAIL)
    return kept + rest, tail or sentence[start:]


def _opens_list(sentence: str, *, after: str) -> bool:
    """Whether more may follow an excluding sentence: items under a heading, parts behind a semicolon."""
    end = sentence.rstrip()
    return end[-1] in ":：;；】" or end.startswith("#") or (bool(after) and "\n" in sentence)


def _belongs_to(opened: str, sentence: str) -> bool:
    """Whether a sentence goes on with what is excluded: another item of the list, or what a heading stands over."""
    if sentence.startswith(_MARK):
        return "\n" in opened
    is_item = opened.startswith(_MARK)
    return not (is_item or COVERED.match(sentence) or HEADING.match(sentence))


def _cut_exception(text: str) -> tuple[str, str]:
    found = EXCEPTION.search(text, 1)
    if found is None or not any(map(str.isalnum, text[: found.start()])):
        return text, ""
    case = next(part for part in found.groups() if part is not None)
    return text[: found.start()], case


def _list_items(text: str) -> Iterator[str]:
    """Things of a list, each for itself; "For email, see emails" is one."""
    text = _HEAD.sub("", text.removeprefix(_MARK).strip(_AROUND_TAIL + "\n"))
    whole = CONDITION.match(text) or WHOLE.search(text)
    parts = [_ELSEWHERE.sub("", text)] if whole else _LISTED.split(text)
    for at, part in enumerate(parts):
        if not _SAYS_NOTHING.match(part) and not (at and EXPLAINS.match(part)):
            yield _LEADS.sub("", part).strip(_AROUND)


def _find_phrases(text: str) -> Iterator[str]:
    found: dict[str, None] = {}
    for hit in _QUOTED.finditer(text):
        phrase = next(part for part in hit.groups() if part is not None).strip(_AROUND)
        if len(phrase) >= _MIN_CHARS and any(map(str.isalnum, phrase)) and _is_short(phrase):
            found[phrase] = None
    yield from list(found)[:_MAX_PHRASES]


def _is_short(phrase: str) -> bool:
    return len(phrase) <= _MAX_CJK_CHARS if has_cjk(phrase) else len(phrase.split()) <= _MAX_WORDS
