"""Goals: what the user wants in their own words, the plan made of their answers, and check-ins."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences

MAX_CHECKINS: Final = 20
MAX_EXTRACTED: Final = 30
FIELDS: Final = ("goal", "cadence", "step", "obstacle", "response")
_WANT: Final = re.compile(
    r"(?:我的目标是|我想要|我想|我打算|我希望|我要|目标[:：]"
    r"|my goal is to|my goal is|i want to|i would like to|i'd like to|i plan to)\s*(.{2,200})",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(
    r"[，,。.!！]?\s*(?:帮我.*|请.*|可以吗.*|怎么办.*|help me.*|please.*)?[。.!！?？\s]*$", re.IGNORECASE
)
_NO_GOAL: Final = re.compile(
    r"^(?:定|设|设定|制定|建立|做|有)?(?:一个|个)?(?:小)?(?:新)?(?:目标|计划)"
    r"|^(?:set|make|have) an? (?:new )?(?:goal|plan)|^打卡|^check",
    re.IGNORECASE,
)
_CHECKIN: Final = re.compile(r"打卡|回顾|汇报|进展|做到了|没做到|check[- ]?in|progress|review my goal", re.IGNORECASE)
_FORGET: Final = re.compile(
    r"忘(?:掉|记).*(?:我说|记的|记住)|删(?:掉|除).*(?:我说|记的|原话)|forget what i said|delete my words", re.IGNORECASE
)
_WORDS_CADENCE: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "daily": ("every day", "每天"),
        "thrice": ("three times a week", "每周三次"),
        "weekly": ("once a week", "每周一次"),
    }
)
_CADENCES: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        "thrice": re.compile(r"(?:每|一)周(?:.{0,6})(?:三|3)次|three times a week|3 times a week", re.IGNORECASE),
        "weekly": re.compile(r"(?:每|一)周(?:.{0,6})(?:一|1)次|每周末|once a week|weekly", re.IGNORECASE),
        "daily": re.compile(r"每[天日晚早]|天天|every (?:day|evening|morning|night)|daily", re.IGNORECASE),
    }
)
_TEXTS: Final = Sentences(
    {
        "plan": (
            "**Your plan.** Goal: {goal}. How often: {cadence}. Smallest step: {step}.\n\n"
            "**If-then**: if “{obstacle}” comes up, then {response}.\n\n"
            "Say “check in” after the first time; what matters first is that it happens, not how well.",
            "**你的计划**：目标是“{goal}”，{cadence}；最小的一步是“{step}”。\n\n"
            "**如果就计划**：如果遇到“{obstacle}”，我就{response}。\n\n"
            "做过第一次以后说“打卡”就行；先看做没做，不看做得好不好。",
        ),
        "none": (
            "There is no goal yet. Say for example: I want to run three times a week.",
            "还没有目标。可以说：我想每周跑步三次。",
        ),
        "done": (
            "{count} of {total} check-ins done. What made it easier this time? Keep exactly that.",
            "{total} 次打卡里做到了 {count} 次。这次是什么帮了忙？把它留住。",
        ),
        "partly": (
            "Partly counts. {count} of {total} done so far. Try the step at half its size once.",
            "做了一部分也算数。到现在 {total} 次里做到 {count} 次。下次把这一步减半试试。",
        ),
        "missed": (
            "That happens; coming back is the harder part, and you did. {count} of {total} done so far. Your if-then "
            "was: if “{obstacle}”, then {response}. Does it still fit?",
            "没做到很正常，愿意回来说一声更难，你做到了。到现在 {total} 次里做到 {count} 次。"
            "你写过：如果遇到“{obstacle}”，我就{response}。现在还合适吗？",
        ),
        "goal": ("Goal", "目标"),
        "cadence": ("How often", "频率"),
        "step": ("Smallest step", "最小的一步"),
        "obstacle": ("If this comes up", "如果遇到"),
        "response": ("then I do", "我就"),
        "item": ("What", "内容"),
        "words": ("In your words", "你的话"),
        "title": ("Plan", "计划"),
        "forgotten": (
            "I have deleted the {count} sentences that I had kept of you.",
            "我记过的 {count} 句你的原话已经删掉了。",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class CoachRequest:
    """What a message wants of the coach: a goal, a check-in, or to forget the user's words."""

    mode: str
    goal: str
    cadence: str = ""


def read_request(said: str) -> CoachRequest:
    """Read a message; the goal is the user's own words, empty if it names none."""
    if _FORGET.search(said):
        return CoachRequest("forget", "")
    wanted = _WANT.search(said)
    goal = _TAIL.sub("", wanted[1]).strip() if wanted else ""
    goal = "" if _NO_GOAL.match(goal) else goal
    if not goal and _CHECKIN.search(said):
        return CoachRequest("checkin", "")
    return CoachRequest("goal", goal, _find_cadence(goal))


def _find_cadence(goal: str) -> str:
    """How often, if the goal says it."""
    return next((name for name, pattern in _CADENCES.items() if pattern.search(goal)), "")


def describe_cadence(value: JsonValue, language: Language) -> str:
    """How often, in words; what the user wrote if it is none of the choices."""
    english, chinese = _WORDS_CADENCE.get(str(value), (str(value), str(value)))
    return Sentences({"cadence": (english, chinese)}).render("cadence", language)


def describe_plan(draft: JsonObject, language: Language) -> JsonObject:
    """The plan for people, made of the user's own answers."""
    told = {name: str(draft.get(name) or "…").rstrip("。.") for name in FIELDS}
    told["cadence"] = describe_cadence(draft.get("cadence") or "…", language)
    item, words, title = (_TEXTS.render(one, language) for one in ("item", "words", "title"))
    rows: list[JsonValue] = [{item: _TEXTS.render(name, language), words: told[name]} for name in FIELDS]
    return {
        "summary": _TEXTS.render("plan", language, **told),
        "tables": [{"title": title, "columns": [item, words], "rows": rows}],
    }


def describe_checkin(goal: JsonObject, checkins: Sequence[JsonValue], progress: str, language: Language) -> str:
    """Answer to a check-in, counted over all of them."""
    results = [one.get("progress") for one in checkins if isinstance(one, Mapping)]
    told = {"count": results.count("done"), "total": len(results)}
    plan = {name: str(goal.get(name) or "…").rstrip("。.") for name in ("obstacle", "response")}
    return _TEXTS.render(progress if progress in ("done", "partly") else "missed", language, **told, **plan)


def describe_no_goal(language: Language) -> str:
    """Sentence for a check-in without a goal."""
    return _TEXTS.render("none", language)


def describe_forgotten(count: int, language: Language) -> str:
    """Sentence after the user's words were deleted."""
    return _TEXTS.render("forgotten", language, count=count)
