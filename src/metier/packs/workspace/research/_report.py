"""A research report: Markdown for people, the typed result for other skills, and files."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, cast

from metier.errors import MetierError
from metier.evidence import EvidenceItem
from metier.exports import DocumentFormat, build_report, write_document
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.workspace.research._questions import name_measure, name_topic
from metier.packs.workspace.research._state import ResearchState, name_report
from metier.packs.workspace.research._texts import KINDS, TEXTS

_DEFAULT_FORMATS: Final = ("docx", "html")
_MAX_NAMED: Final = 5
_MARKS: Final = re.compile(r"[\\`*_\[\]<>|#~]")


def build_notice(state: ResearchState, folder: Path, language: Language) -> str:
    """First line of a report over the samples: its figures are invented, and how to use other material."""
    return TEXTS.render("notice", language, folder=folder.name) if state.kind == "samples" else ""


def build_title(state: ResearchState, language: Language) -> str:
    """Title of a report; one over the samples says that its figures are invented."""
    code = "sample_title" if state.kind == "samples" else "title"
    return TEXTS.render(code, language, question=name_topic(state.question.question))


def label_place(item: EvidenceItem, language: Language) -> str:
    """Place of evidence for people: file and page, or address and time."""
    place = item.place
    return TEXTS.render(place.kind, language, source=place.source, at=place.at, time=place.time)


def build_markdown(state: ResearchState, folder: Path, language: Language) -> str:
    """The report; every statement in it is cited."""
    notice = build_notice(state, folder, language)
    lines = [notice, ""] if notice else []
    lines += [f"# {build_title(state, language)}", ""]
    lines += [_describe_sources(state, language), ""]
    if state.findings:
        lines += [f"## {TEXTS.render('findings', language)}", ""]
        lines += [f"- {one.text} {''.join(f'[{number}]' for number in one.ids)}" for one in state.findings]
        lines.append("")
    lines += _list_quotes(state, language)
    lines += _compare_figures(state, language)
    if state.missing:
        lines += [f"## {TEXTS.render('missing', language)}", ""]
        lines += [f"- {TEXTS.render('missing_one', language, question=one)}" for one in state.missing]
        lines.append("")
    lines += [f"## {TEXTS.render('references', language)}", ""]
    for item in state.ledger.items:
        label = label_place(item, language)
        lines.append(f"- {TEXTS.render('reference', language, id=item.id, title=item.place.title, label=label)}")
    lines += ["", *describe_checks(state, language)]
    return "\n".join(lines).strip() + "\n"


def describe_checks(state: ResearchState, language: Language) -> Iterator[str]:
    """What was checked before delivery, what was taken out, and which files could not be read."""
    assert state.collected is not None
    count = len(state.removed)
    yield TEXTS.render("checked", language, quotes=len(state.ledger.items), removed=count)
    for one in state.removed[:_MAX_NAMED]:
        why = TEXTS.render(one.reason, language, detail=one.detail)
        yield f"- {TEXTS.render('removed', language, text=one.text, why=why)}"
    if state.collected.orders:
        yield ""
        yield TEXTS.render("orders", language, count=state.collected.orders)
    yield from describe_problems(state, language)


def describe_problems(state: ResearchState, language: Language) -> Iterator[str]:
    """Files that could not be read, with the reason."""
    for code in dict.fromkeys(state.problems.values()):
        names = [path for path, own in state.problems.items() if own == code]
        more = ["…"] if names[_MAX_NAMED:] else []
        why = TEXTS.render("unread_yet" if code == "unread" else code, language)
        yield ""
        yield TEXTS.render("unread", language, names=[*names[:_MAX_NAMED], *more], why=why)


def to_result(state: ResearchState, folder: Path, language: Language) -> JsonObject:
    """The report as the typed result `research_report`."""
    assert state.collected is not None
    evidence: list[JsonValue] = []
    for item in state.ledger.items:
        place: JsonObject = {**item.place.to_json(), "label": label_place(item, language)}
        evidence.append({"id": item.id, "text": item.text, "place": place})
    return {
        "title": build_title(state, language),
        "notice": build_notice(state, folder, language),
        "question": state.question.question,
        "language": language,
        "sub_questions": [{"question": one.question, "found": list(one.found)} for one in state.collected.answered],
        "findings": [one.to_json() for one in state.findings],
        "disagreements": [one.to_json() for one in state.collected.disagreements],
        "missing": list(state.missing),
        "evidence": evidence,
        "removed": [one.to_json() for one in state.removed],
    }


def write_files(
    workspace: Path, state: ResearchState, markdown: str, language: Language, formats: Sequence[str]
) -> tuple[tuple[str, ...], str]:
    """Write the report in these formats; returns the names of the files and a sentence about those that failed."""
    title, stem = build_title(state, language), name_report(workspace, state.question.question)
    body = markdown.replace(f"# {title}\n", "", 1)
    names: list[str] = []
    failed: list[str] = []
    why = ""
    for name in dict.fromkeys(formats or _DEFAULT_FORMATS):
        file = workspace / f"{stem}.{name}"
        try:
            content = (
                markdown.encode()
                if name == "md"
                else write_document(build_report(title, body, language, {}), cast("DocumentFormat", name))
            )
        except MetierError as error:
            failed.append(name)
            why = error.message
            continue
        file.write_bytes(content)
        names.append(file.name)
    return tuple(names), TEXTS.render("no_files", language, names=failed, why=why) if failed else ""


def _describe_sources(state: ResearchState, language: Language) -> str:
    assert state.collected is not None
    return TEXTS.render(
        "sources",
        language,
        kind=KINDS[state.kind].text(language),
        documents=state.documents,
        relevant=state.collected.relevant,
        subject=state.question.subject,
        quotes=len(state.ledger.items),
        used=len(Counter(one.place.source for one in state.ledger.items)),
    )


def _list_quotes(state: ResearchState, language: Language) -> list[str]:
    assert state.collected is not None
    lines: list[str] = []
    shown: set[int] = set()
    answered = [one for one in state.collected.answered if one.found]
    for number, one in enumerate(answered, 1):
        lines += [f"## {number}. {one.question}", ""]
        for found in one.found:
            item = state.ledger.find(found)
            if item is not None and item.id in shown:
                lines.append(f"- {TEXTS.render('quoted_above', language, id=item.id)}")
            elif item is not None:
                shown.add(item.id)
                lines.append(f"- {TEXTS.render('quote', language, text=_escape_marks(item.text), id=item.id)}")
        lines.append("")
    return lines


def _compare_figures(state: ResearchState, language: Language) -> list[str]:
    assert state.collected is not None
    if not state.collected.disagreements:
        return []
    heads = [TEXTS.render(code, language) for code in ("measure", "period", "stated")]
    lines = [f"## {TEXTS.render('disagreements', language)}", "", TEXTS.render("disagreements_note", language), ""]
    lines += [f"| {' | '.join(heads)} |", "|---|---|---|"]
    for one in state.collected.disagreements:
        stated = " / ".join(f"{each.text} [{each.id}]" for each in one.statements)
        lines.append(f"| {name_measure(one.measure, language)} | {one.period} | {stated} |")
    return [*lines, ""]


def _escape_marks(text: str) -> str:
    """Text of a source inside of Markdown: its own marks stay characters."""
    return _MARKS.sub(r"\\\g<0>", text)
