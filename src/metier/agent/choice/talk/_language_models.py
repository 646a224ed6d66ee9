"""Language models that messages of a conversation may be sent to, whichever stage, skill or fallback sends them."""

from typing import Final, get_args

from metier.agent.models import ModelChoice, ModelEntry
from metier.agent.turn import MODEL_KEY, TurnState
from metier.model_settings import StageName

_STAGES: Final[tuple[StageName, ...]] = get_args(StageName)


def list_language_models(state: TurnState) -> tuple[ModelEntry, ...]:
    """Models of all stages of this turn, of all skills, and their fallbacks; without the built-in one."""
    models = state.resources.models
    named = (one.metadata.get(MODEL_KEY) for one in state.request.catalog)
    chosen = [state.choose_model(stage) for stage in _STAGES]
    chosen += [ModelChoice(one, "skill") for one in named if isinstance(one, str) and one in models]
    return models.list_connected(chosen)
