"""Tools of the skill career: interests answer by answer, decision matrix."""

import re
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.language import Sentences, join_names, language_of
from metier.packs.life.career import (
    describe_decision,
    describe_interests,
    describe_unread,
    exceeds_scale,
    has_scores,
    list_options,
    list_unread,
    read_criteria,
    read_items,
    read_options,
    read_scores,
    read_single,
    reweigh,
    score_answers,
)
from metier.packs.life.conversation._fields import SummaryLanguage, Words
from metier.tools import ToolContext, ToolResult, show_as

_INTERESTS: Final = re.compile(
    r"兴趣|霍兰德|适合.{0,6}(?:职业|工作|方向)|测试|riasec|holland|interests?|suits? me", re.IGNORECASE
)
_MAX_QUOTED: Final = 3
_TEXTS: Final = Sentences(
    {
        "criterion": ("Aspect", "方面"),
        "weight": ("Weight", "权重"),
        "assumed": (
            "I could not read aspects with weights, so I take four common ones with equal weight; "
            "the matrix shows what a change of weight would do.",
            "没有读到“方面:权重”，这里先用常见的四项、权重相同；矩阵会告诉你改权重会怎样。",
        ),
        "assumed_unread": (
            "I could not read {words}, so I take four common aspects with equal weight. Say it with numbers (pay 5, "
            "growth 3), in an order (pay > growth > calm), or as “pay matters most, calm does not matter”.",
            "没有读懂{words}，这里先用常见的四项、权重相同。可以写数字（收入:5 成长:3）、写顺序（收入>成长>清闲），"
            "或说“收入最重要，清闲无所谓”。",
        ),
        "completed": (
            "You named {name} (weight {weight}); the other aspects are common ones with weight 3.",
            "你说到的是{name}（权重 {weight}），其余用常见的几项补上，权重 3。",
        ),
        "quoted": ("“{word}”", "“{word}”"),
        "equal": (
            "All aspects count the same so far; if one matters more, give weights in place of scores (pay 5, calm 2).",
            "目前各方面权重相同；如果哪项更重要，打分时可以先给权重，例如“收入5，清闲2”。",
        ),
        "scaled": (
            "Weights go up to 10, so I made all of them smaller in proportion.",
            "权重最大是 10，所以我把它们按比例缩小了。",
        ),
        "begins": (
            "Career interests: {total} statements, for each of which you say how much it is like you.",
            "职业兴趣：共 {total} 句话，每句说说像不像你。",
        ),
        "goes_on": (
            "We go on with the career interests from last time: {done} of {total} statements are answered.",
            "接着上次的职业兴趣测试：共 {total} 句话，已经答了 {done} 句。",
        ),
        "noted": (
            "Noted {done} of {total}; you can stop any time and go on later.",
            "记下了 {done}/{total}；随时可以停，下次接着答。",
        ),
    }
)
Item = Annotated[
    str, Field(pattern="^[riasec][12]$", description="题号 · item", json_schema_extra=show_as("题号", "Item"))
]
Answer = Annotated[
    int, Field(ge=1, le=5, description="1 到 5 · from 1 to 5", json_schema_extra=show_as("回答", "Answer"))
]
Options = Annotated[
    str,
    Field(min_length=1, max_length=400, description="选项 · options", json_schema_extra=show_as("选项", "Options")),
]
Criteria = Annotated[
    str,
    Field(
        min_length=1,
        max_length=400,
        description="方面:权重 · aspect: weight",
        json_schema_extra=show_as("方面和权重", "Aspects and weights"),
    ),
]
Scores = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="每行一个选项的分数 · scores, a line an option",
        json_schema_extra=show_as("打分", "Scores"),
    ),
]


def start_career(context: ToolContext, message: Words, language: SummaryLanguage | None = None) -> ToolResult:
    """看清用户要测兴趣还是做选择。Tell whether the user wants the interest items or help with a choice."""
    options = read_options(message)
    answered = _get_kept(context, "answers")
    wants = "decision" if options or re.search(r"决策|选择|纠结|decision|choose|decide", message, re.IGNORECASE) else ""
    draft = _get_kept(context, "draft")
    told: JsonObject = {"answered": len(answered), "language": language or language_of(message)}
    if draft and not options and has_scores(message):  # the scores of a matrix whose options and weights are known
        return ToolResult({"mode": "scored", "unclear": False, **draft, **told})
    mode = wants or ("interests" if _INTERESTS.search(message) or answered else "")
    spoken: SummaryLanguage = language or language_of(message)
    code = "goes_on" if answered else "begins"
    counted = {"done": len(answered), "total": len(read_items())}
    note = _TEXTS.render(code, spoken, **counted) if mode == "interests" else ""
    return ToolResult({"mode": mode or None, "unclear": not mode, "options": "\n".join(options), "note": note, **told})


def save_interest(context: ToolContext, item: Item, answer: Answer, language: SummaryLanguage = "zh") -> ToolResult:
    """立刻保存一题的回答。Keep the answer to one item at once."""
    known = {**_get_kept(context, "answers"), item: answer}
    noted = _TEXTS.render("noted", language, done=len(known), total=len(read_items()))
    return ToolResult({"saved": item, "note": noted}, keep={f"skill_data.career.answers.{item}": answer})


def score_interests(context: ToolContext, language: SummaryLanguage = "zh") -> ToolResult:
    """按已保存的回答计算六型得分。Score the six types from the kept answers."""
    points = score_answers(_get_kept(context, "answers"))
    result = describe_interests(points, language)
    kept: JsonObject = {"code": result["code"], "points": dict(points)}
    return ToolResult(
        {**result, "points": dict(points)},
        keep={"skill_data.career.interests": kept, "skill_data.career.answers": None},
    )


def read_decision(options: Options, criteria: Criteria, language: SummaryLanguage = "zh") -> ToolResult:
    """读出选项、方面和权重。Read options, aspects and weights."""
    named = list_options(options) if "\n" not in options else tuple(one for one in options.splitlines() if one.strip())
    weighted, is_read = read_criteria(criteria, language)
    name, weight = _TEXTS.render("criterion", language), _TEXTS.render("weight", language)
    scored: JsonObject = dict.fromkeys(named, "1–10")
    rows: list[JsonValue] = [{name: one.name, weight: one.weight, **scored} for one in weighted]
    note = "" if is_read else _tell_assumed(criteria, language)
    if is_read and len({one.weight for one in weighted}) == 1 < len(weighted):
        note = _TEXTS.render("equal", language)
    if is_read and exceeds_scale(criteria):
        note = _TEXTS.render("scaled", language)
    listed = ", ".join(f"{one.name}:{one.weight:g}" for one in weighted)
    return ToolResult(
        {"options": "\n".join(named), "criteria": listed, "rows": rows, "note": note, "count": len(named)}
    )


def _tell_assumed(said: str, language: SummaryLanguage) -> str:
    """Why aspects or weights were assumed, with the words that were not understood."""
    if (single := read_single(said)) is not None:
        return _TEXTS.render("completed", language, name=single.name, weight=f"{single.weight:g}")
    unread = [_TEXTS.render("quoted", language, word=one) for one in list_unread(said)[:_MAX_QUOTED]]
    code = "assumed_unread" if unread else "assumed"
    return _TEXTS.render(code, language, words=join_names(unread, language))


def compare_options(
    options: Options, criteria: Criteria, scores: Scores, language: SummaryLanguage = "zh"
) -> ToolResult:
    """计算决策矩阵，以及哪个权重会改变结果。Rank the options and find the weight that would change the winner."""
    named = [one.strip() for one in options.splitlines() if one.strip()]
    weighted, _ = read_criteria(criteria, language)
    read = read_scores(scores, named, len(weighted)) if len(named) > 1 else None
    if read is None:
        changed = reweigh(scores, weighted)
        listed = ", ".join(f"{one.name}:{one.weight:g}" for one in changed) or criteria
        draft: JsonObject = {"options": "\n".join(named), "criteria": listed}
        told: JsonObject = {"unread": True, "problem": describe_unread(named, len(weighted), language, changed)}
        return ToolResult(told, keep={"skill_data.career.draft": draft})
    result = describe_decision(named, weighted, read, language)
    kept: JsonObject = {"options": list(named), "criteria": criteria, "winner": result["winner"]}
    return ToolResult(
        {"unread": False, **result}, keep={"skill_data.career.decision": kept, "skill_data.career.draft": None}
    )


def _get_kept(context: ToolContext, name: str) -> JsonObject:
    data = context.user_data.get("skill_data")
    career = data.get("career") if isinstance(data, Mapping) else None
    found = career.get(name) if isinstance(career, Mapping) else None
    return found if isinstance(found, Mapping) else {}
