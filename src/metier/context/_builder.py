"""Builds the prompt of a stage under its budget, and reports what was left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final, Literal

from metier.context._account import BuiltPrompt, Mode
from metier.context._brief import Brief, build_brief_sections, render_brief_task
from metier.context._cases import CaseIndex, CaseMatch
from metier.context._counter import DEFAULT_TEMPLATE, ChatTemplate, Counter, TokenCounter
from metier.context._data import DataRequest, UserData, build_data_request, select_user_data
from metier.context._digests import DigestPolicy, cut_middle
from metier.context._history import HistoryWindow
from metier.context._menu import MAX_OFFERED, build_choice_examples, build_skill_menu
from metier.context._messages import USE_SKILL, ContextMessage, StoredMessage
from metier.context._prompt_texts import NOTES, PROMPT_TEXTS, Voice
from metier.context._prompts import BasePrompt, RenderedPrompt
from metier.context._sections import FittedSections, Section, fit
from metier.context._skill_sections import (
    SECTION_ORDER,
    ContextDocument,
    Material,
    apply_limits,
    build_data_sections,
    build_skill_sections,
)
from metier.context._stages import STAGES, Budget
from metier.context._tools import ToolFormat, ToolOffer, tool_to_json
from metier.context._write import MENU, NO_OPTIONS, CallInputs, PromptFitter, PromptOptions, WrittenPrompt
from metier.json_values import JsonValue
from metier.language import Language, Note, Sentences
from metier.model_settings import StageName
from metier.skills import Skill

_BASE: Final = "base"
_MAX_INDEXES: Final = 64
_QUESTION_SHARE: Final = 3
_DEFAULT_RESULTS: Final = DigestPolicy()
_NO_MATERIAL: Final = Material()
_NO_BUDGETS: Mapping[StageName, Budget] = MappingProxyType({})


class _BuildNote(Note):
    sentences: ClassVar[Sentences] = NOTES


class ContextBuilder:
    """Builds the model's prompt. Pure: everything comes in as arguments; only token counts and case indexes are cached.

    Mode `rewrite` puts the skill into the system prompt. Mode `append` keeps the system prompt identical while a skill
    is chosen and worked with, and sends the skill as a message, so that the provider's prompt cache stays valid.
    `budgets` replace those of single stages; `results` says when tool results become digests. Tokens are counted as
    models with `template` count them, texts by `count` if that is given.
    """

    def __init__(
        self,
        base: BasePrompt | None = None,
        *,
        mode: Mode = "rewrite",
        language: Language = "en",
        budgets: Mapping[StageName, Budget] = _NO_BUDGETS,
        results: DigestPolicy = _DEFAULT_RESULTS,
        template: ChatTemplate = DEFAULT_TEMPLATE,
        count: Counter | None = None,
    ) -> None:
        self._base = base or BasePrompt.default(language)
        self._mode: Mode = mode
        self._language: Language = language
        self._budgets = {name: budgets.get(name, stage.budget) for name, stage in STAGES.items()}
        self._results = results
        self._template = template
        self._count = TokenCounter(count or template.count)
        self._fitter = PromptFitter(self._count, results, language, template)
        self._indexes: dict[tuple[str, str], CaseIndex] = {}
        self._others: dict[ChatTemplate, ContextBuilder] = {}

    def use_template(self, template: ChatTemplate) -> "ContextBuilder":
        """The builder that counts as models with this template do; otherwise as this one."""
        if template == self._template:
            return self
        if template not in self._others:
            self._others[template] = ContextBuilder(
                self._base,
                mode=self._mode,
                language=self._language,
                budgets=self._budgets,
                results=self._results,
                template=template,
            )
        return self._others[template]

    def build_choose_prompt(
        self,
        history: Sequence[StoredMessage],
        shortlist: Sequence[tuple[Skill, float]],
        options: PromptOptions = NO_OPTIONS,
    ) -> BuiltPrompt:
        """Build the prompt to choose a skill: base prompt, menu of the shortlist, last messages; no user data.

        A shortlist that gives no menu gives the prompt of the stage `converse`. A model that can be held to a choice is
        asked for nothing else; in append mode, where the prompt has to serve the work too, it is not.
        """
        budget = self._budgets["choose"].cap(options.limit_tokens)
        if options.tool_format.render_demanded is not None and self._mode == "rewrite":
            return self._build_demanded_choice(history, shortlist, options, budget)
        call = CallInputs("choose", budget, replace(options, read_more=None), history)
        sections = [
            self._base_section("choose", options.voice),
            *self._document_sections(options.documents[:1], budget),
        ]
        window = self._fitter.select_window(call)
        required = fit([*sections, self._fitter.build_history_section(window, budget)], 0, self._count).tokens
        most = min(budget.section_limits.get(MENU, budget.limit_tokens), budget.limit_tokens - required)
        menu = build_skill_menu(
            shortlist,
            max(budget.menu_floor_tokens, most),
            count=self._count,
            language=self._language,
            max_offered=max(MAX_OFFERED, len(shortlist)),
        )
        if not menu.enum:
            return self.build_converse_prompt(history, options)
        offer = ToolOffer(menu.to_tool(options.skill_tool), required=True)
        offered = replace(call.options, tools=(offer, *options.beside_menu))
        built = self._fit(call._replace(menu=menu, options=offered), sections, window)
        return replace(built, dropped=(*built.dropped, *menu.dropped))

    def _build_demanded_choice(
        self,
        history: Sequence[StoredMessage],
        shortlist: Sequence[tuple[Skill, float]],
        options: PromptOptions,
        budget: Budget,
    ) -> BuiltPrompt:
        """Build the prompt whose reply is the choice alone: the router's candidates, examples, the last messages."""
        found = [(skill, score) for skill, score in shortlist if score > 0] or shortlist
        limit = budget.section_limits.get(MENU, budget.limit_tokens)
        menu = build_skill_menu(found, limit, count=self._count, language=self._language, demanded=True)
        if not menu.enum:
            return self.build_converse_prompt(history, options)
        known = options.tool_format
        form = ToolFormat(known.render_demanded or tool_to_json, render_messages=known.render_messages)
        offer = ToolOffer(menu.to_tool(options.skill_tool), required=True)
        asked = replace(options, tools=(offer,), tool_format=form, read_more=None)
        said = next((one.content for one in reversed(history) if one.role == "user"), "")
        examples = build_choice_examples(found, menu, said, self._language)
        call = CallInputs("choose", budget, asked, history, menu=menu, is_bare=True, examples=examples)
        built = self._fit(call, [])
        return replace(built, dropped=(*built.dropped, *menu.dropped), demanded=options.skill_tool)

    def build_converse_prompt(
        self, history: Sequence[StoredMessage], options: PromptOptions = NO_OPTIONS
    ) -> BuiltPrompt:
        """Build the prompt to talk without a skill: base prompt, last messages, tools and documents of the options."""
        budget = self._budgets["converse"].cap(options.limit_tokens)
        sections = [self._base_section("converse", options.voice), *self._document_sections(options.documents, budget)]
        return self._fit(CallInputs("converse", budget, options, history), sections)

    def build_act_prompt(
        self,
        skill: Skill,
        history: Sequence[StoredMessage],
        material: Material = _NO_MATERIAL,
        options: PromptOptions = NO_OPTIONS,
        *,
        after: BuiltPrompt | None = None,
    ) -> BuiltPrompt:
        """Build the prompt to work by a skill: its instructions, steps and rules, matching cases, and declared data.

        With `after`, in append mode, `history` holds only the messages since that build: its prompt stays unchanged and
        the skill follows it. Otherwise `history` is the whole history, and the skill comes before it.
        """
        kept = after if self._mode == "append" else None
        earlier = kept.messages if kept else ()
        budget = self._budgets["act"].cap(options.limit_tokens)
        call = CallInputs("act", budget, options, history, earlier)
        message = _read_request(call)
        request = build_data_request(skill)
        data = select_user_data(request, material.profile, material.skill_data)
        matches = self._match_cases(skill, material, message, data)
        parts = [
            *build_skill_sections(skill, material, message, language=self._language),
            *build_data_sections(data, matches, material.documents, language=self._language),
        ]
        sections = [self._base_section("act", options.voice), *apply_limits(parts, budget.section_limits)]
        built = self._fit(call, sections)
        said = (*_skill_notes(built, skill, material, request), *_case_notes(matches, built))
        notes = (*built.notes, *(note.text(self._language) for note in said))
        return replace(built, skill=skill.id, notes=notes, missing=data.missing)

    def build_brief_prompt(
        self,
        stage: Literal["fill", "report"],
        brief: Brief,
        skill: Skill | None = None,
        options: PromptOptions = NO_OPTIONS,
    ) -> BuiltPrompt:
        """Build a prompt without a history: the question, what was said and found, and the runtime's note.

        One message holds it all. `report` offers no tools, whatever the options say.
        """
        budget = self._budgets[stage].cap(options.limit_tokens)
        if stage == "report":
            options = replace(options, tools=(), read_more=None)
        task = render_brief_task(stage, skill, self._language)
        call = CallInputs(stage, budget, options, (), task=task)
        base = self._base.render(task, voice=options.voice, stage=stage)
        brief = replace(brief, question=self._cut_question(brief.question, budget.limit_tokens // _QUESTION_SHARE))
        limits = brief.limit_sections(budget.section_limits)
        sections = [
            Section(_BASE, self._add_guard(base.text), 100, required=True),
            *apply_limits(build_brief_sections(brief, options.note, self._language), limits),
        ]
        built = self._fit(call, sections)
        return replace(built, skill=skill.id if skill else None)

    def _cut_question(self, question: str, limit: int) -> str:
        tokens = self._count(question)
        note = PROMPT_TEXTS[self._language]["message_cut"].format(tokens=tokens)
        return question if tokens <= limit else cut_middle(question, limit, self._count, note)

    def _fit(self, call: CallInputs, sections: Sequence[Section], first: HistoryWindow | None = None) -> BuiltPrompt:
        return self._fitter.fit(call, sections, self._mode, self._write, first)

    def _document_sections(self, documents: Sequence[ContextDocument], budget: Budget) -> list[Section]:
        parts = build_data_sections(UserData(), (), documents, language=self._language)
        return [one for one in apply_limits(parts, budget.section_limits) if one.pieces]

    def _base_section(self, stage: StageName, voice: Voice | None) -> Section:
        return Section(_BASE, self._add_guard(self._render_base(stage, voice).text), 100, required=True)

    def _render_base(self, stage: StageName, voice: Voice | None) -> RenderedPrompt:
        # In append mode the system prompt must be the same bytes whether a skill is chosen or worked with.
        return self._base.render(voice=voice, stage="choose" if self._mode == "append" else stage)

    def _add_guard(self, system: str) -> str:
        return f"{system}\n\n{PROMPT_TEXTS[self._language]['guard']}"

    def _write(self, fitted: FittedSections, call: CallInputs, messages: tuple[ContextMessage, ...]) -> WrittenPrompt:
        """Render the prompt of a stage from its kept sections and the kept messages of the history."""
        if call.task:
            base = self._base.render(call.task, voice=call.options.voice, stage=call.stage)
            system = base.text if base.has_skill else f"{base.text}\n\n{call.task}"
            content = fitted.render(("question", "said", "report", "results", "note"))
            return WrittenPrompt(self._add_guard(system), (ContextMessage("user", content),), base.note)
        noted = (ContextMessage("user", call.options.note, name="runtime"),) if call.options.note else ()
        if call.is_bare:
            return WrittenPrompt("", (*call.examples, *messages, *noted))
        content = fitted.render(SECTION_ORDER)
        if call.stage != "act" or self._mode == "append":
            plain = self._render_base(call.stage, call.options.voice)
            if call.stage == "act":
                follow = f"{PROMPT_TEXTS[self._language]['follow']}\n\n{content}"
                messages = _insert_skill_message(follow, call.earlier, messages)
            system = f"{plain.text}\n\n{content}" if content and call.stage != "act" else plain.text
            return WrittenPrompt(self._add_guard(system), (*messages, *noted), plain.note)
        base = self._base.render(content, voice=call.options.voice, stage=call.stage)
        system = base.text if base.has_skill else f"{base.text}\n\n{content}"
        return WrittenPrompt(self._add_guard(system), (*messages, *noted), base.note)

    def _match_cases(self, skill: Skill, material: Material, message: str, data: UserData) -> tuple[CaseMatch, ...]:
        if not skill.cases and not material.cases:
            return ()
        features = [leaf for one in data.fields for leaf in _iter_strings(one.value)]
        rule = material.rule or skill.default_scenario or None
        return self._get_case_index(skill, material).match(
            message, rule=rule, features=features, language=self._language
        )

    def _get_case_index(self, skill: Skill, material: Material) -> CaseIndex:
        if material.cases:
            return CaseIndex(skill, material.cases)
        key = (skill.id, skill.digest)
        if key not in self._indexes:
            if len(self._indexes) >= _MAX_INDEXES:
                self._indexes.clear()
            self._indexes[key] = CaseIndex(skill)
        return self._indexes[key]


def _insert_skill_message(
    content: str, earlier: tuple[ContextMessage, ...], since: tuple[ContextMessage, ...]
) -> tuple[ContextMessage, ...]:
    """Insert the skill after the call that chose it; it keeps that place all turn, so the prefix stays cacheable."""
    skill = ContextMessage("user", content, name="skill")
    ids = {call.id for message in since for call in message.tool_calls if call.name == USE_SKILL}
    answers = [at for at, message in enumerate(since, 1) if message.tool_call_id in ids]
    at = answers[-1] if earlier and answers else 0
    while at and at < len(since) and since[at].role == "tool":  # never between a call and its results
        at += 1
    return (*earlier, *since[:at], skill, *since[at:])


def _read_request(call: CallInputs) -> str:
    """What the user wants: the question of the turn, and the last message if that is another one."""
    said = [message.content for message in (*call.earlier, *call.history) if message.role == "user"]
    start = call.options.turn_start
    asked = [one.content for one in call.history[start:] if one.role == "user"][:1] if start is not None else []
    return "\n".join(dict.fromkeys([*asked, *said[-1:]]))


def _skill_notes(built: BuiltPrompt, skill: Skill, material: Material, request: DataRequest) -> Iterator[_BuildNote]:
    said = next((use.tokens for use in built.sections if use.name == SECTION_ORDER[0]), 0)
    if built.over_budget and said > built.limit_tokens // 2:
        yield _BuildNote.of("instructions_long", skill=skill.id, tokens=said)
    if material.rule is not None and material.rule not in skill.rules:
        rules = tuple(skill.rules) or _BuildNote("none")
        yield _BuildNote.of("rule_missing", skill=skill.id, rule=material.rule, rules=rules)
    for path in request.refused:
        yield _BuildNote.of("path_wrong", skill=skill.id, path=path)


def _case_notes(matches: Sequence[CaseMatch], built: BuiltPrompt) -> Iterator[_BuildNote]:
    kept = next((use.kept for use in built.sections if use.name == "cases"), ())
    for match in matches:
        if match.case.id in kept:
            yield _BuildNote.of("case_chosen", case=match.case.id, score=f"{match.score:.2f}", why=match.why)


def _iter_strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | Sequence):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _iter_strings(item)
