"""Tools of the skill bazi: compute the chart, read it."""

from datetime import date
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.life import bazi
from metier.packs.life.bazi import BaziChart, DayStart, SolarTime
from metier.packs.life.conversation._chart_parts import describe_bazi_part
from metier.packs.life.conversation._chart_subject import (
    ChartSubject,
    Person,
    build_grounds,
    describe_files,
    describe_limit,
    find_subject,
    get_kept,
    join_parts,
    needs_card,
)
from metier.packs.life.conversation._chart_words import choose_options
from metier.packs.life.conversation._fields import SummaryLanguage, Words
from metier.packs.life.pictures import (
    describe_bazi,
    describe_luck,
    describe_reading,
    draw_bazi,
    list_notes,
    write_files,
    write_picture,
)
from metier.packs.life.readings import TOPICS, name_of, read_bazi
from metier.tools import ToolContext, ToolResult, show_as

_MID_YEAR: Final = (7, 1)
_TEXTS: Final = Sentences(
    {
        "picture": ("Bazi chart", "八字命盘"),
        "more": (
            "Say next: “my year by bazi”, “my luck periods”, “my work by bazi”, “my relations by bazi”, "
            "“export my bazi as PDF”, “correct my birth data”.",
            "还可以说：“我今年的流年”“我的大运”“八字看事业”“八字看感情”“把八字导出PDF”“改一下出生信息”。",
        ),
        "more_minor": (
            "Say next: “export my bazi as PDF”, “correct my birth data”.",
            "还可以说：“把八字导出PDF”“改一下出生信息”。",
        ),
        "before": (
            "The first luck period has not begun, or the sex was not given, so the present one is not read.",
            "还没有起运，或没有填性别，所以不解读当前大运。",
        ),
    }
)
SolarChoice = Annotated[
    SolarTime,
    Field(description="时间口径 · time counted", json_schema_extra=show_as("时间口径", "Time counted", hidden=True)),
]
StartChoice = Annotated[
    DayStart,
    Field(description="换日 · day change", json_schema_extra=show_as("换日", "Day changes", hidden=True)),
]


def compute_bazi(
    context: ToolContext,
    message: Words,
    person: Person = None,
    *,
    solar_time: SolarChoice = "true",
    day_start: StartChoice = "midnight",
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """排八字：四柱、十神、大运，并画出命盘。Compute the bazi chart: pillars, ten gods, luck periods, and its card."""
    subject = find_subject(context, message, person, language, "bazi")
    options = choose_options(subject.request, solar_time, day_start)
    chart = bazi.compute_bazi(subject.moment, options)
    digest = digest_bazi(chart)
    is_shown = needs_card(subject, is_new=get_kept(context, "bazi") != digest)
    summary, picture, title = "", "", _TEXTS.render("picture", language)
    if is_shown:
        picture = write_picture(
            context.workspace, _picture_name(subject), draw_bazi(chart, language, list_notes(chart, language))
        )
        summary = join_parts(subject, language, describe_bazi(chart, language))
    data: JsonObject = {
        "summary": summary,
        "pillars": " ".join(one.pillar for one in chart.pillars),
        "images": [{"path": picture, "title": title, "alt": title}] if picture else [],
        "is_own": not subject.person,
        "solar_time": options.solar_time,
        "day_start": options.day_start,
        "options": _list_options(language),
        "alternatives": [one.to_json() for one in chart.alternatives],
    }
    return ToolResult(data, keep={} if subject.person else {"skill_data.bazi.chart": digest})


def read_bazi_chart(
    context: ToolContext,
    message: Words,
    person: Person = None,
    *,
    solar_time: SolarChoice = "true",
    day_start: StartChoice = "midnight",
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """按规则解读八字，每句注明依据和出处。Read the bazi chart by rules, each sentence with ground and source."""
    subject = find_subject(context, message, person, language, "bazi")
    chart = bazi.compute_bazi(subject.moment, choose_options(subject.request, solar_time, day_start))
    part = subject.request.part
    topic = subject.request.topic if subject.request.topic in TOPICS and part is None else "all"
    day = date(subject.request.year, *_MID_YEAR) if subject.request.year else subject.today
    sentences = read_bazi(chart, language, day, "nature" if subject.is_minor else topic)
    about = describe_bazi_part(chart, part, sentences, language) if part is not None else ""
    names: tuple[str, ...] = ()
    if subject.request.wants_files:
        drawing = draw_bazi(chart, language, list_notes(chart, language))
        whole = read_bazi(chart, language, day, "nature" if subject.is_minor else "all")
        names = write_files(
            context.workspace, "bazi", describe_bazi(chart, language), drawing, sentences=whole, language=language
        )
    needs_period = topic == "luck" and not any(one.topic == "luck" for one in sentences)
    parts = (
        describe_luck(chart, language) if topic == "luck" and not subject.is_minor else "",
        _TEXTS.render("before", language) if needs_period else "",
        about or describe_files(names, language) or (describe_reading(sentences, language) if subject.is_asked else ""),
        describe_limit(subject, language),
        _TEXTS.render("more_minor" if subject.is_minor else "more", language),
    )
    return ToolResult(
        {
            "summary": "\n\n".join(part for part in parts if part),
            "topic": topic,
            "sentences": build_grounds(sentences),
            "files": list(names),
        }
    )


def digest_bazi(chart: BaziChart) -> JsonObject:
    """The chart in few words, as it is kept for the user and stands in prompts."""
    return {
        "pillars": " ".join(one.pillar for one in chart.pillars),
        "gods": {one.name: one.god or "日主" for one in chart.pillars},
        "strength": chart.strength.level,
        "luck": [f"{one.sex} {one.periods[0].pillar} {one.begins}" for one in chart.luck],
        "solar_time": chart.options.solar_time,
        "day_start": chart.options.day_start,
    }


def _list_options(language: Language) -> JsonObject:
    """What the two choices on the card may be changed to."""
    return {
        "solar_time": [{"value": code, "label": name_of(code, language)} for code in ("true", "mean", "clock")],
        "day_start": [{"value": code, "label": name_of(code, language)} for code in ("midnight", "late_evening")],
    }


def _picture_name(subject: ChartSubject) -> str:
    return "bazi-other" if subject.person else "bazi-chart"
