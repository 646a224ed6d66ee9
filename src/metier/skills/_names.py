"""Which names are fit to be an id or a file name, and which only look like it."""

import re
import unicodedata

from metier.skills._limits import FILE_NAME_BYTES, NAME_CHARS

_BAD_IN_FILE = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"com{n}" for n in "123456789"), *(f"lpt{n}" for n in "123456789")}
)
_BAD_IN_ID = re.compile(r"[\s/\\:*?\"'<>|`$(){}\[\]!#%^&=+,;~@\x00-\x1f\x7f]")


def fold(name: str) -> str:
    """The form in which two names that a person would confuse are equal."""
    return unicodedata.normalize("NFKC", name).casefold()


def normal(name: str) -> str:
    """The plain Unicode form: full-width letters and ligatures become what they stand for."""
    return unicodedata.normalize("NFKC", name).strip()


def why_not_an_id(name: str) -> str:
    """The reason that `name` cannot be an id; empty when it can."""
    if not name:
        return "it is empty"
    if name.strip(".") == "" or name.startswith("."):
        return "it starts with a dot"
    if found := _BAD_IN_ID.search(name):
        return f"it holds {found[0]!r}"
    if fold(name) in _RESERVED:
        return "it is reserved by some systems"
    if any(unicodedata.category(char) in ("Cf", "Cc", "Co", "Cs", "Cn") for char in name):
        return "it holds an invisible character"
    if len(name) > 4 * NAME_CHARS:
        return f"it has {len(name)} characters"
    return ""


def why_not_standard(name: str) -> str:
    """The reason that the open standard refuses `name`; empty when it does not."""
    plain = normal(name)
    if len(plain) > NAME_CHARS:
        return f"it has {len(plain)} characters; the most is {NAME_CHARS}"
    if plain != plain.lower():
        return "it has upper-case letters"
    if plain.startswith("-") or plain.endswith("-"):
        return "it starts or ends with a hyphen"
    if "--" in plain:
        return "it has two hyphens in a row"
    bad = next((char for char in plain if not (char.isalnum() or char == "-")), None)
    return f"it holds {bad!r}; only letters, digits and hyphens are allowed" if bad else ""


def why_not_a_file_name(name: str) -> str:
    """The reason that a file of this name cannot exist everywhere; empty when it can."""
    if len(name.encode(errors="surrogateescape")) > FILE_NAME_BYTES:
        return f"it is longer than {FILE_NAME_BYTES} bytes"
    if found := _BAD_IN_FILE.search(name):
        return f"it holds {found[0]!r}"
    if name != name.rstrip(". "):
        return "it ends with a dot or a space"
    if fold(name).split(".")[0] in _RESERVED:
        return "it is reserved by some systems"
    if any("\ud800" <= char <= "\udfff" for char in name):
        return "it is not valid UTF-8"
    if any(unicodedata.category(char) == "Cf" for char in name):
        return "it holds an invisible character"
    return ""


def has_homoglyphs(name: str) -> bool:
    """Whether a name mixes scripts so that it can pass for another one, such as a Cyrillic `а` in `admin`."""
    if name.isascii():
        return False
    from confusable_homoglyphs import confusables  # loads a table of a megabyte: only for names that need it

    letters = "".join(char for char in name if not _is_cjk(char))
    return bool(letters) and (bool(confusables.is_dangerous(letters)) or _looks_latin(letters))


def _looks_latin(letters: str) -> bool:
    """A name in one foreign script all of whose letters pass for Latin ones: `раураl`."""
    from confusable_homoglyphs import confusables

    foreign = [char for char in letters if char.isalpha() and not char.isascii()]
    if not foreign:
        return False
    hits = confusables.is_confusable("".join(foreign), greedy=True, preferred_aliases=["latin"])
    return bool(hits) and len({hit["character"] for hit in hits}) == len(set(foreign))


def _is_cjk(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("CJK ", "HIRAGANA", "KATAKANA", "HANGUL"))
