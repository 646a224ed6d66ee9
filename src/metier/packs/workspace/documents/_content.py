"""Content of a new file by its name: a report of the conversation, an attached document, the sample, or an outline."""

from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from metier.attachments import Attachment, list_attachments
from metier.documents import extract_text
from metier.errors import MetierError
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, choose
from metier.packs.office.creation import (
    NewDocument,
    NewPoint,
    NewTable,
    UnreadableContent,
    parse_outline,
    read_content,
)
from metier.packs.workspace._results import find_report_time, keep_report, read_report
from metier.packs.workspace.documents._reports import read_analysis, read_research
from metier.packs.workspace.documents._request import read_request
from metier.packs.workspace.documents._texts import HINTS, PROBLEMS, TEXTS
from metier.questions import read_table_wish
from metier.textsearch import fold
from metier.tools import ToolError

SAMPLE: Final = "sample:work"
_OUTLINE: Final = "outline"
_RESEARCH: Final = "research"
_DATA: Final = "data"
_SAMPLES: Final = Path(__file__).parent.parent / "samples" / "outlines"
_AS_TEXT: Final = frozenset({".pdf", ".md", ".txt"})
_READABLE: Final = _AS_TEXT | {".csv", ".docx", ".pptx", ".xlsx"}
MAX_POINTS: Final = 200
MAX_SECTIONS: Final = 60
_MAX_TITLE: Final = 30


class Content(NamedTuple):
    """Content with its id, and the words for where it comes from."""

    id: str
    document: NewDocument
    source: str


def raise_problem(code: str, language: Language, **values: object) -> ToolError:
    """Error with its sentence and hint, to be raised."""
    return ToolError(PROBLEMS.render(code, language, **values), code=code, hint=HINTS.render(code, language))


def list_contents(workspace: Path) -> list[str]:
    """Ids of what the conversation has, the newest first."""
    found = [(_find_time(workspace, one.path), one.path) for one in list_documents(workspace)]
    if read_research_report(workspace) is not None:
        kept = find_report_time(workspace, "research_report")
        found.append((kept or _find_time(workspace, "research/report.json"), _RESEARCH))
    if read_report(workspace, "data_report") is not None:
        found.append((find_report_time(workspace, "data_report"), _DATA))
    if (kept_outline := read_report(workspace, "outline")) is not None:
        found.append((find_report_time(workspace, "outline"), SAMPLE if kept_outline.get("is_sample") else _OUTLINE))
    return [id for _, id in sorted(found, reverse=True)]


def list_documents(workspace: Path) -> list[Attachment]:
    """Attached files that can be content."""
    files = list_attachments(workspace)
    return [one for one in files if PurePosixPath(one.name).suffix.lower() in _READABLE]


def read_research_report(workspace: Path) -> JsonObject | None:
    """The research report of the conversation."""
    return read_report(workspace, "research_report")


def _find_time(workspace: Path, path: str) -> float:
    try:
        return (workspace / path).stat().st_mtime
    except OSError:
        return 0.0


def list_options(workspace: Path, language: Language) -> list[JsonValue]:
    """Contents to choose from, with words for each; the sample is always there."""
    names = {one.path: one.name for one in list_documents(workspace)}
    named = [
        (id, names[id] if id in names else TEXTS.render(f"option_{id}", language))
        for id in list_contents(workspace)
        if id != SAMPLE
    ]
    return [{"value": id, "label": label} for id, label in [*named, (SAMPLE, TEXTS.render("option_sample", language))]]


def match_content(words: str, workspace: Path, *, known: str = "", previous: str = "") -> tuple[str, str]:
    """Id of the content that is meant and how it was found; empty if the conversation has none that fits.

    An outline in the words themselves comes first, then what they name, then the result of the task before, then what
    was settled, then the newest. What the words call by a name that nothing has is not guessed.
    """
    request = read_request(words, "")
    if request.outline:
        return request.outline, "words"
    if named := _find_document(words, workspace):
        return named, "words"
    if request.lacks_outline:
        return "", ""
    at_hand = list_contents(workspace)
    documents = [id for id in at_hand if "/" in id]
    wanted = {
        "sample": [SAMPLE],
        "research": [_RESEARCH],
        "data": [_DATA],
        "document": documents,
        "same": [known, *at_hand] if known else at_hand,
    }.get(request.named or "", [])
    for id in wanted:
        if id == SAMPLE or id in at_hand:
            return id, "words"
    if request.named in ("research", "data"):
        return "", ""
    left = {"research": _RESEARCH, "data-analysis": _DATA}.get(previous, "")
    if left in at_hand:
        return left, "words"
    if (wish := read_table_wish(words)) is not None and wish.is_named and "/" in next(iter(at_hand), ""):
        return "", ""  # what they name is neither there nor the whole of a document that has another name
    if known in at_hand and known == next(iter(at_hand), ""):
        return known, "step"
    return (at_hand[0], "assumption" if len(at_hand) > 1 else "step") if at_hand else ("", "")


def _find_document(words: str, workspace: Path) -> str:
    folded = words.casefold()
    for one in reversed(list_documents(workspace)):
        stem = PurePosixPath(one.name).stem.casefold()
        if one.name.casefold() in folded or (len(stem) > 1 and stem in folded):
            return one.path
    wish = read_table_wish(words)
    if wish is not None and wish.is_named:  # a part of the name
        names = {one.path: fold(PurePosixPath(one.name).stem) for one in reversed(list_documents(workspace))}
        return next((path for path, name in names.items() if wish.name in name), "")
    return ""


def open_content(workspace: Path, content: str, language: Language) -> Content:
    """Content by its id, by words that name it, or from an outline that is given; `ToolError` if there is none."""
    id = content.strip()
    if id == SAMPLE:
        text = (_SAMPLES / f"work.{language}.md").read_text("utf-8")
        keep_report(workspace, "outline", {"text": text, "is_sample": True})
        document = replace(parse_outline(text, language), subtitle=TEXTS.render("sample_notice", language))
        return _finish(SAMPLE, document, TEXTS.render("source_sample", language), language)
    if id in (_RESEARCH, _DATA, _OUTLINE):
        return _open_report(workspace, id, language)
    known = {one.path: one for one in list_documents(workspace)}
    if id in known:
        return _open_document(workspace, known[id], language)
    if "\n" not in id:
        found, source = match_content(id, workspace)
        named = read_request(id, "").named
        if source == "words" and found != id:
            return open_content(workspace, found, language)
        if named in ("research", "data", "document"):
            raise raise_problem(f"no_{named}", language)
    document = _name_flat(parse_outline(id, language), id)
    has_table = any(isinstance(block, NewTable) for section in document.sections for block in section.blocks)
    if document.point_count < 2 and not has_table:
        raise raise_problem("outline_empty", language)
    made = _finish(_OUTLINE, document, TEXTS.render("source_outline", language), language, most=MAX_POINTS)
    keep_report(workspace, "outline", {"text": id})
    return made


def _name_flat(document: NewDocument, text: str) -> NewDocument:
    """A list without a heading is called by its first points, not by a word that the user did not write."""
    points = [block.text for section in document.sections for block in section.blocks if isinstance(block, NewPoint)]
    if not points or len(document.sections) > 1 or document.title in text:
        return document
    name = choose(document.language, zh="、", en=", ").join(points)
    title = name if len(name) <= _MAX_TITLE else points[0][:_MAX_TITLE]
    return replace(document, title=title)


def _open_report(workspace: Path, id: str, language: Language) -> Content:
    if id == _OUTLINE:
        kept = read_report(workspace, "outline")
        if kept is None:
            raise raise_problem("no_outline", language)
        text = str(kept.get("text", ""))
        document = _name_flat(parse_outline(text, language), text)
        if kept.get("is_sample"):
            document = replace(document, subtitle=TEXTS.render("sample_notice", language))
        return _finish(id, document, TEXTS.render("source_outline", language), language, most=MAX_POINTS)
    report = read_research_report(workspace) if id == _RESEARCH else read_report(workspace, "data_report")
    if report is None:
        raise raise_problem(f"no_{id}", language)
    document = read_research(report, language) if id == _RESEARCH else read_analysis(report, language)
    title = document.title if id == _RESEARCH else str(report.get("title") or report.get("file") or "")
    return _finish(id, document, TEXTS.render(f"source_{id}", language, title=title), language)


def _open_document(workspace: Path, file: Attachment, language: Language) -> Content:
    path = workspace / file.path
    try:
        if path.suffix.lower() in _AS_TEXT:
            text = extract_text(file.name, path.suffix.lower().lstrip("."), path.read_bytes()) or ""
            document = parse_outline(text, language)
        else:
            document = read_content(path, file.name, language)
    except UnreadableContent as error:
        raise raise_problem("document_unreadable", language, name=file.name) from error
    except MetierError as error:
        said = getattr(error, "text", None)
        message = str(said(language)) if callable(said) else error.message
        raise ToolError(message, code=error.code, hint=error.hint) from error
    if not document.point_count:
        raise raise_problem("document_empty", language, name=file.name)
    generic = TEXTS.render("points", language)
    if document.title in (generic, document.sections[0].title):
        document = replace(document, title=PurePosixPath(file.name).stem)
    return _finish(file.path, document, TEXTS.render("source_document", language, title=file.name), language)


def _finish(id: str, document: NewDocument, source: str, language: Language, *, most: int = 0) -> Content:
    if not document.point_count:
        raise raise_problem("outline_empty", language)
    if most and document.point_count > most:
        raise raise_problem("outline_too_long", language, count=document.point_count, most=most)
    if len(document.sections) > MAX_SECTIONS:
        raise raise_problem("too_many_sections", language, count=len(document.sections), most=MAX_SECTIONS)
    return Content(id, document, source)
