"""Journeys as data: conversations with what the person does and what must and must not happen.

A YAML file holds `journeys:`, a list. A step has one action (`say`, `chip`, `choose`, `fill`, `approve`, `reject`,
`attach`, `restart`, `tomorrow`) and `expect`.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    Base64Bytes,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)

from metier.errors import InvalidInput, PathNotFound
from metier.language import Language

DeadEndKind: TypeAlias = Literal[
    "error", "needs_model", "not_understood", "empty", "asks_again", "other_language", "other_topic", "said_before"
]
ActionKind: TypeAlias = Literal["say", "chip", "choose", "fill", "approve", "reject", "attach", "restart", "tomorrow"]

ACTION_KINDS: Final[tuple[ActionKind, ...]] = (
    "say",
    "chip",
    "choose",
    "fill",
    "approve",
    "reject",
    "attach",
    "restart",
    "tomorrow",
)
Picture: TypeAlias = Literal["message", "map", "end"]
_MAX_FILE_BYTES: Final = 1_000_000


def _to_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Texts: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_to_list)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Expectation(_Strict):
    """What must and must not happen in a step. What is not named is not checked, except that nothing may be a dead end.

    The words of an answer (`says`, `not_says`) are checked on the built-in model only: a model writes its own.
    """

    skill: str | None = Field(None, description="skill in use at the end; empty for none")
    called: Texts = Field((), description="tools called in this order, others may be between")
    not_called: Texts = Field((), description="tools that must not be called")
    arguments: dict[str, JsonValue] = Field({}, description="arguments that every call with such an argument has")
    says: Texts = Field((), description="words of the answer")
    not_says: Texts = Field((), description="words that must not be in the answer")
    asks: str | bool | None = Field(None, description="words of the open question; false if none may be open")
    choices: Texts = Field((), description="options of the open question")
    offers: Texts = Field((), description="words of the suggested messages")
    facts: dict[str, JsonValue] = Field({}, description="facts of the conversation; null for one that is not there")
    tables: Texts = Field((), description="titles or columns of tables")
    charts: Texts = Field((), description="kinds of charts")
    files: Texts = Field((), description="parts of the names of written files")
    error: str | None = Field(None, description="code of the error that the step must meet")
    allow: tuple[DeadEndKind, ...] = Field((), description="dead ends that this step may be")


class FileBytes(_Strict):
    """Content of a file that is no text."""

    base64: Base64Bytes


class Action(_Strict):
    """What the person does. Exactly one of the kinds is set."""

    say: str | None = Field(None, description="a message")
    chip: str | None = Field(None, description="part of the text of a suggested message, which is sent")
    choose: str | int | None = Field(None, description="part of the text of an option, or its number from 1")
    fill: dict[str, JsonValue] | None = Field(None, description="values of the open form")
    approve: bool | dict[str, JsonValue] | None = Field(None, description="true, or further fields of the approval")
    reject: bool | str | None = Field(None, description="true, or the reason")
    attach: dict[str, str | FileBytes] | None = Field(
        None, description="files to attach by their name: their text, or `{file: PATH}` of any file beside the journey"
    )
    restart: bool | None = Field(None, description="the server is started again")
    tomorrow: bool | None = Field(None, description="the server is started again a day later")
    stop_at: str | None = Field(None, description="Stop is pressed when this tool is called")

    @property
    def kind(self) -> ActionKind:
        """The kind that is set."""
        return next(kind for kind in ACTION_KINDS if getattr(self, kind) is not None)

    @property
    def value(self) -> JsonValue:
        """The value of the kind that is set."""
        value: JsonValue = getattr(self, self.kind)
        return value

    def describe(self) -> str:
        """The action in words, for a report."""
        if self.attach is not None:
            return f"attach {', '.join(self.attach)}"
        return self.kind if self.value is True else f"{self.kind} {self.value!r}"

    @model_validator(mode="after")
    def _require_one_kind(self) -> "Action":
        given = [kind for kind in ACTION_KINDS if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"a step has one of {', '.join(ACTION_KINDS)}, not {', '.join(given) or 'none'}")
        return self


class JourneyStep(Action):
    """An action and what must and must not happen after it."""

    expect: Expectation = Expectation()
    picture: Picture | None = Field(
        None, description="the page is photographed afterwards: its last message, map or end"
    )


class Journey(_Strict):
    """One conversation as a person would have it."""

    id: str = Field(min_length=1, max_length=100)
    language: Language = "zh"
    about: str = Field("", description="what kind of conversation this is")
    variants: tuple[str, ...] = Field((), description="the journey is run once with each in place of `{variant}`")
    never: Expectation = Field(Expectation(), description="`not_called` and `not_says` hold for every step")
    steps: tuple[JourneyStep, ...] = Field(min_length=1)


class _JourneyFile(_Strict):
    journeys: tuple[Journey, ...] = Field(min_length=1)


def read_journeys(folder: Path) -> tuple[Journey, ...]:
    """Read the journeys of all YAML files of a folder; `InvalidInput` names the file, the place and what is wrong."""
    if not folder.is_dir():
        raise PathNotFound(f"there is no folder {str(folder)!r}", hint="name a pack or a folder with YAML files")
    files = sorted(folder.glob("*.y*ml"))
    found = [one for file in files for journey in _read_file(file) for one in _list_variants(journey)]
    if not found:
        raise InvalidInput(f"{folder} has no journeys", hint="put YAML files with 'journeys:' into it")
    _refuse_same_id(found)
    return tuple(found)


def _list_variants(journey: Journey) -> Sequence[Journey]:
    if not journey.variants:
        return [journey]
    steps = journey.model_dump_json(include={"steps"}, exclude_unset=True)
    return [
        Journey.model_validate(
            {
                **journey.model_dump(exclude={"steps"}, exclude_unset=True),
                **json.loads(steps.replace("{variant}", json.dumps(words)[1:-1])),
                "id": f"{journey.id}: {words}",
                "variants": (),
            }
        )
        for words in journey.variants
    ]


def _refuse_same_id(found: Sequence[Journey]) -> None:
    names = [one.id for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InvalidInput(f"two journeys are called {twice!r}", hint="rename one of them")


def _take_files(value: Any, folder: Path) -> Any:
    """Put the bytes of files in place of their paths: `attach: {report.pdf: {file: samples/report.pdf}}`."""
    if isinstance(value, list):
        return [_take_files(one, folder) for one in value]
    if not isinstance(value, dict):
        return value
    attached = value.get("attach")
    if isinstance(attached, dict):
        value = {**value, "attach": {name: _take_file(one, folder) for name, one in attached.items()}}
    return {name: one if name == "attach" else _take_files(one, folder) for name, one in value.items()}


def _take_file(value: Any, folder: Path) -> Any:
    if isinstance(value, dict) and set(value) == {"file"}:
        return {"base64": b64encode((folder / str(value["file"])).read_bytes())}
    return value


def _read_file(file: Path) -> tuple[Journey, ...]:
    import yaml

    if file.stat().st_size > _MAX_FILE_BYTES:
        raise InvalidInput(f"{file.name} has more than {_MAX_FILE_BYTES} bytes", hint="split it into several files")
    try:
        return _JourneyFile.model_validate(_take_files(yaml.safe_load(file.read_text("utf-8")), file.parent)).journeys
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InvalidInput(f"{file.name}: {place}: {first['msg']}", hint="see docs/guides/testing.md") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidInput(f"{file.name} cannot be read: {error}", hint="mend the file") from error
