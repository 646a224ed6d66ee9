"""The tool that collects birth data: whether a form is needed, the form, and what of an answer is kept."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.language import Sentences
from metier.packs.life.birth import (
    ANSWER_PATTERN,
    WORDS_PATTERN,
    BirthInfo,
    asks_correction,
    build_form,
    check_form,
    find_person,
    find_sex,
    is_same_place,
    read_birth_day,
    read_birth_words,
)
from metier.packs.life.conversation._chart_subject import Person
from metier.packs.life.conversation._fields import SummaryLanguage, Words
from metier.tools import ToolContext, ToolResult, show_as

_PATH: Final = "birth_info"
_BORN: Final = re.compile(r"出生|生于|生的|\bborn\b", re.IGNORECASE)  # other days are asked about, not told
_OWN_BIRTH: Final = re.compile(
    r"(?:^|[，,。；;！!\s])(?:本人|我)[^，,。；;]{0,30}(?:出生|生于|生的|生日)"
    r"|^\s*born\b|\bi(?:'m| was| am)? born\b|\bmy birthday\b",
    re.IGNORECASE,
)
# Another person, another day than that of a birth, or a correction: such words are not taken for the speaker's birth.
_OF_OTHERS: Final = re.compile(
    r"[爸妈爹娘哥姐弟妹爷奶公婆叔姨舅姑侄孙儿女]|老[公婆师板]|孩子|宝宝|同事|朋友|同学|客户|领导|对象|他|她|它|[小老阿][\u4e00-\u9fff]|室友|邻居|友|爱人|伴侣|恋人|人家"
    r"|[帮给替](?!我|自己)|[帮给替]我(?!算|看|排|测|查|解|批|推|做|画|来|分析|一下)"
    r"|合同|公司|成立|签|结婚|离婚|入职|毕业|开业|纪念|不对|错|不是|不过|但|应该|机票|飞机|航班|搬|买|生了"
    r"|\b(?:he|she|his|her|they|their|mother|father|mum|mom|dad|son|daughter|wife|husband|brother|sister|friend|colleague|company|contract|married|wedding|founded|no,|wrong|actually|cat|dog|but)\b",
    re.IGNORECASE,
)
_TAKEN_BACK: Final = re.compile(r"记错|错了|不对|应该是|\b(?:wrong|mistake|actually|correction)\b", re.IGNORECASE)
_TEXTS: Final = Sentences({"person": ("Chart of", "命主")})
Answer = Annotated[
    dict[str, str | float | bool | None] | None,
    Field(description="表单 · form", json_schema_extra=show_as("表单", "Form", hidden=True)),
]
Earlier = Annotated[
    tuple[Annotated[str, Field(max_length=1000)], ...],
    Field(
        max_length=10, description="此前说的话 · said before", json_schema_extra=show_as("此前", "Before", hidden=True)
    ),
]


def collect_birth(
    context: ToolContext,
    message: Words,
    answer: Answer = None,
    person: Person = None,
    *,
    earlier: Earlier = (),
    language: SummaryLanguage = "zh",
) -> ToolResult:
    """收集出生信息：缺什么问什么，填错了说明。Collect birth data: ask for what is missing, say what is wrong."""
    who = find_person(message)
    profile = context.user_data.get("profile")
    own = profile.get(_PATH) if isinstance(profile, Mapping) else None
    if answer is None:
        if asks_correction(message) and isinstance(own, Mapping):
            form = build_form(language, given=own, asks_sex=_asks_sex(context))
            return ToolResult({"needed": True, **_describe(form.text, form.schema, form.known), "problems": []})
        asked = _ask(message, who, own, person, language, asks_sex=_asks_sex(context))
        told = "" if any(map(_TAKEN_BACK.search, earlier)) else next(filter(_tells_own_birth, reversed(earlier)), "")
        is_own = not who and not _tells_birth(message) and _OF_OTHERS.search(message) is None
        if asked["needed"] and told and is_own:  # said before, and not kept yet
            asked = _ask(told, who, own, person, language, asks_sex=_asks_sex(context))
        return ToolResult(asked)
    given: dict[str, JsonValue] = {name.removeprefix(f"{_PATH}."): value for name, value in answer.items()}
    if given.get("date") == given.get("place"):  # one sentence for both, as it was written in the chat
        given = {**given, "date": "", "place": "", **read_birth_words(str(given.get("date", "")))}
    whose = str(given.get("whose") or who or "")
    if "sex" not in given and not whose and isinstance(own, Mapping) and own.get("sex"):
        given["sex"] = own["sex"]  # the form did not ask for it
    found = check_form(given)
    if not isinstance(found, BirthInfo):
        form = build_form(language, person=whose, given=given, problems=found, asks_sex=_asks_sex(context))
        problems: list[JsonValue] = [{"field": one.field, "code": one.code} for one in found]
        return ToolResult({"needed": True, **_describe(form.text, form.schema, form.known), "problems": problems})
    birth = dict(found.to_json())
    if not whose:
        return ToolResult({"needed": False}, keep={_PATH: birth})
    fact: JsonObject = {
        "name": "person",
        "value": {**birth, "whose": whose},
        "title": _TEXTS.render("person", language),
        "label": f"{whose} {found.date}",
    }
    return ToolResult({"needed": False, "fact": fact})


def _ask(
    message: str,
    who: str | None,
    own: JsonValue,
    person: Mapping[str, object] | None,
    language: SummaryLanguage,
    *,
    asks_sex: bool,
) -> JsonObject:
    """The form, unless the data of the person that is meant is there."""
    known = str(person.get("whose", "")) if person else ""
    is_there = known == who if who else bool(person) if who is None and person else bool(own)
    said = read_birth_words(message) if _tells_birth(message) else None
    is_told = is_there and not who and not person and (_BORN.search(message) or (said or {}).get("sex"))
    stored = (_find_other_date(said or {}, own) or _find_other_day(message, own)) if is_told else ""
    if is_there and not stored:
        return {"needed": False}
    given = {**({"sex": sex} if who and (sex := find_sex(who)) else {}), **(said or {})}
    form = build_form(language, person=who or "", given=given, asks_sex=asks_sex, stored=stored)
    return {"needed": True, **_describe(form.text, form.schema, form.known), "problems": []}


def _tells_own_birth(message: str) -> bool:
    """Whether a message says when its speaker was born: nobody else, no other day, and no second thoughts."""
    return _tells_birth(message) and _OWN_BIRTH.search(message) is not None and _OF_OTHERS.search(message) is None


def _tells_birth(message: str) -> bool:
    """Whether a message has a date of birth in words."""
    return re.search(WORDS_PATTERN, unicodedata.normalize("NFKC", message)) is not None


def _find_other_date(said: JsonObject, own: JsonValue) -> str:
    """Date in the profile if the message names another date or place of birth; empty if it does not."""
    stored = own if isinstance(own, Mapping) else {}
    day, place, kept = said.get("date"), str(said.get("place") or ""), str(stored.get("place") or "")
    is_elsewhere = bool(day and place) and not is_same_place(place, kept)
    return str(stored.get("date", "")) if is_elsewhere or (day and day != stored.get("date")) else ""


def _find_other_day(message: str, own: JsonValue) -> str:
    """Date in the profile if the message names another month and day of birth, or one that no calendar has."""
    stored = str(own.get("date", "")) if isinstance(own, Mapping) else ""
    day = read_birth_day(message) if _BORN.search(message) else None
    kept = read_birth_day(stored)
    return stored if day is not None and kept is not None and day != kept else ""


def _asks_sex(context: ToolContext) -> bool:
    """Whether the skill in use needs the sex: only luck periods of bazi do."""
    of_skills = context.user_data.get("skill_data")
    return not (isinstance(of_skills, Mapping) and "zodiac" in of_skills and "bazi" not in of_skills)


def _describe(text: str, schema: JsonObject, known: JsonObject) -> JsonObject:
    return {
        "text": text,
        "forms": {_PATH: schema},
        "known": {f"{_PATH}.{name}": one for name, one in known.items()},
        "words": ANSWER_PATTERN,
    }
