"""Tools of the skill zodiac: compute the natal chart, read it with the transits of the day."""

from datetime import UTC, date, datetime, time
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.life.conversation._chart_parts import describe_natal_part
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
from metier.packs.life.conversation._fields import SummaryLanguage, Words
from metier.packs.life.pictures import (
    describe_natal,
    describe_reading,
    draw_natal,
    format_degrees,
    write_files,
    write_picture,
)
from metier.packs.life.readings import ZODIAC_TOPICS, name_of, read_natal
from metier.packs.life.zodiac import NatalChart, compute_natal, find_transits
from metier.tools import ToolContext, ToolResult

_TEXTS: Final = Sentences(
    {
        "picture": ("Natal chart", "本命星盘"),
        "more": (
            "Say next: “work by my natal chart”, “relations by my natal chart”, “my transits”, "
            "“export my natal chart as PDF”, “correct my birth data”.",
            "还可以说：“星盘看事业”“星盘看感情”“我最近的行运”“把星盘导出PDF”“改一下出生信息”。",
        ),
        "more_minor": (
            "Say next: “export my natal chart as PDF”, “correct my birth data”.",
            "还可以说：“把星盘导出PDF”“改一下出生信息”。",
        ),
        "no_transits": (
            "On {day} no slow body is close to an exact aspect of the natal chart.",
            "{day} 没有与本命星体接近精确相位的行运。",
        ),
        "transits": ("Transits of {day}; those of other days differ.", "行运按 {day} 计算，其他日子会不同。"),
        "table": ("Positions", "星体位置"),
        "body": ("Body", "星体"),
        "position": ("Position", "位置"),
        "house": ("House", "宫位"),
        "motion": ("Motion", "运行"),
        "retrograde": ("retrograde", "逆行"),
        "direct": ("direct", "顺行"),
    }
)


def compute_zodiac(
    context: ToolContext, message: Words, person: Person = None, language: SummaryLanguage = "zh"
) -> ToolResult:
    """排星盘：十大星体、宫位、相位，并画出星盘。Compute the natal chart: ten bodies, houses, aspects, and the wheel."""
    subject = find_subject(context, message, person, language, "zodiac")
    chart = compute_natal(subject.moment)
    digest = digest_natal(chart)
    is_shown = needs_card(subject, is_new=get_kept(context, "zodiac") != digest)
    summary, picture, title = "", "", _TEXTS.render("picture", language)
    if is_shown:
        name = "zodiac-other" if subject.person else "zodiac-chart"
        picture = write_picture(context.workspace, name, draw_natal(chart, language))
        summary = join_parts(subject, language, describe_natal(chart, language))
    data: JsonObject = {
        "summary": summary,
        "images": [{"path": picture, "title": title, "alt": title}] if picture else [],
        "is_own": not subject.person,
        "tables": [_build_table(chart, language)] if is_shown else [],
    }
    return ToolResult(data, keep={} if subject.person else {"skill_data.zodiac.chart": digest})


def read_natal_chart(
    context: ToolContext, message: Words, person: Person = None, language: SummaryLanguage = "zh"
) -> ToolResult:
    """按规则解读星盘和行运，每句注明出处。Read the natal chart and transits by rules, each sentence with its source."""
    subject = find_subject(context, message, person, language, "zodiac")
    chart = compute_natal(subject.moment)
    topic = _choose_topic(subject)
    day = _choose_day(subject)
    transits = find_transits(chart, datetime.combine(day, time(12), UTC)) if topic == "transit" else ()
    said = "" if topic != "transit" else "transits" if transits else "no_transits"
    sentences = read_natal(chart, language, topic, transits)
    part = subject.request.part
    about = describe_natal_part(chart, part, sentences, language) if part is not None else ""
    names: tuple[str, ...] = ()
    if subject.request.wants_files:
        whole = read_natal(chart, language, "nature" if subject.is_minor else "all")
        summary, drawing = describe_natal(chart, language), draw_natal(chart, language)
        names = write_files(context.workspace, "zodiac", summary, drawing, sentences=whole, language=language)
    parts = (
        _TEXTS.render(said, language, day=day.isoformat()) if said else "",
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


def digest_natal(chart: NatalChart) -> JsonObject:
    """The chart in few words, as it is kept for the user and stands in prompts."""
    return {
        "signs": {one.body: "/".join(chart.signs_of(one.body)) for one in chart.bodies},
        "ascendant": None if chart.ascendant is None else round(chart.ascendant, 2),
        "midheaven": None if chart.midheaven is None else round(chart.midheaven, 2),
        "houses": chart.system,
    }


def _choose_day(subject: ChartSubject) -> date:
    """The day of the transits: today, or the same day of the year that is asked about."""
    year = subject.request.year or subject.today.year
    return subject.today.replace(year=year, day=min(subject.today.day, 28 if subject.today.month == 2 else 31))


def _choose_topic(subject: ChartSubject) -> str:
    """Topic of the reading; of a part that is asked about, all sentences may speak."""
    topic = "transit" if subject.request.topic == "year" else subject.request.topic
    if subject.is_minor:
        return "nature"
    return topic if topic in ZODIAC_TOPICS and subject.request.part is None else "all"


def _build_table(chart: NatalChart, language: Language) -> JsonObject:
    """Positions of the bodies as a table."""
    heads = ("body", "position", "house", "motion")
    return {
        "title": _TEXTS.render("table", language),
        "columns": [{"key": one, "title": _TEXTS.render(one, language), "type": "text", "unit": ""} for one in heads],
        "rows": [
            [
                name_of(one.body, language),
                format_degrees(one.longitude, language),
                str(one.house or "–"),
                _TEXTS.render("retrograde" if one.is_retrograde else "direct", language),
            ]
            for one in chart.bodies
        ],
    }
