"""Candidates with probabilities and reasons, built from a ranking."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Final

import numpy as np

from metier.routing._decision import Candidate, Reason
from metier.routing._message_input import load_translations
from metier.routing._sentences import RoutingNote
from metier.routing.ranking import (
    Floats,
    LanguagePair,
    Mode,
    Odds,
    Query,
    Ranking,
    RoutingIndex,
    compute_signals,
    find_languages,
    to_probability,
)
from metier.routing.text import ExampleMatch, compute_title_share, translate_words
from metier.textsearch import extract_query_terms, extract_words, fold, has_cjk

TRIGGER_ODDS: Final = 1.2
MATCH_ODDS: Final = 3.0
_MATCH_MARGIN: Final = 1.0
# Log-odds for a title of which the message says nothing. Chosen on described catalogs, see docs/benchmarks/unseen.md:
# messages for a neighbour that was taken out were taken by a skill with another title.
_UNSAID_TITLE_ODDS: Final = 0.6
# Log-odds for a message that has the one word of a skill's name and nothing else of the skill: "linear algebra" is
# nothing for a tracker named Linear.
_NAME_ALONE_ODDS: Final = 1.6
_MIN_OTHER_WORDS: Final = 2
# Log-odds for a message about something that the skill says it is not for: 0.99 instead of 0.8.
_EXCLUDED_ODDS: Final = 3.2
# Up to so many examples of its own a skill is as cautious as its catalog asks for; from so many on they show what it
# takes, and a surer skill is not asked for.
_SHOWN_BY_FEW: Final = 10
_SHOWN_BY_MANY: Final = 20
_MAX_CHARS_READ: Final = 1_000
_MAX_WORDS_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class TriggerHits:
    """Skills a message names: their triggers in it, the weight of those, and the names it refuses.

    `phrases` are quoted by descriptions, `excluded` words of what a skill says it is not for.
    """

    hits: Mapping[int, tuple[str, ...]]
    weights: Mapping[int, float]
    refused: Mapping[int, tuple[str, ...]]
    phrases: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    excluded: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredMessage:
    """Ranking of one message, its inputs, and the calibration offset of its catalog.

    `asked` is the message without what it denies, `match` the skill whose example it repeats, if there is one; that is
    the first of the ranking. `caution` is by how much surer than usual a skill with examples must be in this catalog.
    """

    asked: str
    index: RoutingIndex
    query: Query
    ranking: Ranking
    trigger_hits: TriggerHits
    mode: Mode
    offset: float
    notes: tuple[RoutingNote, ...]
    match: ExampleMatch | None = None
    caution: float = 0.0

    @property
    def signals(self) -> Floats:
        """Input of the calibration heads."""
        return compute_signals(self.index, self.query, self.ranking)

    @property
    def languages(self) -> LanguagePair:
        """Languages of the message and of the best skill."""
        return find_languages(self.asked, self.index.texts[int(self.ranking.order[0])].about)

    def with_match(self, match: ExampleMatch | None) -> "ScoredMessage":
        """The message with this match, unless it refuses the skill."""
        if match is None or match.skill in self.query.refused:
            return self
        return replace(self, match=match, ranking=_put_first(self.ranking, match.skill))

    @property
    def first(self) -> str:
        """Id of the best skill."""
        return self.order[0]

    @property
    def order(self) -> tuple[str, ...]:
        """Ids of the reranked skills, best first."""
        return tuple(self.index.texts[int(skill)].skill for skill in self.ranking.order)


def raise_odds(odds: Odds, found: ScoredMessage) -> Odds:
    """Raise the odds of the first skill by its triggers, less those of the strongest other skill.

    A skill whose example the message repeats gets at least `MATCH_ODDS`.
    """
    if found.match is not None:
        return Odds(*(max(one, MATCH_ODDS) for one in (odds.meant, odds.right, odds.among)))
    first, *others = (found.trigger_hits.weights.get(int(skill), 0.0) for skill in found.ranking.order)
    more = TRIGGER_ODDS * float(np.clip(first - max(others, default=0.0), 0, 1))
    return Odds(odds.meant + more, odds.right + more, odds.among + more)


def weigh_absence(found: ScoredMessage, message: str) -> float:
    """Log-odds by which the first skill must be surer to be taken, because the right one may not be there.

    A skill with examples: as much as the examples of the catalog ask for, less from the eleventh of its own on. A skill
    without: the more, the less of its title the message says, and where others have examples no less than they; most if
    the one word of its name is all that the message says of it. Any skill: most if the message is about something that
    the skill says it is not for. Nothing of what the catalog asks for if the message has one of the skill's triggers or
    repeats an example, and nothing of it without vectors, where words decide anyway.
    """
    first = int(found.ranking.order[0])
    is_named = found.match is not None or bool(found.trigger_hits.hits.get(first))
    caution = 0.0 if is_named or not found.ranking.by_view else found.caution
    if not is_named and found.trigger_hits.excluded.get(first):
        return max(_EXCLUDED_ODDS, caution)
    if found.index.examples[first]:
        return caution * _share_of_caution(int(found.index.examples[first]))
    about = found.index.texts[first].about
    if about and not is_named and _says_name_alone(found, first, message):
        return max(_NAME_ALONE_ODDS, caution)
    if not about or not found.ranking.by_view:
        return 0.0
    share = compute_title_share(about[0], message, found.query.terms.words)
    return caution if share is None else max(_UNSAID_TITLE_ODDS, caution) * (1 - share)


def _says_name_alone(found: ScoredMessage, first: int, message: str) -> bool:
    """Whether a message shares with a skill the one word of its title only, and says more than that.

    A foreign name in a Chinese message has no other sense.
    """
    name = found.index.texts[first].about[0].lower()
    words = found.query.terms.words
    if name not in words or has_cjk(message):
        return False
    telling = [one for one in extract_query_terms(message) if one != name]
    return len(telling) >= _MIN_OTHER_WORDS and not found.index.lexical.find_shared_words(telling, first)


def _share_of_caution(examples: int) -> float:
    few, many = _SHOWN_BY_FEW, _SHOWN_BY_MANY
    return min(max((many - examples) / (many - few), 0.0), 1.0)


def build_candidates(found: ScoredMessage, odds: Odds, *, max_count: int) -> tuple[Candidate, ...]:
    """Ranked skills with probabilities, followed by the skills the message refuses.

    The first probability is calibrated, and so is the sum of the first three; the rest of the probability that any
    skill is meant is shared by the others. No skill gets more than the one before it.
    """
    index, query, ranking, spoken = found.index, found.query, found.ranking, found.trigger_hits
    right = to_probability(odds.right)
    shares = np.exp(ranking.scores - ranking.scores[0])
    scores = [right]
    for rivals, chance in ((shares[1:3], odds.among), (shares[3:], odds.meant)):
        left = max(to_probability(chance) - sum(scores), 0.0)
        whole = float(rivals.sum()) or 1.0
        for share in rivals:
            scores.append(min(scores[-1], left * float(share) / whole))
    refused = sorted(spoken.refused.keys() & query.refused, key=lambda skill: (-ranking.first_pass[skill], skill))
    places = [*(int(skill) for skill in ranking.order), *refused]
    scores += [0.0] * len(refused)
    return tuple(
        Candidate(
            index.texts[skill].skill,
            score,
            float(ranking.lexical.values[skill]),
            _mean_similarity(ranking, skill),
            spoken.hits.get(skill, ()),
            spoken.refused.get(skill, ()),
            tuple(_build_reasons(found, skill)),
        )
        for skill, score in list(zip(places, scores, strict=True))[:max_count]
    )


def _mean_similarity(ranking: Ranking, skill: int) -> float | None:
    near = [float(scores[skill]) for scores in ranking.by_view.values()]
    return fmean(near) if near else None


def _put_first(ranking: Ranking, skill: int) -> Ranking:
    """The ranking with this skill before all others, by a clear margin."""
    others = ranking.order != skill
    best = ranking.scores.max(initial=0.0) + np.float32(_MATCH_MARGIN)
    near = ranking.nearest[~others] if not others.all() else np.zeros(1, dtype=np.float32)
    return replace(
        ranking,
        order=np.concatenate([[skill], ranking.order[others]]),
        scores=np.concatenate([[best], ranking.scores[others]]).astype(np.float32),
        nearest=np.concatenate([near, ranking.nearest[others]]),
    )


def _join_pairs(words: Sequence[str]) -> tuple[str, ...]:
    """Words to show: 应急预案 instead of 应急, 急预, 预案."""
    joined: list[str] = []
    for word in words:
        if joined and has_cjk(word) and joined[-1][-1] == word[0]:
            joined[-1] += word[1:]
        else:
            joined.append(word)
    return tuple(joined)


def _find_telling_words(found: ScoredMessage, skill: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of the message that a skill has, without those that every text has, and those that the glossary adds."""
    shared = found.index.lexical.find_shared_words
    said = extract_query_terms(found.asked[:_MAX_CHARS_READ])
    added = found.query.terms.words[len(extract_words(found.asked)) :]
    own = shared(said, skill)
    return own[:_MAX_WORDS_SHOWN], tuple(one for one in shared(added, skill) if one not in own)[:_MAX_WORDS_SHOWN]


def _find_translated(found: ScoredMessage, skill: int) -> tuple[str, ...]:
    """Chinese words of the message, each with the word by which a skill described in English says it."""
    index = found.index
    if not (index.translated_share and index.without_chinese[skill] and has_cjk(found.asked)):
        return ()
    translated = translate_words(fold(found.asked), load_translations())
    held = ((one.word, index.lexical.find_shared_words(one.english, skill)) for one in translated)
    return tuple(f"{word} ({english[0]})" for word, english in held if english)[:_MAX_WORDS_SHOWN]


def _build_reasons(found: ScoredMessage, skill: int) -> Sequence[Reason]:
    index, ranking, spoken = found.index, found.ranking, found.trigger_hits
    words = float(ranking.lexical.values[skill])
    shared, synonyms = _find_telling_words(found, skill)
    reasons = [Reason("words", words, shared)]
    if synonyms:
        reasons.append(Reason("synonyms", float(len(synonyms)), synonyms))
    if translated := _find_translated(found, skill):
        reasons.append(Reason("translated", float(len(translated)), translated))
    near = _mean_similarity(ranking, skill)
    if near is not None:
        reasons.append(
            Reason("meaning", near, place=1 + int((ranking.dense > ranking.dense[skill]).sum()), count=len(index))
        )
    if found.match is not None and found.match.skill == skill:
        reasons.append(Reason(found.match.code, 1.0, (found.match.example,)))
    if hits := spoken.hits.get(skill):
        reasons.append(Reason("triggers", spoken.weights.get(skill, 0.0), hits))
    if phrases := spoken.phrases.get(skill):
        reasons.append(Reason("phrases", float(len(phrases)), phrases))
    if excluded := spoken.excluded.get(skill):
        reasons.append(Reason("excluded", -float(len(excluded)), _join_pairs(excluded)))
    if refused := spoken.refused.get(skill):
        reasons.append(Reason("negated", -len(refused), refused))
    return reasons
