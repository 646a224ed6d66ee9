"""Birth data as a person gives it, and what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from dataclasses import field as data_field
from types import MappingProxyType
from typing import Final, Literal, Self, cast

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.life.birth._places import Place
from metier.packs.life.birth._sentences import HINTS, NOTES, PROBLEMS

Calendar = Literal["solar", "lunar"]
Sex = Literal["", "male", "female"]
ClockName = Literal["", "beijing", "xinjiang"]
HOURS: Final = (
    "zi_early", "chou", "yin", "mao", "chen", "si", "wu", "wei", "shen", "you", "xu", "hai", "zi_late",
)  # fmt: skip
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class BirthInfo:
    """Birth data: `hour` is a double hour or "unknown" where no `time` is known; `whose` is "" for oneself."""

    date: str
    calendar: Calendar = "solar"
    leap_month: bool = False
    time: str = ""
    hour: str = ""
    place: str = ""
    longitude: float | None = None
    latitude: float | None = None
    clock: ClockName = ""
    repeated: Literal["", "first", "second"] = ""
    sex: Sex = ""
    whose: str = ""

    @classmethod
    def from_json(cls, data: Mapping[str, JsonValue]) -> Self:
        """Read a form or a stored profile; what is not a value of a field counts as not given."""

        def text(name: str, allowed: tuple[str, ...] = ()) -> str:
            value = data.get(name)
            said = value.strip() if isinstance(value, str) else ""
            return said if not allowed or said in allowed else ""

        return cls(
            date=text("date"),
            calendar=cast("Calendar", text("calendar", ("solar", "lunar")) or "solar"),
            leap_month=data.get("leap_month") in (True, "true", "yes"),
            time=text("time"),
            hour=text("hour", (*HOURS, UNKNOWN)),
            place=text("place"),
            longitude=_read_number(data.get("longitude")),
            latitude=_read_number(data.get("latitude")),
            clock=cast("ClockName", text("clock", ("beijing", "xinjiang"))),
            repeated=cast("Literal['', 'first', 'second']", text("repeated", ("first", "second"))),
            sex=cast("Sex", text("sex", ("male", "female")) or text("gender", ("male", "female"))),
            whose=text("whose"),
        )

    def to_json(self) -> JsonObject:
        """Stored form: fields without a value are left out."""
        values: JsonObject = {
            "calendar": self.calendar,
            "date": self.date,
            "leap_month": self.leap_month,
            "time": self.time,
            "hour": self.hour,
            "place": self.place,
            "longitude": self.longitude,
            "latitude": self.latitude,
            "clock": self.clock,
            "repeated": self.repeated,
            "sex": self.sex,
            "whose": self.whose,
        }
        return {key: value for key, value in values.items() if value not in ("", None, False)}


@dataclass(frozen=True, slots=True)
class BirthProblem:
    """What is wrong with one field of the form; `options` are answers to choose from."""

    field: str
    code: str
    values: Mapping[str, object] = data_field(default_factory=lambda: MappingProxyType({}))
    options: tuple[Place, ...] = ()

    def options_in(self, language: Language) -> tuple[str, ...]:
        """Places to choose from, named so that the name finds the place again."""
        return tuple(one.label_in(language) for one in self.options)

    def message(self, language: Language) -> str:
        """What is wrong, as a sentence."""
        return PROBLEMS.render(self.code, language, **_name_places(self.values, language))

    def hint(self, language: Language) -> str:
        """What to do about it."""
        return HINTS.render(self.code, language, **_name_places(self.values, language))


@dataclass(frozen=True, slots=True)
class BirthNote:
    """What was assumed or corrected when the birth data was read."""

    code: str
    values: Mapping[str, object] = data_field(default_factory=lambda: MappingProxyType({}))

    def text(self, language: Language) -> str:
        """The note as a sentence."""
        return NOTES.render(self.code, language, **_name_places(self.values, language))


def _name_places(values: Mapping[str, object], language: Language) -> Mapping[str, object]:
    """Values of a sentence with places named in its language."""
    return {name: _name_place(value, language) for name, value in values.items()}


def _name_place(value: object, language: Language) -> object:
    if isinstance(value, Place):
        return value.label_in(language)
    is_list = isinstance(value, tuple) and value and isinstance(value[0], Place)
    return tuple(_name_place(one, language) for one in cast("tuple[Place, ...]", value)) if is_list else value


def _read_number(value: JsonValue) -> float | None:
    try:
        return float(value) if isinstance(value, int | float | str) and value not in ("", True, False) else None
    except ValueError:
        return None


def is_field(name: str, value: JsonValue) -> bool:
    """Whether birth data has a field of this name that can hold this value; None empties any."""
    if isinstance(value, bool):
        return name == "leap_month"
    if isinstance(value, int | float):
        return abs(value) <= {"longitude": 180, "latitude": 90}.get(name, -1)
    return value is None or (isinstance(value, str) and name in {*(one.name for one in fields(BirthInfo)), "gender"})
