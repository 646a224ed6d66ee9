"""The operator's base prompt: a template that receives `skill_content` as data, never as template source."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.context._prompt_texts import BASE_PROMPTS, NOTES, VOICE_TEXTS, Voice
from metier.context._template import TemplateRefused, compile_template, render
from metier.errors import InvalidInput
from metier.json_values import JsonObject
from metier.language import Language
from metier.model_settings import StageName

if TYPE_CHECKING:
    from jinja2 import Template

# Errors an invalid template can raise while parsing or rendering, besides Jinja2's own.
_RENDER_ERRORS: Final = (
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
class RenderedPrompt:
    """The rendered base prompt. `has_skill` tells whether it contains the whole skill; `note` tells what went wrong."""

    text: str
    has_skill: bool
    note: str = ""


class BasePrompt:
    """The operator's base prompt template.

    A template that is invalid or exceeds the limits is rendered without the skill, and a note says so.

    `values` are the operator's own variables (a product name, a list of company rules). The template also gets `name`,
    `skill_content`, `voice` (the sentence about the tone the user wants) and `stage` (why the model is called).
    """

    def __init__(self, template: str, *, values: JsonObject | None = None, language: Language = "en") -> None:
        self._source = template
        self._values: JsonObject = {"name": "Metier", **(values or {})}
        self._language: Language = language
        self._compiled: Template | None = None
        self._broken = ""
        self._bare: dict[tuple[str, StageName], RenderedPrompt] = {}

    @classmethod
    def default(cls, language: Language = "en", *, values: JsonObject | None = None) -> "BasePrompt":
        """The short prompt shipped with Metier."""
        return cls(BASE_PROMPTS[language], values=values, language=language)

    def render(
        self, skill_content: str = "", *, voice: Voice | None = None, stage: StageName = "act"
    ) -> RenderedPrompt:
        """Render the prompt with the skill; if that fails, without it and with a note."""
        tones = VOICE_TEXTS[self._language]
        if voice and voice not in tones:
            raise InvalidInput(f"voice {voice!r} is unknown", hint=f"known: {', '.join(tones)}")
        tone = tones[voice] if voice else ""
        if not skill_content:
            return self._render_without_skill(tone, stage)
        text, problem = self._try_render(skill_content, tone, stage)
        if not problem and skill_content not in text:
            problem = NOTES.render("skill_content_missing", self._language)
        if not problem:
            return RenderedPrompt(text, True)
        bare = self._render_without_skill(tone, stage)
        note = bare.note or NOTES.render("base_without_skill", self._language, problem=problem)
        return RenderedPrompt(bare.text, False, note)

    def _render_without_skill(self, tone: str, stage: StageName) -> RenderedPrompt:
        key = (tone, stage)
        if key not in self._bare:
            text, problem = self._try_render("", tone, stage)
            self._bare[key] = RenderedPrompt(text, False) if not problem else self._render_shipped(problem, tone, stage)
        return self._bare[key]

    def _render_shipped(self, problem: str, tone: str, stage: StageName) -> RenderedPrompt:
        shipped = BasePrompt.default(self._language)
        text, _ = shipped._try_render("", tone, stage)
        return RenderedPrompt(text, False, NOTES.render("base_unusable", self._language, problem=problem))

    def _try_render(self, skill_content: str, tone: str, stage: StageName) -> tuple[str, str]:
        from jinja2 import TemplateError

        if self._broken:
            return "", self._broken
        try:
            if self._compiled is None:
                self._compiled = compile_template(self._source)
            values = {**self._values, "voice": tone, "stage": stage, "skill_content": skill_content}
            text = render(self._compiled, values)
        except (TemplateError, *_RENDER_ERRORS) as error:
            problem = str(error) or type(error).__name__
            self._broken = problem if self._compiled is None else ""
            return "", problem
        return text.strip(), ""
