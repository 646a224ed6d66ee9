"""The operator's base prompt: a template with `skill_content`, which stands in it as data and never as a template."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.context._template import TemplateRefused, compile_template, render
from metier.context._wording import BASES, VOICES, Language, Voice
from metier.jsons import JsonObject

if TYPE_CHECKING:
    from jinja2 import Template

# What a wrong template can raise, at parsing or at rendering, besides what Jinja2 itself calls an error.
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
    """The base prompt as text. `skill_shown` says whether the skill stands in it whole; `note` says what went wrong."""

    text: str
    skill_shown: bool
    note: str = ""


class BasePrompt:
    """A base prompt of the operator. A template that is wrong or runs away is answered without the skill, and noted.

    `values` are the operator's own (a product's name, a list of house rules); `name`, `skill_content` and `voice`, the
    sentence about the tone that the user wants, are there too.
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
        """The short prompt that Metier ships."""
        return cls(BASES[language], values=values, language=language)

    def render(self, skill_content: str = "", *, voice: Voice | None = None) -> Rendered:
        """The prompt with the skill in it; or, when that fails, the prompt without it and a note."""
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
