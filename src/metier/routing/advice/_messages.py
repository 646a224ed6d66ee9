"""Messages that people may write to a skill, made from its own texts by rules or written by a model."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.language import Language, Sentences, language_of
from metier.routing.advice._requests import Form, Request, find_requests, read_request
from metier.routing.text import parse_scope
from metier.skills import Skill
from metier.textsearch import fold, id_to_words

Origin = Literal["description", "phrase", "trigger", "title", "excluded", "model"]

MAX_MESSAGES: Final = 12
# Ways to ask; the sentence that a request becomes changes from one request to the next, as people differ.
_FRAMES: Final[Mapping[Language, Mapping[Form, Sequence[str]]]] = MappingProxyType(
    {
        "en": MappingProxyType(
            {
                "verb": ("{0}", "can you {0}?", "I need to {0}", "please {0}", "help me {0}"),
                "gerund": ("help me with {0}", "I am {0} and need advice", "what is the best way of {0}?"),
                "noun": ("I need help with {0}", "{0}, please", "a question about {0}", "can you help with {0}?"),
                "sentence": ("{0}",),
            }
        ),
        "zh": MappingProxyType(
            {
                "verb": ("帮我{0}", "{0}", "我想{0}", "能不能{0}", "麻烦{0}"),
                "gerund": ("帮我{0}",),
                "noun": ("帮我看看{0}", "{0}", "我想问{0}", "关于{0}，帮我看一下"),
                "sentence": ("{0}",),
            }
        ),
    }
)
_PROMPT: Final = Sentences(
    {
        "prompt": (
            "Write {count} short messages that users of an assistant might send when they need the following skill. "
            "Write as different people do: short and long, plain words, no skill name, in {tongue}. One message per "
            "line, nothing else.\n\nSkill: {title}\n{description}",
            "请写出 {count} 条用户在需要下面这个技能时可能发给助手的消息。像不同的人那样写：有长有短，用平常的话，"
            "不要出现技能名，用{tongue}写。每行一条，不要写别的。\n\n技能：{title}\n{description}",
        ),
        "en": ("English", "英文"),
        "zh": ("Chinese", "中文"),
    }
)
_LIST_MARK: Final = re.compile(r"^\s*(?:[-*•]|\d+[.)、])\s*")
_MAX_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class CandidateMessage:
    """Message that people may write to a skill, and the text of the skill it was made from."""

    text: str
    origin: Origin
    language: Language

    def to_json(self) -> JsonObject:
        return {"text": self.text, "origin": self.origin, "language": self.language}


def generate_messages(skill: Skill, *, max_count: int = MAX_MESSAGES) -> tuple[CandidateMessage, ...]:
    """Messages for a skill by rules, from its description, quoted phrases, triggers and title, in its languages.

    Messages that are examples of the skill already are left out, so that what is left says something new.
    """
    scope = parse_scope(_get_description(skill))
    described = _pair(find_requests(scope.covered), "description")
    phrases = _pair(_read_all(scope.phrases), "phrase")
    triggers = _pair(_read_all(skill.triggers), "trigger")
    titles = _pair(_read_all(dict.fromkeys((skill.title, *skill.titles.values()))), "title")
    mixed = [pair for pairs in zip_longest(described, phrases, triggers) for pair in pairs if pair is not None]
    return tuple(_build_messages((*mixed, *titles), skill, max_count))


def generate_exclusions(skill: Skill) -> tuple[CandidateMessage, ...]:
    """Messages that the description says the skill is not for."""
    excluded = parse_scope(_get_description(skill)).excluded
    return tuple(_build_messages(_pair(_read_all(one.text for one in excluded), "excluded"), skill, MAX_MESSAGES))


def build_prompt(skill: Skill, language: Language, *, count: int = MAX_MESSAGES) -> str:
    """Prompt that asks a model for messages to a skill in this language."""
    return _PROMPT.render(
        "prompt",
        language,
        count=count,
        tongue=_PROMPT.render(language, language),
        title=skill.title_in(language),
        description=skill.description_in(language),
    )


def read_messages(answer: str, skill: Skill, *, max_count: int = MAX_MESSAGES) -> tuple[CandidateMessage, ...]:
    """Messages of a model's answer, one per line; lines that are headings, too long or examples already are dropped."""
    lines = (_LIST_MARK.sub("", line).strip().strip('"“”') for line in answer.splitlines())
    kept = (line for line in lines if len(line) <= _MAX_CHARS and any(map(str.isalnum, line)) and line[-1] not in ":：")
    found = (CandidateMessage(line, "model", language_of(line)) for line in kept)
    return tuple(_take_new(found, skill.examples, max_count))


def _get_description(skill: Skill) -> str:
    texts = dict.fromkeys((*skill.descriptions.values(), *([] if skill.descriptions else [skill.description])))
    return " ".join(text for text in (*texts, skill.when_to_use) if text)


def _pair(requests: Iterable[Request], origin: Origin) -> list[tuple[Request, Origin]]:
    return [(request, origin) for request in requests]


def _read_all(texts: Iterable[str]) -> Iterator[Request]:
    return filter(None, (read_request(id_to_words(text)) for text in texts))


def _build_messages(
    requests: Iterable[tuple[Request, Origin]], skill: Skill, max_count: int
) -> Iterator[CandidateMessage]:
    return _take_new(_frame_all(requests), skill.examples, max_count)


def _frame_all(requests: Iterable[tuple[Request, Origin]]) -> Iterator[CandidateMessage]:
    used: dict[tuple[Language, Form], int] = {}
    for request, origin in requests:
        kind = (request.language, request.form)
        frames = _FRAMES[request.language][request.form]
        text = frames[used.get(kind, 0) % len(frames)].format(request.text)
        used[kind] = used.get(kind, 0) + 1
        yield CandidateMessage(text, origin, request.language)


def _take_new(messages: Iterable[CandidateMessage], known: Iterable[str], max_count: int) -> Iterator[CandidateMessage]:
    seen = {fold(text).strip() for text in known}
    for message in messages:
        key = fold(message.text).strip()
        if max_count > 0 and key not in seen:
            seen.add(key)
            max_count -= 1
            yield message
