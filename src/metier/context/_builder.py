"""Builds the prompt of a phase: choose a skill, or work with one, each under its own budget."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from metier.context._account import BuiltPrompt, Mode, Phase
from metier.context._budget import CHOOSE_BUDGET, WORK_BUDGET, Budget
from metier.context._cases import CaseIndex, CaseMatch
from metier.context._counter import TokenCounter
from metier.context._data import DataRequest, UserData, build_data_request, select_user_data
from metier.context._history import HISTORY, ClearingPolicy, HistoryWindow, build_window
from metier.context._menu import SkillMenu, build_skill_menu
from metier.context._messages import USE_SKILL, ContextMessage, StoredMessage, count_message_tokens
from metier.context._prompt_texts import PROMPT_TEXTS, Voice
from metier.context._prompts import BasePrompt
from metier.context._sections import FittedSections, Piece, Section, SectionUse, fit
from metier.context._skill_sections import (
    SECTION_ORDER,
    SECTION_PRIORITIES,
    Material,
    apply_limits,
    build_data_sections,
    build_skill_sections,
)
from metier.json_values import JsonValue
from metier.language import Language
from metier.skills import Skill
from metier.tokens import count_tokens

_BASE: Final = "base"
_MENU: Final = "menu"
_EARLIER: Final = "earlier"
_MAX_INDEXES: Final = 64
_DEFAULT_CLEARING: Final = ClearingPolicy()
_NO_MATERIAL: Final = Material()


class _Prompt(NamedTuple):
    system: str
    messages: tuple[ContextMessage, ...]
    note: str = ""


class _BuildInputs(NamedTuple):
    """Inputs of one build: budget, history window, the earlier prompt that must stay unchanged, and its menu."""

    budget: Budget
    window: HistoryWindow
    earlier: tuple[ContextMessage, ...] = ()
    menu: SkillMenu | None = None
    voice: Voice | None = None


_Writer: TypeAlias = Callable[[FittedSections, _BuildInputs], _Prompt]


class ContextBuilder:
    """Builds the model's prompt. Pure: everything comes in as arguments; only token counts and case indexes are cached.

    Mode `rewrite` puts the skill into the system prompt. Mode `append` keeps the system prompt identical in both phases
    and sends the skill as a message, so that the provider's prompt cache stays valid.
    """

    def __init__(
        self,
        base: BasePrompt | None = None,
        *,
        mode: Mode = "rewrite",
        language: Language = "en",
        choose: Budget = CHOOSE_BUDGET,
        work: Budget = WORK_BUDGET,
        clearing: ClearingPolicy = _DEFAULT_CLEARING,
        count: Callable[[str], int] = count_tokens,
    ) -> None:
        self._base = base or BasePrompt.default(language)
        self._mode: Mode = mode
        self._language: Language = language
        self._choose = choose
        self._work = work
        self._clearing = clearing
        self._count = TokenCounter(count)
        self._indexes: dict[tuple[str, str], CaseIndex] = {}

    def build_choose_prompt(
        self,
        history: Sequence[StoredMessage],
        shortlist: Sequence[tuple[Skill, float]] = (),
        *,
        voice: Voice | None = None,
    ) -> BuiltPrompt:
        """Build the phase 1 prompt: base prompt, menu of the shortlist, last messages; no user data.

        An empty shortlist gives no menu; the same prompt then produces the default answer.
        """
        budget = self._choose
        seen = self._select_window(history, budget)
        sections = [self._base_section(voice), self._history_section(seen, budget)]
        required = fit(sections, 0, self._count).tokens
        most = min(budget.section_limits.get(_MENU, budget.limit_tokens), budget.limit_tokens - required)
        menu = build_skill_menu(
            shortlist, max(budget.menu_floor_tokens, most), count=self._count, language=self._language
        )
        frame = _BuildInputs(budget, seen, menu=menu if menu.enum else None, voice=voice)
        built = self._fit_and_write("choose", sections, frame, self._write_choose_prompt)
        return replace(built, dropped=(*built.dropped, *menu.dropped))

    def build_work_prompt(
        self,
        skill: Skill,
        history: Sequence[StoredMessage],
        material: Material = _NO_MATERIAL,
        *,
        after: BuiltPrompt | None = None,
        voice: Voice | None = None,
    ) -> BuiltPrompt:
        """Build the phase 2 prompt: the skill's instructions, steps and rules, matching cases, and declared data.

        With `after`, in append mode, `history` holds only the messages since that build: its prompt stays unchanged and
        the skill follows it. Otherwise `history` is the whole history, and the skill comes before it.
        """
        kept = after if self._mode == "append" else None
        earlier = kept.messages if kept else ()
        seen = self._select_window(history, self._work, len(earlier))
        frame = _BuildInputs(self._work, seen, earlier, kept.menu if kept else None, voice)
        message = _last_user_text(frame)
        request = build_data_request(skill)
        data = select_user_data(request, material.profile, material.skill_data)
        matches = self._match_cases(skill, material, message, data)
        parts = [
            *build_skill_sections(skill, material, message, language=self._language),
            *build_data_sections(data, matches, material.documents, language=self._language),
        ]
        talk = self._history_section(frame.window, frame.budget)
        sections = [self._base_section(voice), *apply_limits(parts, frame.budget.section_limits), talk]
        built = self._fit_and_write("work", sections, frame, self._write_work_prompt)
        notes = (*built.notes, *_skill_notes(built, skill, material, request), *_case_notes(matches, built))
        return replace(built, skill=skill.id, notes=notes, missing=data.missing)

    def _select_window(self, history: Sequence[StoredMessage], budget: Budget, start: int = 0) -> HistoryWindow:
        return build_window(history, last=budget.max_messages, count=self._count, clearing=self._clearing, start=start)

    def _base_section(self, voice: Voice | None) -> Section:
        return Section(_BASE, self._add_guard(self._base.render(voice=voice).text), 100, required=True)

    def _history_section(self, seen: HistoryWindow, budget: Budget) -> Section:
        limit = budget.section_limits.get(HISTORY, budget.limit_tokens)
        return seen.to_section(self._count, priority=SECTION_PRIORITIES[HISTORY], limit_tokens=limit)

    def _add_guard(self, system: str) -> str:
        return f"{system}\n\n{PROMPT_TEXTS[self._language]['guard']}"

    def _add_follow_notice(self, content: str) -> str:
        return f"{PROMPT_TEXTS[self._language]['follow']}\n\n{content}"

    def _match_cases(self, skill: Skill, material: Material, message: str, data: UserData) -> tuple[CaseMatch, ...]:
        if not skill.cases and not material.cases:
            return ()
        features = [leaf for one in data.fields for leaf in _iter_strings(one.value)]
        rule = material.rule or skill.default_scenario or None
        return self._get_case_index(skill, material).match(message, rule=rule, features=features)

    def _get_case_index(self, skill: Skill, material: Material) -> CaseIndex:
        if material.cases:
            return CaseIndex(skill, material.cases)
        key = (skill.id, skill.digest)
        if key not in self._indexes:
            if len(self._indexes) >= _MAX_INDEXES:
                self._indexes.clear()
            self._indexes[key] = CaseIndex(skill)
        return self._indexes[key]

    def _fit_and_write(
        self, phase: Phase, sections: Sequence[Section], frame: _BuildInputs, write: _Writer
    ) -> BuiltPrompt:
        """Fit, render and count the result; repeat with a smaller allowance while it exceeds the limit."""
        limit = frame.budget.limit_tokens
        asked = [*sections, *self._fixed_sections(frame)]
        allowed = limit
        while True:
            fitted = fit(asked, allowed, self._count)
            written = write(fitted, frame)
            tokens = self._count_prompt_tokens(written, frame)
            if tokens <= limit or not fitted.optional_count:
                break
            allowed = min(fitted.tokens - 1, fitted.tokens * limit // tokens)
        uses = tuple(_complete_menu_use(use, frame) for use in fitted.uses)
        notes = [written.note] if written.note else []
        if tokens > limit:
            notes.append(_over_budget_note(tokens, limit, uses))
        dropped = (*frame.window.dropped, *fitted.dropped)
        return BuiltPrompt(
            phase,
            self._mode,
            written.system,
            written.messages,
            tokens,
            limit,
            frame.menu,
            None,
            uses,
            dropped,
            tuple(notes),
        )

    def _fixed_sections(self, frame: _BuildInputs) -> Iterator[Section]:
        if frame.menu:
            yield _make_fixed_section(_MENU, frame.menu.tokens)
        if frame.earlier:
            yield _make_fixed_section(
                _EARLIER, sum(count_message_tokens(message, self._count) for message in frame.earlier)
            )

    def _count_prompt_tokens(self, written: _Prompt, frame: _BuildInputs) -> int:
        said = sum(count_message_tokens(message, self._count) for message in written.messages)
        return self._count(written.system) + said + (frame.menu.tokens if frame.menu else 0)

    def _write_choose_prompt(self, fitted: FittedSections, frame: _BuildInputs) -> _Prompt:
        base = self._base.render(voice=frame.voice)
        return _Prompt(self._add_guard(base.text), frame.window.select_messages(fitted.get_pieces(HISTORY)), base.note)

    def _write_work_prompt(self, fitted: FittedSections, frame: _BuildInputs) -> _Prompt:
        content = fitted.render(SECTION_ORDER)
        if self._mode == "append":
            plain = self._write_choose_prompt(fitted, frame)
            return plain._replace(
                messages=_insert_skill_message(self._add_follow_notice(content), frame.earlier, plain.messages)
            )
        base = self._base.render(content, voice=frame.voice)
        system = base.text if base.has_skill else f"{base.text}\n\n{content}"
        return _Prompt(self._add_guard(system), frame.window.select_messages(fitted.get_pieces(HISTORY)), base.note)


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


def _make_fixed_section(name: str, tokens: int) -> Section:
    return Section(name, "", 100, required=True, pieces=(Piece(name, "", tokens=tokens),))


def _complete_menu_use(use: SectionUse, frame: _BuildInputs) -> SectionUse:
    if use.name != _MENU or frame.menu is None:
        return use
    gone = tuple(one.piece for one in frame.menu.dropped)
    return SectionUse(_MENU, use.tokens, frame.menu.enum, gone, frame.budget.section_limits.get(_MENU), False)


def _over_budget_note(tokens: int, limit: int, uses: Sequence[SectionUse]) -> str:
    greatest = sorted((use for use in uses if use.tokens), key=lambda use: -use.tokens)[:3]
    parts = ", ".join(f"{use.name} {use.tokens}" for use in greatest)
    return f"over budget: {tokens} of {limit} tokens, and all that is left is required ({parts}); nothing was cut"


def _skill_notes(built: BuiltPrompt, skill: Skill, material: Material, request: DataRequest) -> Iterator[str]:
    said = next((use.tokens for use in built.sections if use.name == SECTION_ORDER[0]), 0)
    if built.over_budget and said > built.limit_tokens // 2:
        yield (
            f"the instructions of {skill.id!r} take {said} tokens: move parts of them into rules/; "
            "`metier lint` warns of it as body_long and body_too_long"
        )
    if material.rule is not None and material.rule not in skill.rules:
        yield f"skill {skill.id!r} has no rule {material.rule!r}; it has {', '.join(skill.rules) or 'none'}"
    for path in request.refused:
        yield f"profile field {path!r} of {skill.id!r} is not a path: write keys joined with dots"


def _case_notes(matches: Sequence[CaseMatch], built: BuiltPrompt) -> Iterator[str]:
    kept = next((use.kept for use in built.sections if use.name == "cases"), ())
    for match in matches:
        if match.case.id in kept:
            yield f"case {match.case.id!r} scores {match.score:.2f}: {'; '.join(match.why)}"


def _last_user_text(frame: _BuildInputs) -> str:
    messages = (*frame.earlier, *(message for group in frame.window.groups for message in group.messages))
    return next((message.content for message in reversed(messages) if message.role == "user"), "")


def _iter_strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | Sequence):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _iter_strings(item)
