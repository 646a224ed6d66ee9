"""Plans of a conversation: kept in its workspace from the proposal to the write, bound to the document's bytes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office.conversation._documents import (
    FOLDER,
    ConversationDocument,
    list_documents,
    plan_target,
)
from metier.packs.office.conversation._problems import DocumentProblem
from metier.packs.office.conversation._versions import digest_document

if TYPE_CHECKING:
    from metier.packs.office.plan import LoadedPlan

MAX_REPAIRS: Final = 5
_FOLDER: Final = ".plans"
_SCHEMA: Final = "ah32.plan.v1"
TEMPLATE: Final = "template"  # in `meta`: the document that a new file is made on
KEEPS_SLIDES: Final = "keeps_slides"


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """A plan with the document it is written to (`target`), the one it was made from, and the digest of the target."""

    name: str
    source: str
    target: ConversationDocument
    sha256: str
    task: str
    selection: str
    value: JsonObject
    files: tuple[Any, ...] = ()


def build_plan(host: str, actions: Sequence[JsonObject], task: str) -> JsonObject:
    """A plan for a host."""
    return {
        "schema_version": _SCHEMA,
        "host_app": host,
        "meta": {"skill": task} if task else {},
        "actions": list(actions),
    }


def keep_plan(
    workspace: Path,
    document: ConversationDocument,
    value: JsonObject,
    *,
    task: str = "",
    selection: str = "",
    files: Sequence[JsonObject] = (),
    delivery: Mapping[str, JsonValue] = MappingProxyType({}),
) -> KeptPlan:
    """Keep a plan that was made from a document under a new name, with what the skill says of its place and style."""
    value = _deliver(value, delivery)
    folder = workspace / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    target = _choose_target(workspace, document, value)
    digest = digest_document(workspace, target)
    while True:
        number = 1 + max((int(one.stem[5:]) for one in folder.glob("plan-[0-9]*.json")), default=0)
        made = KeptPlan(f"plan-{number}", document.id, target, digest, task, selection, value, tuple(files))
        text = json.dumps(asdict(made), ensure_ascii=False, default=dict)
        with suppress(FileExistsError), (folder / f"{made.name}.json").open("x", encoding="utf-8") as file:
            file.write(text)
            return made


def find_template(value: JsonObject) -> str:
    """Id of the document that a new file is made on; empty if there is none."""
    meta = value.get("meta")
    found = meta.get(TEMPLATE) if isinstance(meta, Mapping) else None
    return found if isinstance(found, str) else ""


def _choose_target(workspace: Path, document: ConversationDocument, value: JsonObject) -> ConversationDocument:
    """Document that a plan is written to: a new file gets a name that no other document has.

    One that was made before from the same document on the same template is written again.
    """
    target = plan_target(document, str(value.get("host_app") or document.host))
    if target is document:
        return target
    taken = {one.name: one.id for one in list_documents(workspace)}
    made = {(one.target.id, find_template(one.value)) for one in _iter_plans(workspace) if one.source == document.id}
    stem, dot, ending = target.name.rpartition(".")
    for number in count(1):
        name = target.name if number == 1 else f"{stem}-{number}{dot}{ending}"
        path = f"{FOLDER}/{name}"
        is_own = taken.get(name) == path and (path, find_template(value)) in made
        if name not in taken or is_own:
            return replace(target, id=path, name=name, current=path)
    raise AssertionError("names never end")


def _iter_plans(workspace: Path) -> Iterator[KeptPlan]:
    for file in sorted((workspace / _FOLDER).glob("plan-[0-9]*.json")):
        with suppress(DocumentProblem):
            yield read_plan(workspace, file.stem)


def _deliver(value: JsonObject, delivery: Mapping[str, JsonValue]) -> JsonObject:
    """The plan with the skill's default anchor and style in its `meta`, where it has none of its own."""
    own = value.get("meta")
    asked = {"default_anchor": delivery.get("anchor"), "style_spec": delivery.get("style")}
    meta = {name: one for name, one in asked.items() if one} | (dict(own) if isinstance(own, Mapping) else {})
    return {**value, "meta": meta} if meta else value


def read_plan(workspace: Path, name: str) -> KeptPlan:
    """A kept plan, with its target as it is now."""
    if not name.startswith("plan-") or not name[5:].isdecimal():
        raise _unknown_plan(name)
    try:
        told = json.loads((workspace / _FOLDER / f"{name}.json").read_text("utf-8"))
    except (OSError, ValueError):
        raise _unknown_plan(name) from None
    target = ConversationDocument(**told.pop("target"))
    known = next((one for one in list_documents(workspace) if one.id == target.id), target)
    return KeptPlan(target=known, **{**told, "files": tuple(told.get("files", ()))})


def check_plan(
    value: JsonValue, document: ConversationDocument, language: Language, *, contract: JsonValue = None
) -> "LoadedPlan":
    """Load a plan for the host of a document, by the skill's contract; the problem names the path of each problem."""
    from metier.packs.office.plan import load_plan, read_contract

    demands = None if contract is None else read_contract(contract)
    loaded = load_plan(value, host=document.host, contract=demands)
    if loaded.plan is None or loaded.problems:
        lines = "; ".join(one.text(language) for one in loaded.problems[:8])
        raise DocumentProblem("plan_invalid", problems=lines[:1500])
    return loaded


def count_attempt(workspace: Path, turn: str) -> int:
    """How often a plan was submitted in this turn; the sixth repair is refused."""
    folder = workspace / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "attempts.json"
    try:
        known = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        known = {}
    count = int(known.get(turn, 0)) + 1
    file.write_text(json.dumps({turn: count}), "utf-8")
    if count > 1 + MAX_REPAIRS:
        raise DocumentProblem("repair_limit", count=MAX_REPAIRS)
    return count


def _unknown_plan(name: str) -> DocumentProblem:
    return DocumentProblem("plan_not_found", name=name[:40])
