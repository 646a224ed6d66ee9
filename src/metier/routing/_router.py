"""Router: takes a message and a catalog, returns a Decision."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import Unavailable
from metier.routing._calibration import Heads, Odds, mode_of, probability, shipped_heads
from metier.routing._candidates import Spoken, candidates_of, raise_odds
from metier.routing._clauses import follows_up, is_small_talk, says_little, turns_away
from metier.routing._decision import Candidate, Decision, Verdict
from metier.routing._denials import Heard, hear
from metier.routing._explicit import Named, find_named
from metier.routing._filters import Offer, why_not
from metier.routing._glossary import Glossary
from metier.routing._index import RoutingIndex
from metier.routing._parts import Part, parts_of
from metier.routing._ranking import Query, Ranking, rank
from metier.routing._several import Judged, judge_parts, settle
from metier.routing._shelf import Ready, Seen, Shelf
from metier.routing._sticky import prefer, stay
from metier.routing._terms import fold, plain
from metier.routing._threads import one_thread
from metier.routing._view import View
from metier.routing._weighed import Weighed
from metier.routing._wording import Note
from metier.skills import Catalog

Floats = NDArray[np.float32]

# In a long message the request stands before or after the pasted text, so both ends are read.
HEAD_CHARS: Final = 6_000
TAIL_CHARS: Final = 2_000
_TRIGGER_BONUS: Final = 0.06
# Margin between the first two skills, in log-odds, below which the user must choose.
_CLOSE_CALL: Final = 0.2


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum probabilities to take the first skill (`auto`), to offer three (`suggest`), to assume any (`meant`)."""

    auto: float = 0.8
    suggest: float = 0.6
    meant: float = 0.5


@dataclass(slots=True)
class Router:
    """Finds the skill for a message in Chinese or English, or decides that none is meant.

    Thread-safe. Indexes of the last catalogs are cached; only changed skills are read and embedded again.
    """

    views: tuple[View, ...] = ()
    glossary: Glossary = field(default_factory=Glossary)
    thresholds: Thresholds = Thresholds()
    top_k: int = 3
    groups: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    heads: Mapping[str, Heads] = field(default_factory=shipped_heads)
    clock: Callable[[], float] = perf_counter
    _shelf: Shelf = field(default_factory=Shelf)

    def route(
        self,
        message: str,
        *,
        catalog: Catalog,
        host: str | None = None,
        history: Sequence[str] = (),
        active: str | None = None,
    ) -> Decision:
        """Decide for one message; `history` holds earlier user messages, `active` is the skill now in use."""
        started = self.clock()
        seen = self._shelf.seen(catalog, Offer(host, self.groups, self.tools))
        decision = self._decide(message, seen, history, active)
        return replace(decision, elapsed_ms=(self.clock() - started) * 1000)

    def prepare(self, catalog: Catalog, *, host: str | None = None) -> tuple[str, ...]:
        """Build the index before the first message; returns notes on missing or degraded views, in English."""
        seen = self._shelf.seen(catalog, Offer(host, self.groups, self.tools))
        if not seen.texts:
            return ()
        ready = self._shelf.ready(seen, self.views, self.clock)
        for views in ready.index.usable or [()]:
            ready.offsets.of(self.heads[mode_of(views)], views)
        return tuple(note.text for note in ready.notes)

    def route_many(self, messages: Sequence[str], *, catalog: Catalog, host: str | None = None) -> tuple[Decision, ...]:
        """Decide for each message independently."""
        return tuple(self.route(message, catalog=catalog, host=host) for message in messages)

    def _decide(self, message: str, seen: Seen, history: Sequence[str], active: str | None) -> Decision:
        named = find_named(message, seen.names)
        if named is not None and (named.lists or named.skill):
            return _list(message, seen) if named.lists else _named(named, seen)
        text = _readable(message)
        if not _has_words(text):
            return Decision("none", "empty", message, filtered=seen.filtered, why=(Note("no_words"),))
        found = self._find(text, seen, history, _in_use(active, seen))
        why = found.why if named is None else (_unknown(named), *found.why)
        return replace(found, message=message, filtered=seen.filtered, why=why)

    def _find(self, text: str, seen: Seen, history: Sequence[str], active: str | None) -> Decision:
        folded = fold(text)
        active = None if turns_away(folded) else active
        goes_on = follows_up(folded)
        others = active is not None and _speaks_of_others(folded, seen, active)
        if active is not None and goes_on and not others:
            return stay(Decision("none", "sticky", text), active, Note.of("goes_on", skill=active))
        if is_small_talk(folded) and not seen.listeners.hits(folded):
            return Decision("none", "search", text, why=(Note("asks_nothing"),))
        if not seen.texts:
            return Decision("none", "search", text, why=(Note("nothing_offered"),))
        found = self._search(text, seen)
        if active is not None:
            return prefer(found, active, folded, goes_on=goes_on, speaks_of_others=others)
        if goes_on and found.decision.verdict == "none":
            return self._with_history(found.decision, seen, history)
        return found.decision

    def _with_history(self, found: Decision, seen: Seen, history: Sequence[str]) -> Decision:
        """Route the last message that was no follow-up when the active skill is unknown; at most suggests."""
        texts = (_readable(message) for message in reversed(history))
        earlier = next((text for text in texts if _has_words(text) and not follows_up(fold(text))), None)
        before = self._search(earlier, seen).decision if earlier is not None else found
        if before.verdict == "none":
            return found
        return replace(before, verdict="suggest", why=(*before.why, Note("reads_earlier")))

    def _search(self, text: str, seen: Seen) -> Judged:
        ready = self._shelf.ready(seen, self.views, self.clock)
        heard = hear(text, seen.listeners.words)
        why = [*ready.notes, *(Note.of("denies", word=word) for word in heard.denied)]
        why += [Note.of("refuses", text=said) for said in heard.refused]
        if not _has_words(heard.asked):
            return Judged(Decision("none", "search", text, why=(*why, Note("asks_nothing_else"))))
        found = self._settle(heard, seen, ready)
        decision = replace(found.decision, why=tuple(dict.fromkeys((*why, *found.decision.why))))
        return replace(found, decision=decision)

    def _settle(self, heard: Heard, seen: Seen, ready: Ready) -> Judged:
        whole = self._judge(heard.asked, seen, ready, heard.denied, self.views)
        parts = parts_of(heard.asked, seen.listeners) if whole.may_be_several else ()
        if not parts:
            return whole

        def judge(part: Part) -> Judged:
            # One view only, at half the cost: fewer single requests are split by mistake, a few double ones are
            # missed.
            return self._judge(part.text, seen, ready, heard.denied, self.views[:1])

        judged = judge_parts(whole, [part for part in parts if part.asks], judge)
        return replace(whole, decision=settle(whole, judged, {known.skill: known.group for known in seen.texts}))

    def weigh(self, message: str, *, catalog: Catalog) -> Weighed | None:
        """Ranking and signals of a message before calibration; None if it has no words or no skill is eligible."""
        seen = self._shelf.seen(catalog, Offer(None, self.groups, self.tools))
        heard = hear(_readable(message), seen.listeners.words)
        if not seen.texts or not _has_words(heard.asked):
            return None
        ready = self._shelf.ready(seen, self.views, self.clock)
        found = self._weigh(heard.asked, seen, ready, heard.denied, self.views)
        return found if len(found.ranking.order) else None

    def _weigh(self, asked: str, seen: Seen, ready: Ready, denied: Sequence[str], views: Sequence[View]) -> Weighed:
        index = ready.index
        hits = seen.listeners.hits(fold(asked))
        spoken = Spoken(hits, seen.listeners.worth(hits), seen.listeners.named_by(denied))
        vectors, notes = _embed(asked, index, views)
        terms = self.glossary.expand(asked, index.lexical.knows)
        # A skill that is refused by one name and requested by another counts as requested: 不要PPT，要幻灯片.
        refused = frozenset(spoken.refused.keys() - hits.keys())
        query = Query(terms, vectors, _bonus(spoken.worth, len(index)), refused)
        with one_thread():
            ranking = rank(index, query)
        mode = mode_of(ranking.by_view)
        offset = ready.offsets.of(self.heads[mode], tuple(ranking.by_view))
        return Weighed(index, query, ranking, spoken, mode, offset, notes)

    def _judge(self, asked: str, seen: Seen, ready: Ready, denied: Sequence[str], views: Sequence[View]) -> Judged:
        found = self._weigh(asked, seen, ready, denied, views)
        ranking, vectors = found.ranking, bool(found.query.vectors)
        if not len(ranking.order):
            return Judged(Decision("none", "search", asked, why=found.notes, vectors=vectors))
        if not vectors and not found.spoken.hits and says_little(fold(asked)):
            # "no" shares its letters with half of the catalog and scored 0.59.
            return Judged(Decision("none", "search", asked, why=(*found.notes, Note("too_little"))))
        odds = raise_odds(self.heads[found.mode](found.signals).shifted(found.offset), ranking, found.spoken)
        verdict = self._verdict(odds, ranking)
        chosen = found.first if verdict != "none" else None
        candidates = candidates_of(found.index, found.query, ranking, odds, found.spoken, most=self.top_k)
        skills = (chosen,) if chosen else ()
        meant = probability(odds.meant)
        decision = Decision(verdict, "search", asked, chosen, skills, candidates, (), found.notes, vectors, meant)
        hits = found.spoken.hits
        return Judged(decision, found.order, probability(odds.right), int(ranking.order[0]) in hits, len(hits))

    def _verdict(self, odds: Odds, ranking: Ranking) -> Verdict:
        among = max(probability(odds.among), probability(odds.right))
        if probability(odds.meant) < self.thresholds.meant or among < self.thresholds.suggest:
            return "none"
        close = len(ranking.scores) > 1 and ranking.scores[0] - ranking.scores[1] < _CLOSE_CALL
        return "auto" if probability(odds.right) >= self.thresholds.auto and not close else "suggest"


def _embed(asked: str, index: RoutingIndex, views: Sequence[View]) -> tuple[dict[str, Floats], tuple[Note, ...]]:
    vectors: dict[str, Floats] = {}
    notes: list[Note] = []
    for view in views:
        if view.name not in index.views:
            continue
        try:
            vector = view.embed(asked)
        except Unavailable as error:
            notes.append(Note.of("no_vector", view=view.name, why=error.message))
            continue
        if vector is None:
            continue
        notes += map(Note.plain, view.notes)
        if vector.shape != (index.views[view.name].width,) or not np.isfinite(vector).all():
            notes.append(Note.of("bad_vector", view=view.name))
        elif vector.any():
            vectors[view.name] = vector.astype(np.float32, copy=False)
    if not vectors:
        notes.append(Note("words_alone"))
    return vectors, tuple(notes)


def _readable(message: str) -> str:
    if len(message) > HEAD_CHARS + TAIL_CHARS:
        message = f"{message[:HEAD_CHARS]}\n{message[-TAIL_CHARS:]}"
    return plain(message).strip()


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _list(message: str, seen: Seen) -> Decision:
    able = [skill for skill in seen.catalog if why_not(skill, seen.catalog, seen.offer, by_name=True) is None]
    return Decision(
        "none", "list", message, why=tuple(Note.of("listed", skill=skill.id, title=skill.title) for skill in able)
    )


def _named(named: Named, seen: Seen) -> Decision:
    skill = seen.catalog[named.skill]
    reason = why_not(skill, seen.catalog, seen.offer, by_name=True)
    if reason is not None:
        note = Note.of("named_but", skill=skill.id, why=Note(reason.code, reason.values))
        return Decision("none", "explicit", named.rest, filtered=(reason,), why=(note,))
    why = (Note.of("named", skill=skill.id),)
    return Decision("auto", "explicit", named.rest, skill.id, (skill.id,), (Candidate(skill.id, 1.0),), why=why)


def _unknown(named: Named) -> Note:
    name, near = plain(named.asked[:80]), tuple(f"/{skill}" for skill in named.near)
    return Note.of("unknown_near", name=name, near=near) if near else Note.of("unknown", name=name)


def _in_use(active: str | None, seen: Seen) -> str | None:
    """The active skill if it may still run here, also when only a user may start it by name; otherwise None."""
    skill = seen.catalog.get(active) if active is not None else None
    if skill is None:
        return None
    offered = any(text.skill == active for text in seen.texts)
    return active if offered or why_not(skill, seen.catalog, seen.offer, by_name=True) is None else None


def _speaks_of_others(folded: str, seen: Seen, active: str) -> bool:
    hits = seen.listeners.hits(folded)
    return bool(hits) and active not in {seen.listeners.ids[skill] for skill in hits}


def _bonus(worth: Mapping[int, float], size: int) -> Floats | None:
    if not worth:
        return None
    bonus: Floats = np.zeros(size, dtype=np.float32)
    bonus[list(worth)] = list(worth.values())
    return np.float32(_TRIGGER_BONUS) * bonus
