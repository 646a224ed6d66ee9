"""A message about several documents: which of its words are about which of them."""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from metier.attachments import NamedFile, match_names
from metier.packs.office._request_text import RequestText
from metier.packs.office.conversation._documents import ConversationDocument, list_documents
from metier.packs.office.orders import VERBS
from metier.packs.office.wishes import remove_names
from metier.textsearch import has_cjk

__all__ = ["DocumentShare", "share_message"]

_SEVERAL: Final = 2
_NEXT: Final = r"(?:然后|接着|再|并且|并|同时|另外|还有|and then|then|and also|and|also)?\s*"
_STRONG: Final = re.compile(rf"[,，;；。!！\n]+\s*{_NEXT}|\.\s+{_NEXT}", re.IGNORECASE)
_WEAK: Final = re.compile(r"\s+(?:and then|then|and also|and)\s+|然后|接着|同时|并且|再(?=把|将|给)", re.IGNORECASE)
_TOGETHER: Final = re.compile(r" ?(?:[和与跟及、，&]|以及|,(?: and)?|and) ?(?:the )?[@＠]?", re.IGNORECASE)
_VERB: Final = re.compile(
    r"\s*(?:please )?(?:in \ue000[,:]? )?(?P<verb>change|replace|rename|set|update|correct)\b", re.IGNORECASE
)
_NEW_VALUE: Final = re.compile(r"\s(?:to|with)\s", re.IGNORECASE)
_ANY_VERB: Final = re.compile(
    r"\b(?:add|insert|delete|remove|change|replace|set|make|put|move|sort|filter|hide|merge|copy|rename|format|update|"
    r"correct|draw|create|fill|write|swap|highlight|cent(?:er|re)|align|freeze|print|bold|mark)\b",
    re.IGNORECASE,
)


_NAME: Final = "\ue001"
# What relates documents, names a file that is not among them, or is for all of them or all but one.
_EXCEPT: Final = re.compile(
    rf"(?:除了?|不含|不包括|\b(?:except|apart from|but not|not)(?: for| in| of)?)\s*@?{_NAME}", re.IGNORECASE
)
_OTHER_FILE: Final = re.compile(
    r"[^\s,，。;；:：]\.(?:docx?|xlsx?|xlsm|pptx?|txt|md|wps|et)(?![A-Za-z0-9])", re.IGNORECASE
)
_ALL: Final = re.compile(
    r"(?:[两二三四几每各]|所有|全部)[个份]?(?:文件|文档|文稿|都)|"
    r"\b(?:both|each of|all (?:the )?(?:files|documents|of them|three|four))\b",
    re.IGNORECASE,
)
_ANY_RELATION: Final = re.compile(
    r"互换|对调|交换|调换|比较|对比|对照|合并|\b(?:swap|exchange|switch|compare|merge|combine)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class DocumentShare:
    """A document with the words of a message that are about it, which do not name it."""

    document: ConversationDocument
    words: str

    @property
    def said(self) -> str:
        """The words with the document that they are about."""
        return f"@{self.document.name} {self.words}"


def share_message(message: str, workspace: Path) -> tuple[DocumentShare, ...]:
    """The share of each document in a message that names several, each in clauses of its own or side by side.

    Empty if it names one document or none, or if a clause is about how two of them are related.
    """
    documents = {one.name: one for one in list_documents(workspace)}
    named = match_names(message, documents)
    if len({one.name for one in named}) < _SEVERAL:
        return ()
    groups = _group(named, message)
    if _relates(message, named, groups):
        return ()
    clauses = _divide(message, groups)
    shares: dict[str, list[str]] = {}
    for group, clause in zip(groups, clauses, strict=False):
        for name in dict.fromkeys(one.name for one in group):
            shares.setdefault(name, []).append(clause)
    if len(shares) < _SEVERAL:
        return ()
    comma = "，" if has_cjk(message) else ", "
    return tuple(
        DocumentShare(documents[name], comma.join(remove_names(part, documents) for part in parts))
        for name, parts in shares.items()
    )


def _relates(message: str, named: tuple[NamedFile, ...], groups: list[list[NamedFile]]) -> bool:
    """Whether words are about several documents at once, about none of those here, or exclude one of them."""
    bare = RequestText(message).mask
    for one in reversed(named):
        bare = bare[: one.start] + _NAME * (one.end - one.start) + bare[one.end :]
    if _EXCEPT.search(bare) or _OTHER_FILE.search(bare) or (_ALL.search(bare) and len(groups) > 1):
        return True
    if _ANY_RELATION.search(bare) and any(len({one.name for one in group}) > 1 for group in groups):
        return True
    before = list(_STRONG.finditer(bare, 0, named[0].start))  # an order before the first name may be for all
    return bool(before) and VERBS.search(bare, 0, before[-1].start()) is not None


def _divide(message: str, groups: list[list[NamedFile]]) -> list[str]:
    """The clauses of the groups of documents; none if two groups stand in one clause."""
    mask = RequestText(message).mask
    starts = [0]
    for before, after in pairwise(groups):
        start = _find_break(mask, before[-1].end, after[0].start)
        if start is None:
            return []
        starts.append(start)
    clauses, verb = list[str](), ""
    for start, end in pairwise((*starts, len(message))):
        verb, said = _complete(_cut_tail(message[start:end]), verb)
        clauses.append(said)
    return clauses


def _group(named: tuple[NamedFile, ...], message: str) -> list[list[NamedFile]]:
    """Names that stand side by side, and each of the others alone; a document that is named on is the same group."""
    groups = [[named[0]]]
    for one in named[1:]:
        last = groups[-1][-1]
        if one.name == last.name or _TOGETHER.fullmatch(message[last.end : one.start]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _find_break(mask: str, start: int, end: int) -> int | None:
    """Where the clause of the second document begins; None if no clause ends between the two."""
    for pattern in (_STRONG, _WEAK):
        if found := [one.end() for one in pattern.finditer(mask, start, end)]:
            return found[-1]
    return None


def _cut_tail(said: str) -> str:
    """The words without the sign or the conjunction that leads to the next clause."""
    return re.sub(
        r"(?:[\s,，;；。!！]|\b(?:and|then|also)|然后|接着|同时|并且|另外|还有|再)+$", "", said, flags=re.IGNORECASE
    )


def _complete(said: str, verb: str) -> tuple[str, str]:
    """The verb for the clauses that follow, and a clause with the verb of the one before where it has none."""
    if found := _VERB.match(said) or re.search(r"[,:] (?P<verb>change|replace|rename|set|update|correct)\b", said):
        return found["verb"].lower(), said
    if verb and _NEW_VALUE.search(said) and not _ANY_VERB.search(said):
        return verb, f"{verb} {said}"
    return verb, said
