"""A step of a plan that cannot be carried out on a sheet or deck; nothing was written."""

from metier.errors import InvalidInput
from metier.language import BilingualText

__all__ = ["PlanStepError"]


class PlanStepError(InvalidInput):
    """Why a step fails: `path` names its place in the plan, `reason` says it in both languages."""

    def __init__(self, problem: str, path: str, reason: BilingualText, *, hint: str = "") -> None:
        super().__init__(f"{path}: {reason.en}", hint=hint)
        self.problem = problem
        self.path = path
        self.reason = reason
