"""A step of a plan that cannot be carried out on a sheet or deck; nothing was written."""

from metier.errors import InvalidInput
from metier.language import BilingualText, Language

__all__ = ["PlanStepError"]

_HINT = BilingualText(
    zh="文件没有改动；请按提示改正这一步后再试", en="The file was not changed; correct this step and try again"
)


class PlanStepError(InvalidInput):
    """Why a step fails: `path` names its place in the plan, `reason` says it in both languages."""

    code = "plan_step_failed"

    def __init__(self, problem: str, path: str, reason: BilingualText, *, hint: str = "") -> None:
        super().__init__(f"{path}: {reason.en}", hint=hint or _HINT.en)
        self.problem = problem
        self.path = path
        self.reason = reason

    def text(self, language: Language) -> str:
        """What is wrong and where, in this language."""
        return f"{self.path}: {self.reason.text(language)}"

    def hint_text(self, language: Language) -> str:
        """What to do, in this language."""
        return _HINT.text(language)
