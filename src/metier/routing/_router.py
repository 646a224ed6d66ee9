"""Message and catalog in, decision out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.errors import Unavailable
from metier.routing._calibration import Heads, Odds, mode_of, probability, shipped_heads
from metier.routing._candidates import Spoken, candidates_of, raise_odds
from metier.routing._clauses import asks, follows_up, hear, is_small_talk, says_little
from metier.routing._decision import Candidate, Decision, Verdict
from metier.routing._explicit import Named, find_named
from metier.routing._filters import Offer, why_not
from metier.routing._glossary import Glossary
from metier.routing._index import RoutingIndex
from metier.routing._ranking import Query, Ranking, rank
from metier.routing._shelf import Ready, Seen, Shelf
from metier.routing._terms import fold, plain
from metier.routing._threads import one_thread
from metier.routing._view import View
from metier.routing._weighed import Weighed
from metier.skills import Catalog

Floats = NDArray[np.float32]

# In a long message the request stands before or after what was pasted.
HEAD_CHARS: Final = 6_000
TAIL_CHARS: Final = 2_000
_TRIGGER_BONUS: Final = 0.06
# The first two of a ranking are this close, in log-odds: nobody should choose for the user.
_CLOSE_CALL: Final = 0.2


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which probability the first skill is taken, the first three are offered, any skill is believed meant."""

    auto: float = 0.8
    suggest: float = 0.6
    meant: float = 0.5


@dataclass(slots=True)
class Router:
    """Finds the skill for a message, in Chinese or English, or says none.

    Thread-safe; the indexes of the last catalogs are kept and only what changed is read again.
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
        """Decide for one message. `history` are earlier user messages, `active` the skill now in use."""
        started = self.clock()
        seen = self._shelf.seen(catalog, Offer(host, self.groups, self.tools))
        decision = self._decide(message, seen, history, active)
        return replace(decision, elapsed_ms=(self.clock() - started) * 1000)

    def prepare(self, catalog: Catalog, *, host: str | None = None) -> tuple[str, ...]:
        """Build the index before the first message comes; what there is to say about it, in sentences."""
        seen = self._shelf.seen(catalog, Offer(host, self.groups, self.tools))
        if not seen.texts:
            return ()
        ready = self._shelf.ready(seen, self.views, self.clock)
        for views in ready.index.usable or [()]:
            ready.offsets.of(self.heads[mode_of(views)], views)
        return ready.notes

    def route_many(self, messages: Sequence[str], *, catalog: Catalog, host: str | None = None) -> tuple[Decision, ...]:
        """Decide for many messages, each on its own."""
        return tuple(self.route(message, catalog=catalog, host=host) for message in messages)

    def _decide(self, message: str, seen: Seen, history: Sequence[str], active: str | None) -> Decision:
        named = find_named(message, seen.names)
        if named is not None and (named.lists or named.skill):
            return _list(message, seen) if named.lists else _named(named, seen)
        text = _readable(message)
        if not _has_words(text):
            return Decision("none", "empty", message, filtered=seen.filtered, notes=("the message has no words",))
        found = self._find(text, seen, history, _in_use(active, seen))
        notes = found.notes if named is None else (_unknown(named), *found.notes)
        return replace(found, message=message, filtered=seen.filtered, notes=notes)

    def _find(self, text: str, seen: Seen, history: Sequence[str], active: str | None) -> Decision:
        folded = fold(text)
        goes_on = follows_up(folded)
        if active is not None and goes_on and not _speaks_of_others(folded, seen, active):
            return _stay(Decision("none", "sticky", text), active, f"the message goes on with {active!r}")
        if is_small_talk(folded) and not seen.listeners.hits(folded):
            return Decision("none", "search", text, notes=("the message asks for nothing",))
        if not seen.texts:
            return Decision("none", "search", text, notes=("no skill can be offered",))
        found = self._search(text, seen)
        if active is not None:
            return _prefer(found, active, goes_on=goes_on)
        if goes_on and found.verdict == "none":
            return self._with_history(found, seen, history)
        return found

    def _with_history(self, found: Decision, seen: Seen, history: Sequence[str]) -> Decision:
        """What a follow-up goes on with, when nobody says which skill is in use: offered, never taken."""
        texts = (_readable(message) for message in reversed(history))
        earlier = next((text for text in texts if _has_words(text) and not follows_up(fold(text))), None)
        before = self._search(earlier, seen) if earlier is not None else found
        if before.verdict == "none":
            return found
        note = "the message goes on with an earlier one, which was read instead"
        return replace(before, verdict="suggest", notes=(*before.notes, note))

    def _search(self, text: str, seen: Seen) -> Decision:
        ready = self._shelf.ready(seen, self.views, self.clock)
        heard = hear(text, seen.listeners.words)
        notes = [*ready.notes, *(f"the message denies {word}" for word in heard.denied)]
        if not _has_words(heard.asked):
            return Decision("none", "search", text, notes=(*notes, "the message asks for nothing else"))
        found = self._judge(heard.asked, seen, ready, heard.denied)
        parts = asks(heard.asked)
        if len(parts) > 1:
            several = [self._judge(part, seen, ready, heard.denied) for part in parts]
            chosen = _several(several, {known.skill: known.group for known in seen.texts})
            if len(chosen) > 1:
                found = _together(chosen, several)
        return replace(found, notes=tuple(dict.fromkeys((*notes, *found.notes))))

    def weigh(self, message: str, *, catalog: Catalog) -> Weighed | None:
        """What the heads would see of a message that is searched for; None when it has no words or meets no skill."""
        seen = self._shelf.seen(catalog, Offer(None, self.groups, self.tools))
        heard = hear(_readable(message), seen.listeners.words)
        if not seen.texts or not _has_words(heard.asked):
            return None
        ready = self._shelf.ready(seen, self.views, self.clock)
        found = self._weigh(heard.asked, seen, ready, heard.denied)
        return found if len(found.ranking.order) else None

    def _weigh(self, asked: str, seen: Seen, ready: Ready, denied: Sequence[str]) -> Weighed:
        index = ready.index
        hits = seen.listeners.hits(fold(asked))
        spoken = Spoken(hits, seen.listeners.worth(hits), seen.listeners.named_by(denied))
        vectors, notes = self._embed(asked, index)
        terms = self.glossary.expand(asked, index.lexical.knows)
        # A skill that is denied by one name and asked for by another is asked for: 不要PPT，要幻灯片.
        refused = frozenset(spoken.refused.keys() - hits.keys())
        query = Query(terms, vectors, _bonus(spoken.worth, len(index)), refused)
        with one_thread():
            ranking = rank(index, query)
        mode = mode_of(ranking.by_view)
        offset = ready.offsets.of(self.heads[mode], tuple(ranking.by_view))
        return Weighed(index, query, ranking, spoken, mode, offset, notes)

    def _judge(self, asked: str, seen: Seen, ready: Ready, denied: Sequence[str]) -> Decision:
        found = self._weigh(asked, seen, ready, denied)
        ranking, vectors = found.ranking, bool(found.query.vectors)
        if not len(ranking.order):
            return Decision("none", "search", asked, notes=found.notes, vectors=vectors)
        if not vectors and not found.spoken.hits and says_little(fold(asked)):
            # "no" shares its letters with half of the catalog: 0.59.
            note = "the message says too little to be found by its words"
            return Decision("none", "search", asked, notes=(*found.notes, note))
        odds = raise_odds(self.heads[found.mode](found.signals).shifted(found.offset), ranking, found.spoken)
        verdict = self._verdict(odds, ranking)
        chosen = found.first if verdict != "none" else None
        candidates = candidates_of(found.index, found.query, ranking, odds, found.spoken, most=self.top_k)
        skills = (chosen,) if chosen else ()
        meant = probability(odds.meant)
        return Decision(verdict, "search", asked, chosen, skills, candidates, (), found.notes, vectors, meant)

    def _verdict(self, odds: Odds, ranking: Ranking) -> Verdict:
        among = max(probability(odds.among), probability(odds.right))
        if probability(odds.meant) < self.thresholds.meant or among < self.thresholds.suggest:
            return "none"
        close = len(ranking.scores) > 1 and ranking.scores[0] - ranking.scores[1] < _CLOSE_CALL
        return "auto" if probability(odds.right) >= self.thresholds.auto and not close else "suggest"

    def _embed(self, asked: str, index: RoutingIndex) -> tuple[dict[str, Floats], tuple[str, ...]]:
        vectors: dict[str, Floats] = {}
        notes: list[str] = []
        for view in self.views:
            if view.name not in index.views:
                continue
            try:
                vector = view.embed(asked)
            except Unavailable as error:
                notes.append(f"no vector from {view.name}: {error.message}")
                continue
            if vector is None:
                continue
            notes += view.notes
            if vector.shape != (index.views[view.name].width,) or not np.isfinite(vector).all():
                notes.append(f"no vector from {view.name}: what it gave is not one")
            elif vector.any():
                vectors[view.name] = vector.astype(np.float32, copy=False)
        if not vectors:
            notes.append("no vectors: decided by words alone")
        return vectors, tuple(notes)


def _readable(message: str) -> str:
    if len(message) > HEAD_CHARS + TAIL_CHARS:
        message = f"{message[:HEAD_CHARS]}\n{message[-TAIL_CHARS:]}"
    return plain(message).strip()


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _list(message: str, seen: Seen) -> Decision:
    able = [skill for skill in seen.catalog if why_not(skill, seen.catalog, seen.offer, by_name=True) is None]
    return Decision("none", "list", message, notes=tuple(f"/{skill.id}  {skill.title}" for skill in able))


def _named(named: Named, seen: Seen) -> Decision:
    skill = seen.catalog[named.skill]
    reason = why_not(skill, seen.catalog, seen.offer, by_name=True)
    if reason is not None:
        note = f"the message names {skill.id!r}, but {reason.text}"
        return Decision("none", "explicit", named.rest, filtered=(reason,), notes=(note,))
    note = f"the message names {skill.id!r}"
    return Decision("auto", "explicit", named.rest, skill.id, (skill.id,), (Candidate(skill.id, 1.0),), notes=(note,))


def _unknown(named: Named) -> str:
    near = f"; near: {', '.join(f'/{skill}' for skill in named.near)}" if named.near else ""
    return f"no skill is called {named.asked[:80]!r}{near}"


def _in_use(active: str | None, seen: Seen) -> str | None:
    """The skill in use, as long as it may still be used here; who started it may have done so by name."""
    skill = seen.catalog.get(active) if active is not None else None
    if skill is None:
        return None
    offered = any(text.skill == active for text in seen.texts)
    return active if offered or why_not(skill, seen.catalog, seen.offer, by_name=True) is None else None


def _speaks_of_others(folded: str, seen: Seen, active: str) -> bool:
    hits = seen.listeners.hits(folded)
    return bool(hits) and active not in {seen.listeners.ids[skill] for skill in hits}


def _prefer(found: Decision, active: str, *, goes_on: bool) -> Decision:
    """Near calls, and follow-ups that are not clearly for another skill, go to the skill in use."""
    if active in found.skills or found.verdict == "auto":
        return found
    near = found.verdict == "suggest" and any(candidate.skill == active for candidate in found.candidates)
    if near:
        return _stay(found, active, f"{found.skill!r} is not clearly better than {active!r}, which is in use")
    return _stay(found, active, f"the message goes on with {active!r}") if goes_on else found


def _stay(decision: Decision, active: str, note: str) -> Decision:
    notes = (*decision.notes, note)
    return replace(decision, route="sticky", verdict="auto", skill=active, skills=(active,), notes=notes)


def _bonus(worth: Mapping[int, float], size: int) -> Floats | None:
    if not worth:
        return None
    bonus: Floats = np.zeros(size, dtype=np.float32)
    bonus[list(worth)] = list(worth.values())
    return np.float32(_TRIGGER_BONUS) * bonus


def _several(decisions: Sequence[Decision], groups: Mapping[str, str]) -> tuple[str, ...]:
    """The skills of the parts of a message; of a group only the first, because its skills exclude each other."""
    chosen: dict[str, None] = {}
    taken: set[str] = set()
    for decision in decisions:
        skill = decision.skill
        if skill and skill not in chosen and groups[skill] not in taken:
            chosen[skill] = None
            taken.update(filter(None, [groups[skill]]))
    return tuple(chosen)


def _together(chosen: tuple[str, ...], decisions: Sequence[Decision]) -> Decision:
    used = [decision for decision in decisions if decision.skill in chosen]
    best: dict[str, Candidate] = {}
    for decision in used:
        first = decision.candidates[0]
        if first.skill not in best or first.score > best[first.skill].score:
            best[first.skill] = first
    verdict: Verdict = "suggest" if any(decision.verdict == "suggest" for decision in used) else "auto"
    candidates = tuple(sorted(best.values(), key=lambda candidate: -candidate.score))
    notes = tuple(dict.fromkeys(note for decision in used for note in decision.notes))
    note = f"the message asks for {len(chosen)} things"
    vectors = all(decision.vectors for decision in used)
    return Decision(verdict, "search", "", chosen[0], chosen, candidates, notes=(*notes, note), vectors=vectors)
