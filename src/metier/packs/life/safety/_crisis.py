"""Crisis wording: which rule catches a message, and the reply with help lines."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from metier.compiled import compile_constant
from metier.language import BilingualText, Language, Sentences
from metier.packs.life.safety._texts import fold_words

_FOLDER: Final = Path(__file__).parent
_MAX_CHARS: Final = 8000
_SHORT: Final = 60
_MAX_NEWS_CHARS: Final = 120
_CLAUSE: Final = re.compile(r"[，,。.！!？?；;：:\n]+|\b(?:and|then|while|since|but)\b|(?<=[后完])(?=我)")
_TEXTS: Final = Sentences(
    {
        "reply": (
            "I am glad that you said this, and I take it seriously. Cards and charts are not what is needed now; you "
            "are. Please do not stay alone with it: call one of these people, or go to somebody who is near you. If "
            "you or somebody else is in danger right now, call the emergency number first.\n\n{lines}\n\n"
            "If it concerns somebody else: stay with them, listen without arguing, put away what could hurt them, and "
            "call together. I have paused the reminders. If you like, just tell me how today has been; I am "
            "listening.",
            "谢谢你愿意说出来，我很认真地听着。现在不看牌也不看盘，你这个人更要紧。请不要一个人扛着："
            "打给下面的电话，或者去找一个在你身边的人。如果你或别人此刻有危险，请先打急救或报警电话。\n\n{lines}\n\n"
            "如果是你身边的人：陪着他，听他说，不争辩，把可能伤到人的东西收起来，和他一起打电话。"
            "提醒我已经先停下了。愿意的话，就和我说说今天过得怎么样，我在听。",
        ),
        "after": (
            "I am here. Say as much or as little as you like; there is nothing you have to do now. I am only a program "
            "and can answer little; these people listen:\n\n{lines}\n\nIs somebody near you whom you could tell?",
            "我在。想说多少就说多少，现在不用急着做什么。我只是一个程序，能回应的不多，但有人愿意听你说：\n\n"
            "{lines}\n\n身边有没有一个可以说说话的人？",
        ),
        "ask": (
            "Before we go on: it sounds as if this may be hard, or I misread it. If you think of hurting yourself, or "
            "somebody hurts you or is in danger, please call {numbers}; you can also just tell me.",
            "先问一句：听上去你可能不好受，也可能是我听错了。如果有伤害自己的念头，或者有人在伤害你、身边有人有危险，"
            "请打 {numbers}；也可以直接告诉我。",
        ),
        "listen": (
            "How are you right now? Say as much or as little as you like; I am listening.",
            "你现在怎么样？想说多少就说多少，我在听。",
        ),
        "and": (", ", "、"),
        "number": ("**{number}** ({title})", "**{number}**（{title}）"),
        "line": ("- **{number}**: {title}", "- **{number}**：{title}"),
    }
)


@dataclass(frozen=True, slots=True)
class CrisisRule:
    """One rule: patterns, and exceptions where the same words are not about a person in crisis."""

    id: str
    patterns: tuple[re.Pattern[str], ...]
    exceptions: tuple[re.Pattern[str], ...]

    def matches(self, folded: str) -> bool:
        """Whether a pattern occurs and no exception."""
        return any(one.search(folded) for one in self.patterns) and not any(
            one.search(folded) for one in self.exceptions
        )


@dataclass(frozen=True, slots=True)
class ObliqueRule:
    """Signals whose weights add up: words that only together tell of a crisis."""

    limit: float
    everyday: re.Pattern[str]
    signals: tuple[tuple[float, tuple[re.Pattern[str], ...]], ...]

    def matches(self, folded: str) -> bool:
        """Whether the signals in a text reach the limit and it names no everyday subject."""
        total = sum(weight for weight, patterns in self.signals if any(one.search(folded) for one in patterns))
        return total >= self.limit and not self.everyday.search(folded)


@dataclass(frozen=True, slots=True)
class HelpLine:
    """A help line: region, number, what it is, and when it was checked."""

    region: str
    number: str
    title: BilingualText
    checked: str


def find_crisis(text: str) -> str:
    """Id of the rule that catches the message; empty if none does."""
    folded = fold_words(text[:_MAX_CHARS])
    return _find_rule(folded) or ("oblique" if _read_oblique().matches(folded) else "")


def is_everyday_work(text: str) -> bool:
    """Whether a short message names something of work and has no word of death, harm, feeling or people close."""
    folded = fold_words(text[:_MAX_CHARS])
    work, grave = _read_pair("everyday_work", "work", "grave")
    things, _ = _read_pair("everyday_work", "things", "work")
    rest, count = things.subn(" ", folded)
    return len(folded) <= _SHORT and (count > 0 or bool(work.search(folded))) and not grave.search(rest)


def is_request(text: str) -> bool:
    """Whether a message has the form of a request or a question to the program."""
    return _read_form().search(fold_words(text[:_MAX_CHARS])) is not None


def is_medicine_reminder(text: str) -> bool:
    """Whether a message is a plain reminder of medicine at an hour, and says nothing beside it."""
    return _read_reminder().fullmatch(fold_words(text[:_MAX_CHARS])) is not None


def is_birth_news(text: str) -> bool:
    """Whether a message only tells of a birth, with joy or a wish for a chart beside it and nothing else."""
    forms = _compile_any(_read_file()["birth_news"]["forms"])
    return len(text) <= _MAX_NEWS_CHARS and forms.fullmatch(fold_words(text)) is not None


def is_taken_back(text: str) -> bool:
    """Whether a message only wants a change of some work taken back, with nothing beside it but dislike of the work."""
    forms = _compile_any(_read_file()["taken_back"]["forms"])
    return len(text) <= _MAX_NEWS_CHARS and forms.fullmatch(fold_words(text)) is not None


def is_pondering(text: str) -> bool:
    """Whether a message only asks for time to think about "it"."""
    forms = _compile_any(_read_file()["pondering"]["forms"])
    return len(text) <= _SHORT and forms.fullmatch(fold_words(text)) is not None


def is_acquaintance(text: str) -> bool:
    """Whether a message only wants to hear of the assistant, or to know oneself better."""
    forms = _compile_any(_read_file()["acquaintance"]["forms"])
    return len(text) <= _SHORT and forms.fullmatch(fold_words(text)) is not None


def is_framed(text: str) -> bool:
    """Whether a message speaks of a story, a study, a game, a dream or the past, and of nobody's danger now.

    A clause of danger that the frame does not stand in, and that is not about somebody in a story, is not framed by it:
    刚看完电影，吞了三十片.
    """
    folded = fold_words(text[:_MAX_CHARS])
    frame, now = _read_pair("framed", "frame", "now")
    if not frame.search(folded) or now.search(folded):
        return False
    _, others = _read_pair("framed", "own", "others")
    bare = (one for one in _CLAUSE.split(folded) if not frame.search(one) and not others.search(one))
    return not any(_find_rule(one) for one in bare)


def is_of_oneself(text: str) -> bool:
    """Whether a rule catches a clause in which somebody speaks of themselves, or one without anybody named."""
    own, others = _read_pair("framed", "own", "others")
    clauses = _CLAUSE.split(fold_words(text[:_MAX_CHARS]))
    return any(_find_rule(one) and (own.search(one) or not others.search(one)) for one in clauses)


def write_crisis_reply(language: Language) -> str:
    """The warm reply with all help lines; those of mainland China first."""
    return _TEXTS.render("reply", language, lines=_write_lines(language))


def write_reply_after_crisis(language: Language) -> str:
    """A brief reply to what somebody says after the crisis reply: the numbers once more, and an open ear."""
    return _TEXTS.render("after", language, lines=_write_lines(language))


def write_check_in(language: Language) -> str:
    """A gentle question with the first help line of mainland China and the one of each other region."""
    firsts = {one.region: one for one in reversed(read_help_lines())}
    listed = [one for one in read_help_lines() if firsts[one.region] is one]
    numbers = [_TEXTS.render("number", language, number=one.number, title=one.title.text(language)) for one in listed]
    return _TEXTS.render("ask", language, numbers=_TEXTS.render("and", language).join(numbers))


def write_open_ear(language: Language) -> str:
    """What to say after the gentle question if the message asked for nothing."""
    return _TEXTS.render("listen", language)


def _write_lines(language: Language) -> str:
    return "\n".join(
        _TEXTS.render("line", language, number=one.number, title=one.title.text(language)) for one in read_help_lines()
    )


@cache
def read_help_lines() -> tuple[HelpLine, ...]:
    """Help lines from the data file."""
    listed = tomllib.loads((_FOLDER / "help_lines.toml").read_text("utf-8"))["lines"]
    return tuple(
        HelpLine(one["region"], one["number"], BilingualText(**one["title"]), str(one["checked"])) for one in listed
    )


@cache
def _read_rules() -> tuple[CrisisRule, ...]:
    listed = _read_file()["rules"]
    return tuple(
        CrisisRule(
            one["id"],
            tuple(map(compile_constant, one["patterns"])),
            tuple(map(compile_constant, one.get("exceptions", ()))),
        )
        for one in listed
    )


@cache
def _read_oblique() -> ObliqueRule:
    found = _read_file()["oblique"]
    signals = tuple((float(one["weight"]), tuple(map(compile_constant, one["patterns"]))) for one in found["signals"])
    return ObliqueRule(float(found["limit"]), _compile_any(found["everyday"]), signals)


def _find_rule(folded: str) -> str:
    return next((rule.id for rule in _read_rules() if rule.matches(folded)), "")


@cache
def _read_pair(table: str, one: str, other: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    found = _read_file()[table]
    return _compile_any(found[one]), _compile_any(found[other])


@cache
def _read_form() -> re.Pattern[str]:
    found = _read_file()["request"]
    start = f"^(?:(?:{found['fillers']})[ ,]+)*(?:{'|'.join(found['beginnings'])})"
    return _compile_any((start, *found["forms"]))


@cache
def _read_reminder() -> re.Pattern[str]:
    return _compile_any(_read_file()["medicine_reminder"]["forms"])


def _compile_any(patterns: Sequence[str]) -> re.Pattern[str]:
    """One pattern for any of these."""
    return compile_constant("|".join(patterns))


@cache
def _read_file() -> dict[str, Any]:
    return tomllib.loads((_FOLDER / "crisis.toml").read_text("utf-8"))
