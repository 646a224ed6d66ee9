"""Selects the history window: calls paired with their results, as providers require, with old bulky results cleared."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.context._messages import (
    USE_SKILL,
    ContextMessage,
    StoredCall,
    StoredMessage,
    count_message_tokens,
    to_context_message,
)
from metier.context._sections import DropCode, DroppedPiece, Piece, Section

HISTORY: Final = "history"
_MIN_CLEARED_TOKENS: Final = 100


@dataclass(frozen=True, slots=True)
class MessageGroup:
    """Messages kept or dropped together: one message, or a call with its results. `at` is the first index."""

    at: int
    messages: tuple[ContextMessage, ...]

    @property
    def id(self) -> str:
        last = self.at + len(self.messages) - 1
        return f"message {self.at}" if last == self.at else f"messages {self.at}-{last}"

    @property
    def role(self) -> str:
        return self.messages[0].role


@dataclass(frozen=True, slots=True)
class StoredGroup:
    """A stored message with its answered calls and their results; becomes a `MessageGroup` once the window is known."""

    at: int
    message: StoredMessage
    calls: tuple[StoredCall, ...] = ()
    results: tuple[StoredMessage, ...] = ()

    @property
    def size(self) -> int:
        return 1 + len(self.results)

    def to_message_group(self) -> MessageGroup:
        answers = (to_context_message(one, tool=call.name) for call, one in zip(self.calls, self.results, strict=True))
        return MessageGroup(self.at, (to_context_message(self.message, self.calls), *answers))


@dataclass(frozen=True, slots=True)
class ClearingPolicy:
    """When tool results are removed from the history.

    Above `trigger_tokens` of results, the oldest are cleared until the total is below it. The newest `keep` results
    stay, and so do those of `keep_tools`: skill and knowledge texts are still needed when old numbers are not.
    """

    trigger_tokens: int = 3000
    keep: int = 2
    keep_tools: frozenset[str] = frozenset({USE_SKILL, "load_rule", "search_knowledge"})

    def placeholder(self, tool: str, tokens: int) -> str:
        return f"[{tokens} tokens of {tool} were cleared; call it again if they are needed]"


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """The part of the history that may be shown, and what was dropped before any budget applied."""

    groups: tuple[MessageGroup, ...]
    dropped: tuple[DroppedPiece, ...] = ()

    def to_section(
        self, count: Callable[[str], int], *, priority: int, limit_tokens: int, required: bool = False
    ) -> Section:
        """Convert to a section: newer groups are worth more; the last user message and newest group are required."""
        last_user = max((at for at, group in enumerate(self.groups) if group.role == "user"), default=-1)
        musts = {last_user, len(self.groups) - 1}
        pieces = tuple(
            Piece(
                id=group.id,
                text="",
                worth=at,
                required=at in musts,
                tokens=sum(count_message_tokens(message, count) for message in group.messages),
            )
            for at, group in enumerate(self.groups)
        )
        return Section(HISTORY, "", priority, required, pieces, limit_tokens, contiguous=True)

    def select_messages(self, kept: Iterable[Piece]) -> tuple[ContextMessage, ...]:
        """The messages of the kept groups."""
        names = {piece.id for piece in kept}
        return tuple(message for group in self.groups if group.id in names for message in group.messages)


def build_window(
    history: Sequence[StoredMessage],
    *,
    last: int,
    count: Callable[[str], int],
    clearing: ClearingPolicy,
    start: int = 0,
) -> HistoryWindow:
    """Select the last `last` messages; a call at the edge of the window comes with all its results.

    The last user message is always included, however many calls followed it.
    """
    pairs, filtered = pair_calls_with_results(history, start)
    first, seen = len(pairs), 0
    while first > 0 and seen < last:
        first -= 1
        seen += pairs[first].size
    asked = max((at for at, pair in enumerate(pairs) if pair.message.role == "user"), default=first)
    inside = pairs[first:] if asked >= first else [pairs[asked], *pairs[first:]]
    outside = [pair for at, pair in enumerate(pairs[:first]) if at != asked]
    cleared, gone = clear_old_results([pair.to_message_group() for pair in inside], clearing, count)
    return HistoryWindow(tuple(cleared), (*filtered, *_drop_outside_window(outside, last), *gone))


def _drop_outside_window(pairs: Sequence[StoredGroup], last: int) -> Iterator[DroppedPiece]:
    """Report all older messages as one entry, so that a long conversation does not produce a long report."""
    if pairs:
        count = sum(pair.size for pair in pairs)
        yield DroppedPiece(HISTORY, f"{count} older", 0, "window", f"only the last {last} messages are shown")


def pair_calls_with_results(
    history: Sequence[StoredMessage], start: int = 0
) -> tuple[list[StoredGroup], list[DroppedPiece]]:
    """Pair every call with exactly one result, right after the call and in call order; drop everything else.

    The store keeps pairs complete; this is the last safeguard, since a provider rejects the whole request otherwise.
    """
    pairs: list[StoredGroup] = []
    dropped: list[DroppedPiece] = []
    at = 0
    while at < len(history):
        message = history[at]
        end = at + 1
        if message.role == "assistant" and message.tool_calls:
            while end < len(history) and history[end].role == "tool":
                end += 1
            pair = _read_exchange(message, history[at + 1 : end], start + at, dropped)
        else:
            pair = _read_single(message, start + at, dropped)
        if pair is not None:
            pairs.append(pair)
        at = end
    return pairs, dropped


def _read_single(message: StoredMessage, at: int, dropped: list[DroppedPiece]) -> StoredGroup | None:
    if message.role == "tool":
        dropped.append(
            _dropped_message(at, "no_call", f"the result of {message.tool_call_id!r} does not follow its call")
        )
    elif message.role not in ("user", "assistant"):
        dropped.append(_dropped_message(at, "role", f"role {message.role!r} has no place in a history"))
    elif not message.content.strip():
        dropped.append(_dropped_message(at, "empty", f"the {message.role} message is empty"))
    else:
        return StoredGroup(at, message)
    return None


def _read_exchange(
    call: StoredMessage, results: Sequence[StoredMessage], at: int, dropped: list[DroppedPiece]
) -> StoredGroup | None:
    answers: dict[str, StoredMessage] = {}
    wanted = {one.id for one in call.tool_calls if one.id}
    for number, result in enumerate(results, at + 1):
        key = result.tool_call_id or ""
        if key not in wanted:
            dropped.append(_dropped_message(number, "no_call", f"no call before it has the id {key!r}"))
        elif key in answers:
            dropped.append(_dropped_message(number, "twice", f"call {key!r} has its result already"))
        else:
            answers[key] = result
    calls = tuple(_select_answered_calls(call.tool_calls, answers, at, dropped))
    if not calls and not call.content.strip():
        return None
    return StoredGroup(at, call, calls, tuple(answers[one.id] for one in calls))


def _select_answered_calls(
    calls: Sequence[StoredCall], answers: dict[str, StoredMessage], at: int, dropped: list[DroppedPiece]
) -> Iterator[StoredCall]:
    seen: set[str] = set()
    for call in calls:
        if call.id in seen:
            dropped.append(_dropped_message(at, "twice", f"call {call.id!r} of {call.name!r} stands there twice"))
        elif call.id not in answers:
            dropped.append(
                _dropped_message(at, "no_result", f"call {call.id!r} of {call.name!r} has no result after it")
            )
        else:
            seen.add(call.id)
            yield call


def _dropped_message(at: int, code: DropCode, text: str) -> DroppedPiece:
    return DroppedPiece(HISTORY, f"message {at}", 0, code, text)


def clear_old_results(
    groups: Sequence[MessageGroup], clearing: ClearingPolicy, count: Callable[[str], int]
) -> tuple[list[MessageGroup], list[DroppedPiece]]:
    """Replace old bulky tool results by placeholders, oldest first, until the total is below the trigger."""
    results = [
        (number, place, count(message.content))
        for number, group in enumerate(groups)
        for place, message in enumerate(group.messages)
        if message.role == "tool"
    ]
    excess = sum(tokens for _, _, tokens in results) - clearing.trigger_tokens
    changed = [list(group.messages) for group in groups]
    dropped: list[DroppedPiece] = []
    for number, place, tokens in results[: max(0, len(results) - clearing.keep)]:
        message = groups[number].messages[place]
        tool = message.name or "tool"
        if excess <= 0:
            break
        if tool in clearing.keep_tools or tokens < _MIN_CLEARED_TOKENS:
            continue
        placeholder = clearing.placeholder(tool, tokens)
        changed[number][place] = replace(message, content=placeholder)
        excess -= tokens - count(placeholder)
        text = f"an old result of {tool}: beyond {clearing.trigger_tokens} tokens of results the oldest go"
        dropped.append(DroppedPiece(HISTORY, f"message {groups[number].at + place}", tokens, "cleared", text))
    return [MessageGroup(group.at, tuple(parts)) for group, parts in zip(groups, changed, strict=True)], dropped
