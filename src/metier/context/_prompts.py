"""The operator's base prompt: a template that receives `skill_content` as data, never as template source."""

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from metier.context._prompt_texts import BASE_PROMPTS, NOTES, VOICE_TEXTS, Voice
from metier.context._template import TemplateRefused, compile_template, find_undefined_names, render
from metier.errors import InvalidInput
from metier.json_values import JsonObject
from metier.language import Language
from metier.model_settings import StageName

if TYPE_CHECKING:
    from jinja2 import Template

_log = logging.getLogger(__name__)

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

    A template that is invalid, or exceeds the limits, raises `InvalidInput`: no other prompt takes its place. A name
    without a value renders as nothing; a log line and a note say so. If the template leaves the skill out, a note says
    so and the caller adds it.

    `values` are the operator's own variables (a product name, a list of company rules). The template also gets `name`,
    `skill_content`, `voice` (the sentence about the tone the user wants) and `stage` (why the model is called).
    """

    def __init__(self, template: str, *, values: JsonObject | None = None, language: Language = "en") -> None:
        self._source = template
        self._values: JsonObject = {"name": "Metier", **(values or {})}
        self._language: Language = language
        self._compiled: Template | None = None
        self._reported: tuple[str, ...] = ()
        if template not in BASE_PROMPTS.values():
            self._compile()  # the shipped ones are known to be right, and Jinja2 takes its time to load

    @classmethod
    def default(cls, language: Language = "en", *, values: JsonObject | None = None) -> "BasePrompt":
        """The short prompt shipped with Metier."""
        return cls(BASE_PROMPTS[language], values=values, language=language)

    def render(
        self, skill_content: str = "", *, voice: Voice | None = None, stage: StageName = "act"
    ) -> RenderedPrompt:
        """Render the prompt with the skill; without it and with a note if the template leaves it out."""
        tones = VOICE_TEXTS[self._language]
        if voice and voice not in tones:
            raise InvalidInput(f"voice {voice!r} is unknown", hint=f"known: {', '.join(tones)}")
        values: JsonObject = {**self._values, "voice": tones[voice] if voice else "", "stage": stage}
        text = self._render({**values, "skill_content": skill_content})
        note = self._report_undefined()
        if not skill_content or _has_text(text, skill_content):
            return RenderedPrompt(text, bool(skill_content), note)
        missing = NOTES.render("skill_content_missing", self._language)
        note = note or NOTES.render("base_without_skill", self._language, problem=missing)
        return RenderedPrompt(self._render({**values, "skill_content": ""}), False, note)

    def _render(self, values: JsonObject) -> str:
        template = self._compiled or self._compile()
        try:
            return render(template, values).strip()
        except _template_errors() as error:
            raise self._make_error(error) from error

    def _compile(self) -> "Template":
        try:
            self._compiled = compile_template(self._source)
        except _template_errors() as error:
            raise self._make_error(error) from error
        return self._compiled

    def _make_error(self, error: BaseException) -> InvalidInput:
        problem = f"line {error.lineno}: {error}" if hasattr(error, "lineno") else str(error) or type(error).__name__
        return InvalidInput(
            NOTES.render("base_unusable", self._language, problem=problem),
            hint=NOTES.render("base_hint", self._language, names=", ".join(self._list_names())),
        )

    def _list_names(self) -> list[str]:
        return sorted({*self._values, "skill_content", "voice", "stage"})

    def _report_undefined(self) -> str:
        """Note about names that have no value; each is logged once."""
        found = find_undefined_names(self._compiled) if self._compiled is not None else ()
        if not found:
            return ""
        names = ", ".join(self._list_names())
        note = NOTES.render("name_undefined", self._language, names=", ".join(found), known=names)
        if found != self._reported:
            self._reported = found
            _log.warning(
                "prompt_name_undefined: %s", NOTES.render("name_undefined", "en", names=", ".join(found), known=names)
            )
        return note


def _has_text(text: str, content: str) -> bool:
    """Whether the text has the content, whatever white space a filter has changed."""
    return content in text or "".join(content.split()) in "".join(text.split())


def _template_errors() -> tuple[type[BaseException], ...]:
    from jinja2 import TemplateError

    return (TemplateError, *_RENDER_ERRORS)
