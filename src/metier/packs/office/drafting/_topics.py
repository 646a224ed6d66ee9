"""What a request may ask for, read from `topics.toml`, and where the request names it."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, Literal, cast

from metier.language import Language, choose
from metier.packs.office._request_text import RequestText

__all__ = [
    "DraftTopic",
    "Kind",
    "TopicMention",
    "assume_mention",
    "find_joined_mentions",
    "find_mentions",
    "find_quoted_mentions",
    "list_topics",
]

Kind = Literal[
    "table", "quotation", "gantt", "budget", "template", "outline", "points", "banner", "picture", "word_art",
    "chart", "heading", "grouped", "cover", "agenda", "kpi", "pairs", "timeline", "slide",
]  # fmt: skip

_LIST_SIGNS: Final = "、/|"
_IN_NAME: Final = re.compile(r"、[^,，、。;:!?()\n\"]{0,6}$")
_FIRST_NAME: Final = re.compile(r"(?:[:(]|(?:列|列名|表头|字段|栏目)[为是有])[^,，、。;:!?()\n\"]{1,6}$")
_COLUMN_NAMES: Final = re.compile(r"(?:列|列名|表头|字段|栏目)(?:分别|依次)?[为是有:][^,，。;!?()\n\"]{0,60}(?<!的)$")
_NAME_CLOSES: Final = re.compile(r"\s*(?:[、,，。;]|$)")
_NAME_ENDS: Final = re.compile(r"[^,，、。;:!?()\n\"]{0,6}、")


@dataclass(frozen=True, slots=True)
class DraftTopic:
    """A kind of content with its words, and what is written where a request leaves it open."""

    id: str
    kind: Kind
    pattern: "re.Pattern[str]"
    titles: tuple[str, str] = ("", "")
    columns: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    sections: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def title(self, language: Language) -> str:
        return choose(language, zh=self.titles[0], en=self.titles[1])

    def default_columns(self, language: Language) -> tuple[str, ...]:
        return choose(language, zh=self.columns[0], en=self.columns[1])

    def default_sections(self, language: Language) -> tuple[str, ...]:
        return choose(language, zh=self.sections[0], en=self.sections[1])


_NAME_OF_SLIDE: Final = re.compile(
    r"目录|议程|日程|时间[线轴]|里程碑|路线图|[\u4e00-\u9fff]{2,4}(?:与|和|及)(?!其|怎|如)[\u4e00-\u9fff]{2,6}|"
    r"agenda|table of contents|timeline|roadmap|milestones|[a-z]+s? (?:and|&) (?!their)[a-z]+s?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TopicMention:
    """Where a request names a topic."""

    topic: DraftTopic
    start: int
    end: int

    def read_name(self, text: RequestText, language: Language) -> str:
        """What the request calls it, where that is a name (目录页, 风险与对策, “roadmap”); else the usual title."""
        said = re.sub(r"(?:页|\s+slide)$", "", text.raw[self.start : self.end].strip(), flags=re.IGNORECASE)
        is_name = _NAME_OF_SLIDE.fullmatch(said) is not None
        return f"{said[:1].upper()}{said[1:]}" if is_name else self.topic.title(language)


@cache
def list_topics() -> tuple[DraftTopic, ...]:
    """All topics, in the order of the file."""
    text = (files("metier.packs.office.drafting") / "topics.toml").read_text("utf-8")
    return tuple(_read_topic(one) for one in tomllib.loads(text)["topic"])


def find_mentions(text: RequestText, kinds: Sequence[Kind]) -> list[TopicMention]:
    """Topics of these kinds that the rest of a request names, in order; of two that overlap the longer one."""
    found = [
        TopicMention(topic, *match.span())
        for topic in list_topics()
        if topic.kind in kinds
        for match in topic.pattern.finditer(text.mask)
    ]
    found = [one for one in found if not _is_item(text.mask, one)]
    found.sort(key=lambda one: (one.start - one.end, one.start))
    kept: list[TopicMention] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def assume_mention(topic_id: str) -> TopicMention:
    """Mention of a topic that a request means without its word."""
    return TopicMention(next(one for one in list_topics() if one.id == topic_id), 0, 0)


def _is_item(mask: str, mention: TopicMention) -> bool:
    """Whether the words are a whole name between the signs of a list, or a part of an inner name of one.

    摘要 of 日期、摘要、余额; 报价单 of 客户、报价单编号、日期.
    """
    if _IN_NAME.search(mask[: mention.start]) and _NAME_ENDS.match(mask, mention.end):
        return True
    if _FIRST_NAME.search(mask[: mention.start]) and mask[mention.end :].startswith("、"):
        return True  # 要点 of 字段：检查要点、结果
    is_text = mention.topic.kind in ("points", "template", "outline")
    if is_text and _COLUMN_NAMES.search(mask[: mention.start]) and _NAME_CLOSES.match(mask, mention.end):
        return True  # 要点 of 列为重要点、次要点
    before, after = mask[: mention.start].rstrip()[-1:], mask[mention.end :].lstrip()[:1]
    is_bounded = (before in _LIST_SIGNS or before in ":,，(") and (after in _LIST_SIGNS or after in ",，。;.)")
    return bool(before) and is_bounded and (before in _LIST_SIGNS or (after != "" and after in _LIST_SIGNS))


def find_joined_mentions(text: RequestText, mentions: Sequence[TopicMention]) -> tuple[str, ...]:
    """Names of two things that the request asks for in one breath, and that no rule can put together; else empty."""
    joined = re.compile(r"\s*(?:和|与|及|以及|还有|并|外加|and|plus)\s*(?:一?[个张份]|an?\s|the\s)?\s*", re.IGNORECASE)
    for one, other in pairwise(mentions):
        kinds = {one.topic.kind, other.topic.kind}
        is_free = bool({"word_art", "slide"} & kinds) or kinds == {"table", "chart"}
        if not is_free and joined.fullmatch(text.mask, one.end, other.start):
            return text.raw[one.start : one.end], text.raw[other.start : other.end]
    return ()


def find_quoted_mentions(text: RequestText, kinds: Sequence[Kind]) -> list[TopicMention]:
    """Topics with which a quoted title begins, as in “附录A 参考文件”."""
    return [
        TopicMention(topic, quote.start - 1, quote.end + 1)
        for quote in text.left_quotes()
        for topic in list_topics()
        if topic.kind in kinds and topic.pattern.match(quote.text)
    ]


def _read_topic(given: dict[str, object]) -> DraftTopic:
    def strings(name: str) -> tuple[str, ...]:
        return tuple(cast("list[str]", given.get(name, [])))

    words = [*strings("zh_words"), *(rf"\b(?:{word})(?![A-Za-z])" for word in strings("en_words"))]
    return DraftTopic(
        id=str(given["id"]),
        kind=cast("Kind", given["kind"]),
        pattern=re.compile("|".join(words), re.IGNORECASE),
        titles=(str(given.get("zh_title", "")), str(given.get("en_title", ""))),
        columns=(strings("zh_columns"), strings("en_columns")),
        sections=(strings("zh_sections"), strings("en_sections")),
    )
