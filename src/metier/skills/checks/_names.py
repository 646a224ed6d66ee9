"""Validation of skill ids and file names, and detection of look-alike letters."""

import re
import unicodedata

from metier.skills.model import MAX_FILE_NAME_BYTES, MAX_NAME_CHARS

_BAD_IN_FILE = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"com{n}" for n in "123456789"), *(f"lpt{n}" for n in "123456789")}
)
_WORD = re.compile(r"[^\W\d_]+")
_PHONETIC = re.compile("[\u0250-\u02af\u1d00-\u1dbf]")  # ɑ and ɡ are Latin letters of no language's alphabet
_BAD_IN_ID = re.compile(r"[\s/\\:*?\"'<>|`$(){}\[\]!#%^&=+,;~@\x00-\x1f\x7f]")


def fold(name: str) -> str:
    """Case-folded, Unicode-normalised form for comparison: equal for names that a person would confuse."""
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFKC", once.casefold())


def normalize_name(name: str) -> str:
    """Unicode NFKC form without surrounding blanks: full-width letters and ligatures become plain letters."""
    return unicodedata.normalize("NFKC", name).strip()


def id_problem(name: str) -> str:
    """Reason why `name` cannot be an id; empty if it can. An id must also be a valid folder name."""
    if not name:
        return "it is empty"
    if name.startswith("."):
        return "it starts with a dot"
    if found := _BAD_IN_ID.search(name):
        return f"it holds {found[0]!r}"
    if any(unicodedata.category(char) in ("Cf", "Cc", "Co", "Cs", "Cn") for char in name):
        return "it holds an invisible character"
    return file_name_problem(name)


def standard_name_problem(name: str) -> str:
    """Reason why the open standard refuses `name`; empty if it is valid."""
    plain = normalize_name(name)
    if len(plain) > MAX_NAME_CHARS:
        return f"it has {len(plain)} characters; the most is {MAX_NAME_CHARS}"
    if plain != plain.lower():
        return "it has upper-case letters"
    if plain.startswith("-") or plain.endswith("-"):
        return "it starts or ends with a hyphen"
    if "--" in plain:
        return "it has two hyphens in a row"
    bad = next((char for char in plain if not (char.isalnum() or char == "-")), None)
    return f"it holds {bad!r}; only letters, digits and hyphens are allowed" if bad else ""


def file_name_problem(name: str) -> str:
    """Reason why `name` is not a valid file name on every operating system; empty if it is."""
    if len(name.encode(errors="surrogatepass")) > MAX_FILE_NAME_BYTES:
        return f"it is longer than {MAX_FILE_NAME_BYTES} bytes"
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
    """Whether a word of the name imitates another with look-alike letters: Cyrillic `а` in `admin`, or `раура`.

    Words are checked one by one: `rf-обзор` mixes scripts between words, which is legitimate.
    """
    return not name.isascii() and any(_is_confusable(word) for word in _WORD.findall(name))


def describe_lookalikes(name: str) -> str:
    """Code points and Unicode names of the non-ASCII letters of a name, for an error message."""
    foreign = dict.fromkeys(char for char in name if not char.isascii() and not _is_cjk(char))
    return ", ".join(f"U+{ord(char):04X} {unicodedata.name(char, 'unnamed')}" for char in foreign)


def _is_confusable(word: str) -> bool:
    from confusable_homoglyphs import categories  # loads a 1 MB table: import only when needed

    letters = [char for char in word if not _is_cjk(char)]
    scripts = {categories.alias(char) for char in letters} - {"COMMON", "INHERITED"}
    if len(scripts) > 1 or _PHONETIC.search(word):
        return True
    return bool(scripts) and scripts != {"LATIN"} and all(map(_looks_latin, letters))


def _looks_latin(char: str) -> bool:
    """Whether an ASCII letter looks the same: Cyrillic а looks like a, but к only like ĸ."""
    from confusable_homoglyphs import confusables

    hits = confusables.is_confusable(char, greedy=True)
    return any(twin["c"].isascii() and twin["c"].isalpha() for hit in hits or () for twin in hit["homoglyphs"])


def _is_cjk(char: str) -> bool:
    return unicodedata.name(char, "").startswith(("CJK ", "HIRAGANA", "KATAKANA", "HANGUL"))
