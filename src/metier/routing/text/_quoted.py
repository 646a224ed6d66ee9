"""Text in quotation marks and names of files: what a message is about, which is not what it asks for.

In "edit this line: 'Our plan includes unlimited projects. Sign up now!'" the line is longer than the order, names other
skills, and has sentences that look like requests.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from metier.patterns import compile_later
from metier.textsearch import has_cjk

# A single quotation mark between letters is an apostrophe. What opens is closed by its own kind.
_QUOTED: Final = compile_later(
    r"""(?<!\w)'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,1500}'(?!\w) | (?<!\w)‘(?:[^‘’\n]|’(?=\w)){1,1500}’(?!\w)
      | "(?=\S)[^"\n]{1,1500}" | “[^“”\n]{1,1500}” | 「[^「」\n]{1,1500}」 | 『[^『』\n]{1,1500}』
      | 《[^《》\n]{1,1500}》 | «[^«»\n]{1,1500}»""",
    re.VERBOSE,
)
# Names such as next.js and robots.txt are also names of things: only endings of files that are worked on, and a message
# is decided without a name only where that is surer. Chinese names say what is in the file.
_FILE_NAME: Final = compile_later(
    r"""(?<![A-Za-z0-9_./\\-])[A-Za-z0-9_][A-Za-z0-9_.-]{0,200}\.(?:csv|docx?|h5|jpe?g|json|mat|md|np[yz]|parquet|pdf|png|pptx?|tdms|tsv|txt
      |wav|xlsx?|zip)(?![A-Za-z0-9_-])""",
    re.VERBOSE | re.IGNORECASE,
)
_MARKS: Final = "'\"“‘「『《«"
# Shorter quotations are names and phrases, which tell the skill as often as not.
_MIN_WORDS: Final = 4
_MIN_CJK_CHARS: Final = 8
_MIN_REST_WORDS: Final = 2
_MIN_REST_CJK_CHARS: Final = 3


def mask_quoted(message: str) -> str:
    """A message of the same length in which longer quotations are blank, so that nothing in them is found."""
    return _QUOTED.sub(_blank, message) if leave_out_quoted(message) != message else message


def leave_out_quoted(message: str) -> str:
    """A message without its longer quotations; as it is if it has none, or little else."""
    if not any(mark in message for mark in _MARKS) or not any(not _is_short(one) for one in _QUOTED.findall(message)):
        return message
    rest = " ".join(_QUOTED.sub(lambda found: found[0] if _is_short(found[0]) else " … ", message).split())
    return rest if _says_enough(rest) else message


def leave_out_file_names(message: str) -> tuple[str, tuple[str, ...]]:
    """A message without names of files, and these; as it is if it has none, or little else."""
    names = tuple(dict.fromkeys(_FILE_NAME.findall(message)))
    rest = " ".join(_FILE_NAME.sub(" ", message).split()) if names else message
    return (rest, names) if names and _says_enough(rest) else (message, ())


def _blank(quoted: re.Match[str]) -> str:
    return quoted[0] if _is_short(quoted[0]) else "_" * len(quoted[0])


def _is_short(quoted: str) -> bool:
    return len(quoted.split()) < _MIN_WORDS and sum(map(has_cjk, quoted)) < _MIN_CJK_CHARS


def _says_enough(text: str) -> bool:
    if has_cjk(text):
        return _has_as_many(filter(has_cjk, text), _MIN_REST_CJK_CHARS)
    return _has_as_many((word for word in text.split() if any(map(str.isalpha, word))), _MIN_REST_WORDS)


def _has_as_many(items: Iterator[str], count: int) -> bool:
    return sum(1 for _ in islice(items, count)) == count
