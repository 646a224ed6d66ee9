"""The operator's base prompt: a template that receives `skill_content` as data, never as template source."""

import logging
import re
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

_TAG: Final = re.compile(r"\{%.*?%\}\n?|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
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

    A template that fails is rendered without the skill, and if that fails too, its own words stand without their tags:
    no other prompt takes its place. A name without a value renders as nothing. A log line and a note say what is wrong.
    If the template leaves the skill out, a note says so and the caller adds it.

    `values` are the operator's own variables (a product name, a list of company rules). The template also gets `name`,
    `skill_content`, `voice` (the sentence about the tone the user wants) and `stage` (why the model is called).
    """

    def __init__(self, template: str, *, values: JsonObject | None = None, language: Language = "en") -> None:
        self._source = template
        self._values: JsonObject = {"name": "Metier", **(values or {})}
        self._language: Language = language
        self._compiled: Template | None = None
        self._broken = ""
        self._reported: tuple[str, ...] = ()

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
        text, problem = self._try_render({**values, "skill_content": skill_content})
        if not problem and (not skill_content or _has_text(text, skill_content)):
            return RenderedPrompt(text, bool(skill_content), self._report_undefined())
        bare, broken = self._try_render({**values, "skill_content": ""})
        if broken:
            return RenderedPrompt(_drop_tags(self._source), False, self._report_failure("base_unusable", broken))
        if problem:
            return RenderedPrompt(bare, False, self._report_failure("base_fails_with_skill", problem))
        missing = NOTES.render("skill_content_missing", self._language)
        return RenderedPrompt(bare, False, NOTES.render("base_without_skill", self._language, problem=missing))

    def _try_render(self, values: JsonObject) -> tuple[str, str]:
        """The rendered text, or why it cannot be rendered."""
        from jinja2 import TemplateError

        if self._broken:
            return "", self._broken
        try:
            if self._compiled is None:
                self._compiled = compile_template(self._source)
            return render(self._compiled, values).strip(), ""
        except (TemplateError, *_RENDER_ERRORS) as error:
            problem = str(error) or type(error).__name__
        self._broken = problem if self._compiled is None else ""
        return "", problem

    def _report_failure(self, code: str, problem: str) -> str:
        """Note about a template that fails; each reason is logged once."""
        given = {"problem": problem, "names": ", ".join(self._list_names())}
        if problem not in self._reported:
            self._reported = (*self._reported, problem)
            _log.error("prompt_template_failed: %s", NOTES.render(code, "en", **given))
        return NOTES.render(code, self._language, **given)

    def _list_names(self) -> list[str]:
        return sorted({*self._values, "skill_content", "voice", "stage"})

    def _report_undefined(self) -> str:
        """Note about names that have no value; each is logged once."""
        found = find_undefined_names(self._compiled) if self._compiled is not None else ()
        if not found:
            return ""
        given = {"names": ", ".join(found), "known": ", ".join(self._list_names())}
        if given["names"] not in self._reported:
            self._reported = (*self._reported, given["names"])
            _log.warning("prompt_name_undefined: %s", NOTES.render("name_undefined", "en", **given))
        return NOTES.render("name_undefined", self._language, **given)


def _has_text(text: str, content: str) -> bool:
    """Whether the text has the content, whatever white space a filter has changed."""
    return content in text or "".join(content.split()) in "".join(text.split())


def _drop_tags(template: str) -> str:
    """The author's own words, without what Jinja2 would have worked out."""
    return _TAG.sub("", template).strip()
