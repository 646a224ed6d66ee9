"""The birth form: its fields, what it says about wrong ones, and what may be stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, join_sentences
from metier.packs.life.birth._check import check_birth
from metier.packs.life.birth._info import HOURS, UNKNOWN, BirthInfo, BirthProblem

_MAX_TEXT: Final = 100
_TEXTS: Final = Sentences(
    {
        "own": (
            "To compute the chart, please give date, time and place of birth. They are kept in “My data” for the next "
            "chart, and can be changed or deleted there.",
            "排盘需要出生的日期、时间和地点，请填写。填写后存入「我的资料」，下次排盘直接使用，可以随时在那里修改或删除。",
        ),
        "read": (
            "I filled in what you said: please check it and add what is missing.",
            "你说的已经填好：请核对，缺的请补上。",
        ),
        "other": (
            "Please give the birth data ({person}). It stays in this conversation and does not touch your profile.",
            "请填写{person}的出生信息。它只用于这次对话，不会改动你自己的档案。",
        ),
        "differs": (
            "This differs from the birth data in your profile ({date}). If it is somebody else's, write whose; left "
            "empty, it corrects your own.",
            "这和你档案里的出生信息（{date}）不一样。如果是别人的，请填是谁的；不填，就是更正你自己的。",
        ),
        "again": ("Nothing was stored yet. {problems}", "还没有保存。{problems}"),
    }
)
_TITLES: Final = Sentences(
    {
        "whose": ("Whose chart", "是谁的"),
        "calendar": ("Calendar", "历法"),
        "date": ("Date of birth", "出生日期"),
        "leap_month": ("Leap month (lunar calendar)", "闰月（农历才需要）"),
        "time": ("Time of birth, as on the clock (or the next field)", "出生时间（钟表上的时间；没有就填下一项）"),
        "hour": ("No exact time: double hour or “unknown”", "没有准确时间：选时辰或“不知道”"),
        "place": (
            "Place of birth (a city; coordinates may follow: 30.67N 104.07E)",
            "出生地点（城市，可加经度，如 成都 104.07E）",
        ),
        "sex": ("Sex (for the direction of luck periods)", "性别（只用于大运顺逆）"),
        "clock": ("Time on the paper", "记录的是哪种时间"),
        "repeated": ("Which of the two", "是哪一次"),
    }
)
_LABELS: Final = Sentences(
    {
        "solar": ("solar (Gregorian)", "公历"),
        "lunar": ("Chinese lunar", "农历"),
        "no": ("no", "不是"),
        "yes": ("yes", "是"),
        "male": ("male", "男"),
        "female": ("female", "女"),
        "skip": ("skip: show both", "不填：两种都列"),
        "beijing": ("Beijing time", "北京时间"),
        "xinjiang": ("Xinjiang time (UTC+6)", "新疆时间（UTC+6）"),
        "first": ("the first (summer time)", "第一次（夏令时）"),
        "second": ("the second (standard time)", "第二次（标准时）"),
        "zi_early": ("early Zi, 0:00–1:00", "早子时 0–1点"),
        "chou": ("Chou, 1:00–3:00", "丑时 1–3点"),
        "yin": ("Yin, 3:00–5:00", "寅时 3–5点"),
        "mao": ("Mao, 5:00–7:00", "卯时 5–7点"),
        "chen": ("Chen, 7:00–9:00", "辰时 7–9点"),
        "si": ("Si, 9:00–11:00", "巳时 9–11点"),
        "wu": ("Wu, 11:00–13:00", "午时 11–13点"),
        "wei": ("Wei, 13:00–15:00", "未时 13–15点"),
        "shen": ("Shen, 15:00–17:00", "申时 15–17点"),
        "you": ("You, 17:00–19:00", "酉时 17–19点"),
        "xu": ("Xu, 19:00–21:00", "戌时 19–21点"),
        "hai": ("Hai, 21:00–23:00", "亥时 21–23点"),
        "zi_late": ("late Zi, 23:00–24:00", "晚子时 23–24点"),
        "unknown": ("unknown", "不知道"),
    }
)
_PLACEHOLDERS: Final = Sentences(
    {
        "date": ("1990-06-15", "1990-06-15"),
        "place": ("Chengdu", "四川省成都市"),
        "time": ("14:30", "14:30"),
    }
)
_ASKED_LATER: Final = ("clock", "repeated")


@dataclass(frozen=True, slots=True)
class BirthForm:
    """The form as asked: the question, a JSON Schema with hints, and what is filled in already."""

    text: str
    schema: JsonObject
    known: JsonObject


def build_form(
    language: Language,
    *,
    person: str = "",
    given: JsonObject | None = None,
    problems: Sequence[BirthProblem] = (),
    asks_sex: bool = True,
    stored: str = "",
) -> BirthForm:
    """Build the form; after an answer that cannot be stored it says what is wrong, at the field and above.

    `stored` is another date in the user's profile: the form asks whose data this is.
    """
    wrong = {one.field: one for one in problems}
    names = ["whose", "calendar", "date", "leap_month", "time", "hour", "place", *(["sex"] if asks_sex else [])]
    names = names if person or stored else names[1:]
    names += [name for name in _ASKED_LATER if name in wrong or (given or {}).get(name)]
    properties: JsonObject = {name: _build_field(name, language, wrong.get(name)) for name in names}
    required: list[JsonValue] = ["date", "place", *(name for name in _ASKED_LATER if name in wrong)]
    is_told = any((given or {}).get(name) for name in ("date", "time", "place"))
    text = _TEXTS.render("read", language) if is_told else _TEXTS.render("own", language)
    if person:
        text = _TEXTS.render("other", language, person=person)
    if stored:
        text = _TEXTS.render("differs", language, date=stored)
    if problems:
        said = join_sentences(
            (text for one in problems for text in (one.message(language), one.hint(language))), language
        )
        text = _TEXTS.render("again", language, problems=said)
    known: dict[str, JsonValue] = {"calendar": "solar", **(given or {})}
    if known.get("time"):
        known["hour"] = None  # the time is there
    elif "time" in wrong:
        known["hour"] = known.get("hour") or UNKNOWN  # the form can be sent as it is
    if known.get("leap_month") is True:
        known["leap_month"] = "yes"
    if person:
        known["whose"] = person
    shown = {name: value for name, value in known.items() if name in names and value not in (None, "")}
    return BirthForm(text, {"type": "object", "properties": properties, "required": required}, shown)


def check_form(given: Mapping[str, JsonValue], now: datetime | None = None) -> BirthInfo | tuple[BirthProblem, ...]:
    """Birth data of an answer that can be stored, or what is wrong with it."""
    info = BirthInfo.from_json(given)
    found = check_birth(info, now)
    return found if isinstance(found, tuple) else info


def _build_field(name: str, language: Language, problem: BirthProblem | None) -> JsonObject:
    hints: dict[str, JsonValue] = {"title": _TITLES.render(name, language)}
    if name in _PLACEHOLDERS:
        hints["placeholder"] = _PLACEHOLDERS.render(name, language)
    if problem is not None:
        hints["description"] = f"{problem.message(language)} {problem.hint(language)}"
    options = problem.options_in(language) if problem is not None else ()
    field: dict[str, JsonValue] = {**_schema_of(name, options), "x-ui": hints}
    if values := [str(one) for one in _enum_of(name)]:
        hints["labels"] = {value: _LABELS.render(value, language) for value in values}
    if name == "time":
        hints["widget"] = "time"
    return field


def _enum_of(name: str) -> tuple[str, ...]:
    return {
        "calendar": ("solar", "lunar"),
        "leap_month": ("no", "yes"),
        "hour": (UNKNOWN, *HOURS),
        "sex": ("male", "female", "skip"),
        "clock": ("beijing", "xinjiang"),
        "repeated": ("first", "second"),
    }.get(name, ())


def _schema_of(name: str, options: Sequence[str]) -> JsonObject:
    if values := _enum_of(name):
        return {"enum": [*values]}
    if options:
        return {"enum": [*options]}
    return {"type": "string", "maxLength": _MAX_TEXT}
