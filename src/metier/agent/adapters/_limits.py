"""Limits of one turn and what it has used: steps, model calls, tokens, time, cost. Pure data and one comparison."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from metier.agent.adapters._sentences import render_sentence
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.store import EventDraft

LimitName = Literal["steps", "model_calls", "tokens", "wall_s", "cost"]

LIMIT_REACHED: Final = "limit_reached"
MAX_OUTPUT_CHARS: Final = 200_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum that one turn may use; None means no limit of this kind."""

    steps: int | None = 40
    model_calls: int | None = 25
    tokens: int | None = 400_000
    wall_s: float | None = 900.0
    cost: float | None = None
    output_chars: int = MAX_OUTPUT_CHARS


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a million tokens, in any currency; the limit `cost` is in the same currency."""

    input_per_million: float = 0.0
    output_per_million: float = 0.0

    def compute_cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / 1_000_000


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Amounts that a turn has used so far. `estimated` if a model reported no usage and tokens were counted here."""

    steps: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    wall_s: float = 0.0
    cost: float = 0.0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def to_json(self) -> JsonObject:
        return {
            "steps": self.steps,
            "model_calls": self.model_calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "wall_s": round(self.wall_s, 3),
            "cost": self.cost,
            "estimated": self.estimated,
        }


def usage_event(
    input_tokens: int,
    output_tokens: int,
    *,
    estimated: bool,
    price: Price,
    model: str,
    elapsed_s: float,
    end: str = "complete",
    stood_in: bool = False,
) -> EventDraft:
    """`usage` event of one model call; `end` is how its reply ended, `stood_in` whether a fallback gave it."""
    told: dict[str, JsonValue] = {"input_tokens": input_tokens, "output_tokens": output_tokens}
    told |= {"model": model, "elapsed_ms": round(elapsed_s * 1000, 1)}
    if estimated:
        told["estimated"] = True
    if end != "complete":
        told["end"] = end
    if stood_in:
        told["fallback"] = True
    if price != Price():
        told["cost"] = round(price.compute_cost(input_tokens, output_tokens), 6)
    return EventDraft("usage", told)


@dataclass(frozen=True, slots=True)
class ReachedLimit:
    """Limit that a turn has reached, with the amount used and the maximum."""

    name: LimitName
    used: float
    most: float

    def text(self, language: Language) -> str:
        """Sentence that names the limit that ended the turn, with the figures."""
        what = render_sentence(f"limit_{self.name}", language)
        used, most = _format_amount(self.used), _format_amount(self.most)
        return render_sentence(LIMIT_REACHED, language, what=what, used=used, most=most)

    def to_json(self) -> JsonObject:
        return {"limit": self.name, "used": round(self.used, 6), "most": self.most}

    def error_event(self, text: str) -> EventDraft:
        """`error` event with this text and the figures."""
        return EventDraft("error", {"code": LIMIT_REACHED, "message": text, **self.to_json()})


def _format_amount(amount: float) -> str:
    """Whole numbers with all their digits: `:g` would write 1234567 tokens as 1.23457e+06."""
    return f"{amount:,.0f}" if abs(amount) >= 1000 else f"{amount:g}"


def compare_with_limits(use: UsageTotals, limits: Limits) -> ReachedLimit | None:
    """First limit that is used up; None if there is none."""
    names: tuple[LimitName, ...] = ("model_calls", "steps", "tokens", "cost", "wall_s")
    for name in names:
        most: float | None = getattr(limits, name)
        used: float = getattr(use, name)
        if most is not None and used >= most:
            return ReachedLimit(name, used, most)
    return None


@dataclass(slots=True)
class TurnUsage:
    """Calls, refusals and tokens of one turn so far."""

    model_calls: int = 0
    tool_calls: int = 0
    refusals: int = 0
    skills_left: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0

    def add_tokens(self, input_tokens: int, output_tokens: int, price: Price) -> None:
        """Add the tokens of one model call at the price of its model."""
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.cost += price.compute_cost(input_tokens, output_tokens)

    def to_json(self) -> JsonObject:
        cost: JsonObject = {"cost": round(self.cost, 6)} if self.cost else {}
        return {
            "model_calls": self.model_calls,
            "tool_calls": self.tool_calls,
            "refusals": self.refusals,
            "skills_left": self.skills_left,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            **cost,
        }


def usage_from_json(value: JsonValue) -> TurnUsage:
    """Read what `to_json` wrote, so that a resumed turn continues its counts."""
    known = value if isinstance(value, Mapping) else {}
    numbers: dict[str, Any] = {key: item for key, item in known.items() if isinstance(item, int | float)}
    return TurnUsage(**{key: item for key, item in numbers.items() if key in TurnUsage.__slots__})
