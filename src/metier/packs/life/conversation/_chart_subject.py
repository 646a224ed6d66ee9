"""Whose chart a tool is about: birth data of the user's profile, or of the person the conversation asks about."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final

from pydantic import Field

from metier.clock import utc_now
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences
from metier.packs.life.birth import BirthInfo, BirthMoment, check_birth, find_person
from metier.packs.life.conversation._chart_words import ChartRequest, read_request
from metier.packs.life.conversation._named_parts import ChartKind
from metier.packs.life.readings import Sentence
from metier.tools import ToolContext, ToolError, show_as

_ADULT: Final = 18
_TEXTS: Final = Sentences(
    {
        "no_birth": ("There is no birth data to compute from.", "还没有出生信息，无法排盘。"),
        "no_birth_hint": ("Say “compute my bazi” to fill in the form.", "说“帮我算个八字”来填写出生信息。"),
        "files": ("Chart and reading as files: {names}.", "命盘和解读已写成文件：{names}。"),
        "minor": (
            "Under 18 only nature and elements are read; no relations, no wealth.",
            "未满18岁，只谈性情和五行，不谈感情和财富。",
        ),
        "of": ("Chart of: {person}.", "{person}的命盘。"),
        "kept": (
            "Computed from the birth data kept in “My data”; to change them, say “correct my birth data”.",
            "按「我的资料」里保存的出生信息排盘；要更正，说“改一下出生信息”。",
        ),
    }
)
Person = Annotated[
    dict[str, str | float | bool] | None,
    Field(description="所问的人 · person asked about", json_schema_extra=show_as("命主", "Person", hidden=True)),
]


@dataclass(frozen=True, slots=True)
class ChartSubject:
    """Whose chart is asked for: the moment, the name of another person, and the request."""

    message: str
    moment: BirthMoment
    person: str
    request: ChartRequest
    today: date

    @property
    def is_asked(self) -> bool:
        """Whether the message asks for something about the chart; thanks, for example, do not."""
        request = self.request
        return bool(request.topic) or request.is_whole or request.wants_files or find_person(self.message) is not None

    @property
    def is_minor(self) -> bool:
        """Whether the person is under 18 today."""
        born = self.moment.day
        age = self.today.year - born.year - ((self.today.month, self.today.day) < (born.month, born.day))
        return age < _ADULT


def find_subject(
    context: ToolContext,
    message: str,
    person: Mapping[str, JsonValue] | None,
    language: Language,
    chart: ChartKind | None = None,
) -> ChartSubject:
    """The person that the message or the conversation is about; oneself otherwise."""
    today = utc_now().date()
    is_own = not person or find_person(message) == ""
    profile = context.user_data.get("profile")
    own = profile.get("birth_info") if isinstance(profile, Mapping) else None
    birth = own if is_own else person
    if not isinstance(birth, Mapping):
        hint = _TEXTS.render("no_birth_hint", language)
        raise ToolError(_TEXTS.render("no_birth", language), code="birth_missing", hint=hint)
    moment = check_birth(BirthInfo.from_json(birth))
    if not isinstance(moment, BirthMoment):
        first = moment[0]
        raise ToolError(first.message(language), code=first.code, hint=first.hint(language))
    name = "" if is_own else str(birth.get("whose", ""))
    return ChartSubject(message, moment, name, read_request(message, today, chart), today)


def needs_card(subject: ChartSubject, *, is_new: bool) -> bool:
    """Whether the chart is shown: if it is new, of somebody else, or asked for as a whole."""
    return is_new or (
        subject.is_asked and subject.request.part is None and (bool(subject.person) or not subject.request.topic)
    )


def get_kept(context: ToolContext, skill: str) -> JsonValue:
    """The chart that was kept for the user before."""
    data = context.user_data.get("skill_data")
    kept = data.get(skill) if isinstance(data, Mapping) else None
    return kept.get("chart") if isinstance(kept, Mapping) else None


def join_parts(subject: ChartSubject, language: Language, *parts: str) -> str:
    """A summary: whose chart it is, then the parts; of one's own, at last, where its birth data are kept."""
    if subject.person:
        return "\n\n".join((_TEXTS.render("of", language, person=subject.person), *parts))
    return "\n\n".join((*parts, _TEXTS.render("kept", language)))


def describe_files(names: tuple[str, ...], language: Language) -> str:
    """Sentence about files that were written."""
    return _TEXTS.render("files", language, names=names) if names else ""


def describe_limit(subject: ChartSubject, language: Language) -> str:
    """What is left out for a person under 18."""
    return _TEXTS.render("minor", language) if subject.is_minor else ""


def build_grounds(sentences: tuple[Sentence, ...]) -> list[JsonValue]:
    """Each sentence with its rule, facts and source, as data."""
    listed: list[JsonValue] = []
    for one in sentences:
        row: JsonObject = one.to_json()
        listed.append(row)
    return listed
