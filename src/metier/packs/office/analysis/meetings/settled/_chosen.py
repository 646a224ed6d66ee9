"""Choices that are closed by an answer: `铝扣板还是石膏板？` `铝扣板。`, `Do we buy it or lease it?` `Lease it.`"""

import re
from collections.abc import Sequence
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings.settled._plain import is_open

__all__ = ["is_chosen"]

_REACH: Final = 3  # utterances in which a question is answered
_NUMBER: Final = r"[一二两三四五六七八九十百\d]+"
_VERB: Final = "用选订买放走按做坐住穿挂印租换刷铺装贴开发送"
# A question of a fact, of another time or for one person is no choice for all.
_STATES: Final = re.compile(
    r"(?<!还)[是姓叫]|[了过][?？]|上次|上回|昨|去年|已经|[你您他她它]|客户|厂家|供应商|对方|领导|"
    r"\b(?:was|were|is|are|did|does|has|had|have|know|need|he|she|you|they|more|less)\b",
    re.IGNORECASE,
)
_FOR_US: Final = re.compile(
    rf"[{_VERB}留砍拆修]|\b(?:do|should|shall|can) we\b|\bwhich\b|^[\w' ]+ or [\w' ]+ for the ", re.IGNORECASE
)
_OPTIONS: Final = re.compile(
    r"(?P<one>[^，,。?？]{1,12}?)(?:还是)(?:继续)?(?P<other>[^，,。?？]{1,10})[?？]$|"
    r"\b(?P<first>[\w' -]+?) or (?P<second>[\w' -]+)\?$",
    re.IGNORECASE,
)
# What is asked with one of the verbs of choice: `做几遍`, `订多大的`, `用哪家`.
_ASKED: Final = re.compile(rf"(?P<verb>[{_VERB}])(?:[的个]?(?:几|哪|什么|多[大少长厚高])|谁家)[^，,。]{{0,4}}[?？]$")
_TAKING: Final = "就那用选订定买按要还是先换留吧呗着"
_PUT_TO_ALL: Final = re.compile(r"(?:do|should|shall) we (?P<verb>[a-z]+)\b", re.IGNORECASE)
_FOR_ALL: Final = re.compile(r"(?:everybody|everyone|nobody) (?P<verb>[a-z]+?)s?\b(?= [a-z])", re.IGNORECASE)
_NOTHING: Final = re.compile(
    r"^(?:不知|不清|没|都|随|看|问|等|还没|说|好像|听|neither|both|not sure|depends|ask|let me|whatever)", re.IGNORECASE
)
_SMALL: Final = re.compile(r"the|an?|we|to|do|does|should|shall|it|in|on|at|for|our|this|that|use|go|with|i|all|or|and")


def is_chosen(sentence: str, said: Sequence[Utterance], at: int) -> bool:
    """Whether a sentence answers a question of a choice that was put to all a moment ago."""
    plain = sentence.strip().rstrip("。.！!吧 ")
    head = re.split(r"[，,]", plain)[0]
    if not said[at].speaker or is_open(plain, len(head)) or _NOTHING.match(plain):
        return False
    asked = _find_asked(said, at)
    is_first = split_sentences(said[at].text)[0].strip() == sentence
    return bool(asked) and ((is_first and _takes_option(head, asked)) or _takes_asked(head, asked))


def _find_asked(said: Sequence[Utterance], at: int) -> str:
    """The last question: of somebody else, or one of the same person that others have talked about since."""
    for before in range(at - 1, max(-1, at - _REACH - 1), -1):
        last = next((one.strip() for one in reversed(split_sentences(said[before].text)) if one.strip()), "")
        if last.endswith(("?", "？")):
            is_put = said[before].speaker != said[at].speaker or at - before > 1
            is_choice = _FOR_US.search(said[before].text) is not None and not _STATES.search(last)
            return last if is_put and is_choice else ""
    return ""


def _takes_option(head: str, asked: str) -> bool:
    """Whether an answer names one of two options and says nothing else of it."""
    match = _OPTIONS.search(asked)
    if match is None:
        return False
    if match["first"]:
        words = _list_words(head)
        taken = [words <= _list_words(match[name]) for name in ("first", "second")]
        return bool(words) and taken[0] != taken[1]
    chosen = head.strip(_TAKING)
    taken = [bool(chosen) and chosen in match[name] for name in ("one", "other")]
    return taken[0] != taken[1]


def _takes_asked(head: str, asked: str) -> bool:
    """`做几遍？` `按三遍做`, `Do we wear white?` `Everybody wears black`: an answer in the verb of the question."""
    if match := _ASKED.search(asked):
        return re.match(rf"(?:就|还是)?(?:{match['verb']}|按|用){_NUMBER}", head) is not None
    put, answer = _PUT_TO_ALL.match(asked), _FOR_ALL.match(head)
    return put is not None and answer is not None and put["verb"].lower() == answer["verb"].lower()


def _list_words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"[a-z]+", text.lower()) if not _SMALL.fullmatch(word))
