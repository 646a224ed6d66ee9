"""Selects the history window: calls paired with their results, as providers require, with long results as digests."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from metier.context._digests import DigestPolicy, cut_middle, digest_text
from metier.context._messages import (
    ContextMessage,
    StoredCall,
    StoredMessage,
    count_message_tokens,
    to_context_message,
)
from metier.context._sections import DropCode, DroppedPiece, Piece, Section

HISTORY: Final = "history"
# A message of this length is never cut, however little room there is.
MIN_MESSAGE_TOKENS: Final = 200
_EARLIER_SHARE: Final = 3


Digest = Callable[[str, int, Callable[[str], int]], str]  # a text in at most so many tokens


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

    @property
    def call_ids(self) -> frozenset[str]:
        return frozenset(call.id for call in self.messages[0].tool_calls)


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

    @property
    def is_user(self) -> bool:
        return self.message.role == "user"


class TurnHistory(NamedTuple):
    """What of the history the present turn needs.

    `start` is the index of the turn's first message, the user's question, which always stays; None if it is not known.
    `cited` are ids of calls whose results the plan works with: they stay, as digests if they are long. `pointer` makes
    the sentence that says how to read the rest of a digest, from the call's id and the tokens of the whole result;
    `cut_note` stands where the middle of a long message was, from its tokens and whether it is one of this turn.
    """

    start: int | None = None
    cited: frozenset[str] = frozenset()
    pointer: Callable[[str, int], str] = lambda _call, tokens: f"[shortened from {tokens} tokens]"
    cut_note: Callable[[int, bool], str] = lambda tokens, _of_turn: f"[… shortened from {tokens} tokens …]"


_NO_TURN: Final = TurnHistory()


@dataclass(frozen=True, slots=True)
class HistoryWindow:
    """The part of the history that may be shown, and what was dropped before any budget applied.

    `required` are the groups that always stay: the turn's question, the last user message, the newest group, and
    results that the plan works with. `of_turn` are all groups of the present turn. `tokens` are those of each group.
    """

    groups: tuple[MessageGroup, ...]
    tokens: tuple[int, ...] = ()
    dropped: tuple[DroppedPiece, ...] = ()
    required: frozenset[int] = frozenset()
    of_turn: frozenset[int] = frozenset()
    digest_ids: frozenset[str] = frozenset()

    def to_section(self, *, priority: int, limit_tokens: int, required: bool = False) -> Section:
        """Convert to a section: newer messages are worth more, and a question more than the calls that followed it."""
        worth = _rank_groups(self.groups, min(self.of_turn, default=len(self.groups)))
        pieces = tuple(
            Piece(
                id=group.id,
                text="",
                worth=worth[at],
                required=at in self.required,
                tokens=tokens,
            )
            for at, (group, tokens) in enumerate(zip(self.groups, self.tokens, strict=True))
        )
        return Section(HISTORY, "", priority, required, pieces, limit_tokens, contiguous=True)

    def select_messages(self, kept: Iterable[Piece]) -> tuple[ContextMessage, ...]:
        """The messages of the kept groups."""
        names = {piece.id for piece in kept}
        return tuple(message for group in self.groups if group.id in names for message in group.messages)

    def has_lost_turn(self, kept: Iterable[Piece]) -> bool:
        """Whether a message of the present turn is not among the kept ones."""
        names = {piece.id for piece in kept}
        return any(self.groups[at].id not in names for at in self.of_turn)


def _rank_groups(groups: Sequence[MessageGroup], turn_at: int) -> list[int]:
    """Worth of each group: the present turn, then what was said before it, then the calls before it; each newest first.

    In a segment, from one user message to the next, the user's message comes first, then the last answer in words. So
    whatever is dropped from the end of this order, what is left begins with a user message.
    """
    bounds = [*(at for at, group in enumerate(groups) if group.role == "user"), len(groups)]
    now: list[int] = []
    said: list[int] = []
    called: list[int] = []
    for begin, end in reversed(list(pairwise(bounds))):
        inside = range(end - 1, begin, -1)
        answer = [at for at in inside if not groups[at].call_ids][:1]
        others = [at for at in inside if at not in answer]
        if begin >= turn_at or not now:
            now += [begin, *answer, *others]
        else:
            said += [begin, *answer]
            called += others
    order = [*now, *said, *called, *range(bounds[0] - 1, -1, -1)]
    worth = [0] * len(groups)
    for rank, at in enumerate(order):
        worth[at] = -rank
    return worth


def build_window(
    history: Sequence[StoredMessage],
    *,
    last: int,
    count: Callable[[str], int],
    policy: DigestPolicy,
    offset: int = 0,
    turn: TurnHistory = _NO_TURN,
    digest: Digest = digest_text,
) -> HistoryWindow:
    """Select the last `last` messages, or with a known turn all of it and the last `last` messages before.

    A call at the edge comes with all its results, and with the user message that it belongs to: a history never begins
    with an assistant's message, unless it continues one (`offset`). The last user message is always included.
    """
    pairs, filtered = pair_calls_with_results(history, offset)
    began = next((at for at, pair in enumerate(pairs) if pair.at >= offset + (turn.start or 0)), len(pairs))
    end = len(pairs) if turn.start is None else began
    chosen = _select_pairs(pairs, last, end, continues=offset > 0)
    inside = [pairs[at] for at in chosen]
    outside = sum(pair.size for at, pair in enumerate(pairs) if at not in chosen)
    groups, shortened = digest_results(inside, policy, count, turn.pointer, turn.cited, digest=digest)
    of_turn = frozenset(at for at, pair in enumerate(chosen) if turn.start is not None and pair >= began)
    groups, cut = _cut_messages(groups, policy, count, turn.cut_note, of_turn)
    return HistoryWindow(
        tuple(groups),
        tuple(sum(count_message_tokens(message, count) for message in group.messages) for group in groups),
        (*filtered, *_drop_outside_window(outside, last), *(one.dropped for one in shortened), *cut),
        _find_required(groups, of_turn, turn.cited),
        of_turn,
        frozenset(one.call for one in shortened),
    )


def _select_pairs(pairs: Sequence[StoredGroup], last: int, end: int, *, continues: bool) -> list[int]:
    """Indexes of the window: the `last` messages before `end`, the question they belong to, and all that follows."""
    first, seen = end, 0
    while first > 0 and seen < last:
        first -= 1
        seen += pairs[first].size
    asked = [at for at, pair in enumerate(pairs) if pair.is_user]
    before = [at for at in asked if at < first]
    chosen = set(range(first, len(pairs)))
    if first < len(pairs) and not pairs[first].is_user and before:
        chosen.add(before[-1])
    chosen |= {asked[-1]} if asked else set()
    led_by = min(chosen & set(asked), default=0)
    return sorted(at for at in chosen if continues or at >= led_by)


def _find_required(groups: Sequence[MessageGroup], of_turn: frozenset[int], cited: frozenset[str]) -> frozenset[int]:
    users = [at for at, group in enumerate(groups) if group.role == "user"]
    question = [at for at in users if at in of_turn][:1]
    needed = [at for at, group in enumerate(groups) if group.call_ids & cited]
    return frozenset([*question, *users[-1:], *needed, *([len(groups) - 1] if groups else [])])


def _drop_outside_window(count: int, last: int) -> Iterator[DroppedPiece]:
    """Report all older messages as one entry, so that a long conversation does not produce a long report."""
    if count:
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


class ShortenedResult(NamedTuple):
    """A result that is shown as a digest: its call, and the entry of the report."""

    call: str
    dropped: DroppedPiece


class _Result(NamedTuple):
    group: int
    place: int
    tool: str
    tokens: int


def digest_results(
    pairs: Sequence[StoredGroup],
    policy: DigestPolicy,
    count: Callable[[str], int],
    pointer: Callable[[str, int], str],
    kept_calls: frozenset[str] = frozenset(),
    *,
    digest: Digest = digest_text,
) -> tuple[list[MessageGroup], list[ShortenedResult]]:
    """Convert to message groups, with results beyond the policy as digests that say how to read the rest.

    Results of `kept_calls`, which the running plan cites, do not shrink further when all results have too much.
    """
    results = [
        _Result(number, place, pair.calls[place].name, count(one.content))
        for number, pair in enumerate(pairs)
        for place, one in enumerate(pair.results)
    ]
    cited = frozenset((one.group, one.place) for one in results if pairs[one.group].calls[one.place].id in kept_calls)
    limits = _find_result_limits(results, policy, cited)
    shortened: list[ShortenedResult] = []
    groups: list[MessageGroup] = []
    for number, pair in enumerate(pairs):
        answers = [to_context_message(one, tool=call.name) for call, one in zip(pair.calls, pair.results, strict=True)]
        for place in (place for place in range(len(answers)) if (number, place) in limits):
            limit = limits[number, place]
            answers[place], found = _digest_result(pair, place, limit, count=count, pointer=pointer, digest=digest)
            shortened.append(found)
        groups.append(MessageGroup(pair.at, (to_context_message(pair.message, pair.calls), *answers)))
    return groups, shortened


def _cut_messages(
    groups: Sequence[MessageGroup],
    policy: DigestPolicy,
    count: Callable[[str], int],
    note: Callable[[int, bool], str],
    of_turn: frozenset[int],
) -> tuple[list[MessageGroup], list[DroppedPiece]]:
    """The groups with long messages of the user as beginning and end; those of earlier turns get a third of the room.

    Without a known turn the last message is the present one.
    """
    if policy.max_message_tokens is None:
        return list(groups), []
    made, cut = list(groups), list[DroppedPiece]()
    last = max((at for at, group in enumerate(groups) if group.role == "user"), default=-1)
    for at, group in enumerate(groups):
        is_now = at in of_turn or (not of_turn and at == last)
        room = policy.max_message_tokens if is_now else policy.max_message_tokens // _EARLIER_SHARE
        limit = max(MIN_MESSAGE_TOKENS, room)
        tokens = count(group.messages[0].content) if group.role == "user" else 0
        if tokens > limit:
            short = cut_middle(group.messages[0].content, limit, count, note(tokens, is_now))
            made[at] = replace(group, messages=(replace(group.messages[0], content=short), *group.messages[1:]))
            text = f"beginning and end of at most {limit} tokens stand for the {tokens} of the message"
            cut.append(DroppedPiece(HISTORY, group.id, tokens - count(short), "shortened", text))
    return made, cut


def _find_result_limits(
    results: Sequence[_Result], policy: DigestPolicy, cited: frozenset[tuple[int, int]]
) -> dict[tuple[int, int], int]:
    """Tokens that a result may have, for those that have more."""
    limits: dict[tuple[int, int], int] = {}
    excess = -policy.trigger_tokens
    for one in results:
        if one.tokens > policy.max_result_tokens and one.tool not in policy.keep_tools | policy.page_tools:
            limits[one.group, one.place] = policy.max_result_tokens
        excess += limits.get((one.group, one.place), one.tokens)
    for one in results[: max(0, len(results) - policy.keep)]:
        now = limits.get((one.group, one.place), one.tokens)
        if (one.group, one.place) in cited:
            continue
        if excess > 0 and one.tool not in policy.keep_tools and now > policy.digest_tokens:
            limits[one.group, one.place] = policy.digest_tokens
            excess -= now - policy.digest_tokens
    return limits


def _digest_result(
    pair: StoredGroup,
    place: int,
    limit: int,
    *,
    count: Callable[[str], int],
    pointer: Callable[[str, int], str],
    digest: Digest,
) -> tuple[ContextMessage, ShortenedResult]:
    call, stored = pair.calls[place], pair.results[place]
    tokens = count(stored.content)
    short = digest(stored.content, limit, count)
    message = to_context_message(stored, tool=call.name, digest=short, note=pointer(call.id, tokens))
    text = f"a digest of at most {limit} tokens stands for the {tokens} of {call.name}"
    piece = DroppedPiece(HISTORY, f"message {pair.at + place + 1}", tokens - count(short), "digest", text)
    return message, ShortenedResult(call.id, piece)
