"""Tools of the skill lifecoach: goal, plan, check-in, reminder, the user's own words."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

from pydantic import Field

from metier.clock import utc_text
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences
from metier.packs.life.coach import (
    MAX_CHECKINS,
    MAX_EXTRACTED,
    describe_checkin,
    describe_forgotten,
    describe_no_goal,
    describe_plan,
    read_request,
)
from metier.packs.life.conversation._fields import SummaryLanguage, Words
from metier.packs.life.reminders import DEFAULT_ZONE
from metier.tools import ToolContext, ToolResult, show_as

_TEXTS: Final = Sentences(
    {
        "reminder": (
            "Noted: a reminder every day at {at} ({zone}), not between 22:30 and 08:00. This page does not ring: "
            "reminders are sent only where whoever runs the service has set up sending. You can see and delete it "
            "under My data.",
            "记下了：每天 {at}（{zone}）提醒，22:30 到 08:00 之间不打扰。页面自己不会响铃，"
            "要由运行这项服务的人开启发送才会收到；在“我的数据”里可以查看和删除。",
        ),
        "no_reminder": ("Without a reminder, then.", "好，先不设提醒。"),
        "check": ("Your smallest step: {step}", "你的最小一步：{step}"),
        "goes_on": ("We go on with the goal “{goal}” from last time.", "接着上次的目标“{goal}”往下说。"),
        "known_step": ("Your smallest step: {said}.", "最小的一步：{said}。"),
        "known_obstacle": ("What may get in the way: {said}.", "可能挡住你的：{said}。"),
    }
)
FieldName = Annotated[
    Literal["goal", "cadence", "step", "obstacle", "response"],
    Field(description="哪一项 · which field", json_schema_extra=show_as("哪一项", "Which field")),
]
Progress = Annotated[
    Literal["done", "partly", "missed"],
    Field(description="做得怎样 · how it went", json_schema_extra=show_as("做得怎样", "How it went")),
]
ClockTime = Annotated[
    str,
    Field(
        pattern="^(?:off|[0-2]\\d:[0-5]\\d)$",
        description="时间 · time of day",
        json_schema_extra=show_as("时间", "Time of day"),
    ),
]


def start_coach(context: ToolContext, message: Words, language: SummaryLanguage = "zh") -> ToolResult:
    """看清用户要定目标、打卡还是删掉记过的话。Tell whether the user sets a goal, checks in or wants words forgotten."""
    found, life = read_request(message), _get_life(context)
    goal, draft = _as_object(life.get("goal")), _as_object(life.get("draft"))
    mode = "no_goal" if found.mode == "checkin" and not goal else found.mode
    if mode == "forget":
        words = _get_words(context)
        return ToolResult({"mode": mode, "summary": describe_forgotten(len(words), language)}, keep={"extracted": None})
    told: JsonObject = {"mode": mode, "goal": found.goal or draft.get("goal") or None, "draft": draft, "summary": ""}
    if mode == "no_goal":
        return ToolResult({**told, "summary": describe_no_goal(language)})
    if not found.goal or mode != "goal":
        goes_on = mode == "goal" and draft.get("goal")
        note = _recall_draft(draft, language) if goes_on else ""
        return ToolResult({**told, "note": note})
    begun: JsonObject = {"goal": found.goal, **({"cadence": found.cadence} if found.cadence else {})}
    kept: dict[str, JsonValue] = {"life_context.draft": begun, "extracted": _add_words(context, found.goal)}
    return ToolResult({**told, "draft": begun}, keep=kept)


def _recall_draft(draft: JsonObject, language: Language) -> str:
    """What was said about the goal so far: the next question may be about it."""
    found = [_TEXTS.render("goes_on", language, goal=draft["goal"])]
    if step := draft.get("step"):
        found.append(_TEXTS.render("known_step", language, said=str(step).rstrip("。.")))
    if obstacle := draft.get("obstacle"):
        found.append(_TEXTS.render("known_obstacle", language, said=str(obstacle).rstrip("。.")))
    return "\n\n".join(found)


def save_goal_answer(context: ToolContext, field: FieldName, value: Words) -> ToolResult:
    """立刻保存一项回答。Keep one answer at once."""
    kept: dict[str, JsonValue] = {f"life_context.draft.{field}": value}
    if field != "cadence":
        kept["extracted"] = _add_words(context, value)
    return ToolResult({"saved": field, "value": value}, keep=kept)


def make_goal_plan(context: ToolContext, language: SummaryLanguage = "zh") -> ToolResult:
    """用用户自己的回答写成计划。Write the plan from the user's own answers."""
    draft = _as_object(_get_life(context).get("draft"))
    return ToolResult(
        describe_plan(draft, language), keep={"life_context.goal": dict(draft), "life_context.draft": None}
    )


def set_goal_reminder(context: ToolContext, at: ClockTime, language: SummaryLanguage = "zh") -> ToolResult:
    """设定每天的提醒，off 表示不要。Set a daily reminder; off for none."""
    if at == "off":
        return ToolResult(
            {"summary": _TEXTS.render("no_reminder", language)}, keep={"life_context.reminders.items": None}
        )
    goal = _as_object(_get_life(context).get("goal"))
    text = _TEXTS.render("check", language, step=str(goal.get("step") or goal.get("goal") or "…"))
    zone = _as_object(_get_life(context).get("reminders")).get("zone") or DEFAULT_ZONE
    items: JsonObject = {"goal": {"text": text, "at": at}}
    kept: dict[str, JsonValue] = {
        "life_context.reminders.items": items,
        "life_context.reminders.zone": zone,
        "life_context.reminders.paused": None,
    }
    return ToolResult({"summary": _TEXTS.render("reminder", language, at=at, zone=zone)}, keep=kept)


def record_checkin(
    context: ToolContext, progress: Progress, note: Words | None = None, language: SummaryLanguage = "zh"
) -> ToolResult:
    """记录一次打卡并回应。Record a check-in and answer it."""
    life = _get_life(context)
    earlier = life.get("checkins")
    listed = list(earlier) if isinstance(earlier, Sequence) and not isinstance(earlier, str) else []
    listed.append({"at": utc_text(), "progress": progress, "note": note or ""})
    kept: dict[str, JsonValue] = {"life_context.checkins": listed[-MAX_CHECKINS:]}
    if note:
        kept["extracted"] = _add_words(context, note)
    summary = describe_checkin(_as_object(life.get("goal")), listed, progress, language)
    return ToolResult({"summary": summary, "count": len(listed)}, keep=kept)


def _add_words(context: ToolContext, text: str) -> list[JsonValue]:
    """The user's own words with where they were said, newest last."""
    source: JsonObject = {"conversation": context.conversation, "turn": context.turn, "at": utc_text()}
    words = [one for one in _get_words(context) if _as_object(one).get("text") != text]
    said: JsonObject = {"text": text, "source": source}
    return [*words, said][-MAX_EXTRACTED:]


def _get_words(context: ToolContext) -> list[JsonValue]:
    words = _as_object(context.user_data.get("profile")).get("extracted")
    return list(words) if isinstance(words, Sequence) and not isinstance(words, str) else []


def _get_life(context: ToolContext) -> JsonObject:
    return _as_object(_as_object(context.user_data.get("profile")).get("life_context"))


def _as_object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
