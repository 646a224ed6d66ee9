"""Passages of a document that hold the words of a question, quoted with their place and not interpreted."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from metier.language import Language, Sentences, join_names
from metier.packs.office.analysis._actions import table_json
from metier.packs.office.analysis._extract import list_figures
from metier.packs.office.analysis._model import Proposal, Reading
from metier.packs.office.wishes import asks_value, list_asked_terms, list_place, list_shared_terms, read_place
from metier.patterns import compile_later
from metier.textsearch import Bm25, has_cjk

if TYPE_CHECKING:
    from metier.packs.office._pieces import TextPiece

__all__ = ["propose_passages"]

_MAX_PASSAGES: Final = 5
_MAX_BELOW: Final = 6
_NEAR_SHARE: Final = 0.6
_HEADING: Final = compile_later(
    r"\s*(?:第.{1,4}[章节]|[一二三四五六七八九十]{1,3}、|[IVX]{1,4}\.\s|(?:chapter|section) \d).{0,40}$", re.I
)
_ENDS: Final = ("。", ".", "；", ";", "：")
_WORDS: Final = Sentences(
    {
        "found": (
            "Quoted from “{name}”, by the words {words}; the passages were looked up and not interpreted:",
            "以下摘自“{name}”，按 {words} 查到，只引用原文，没有作解读：",
        ),
        "absent": ("{words} does not stand in it.", "文中没有 {words}。"),
        "place_found": (
            "Quoted from “{name}”; the place was looked up and not interpreted:",
            "以下摘自“{name}”，只引用原文，没有作解读：",
        ),
        "none": (
            "No passage of “{name}” holds the words of the question ({words}). Only these words were looked for: "
            "without a language model nothing is known of others that mean the same.",
            "“{name}”里没有找到问题中的词（{words}）。只按这些词查找；没有语言模型，无法判断意思相同的其他说法。",
        ),
        "nothing_asked": (
            "The question has no word that could be looked up in “{name}”.",
            "问题里没有可以在“{name}”中查找的词。",
        ),
        "see_figures": (" The dates and figures that stand in it are listed.", "文中的日期和数字见表。"),
        "quote": ("- “{text}”", "- “{text}”"),
        "quoted": ("“{word}”", "“{word}”"),
        "passages": ("Passages", "原文段落"),
        "text": ("Text", "原文"),
        "where": ("Place", "位置"),
    }
)


def propose_passages(reading: Reading, pieces: Sequence["TextPiece"], question: str, language: Language) -> Proposal:
    """The passages that hold most of what is asked, the rarer words counting more; nothing is written."""
    if (place := read_place(question)) is not None and (lines := list_place(pieces, place)):
        return _propose(reading, _WORDS.render("place_found", language, name=reading.name), lines, language)
    asked = list_asked_terms(question)
    hits = [(piece, list_shared_terms(question, piece.line)) for piece in pieces]
    holders = Counter(term for _, terms in hits for term in terms)
    bm25 = Bm25(max(1, len(pieces)), 1.0)
    scored = [(sum(bm25.idf(holders[term]) for term in terms), piece) for piece, terms in hits if terms]
    if not scored:
        return _propose_nothing(reading, pieces, question, language)
    best = max(score for score, _ in scored)
    chosen = [piece for score, piece in scored if score >= _NEAR_SHARE * best][:_MAX_PASSAGES]
    told = [term for term in asked if any(term in terms for piece, terms in hits if piece in chosen)]
    head = _WORDS.render("found", language, name=reading.name, words=_quote(_merge(told, question), language))
    absent = [term for term in asked if not holders[term] and not has_cjk(term)]
    rest = _WORDS.render("absent", language, words=_quote(absent, language)) if absent else ""
    return _propose(reading, head, _add_contents(chosen, pieces), language, rest)


def _propose_nothing(reading: Reading, pieces: Sequence["TextPiece"], question: str, language: Language) -> Proposal:
    """That no passage has the words; for a value that is asked, the figures that stand in the document."""
    words = _quote(_merge(list_asked_terms(question), question), language)
    code = "none" if words else "nothing_asked"
    summary = _WORDS.render(code, language, name=reading.name, words=words)
    tables = list_figures(pieces, language) if asks_value(question) else ()
    summary += _WORDS.render("see_figures", language) if tables else ""
    return Proposal("doc-analyzer", "wps", summary, (), tables)


def _propose(
    reading: Reading, head: str, quoted: Sequence["TextPiece"], language: Language, rest: str = ""
) -> Proposal:
    lines = [head, *(_WORDS.render("quote", language, text=one.line.strip()) for one in quoted)]
    lines += [rest] if rest else []
    columns = [_WORDS.render(code, language) for code in ("text", "where")]
    rows = [[one.line.strip(), one.address] for one in quoted]
    table = table_json(_WORDS.render("passages", language), columns, rows)
    return Proposal("doc-analyzer", "wps", "\n".join(lines), (), (table,))


def _add_contents(chosen: Sequence["TextPiece"], pieces: Sequence["TextPiece"]) -> list["TextPiece"]:
    """The passages in reading order, a heading with the lines below it."""
    held: set[int] = set()
    for at, piece in enumerate(pieces):
        if piece in chosen:
            held.add(at)
            below = range(at + 1, min(len(pieces), at + 1 + _MAX_BELOW)) if _is_heading(piece) else ()
            for other in below:
                if _is_heading(pieces[other]):
                    break
                held.add(other)
    return [pieces[at] for at in sorted(held)]


def _is_heading(piece: "TextPiece") -> bool:
    return piece.kind == "heading" or (
        _HEADING.match(piece.line) is not None and not piece.line.rstrip().endswith(_ENDS)
    )


def _quote(words: Sequence[str], language: Language) -> str:
    return join_names([_WORDS.render("quoted", language, word=one) for one in words], language)


def _merge(terms: Sequence[str], question: str) -> list[str]:
    """Chinese pairs of characters as the words that they are parts of in the question."""
    held = {at + step for term in terms for at in _find_all(question.lower(), term) for step in range(len(term))}
    words: list[str] = []
    for at in sorted(held):
        if words and at - 1 in held and has_cjk(question[at - 1 : at + 1]):
            words[-1] += question[at]
        elif has_cjk(question[at]):
            words.append(question[at])
    return list(dict.fromkeys([*words, *(one for one in terms if not has_cjk(one))]))


def _find_all(text: str, term: str) -> list[int]:
    if not has_cjk(term):
        return []
    return [at for at in range(len(text)) if text.startswith(term, at)]
