"""Builds the prompt of a phase: choose a skill, or work with one, each under its own budget."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

from metier.context._budget import CHOOSE, WORK, Budget
from metier.context._built import Built, Mode, Phase
from metier.context._cases import CaseIndex, CaseMatch
from metier.context._counter import TokenCounter
from metier.context._data import DataRequest, UserData, needed_data, pick
from metier.context._history import HISTORY, Clearing, Window, window
from metier.context._menu import SkillMenu, skill_menu
from metier.context._messages import USE_SKILL, ContextMessage, StoredMessage, message_tokens
from metier.context._prompts import BasePrompt
from metier.context._sections import Fitted, Piece, Section, SectionUse, fit
from metier.context._skill_sections import ORDER, PRIORITIES, Material, data_sections, limited, skill_sections
from metier.context._wording import WORDS, Language, Voice
from metier.jsons import JsonValue
from metier.skills import Skill
from metier.tokens import count_tokens

_BASE: Final = "base"
_MENU: Final = "menu"
_EARLIER: Final = "earlier"
_MOST_INDEXES: Final = 64
_CLEARING: Final = Clearing()
_NO_MATERIAL: Final = Material()


class _Written(NamedTuple):
    system: str
    messages: tuple[ContextMessage, ...]
    note: str = ""


class _Frame(NamedTuple):
    """Inputs of one build: budget, history window, the earlier prompt that must stay unchanged, and its menu."""

    budget: Budget
    seen: Window
    earlier: tuple[ContextMessage, ...] = ()
    menu: SkillMenu | None = None
    voice: Voice | None = None


_Write: TypeAlias = Callable[[Fitted, _Frame], _Written]


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
        choose: Budget = CHOOSE,
        work: Budget = WORK,
        clearing: Clearing = _CLEARING,
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

    def choose(
        self,
        history: Sequence[StoredMessage],
        shortlist: Sequence[tuple[Skill, float]] = (),
        *,
        voice: Voice | None = None,
    ) -> Built:
        """Build the phase 1 prompt: base prompt, menu of the shortlist, last messages; no user data.

        An empty shortlist gives no menu; the same prompt then produces the default answer.
        """
        budget = self._choose
        seen = self._window(history, budget)
        sections = [self._base_section(voice), self._talk(seen, budget)]
        required = fit(sections, 0, self._count).tokens
        most = min(budget.sections.get(_MENU, budget.limit_tokens), budget.limit_tokens - required)
        menu = skill_menu(shortlist, max(budget.menu_floor_tokens, most), count=self._count, language=self._language)
        frame = _Frame(budget, seen, menu=menu if menu.enum else None, voice=voice)
        built = self._settle("choose", sections, frame, self._chosen)
        return replace(built, dropped=(*built.dropped, *menu.dropped))

    def work(
        self,
        skill: Skill,
        history: Sequence[StoredMessage],
        material: Material = _NO_MATERIAL,
        *,
        after: Built | None = None,
        voice: Voice | None = None,
    ) -> Built:
        """Build the phase 2 prompt: the skill's instructions, steps and rules, matching cases, and declared data.

        With `after`, in append mode, `history` holds only the messages since that build: its prompt stays unchanged and
        the skill follows it. Otherwise `history` is the whole history, and the skill comes before it.
        """
        kept = after if self._mode == "append" else None
        earlier = kept.messages if kept else ()
        seen = self._window(history, self._work, len(earlier))
        frame = _Frame(self._work, seen, earlier, kept.menu if kept else None, voice)
        message = _last_said(frame)
        request = needed_data(skill)
        data = pick(request, material.profile, material.skill_data)
        matches = self._matches(skill, material, message, data)
        parts = [
            *skill_sections(skill, material, message, language=self._language),
            *data_sections(data, matches, material.documents, language=self._language),
        ]
        talk = self._talk(frame.seen, frame.budget)
        sections = [self._base_section(voice), *limited(parts, frame.budget.sections), talk]
        built = self._settle("work", sections, frame, self._worked)
        notes = (*built.notes, *_skill_notes(built, skill, material, request), *_case_notes(matches, built))
        return replace(built, skill=skill.id, notes=notes, missing=data.missing)

    def _window(self, history: Sequence[StoredMessage], budget: Budget, start: int = 0) -> Window:
        return window(history, last=budget.messages, count=self._count, clearing=self._clearing, start=start)

    def _base_section(self, voice: Voice | None) -> Section:
        return Section(_BASE, self._framed(self._base.render(voice=voice).text), 100, required=True)

    def _talk(self, seen: Window, budget: Budget) -> Section:
        limit = budget.sections.get(HISTORY, budget.limit_tokens)
        return seen.section(self._count, priority=PRIORITIES[HISTORY], limit_tokens=limit)

    def _framed(self, system: str) -> str:
        return f"{system}\n\n{WORDS[self._language]['guard']}"

    def _announced(self, content: str) -> str:
        return f"{WORDS[self._language]['follow']}\n\n{content}"

    def _matches(self, skill: Skill, material: Material, message: str, data: UserData) -> tuple[CaseMatch, ...]:
        if not skill.cases and not material.cases:
            return ()
        features = [leaf for one in data.fields for leaf in _leaves(one.value)]
        rule = material.rule or skill.default_scenario or None
        return self._index(skill, material).match(message, rule=rule, features=features)

    def _index(self, skill: Skill, material: Material) -> CaseIndex:
        if material.cases:
            return CaseIndex(skill, material.cases)
        key = (skill.id, skill.digest)
        if key not in self._indexes:
            if len(self._indexes) >= _MOST_INDEXES:
                self._indexes.clear()
            self._indexes[key] = CaseIndex(skill)
        return self._indexes[key]

    def _settle(self, phase: Phase, sections: Sequence[Section], frame: _Frame, write: _Write) -> Built:
        """Fit, render and count the result; repeat with a smaller allowance while it exceeds the limit."""
        limit = frame.budget.limit_tokens
        asked = [*sections, *self._fixed(frame)]
        allowed = limit
        while True:
            fitted = fit(asked, allowed, self._count)
            written = write(fitted, frame)
            tokens = self._weigh(written, frame)
            if tokens <= limit or not fitted.optional:
                break
            allowed = min(fitted.tokens - 1, fitted.tokens * limit // tokens)
        uses = tuple(_use(use, frame) for use in fitted.uses)
        notes = [written.note] if written.note else []
        if tokens > limit:
            notes.append(_over(tokens, limit, uses))
        dropped = (*frame.seen.dropped, *fitted.dropped)
        return Built(
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

    def _fixed(self, frame: _Frame) -> Iterator[Section]:
        if frame.menu:
            yield _block(_MENU, frame.menu.tokens)
        if frame.earlier:
            yield _block(_EARLIER, sum(message_tokens(message, self._count) for message in frame.earlier))

    def _weigh(self, written: _Written, frame: _Frame) -> int:
        said = sum(message_tokens(message, self._count) for message in written.messages)
        return self._count(written.system) + said + (frame.menu.tokens if frame.menu else 0)

    def _chosen(self, fitted: Fitted, frame: _Frame) -> _Written:
        base = self._base.render(voice=frame.voice)
        return _Written(self._framed(base.text), frame.seen.messages(fitted.of(HISTORY)), base.note)

    def _worked(self, fitted: Fitted, frame: _Frame) -> _Written:
        content = fitted.text(ORDER)
        if self._mode == "append":
            plain = self._chosen(fitted, frame)
            return plain._replace(messages=_with_skill(self._announced(content), frame.earlier, plain.messages))
        base = self._base.render(content, voice=frame.voice)
        system = base.text if base.skill_shown else f"{base.text}\n\n{content}"
        return _Written(self._framed(system), frame.seen.messages(fitted.of(HISTORY)), base.note)


def _with_skill(
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


def _block(name: str, tokens: int) -> Section:
    return Section(name, "", 100, required=True, pieces=(Piece(name, "", tokens=tokens),))


def _use(use: SectionUse, frame: _Frame) -> SectionUse:
    if use.name != _MENU or frame.menu is None:
        return use
    gone = tuple(one.piece for one in frame.menu.dropped)
    return SectionUse(_MENU, use.tokens, frame.menu.enum, gone, frame.budget.sections.get(_MENU), False)


def _over(tokens: int, limit: int, uses: Sequence[SectionUse]) -> str:
    greatest = sorted((use for use in uses if use.tokens), key=lambda use: -use.tokens)[:3]
    parts = ", ".join(f"{use.name} {use.tokens}" for use in greatest)
    return f"over budget: {tokens} of {limit} tokens, and all that is left is required ({parts}); nothing was cut"


def _skill_notes(built: Built, skill: Skill, material: Material, request: DataRequest) -> Iterator[str]:
    said = next((use.tokens for use in built.sections if use.name == ORDER[0]), 0)
    if built.over_budget and said > built.limit_tokens // 2:
        yield (
            f"the instructions of {skill.id!r} take {said} tokens: move parts of them into rules/; "
            "`metier lint` warns of it as body_long and body_too_long"
        )
    if material.rule is not None and material.rule not in skill.rules:
        yield f"skill {skill.id!r} has no rule {material.rule!r}; it has {', '.join(skill.rules) or 'none'}"
    for path in request.refused:
        yield f"profile field {path!r} of {skill.id!r} is not a path: write keys joined with dots"


def _case_notes(matches: Sequence[CaseMatch], built: Built) -> Iterator[str]:
    kept = next((use.kept for use in built.sections if use.name == "cases"), ())
    for match in matches:
        if match.case.id in kept:
            yield f"case {match.case.id!r} scores {match.score:.2f}: {'; '.join(match.why)}"


def _last_said(frame: _Frame) -> str:
    messages = (*frame.earlier, *(message for group in frame.seen.groups for message in group.messages))
    return next((message.content for message in reversed(messages) if message.role == "user"), "")


def _leaves(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | Sequence):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item)
