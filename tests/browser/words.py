"""The page's own sentences in both languages, read from where the page has them: a test never repeats one."""

import json
import re
from functools import cache
from pathlib import Path

from metier.language import Language

_FOLDER = Path(__file__).resolve().parents[2] / "web" / "src" / "words"
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_ENTRY = re.compile(rf'^  "?([\w.]+)"?: \[\s*{_TEXT},\s*{_TEXT},?\s*\]', re.MULTILINE)


def sentence(room: str, key: str, language: Language, **values: object) -> str:
    """The sentence of this key: `room` is the file it stands in, `values` go where its braces are."""
    said = _sentences(room)[key][language == "en"]
    for name, value in values.items():
        said = said.replace(f"{{{name}}}", str(value))
    return said


@cache
def _sentences(room: str) -> dict[str, tuple[str, str]]:
    written = (_FOLDER / f"{room}.ts").read_text("utf-8")
    return {key: (_plain(chinese), _plain(english)) for key, chinese, english in _ENTRY.findall(written)}


def _plain(text: str) -> str:
    return str(json.loads(f'"{text}"'))
