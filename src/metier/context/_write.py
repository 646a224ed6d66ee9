"""Fits the sections, the history and the tools of a model call into its budget, and counts what is sent."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from metier.context._account import BuiltPrompt, Mode
from metier.context._counter import DEFAULT_TEMPLATE, ChatTemplate, TokenCounter
from metier.context._digests import DigestCache, DigestPolicy
from metier.context._history import HISTORY, MIN_MESSAGE_TOKENS, HistoryWindow, TurnHistory, build_window
from metier.context._menu import SkillMenu
from metier.context._messages import MESSAGE_TOKENS, USE_SKILL, ContextMessage, StoredMessage, count_message_tokens
from metier.context._prompt_texts import NOTES, PROMPT_TEXTS, Voice
from metier.context._sections import FittedSections, Piece, Section, SectionUse, fit
from metier.context._skill_sections import SECTION_PRIORITIES, ContextDocument
from metier.context._stages import Budget
from metier.context._tools import JSON_TOOLS, TOOLS, FittedTools, ToolFormat, ToolOffer, fit_tools
from metier.language import Language, join_names
from metier.model_settings import StageName

MENU: Final = "menu"
_EARLIER: Final = "earlier"
_EXAMPLES: Final = "examples"
_NOTE: Final = "note"
_MAX_TIGHTENINGS: Final = 3


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """Options of one model call.

    `limit_tokens` is what the model's window leaves for the prompt. `note` is the runtime's instruction, sent as the
    last message. `turn_start` is the index of the turn's first message in the history. `cited` are ids of calls whose
    results the plan works with. `read_more` is the tool that reads stored results; it is offered when a result is
    shown as a digest. `beside_menu` are tools that are offered together with the menu of skills,
    `keep_tools` those whose results the skill in use wants kept whole. `documents` are shown without a skill, the first
    of them also while one is chosen; with a skill they are part of its material. `message_outline` are the sections
    of a long message of this turn, which `read_document` reads; they are listed where the message is cut.
    """

    voice: Voice | None = None
    tools: tuple[ToolOffer, ...] = ()
    tool_format: ToolFormat = JSON_TOOLS
    limit_tokens: int | None = None
    note: str = ""
    turn_start: int | None = None
    cited: frozenset[str] = frozenset()
    read_more: ToolOffer | None = None
    skill_tool: str = USE_SKILL
    beside_menu: tuple[ToolOffer, ...] = ()
    keep_tools: frozenset[str] = frozenset()
    documents: tuple[ContextDocument, ...] = ()
    message_outline: str = ""


NO_OPTIONS: Final = PromptOptions()


class WrittenPrompt(NamedTuple):
    """System text and messages as sent; `note` says what went wrong with the base prompt."""

    system: str
    messages: tuple[ContextMessage, ...]
    note: str = ""


class CallInputs(NamedTuple):
    """Inputs of one build. `earlier` is a prompt that must stay unchanged; `task` stands in the place of a skill.

    With `is_bare`, the tools say all that the model has to know: there is no base prompt. `examples` are exchanges that
    stand before the history.
    """

    stage: StageName
    budget: Budget
    options: PromptOptions
    history: Sequence[StoredMessage]
    earlier: tuple[ContextMessage, ...] = ()
    menu: SkillMenu | None = None
    task: str = ""
    is_bare: bool = False
    examples: tuple[ContextMessage, ...] = ()


PromptWriter: TypeAlias = Callable[[FittedSections, CallInputs, tuple[ContextMessage, ...]], WrittenPrompt]


class PromptFitter:
    """Fits a call into its budget. Long results shrink before messages of the present turn are left out."""

    def __init__(
        self,
        count: TokenCounter,
        results: DigestPolicy,
        language: Language,
        template: ChatTemplate = DEFAULT_TEMPLATE,
    ) -> None:
        self._count = count
        self._template = template
        # Delimiters of the system message, and the first tokens of the reply, which providers count with the prompt.
        self._frame_tokens = template.message_tokens + template.reply_tokens
        self._results = results
        self._digests = DigestCache()
        self._language: Language = language

    def select_window(self, call: CallInputs) -> HistoryWindow:
        """Messages of the history before any digest is tightened."""
        return self._select_window(call, self._limit_messages(call))

    def build_history_section(self, window: HistoryWindow, budget: Budget) -> Section:
        """Convert a window to the section that is fitted into the budget."""
        limit = budget.section_limits.get(HISTORY, budget.limit_tokens)
        return window.to_section(priority=SECTION_PRIORITIES[HISTORY], limit_tokens=limit)

    def fit(
        self,
        call: CallInputs,
        sections: Sequence[Section],
        mode: Mode,
        write: PromptWriter,
        first: HistoryWindow | None = None,
    ) -> BuiltPrompt:
        """Fit and render the call; with shorter digests if it is too long, or would lose messages of this turn.

        `first` is what `select_window` gave for the same history, so that it is not read twice.
        """
        for at, policy in enumerate(_list_policies(self._limit_messages(call))):
            window = first if first is not None and at == 0 else self._select_window(call, policy)
            built, is_complete = self._fit_window(call, sections, window, mode, write)
            if is_complete or not _can_tighten(window, policy, self._count):
                break
        return built

    def _select_window(self, call: CallInputs, policy: DigestPolicy) -> HistoryWindow:
        options = call.options
        code = "digest_pointer" if options.read_more else "digest_note"
        name = options.read_more.name if options.read_more else ""
        text = PROMPT_TEXTS[self._language][code]

        def point(call_id: str, tokens: int) -> str:
            return text.format(tokens=tokens, tool=name, call=call_id)

        def note_cut(tokens: int, is_of_turn: bool) -> str:
            words, outline = PROMPT_TEXTS[self._language], options.message_outline if is_of_turn else ""
            note = words["message_cut"].format(tokens=tokens)
            return f"{note}\n{words['message_outline'].format(outline=outline)}" if outline else note

        turn = TurnHistory(options.turn_start, options.cited, point, note_cut)
        return build_window(
            call.history,
            last=call.budget.max_messages,
            count=self._count,
            policy=policy,
            offset=len(call.earlier),
            turn=turn,
            digest=self._digests,
        )

    def _limit_messages(self, call: CallInputs) -> DigestPolicy:
        """The policy of a call, with the room of the history, or half of the prompt, for its longest message."""
        limit = min(call.budget.section_limits.get(HISTORY, call.budget.limit_tokens), call.budget.limit_tokens // 2)
        return replace(self._results, max_message_tokens=limit).keep_also(call.options.keep_tools)

    def _fit_window(
        self, call: CallInputs, sections: Sequence[Section], window: HistoryWindow, mode: Mode, write: PromptWriter
    ) -> tuple[BuiltPrompt, bool]:
        """The prompt with this window, and whether it is within its limit with every message of this turn.

        What was written is counted; while it exceeds the limit, it is fitted again with a smaller allowance.
        """
        limit = call.budget.limit_tokens
        asked = [*sections, self.build_history_section(window, call.budget), *self._fixed_sections(call)]
        tools = self._fit_tools(call, window, asked)
        asked.append(_make_fixed_section(MENU if call.menu else TOOLS, tools.tokens))
        allowed = limit
        while True:
            fitted = fit(asked, allowed, self._count)
            kept = fitted.get_pieces(HISTORY)
            written = write(fitted, call, window.select_messages(kept))
            tokens = self._count_tokens(written, call.options.tool_format) + tools.tokens
            if tokens <= limit or not fitted.optional_count:
                break
            allowed = min(fitted.tokens - 1, fitted.tokens * limit // tokens)
        built = _report(call, _Fitted(window, fitted, tools, self._language), written, tokens, mode)
        return built, tokens <= limit and not window.has_lost_turn(kept)

    def _fit_tools(self, call: CallInputs, window: HistoryWindow, sections: Sequence[Section]) -> FittedTools:
        """Tools within what the required parts leave: at least their share, and all that nothing else wants."""
        limit = call.budget.limit_tokens
        required, wanted = (fit(sections, most, self._count).tokens for most in (0, limit))
        share = max(call.budget.section_limits.get(TOOLS, limit), limit - wanted - self._frame_tokens)
        most = max(0, min(share, limit - required - self._frame_tokens))
        return fit_tools(self._list_offers(call, window), most, self._count, call.options.tool_format)

    def _list_offers(self, call: CallInputs, window: HistoryWindow) -> tuple[ToolOffer, ...]:
        more = call.options.read_more
        return (*call.options.tools, *((more,) if more and window.digest_ids else ()))

    def _fixed_sections(self, call: CallInputs) -> Iterator[Section]:
        if call.earlier:
            yield _make_fixed_section(_EARLIER, self._count_messages(call.earlier))
        if call.examples:
            yield _make_fixed_section(_EXAMPLES, self._count_messages(call.examples))
        if call.options.note and not call.task:
            yield _make_fixed_section(_NOTE, self._count_messages([ContextMessage("user", call.options.note)]))

    def _count_messages(self, messages: Sequence[ContextMessage]) -> int:
        return sum(count_message_tokens(message, self._count) for message in messages)

    def _count_tokens(self, written: WrittenPrompt, form: ToolFormat) -> int:
        around = self._template.message_tokens
        if form.render_messages is None:
            said = self._count_messages(written.messages) + (around - MESSAGE_TOKENS) * len(written.messages)
        else:  # results lose their fences and blanks on the way: a seventh of a prompt that consists of them
            said = sum(around + self._count(text) for text in form.render_messages(written.messages))
        return self._frame_tokens + self._count(written.system) + said


def _list_policies(policy: DigestPolicy) -> Iterator[DigestPolicy]:
    """Policies from the most generous on. A result that was to be kept whole is shortened before any is left out."""
    yield from _tighten_often(policy)
    yield from _tighten_often(policy.keep_none())


def _tighten_often(policy: DigestPolicy) -> Iterator[DigestPolicy]:
    for _ in range(_MAX_TIGHTENINGS + 1):
        yield policy
        policy = policy.tighten()


def _can_tighten(window: HistoryWindow, policy: DigestPolicy, count: TokenCounter) -> bool:
    """Whether a tighter policy would shorten anything: a result, or a message that would be cut."""
    limit = max(MIN_MESSAGE_TOKENS, policy.tighten().max_message_tokens or 0)
    said = (message for group in window.groups for message in group.messages)
    return any(one.role == "tool" or (one.role == "user" and count(one.content) > limit) for one in said)


class _Fitted(NamedTuple):
    window: HistoryWindow
    sections: FittedSections
    tools: FittedTools
    language: Language


def _report(call: CallInputs, kept: _Fitted, written: WrittenPrompt, tokens: int, mode: Mode) -> BuiltPrompt:
    limit = call.budget.limit_tokens
    uses = tuple(_complete_use(use, call, kept.tools) for use in kept.sections.uses if use.tokens or use.name != TOOLS)
    notes = [written.note] if written.note else []
    if tokens > limit:
        notes.append(_over_budget_note(tokens, limit, uses, kept.language))
    return BuiltPrompt(
        stage=call.stage,
        mode=mode,
        system=written.system,
        messages=written.messages,
        tokens=tokens,
        limit_tokens=limit,
        menu=call.menu,
        tools=kept.tools.definitions,
        sections=uses,
        dropped=(*kept.window.dropped, *kept.sections.dropped, *kept.tools.dropped),
        notes=tuple(notes),
        digests=tuple(sorted(kept.window.digest_ids)),
    )


def _make_fixed_section(name: str, tokens: int) -> Section:
    return Section(name, "", 100, required=True, pieces=(Piece(name, "", tokens=tokens),))


def _complete_use(use: SectionUse, call: CallInputs, tools: FittedTools) -> SectionUse:
    if use.name == TOOLS:
        return tools.to_section_use()
    if use.name != MENU or call.menu is None:
        return use
    gone = tuple(one.piece for one in call.menu.dropped)
    return SectionUse(MENU, use.tokens, call.menu.enum, gone, call.budget.section_limits.get(MENU), False)


def _over_budget_note(tokens: int, limit: int, uses: Sequence[SectionUse], language: Language) -> str:
    greatest = sorted((use for use in uses if use.tokens), key=lambda use: -use.tokens)[:3]
    parts = join_names((f"{use.name} {use.tokens}" for use in greatest), language)
    return NOTES.render("over_budget", language, tokens=tokens, limit=limit, parts=parts)
