"""Crisis check of a message: rules of words first, then the learned part; three answers, of which one is a doubt."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from metier.errors import MetierError
from metier.packs.life.safety._crisis import (
    find_crisis,
    is_acquaintance,
    is_birth_news,
    is_everyday_work,
    is_framed,
    is_medicine_reminder,
    is_of_oneself,
    is_pondering,
    is_request,
    is_taken_back,
)
from metier.packs.life.safety._crisis_head import find_word_groups, read_head_notes
from metier.packs.life.safety._crisis_noise import drop_noise
from metier.packs.life.safety._crisis_parts import is_long
from metier.packs.life.safety._crisis_scores import MessageScore, MessageScorer, SentenceEmbedder
from metier.packs.life.safety._crisis_tuned import TunedScorer, load_long, load_tuned
from metier.packs.life.safety._texts import fold_words

Level = Literal["none", "ask", "stop"]
# Between the limits a message is asked about; docs/design/life.md has what was measured at them.
_STOP: Final = 0.4
_ASK: Final = -0.1
_FAINT: Final = 0.2
# A rule is a doubt, and stops the work, if the learned part does not speak against it: rules know no songs or studies.
_RULE_STOP: Final = 0.1
_RULE_ASK: Final = -0.43
_RULE_ASK_BY_WORDS: Final = -0.6
# Above it even a message that names work is danger: somebody asks for leave and will not be there any more.
_WORK_SURE: Final = 0.6
# Up to it a message that says neither "I" nor any word that tells of danger is plain work or a plain question.
_PLAIN_SURE: Final = 0.5
_PLAIN_GROUPS: Final = frozenset({"negation", "wish", "soon"})
# Up to it a request or a question whose words tell of no danger is only that: how many are also asked about eggs.
_REQUEST_SURE: Final = 0.5
_REQUEST_GROUPS: Final = _PLAIN_GROUPS | frozenset(
    {"ask_fate", "close_person", "everyday_care", "fear", "fiction", "hyperbole", "i_myself", "laughter", "live"}
    | {"love", "many", "metaphor", "safe_words", "says", "study", "terms", "things", "work_study"}
)
# Up to it a story, a study, a game, a dream or something long past is a step less grave.
_FRAMED_SURE: Final = 0.8
# Up to it one that no rule of words catches is not asked about; who mourns may be in danger too.
_FRAMED_LEARNED: Final = 0.4
_LEARNED: Final = "learned"
# What somebody says to have done, to do at once, or of who will find them, is asked about, whatever stands beside it.
_ACUTE: Final = frozenset({"announced-violence", "pinyin", "overdose", "then-jump", "gas-hidden", "finds-me"})
# Names of cards that speak of death, and one that does not: what a person says of a card is not about themselves.
_CARDS: Final = re.compile(
    r"死神牌|死神(?=[正逆]位|这张)|倒吊人|宝剑十|(?i:\b(?:death\s+(?:card|arcana)|card\s+of\s+death|hanged\s+man|ten\s+of\s+swords)\b)"
)
_CARD_SURE: Final = 0.4
_MAX_PLAIN_CHARS: Final = 1000
# Forms of a whole message, every word of which is listed.
_HARMLESS: Final = (is_medicine_reminder, is_birth_news, is_taken_back, is_pondering, is_acquaintance)


@dataclass(frozen=True, slots=True)
class CrisisFinding:
    """`stop`: somebody is in danger. `ask`: it may be so. `rule` is the rule that caught the message, or `learned`."""

    level: Level
    rule: str = ""
    score: float = 0.0

    @property
    def is_learned(self) -> bool:
        """Whether no rule of words agrees with the learned part."""
        return self.rule == _LEARNED

    @property
    def is_faint(self) -> bool:
        """Whether the learned part alone has a doubt, and hardly one."""
        return self.level == "ask" and self.is_learned and self.score <= _FAINT


class CrisisCheck:
    """Checks messages with rules, words and, if the router's own embedder is there, sentence vectors."""

    def __init__(self, load_embedder: Callable[[], SentenceEmbedder | None] = lambda: None) -> None:
        self._load_embedder = load_embedder

    @cached_property
    def embedder(self) -> SentenceEmbedder | None:
        """The embedder that the weights were learned with; None if it is not there or another one is set."""
        try:
            found = self._load_embedder()
        except MetierError:
            return None
        return found if found is not None and found.name == read_head_notes()["embedder"] else None

    @cached_property
    def tuned(self) -> TunedScorer | None:
        """The embedder's encoder tuned for the check; None if it cannot run or its weights are damaged."""
        try:
            return None if self.embedder is None else load_tuned(self.embedder)
        except MetierError:
            return None

    @cached_property
    def tuned_for_blocks(self) -> TunedScorer | None:
        """The encoder tuned for blocks of long messages; None as of `tuned`."""
        try:
            return None if self.embedder is None else load_long(self.embedder)
        except MetierError:
            return None

    def check(self, text: str) -> CrisisFinding:
        """Whether a message, or a part of it by itself, tells of danger to somebody."""
        names_card = _CARDS.search(text) is not None
        text = _CARDS.sub(lambda found: "sun card" if found[0].isascii() else "太阳牌", text)
        rule = find_crisis(text)
        text = drop_noise(text)
        rule = rule or find_crisis(text)
        if not text.strip():
            return CrisisFinding("stop" if rule else "none", rule)
        try:
            scored = self._score(text)
        except MetierError:  # the weights are damaged: rules alone
            return CrisisFinding("stop" if rule else "none", rule)
        score = scored.score
        level = decide_level(score, rule, by_words=scored.by_words)
        if level == "stop" and not rule and scored.of_whole <= _STOP:
            level = "ask"
        if level != "none" and not rule and score <= _WORK_SURE and is_everyday_work(text):
            level = "none"
        is_harmless = any(one(text) for one in _HARMLESS) or (names_card and score <= _CARD_SURE)
        if level != "none" and not rule and (is_harmless or _is_plain(text, score)):
            level = "none"
        if score <= (_FRAMED_SURE if rule else _FRAMED_LEARNED) and is_framed(text):
            level = "ask" if rule and (level == "stop" or (level == "ask" and is_of_oneself(text))) else "none"
        if level == "none" and rule in _ACUTE:
            level = "ask"
        return CrisisFinding(level, "" if level == "none" else rule or _LEARNED, score)

    def _score(self, text: str) -> MessageScore:
        for_blocks = self.tuned_for_blocks if is_long(text) else None
        return MessageScorer(self.embedder, self.tuned, for_blocks).score(text)


def _is_plain(text: str, score: float) -> bool:
    """Whether the words of a message tell of no danger, up to a score: 留样是48小时, how much petrol have I got."""
    if len(text) > _MAX_PLAIN_CHARS:
        return False
    groups = find_word_groups(fold_words(text))
    return (score <= _PLAIN_SURE and groups <= _PLAIN_GROUPS) or (
        score <= _REQUEST_SURE and groups <= _REQUEST_GROUPS and is_request(text)
    )


def decide_level(score: float, rule: str, *, by_words: bool = False) -> Level:
    """What follows from the learned score of a message and the rule that caught it (empty: none)."""
    if score > (_RULE_STOP if rule else _STOP):
        return "stop"
    doubt = _RULE_ASK_BY_WORDS if by_words else _RULE_ASK
    return "ask" if score > (doubt if rule else _ASK) else "none"
