"""Documents of a conversation: what the user attached, sample documents, and the copies that plans are written to.

An attached file is never written to. The first write makes a copy of the same name in `documents/`, and later writes
replace that copy; `_versions` keeps the bytes before each write.
"""

import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Final, Literal

from metier.attachments import add_attachment, list_attached_names, list_attachments, match_names, replace_names
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, choose
from metier.packs.office.conversation._problems import DocumentProblem
from metier.packs.office.wishes import remove_names
from metier.tools.builtin import measure_folder, open_in_workspace
from metier.workspaces import WorkspaceQuota

FOLDER: Final = "documents"
DocumentKind = Literal["docx", "xlsx", "pptx", "text"]
HostApp = Literal["wps", "et", "wpp"]
_KINDS: Final[Mapping[str, DocumentKind]] = MappingProxyType(
    {".docx": "docx", ".xlsx": "xlsx", ".pptx": "pptx", ".txt": "text", ".md": "text"}
)
HOST_APPS: Final[Mapping[DocumentKind, HostApp]] = MappingProxyType(
    {"docx": "wps", "xlsx": "et", "pptx": "wpp", "text": "wps"}
)
_MENTION: Final = re.compile(r"(?<![A-Za-z0-9.])[@＠]([^\s@＠#，。；：,;:!?！？]+)(?:#([\w.!:$-]{1,80}))?")
_MENTIONED_FILE: Final = re.compile(rf"(?:{'|'.join(map(re.escape, _KINDS))})(?![a-z])", re.IGNORECASE)
_SAMPLES: Final = Path(__file__).resolve().parent.parent / "samples"
_FILES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "transcript": BilingualText("示例录音稿.docx", "sample-transcript.docx"),
        "contract": BilingualText("示例合同.docx", "sample-contract.docx"),
        "ledger": BilingualText("示例台账.xlsx", "sample-ledger.xlsx"),
        "notice": BilingualText("示例通知.docx", "sample-notice.docx"),
        "outline": BilingualText("示例提纲.docx", "sample-outline.docx"),
    }
)
_SUBJECTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "bid": ("招标", "投标", "标书", "tender", "bidding"),
        "contract": ("合同", "协议", "contract", "agreement"),
        "exam": ("试卷", "卷子", "试题", "考题", "exam", "quiz"),
        "meeting": ("会议", "例会", "周会", "录音", "meeting", "transcript"),
    }
)
# Of two files for one task the one that is meant first: the tender and not the bid, the paper and not its key.
_ROLES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = MappingProxyType(
    {
        "bid": (
            ("招标", "采购文件", "采购需求", "磋商文件", "谈判文件", "询价", "tender", "rfp"),
            ("投标", "标书", "响应文件", "应答", "bid", "proposal"),
        ),
        "exam": ((), ("答案", "answerkey", "answers", "key")),
    }
)
_SAMPLE_WORDS: Final = ("示例", "样例", "例子", "sample", "example")


@dataclass(frozen=True, slots=True)
class ConversationDocument:
    """One document: `id` is the path of the attached or created file, `current` the path of its newest version."""

    id: str
    name: str
    kind: DocumentKind
    current: str

    @property
    def host(self) -> HostApp:
        """Host that plans for this document name."""
        return HOST_APPS[self.kind]

    @property
    def is_written(self) -> bool:
        return self.current != self.id

    @property
    def is_attached(self) -> bool:
        """Whether it is the user's own file, and none that was made in the conversation."""
        return not self.id.startswith(f"{FOLDER}/")

    def to_json(self) -> JsonObject:
        return {"value": self.id, "label": self.name, "kind": self.kind, "host": self.host, "written": self.is_written}


@dataclass(frozen=True, slots=True)
class DocumentMatch:
    """Document that a message means; `source` says how it was found, None if nobody can tell."""

    document: ConversationDocument | None
    source: str = "step"
    address: str = ""


def list_documents(workspace: Path) -> tuple[ConversationDocument, ...]:
    """Documents of a conversation, the oldest first: attached files, then files that were made here."""
    found = [(one.path, one.name) for one in list_attachments(workspace)]
    made = sorted(measure_folder(workspace, FOLDER))
    names = {name for _, name in found}
    all_files = [*found, *((f"{FOLDER}/{name}", name) for name in made if name not in names)]
    return tuple(_iter_documents(all_files, frozenset(made)))


def _iter_documents(files: list[tuple[str, str]], made: Collection[str]) -> Iterator[ConversationDocument]:
    taken: set[str] = set()
    for path, name in files:
        kind = _KINDS.get(PurePosixPath(name).suffix.lower())
        if kind is None:
            continue
        copy = working_name(path, name, taken)
        taken.add(copy)
        yield ConversationDocument(path, name, kind, f"{FOLDER}/{copy}" if copy in made else path)


def working_name(path: str, name: str, taken: Collection[str] = ()) -> str:
    """Name of the copy that is written to; a second file of the same name keeps its number. A text becomes a docx."""
    file = PurePosixPath(name)
    plain = f"{file.stem}.docx" if _KINDS.get(file.suffix.lower()) == "text" else name
    return plain if plain not in taken else PurePosixPath(path).name


def working_path(document: ConversationDocument, workspace: Path) -> str:
    """Path in the workspace that a write of this document goes to."""
    if document.id.startswith(f"{FOLDER}/"):
        return document.id
    taken: set[str] = set()
    for one in list_documents(workspace):
        copy = working_name(one.id, one.name, taken)
        taken.add(copy)
        if one.id == document.id:
            return f"{FOLDER}/{copy}"
    raise DocumentProblem("document_not_found", name=document.name)


def require_document(workspace: Path, id: str) -> ConversationDocument:
    """Document with this id or name."""
    known = list_documents(workspace)
    found = next((one for one in known if id in (one.id, one.name, one.current)), None)
    if found is None:
        raise DocumentProblem("document_not_found", name=PurePosixPath(id).name[:80])
    return found


def plan_target(document: ConversationDocument, host: str) -> ConversationDocument:
    """Document that a plan for this host is written to: the document itself, or a new file of the same name.

    A host that is none is said by the check of the plan.
    """
    kind = next((kind for kind, app in HOST_APPS.items() if app == host), None)
    if host == document.host or kind is None:
        return document
    name = f"{PurePosixPath(document.name).stem}.{kind}"
    return ConversationDocument(f"{FOLDER}/{name}", name, kind, f"{FOLDER}/{name}")


def read_bytes(workspace: Path, path: str) -> bytes:
    """Content of a file of the workspace; no link leads outside."""
    with os.fdopen(open_in_workspace(workspace, path), "rb") as stream:
        return stream.read()


def match_document(
    words: str,
    workspace: Path,
    *,
    known: str,
    kinds: Collection[str],
    sample: str,
    subject: str = "",
    without: str = "",
    language: Language,
) -> DocumentMatch:
    """Document that a message means: `@name`, a name in it, the settled one, the only one that fits, or a sample.

    `subject` is what a skill works on, an exam for example. The only document whose name says so is meant, unless
    another is settled that is not clearly something else: the exam of the task before is no record of a meeting.
    The document `without` has another part in the work, as a template for example.
    """
    fitting = [one for one in list_documents(workspace) if (not kinds or one.kind in kinds) and one.id != without]
    mentioned = _find_mentioned(words, [one for one in list_documents(workspace) if one.id != without])
    if mentioned is not None:
        return mentioned
    if _names_missing(words, [one.name for one in list_documents(workspace)]):
        return DocumentMatch(None)
    written = {one.name for one in match_names(words, [one.name for one in fitting], stems=True)}
    named = [one for one in fitting if one.name in written or (not written and _says_name(words, one.name))]
    if len(named) == 1:
        return DocumentMatch(named[0], "words")
    if sample and _wants_sample(words, sample):
        return DocumentMatch(add_sample(workspace, sample, language), "words")
    settled = next((one for one in fitting if one.id == known), None)
    about = [one for one in fitting if subject in _find_subjects(one)]
    if len(about) == 1 and (settled is None or _find_subjects(settled) - {subject}):
        return DocumentMatch(about[0])
    if settled is None and (first := _find_first_of_pair(fitting, subject)):
        return DocumentMatch(first)
    if settled is not None:
        return DocumentMatch(settled)
    return DocumentMatch(fitting[0] if len(fitting) == 1 else None)


def _find_first_of_pair(fitting: Collection[ConversationDocument], subject: str) -> ConversationDocument | None:
    """Of two files whose names say what each is for a task, the one that the task is about; None in any doubt."""
    if len(fitting) != 2 or subject not in _ROLES:
        return None
    firsts, seconds = _ROLES[subject]
    named = [(one, _fold(_stem(one.name))) for one in fitting]
    others = [one for one, name in named if any(word in name for word in seconds)]
    own = [one for one, name in named if one not in others and (not firsts or any(word in name for word in firsts))]
    return own[0] if len(own) == len(others) == 1 else None


def _find_subjects(document: ConversationDocument) -> set[str]:
    name = _fold(_stem(document.name))
    return {subject for subject, words in _SUBJECTS.items() if any(word in name for word in words)}


def list_options(
    workspace: Path, kinds: Collection[str], samples: Collection[str], language: Language
) -> list[JsonValue]:
    """Documents to choose from: those of the conversation, then samples."""
    own: list[JsonValue] = [
        {"value": one.id, "label": one.name} for one in list_documents(workspace) if not kinds or one.kind in kinds
    ]
    shown: list[JsonValue] = [
        {"value": f"sample:{one}", "label": PurePosixPath(_FILES[one].text(language)).stem}
        for one in samples
        if one in _FILES
    ]
    return [*own, *shown]


def remove_mentions(words: str, workspace: Path) -> str:
    """The message without `@name` and the names of its files, which are no part of what is asked for.

    Of a message that names several documents nothing is removed: what it says of one must not be done to another.
    """
    names = list(dict.fromkeys((*list_attached_names(workspace), *(one.name for one in list_documents(workspace)))))
    if len({one.name for one in match_names(words, names)}) > 1:
        return words
    plain = remove_names(words, names)
    return _MENTION.sub("", plain).strip() or words


def open_document(workspace: Path, id: str, language: Language) -> ConversationDocument:
    """Document with this id or name; `sample:NAME` is a sample, which is copied in, `new:KIND` a file to be made."""
    action, _, what = id.partition(":")
    if action == "sample" and what in _FILES:
        return add_sample(workspace, what, language)
    if action == "new" and (kind := _KINDS.get(f".{what}")) in ("docx", "xlsx", "pptx"):
        name = _free_name(workspace, choose(language, zh="新文档", en="new-document"), kind)
        return ConversationDocument(f"{FOLDER}/{name}", name, kind, f"{FOLDER}/{name}")
    return require_document(workspace, id)


def _free_name(workspace: Path, stem: str, kind: str) -> str:
    taken = measure_folder(workspace, FOLDER)
    names = (f"{stem}{number or ''}.{kind}" for number in (0, *range(2, 1_000)))
    return next(name for name in names if name not in taken)


def add_sample(workspace: Path, sample: str, language: Language) -> ConversationDocument:
    """Copy a sample document into the conversation, once."""
    name = _FILES[sample].text(language)
    known = next((one for one in list_documents(workspace) if one.name == name), None)
    if known is not None:
        return known
    source = _SAMPLES / _FILES[sample].en
    localized = _SAMPLES / f"{source.stem}.{language}{source.suffix}"
    content = (localized if localized.exists() else source).read_bytes()
    made = add_attachment(workspace, name, content, max_bytes=len(content), quota=WorkspaceQuota())
    return require_document(workspace, made.path)


def _find_mentioned(words: str, known: Collection[ConversationDocument]) -> DocumentMatch | None:
    for hit in _MENTION.finditer(words):
        found = next((one for one in known if _fold(hit[1]) in (_fold(one.name), _fold(_stem(one.name)))), None)
        if found is not None:
            return DocumentMatch(found, "words", hit[2] or "")
    return None


def _names_missing(words: str, known: Collection[str]) -> bool:
    """Whether a message names a document with `@` that is not here: what it says is not to be done to another one."""
    rest = replace_names(words, known, lambda _: "")
    return any(_MENTIONED_FILE.search(hit[1]) for hit in _MENTION.finditer(rest))


def _says_name(words: str, name: str) -> bool:
    stem = _fold(_stem(name))
    return len(stem) > 1 and stem in _fold(words)


def _wants_sample(words: str, sample: str) -> bool:
    del sample
    folded = _fold(words)
    return any(word in folded for word in _SAMPLE_WORDS)


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().replace(" ", "")
