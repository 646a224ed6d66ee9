"""Plans of a conversation: kept in its workspace from the proposal to the write, bound to the document's bytes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._versions import digest_document
from metier.tools import ToolError

if TYPE_CHECKING:
    from metier.packs.office.plan import LoadedPlan

MAX_REPAIRS: Final = 5
_FOLDER: Final = ".plans"
_SCHEMA: Final = "ah32.plan.v1"


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """A plan with the document and the digest it was made for."""

    name: str
    document: str
    sha256: str
    task: str
    selection: str
    value: JsonObject


def build_plan(document: ConversationDocument, actions: Sequence[JsonObject], task: str) -> JsonObject:
    """A plan for the host of a document."""
    return {
        "schema_version": _SCHEMA,
        "host_app": document.host,
        "meta": {"skill": task} if task else {},
        "actions": list(actions),
    }


def keep_plan(
    workspace: Path, document: ConversationDocument, value: JsonObject, *, task: str = "", selection: str = ""
) -> KeptPlan:
    """Keep a plan under a new name."""
    folder = workspace / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    number = 1 + max((int(one.stem[5:]) for one in folder.glob("plan-[0-9]*.json")), default=0)
    made = KeptPlan(f"plan-{number}", document.id, digest_document(workspace, document), task, selection, value)
    told = {
        "document": made.document,
        "sha256": made.sha256,
        "task": task,
        "selection": selection,
        "plan": value,
    }
    (folder / f"{made.name}.json").write_text(json.dumps(told, ensure_ascii=False, default=dict), "utf-8")
    return made


def read_plan(workspace: Path, name: str) -> KeptPlan:
    """A kept plan; `ToolError` if there is none of this name."""
    if not name.startswith("plan-") or not name[5:].isdecimal():
        raise _unknown_plan(name)
    try:
        told = json.loads((workspace / _FOLDER / f"{name}.json").read_text("utf-8"))
    except (OSError, ValueError):
        raise _unknown_plan(name) from None
    return KeptPlan(name, told["document"], told["sha256"], told["task"], told["selection"], told["plan"])


def check_plan(value: JsonValue, document: ConversationDocument) -> "LoadedPlan":
    """Load a plan for the host of a document; `ToolError` names the path of each problem."""
    from metier.packs.office.plan import load_plan

    loaded = load_plan(value, host=document.host)
    if loaded.plan is None or loaded.problems:
        lines = "; ".join(str(one) for one in loaded.problems[:8])
        raise ToolError(
            f"方案不能执行 · the plan cannot be carried out: {lines}"[:1500],
            code="plan_invalid",
            hint="按路径改正后重新提交 · correct the fields at these paths and submit the plan again",
        )
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
        raise ToolError(
            f"方案已修改 {MAX_REPAIRS} 次仍不能执行 · the plan was repaired {MAX_REPAIRS} times and still cannot run",
            code="repair_limit",
            hint="请换一种说法或缩小范围 · say it differently or ask for less",
        )
    return count


def _unknown_plan(name: str) -> ToolError:
    return ToolError(f"没有方案 {name[:40]!r} · there is no plan {name[:40]!r}", code="plan_not_found")
