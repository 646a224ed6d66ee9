"""Router: takes a message and a catalog, returns a Decision."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Final

from metier.routing._by_name import build_unknown_note, decide_named, list_skills
from metier.routing._candidates import ScoredMessage, build_candidates, raise_odds, weigh_absence
from metier.routing._decision import Decision
from metier.routing._eligibility import RoutingConstraints
from metier.routing._index_cache import CatalogView, IndexCache
from metier.routing._long_messages import choose_passage, conclude, conclude_whole, offer_only
from metier.routing._message_input import (
    RememberingView,
    begin_ahead,
    embed_message,
    has_words,
    load_english_words,
    load_rare_words,
    load_word_lists,
    normalize_message,
    shorten_message,
)
from metier.routing._message_reading import ExampleOf, MessageReading
from metier.routing._multiple_skills import ScoredDecision, choose_skills, judge_parts
from metier.routing._priority import find_preferred, prefer_by_priority
from metier.routing._sentences import RoutingNote
from metier.routing._spelling_choice import choose_reading
from metier.routing._stay_with_skill import EarlierTurns, decide_beside, mentions_other_skills, stay_with_active
from metier.routing._thresholds import Thresholds
from metier.routing.passages import Passage, find_passages, has_passages, leave_out_put_off, objects_to_others
from metier.routing.ranking import (
    ClosableView,
    Heads,
    Query,
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
    RequestPart,
    correct_spelling,
    find_named,
    find_other_service,
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
# Length of a text from which the second view takes longer than deciding on the parts by the first.
_MIN_CHARS_AHEAD: Final = 120
# Probability from which the second view begins to read a passage before the others are decided on.
_LIKELY_PASSAGE: Final = 0.5


@dataclass(slots=True)
class Router:
    """Finds the skill for a message in Chinese or English, or decides that none is meant.

    Thread-safe. Indexes of the last catalogs are cached; only changed skills are read and embedded again.
    """

    views: tuple[VectorView, ...] = ()
    glossary: Glossary = field(default_factory=Glossary)
    thresholds: Thresholds = field(default_factory=Thresholds)
    top_k: int = 3
    groups: frozenset[str] | None = None
    tools: frozenset[str] | None = None
    heads: Mapping[str, Heads] = field(default_factory=load_shipped_heads)
    clock: Callable[[], float] = perf_counter
    _index_cache: IndexCache = field(default_factory=IndexCache)
    _is_closed: bool = False

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
        load_word_lists(ready.index)
        _, notes = embed_message(_WARM_UP_TEXT, ready.index, tuple(map(RememberingView.of, self.views)))
        said = tuple(note.text() for note in (*ready.notes, *notes) if note.code != "words_alone")
        for note in () if self._is_closed else said:  # what was not waited for is no fault
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
        self._is_closed = True
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
        text, put_off = leave_out_put_off(text)
        heard = parse_negation(text, seen.triggers.words)
        why = [*ready.notes, *(RoutingNote.of("denies", word=word) for word in heard.denied)]
        why += [RoutingNote.of("refuses", text=said) for said in (*put_off, *heard.refused)]
        if not has_words(heard.remaining):
            return ScoredDecision(Decision("none", "search", text, why=(*why, RoutingNote("asks_nothing_else"))))
        views = tuple(map(RememberingView.of, self.views))
        found = self._decide_all(heard, MessageReading(seen, ready, self.glossary, heard.denied, views))
        found = conclude_whole(found) if objects_to_others(text) else found
        decision = replace(found.decision, why=tuple(dict.fromkeys((*why, *found.decision.why))))
        return replace(found, decision=decision)

    def _decide_all(self, heard: Negation, reading: MessageReading) -> ScoredDecision:
        text, notes, is_open = self._correct_spelling(heard.remaining, reading)
        found = self._decide_unquoted(text, reading)
        found = offer_only(found) if is_open else found
        rest, names = leave_out_file_names(text) if found.decision.verdict != "auto" else (text, ())
        if names:
            without = self._decide_unquoted(rest, reading)
            if without.right > found.right:
                found = without
                notes += [RoutingNote.of("spelling", written=name, read="…") for name in names]
        return replace(found, decision=replace(found.decision, why=(*notes, *found.decision.why)))

    def _correct_spelling(self, written: str, reading: MessageReading) -> tuple[str, list[RoutingNote], bool]:
        """The text without slips, or as written where that is surer (varnish); and whether to take nothing unasked."""
        terms = reading.ready.index.lexical.terms
        text, fixes = correct_spelling(written, terms, load_english_words, load_rare_words)
        if not fixes:
            return written, [], False
        plain, corrected = self._compare(written, text, reading)
        chosen = choose_reading(plain, corrected, is_of_catalog=any(one.read in terms for one in fixes))
        if chosen != "corrected":
            return written, [], chosen == "ask"
        return text, [RoutingNote.of("spelling", written=one.written, read=one.read) for one in fixes], False

    def _decide_unquoted(self, text: str, reading: MessageReading) -> ScoredDecision:
        """Decide without longer quotations, which are what a request is about; as it stands where that is surer."""
        is_whole = (order := leave_out_quoted(text)) != text and self._is_surer(text, order, reading)
        found = self._decide_read(text if is_whole else order, text, reading)
        if order == text or is_whole:
            return found
        return replace(found, decision=replace(found.decision, why=(*found.decision.why, RoutingNote("quoted"))))

    def _is_surer(self, text: str, other: str, reading: MessageReading) -> bool:
        """Whether a text is surer than the other by the first view, and the other would not be taken."""
        whole, rest = self._compare(text, other, reading)
        return not rest.is_taken and whole.right > rest.right

    def _compare(self, text: str, other: str, reading: MessageReading) -> tuple[ScoredDecision, ScoredDecision]:
        """Decisions on two readings of a message by the first view; the second decides more often than not."""
        shown, first = [shorten_message(text), shorten_message(other)], reading.views[:1]
        if not has_passages(other):
            begin_ahead(reading.views, shown[1], reading.ready.index)
        reading.embed_first(shown)
        one, two = (self._decide_one(said, reading, first, is_brief=True) for said in shown)
        return one, two

    def _decide_read(self, order: str, whole_text: str, reading: MessageReading) -> ScoredDecision:
        text, passages = shorten_message(order), find_passages(order, reading.weigh_texts)
        if passages and (asked := self._decide_by_passage(text, passages, reading)):
            return asked
        views, index = reading.views, reading.ready.index
        parts = split_requests(whole_text, reading.seen.triggers)
        asking = {part: leave_out_quoted(part.text) for part in parts if part.is_request}
        if begin_ahead(views, text, index):  # the other view is at work meanwhile, and longer so on a long text
            reading.embed_first([text, *asking.values()], least=1)
            reading.get_evidence(text)
            for said in asking.values() if len(text) >= _MIN_CHARS_AHEAD else ():
                self._decide_one(said, reading, views[:1])
        whole = self._decide_one(text, reading, views)
        if whole.is_known or not (parts and (whole.may_be_several or any(part.stands_alone for part in parts))):
            return whole
        reading.embed_first(list(asking.values()))

        # One view only, at half the cost: fewer single requests are split by mistake, a few double ones are missed.
        def judge(part: RequestPart) -> ScoredDecision:
            return self._decide_one(asking[part], reading, views[:1])

        judged = judge_parts(whole, list(asking), judge)
        return replace(whole, decision=choose_skills(whole, judged, reading.seen.groups))

    def _decide_by_passage(
        self, text: str, passages: Sequence[Passage], reading: MessageReading
    ) -> ScoredDecision | None:
        """Decide a long message by the sentence that asks; None if no sentence is surer than the whole.

        Whole and sentences are compared by the first view; the other, which takes most of the time, reads only what
        decides.
        """
        views, index = reading.views, reading.ready.index
        if passages[0].asks:  # most often it decides; where it does not, only the time of another processor is lost
            begin_ahead(views, passages[0].text, index)
        reading.embed_first([text, *(one.text for one in passages if not one.is_wide)])
        whole = self._decide_one(text, reading, views[:1], is_brief=True)
        if whole.is_sure and not passages[0].beside_others:
            return None
        asking = [one for one in passages if one.asks]
        passages = [*asking, *reading.keep_likeliest([one for one in passages if not one.asks])]
        judged: list[tuple[Passage, ScoredDecision]] = []
        for one in passages:
            if one.is_wide and judged and not judged[-1][0].is_wide:
                if any(found.is_sure for _, found in judged):
                    break
                reading.embed_first([other.text for other in passages])
            found = self._decide_one(one.text, reading, views[:1], is_brief=True)
            judged.append((one, found))
            if found.right >= _LIKELY_PASSAGE and choose_passage(whole, judged) is one:
                begin_ahead(views, one.text, index)
        passage = choose_passage(whole, judged)
        if passage is None:
            beside_others = passages[0].beside_others
            return conclude_whole(self._decide_one(text, reading, views)) if beside_others else None
        return conclude(self._decide_one(passage.text, reading, views), passage)

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
        views = tuple(map(RememberingView.of, self.views))
        reading = MessageReading(seen, ready, self.glossary, heard.denied, views)
        found = self._score(heard.remaining, reading, views, left_out=left_out)
        return found if len(found.ranking.order) else None

    def _score(
        self,
        asked: str,
        reading: MessageReading,
        views: Sequence[RememberingView],
        *,
        left_out: ExampleOf | None = None,
    ) -> ScoredMessage:
        index, offsets = reading.ready.index, reading.ready.offsets
        without = None if left_out is None else index.find_example(left_out.skill, left_out.text)
        words = reading.get_evidence(asked) if without is None else reading.collect_evidence(asked, without)
        vectors, notes = embed_message(asked, index, views)
        query = Query(words.terms, vectors, words.bonus, words.refused, without)
        with one_thread():
            ranking = rank(index, query, words.lexical)
        mode = get_mode(ranking.by_view)
        fitted = self.heads[mode], tuple(ranking.by_view)
        offset, caution = offsets.get(*fitted), offsets.get_caution(*fitted, self.thresholds.auto)
        return ScoredMessage(asked, index, query, ranking, words.trigger_hits, mode, offset, notes, caution=caution)

    def _decide_one(
        self, asked: str, reading: MessageReading, views: Sequence[RememberingView], *, is_brief: bool = False
    ) -> ScoredDecision:
        """Decision on a text alone, made once for each choice of views; a brief one has no candidates."""
        key = asked, len(views), is_brief
        if key not in reading.decided:
            reading.decided[key] = self._decide_text(asked, reading, views, is_brief=is_brief)
        return reading.decided[key]

    def _decide_text(
        self, asked: str, reading: MessageReading, views: Sequence[RememberingView], *, is_brief: bool
    ) -> ScoredDecision:
        found = self._score(asked, reading, views)
        folded = reading.get_evidence(asked).folded
        ranking, vectors = found.ranking, bool(found.query.vectors)
        if not len(ranking.order):
            return ScoredDecision(Decision("none", "search", asked, why=found.notes, vectors=vectors))
        if not vectors and not found.trigger_hits.hits and is_uninformative(folded):
            # "no" shares its letters with half of the catalog and scored 0.59.
            return ScoredDecision(Decision("none", "search", asked, why=(*found.notes, RoutingNote("too_little"))))
        odds = self.heads[found.mode](found.signals).shift(found.offset)
        found = found.with_match(reading.seen.examples.find(folded, self.glossary))
        odds, ranking = raise_odds(odds, found), found.ranking
        is_taken = self.thresholds.is_taken(odds, weigh_absence(found, asked))
        stated = odds + self.heads[found.mode].get_shift(found.index, found.languages)
        verdict = self.thresholds.choose_verdict(stated, ranking, is_taken=is_taken)
        best = found.index.texts[int(ranking.order[0])]
        named = bool(found.trigger_hits.hits.get(int(ranking.order[0])))
        if verdict == "suggest" and not is_taken and to_probability(stated.right) >= self.thresholds.auto:
            found = replace(found, notes=(*found.notes, RoutingNote.of("near_but_none", skill=found.first)))
        other = "" if named or verdict == "none" else find_other_service(folded, (*best.examples, *best.about))
        if other:
            found = replace(found, notes=(*found.notes, RoutingNote.of("other_service", text=other, skill=found.first)))
            verdict = "none"
        chosen = found.first if verdict != "none" else None
        is_known = found.match is not None
        preferred = None if is_known or is_brief else find_preferred(found, reading.seen.catalog, folded)
        candidates = () if is_brief else build_candidates(found, stated, max_count=self.top_k)
        skills = (chosen,) if chosen else ()
        meant = to_probability(stated.meant)
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
            limits=self.thresholds.limits,
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
