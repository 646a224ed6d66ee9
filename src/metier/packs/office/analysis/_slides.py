"""Review of slides: titles, length, figures that contradict each other, texts of the template that were left."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.packs.office.analysis._actions import PlanActions, table_json
from metier.packs.office.analysis._model import DocumentFinding, Proposal, Reading, SlideText
from metier.packs.office.analysis._wording import bilingual

__all__ = ["propose_slide_review", "review_slides"]

_MAX_POINTS: Final = 7
_MAX_POINT_CHARS: Final = 80
_FIGURE: Final = re.compile(
    r"(?P<label>[\u4e00-\u9fff]{3,12}?|[A-Za-z][A-Za-z ]{3,30}?)\s*(?:为|达|达到|是|:|：|of|is|was)?\s*"
    r"(?P<figure>\d+(?:[.,]\d+)*)\s*(?P<unit>%|％|万元|亿元|元|个|人月|人|台|件|次|[A-Za-z]+)?"
)
_LEFT_OVER: Final = re.compile(
    r"单击此处(?:添加|编辑)|点击(?:添加|输入)|click to (?:add|edit)|lorem ipsum", re.IGNORECASE
)
_WORDS: Final = Sentences(
    {
        "title_missing": ("Slide {slide} has no title.", "第 {slide} 页没有标题。"),
        "title_repeated": (
            "Slide {slide} repeats the title of slide {other}.",
            "第 {slide} 页与第 {other} 页标题相同。",
        ),
        "too_many_points": (
            "Slide {slide} has {count} points; {most} are readable.",
            "第 {slide} 页有 {count} 条要点，建议不超过 {most} 条。",
        ),
        "point_too_long": (
            "Slide {slide} has a point of {count} characters.",
            "第 {slide} 页有一条要点长达 {count} 字，建议拆分。",
        ),
        "number_conflict": (
            "Slide {slide} says “{found}”, slide {other} says “{before}”.",
            "第 {slide} 页写“{found}”，第 {other} 页写“{before}”，数字不一致。",
        ),
        "left_over": ("Slide {slide} still shows template text.", "第 {slide} 页还有模板提示文字。"),
        "summary": (
            "Reviewed {slides} slides of “{name}” (titles, length, contradicting figures, left-over template text): "
            "{count} findings.",
            "检查“{name}”共 {slides} 页（标题、要点数量和长度、前后数字、模板提示文字），发现 {count} 处问题。",
        ),
        "title": ("Findings", "检查意见"),
        "slide": ("Slide", "页"),
        "found": ("Finding", "问题"),
        "line": ("Source line", "原文"),
        "note": ("Review: {text}", "检查意见：{text}"),
    }
)


def review_slides(slides: Sequence[SlideText]) -> tuple[DocumentFinding, ...]:
    """All findings in the order of the slides."""
    return tuple(sorted((*_check_slides(slides), *_find_conflicts(slides)), key=lambda one: int(one.values["slide"])))


def _build_finding(rule: str, slide: SlideText, line: str, **values: object) -> DocumentFinding:
    message = bilingual(_WORDS, rule, slide=slide.number, **values)
    return DocumentFinding(rule, f"s{slide.number}", line, message, "medium", values={"slide": str(slide.number)})


def _check_slides(slides: Sequence[SlideText]) -> Iterator[DocumentFinding]:
    titles: dict[str, int] = {}
    for slide in slides:
        lines = [line.strip() for text in slide.texts for line in text.splitlines() if line.strip()]
        title = slide.title.strip()
        if not title and lines:
            yield _build_finding("title_missing", slide, lines[0])
        elif title in titles:
            yield _build_finding("title_repeated", slide, title, other=titles[title])
        if title:
            titles.setdefault(title, slide.number)
        if len(lines) > _MAX_POINTS:
            yield _build_finding("too_many_points", slide, lines[-1], count=len(lines), most=_MAX_POINTS)
        for line in lines:
            if len(line) > _MAX_POINT_CHARS:
                yield _build_finding("point_too_long", slide, line, count=len(line))
            if _LEFT_OVER.search(line):
                yield _build_finding("left_over", slide, line)


def _find_conflicts(slides: Sequence[SlideText]) -> Iterator[DocumentFinding]:
    known: dict[tuple[str, str], tuple[str, str, int]] = {}
    for slide in slides:
        for text in slide.texts:
            for line in text.splitlines():
                for part in re.split(r"[，,；;。](?!\d)", line):
                    match = _FIGURE.search(part)
                    if match is None or match.start() > 0:
                        continue
                    key = (match["label"].strip(), match["unit"] or "")
                    before = known.setdefault(key, (match["figure"], match[0], slide.number))
                    if before[0] != match["figure"] and before[2] != slide.number:
                        yield _build_finding(
                            "number_conflict", slide, line.strip(), found=match[0], before=before[1], other=before[2]
                        )


def propose_slide_review(reading: Reading, *, language: Language) -> Proposal:
    """Findings in words and as notes of the slides they are about."""
    findings = review_slides(reading.slides)
    summary = _WORDS.render("summary", language, slides=len(reading.slides), name=reading.name, count=len(findings))
    columns = [_WORDS.render(code, language) for code in ("slide", "found", "line")]
    rows = [[finding.values["slide"], finding.message.text(language), finding.line] for finding in findings]
    return Proposal(
        "ppt-review",
        "wpp",
        summary,
        tuple(_note_actions(reading, findings, language)),
        (table_json(_WORDS.render("title", language), columns, rows),) if findings else (),
        tuple(finding.to_json(language) for finding in findings),
    )


def _note_actions(reading: Reading, findings: Sequence[DocumentFinding], language: Language) -> Iterator[JsonObject]:
    actions = PlanActions(language)
    for slide in reading.slides:
        own = [finding.message.text(language) for finding in findings if finding.values["slide"] == str(slide.number)]
        if own:
            note = _WORDS.render("note", language, text=" ".join(own))
            notes = slide.notes if note in slide.notes else "\n".join(filter(None, (slide.notes, note)))
            yield actions.operation("set_notes", own[0], slide_index=slide.number, text=notes)
