"""Router: takes a message and a catalog, returns a Decision."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final, NamedTuple

from metier.routing._by_name import build_unknown_note, decide_named, list_skills
from metier.routing._candidates import ScoredMessage, TriggerHits, build_candidates, raise_odds, weigh_absence
from metier.routing._decision import Decision, Verdict
from metier.routing._eligibility import RoutingConstraints
from metier.routing._index_cache import BuiltIndex, CatalogView, IndexCache
from metier.routing._long_messages import add_passage_note, choose_passage
from metier.routing._message_input import (
    begin_ahead,
    compute_bonus,
    embed_ahead,
    embed_message,
    has_words,
    load_english_words,
    normalize_message,
    shorten_message,
)
from metier.routing._multiple_skills import ScoredDecision, choose_skills, judge_parts
from metier.routing._priority import find_preferred, prefer_by_priority
from metier.routing._sentences import RoutingNote
from metier.routing._stay_with_skill import EarlierTurns, decide_beside, mentions_other_skills, stay_with_active
from metier.routing.ranking import (
    ClosableView,
    Heads,
    Odds,
    Query,
    Ranking,
    VectorView,
    get_mode,
    load_shipped_heads,
    one_thread,
    rank,
    to_probability,
)
from metier.routing.text import (
    Glossary,
    Negation,
    Passage,
    RequestPart,
    correct_spelling,
    find_named,
    find_other_service,
    find_passages,
    is_follow_up,
    is_topic_change,
    is_uninformative,
    leave_out_file_names,
    leave_out_quoted,
    parse_negation,
    read_small_talk,
    split_requests,
)
from metier.skills import Catalog
from metier.textsearch import fold

_log = logging.getLogger(__name__)

_WARM_UP_TEXT: Final = "skill"
# Margin between the first two skills, in log-odds, below which the user must choose.
CLOSE_MARGIN: Final = 0.2


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum probabilities to take the first skill (`auto`), to offer three (`suggest`), to assume any (`meant`).

    A skill is only taken if it is as likely as `surely_meant` that any is: a message for a neighbour that is not here
    is near to what is, and is asked about. So is one that leaves out words of the title of a skill without examples,
    or is for skills with examples that are near to each other, unless the skill is likelier than `auto` by as much.
    """

    auto: float = 0.8
    suggest: float = 0.6
    meant: float = 0.4
    surely_meant: float = 0.55


class ExampleOf(NamedTuple):
    """Example of a skill by its text."""

    skill: str
    text: str


@dataclass(slots=True)
class Router:
    """Finds the skill for a message in Chinese or English, or decides that none is meant.

    Thread-safe. Indexes of the last catalogs are cached; only changed skills are read and embedded again.
    """

    views: tuple[VectorView, ...] = ()
    glossary: Glossary = field(default_factory=Glossary)
    thresholds: Thresholds = Thresholds()
    top_k: int = 3
    groups: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    heads: Mapping[str, Heads] = field(default_factory=load_shipped_heads)
    clock: Callable[[], float] = perf_counter
    _index_cache: IndexCache = field(default_factory=IndexCache)

    def route(
        self,
        message: str,
        *,
        catalog: Catalog,
        host: str | None = None,
        history: Sequence[str] = (),
        active: str | None = None,
        answer: str = "",
    ) -> Decision:
        """Decide for one message.

        `history` holds earlier user messages, `active` is the skill now in use, `answer` the last answer.
        """
        started = self.clock()
        seen = self._index_cache.get_catalog_view(catalog, RoutingConstraints(host, self.groups, self.tools))
        decision = self._decide(message, seen, EarlierTurns(history, active, answer))
        return replace(decision, elapsed_ms=(self.clock() - started) * 1000)

    def prepare(self, catalog: Catalog, *, host: str | None = None) -> tuple[str, ...]:
        """Load the encoders and build the index before the first message.

        Returns and logs notes on missing or degraded views, in English. May be called from any thread and repeated:
        what is loaded is not loaded again.
        """
        seen = self._index_cache.get_catalog_view(catalog, RoutingConstraints(host, self.groups, self.tools))
        if not seen.texts:
            return ()
        ready = self._index_cache.get_index(seen, self.views, self.clock)
        for views in ready.index.view_sets or [()]:
            ready.offsets.get_caution(self.heads[get_mode(views)], views, self.thresholds.auto)
        # Vectors of known skills come from disk; only embedding a text loads an encoder.
        load_english_words()
        _, notes = embed_message(_WARM_UP_TEXT, ready.index, self.views)
        said = tuple(note.text() for note in (*ready.notes, *notes) if note.code != "words_alone")
        for note in said:
            _log.warning("routing: %s", note)
        return said

    def needs_search(self, message: str, *, catalog: Catalog, host: str | None = None) -> bool:
        """Whether deciding this message uses encoders and index; false if it is empty or names a skill."""
        seen = self._index_cache.get_catalog_view(catalog, RoutingConstraints(host, self.groups, self.tools))
        named = find_named(message, seen.names)
        is_command = named is not None and bool(named.wants_list or named.skill)
        return not is_command and has_words(normalize_message(message))

    def close(self) -> None:
        """Store new vectors, without waiting for an embedder; the router can still be used."""
        for view in self.views:
            if isinstance(view, ClosableView):
                view.close()

    def _decide(self, message: str, seen: CatalogView, before: EarlierTurns) -> Decision:
        named = find_named(message, seen.names)
        if named is not None and (named.wants_list or named.skill):
            return list_skills(message, seen) if named.wants_list else decide_named(named, seen)
        text = normalize_message(message)
        if not has_words(text):
            return Decision("none", "empty", message, filtered=seen.filtered, why=(RoutingNote("no_words"),))
        found = self._find(text, seen, replace(before, active=seen.resolve_active(before.active)))
        why = found.why if named is None else (build_unknown_note(named), *found.why)
        return replace(found, message=message, filtered=seen.filtered, why=why)

    def _find(self, text: str, seen: CatalogView, before: EarlierTurns) -> Decision:
        folded = fold(text)
        active = None if is_topic_change(folded) else before.active
        goes_on = is_follow_up(folded)
        others = active is not None and mentions_other_skills(folded, seen.triggers, active)
        if active is not None and goes_on and not others:
            return stay_with_active(Decision("none", "sticky", text), active, RoutingNote.of("goes_on", skill=active))
        if read_small_talk(folded) and not seen.triggers.find_hits(folded):
            return Decision("none", "search", text, why=(RoutingNote("asks_nothing"),))
        if not seen.texts:
            return Decision("none", "search", text, why=(RoutingNote("nothing_offered"),))
        found = self._search(text, seen)
        if active is not None:
            return decide_beside(found, folded, seen.texts, replace(before, active=active), (goes_on, others))
        if goes_on and found.decision.verdict == "none":
            return self._decide_from_history(found.decision, seen, before.history)
        return found.decision

    def _decide_from_history(self, found: Decision, seen: CatalogView, history: Sequence[str]) -> Decision:
        """Route the last message that was no follow-up when the active skill is unknown; at most suggests."""
        texts = (normalize_message(message) for message in reversed(history))
        earlier = next((text for text in texts if has_words(text) and not is_follow_up(fold(text))), None)
        before = self._search(earlier, seen).decision if earlier is not None else found
        if before.verdict == "none":
            return found
        return replace(before, verdict="suggest", why=(*before.why, RoutingNote("reads_earlier")))

    def _search(self, text: str, seen: CatalogView) -> ScoredDecision:
        ready = self._index_cache.get_index(seen, self.views, self.clock)
        heard = parse_negation(text, seen.triggers.words)
        why = [*ready.notes, *(RoutingNote.of("denies", word=word) for word in heard.denied)]
        why += [RoutingNote.of("refuses", text=said) for said in heard.refused]
        if not has_words(heard.remaining):
            return ScoredDecision(Decision("none", "search", text, why=(*why, RoutingNote("asks_nothing_else"))))
        found = self._decide_all(heard, seen, ready)
        decision = replace(found.decision, why=tuple(dict.fromkeys((*why, *found.decision.why))))
        return replace(found, decision=decision)

    def _decide_all(self, heard: Negation, seen: CatalogView, ready: BuiltIndex) -> ScoredDecision:
        text, fixes = correct_spelling(heard.remaining, ready.index.lexical.has_term, load_english_words)
        notes = [RoutingNote.of("spelling", written=one.written, read=one.read) for one in fixes]
        found = self._decide_unquoted(replace(heard, remaining=text), seen, ready)
        rest, names = leave_out_file_names(text) if found.decision.verdict != "auto" else (text, ())
        if names:
            without = self._decide_unquoted(replace(heard, remaining=rest), seen, ready)
            if without.right > found.right:
                found = without
                notes += [RoutingNote.of("spelling", written=name, read="…") for name in names]
        return replace(found, decision=replace(found.decision, why=(*notes, *found.decision.why)))

    def _decide_unquoted(self, heard: Negation, seen: CatalogView, ready: BuiltIndex) -> ScoredDecision:
        """Decide without longer quotations, which are what a request is about; as it stands where that is surer."""
        order = leave_out_quoted(heard.remaining)
        found = self._decide_read(order, heard, seen, ready)
        if order == heard.remaining:
            return found
        if found.decision.verdict != "auto":
            whole = self._decide_read(heard.remaining, heard, seen, ready)
            if whole.right > found.right:
                return whole
        return replace(found, decision=replace(found.decision, why=(*found.decision.why, RoutingNote("quoted"))))

    def _decide_read(self, order: str, heard: Negation, seen: CatalogView, ready: BuiltIndex) -> ScoredDecision:
        text, passages = shorten_message(order), find_passages(order)
        views = embed_ahead(self.views, (text, *(passage.text for passage in passages)))
        if passages and (asked := self._decide_by_passage(text, passages, heard, seen, ready, views=views)):
            return asked
        begun = None if passages else begin_ahead(self.views, text, ready.index)
        parts = split_requests(heard.remaining, seen.triggers)
        asking = {part: leave_out_quoted(part.text) for part in parts if part.is_request}
        # One view only, at half the cost: fewer single requests are split by mistake, a few double ones are missed.
        ahead = begun and embed_ahead(self.views[:1], list(asking.values()), least=1)  # the other view is at work
        whole = self._decide_one(text, seen, ready, heard.denied, begun or views)
        if whole.is_known or not (parts and (whole.may_be_several or any(part.stands_alone for part in parts))):
            return whole
        views = ahead or embed_ahead(self.views[:1], list(asking.values()))

        def judge(part: RequestPart) -> ScoredDecision:
            return self._decide_one(asking[part], seen, ready, heard.denied, views)

        judged = judge_parts(whole, list(asking), judge)
        return replace(whole, decision=choose_skills(whole, judged, {known.skill: known.group for known in seen.texts}))

    def _decide_by_passage(
        self,
        text: str,
        passages: Sequence[Passage],
        heard: Negation,
        seen: CatalogView,
        ready: BuiltIndex,
        *,
        views: Sequence[VectorView],
    ) -> ScoredDecision | None:
        """Decide a long message by the sentence that asks; None if no sentence is surer than the whole.

        Whole and sentences are compared by the first view; the other, which takes most of the time, reads only what
        decides.
        """
        whole = self._decide_one(text, seen, ready, heard.denied, views[:1])
        if whole.is_sure:
            return None
        judged = [(one, self._decide_one(one.text, seen, ready, heard.denied, views[:1])) for one in passages]
        passage = choose_passage(whole, judged)
        if passage is None:
            return None
        found = dict(judged)[passage]
        if len(views) > 1:
            found = self._decide_one(passage.text, seen, ready, heard.denied, views)
        return add_passage_note(found, passage)

    def score_message(
        self, message: str, *, catalog: Catalog, left_out: ExampleOf | None = None
    ) -> ScoredMessage | None:
        """Ranking and signals of a message before calibration; None if it has no words or no skill is eligible.

        `left_out` is an example that is ranked as if its skill did not have it.
        """
        seen = self._index_cache.get_catalog_view(catalog, RoutingConstraints(None, self.groups, self.tools))
        heard = parse_negation(normalize_message(message), seen.triggers.words)
        if not seen.texts or not has_words(heard.remaining):
            return None
        ready = self._index_cache.get_index(seen, self.views, self.clock)
        found = self._score(heard.remaining, seen, ready, heard.denied, self.views, left_out=left_out)
        return found if len(found.ranking.order) else None

    def _score(
        self,
        asked: str,
        seen: CatalogView,
        ready: BuiltIndex,
        denied: Sequence[str],
        views: Sequence[VectorView],
        *,
        left_out: ExampleOf | None = None,
    ) -> ScoredMessage:
        index = ready.index
        folded = fold(asked)
        hits, phrases = seen.triggers.find_hits(folded), seen.triggers.find_phrases(folded)
        spoken = TriggerHits(
            hits,
            seen.triggers.weigh_hits(hits),
            seen.triggers.find_by_names(denied),
            phrases,
            seen.exclusions.find(folded),
        )
        terms = self.glossary.expand(asked, index.lexical.has_term)
        # A skill that is refused by one name and requested by another counts as requested: 不要PPT，要幻灯片.
        refused = frozenset(spoken.refused.keys() - hits.keys())
        worth = Counter(spoken.weights) + Counter(seen.triggers.weigh_phrases(phrases))
        without = None if left_out is None else index.find_example(left_out.skill, left_out.text)
        lexical = index.score_words(terms, without)
        vectors, notes = embed_message(asked, index, views)
        query = Query(terms, vectors, compute_bonus(worth, spoken.excluded, len(index)), refused, without)
        with one_thread():
            ranking = rank(index, query, lexical)
        mode = get_mode(ranking.by_view)
        fitted = self.heads[mode], tuple(ranking.by_view)
        offset, caution = ready.offsets.get(*fitted), ready.offsets.get_caution(*fitted, self.thresholds.auto)
        return ScoredMessage(index, query, ranking, spoken, mode, offset, notes, caution=caution)

    def _decide_one(
        self, asked: str, seen: CatalogView, ready: BuiltIndex, denied: Sequence[str], views: Sequence[VectorView]
    ) -> ScoredDecision:
        found = self._score(asked, seen, ready, denied, views)
        ranking, vectors = found.ranking, bool(found.query.vectors)
        if not len(ranking.order):
            return ScoredDecision(Decision("none", "search", asked, why=found.notes, vectors=vectors))
        if not vectors and not found.trigger_hits.hits and is_uninformative(fold(asked)):
            # "no" shares its letters with half of the catalog and scored 0.59.
            return ScoredDecision(Decision("none", "search", asked, why=(*found.notes, RoutingNote("too_little"))))
        odds = self.heads[found.mode](found.signals).shift(found.offset)
        found = found.with_match(seen.examples.find(fold(asked), self.glossary))
        odds, ranking = raise_odds(odds, found), found.ranking
        is_taken = self._is_taken(odds, weigh_absence(found, asked))
        verdict = self._choose_verdict(odds, ranking, is_taken=is_taken)
        best = found.index.texts[int(ranking.order[0])]
        named = bool(found.trigger_hits.hits.get(int(ranking.order[0])))
        if verdict == "suggest" and not is_taken and to_probability(odds.right) >= self.thresholds.auto:
            found = replace(found, notes=(*found.notes, RoutingNote.of("near_but_none", skill=found.first)))
        other = "" if named or verdict == "none" else find_other_service(fold(asked), (*best.examples, *best.about))
        if other:
            found = replace(found, notes=(*found.notes, RoutingNote.of("other_service", text=other, skill=found.first)))
            verdict = "none"
        chosen = found.first if verdict != "none" else None
        is_known = found.match is not None
        preferred = None if is_known else find_preferred(found, seen.catalog, fold(asked))
        candidates = build_candidates(found, odds, max_count=self.top_k)
        skills = (chosen,) if chosen else ()
        meant = to_probability(odds.meant)
        decision = Decision(
            verdict,
            "search",
            asked,
            skill=chosen,
            skills=skills,
            candidates=candidates,
            why=found.notes,
            vectors=vectors,
            meant=meant,
        )
        if preferred is not None:
            decision = prefer_by_priority(decision, found.first, preferred)
        hits = found.trigger_hits.hits
        return ScoredDecision(
            decision,
            found.order,
            right=to_probability(odds.right),
            among=to_probability(odds.among),
            has_trigger=int(ranking.order[0]) in hits,
            triggered_count=len(hits),
            is_known=is_known,
        )

    def _is_taken(self, odds: Odds, doubt: float) -> bool:
        sure = to_probability(odds.right - doubt) >= self.thresholds.auto
        return sure and to_probability(odds.meant) >= self.thresholds.surely_meant

    def _choose_verdict(self, odds: Odds, ranking: Ranking, *, is_taken: bool) -> Verdict:
        among = max(to_probability(odds.among), to_probability(odds.right))
        if to_probability(odds.meant) < self.thresholds.meant or among < self.thresholds.suggest:
            return "none"
        close = len(ranking.scores) > 1 and ranking.scores[0] - ranking.scores[1] < CLOSE_MARGIN
        return "auto" if is_taken and not close else "suggest"
