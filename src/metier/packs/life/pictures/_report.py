"""Chart and reading as files to take home: HTML and PDF with the picture inside."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from metier.exports import DocumentFormat, Drawing, build_report, write_document, write_themed_svg
from metier.language import Language, Sentences
from metier.packs.life.pictures._texts import describe_reading
from metier.packs.life.readings import Sentence, describe_facts

_FORMATS: Final[tuple[DocumentFormat, ...]] = ("html", "pdf")
_PICTURE: Final = "chart"
_TEXTS: Final = Sentences(
    {
        "bazi": ("Bazi chart and reading", "八字命盘与解读"),
        "zodiac": ("Natal chart and reading", "星盘与解读"),
        "reading": ("Reading", "解读"),
        "grounds": ("Grounds", "依据"),
        "rule": ("Rule", "规则"),
        "facts": ("In the chart", "命盘依据"),
        "source": ("Source", "出处"),
    }
)


def write_picture(folder: Path, name: str, drawing: Drawing) -> str:
    """Write the picture as SVG, light or dark as the page, into the conversation's folder; returns its name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.svg"
    path.write_text(write_themed_svg(drawing), "utf-8")
    return path.name


def write_files(
    folder: Path, kind: str, summary: str, drawing: Drawing, *, sentences: Sequence[Sentence], language: Language
) -> tuple[str, ...]:
    """Write chart and reading as HTML and PDF; returns the names of the files."""
    title = _TEXTS.render(kind, language)
    text = "\n\n".join(
        (
            summary,
            f"![{drawing.description}]({_PICTURE})",
            f"## {_TEXTS.render('reading', language)}",
            describe_reading(sentences, language),
            f"## {_TEXTS.render('grounds', language)}",
            _list_grounds(sentences, language),
        )
    )
    folder.mkdir(parents=True, exist_ok=True)
    document = build_report(title, text, language, {_PICTURE: drawing})
    names = []
    for form in _FORMATS:
        path = folder / f"{kind}-report.{form}"
        path.write_bytes(write_document(document, form))
        names.append(path.name)
    return tuple(names)


def _list_grounds(sentences: Sequence[Sentence], language: Language) -> str:
    heads = " | ".join(_TEXTS.render(code, language) for code in ("rule", "facts", "source"))
    rows = (f"| {one.rule} | {describe_facts(one.facts, language)} | {one.source} |" for one in sentences)
    return "\n".join([f"| {heads} |", "|---|---|---|", *rows])
