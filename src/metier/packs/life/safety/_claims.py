"""What is never foretold: questions that are declined with an offer, and sentences of a model that are replaced."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from metier.compiled import compile_constant
from metier.errors import MetierError
from metier.language import BilingualText, Language, Sentences
from metier.packs.life.safety._crisis_head import Floats, normalize_vector
from metier.packs.life.safety._crisis_scores import SentenceEmbedder
from metier.packs.life.safety._texts import fold_words
from metier.packs.life.safety._topic_head import CLAIMED, CLOSED, TopicCheck, load_topic_head, read_topic_notes
from metier.textsearch import has_cjk

_MAX_CHARS: Final = 200
_MAX_SENTENCE: Final = 4000
_FATE: Final = "fate"
# A rule for claims holds unless the learned part speaks against it.
_RULE_LIMIT: Final = -0.5
_SURE_LIMIT: Final = 0.2
_FEW_CJK: Final = 7
_FEW_CHARS: Final = 15
_FILE: Final = Path(__file__).with_name("claims.toml")
_READING: Final = re.compile(
    r"塔罗|抽.{0,4}牌|牌(?:面|里|上)|命中|占(?![比几多有用据领总全了])|八字|命盘|命里|算命|算一?[算卦]|占卜|卦|星盘|星座|流年|大运|运势|运气|紫微|风水"
    r"|tarot|\bcards?\b|horoscope|zodiac|natal|fortune|bazi|predict|astrolog"
)
_DECLINING: Final = re.compile(
    r"不(?:能|会|做|作|说|看|断言|判断|预测|代表|意味|从牌)|无法|没有.{0,6}能|谁也|请(?:找|咨询|听)"
    r"|cannot|can't|won't|don't|do not|not able|never"
)
# Somebody or something that says, sees or decides nothing.
_REFUSAL: Final = re.compile(
    r"(?:我|牌|塔罗|盘|八字|星象|占星)[^，。；]{0,6}(?:不能|无法|没法|不会|不|看不出|说不准)[^，。；]{0,4}(?:说|判断|预测|断言|告诉|下结论|保证|知道|看)"
    r"|(?:没人|没有人|谁也|没有(?:哪|一)张牌)[^，。；]{0,6}(?:说|判断|预测|告诉|保证|知道|看出)"
    r"|\b(?:i|we|cards?|charts?|spread|tarot|astrology|stars)\b.{0,12}"
    r"\b(?:cannot|can't|won't|will not|don't|do not|not able to)\b.{0,6}"
    r"\b(?:say|tell|predict|judge|know|promise|foretell|decide)\b"
    r"|\b(?:nobody|no one|no card|no chart|no spread|nothing)\b.{0,20}"
    r"\b(?:say|tells?|predict|judge|knows?|promise|foretell|decides?)\b"
)
_BUT: Final = re.compile(r"但|不过|可是|然而|\b(?:but|however|still)\b")
_QUESTION: Final = re.compile(
    r"吗|么|呢|[?？]|什么|怎|几|多少|会|能|要不要|该不该|看看|算"
    r"|判给|有没有|是不是|好不好|行不行|能不能|说说|如何|还是"
    r"|will|should|when|which|what|how|do i|am i|\b(?:is|are|did|does|would|has|can|pick|ask)\b|\bsay"
)
_TEXTS: Final = Sentences(
    {
        "decline": ("{why}; {offer}.", "{why}；{offer}。"),
        "minor": (
            "Before you are 18 I leave marriage, wealth and health out; we can look at what you are good at, how you "
            "study, or how to get on with friends.",
            "未满 18 岁，婚恋、财富和健康我先不谈；我们可以看看你的长处、学习的办法，或者怎么和朋友相处。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class ClosedTopic:
    """A topic on which nothing is foretold."""

    id: str
    asks: re.Pattern[str]
    topic: re.Pattern[str]
    claims: re.Pattern[str]
    why: BilingualText
    offer: BilingualText

    def decline(self, language: Language) -> str:
        """One sentence: why not, and what can be done instead."""
        return _TEXTS.render("decline", language, why=self.why.text(language), offer=self.offer.text(language))


def find_closed_question(text: str, *, in_reading: bool) -> ClosedTopic | None:
    """Topic that a question must not be answered on; `in_reading`: the conversation is about cards or charts."""
    folded = fold_words(text)
    about = in_reading or is_about_reading(text)
    for topic in _read_topics():
        if topic.asks.search(folded) or (about and topic.topic.search(folded) and _QUESTION.search(folded)):
            return topic
    return None


def find_learned_question(text: str, embedder: SentenceEmbedder | None) -> ClosedTopic | None:
    """Topic of a question that must not be answered, in wording that no rule knows; None without the right embedder.

    Only for messages about cards or charts: elsewhere the same words ask for data, law or medicine.
    """
    folded = fold_words(text[:_MAX_CHARS])
    vector = None if _is_ordinary_wish(folded) else _embed(CLOSED, folded, embedder)
    if vector is None:
        return None
    try:
        head = load_topic_head(CLOSED)
    except MetierError:  # the weights are damaged: rules alone
        return None
    return _get_topic(head.choose_topic(vector)) if head.score(folded, vector) > CLOSED.limit else None


def _is_ordinary_wish(folded: str) -> bool:
    """Whether a question is about what a chart has a part for (财运, "find love"), and about nothing that is closed."""
    wishes, at_stake = _read_patterns("ordinary", "wishes"), _read_patterns("ordinary", "at_stake")
    if not wishes.search(folded) or at_stake.search(folded):
        return False
    return not any(one.topic.search(folded) for one in _read_topics())


def is_about_reading(text: str) -> bool:
    """Whether a message names cards, charts or foretelling."""
    return _READING.search(fold_words(text)) is not None


def find_claim(
    sentence: str, embedder: SentenceEmbedder | None = None, *, in_reading: bool = True
) -> ClosedTopic | None:
    """Topic on which a sentence foretells or decides something; None if it does not, or declines to.

    Rules of words and a learned part, which weighs words alone without the right embedder. Not `in_reading`, where the
    subject may be law, money or medicine, the learned part has to be sure.
    """
    folded = fold_words(sentence[:_MAX_SENTENCE])
    by_rule = None if _DECLINING.search(folded) else _find_claimed_topic(folded)
    if _REFUSAL.search(folded) and not _BUT.search(folded):
        return None
    if len(folded.strip()) < (_FEW_CJK if has_cjk(folded) else _FEW_CHARS):
        return by_rule  # "Done.": too few words to weigh
    parts = [folded[at : at + _MAX_CHARS] for at in range(0, len(folded), _MAX_CHARS)]
    vectors = [_embed(CLAIMED, part, embedder) for part in parts]
    try:
        head = load_topic_head(CLAIMED)
    except MetierError:  # the weights are damaged: rules alone
        return by_rule
    scores = [head.score(part, vector) for part, vector in zip(parts, vectors, strict=True)]
    score = max(scores, default=-1.0)
    if score <= (_RULE_LIMIT if by_rule else CLAIMED.limit if in_reading else _SURE_LIMIT):
        return None
    at = scores.index(score)
    return by_rule or _choose_topic(parts[at], vectors[at])


def _choose_topic(part: str, vector: Floats | None) -> ClosedTopic:
    """The only topic whose words a claim has, else that of the nearest claims."""
    named = [one for one in _read_topics() if one.topic.search(part)]
    if len(named) == 1 or vector is None:
        return named[0] if named else _get_topic(_FATE)
    return _get_topic(load_topic_head(CLAIMED).choose_topic(vector))


def _find_claimed_topic(folded: str) -> ClosedTopic | None:
    return next((topic for topic in _read_topics() if topic.claims.search(folded)), None)


def _embed(check: TopicCheck, folded: str, embedder: SentenceEmbedder | None) -> Floats | None:
    """Vector of a text; None without the embedder that the weights were learned with, or if it fails."""
    if embedder is None or not folded.strip() or embedder.name != read_topic_notes(check)["embedder"]:
        return None
    try:
        return normalize_vector(embedder.embed([folded])[0])
    except MetierError:
        return None


def _get_topic(id: str) -> ClosedTopic:
    return next(one for one in _read_topics() if one.id == id)


def is_adult_topic(text: str, *, in_reading: bool) -> bool:
    """Whether a message asks for a reading on marriage, wealth or health."""
    folded = fold_words(text)
    return bool((in_reading or _READING.search(folded)) and _read_patterns("minor", "topic").search(folded))


def is_adult_claim(sentence: str) -> bool:
    """Whether a sentence speaks of marriage, wealth or health."""
    return _read_patterns("minor", "claims").search(fold_words(sentence)) is not None


def decline_minor(language: Language) -> str:
    """One sentence: what is left out for minors, and what can be done instead."""
    return _TEXTS.render("minor", language)


@cache
def _read_topics() -> tuple[ClosedTopic, ...]:
    listed = tomllib.loads(_FILE.read_text("utf-8"))["topics"]
    return tuple(
        ClosedTopic(
            one["id"],
            compile_constant(one["asks"]),
            compile_constant(one["topic"]),
            compile_constant(one["claims"]),
            BilingualText(one["zh"], one["en"]),
            BilingualText(one["offer_zh"], one["offer_en"]),
        )
        for one in listed
    )


@cache
def _read_patterns(table: str, key: str) -> re.Pattern[str]:
    return compile_constant(str(tomllib.loads(_FILE.read_text("utf-8"))[table][key]))
