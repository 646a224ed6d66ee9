"""Sentences before the order about somebody or something else than the result; they may refuse and count."""

import re
from typing import Final

from metier.packs.office.drafting._asides import begins_with_order, fills_part, names_look, orders, tells
from metier.packs.office.drafting.talk._guard import counts, is_joined_order, names_manner, refuses, states

__all__ = ["can_be", "has_verb", "may_be_told", "wishes"]

_NUMERALS: Final = r"[一二两三四五六七八九十百千半几俩仨\d]"
# Of time, people, events and money; what a document has is counted in rows, columns, pages and points.
_OTHER_COUNTS: Final = re.compile(
    rf"{_NUMERALS}+(?:多|来)?(?:次|遍|回|趟|天|年|个?半?(?:小时|钟头|星期|礼拜|季度|月)|周(?!报)|分钟|点(?:半|钟|"
    rf"多)?|秒|岁|号|日|"
    r"个?人|名|位|家|口|辈子|[百千万]+块?|块|元)(?![行列栏级层])|"
    r"\b(?:twice|half (?:past|an hour|the|of)|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+) (?:\w+ )?"
    r"(?:times|days?|weeks?|months?|years?|hours?|minutes?|people|of us|complaints?|calls?|finger|hands?)|at "
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|no one)\b",
    re.IGNORECASE,
)
_PARTS: Final = re.compile(r"[\"、/|()\[\]→:：]|\d%?$")
# What is not so, or what somebody cannot, does not know or never does; no ban of something in the result.
_STATES: Final = re.compile(
    r"不(?:太|大|服|满意|会(?!议)|好(?!看)|好看|顺眼|是|归|接|够|同意|高兴|耐烦|放心|在(?!表|文)|愿意|肯|理解|到位|"
    r"起|急|容易|舒服|喜|乐意|像话|像样|成样子|爱听|爱看)|"
    r"没(?:个|有|什么|人)|[\u4e00-\u9fff]不[动通了上清利着下到完住出过起]|"
    rf"只(?:给|剩|有|够|批|留)(?:了|我们?|咱们?)?{_NUMERALS}+(?:分钟|天|个?小时|个?人|周|个?月)|只(?:看|认|听|关心|"
    rf"爱看|记得)|"
    r"\b(?:is|are|was|were|am|has|have|had|did|does|do|could|can|will)(?: not|n['’]t)\b(?! (?:be|want|need|include|"
    r"show|"
    r"use|add|put|like|stand|allowed|have))|"
    r"\b(?:never|only)(?: ever| even)? (?:reads?|notices?|knows?|knew|looks?|remembers?|listens?|gets? (?:to|it|round)|"
    r"cares?|sees?|has|had|have|got|lasts?|met|asked?|told|worked|happened|comes?|came)\b|"
    r"\b(?:nobody|no one|no two|nothing|neither|none)(?: of [\w ]{2,20})? (?:is|are|was|were|has|have|had|knows?|can|"
    r"could|ever|"
    r"reads?|got|came|wants? to know)\b|\b(?:i|we|they|he|she) (?:don['’]t|can['’]t|couldn['’]t|haven['’]t|hasn['’]t|"
    r"didn['’]t|won['’]t)"
    r" \w+|\bnothing to \w+",
    re.IGNORECASE,
)
# A taste or a decision of somebody is a demand: 老板不喜欢红色, she asked for landscape.
_WISHES: Final = re.compile(
    r"喜欢|讨厌|看不惯|受不了|忌讳|反感|偏爱|习惯|要求(?:是|用|按|得|必)|规定|约定|说好|商定|决定|定了|改用|"
    r"[要得]用|(?:删|去|换|补|加|标)(?:掉|了)$|[大小粗细多少长短]了(?:一?[点些])|就[行好成够]|"
    r"\b(?:stand|bear|hates?|dislikes?|likes?|loves?|prefers?|allerg\w+|insists?|demands?|expects?|wants? (?:it|them|"
    r"an?|no|only)|"
    r"asked for|agreed|decided|requested|too (?:small|big|large|narrow|wide|long|short|dark|light|busy|plain|many|"
    r"much|few)|"
    r"(?:nobody|no one|who) (?:needs|wants|uses)|must|should|^(?:say|tell|mention)|needs? to be|has to|have to)\b",
    re.IGNORECASE,
)
_SENTENCE_EN: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|am|will|can|could|do|does|did|keeps?|came|comes?|went|goes|reads?|gave|"
    r"gives?|got|"
    r"gets?|said|says|told|tells|left|lost|made|makes|needs?|wants?|starts?|arrives?|comes?|visits?|expires?|closes?|opens?|ends?|begins?|meets?|notices?|remembers?|\w{3,}ed)\b|"
    r"\w['’](?:s|re|ve|ll|m|d|t)\b",
    re.IGNORECASE,
)
_SENTENCE_ZH: Final = re.compile(r"(?:就|才|快|都|总|老|又)[\u4e00-\u9fff]{1,4}$|[了着过][\u4e00-\u9fff]{1,6}$")
# What happened with an earlier one says nothing of this one, whatever part it names.
_PAST: Final = re.compile(
    r"[\u4e00-\u9fff]了(?!解|结)|(?:上[次回周月]|去年|之前|以前|昨[天晚])|"
    r"\b(?:was|were|did|had|made|looked|came|went|lost|took|broke|forgot|embarrassed|called|left)\b",
    re.IGNORECASE,
)
_OF_EARLIER: Final = re.compile(r"按|照|同|一样|沿用|参考|和.{1,6}一|\b(?:same|like|as in|as last)\b", re.IGNORECASE)


def may_be_told(clause: str) -> bool:
    """Whether nothing forbids to set a clause before the order aside as a sentence about the world."""
    if orders(clause) or is_joined_order(clause) or states(clause) or names_look(clause) or begins_with_order(clause):
        return False
    if fills_part(clause) or _PARTS.search(clause) or _WISHES.search(clause) or counts(_OTHER_COUNTS.sub(" ", clause)):
        return False
    if names_manner(clause) and (_OF_EARLIER.search(clause) or not _PAST.search(clause)):
        return False
    is_english = re.search(r"[\u4e00-\u9fff]", clause) is None
    is_sentence = _SENTENCE_EN.search(clause) if is_english else tells(clause) or _SENTENCE_ZH.search(clause)
    return bool(is_sentence) and not refuses(_STATES.sub(" ", clause))


def has_verb(clause: str) -> bool:
    """Whether an English clause has a verb of a sentence."""
    return _SENTENCE_EN.search(clause) is not None


def wishes(clause: str) -> bool:
    """Whether a clause names a taste or a decision of somebody."""
    return _WISHES.search(clause) is not None


def can_be(clause: str) -> str:
    """A clause without what is not so in the world, or what somebody cannot or never does."""
    return _STATES.sub(" ", clause)
