"""What is never foretold: questions that are declined with an offer, and sentences of a model that are replaced."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from metier.errors import MetierError
from metier.language import BilingualText, Language, Sentences
from metier.packs.life.safety._closed_head import LIMIT, load_closed_head, read_closed_notes
from metier.packs.life.safety._crisis_check import SentenceEmbedder
from metier.packs.life.safety._crisis_head import compute_word_features, normalize_vector
from metier.packs.life.safety._texts import fold_words

_MAX_CHARS: Final = 200
_FILE: Final = Path(__file__).with_name("claims.toml")
_READING: Final = re.compile(
    r"塔罗|抽.{0,4}牌|牌(?:面|里|上)|命中|占|八字|命盘|命里|算命|算一?[算卦]|占卜|卦|星盘|星座|流年|大运|运势|运气|紫微|风水"
    r"|tarot|\bcards?\b|horoscope|zodiac|natal|fortune|bazi|predict|astrolog"
)
_DECLINING: Final = re.compile(
    r"不(?:能|会|做|作|说|看|断言|判断|预测|代表|意味|从牌)|无法|没有.{0,6}能|谁也|请(?:找|咨询|听)"
    r"|cannot|can't|won't|don't|do not|not able|never"
)
_QUESTION: Final = re.compile(
    r"吗|么|呢|[?？]|什么|怎|几|多少|会|能|要不要|该不该|看看|算"
    r"|判给|有没有|是不是|好不好|行不行|能不能|说说|如何|还是"
    r"|will|should|when|which|what|how|do i|am i|\b(?:is|are)\b|\bdoes\b|\bcan\b|\bpick\b|\bask\b|\bsay"
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
    if embedder is None or not folded.strip() or embedder.name != read_closed_notes()["embedder"]:
        return None
    try:
        head, rows = load_closed_head(), embedder.embed([folded])
    except MetierError:  # the weights are damaged or the embedder fails: rules alone
        return None
    vector = normalize_vector(rows[0])
    if head.score(compute_word_features(folded), vector) <= LIMIT:
        return None
    chosen = head.choose_topic(vector)
    return next(one for one in _read_topics() if one.id == chosen)


def is_about_reading(text: str) -> bool:
    """Whether a message names cards, charts or foretelling."""
    return _READING.search(fold_words(text)) is not None


def find_claim(sentence: str) -> ClosedTopic | None:
    """Topic on which a sentence foretells something; None if it does not, or declines to."""
    folded = fold_words(sentence)
    if _DECLINING.search(folded):
        return None
    return next((topic for topic in _read_topics() if topic.claims.search(folded)), None)


def is_adult_topic(text: str, *, in_reading: bool) -> bool:
    """Whether a message asks for a reading on marriage, wealth or health."""
    folded = fold_words(text)
    return bool((in_reading or _READING.search(folded)) and _read_minor("topic").search(folded))


def is_adult_claim(sentence: str) -> bool:
    """Whether a sentence speaks of marriage, wealth or health."""
    return _read_minor("claims").search(fold_words(sentence)) is not None


def decline_minor(language: Language) -> str:
    """One sentence: what is left out for minors, and what can be done instead."""
    return _TEXTS.render("minor", language)


@cache
def _read_topics() -> tuple[ClosedTopic, ...]:
    listed = tomllib.loads(_FILE.read_text("utf-8"))["topics"]
    return tuple(
        ClosedTopic(
            one["id"],
            re.compile(one["asks"]),
            re.compile(one["topic"]),
            re.compile(one["claims"]),
            BilingualText(one["zh"], one["en"]),
            BilingualText(one["offer_zh"], one["offer_en"]),
        )
        for one in listed
    )


@cache
def _read_minor(key: str) -> re.Pattern[str]:
    return re.compile(str(tomllib.loads(_FILE.read_text("utf-8"))["minor"][key]))
