"""The operator's base prompt: a template that receives `skill_content` as data, never as template source."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.context._template import TemplateRefused, compile_template, render
from metier.context._wording import BASES, VOICES, Language, Voice
from metier.jsons import JsonObject

if TYPE_CHECKING:
    from jinja2 import Template

# Errors an invalid template can raise while parsing or rendering, besides Jinja2's own.
_FAILURES: Final = (
    TemplateRefused,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Rendered:
    """The rendered base prompt. `has_skill` tells whether it contains the whole skill; `note` tells what went wrong."""

    text: str
    skill_shown: bool
    note: str = ""


class BasePrompt:
    """The operator's base prompt template.

    A template that is invalid or exceeds the limits is rendered without the skill, and a note says so.

    `values` are the operator's own variables (a product name, a list of company rules). The template also gets `name`,
    `skill_content` and `voice`, the sentence about the tone the user wants.
    """

    def __init__(self, template: str, *, values: JsonObject | None = None, language: Language = "en") -> None:
        self._source = template
        self._values: JsonObject = {"name": "Metier", **(values or {})}
        self._language: Language = language
        self._compiled: Template | None = None
        self._broken = ""
        self._bare: dict[str, Rendered] = {}

    @classmethod
    def default(cls, language: Language = "en", *, values: JsonObject | None = None) -> "BasePrompt":
        """The short prompt shipped with Metier."""
        return cls(BASES[language], values=values, language=language)

    def render(self, skill_content: str = "", *, voice: Voice | None = None) -> Rendered:
        """Render the prompt with the skill; if that fails, without it and with a note."""
        tone = VOICES[self._language][voice] if voice else ""
        if not skill_content:
            return self._without_skill(tone)
        text, problem = self._try(skill_content, tone)
        if not problem and skill_content not in text:
            problem = "it does not show skill_content as it stands"
        if not problem:
            return Rendered(text, True)
        bare = self._without_skill(tone)
        return Rendered(bare.text, False, bare.note or f"the base prompt was rendered without the skill: {problem}")

    def _without_skill(self, tone: str) -> Rendered:
        if tone not in self._bare:
            text, problem = self._try("", tone)
            self._bare[tone] = Rendered(text, False) if not problem else self._shipped(problem, tone)
        return self._bare[tone]

    def _shipped(self, problem: str, tone: str) -> Rendered:
        shipped = BasePrompt.default(self._language)
        text, _ = shipped._try("", tone)
        return Rendered(text, False, f"the base prompt cannot be used, the shipped one stands in: {problem}")

    def _try(self, skill_content: str, tone: str) -> tuple[str, str]:
        from jinja2 import TemplateError

        if self._broken:
            return "", self._broken
        try:
            if self._compiled is None:
                self._compiled = compile_template(self._source)
            text = render(self._compiled, {**self._values, "voice": tone, "skill_content": skill_content})
        except (TemplateError, *_FAILURES) as error:
            problem = str(error) or type(error).__name__
            self._broken = problem if self._compiled is None else ""
            return "", problem
        return text.strip(), ""
