"""Writes reports: Markdown, HTML with the pictures inside, or PDF."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import InvalidInput
from metier.exports import DocumentFormat, build_report, write_document
from metier.language import Language, choose
from metier.packs.phm.diagnosis import Diagnosis
from metier.packs.phm.loaders import Record
from metier.packs.phm.reports._plots import draw_envelope, draw_steps, name_envelope
from metier.packs.phm.reports._text import build_markdown, describe_report

_FORMATS: Final[Mapping[str, DocumentFormat]] = MappingProxyType({".html": "html", ".htm": "html", ".pdf": "pdf"})


def check_format(path: Path) -> str:
    """Suffix of a report in lower case; `InvalidInput` if no report has it."""
    suffix = path.suffix.lower()
    if suffix != ".md" and suffix not in _FORMATS:
        raise InvalidInput(
            f"a report is no {suffix or 'file without a suffix'}", hint="report.html, report.pdf, report.md"
        )
    return suffix


def write_report(path: Path, results: Sequence[tuple[Record, Diagnosis]], language: Language) -> Path:
    """Write the report of one or several records; the suffix says the format."""
    suffix = check_format(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if suffix == ".md":
        path.write_text("\n".join(build_markdown(record, found, language) for record, found in results), "utf-8")
        return path
    texts: list[str] = []
    images: dict[str, bytes] = {}
    for record, found in results:
        links: dict[str, str] = {}
        for title, picture in _draw(record, found, language).items():
            links[title] = f"picture-{len(images)}.png"
            images[links[title]] = picture
        texts.append(build_markdown(record, found, language, links))
    title = describe_report([record.name for record, _ in results], language)
    text = texts[0].partition("\n")[2] if len(texts) == 1 else "\n".join(texts)
    path.write_bytes(write_document(build_report(title, text, language, images), _FORMATS[suffix]))
    return path


def _draw(record: Record, found: Diagnosis, language: Language) -> Mapping[str, bytes]:
    steps = choose(language, zh="步骤", en="Steps")
    pictures = {name_envelope(language): draw_envelope(found, record.unit, language), steps: draw_steps(found)}
    return {title: picture for title, picture in pictures.items() if picture is not None}
