"""Suggestions for the user's next message: two to four short sentences, never at the cost of a model call.

A model may write them itself, as a block at the end of its answer. Otherwise they come from what is already known:
the skills that follow this one, its examples, and what the turn has displayed.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.agent.models import find_block
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of
from metier.pack import Pack
from metier.patterns import compile_later
from metier.skills import Skill

SUGGESTIONS: Final = "suggestions"
MAX_SUGGESTIONS: Final = 4
_MIN_SHARED_CHARS: Final = 6
MIN_SUGGESTIONS: Final = 2
_MAX_CHARS: Final = 80
_HEADING: Final = compile_later(r"^#{1,6} {0,4}suggestions:?[ \t]{0,9}\n", re.IGNORECASE | re.MULTILINE)
# Examples that only make sense together with a file or a text of the user's.
_NEEDS_INPUT: Final = compile_later(
    r"下面|以下|如下|附件|上传|这[个份张](?:\s*\w{2,5}\s*)?(?:文件|文档|表|数据|图片|录音)"
    r"|\b(?:attached|attachment|uploaded|below|following|this (?:\w+ )?(?:file|document|table|csv|sheet|picture))\b",
    re.IGNORECASE,
)
# Words around what is asked about: without them two questions are the same.
_ASKED_AROUND: Final = compile_later(
    r"是什么意思|是什么|什么是|是啥|的?含义|的?定义|意思|怎么样|怎样|如何|请问|我|的|呢|吗"
    r"|\b(?:what(?:'s| is| are| does| do)?|meaning of|definition of|mean(?:s|ing)?|the|an?|my|how is|please)\b",
    re.IGNORECASE,
)
_ITEM: Final = compile_later(r"[-*•]|\d{1,2}[.)]")
_TEXTS: Final[Mapping[Language, Mapping[str, str]]] = MappingProxyType(
    {
        "en": {
            "next": "Go on with: {title}",
            "table": "Show this as a chart",
            "chart": "Show the figures behind the chart",
            "failed": "Try that again",
            "leave": "Leave this skill",
            "all": "Show all skills",
        },
        "zh": {
            "next": "继续：{title}",
            "table": "把结果画成图表",
            "chart": "查看图表背后的数据",
            "failed": "再试一次",
            "leave": "退出当前技能",
            "all": "看看全部技能",
        },
    }
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One suggestion: the text on the button, and the message sent when it is pressed."""

    text: str
    value: str = ""

    def to_json(self) -> JsonObject:
        return {"text": self.text, "value": self.value or self.text}


@dataclass(frozen=True, slots=True)
class SuggestionReading:
    """A model's answer without its suggestions block, and the suggestions from it."""

    text: str
    suggestions: tuple[Suggestion, ...] = ()


def read_suggestions(text: str) -> SuggestionReading:
    """Split the suggestions block from an answer. An unreadable block stays in the text, so nothing is lost."""
    block = find_block(text, SUGGESTIONS)
    if block is None:
        return _read_last_section(text)
    found = _keep_distinct(
        _suggestions_from_json(block.data) if block.data is not None else _suggestions_from_lines(block.body)
    )
    return SuggestionReading(block.remove_from(text), found) if found else SuggestionReading(text)


def _read_last_section(text: str) -> SuggestionReading:
    """As a block: a last section under the heading `suggestions`, as small models write it."""
    head = _HEADING.search(text)
    body = text[head.end() :] if head else ""
    if head is None or not all(_ITEM.match(line.strip()) for line in body.splitlines() if line.strip()):
        return SuggestionReading(text)
    found = _keep_distinct(_suggestions_from_lines(body))
    return SuggestionReading(text[: head.start()].rstrip(), found) if found else SuggestionReading(text)


def suggestions_for(
    skill: Skill | None,
    *,
    following: Iterable[Skill] = (),
    shown: Iterable[str] = (),
    said: str = "",
    language: Language = "en",
    is_elsewhere: Callable[[str, bool], bool] = lambda _text, _is_example: False,
    files: Iterable[str] = (),
    undoes: Mapping[str, str] = MappingProxyType({}),
    done: Iterable[str] | None = None,
    declined: Iterable[str] = (),
) -> tuple[Suggestion, ...]:
    """Suggestions without a model: none without a skill, otherwise two to four.

    What the skill says may follow its answer (`next_messages`) takes the place of its examples, which are for a first
    message: of these none that needs something to be handed in first, and none that `is_elsewhere`.

    `following` are the skills behind `skill.next`; `shown` are the kinds of events of this turn (`table`, `chart`,
    `turn.failed`); `said` is the user's last message, which is not suggested again. Only examples in `language` are
    suggested; `is_elsewhere` says of a text, and whether it is an example, if it is about something else than the
    conversation. `files` are the names of the files at hand. `undoes` names for each tool that takes a change back the
    one that makes it: a skill that only takes back is offered by the receipt of a change, and not here, where there may
    be none. `done` are the steps that were done, for messages that follow one of them (None: all), and `declined` the
    tools of the steps that the user said no to: a skill that calls one of them is not offered.
    """
    words, kinds, unwanted = _TEXTS[language], frozenset(shown), frozenset(declined)
    if skill is None:
        return ()
    ideas = [Suggestion(words["failed"], said)] if "turn.failed" in kinds and said else []
    ideas += [
        Suggestion(words["next"].format(title=one.title_in(language) or one.id)[:_MAX_CHARS], f"/{one.id}")
        for one in following
        if not _only_undoes(one, undoes) and not _list_calls(one) & unwanted
    ]
    if "chart" in kinds:
        ideas.append(Suggestion(words["chart"]))
    elif "table" in kinds:
        ideas.append(Suggestion(words["table"]))
    own = _list_next_messages(skill, language, tuple(files), None if done is None else frozenset(done))
    if own is None and _only_undoes(skill, undoes):
        own = []  # what it takes back may be gone
    ideas += [
        Suggestion(example[:1].upper() + example[1:])
        for example in (skill.examples if own is None else own)
        if not _says_same(example, said)
        and language_of(example) == language
        and not is_elsewhere(example, own is None)
        and (own is not None or _NEEDS_INPUT.search(example) is None)
    ]
    found = _keep_distinct(ideas)
    spare = (Suggestion(words["leave"]), Suggestion(words["all"], "/"))
    return found if len(found) >= MIN_SUGGESTIONS else _keep_distinct((*found, *spare[: MIN_SUGGESTIONS - len(found)]))


def _only_undoes(skill: Skill, undoes: Mapping[str, str]) -> bool:
    """Whether the steps of a skill take a change back and make none."""
    calls = _list_calls(skill)
    return bool(calls & undoes.keys()) and not calls & set(undoes.values())


def _list_calls(skill: Skill) -> set[str]:
    return {str(step["call"]) for step in skill.sop if step.get("call")}


def _list_next_messages(
    skill: Skill, language: Language, files: Sequence[str] | None, done: frozenset[str] | None = None
) -> list[str] | None:
    """What may follow an answer of the skill, as its author says in `next_messages`, by language or in one list; None
    if it says nothing of that.

    A message with `files` (the end of a name, such as `xlsx`) is for conversations that have such a file at hand, one
    with `after` (the id of a step) for turns that have done this step; with None, all messages are listed.
    """
    if "next_messages" not in skill.metadata:
        return None
    told = skill.metadata.get("next_messages")
    listed = told.get(language) if isinstance(told, Mapping) else told
    made = []
    for one in listed if isinstance(listed, list | tuple) else ():
        item = one if isinstance(one, Mapping) else {"text": one}
        text, kind, step = item.get("text"), item.get("files"), item.get("after")
        has_file = kind is None or files is None or any(name.endswith(f".{kind}") for name in files)
        is_done = step is None or done is None or (isinstance(step, str) and step in done)
        if isinstance(text, str) and has_file and is_done:
            made.append(text)
    return made


def is_suggested_by(skills: Iterable[Skill], message: str) -> bool:
    """Whether a message is one that a skill itself suggests: an example of it, or what may follow its answer."""
    said = fold_text(message)  # once: for each of 54 skills, 50,000 characters held up all users for a second
    return any(said == fold_text(text) for one in skills for text in (*one.examples, *_list_following(one)))


def _list_following(skill: Skill) -> list[str]:
    return [one for language in _TEXTS for one in _list_next_messages(skill, language, None) or ()]


def is_example_of(packs: Iterable[Pack], message: str) -> bool:
    """Whether a message is an example of a pack, as the first page shows them."""
    shown = {fold_text(text) for pack in packs for one in pack.examples for text in (one.zh, one.en)}
    return fold_text(message) in shown


def suggest_skills(skills: Iterable[Skill], *, said: str, language: Language) -> tuple[Suggestion, ...]:
    """The same message with each of these skills, for an answer that used none of them."""
    return _keep_distinct(Suggestion(one.title_in(language) or one.id, f"/{one.id} {said}") for one in skills)


def _says_same(example: str, said: str) -> bool:
    """Whether the message says what the example says, with or without words around it."""
    if (core := fold_text(_ASKED_AROUND.sub(" ", example))) and core == fold_text(_ASKED_AROUND.sub(" ", said)):
        return True  # 峭度的含义 after 峭度是什么意思
    example, said = fold_text(example), fold_text(said)
    return example == said or (
        min(len(example), len(said)) >= _MIN_SHARED_CHARS and (example in said or said in example)
    )


def suggest_examples(examples: Iterable[Iterable[str]], *, said: str) -> tuple[Suggestion, ...]:
    """The first example of each group that was not just said, for a message that no skill fits."""
    folded = fold_text(said)
    firsts = (next((one for one in group if fold_text(one) != folded), "") for group in examples)
    return _keep_distinct(map(Suggestion, firsts))


def _suggestions_from_json(data: JsonValue) -> Iterator[Suggestion]:
    listed = data.get(SUGGESTIONS) if isinstance(data, Mapping) else data
    for item in listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ():
        text = item.get("text") if isinstance(item, Mapping) else item
        value = item.get("value") if isinstance(item, Mapping) else None
        if isinstance(text, str):
            yield Suggestion(text, value if isinstance(value, str) else "")


def _suggestions_from_lines(body: str) -> Iterator[Suggestion]:
    if body.startswith(("{", "[")):
        return  # broken JSON, not a list of lines
    for line in body.splitlines():
        yield Suggestion(line.strip().lstrip("-*•·0123456789.、) ").strip())


def fold_text(text: str) -> str:
    """Letters and digits alone: the same words in other spelling are the same message."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _keep_distinct(found: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """The first four non-empty suggestions, each once and on one line."""
    kept: dict[str, Suggestion] = {}
    for one in found:
        text = " ".join(one.text.split())
        if text and len(text) <= _MAX_CHARS and text not in kept:
            kept[text] = Suggestion(text, one.value[:2000])
        if len(kept) == MAX_SUGGESTIONS:
            break
    return tuple(kept.values())
