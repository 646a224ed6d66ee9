"""Where the plans of a run come from: rules, given plans, or a configured model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from metier.json_values import JsonObject
from metier.packs.office.drafting import Ask, PlanReply, draft_plan, draft_with_model
from metier.packs.office.planbench._cases import load_canned

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from metier.language import Language
    from metier.packs.office._hosts import Selection
    from metier.packs.office.analysis import Reading
    from metier.packs.office.plan import HostApp

__all__ = ["COLUMNS", "Column", "DraftRequest", "DraftedPlan", "Drafter", "ask_model", "make_drafter"]

Column = Literal["builtin", "canned", "live"]
COLUMNS: Final[tuple[Column, ...]] = ("builtin", "canned", "live")


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """What a drafter gets to know."""

    id: str
    text: str
    host: "HostApp"
    language: "Language"
    reading: "Reading | None" = None  # the document, as the product reads it before it drafts
    selection: "Selection | None" = None


@dataclass(frozen=True, slots=True)
class DraftedPlan:
    """Plan as drafted, before it is checked; or a question, or why there is neither."""

    plan: JsonObject | None
    question: str = ""
    repairs: int = 0
    tokens: int = 0
    error: str = ""


Drafter = Callable[[DraftRequest], DraftedPlan]


def make_drafter(column: Column, ask: Ask | None = None, *, max_repairs: int = 5) -> Drafter:
    """Drafter of a column; `live` needs a model."""
    if column == "builtin":
        return _draft_by_rules
    if column == "canned":
        return _draft_canned

    def draft(request: DraftRequest) -> DraftedPlan:
        assert ask is not None
        made = draft_with_model(
            request.text,
            host=request.host,
            language=request.language,
            ask=ask,
            outline=None if request.reading is None else request.reading.pieces,
            max_repairs=max_repairs,
        )
        return DraftedPlan(made.plan, made.question, made.repairs, made.tokens, "; ".join(made.problems))

    return draft


def ask_model(model: "BaseChatModel") -> Ask:
    """Ask a chat model; tokens are counted as it reports them."""

    def ask(messages: Sequence[tuple[str, str]]) -> PlanReply:
        reply = model.invoke(list(messages))
        usage = getattr(reply, "usage_metadata", None) or {}
        return PlanReply(str(reply.text), int(usage.get("total_tokens", 0)))

    return ask


def _draft_by_rules(request: DraftRequest) -> DraftedPlan:
    draft = draft_plan(
        request.text,
        host=request.host,
        language=request.language,
        selection=request.selection,
        reading=request.reading,
    )
    return DraftedPlan(draft.plan, draft.question)


def _draft_canned(request: DraftRequest) -> DraftedPlan:
    plan = load_canned().get(request.id)
    return DraftedPlan(plan, error="" if plan else f"no plan is given for {request.id!r}")
