"""Wrong spellings and words used in two forms; the list is data and can be extended by the caller."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from metier.language import Sentences
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis._wording import bilingual

__all__ = ["find_wrong_terms"]

_WORDS: Final = Sentences({"terminology": ("“{wrong}” should read “{right}”.", "“{wrong}”应为“{right}”。")})


@cache
def _load_terms() -> tuple[tuple[re.Pattern[str], str], ...]:
    text = files("metier.packs.office.analysis").joinpath("terms.toml").read_text("utf-8")
    return tuple(
        (_compile(entry["wrong"], entry.get("after", "")), entry["right"]) for entry in tomllib.loads(text)["terms"]
    )


def _compile(wrong: str, after: str) -> re.Pattern[str]:
    bounds = (r"(?<![A-Za-z])", r"(?![A-Za-z])") if wrong.isascii() else ("", "")
    return re.compile(f"{bounds[0]}{re.escape(wrong)}{bounds[1]}" + (f"(?={after})" if after else ""))


def find_wrong_terms(pieces: Iterable[TextPiece], terms: Mapping[str, str] | None = None) -> Iterator[DocumentFinding]:
    """Each wrong spelling with the right one; `terms` maps further words to the ones to use."""
    own = tuple((_compile(wrong, ""), right) for wrong, right in (terms or {}).items() if wrong)
    for piece in pieces:
        for form, right in (*own, *_load_terms()):
            for match in form.finditer(piece.text):
                yield DocumentFinding(
                    "terminology",
                    piece.address,
                    piece.line.strip(),
                    bilingual(_WORDS, "terminology", wrong=match[0], right=right),
                    "low",
                    match[0],
                    replacement=right,
                    values={"wrong": match[0], "right": right},
                )
