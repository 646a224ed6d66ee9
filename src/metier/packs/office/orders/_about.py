"""A sentence, paragraph or section by what it is about: 下雨改到体育馆那句, the sentence about the two customers."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading

__all__ = ["find_about", "join_topic", "list_sentences", "name_about"]

_ZH: Final = re.compile(
    r"(?:把|将|在|对|给)?(?:说|写|讲|提|提到|关于|有关|涉及)?(?P<it>[^,，。;\"\ufffc:]{2,24}?)(?:的)?(?:那|"
    r"这)(?:一|个)?"
    r"(?P<unit>句(?:话)?|段(?:话|落|文字)?|条(?:款)?|行|部分|块|节|章)"
)
_EN: Final = (
    re.compile(
        r"\b(?:the )?(?P<unit>sentence|line|paragraph|part|section|clause|bit) (?:about|on|that (?:mentions|says|talks "
        r"about)|which (?:mentions|says)|mentioning|regarding|saying) (?:the |that )?(?P<it>[^,.;:\"\ufffc]+?)"
        r"(?=$|[,.;:\ufffc]|\s+(?:bold|in (?:bold|red|italics?))\b)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bthe (?P<it>[a-z][a-z ]{2,30}?) (?P<unit>sentence|line|paragraph|section|clause|part)\b", re.IGNORECASE
    ),
)
_EMPTY_ZH: Final = re.compile(
    r"[的了着过在到改为是和与或及把将向被从对给让也都就还要会能可这那个些上下里中说写讲去用放成有]+"
)
_EMPTY_EN: Final = re.compile(
    r"the|and|for|with|from|about|that|this|which|are|was|were|has|have|not|our|your|their|its|into|some|any|one"
)
# The dot of an initial or of a title ends no sentence: Mr A. Prentice.
_SENTENCE: Final = re.compile(
    r"[^。！？!?；;]+?(?:[。！？!?；;]+|(?<!\s[A-Z])(?<!\bM[rs])(?<!\bMrs)(?<!\bDr)(?<!\b[Nn]o)\.(?=\s|$)|\.$|$)"
)
_ENOUGH: Final = 0.75


def name_about(mask: str) -> tuple[tuple[int, int], str, str] | None:
    """Where the order names a place by its subject: the stretch, the subject, and the unit."""
    for pattern in (_ZH, *_EN):
        if found := pattern.search(mask):
            return found.span(), found["it"].strip(), found["unit"]
    return None


def list_sentences(text: str) -> list[str]:
    """Sentences of a paragraph, with their marks."""
    return [one.strip() for one in _SENTENCE.findall(text) if one.strip()]


def find_about(subject: str, pieces: Iterable[TextPiece], *, is_sentence: bool) -> tuple[TextPiece, str] | None:
    """The only piece, or the only sentence, that is about the subject; None if there is none, or several."""
    tokens = list(_tokens(subject))
    if not tokens:
        return None
    scored = [
        (sum(_cover(one, text.lower()) for one in tokens) / len(tokens), piece, text)
        for piece in pieces
        for text in (list_sentences(piece.text) if is_sentence else [piece.line])
    ]
    best = max((score for score, _, _ in scored), default=0.0)
    found = [(piece, text) for score, piece, text in scored if score == best]
    return found[0] if best >= _ENOUGH and len(found) == 1 else None


def _tokens(subject: str) -> Iterator[str]:
    for chunk in re.findall(r"[a-z0-9%]+", subject.lower()):
        if len(chunk) > 2 and not _EMPTY_EN.fullmatch(chunk):
            yield re.sub(r"(?:ing|ed|es|s|e)$", "", chunk) if len(chunk) > 4 else chunk
        elif chunk.isdigit():
            yield chunk
    for chunk in _EMPTY_ZH.split(re.sub(r"[^\u4e00-\u9fff]+", " ", subject)):
        if len(plain := chunk.strip()) > 1:
            yield plain


def _cover(token: str, text: str) -> float:
    """How much of a word or a run of Chinese words a text has: 手机静音 is all in 请将手机调至静音."""
    if token.isascii():
        return float(token in text)
    hits = {at + more for at in range(len(token) - 1) if token[at : at + 2] in text for more in (0, 1)}
    return len(hits) / len(token)


_MAX_HEADS: Final = 60
_TOPIC: Final = re.compile(
    r"(?:正文|标题|表头|大标题|全文|页边距|字体|行距|页码|背景|margins?|headings?|body(?: text)?|titles?|fonts?|"
    r"header row|line spacing|"
    r"page numbers|background)",
    re.IGNORECASE,
)


def join_topic(said: str, reading: Reading) -> str:
    """`Amounts: two decimals` is about the amounts: a colon after what the order is about announces no text."""
    found = re.match(r"([^:：,，。“\"「]{1,24}?)\s*[:：]\s*(?=\S)", said)
    if found is None or (not _TOPIC.fullmatch(found[1].strip()) and not _is_head(found[1].strip(), reading)):
        return said
    rest = said[found.end() :]
    return f"{found[1]} {rest}" if found[1].isascii() else f"{found[1]}{rest}"


def _is_head(name: str, reading: Reading) -> bool:
    return any(
        str(cell.value).strip().lower() in (name.lower(), name.lower().removesuffix("s"), name.removesuffix("列"))
        for sheet in reading.sheets
        for cell in sheet.cells[:_MAX_HEADS]
        if isinstance(cell.value, str)
    )
