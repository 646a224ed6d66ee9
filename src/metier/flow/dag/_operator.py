"""Operators: what one step of an analysis does, which values it takes and which one it gives."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

from metier.errors import InvalidInput, OperatorNotFound
from metier.flow.dag._reasons import translate_by
from metier.flow.dag._value import Value
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, Sentences, choose
from metier.names import suggest
from metier.tools import check_parameters

Category: TypeAlias = Literal["expand", "transform", "aggregate", "multi", "decision"]
Compute: TypeAlias = Callable[[Sequence[Value], Mapping[str, JsonValue]], Value]
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
STOP: Final = "stop"


@dataclass(frozen=True, slots=True)
class Port:
    """An input or the output of an operator: kinds and domains that fit; empty for any.

    `many` takes one or more values and must be the last input.
    """

    name: str
    kinds: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    many: bool = False

    def to_json(self) -> JsonObject:
        return {"name": self.name, "kinds": list(self.kinds), "domains": list(self.domains), "many": self.many}


@dataclass(frozen=True, slots=True)
class Operator:
    """A pure function from values to a value, with typed ports and a JSON Schema of its parameters.

    `compute` gets the inputs in the order of the ports and all parameters, defaults filled in. It raises
    `ValueError` with a sentence for data it cannot treat. `version` changes whenever its results do. With
    `engine="process"` it runs in another process, and `compute` must be importable there. With `engine="inline"` its
    time grows with the size of its inputs and with nothing else, so that on small ones it needs no limit of time and no
    thread of its own. `title` and `verdicts` are what people read; `measure` names the score of a decision and what it
    is compared with, with notes and parameters as `{name}`; `reasons` has the sentences of its errors.
    """

    op_name: str
    category: Category
    description: BilingualText
    params: JsonObject
    inputs: tuple[Port, ...]
    output: Port
    compute: Compute
    version: str = "1"
    engine: Literal["inline", "thread", "process"] = "thread"
    title: BilingualText | None = None
    verdicts: Mapping[str, BilingualText] = field(default_factory=dict)
    measure: BilingualText | None = None
    reasons: Sentences = field(default_factory=lambda: Sentences({}))

    @property
    def parameters(self) -> JsonObject:
        """Schema of the parameters; it refuses those that are not declared."""
        return {"type": "object", "properties": {}, "additionalProperties": False, **self.params}

    def name_in(self, language: Language) -> str:
        """Title for people; without one the operator's name in words."""
        return self.title.text(language) if self.title is not None else self.op_name.replace("_", " ")

    def name_verdict(self, verdict: str, language: Language) -> str:
        """A verdict of a decision for people: each of its words, or what it counts, by name; as it is without one."""
        return ", ".join(self._name_part(one, language) for one in verdict.split(", "))

    def _name_part(self, part: str, language: Language) -> str:
        count, _, counted = part.partition(" ")
        if part not in self.verdicts and count.isdecimal() and counted in self.verdicts:
            return f"{count} {self.verdicts[counted].text(language)}"
        return self.verdicts[part].text(language) if part in self.verdicts else part

    def defaults(self) -> dict[str, JsonValue]:
        """Defaults of the parameters, as the schema declares them."""
        properties = self.parameters.get("properties")
        listed = properties.items() if isinstance(properties, Mapping) else ()
        return {name: one["default"] for name, one in listed if isinstance(one, Mapping) and "default" in one}

    def describe(self, language: Language = "en") -> JsonObject:
        """Name, purpose, parameters and ports: what a model needs to choose the operator."""
        return {
            "op_name": self.op_name,
            "category": self.category,
            "description": self.description.text(language),
            "params": self.parameters.get("properties") or {},
            "required": self.parameters.get("required") or [],
            "inputs": [port.to_json() for port in self.inputs],
            "output": self.output.to_json(),
        }


class OperatorRegistry:
    """Operators by name, in the order in which they were added."""

    __slots__ = ("_operators",)

    def __init__(self, operators: Iterable[Operator] = ()) -> None:
        self._operators: dict[str, Operator] = {}
        for operator in operators:
            self.add(operator)

    def add(self, operator: Operator) -> None:
        """Add an operator; `InvalidInput` if its name is taken or its declaration cannot be used."""
        name = operator.op_name
        if not name.isidentifier() or name == STOP:
            raise InvalidInput(f"{name!r} is no name of an operator", hint="letters, digits and _; not 'stop'")
        if name in self._operators:
            raise InvalidInput(f"operator {name!r} is there already", hint="give it another name")
        if operator.category not in CATEGORIES:
            raise InvalidInput(f"operator {name!r} is of no category", hint=f"one of {', '.join(CATEGORIES)}")
        if not operator.inputs or any(port.many for port in operator.inputs[:-1]):
            raise InvalidInput(f"operator {name!r} has no usable ports", hint="at least one; only the last takes many")
        check_parameters(operator.parameters)
        self._operators[name] = operator

    def get(self, op_name: str) -> Operator:
        """Operator of this name; `OperatorNotFound` suggests the closest one."""
        found = self._operators.get(op_name)
        if found is None:
            known = (
                f"operators: {', '.join(self.names)}" if len(self.names) <= 20 else "`metier flow operators` lists them"
            )
            raise OperatorNotFound(f"there is no operator {op_name!r}", hint=suggest(op_name, self.names, known))
        return found

    def __contains__(self, op_name: object) -> bool:
        return op_name in self._operators

    def __len__(self) -> int:
        return len(self._operators)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all operators."""
        return tuple(self._operators)

    def by_category(self, category: Category) -> tuple[Operator, ...]:
        """Operators of one category."""
        return tuple(one for one in self._operators.values() if one.category == category)

    def select(self, is_allowed: Callable[[str], bool]) -> "OperatorRegistry":
        """Registry of the operators whose names pass a test."""
        return OperatorRegistry(one for name, one in self._operators.items() if is_allowed(name))

    def translate_reason(self, reason: str, language: Language) -> str:
        """Why a call failed or was refused, in this language; words that nobody wrote for people stay as they are."""
        if not reason or choose(language, en=True, zh=False):
            return reason
        titles = {repr(one): (repr(one), f"「{self.get(one).name_in(language)}」") for one in self.names}
        own = {id(one.reasons): one.reasons for one in self._operators.values() if one.reasons}
        return translate_by((Sentences(titles), *own.values()), reason, language)

    def describe(self, language: Language = "en") -> list[JsonObject]:
        """All operators with parameters and ports, for prompts and reference pages."""
        return [one.describe(language) for one in self._operators.values()]
