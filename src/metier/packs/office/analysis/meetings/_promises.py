"""Promises of a meeting: who does what until when. What was not said stays open; nobody is guessed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from metier.language import split_sentences
from metier.packs.office.analysis._dates import (
    find_date,
    find_full_date,
    find_repeat_words,
    find_time_words,
    has_date_words,
)
from metier.packs.office.analysis.meetings._acts import split_clauses, split_work
from metier.packs.office.analysis.meetings._assigned import read_assigned, read_open
from metier.packs.office.analysis.meetings._context import SpokenContext
from metier.packs.office.analysis.meetings._decisions import strip_lead
from metier.packs.office.analysis.meetings._items import word_item
from metier.packs.office.analysis.meetings._judged_work import find_judged_work
from metier.packs.office.analysis.meetings._model import Promise
from metier.packs.office.analysis.meetings._replies import SpokenReply, cut_other_work, list_assents, read_reply
from metier.packs.office.analysis.meetings._requests import SpokenRequest, find_requests
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings._unmeant import cut_unmeant
from metier.packs.office.analysis.meetings._withdrawn import move_day, settle_promises
from metier.packs.office.analysis.meetings.records import read_listed_work, read_noted_work
from metier.packs.office.analysis.meetings.roles import AGREED_WORK, KEPT_WORK, SURE_REPLY, JudgedLine, judge_lines

__all__ = ["Promise", "find_promises"]

_THING: Final = 2  # characters of a thing that two wordings share
_MIN_WORDS: Final = 3
_ANY_DAY: Final = date(2000, 1, 3)  # a day to find words with that say a date, where the date itself does not matter
_UNTIL_THEN: Final = re.compile(r"[那这此]之前|\b(?:before|by|until) (?:that|then)\b", re.IGNORECASE)
_YES: Final = re.compile(r"^(?:好[的嘞]?|行|可以|没问题)[，,]")
_ACTION_TRIM: Final = re.compile(
    r"^(?:(?:好(?:[的嘞啊])?|行|可以|那|嗯+|收到|没问题|明白|了解|知道了|ok(?:ay)?|sure)(?:[，。,！!]\s*|\s+))+",
    re.IGNORECASE,
)
# Words of a promise that no judge takes back, beside a decision in the same line or in the language of a record.
_PROMISED: Final = re.compile(r"我会(?!议)|我来|由[\u4e00-\u9fff]{2,4}|负责|\b(?:I|we|[A-Z][a-z]+) will\b|\bI['’]ll\b")


def find_promises(
    said: Sequence[Utterance],
    meeting: date | None,
    people: Iterable[str] = (),
    judged: Sequence[JudgedLine] | None = None,
) -> Iterator[Promise]:
    """Every promise of the transcript, one a sentence; without the day of the meeting relative dates stay as said.

    The rules say who does what until when; the learned judge strikes what they misread and adds what they overlook.
    """
    known, judged = frozenset(people), judge_lines(said) if judged is None else judged
    promised = _read_promises(said, meeting, known)
    read = [one for one in promised if judged[one[0]].does > KEPT_WORK or _is_certain(said, judged, *one)]
    spoken = sorted([*read, *_read_judged(said, meeting, known, judged, read)], key=lambda one: one[0])
    settled = settle_promises(spoken, said, lambda words: _find_day(words, (), meeting))
    places = {one.address: at for at, one in reversed(list(enumerate(said)))}
    listed, others = list(_read_listed(said, meeting, known)), []
    for one in settled:
        at = next((at for at, other in enumerate(listed) if _is_same(one, other)), None)
        if at is None:
            others.append(one)
        else:
            listed[at] = _join_sources(listed[at], one)
    yield from sorted([*listed, *others], key=lambda one: places[one.address])


def _join_sources(listed: Promise, spoken: Promise) -> Promise:
    """An item of the record with what was said of it: the day, if the record has none, and the line."""
    both = replace(listed, line=f"{listed.line} / {spoken.line}")
    return both if listed.said else _date(both, (spoken.when, spoken.said))


def _is_same(one: Promise, listed: Promise) -> bool:
    """Whether what somebody said stands in the list of the record: the same person, no other day, the same thing."""
    is_other = one.who not in listed.who or (one.when and listed.when and one.when != listed.when)
    shared = {one.what[at : at + _THING] for at in range(len(one.what) - 1)}
    return not is_other and any(part in listed.what for part in shared if re.fullmatch(r"\w{2}", part))


def _is_certain(said: Sequence[Utterance], judged: Sequence[JudgedLine], at: int, promise: Promise) -> bool:
    """Whether the judge leaves it: a promise or a request (请李娜…) in so many words, or what somebody agreed to."""
    if _PROMISED.search(said[at].text) or (promise.who and f"请{promise.who}" in said[at].text):
        return True
    is_named = bool(promise.who) and promise.who in said[at].text
    return is_named and judged[at].does > AGREED_WORK and _hear_reply(said, at, promise).attitude == "accepts"


def _read_listed(said: Sequence[Utterance], meeting: date | None, known: frozenset[str]) -> Iterator[Promise]:
    """Every item of a list of work in a written record."""
    people = known | {one.speaker for one in said if one.speaker}
    for one in said:
        if one.part == "todo":
            work = read_listed_work(one.text, people, one.who, one.when)
            day = _find_day(work.day, (), meeting)
            if one.when and not day[1]:
                day = None, work.day
            yield _make_promise(_find_whole_name(work.who, people), work.what, day, one)


def _read_judged(
    said: Sequence[Utterance],
    held: date | None,
    known: frozenset[str],
    judged: Sequence[JudgedLine],
    read: Sequence[tuple[int, Promise]],
) -> Iterator[tuple[int, Promise]]:
    """Work that the judge alone sees, with the day that its line says."""
    people = known | {one.speaker for one in said if one.speaker}
    requests, _ = find_requests(said, people)
    refused = {at for (at, _), request in requests.items() if request is None and not _is_taken(judged, at + 1)}
    taken = dict.fromkeys(refused, ("", "")) | {at: (promise.who, promise.what) for at, promise in read}
    for work in find_judged_work(said, judged, taken, people):
        meeting = said[work.at].day or held
        day = _find_day(work.sentence, (), meeting)
        made = _make_promise(_find_whole_name(work.who, people), work.what, day, said[work.at])
        reply = _hear_reply(said, work.at, made)
        if reply.attitude == "unclear" and _is_taken(judged, reply.at):
            reply = replace(reply, attitude="silent")
        if (settled := _settle(made, reply, said, meeting)) is not None:
            yield work.at, settled


def _is_taken(judged: Sequence[JudgedLine], at: int) -> bool:
    """Whether the judge holds a reply for one that takes work: `First thing Monday.`"""
    return at < len(judged) and judged[at].does > SURE_REPLY


def _hear_reply(said: Sequence[Utterance], at: int, promise: Promise) -> SpokenReply:
    """What somebody else who was told to do it says to it; whoever takes work themselves asked nobody."""
    is_own = promise.who in ("", said[at].speaker)
    return SpokenReply("silent") if is_own else read_reply(said, at, promise.who, promise.what)


def _read_promises(
    said: Sequence[Utterance], held: date | None, known: frozenset[str]
) -> Iterator[tuple[int, Promise]]:
    has_speakers = any(one.speaker for one in said)
    people = known | {one.speaker for one in said if one.speaker}
    requests, agreed = find_requests(said, people)
    context = SpokenContext(has_speakers)
    for at, utterance in enumerate(said):
        context.at = at
        if utterance.part not in ("", "note", "decision"):
            continue
        meeting = utterance.day or held
        noted = None if has_speakers or utterance.part else read_noted_work(utterance.text, people)
        if noted is not None:
            yield (
                at,
                _make_promise(
                    _find_whole_name(noted.who, people), noted.what, _find_day(noted.day, (), meeting), utterance
                ),
            )
            continue
        for sentence in split_sentences(utterance.text):
            key = (at, sentence.strip())
            plain = strip_lead(_ACTION_TRIM.sub("", sentence.strip()))
            request = requests.get(key)
            is_work = request is not None
            if request is not None:
                yield at, _keep_request(request, plain, utterance, meeting)
                context.settle()
            elif key not in agreed and key not in requests:
                for promise in _read_sentence(sentence.strip(), utterance, context, people, meeting):
                    reply = _hear_reply(said, at, promise)
                    if (settled := _settle(promise, reply, said, meeting)) is not None:
                        agreed |= list_assents(reply, promise.what)
                        is_work = True
                        yield at, settled
            context.hear(utterance, plain, is_work=is_work)


def _read_sentence(
    sentence: str, utterance: Utterance, context: SpokenContext, people: frozenset[str], meeting: date | None
) -> Iterator[Promise]:
    """What a sentence promises: the work that was sought, else each of its parts that somebody takes on."""
    plain = strip_lead(_ACTION_TRIM.sub("", sentence))
    meant = cut_unmeant(plain, is_reply=_YES.match(sentence) is not None)
    is_asked = context.is_asked(utterance.speaker)
    is_said = bool(utterance.speaker) or not context.has_speakers
    parts = split_work(meant, people - {utterance.speaker}) if is_said else [meant]
    for part in filter(None, parts):
        if is_said and (taken := context.answer(utterance.speaker, part)):
            day = _find_day(part, (), meeting)
            day = day if day[1] else _find_day(context.question, (), meeting)
            yield _make_promise(utterance.speaker, taken, day, utterance)
            continue
        found = read_assigned(part, utterance.speaker, people, is_said=is_said)
        if found is not None and not found[0] and meant != plain:
            found = None  # Who does it stood in the part that is not meant.
        if found is None and is_said:
            found = read_open(part, utterance.speaker, people, is_asked=is_asked)
        if found is not None:
            before = (*context.before, *_find_lead(part, found[1]))
            what = word_item(found[1], found[0], utterance.speaker, before)
            day = _find_day(part, context.before, meeting)
            if not day[1] and "（上文：" in what and context.need:
                day = _find_day(_find_dated_clause(context.need), (), meeting)
            yield _make_promise(_find_whole_name(found[0], people), what, day, utterance)


def _find_lead(part: str, work: str) -> list[str]:
    """What an English sentence says before the work in it: `school lends us twenty, Gus can you collect them`."""
    clauses = part[: max(0, part.find(work))].split(",")[:-1]
    return [clauses[-1].strip()] if clauses and len(clauses[-1].split()) >= _MIN_WORDS else []


def _find_dated_clause(sentence: str) -> str:
    """The last clause with a day of a sentence that is answered: `审计下周二来，资料周一放会议室`."""
    dated = [one for one in split_clauses(sentence) if has_date_words(one)]
    return dated[-1] if dated else ""


def _keep_request(request: SpokenRequest, plain: str, utterance: Utterance, meeting: date | None) -> Promise:
    asked = _find_day(plain, (), meeting) if has_date_words(plain) else (None, "")
    made = _make_promise(request.who, request.work, asked, utterance)
    if request.day:
        return move_day(made, _find_day(request.day, (), meeting), request.reply_line)
    return made if asked[1] else _date(made, _find_day(request.reply, (), meeting))


def _settle(own: Promise, reply: SpokenReply, said: Sequence[Utterance], meeting: date | None) -> Promise | None:
    """Work that somebody else was told to do: theirs if they do not refuse it, by the day that they name."""
    if reply.attitude in ("refuses", "unclear"):
        return None
    if reply.attitude == "takes":
        return replace(own, who=reply.speaker)
    if reply.day:
        return move_day(own, _find_day(reply.day, (), meeting), said[reply.at].line)
    if own.said or reply.attitude != "accepts":
        return own
    return _date(own, _find_day(cut_other_work(reply.text, own.what), (), meeting))


def _date(promise: Promise, day: tuple[date | None, str]) -> Promise:
    return replace(promise, when=day[0], said=day[1])


def _make_promise(who: str, what: str, day: tuple[date | None, str], utterance: Utterance) -> Promise:
    return Promise(who, what, day[0], day[1], utterance.address, utterance.line)


def _find_day(sentence: str, before: Sequence[str], meeting: date | None) -> tuple[date | None, str]:
    """The day until when, and the words that say it; no day where it counts from one that nobody knows."""
    if repeat := find_repeat_words(sentence):
        return None, repeat
    resolved = find_date(sentence, meeting or _ANY_DAY) or _find_date_before(sentence, before, meeting or _ANY_DAY)
    if resolved is None:
        return None, find_time_words(sentence)
    if meeting is None and find_full_date(resolved[1]) is None:
        return None, resolved[1]
    return resolved


def _find_date_before(sentence: str, before: Sequence[str], meeting: date) -> tuple[date, str] | None:
    """The date of the sentence before, if this one is about what has to be done until then: `before that`."""
    if not before or _UNTIL_THEN.search(sentence) is None:
        return None
    return find_date(before[-1], meeting)


def _find_whole_name(who: str, known: frozenset[str]) -> str:
    """The participant whose first or last name was said, if only one has it."""
    fitting = [one for one in known if who and who in one.split()]
    return fitting[0] if len(fitting) == 1 else who
