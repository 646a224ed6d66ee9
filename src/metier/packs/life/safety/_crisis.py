"""Crisis wording: which rule catches a message, and the reply with help lines."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from metier.language import BilingualText, Language, Sentences
from metier.packs.life.safety._texts import fold_words

_FOLDER: Final = Path(__file__).parent
_MAX_CHARS: Final = 8000
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
        "line": ("- **{number}**: {title}", "- **{number}**：{title}"),
    }
)


@dataclass(frozen=True, slots=True)
class CrisisRule:
    """One rule: a pattern, and exceptions that cover the same words when they are not about a person in crisis."""

    id: str
    pattern: re.Pattern[str]
    exceptions: tuple[re.Pattern[str], ...]


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
    for rule in _read_rules():
        if rule.pattern.search(folded) and not any(one.search(folded) for one in rule.exceptions):
            return rule.id
    return ""


def write_crisis_reply(language: Language) -> str:
    """The warm reply with all help lines; those of mainland China first."""
    lines = [
        _TEXTS.render("line", language, number=one.number, title=one.title.text(language)) for one in read_help_lines()
    ]
    return _TEXTS.render("reply", language, lines="\n".join(lines))


@cache
def read_help_lines() -> tuple[HelpLine, ...]:
    """Help lines from the data file."""
    listed = tomllib.loads((_FOLDER / "help_lines.toml").read_text("utf-8"))["lines"]
    return tuple(
        HelpLine(one["region"], one["number"], BilingualText(**one["title"]), str(one["checked"])) for one in listed
    )


@cache
def _read_rules() -> tuple[CrisisRule, ...]:
    listed = tomllib.loads((_FOLDER / "crisis.toml").read_text("utf-8"))["rules"]
    return tuple(
        CrisisRule(one["id"], re.compile(one["pattern"]), tuple(map(re.compile, one.get("exceptions", ()))))
        for one in listed
    )
