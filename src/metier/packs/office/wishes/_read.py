"""Reads a whole message as a wish about an attached document: to check, chart, summarise, find or format it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from metier.attachments import match_names, replace_names
from metier.compiled import compile_constant
from metier.language import Language, choose
from metier.packs.office.wishes._tables import (
    LOOKUP,
    compile_wish,
    fill_parts,
    find_key_wish,
    list_wishes,
    load_tables,
)
from metier.textsearch import extract_query_terms, fold, has_cjk, to_simplified

_MAX_CHARS: Final = 120
_DOCUMENT: Final = "@"
_STEM_CHARS: Final = 4
_WORD: Final = re.compile(r"[a-z0-9']+")
_ENDINGS: Final = ("ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "s")
_EDGES: Final = " \t\n。.!！~?？,，;；:："
_BREAKS: Final = re.compile(r"[，,。.!！？?；;\n]+(?=.)")
_QUOTED_DOCUMENT: Final = re.compile(f'[“"《「]?{_DOCUMENT}[”"》」]?')
_WHICH: Final = re.compile(
    rf"(?:\b(?:the|this|that|my|our|attached)\s+(?:[a-z]+\s+)?|(?:这|那)(?:个|份|张|些)?\s*){{1,3}}(?={_DOCUMENT})"
)
_PRONOUN: Final = re.compile(
    r"\b(?:it|this|that|these|them)\b|(?<=\bin )here\b|它"
    r"|(?:这|那)(?:个|份|张|些|里)?(?=[有是讲说写里对能]|$|怎么|哪)|(?<=[把将])(?:这|那)(?:个|份|张|些)?"
)


@dataclass(frozen=True, slots=True)
class DocumentWish:
    """A wish and what it is about: `names` says that a file is named, `nouns` the kinds that a noun may mean.

    `rest` is the message without the document, for a wish that asks something of it.
    """

    wish: str
    names: bool = False
    nouns: tuple[str, ...] = ()
    rest: str = ""


def read_wishes(message: str, names: Iterable[str] = (), *, loosely: bool = False) -> tuple[DocumentWish, ...]:
    """The wishes that a message may say, the likeliest first; `names` are those of the files.

    All words of the message say the wish, the question for a place in the document being the last; with `loosely` one
    key word beside a name or a noun for the document is enough.
    """
    if len(message) > _MAX_CHARS:
        return ()
    said, is_named = _mark_names(to_simplified(fold(message)), names)
    marked, nouns = _mark_nouns(said)
    if not nouns and _WHICH.search(marked):
        nouns = tuple(load_tables()["nouns"]["any"]["kinds"].split())
    marked = _PRONOUN.sub(_DOCUMENT, _WHICH.sub("", marked))
    language: Language = "zh" if has_cjk(marked) else "en"
    plain = _drop_filler(marked, language)
    found = [wish for wish in list_wishes() if (form := compile_wish(wish, language)) and form.fullmatch(plain)]
    if message.rstrip().endswith(("?", "？")) and LOOKUP not in found:
        found.append(LOOKUP)
    if loosely and (is_named or nouns):
        keyed = find_key_wish(marked, language)
        found = [*(one for one in found if one != LOOKUP), *keyed, *(one for one in found if one == LOOKUP)]
    rest = marked.replace(_DOCUMENT, " ")
    return tuple(DocumentWish(wish, is_named, nouns, rest) for wish in dict.fromkeys(found))


def asks_value(question: str) -> bool:
    """Whether a question is for a value, a day, a place or a person, and not for what a word means."""
    language: Language = "zh" if has_cjk(question) else "en"
    return compile_constant(load_tables()["value"][language], re.IGNORECASE).search(question) is not None


@lru_cache(maxsize=64)
def list_asked_terms(question: str) -> tuple[str, ...]:
    """The terms of a question that may tell the place it asks for; none of those that any question has."""
    words = compile_constant(load_tables()["question"]["zh"]).sub(" ", question) if has_cjk(question) else question
    found = extract_query_terms(words) if words.strip() else []
    return tuple(
        one for one in found if one not in _plain_words() and (len(one) > 1 or (one.isalnum() and one.isascii()))
    )


def list_shared_terms(question: str, text: str) -> tuple[str, ...]:
    """The telling terms of a question that stand in a text, in any of their English forms."""
    folded = fold(text)
    words = {_cut_ending(one) for one in _WORD.findall(folded)}
    return tuple(
        one for one in list_asked_terms(question) if (one in folded if has_cjk(one) else _cut_ending(one) in words)
    )


def measure_told(question: str, texts: Iterable[str]) -> float:
    """The share of what a question asks for that stands in texts: of Chinese by its characters, else by words."""
    told = {term for text in texts for term in list_shared_terms(question, text)}
    asked = _list_units(list_asked_terms(question))
    return len(_list_units(told)) / len(asked) if asked else 0.0


def _list_units(terms: Iterable[str]) -> set[str]:
    return {unit for term in terms for unit in (term if has_cjk(term) else (term,))}


@cache
def _plain_words() -> frozenset[str]:
    return frozenset(load_tables()["plain_words"])


def _cut_ending(word: str) -> str:
    """The stem of an English word, roughly: delivery, deliver and delivered share it."""
    if len(word) == _STEM_CHARS and word.endswith("s"):
        return word[:-1]
    for endings, least in ((_ENDINGS, _STEM_CHARS), (("ery", "er", "y"), _STEM_CHARS + 1)):
        cut = next((one for one in endings if word.endswith(one) and len(word) - len(one) >= least), "")
        word = word.removesuffix(cut)
    return word


def _mark_names(said: str, names: Iterable[str]) -> tuple[str, bool]:
    """The message with each file marked that it names, and whether one is named in full or with `@`.

    A name without its ending is a word like any other: it may be the file, and does not say so for sure.
    """
    known = [to_simplified(fold(one)) for one in names if one]
    is_named = bool(match_names(said, known))
    marked = _QUOTED_DOCUMENT.sub(_DOCUMENT, replace_names(said, known, lambda _: _DOCUMENT, stems=True))
    return marked, is_named


def _mark_nouns(said: str) -> tuple[str, tuple[str, ...]]:
    """The message with each noun for a document marked, and the kinds that the nouns leave possible."""
    possible: tuple[str, ...] = ()
    for kinds, pattern in _nouns():
        marked = pattern.sub(_DOCUMENT, said)
        if marked != said:
            fitting = tuple(kinds.split())
            possible = tuple(one for one in possible if one in fitting) or fitting
            said = marked
    said = re.sub(rf"{_DOCUMENT}(?:\s*(?:这|那|的)?\s*{_DOCUMENT})+", _DOCUMENT, said)
    return said, possible


@cache
def _nouns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    nouns: Mapping[str, Mapping[str, str]] = load_tables()["nouns"]
    found: list[tuple[str, re.Pattern[str]]] = []
    for one in nouns.values():
        forms = (
            rf"\b(?:(?:the|this|that|my|our|attached|uploaded|whole|entire)\s+)+(?:[a-z]+\s+)?(?:{one['en']})\b",
            rf"(?:<which_zh>)(?:{one['zh']})|(?:{one['zh']})(?=里|中(?!文))",
        )
        found.append((one["kinds"], compile_constant("|".join(map(fill_parts, forms)), re.IGNORECASE)))
    return tuple(found)


def _drop_filler(said: str, language: Language) -> str:
    """The message without courtesy, articles and particles; clauses that say nothing else go as well."""
    pattern = compile_constant(load_tables()["filler"][language], re.IGNORECASE)
    blank = choose(language, zh="", en=" ")
    clauses = [pattern.sub(blank, one).strip(_EDGES) for one in _BREAKS.split(said)]
    return blank.join(" ".join(clauses).split())
