"""Terms that a pack's own documents explain: sections by their heading, with the synonyms of its glossary."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from metier.language import Language, Sentences, choose
from metier.patterns import compile_later

GLOSSARY_FILE: Final = "glossary.toml"
_SEPARATOR: Final = compile_later("[/·（）()]")
_ENGLISH: Final = "English:"
_TITLE: Final = compile_later(r"^#\s+(.+?)\s*$", re.MULTILINE)
_HEADING: Final = compile_later(r"^##\s+(.+?)\s*$", re.MULTILINE)


# The things are short: parts of any length, tried from every place, would take a message's length to the third power.
# What is asked stands at the end of a long text: 50,000 characters took nine seconds.
_MAX_COMPARED_CHARS: Final = 400
_THING: Final = r"([^，。！？；!?;\n]{1,40}?)"
_COMPARED: Final = (
    compile_later(rf"{_THING}[和与跟]{_THING}(?:之间)?(?:的|有什么|有啥|有何|有|到底)*(?:区别|差别|不同|差异|不一样)"),
    compile_later(rf"{_THING}[和与跟]{_THING}(?:是不是|是)?(?:一样|一回事|一个意思)"),
    compile_later(rf"differences? between {_THING} and {_THING}[\s?.!]*$", re.IGNORECASE),
    compile_later(rf"how (?:does|do|is|are) {_THING} (?:differ|different) from {_THING}[\s?.!]*$", re.IGNORECASE),
    compile_later(rf"is {_THING} the same (?:thing )?as {_THING}[\s?.!]*$", re.IGNORECASE),
)
_FILLER: Final = compile_later(r"^(?:请问|请|我想知道|告诉我|解释一下|(?:the|an?) )+", re.IGNORECASE)
_SENTENCES: Final = Sentences(
    {"unexplained": ("The documents do not explain “{term}”.", "资料里没有「{term}」的解释。")}
)


@dataclass(frozen=True, slots=True)
class DocumentedTerm:
    """A section of a document: its names, all words that mean it, its text in both languages, and its citation.

    `document` is the title of the document, Chinese first if it has both languages.
    """

    id: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    zh: str
    en: str
    document: str = ""

    def name(self, language: Language) -> str:
        """The first name in Chinese answers, the last English one in English ones: an abbreviation may be the only."""
        english = [one for one in self.names if one.isascii()]
        return choose(language, zh=self.names[0], en=(english or self.names)[-1])

    def source(self, language: Language) -> str:
        """Where it stands, as people find it: the title of the document and the heading."""
        parts = self.document.split(" · ")
        return " › ".join(filter(None, (choose(language, zh=parts[0], en=parts[-1]), self.name(language))))

    def text(self, language: Language) -> str:
        """The explanation in a language."""
        return choose(language, zh=self.zh, en=self.en)


class TermHit(NamedTuple):
    """A term that a question names: at which character, and by a word of which length."""

    term: DocumentedTerm
    place: int
    length: int


@cache
def read_terms(folder: Path, separators: str = "/·（）()") -> tuple[DocumentedTerm, ...]:
    """Terms of all documents of a folder. A heading may hold several names between the separators."""
    groups = tomllib.loads((folder / GLOSSARY_FILE).read_text("utf-8"))["groups"]
    found = []
    for file in sorted(folder.glob("*.md")):
        text = file.read_text("utf-8")
        headings = list(_HEADING.finditer(text))
        title = _TITLE.search(text)
        document = title[1] if title else ""
        for at, heading in enumerate(headings):
            until = headings[at + 1].start() if at + 1 < len(headings) else len(text)
            chinese, _, english = text[heading.end() : until].strip().partition(_ENGLISH)
            names = tuple(one.strip() for one in re.split(f"[{re.escape(separators)}]", heading[1]) if one.strip())
            more = [word for group in groups if set(names) & set(group) for word in group]
            words = tuple(dict.fromkeys(word.lower() for word in (*names, *more)))
            id = f"{file.stem}#{at + 1}"
            found.append(DocumentedTerm(id, names, words, chinese.strip(), english.strip(), document))
    return tuple(found)


def list_documented_words(folder: Path, groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Words that documents explain: headings of the folder and of `terminology` in it, with their synonyms."""
    files = [*sorted(folder.glob("*.md")), *sorted(folder.glob("terminology/*.md"))]
    headings = [heading for file in files for heading in _HEADING.findall(_read_document(file))]
    names = [name.strip() for heading in headings for name in _SEPARATOR.split(heading) if name.strip()]
    known = {name.lower() for name in names}
    more = [word for group in groups if known & {word.lower() for word in group} for word in group]
    return tuple(dict.fromkeys((*names, *more)))


def find_terms(terms: Iterable[DocumentedTerm], question: str) -> list[TermHit]:
    """Terms whose words stand in the question, each by every word; Latin words only as whole words."""
    lower = question.lower()
    return [
        TermHit(term, place, len(word))
        for term in terms
        for word in term.words
        if (place := find_word(lower, word)) is not None
    ]


def split_compared(question: str) -> tuple[str, ...]:
    """The two things whose difference a question asks for; empty if it does not ask for one."""
    asked = question[-_MAX_COMPARED_CHARS:]
    found = next((hit for frame in _COMPARED if (hit := frame.search(asked))), None)
    return () if found is None else tuple(_FILLER.sub("", one).strip() for one in found.groups())


def describe_unexplained(question: str, words: Iterable[str], language: Language) -> str:
    """Sentence for the one of two compared things that none of the explained words is about; empty without such."""
    known = [word.lower() for word in words]
    missing = [
        part
        for part in split_compared(question)
        if not any(find_word(part.lower(), word) is not None or part.lower() in word for word in known)
    ]
    return _SENTENCES.render("unexplained", language, term=missing[0]) if missing else ""


def _read_document(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):  # it explains nothing
        return ""


def choose_terms(terms: Iterable[DocumentedTerm], question: str, most: int = 2) -> tuple[DocumentedTerm, ...]:
    """Terms that a question is about, in its order: the longest words first, none inside another (谱峭度, 峭度)."""
    taken: dict[DocumentedTerm, tuple[int, int]] = {}
    for hit in sorted(find_terms(terms, question), key=lambda one: -one.length):
        end = hit.place + hit.length
        if hit.term not in taken and not any(hit.place < until and start < end for start, until in taken.values()):
            taken[hit.term] = (hit.place, end)
    return tuple(sorted(taken, key=lambda term: taken[term])[:most])


def find_word(text: str, word: str) -> int | None:
    """Where a word stands in a text, both in lower case; a Latin word only as a whole word."""
    if not word.isascii():
        return text.find(word) if word in text else None
    match = re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text)
    return match.start() if match else None
