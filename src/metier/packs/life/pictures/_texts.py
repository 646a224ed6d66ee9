"""Charts in words: what was computed from what, and what another choice would change."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.language import Language, Sentences, join_names
from metier.packs.life.bazi import Alternative, BaziChart
from metier.packs.life.birth import BirthMoment
from metier.packs.life.readings import Sentence, name_of
from metier.packs.life.zodiac import NatalChart, sign_of

_TEXTS: Final = Sentences(
    {
        "pillars": ("**{pillars}** (year, month, day, hour)", "**{pillars}**（年 月 日 时）"),
        "three": (
            "**{pillars}** (year, month, day; the time is unknown)",
            "**{pillars}**（年 月 日；时间未知，只排三柱）",
        ),
        "born": (
            "Born {clock} in {place} ({longitude}); {solar}; counted by {options}.",
            "出生：{clock}，{place}（{longitude}）；{solar}；排盘按{options}。",
        ),
        "born_day": ("Born on {clock} in {place}.", "出生：{clock}，{place}。"),
        "solar": ("the sun showed {true}", "真太阳时 {true}"),
        "east": ("{degrees}° E", "东经{degrees}°"),
        "west": ("{degrees}° W", "西经{degrees}°"),
        "other": ("{choice}: {pillars}.", "{choice}：{pillars}。"),
        "day_start_midnight": ("If the day changes at 0:00", "若0:00换日"),
        "day_start_late_evening": ("If the day changes at 23:00", "若23:00换日（晚子时算第二天）"),
        "solar_time_true": ("By true solar time", "若按真太阳时"),
        "solar_time_mean": ("By mean solar time", "若按平太阳时"),
        "solar_time_clock": ("By clock time", "若按钟表时间"),
        "10_minutes_earlier": ("Ten minutes earlier", "若早10分钟"),
        "10_minutes_later": ("Ten minutes later", "若晚10分钟"),
        "60_minutes_earlier": ("At the begin of the double hour", "若在时辰开头"),
        "60_minutes_later": ("At the end of the double hour", "若在时辰末尾"),
        "born_after_23": ("If born after 23:00, by the 23:00 rule", "若生在23:00之后，按23:00换日"),
        "later_that_day": ("Later that day, after the solar term", "当天交节之后出生"),
        "luck": (
            "Luck periods ({sex}, {direction}) begin on {begins}: {periods}.",
            "大运（{sex}命{direction}）{begins}起：{periods}。",
        ),
        "luck_span": (
            "Luck periods ({sex}, {direction}) begin between {begins} and {latest}, as the time is unknown: {periods}.",
            "时间未知，大运（{sex}命{direction}）在{begins}到{latest}之间起：{periods}。",
        ),
        "no_luck": (
            "A solar term falls on this day; without a time the luck periods cannot be fixed.",
            "当天交节，不知道时间就定不了大运。",
        ),
        "natal": (
            "**Sun in {sun}, Moon in {moon}, {rising} rising**",
            "**太阳{sun}，月亮{moon}，上升{rising}**",
        ),
        "natal_day": (
            "**Sun in {sun}, Moon in {moon}** (time unknown: no rising sign, no houses)",
            "**太阳{sun}，月亮{moon}**（时间未知：不排上升和宫位）",
        ),
        "or": (" or ", "或"),
        "houses": (
            "{system}; Ascendant {ascendant}, Midheaven {midheaven}.",
            "{system}；上升 {ascendant}，天顶 {midheaven}。",
        ),
        "polar": (
            "Placidus has no houses so near the pole; whole signs were used.",
            "出生地靠近极区，普拉西度宫制无法计算，改用整宫制。",
        ),
        "shift_ascendant": ("{minutes} minutes: {sign} rising.", "相差{minutes}分钟：上升{sign}。"),
        "shift_moon": ("{minutes} minutes: Moon in {sign}.", "相差{minutes}分钟：月亮{sign}。"),
        "changes": ("{body} changed its sign that day: {signs}.", "{body}当天换座：{signs}都有可能。"),
        "framing": (
            "This is tradition for reflection, not a prediction; you decide.",
            "以上是传统说法，供参考和反思，不是预言；怎么做由你决定。",
        ),
    }
)
TOPIC_TITLES: Final = Sentences(
    {
        "nature": ("Nature", "性情"),
        "strength": ("Strength and balance", "旺衰与取用"),
        "pattern": ("Pattern", "格局"),
        "elements": ("Elements", "五行"),
        "relations": ("Relations of the pillars", "刑冲合害"),
        "life": ("Course of life", "人生各段"),
        "relationship": ("Relations", "感情"),
        "career": ("Work", "事业"),
        "luck": ("Luck period", "大运"),
        "year": ("The year", "流年"),
        "feeling": ("Feeling", "情绪"),
        "mind": ("Mind", "思考"),
        "balance": ("Balance of elements", "四元素"),
        "aspects": ("Aspects", "相位"),
        "transit": ("Transits", "行运"),
    }
)
SHOWN_PERIODS: Final = 8
_SHIFTS: Final[Mapping[str, str]] = MappingProxyType({"ascendant": "shift_ascendant", "moon": "shift_moon"})


def describe_bazi(chart: BaziChart, language: Language) -> str:
    """The chart and what it was computed from, as Markdown."""
    names = " ".join(name_of(one.pillar, language) for one in chart.pillars)
    lines = [_TEXTS.render("pillars" if len(chart.pillars) > 3 else "three", language, pillars=names)]
    lines.append(_describe_birth(chart.moment, chart, language))
    listed = [*list_notes(chart, language), *_describe_luck(chart, language)]
    return "\n\n".join(lines) + "\n\n" + "\n".join(f"- {one}" for one in listed)


def describe_luck(chart: BaziChart, language: Language) -> str:
    """The luck periods as Markdown, of both directions if the sex was not given."""
    return "\n".join(f"- {one}" for one in _describe_luck(chart, language))


def list_notes(chart: BaziChart, language: Language) -> tuple[str, ...]:
    """What was assumed, and every choice that would change a pillar."""
    said = [one.text(language) for one in chart.moment.notes]
    return (*said, *(_describe_alternative(one, language) for one in chart.alternatives))


def describe_natal(chart: NatalChart, language: Language) -> str:
    """The chart and what it was computed from, as Markdown."""
    either = _TEXTS.render("or", language)
    signs = {body: either.join(name_of(one, language) for one in chart.signs_of(body)) for body in ("sun", "moon")}
    lines = []
    if chart.ascendant is None or chart.midheaven is None:
        lines.append(_TEXTS.render("natal_day", language, **signs))
    else:
        rising = name_of(sign_of(chart.ascendant), language)
        lines.append(_TEXTS.render("natal", language, **signs, rising=rising))
    lines.append(_describe_birth(chart.moment, None, language))
    return "\n\n".join(lines) + "\n\n" + "\n".join(f"- {one}" for one in list_natal_notes(chart, language))


def list_natal_notes(chart: NatalChart, language: Language) -> tuple[str, ...]:
    """What was assumed about a natal chart and what would change it."""
    return (*(one.text(language) for one in chart.moment.notes), *_describe_sky(chart, language))


def describe_reading(sentences: Sequence[Sentence], language: Language) -> str:
    """A reading as Markdown: by topic, each sentence with its source, disputed ones with the schools."""
    lines: list[str] = []
    topic = ""
    for one in sentences:
        if one.topic != topic:
            topic = one.topic
            lines += ["", f"**{TOPIC_TITLES.render(topic, language)}**", ""]
        school = f" ({one.school})" if one.school else ""
        lines.append(f"- {one.text}{school} [{one.source}]")
    return "\n".join([*lines, "", _TEXTS.render("framing", language)]).strip()


def format_degrees(longitude: float, language: Language) -> str:
    """A longitude as sign and degrees."""
    return f"{name_of(sign_of(longitude), language)} {longitude % 30:.2f}°"


def _describe_birth(moment: BirthMoment, chart: BaziChart | None, language: Language) -> str:
    place = moment.place
    if moment.true is None:
        return _TEXTS.render("born_day", language, clock=moment.day.isoformat(), place=place.label_in(language))
    side = "east" if place.longitude >= 0 else "west"
    where = _TEXTS.render(side, language, degrees=f"{abs(place.longitude):.2f}")
    choices = [] if chart is None else [chart.options.solar_time, chart.options.day_start]
    return _TEXTS.render(
        "born",
        language,
        clock=f"{moment.day.isoformat()} {moment.info.time or name_hour(moment.info.hour, language)}",
        place=place.label_in(language),
        longitude=where,
        solar=_TEXTS.render("solar", language, true=f"{moment.true:%H:%M:%S}"),
        options=join_names([name_of(one, language) for one in choices], language) or moment.zone,
    )


def name_hour(hour: str, language: Language) -> str:
    """Name of a double hour."""
    return HOUR_NAMES.render(hour, language)


HOUR_NAMES: Final = Sentences(
    {
        "zi_early": ("early Zi (0–1)", "早子时（0–1点）"),
        "chou": ("Chou (1–3)", "丑时（1–3点）"),
        "yin": ("Yin (3–5)", "寅时（3–5点）"),
        "mao": ("Mao (5–7)", "卯时（5–7点）"),
        "chen": ("Chen (7–9)", "辰时（7–9点）"),
        "si": ("Si (9–11)", "巳时（9–11点）"),
        "wu": ("Wu (11–13)", "午时（11–13点）"),
        "wei": ("Wei (13–15)", "未时（13–15点）"),
        "shen": ("Shen (15–17)", "申时（15–17点）"),
        "you": ("You (17–19)", "酉时（17–19点）"),
        "xu": ("Xu (19–21)", "戌时（19–21点）"),
        "hai": ("Hai (21–23)", "亥时（21–23点）"),
        "zi_late": ("late Zi (23–24)", "晚子时（23–24点）"),
        "unknown": ("unknown", "不知道"),
    }
)


def _describe_alternative(one: Alternative, language: Language) -> str:
    changed = [f"{name_of(name, language)} {name_of(pillar, language)}" for name, pillar in one.pillars.items()]
    choice = _TEXTS.render(one.code, language)
    return _TEXTS.render("other", language, choice=choice, pillars=join_names(changed, language))


def _describe_luck(chart: BaziChart, language: Language) -> Iterator[str]:
    if not chart.luck:
        yield _TEXTS.render("no_luck", language)
    for luck in chart.luck:
        listed = [f"{name_of(one.pillar, language)} {one.begins.year}" for one in luck.periods[:SHOWN_PERIODS]]
        values: dict[str, str] = {
            "sex": name_of(luck.sex, language),
            "direction": name_of(luck.direction, language),
            "begins": luck.begins.isoformat(),
            "latest": luck.latest.isoformat(),
            "periods": join_names(listed, language),
        }
        yield _TEXTS.render("luck" if luck.begins == luck.latest else "luck_span", language, **values)


def _describe_sky(chart: NatalChart, language: Language) -> Iterator[str]:
    if chart.system is not None and chart.ascendant is not None and chart.midheaven is not None:
        values = {"ascendant": chart.ascendant, "midheaven": chart.midheaven}
        shown = {name: format_degrees(value, language) for name, value in values.items()}
        yield _TEXTS.render("houses", language, system=name_of(chart.system, language), **shown)
    if chart.is_polar:
        yield _TEXTS.render("polar", language)
    for body, *signs in chart.both_signs:
        names = join_names([name_of(one, language) for one in signs], language)
        yield _TEXTS.render("changes", language, body=name_of(body, language), signs=names)
    for note in chart.alternatives:
        what, minutes, sign = note.split(":")
        yield _TEXTS.render(_SHIFTS[what], language, minutes=minutes, sign=name_of(sign, language))
