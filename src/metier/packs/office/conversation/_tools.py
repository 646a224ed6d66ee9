"""The pack's tools: find a document, look at it, propose changes, write them with approval, undo."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.clock import local_today
from metier.language import Language, join_names
from metier.pack import PackContext
from metier.packs.office.conversation._describe import describe_places, describe_reading
from metier.packs.office.conversation._documents import (
    ConversationDocument,
    list_documents,
    list_options,
    match_document,
    open_document,
    plan_target,
    remove_mentions,
)
from metier.packs.office.conversation._fields import (
    Address,
    DocumentId,
    Kinds,
    Known,
    Mode,
    PatternId,
    PatternKind,
    PlanName,
    PlanValue,
    SampleName,
    Subject,
    Task,
    ToolLanguage,
    Words,
    WrittenId,
)
from metier.packs.office.conversation._modes import choose_mode, remove_mode
from metier.packs.office.conversation._orders import keep_order
from metier.packs.office.conversation._other_work import adds, asks_other_work
from metier.packs.office.conversation._plan_offer import narrow_plan_tool
from metier.packs.office.conversation._plans import KeptPlan, build_plan, check_plan, count_attempt, keep_plan
from metier.packs.office.conversation._preview import ChosenChanges
from metier.packs.office.conversation._reading import read_document
from metier.packs.office.conversation._shares import DocumentShare, share_message
from metier.packs.office.conversation._texts import TEXTS, TITLES
from metier.packs.office.conversation._versions import count_writes
from metier.packs.office.conversation._writing import (
    PlanWriter,
    describe_unchanged,
    is_written,
    open_writer,
    preview_undo,
    undo_last_write,
)
from metier.packs.office.conversation.patterns import (
    NO_PATTERN,
    add_looks,
    choose_pattern,
    find_pattern,
    put_on_template,
)
from metier.tools import (
    ALWAYS,
    FunctionTool,
    Preview,
    SideEffect,
    ToolContext,
    ToolResult,
    add_titles,
    function_tool,
    problems_in,
)

if TYPE_CHECKING:
    from metier.json_values import JsonValue
    from metier.packs.office.analysis import Proposal

_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TIMEOUT_S: Final = 120.0
_INSERTS: Final = re.compile(r"插入|添加|追加|新建|加一?[个张份条]|\b(?:insert|add|append)\b", re.IGNORECASE)


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; nothing heavy is imported before one runs."""
    del context
    reading = (find_document, list_conversation_documents, describe_document, find_pattern_document)
    tools = [
        *(
            function_tool(
                one, name=_NAMES.get(one, one.__name__), idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S
            )
            for one in reading
        ),
        function_tool(propose_changes, idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S),
        function_tool(draft_changes, idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S),
        function_tool(submit_plan, effects=_READS, timeout_s=_TIMEOUT_S, narrow=narrow_plan_tool),
        function_tool(
            write_document, approval=ALWAYS, effects=_WRITES, timeout_s=_TIMEOUT_S, preview=preview_document_write
        ),
        function_tool(
            undo_write, effects=_WRITES, timeout_s=_TIMEOUT_S, undoes="write_document", preview=preview_document_undo
        ),
    ]
    return add_titles(tools, TITLES)


def find_document(
    context: ToolContext,
    description: Words,
    *,
    known: Known = "",
    kinds: Kinds = [],  # noqa: B006 - pydantic copies a default
    sample: SampleName = "",
    subject: Subject = "",
    without: Known = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """按用户的话找到文件、光标和写入方式。Find the document, the cursor and the way of writing that is meant."""
    workspace = context.workspace
    shares = share_message(description, workspace)
    match = match_document(
        shares[0].said if shares and not kinds else description,
        workspace,
        known=known,
        kinds=kinds,
        sample=sample,
        subject=subject,
        without=without,
        language=language,
    )
    found = match.document
    others: list[JsonValue] = [one.name for one in list_documents(workspace) if found is None or one.id != found.id]
    return ToolResult(
        {
            "document": found.id if found else None,
            "unclear": found is None,
            "title": found.name if found else "",
            "kind": found.kind if found else "",
            "host": found.host if found else "",
            "source": match.source,
            "options": list_options(workspace, kinds, [sample] if sample else [], language),
            "others": others,
            "selection": match.address,
            "mode": choose_mode(description, found.kind if found else "", context.delivery),
            **_divide(description, found, shares, language),
        }
    )


def _divide(
    description: str, found: ConversationDocument | None, shares: tuple[DocumentShare, ...], language: Language
) -> "dict[str, JsonValue]":
    """What of the message is about the document, and what is about others."""
    own = next((one for one in shares if found is not None and one.document.id == found.id), None)
    if own is None:
        return {"message": description, "rest": "", "later": ""}
    rest = ", ".join(one.said for one in shares if one is not own)
    return {"message": own.words, "rest": rest, "later": TEXTS.render("later", language, message=rest)}


def find_pattern_document(context: ToolContext, description: Words, *, kind: PatternKind) -> ToolResult:
    """找到用户当作模板或样本的文件。Find the document that the user takes as template or sample of the work."""
    found = find_pattern(description, context.workspace, kind)
    pattern = found.document
    return ToolResult(
        {
            "pattern": pattern.id if pattern else "",
            "title": pattern.name if pattern else "",
            "unclear": found.is_unclear,
        }
    )


def list_conversation_documents(context: ToolContext, language: ToolLanguage = "zh") -> ToolResult:
    """列出本对话的文件。List the documents of the conversation."""
    known = list_documents(context.workspace)
    names = join_names([one.name for one in known], language)
    text = TEXTS.render("documents", language, names=names) if known else TEXTS.render("no_documents", language)
    return ToolResult({"documents": [one.to_json() for one in known], "summary": text})


def describe_document(context: ToolContext, document: DocumentId, language: ToolLanguage = "zh") -> ToolResult:
    """查看文件结构：标题、段数、工作表。Look at a document: headings, sheets and sizes, each with its place."""
    with problems_in(language):
        found = open_document(context.workspace, document, language)
        reading = read_document(context.workspace, found, with_others=False)
        versions = count_writes(context.workspace, found)
        return ToolResult({"document": found.id, **describe_reading(reading, versions, language)})


def propose_changes(
    context: ToolContext,
    document: WrittenId,
    *,
    task: Task,
    message: Words = "",
    selection: Address = "",
    pattern: PatternId = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """按技能的规则分析文件并准备改动，不写入。Analyse a document and prepare the changes; nothing is written."""
    from metier.packs.office.analysis import propose

    with problems_in(language):
        found = open_document(context.workspace, document, language)
        is_patterned = pattern not in ("", NO_PATTERN)
        if not is_patterned and asks_other_work(task, message):
            drafted = draft_changes(context, document, message=message, selection=selection, language=language)
            has_plan = bool(drafted.data and drafted.data.get("plan"))
            return drafted if has_plan else _refuse(found, task, message, drafted, language)
        reading = replace(read_document(context.workspace, found), selection=selection)
        if not is_patterned and (
            ordered := keep_order(context, found, reading, task=task, message=message, language=language)
        ):
            return ToolResult(ordered)
        reading = add_looks(reading, found, task=task, pattern=pattern, workspace=context.workspace)
        made = propose(task, reading, message=message, today=local_today(), language=language)
        told: dict[str, JsonValue] = {
            "document": found.id,
            "title": found.name,
            "summary": made.summary,
            "question": made.question,
            "tables": [describe_places(one, language) for one in made.tables],
            "findings": list(made.findings),
            "plan": "",
            "changes": 0,
        }
        if made.actions or made.files:
            value, said = build_plan(made.host, made.actions, task), ""
            if made.host == "wpp" and (model := choose_pattern(pattern, context.workspace, "pptx")) is not None:
                value, said = put_on_template(value, model, context.workspace, message, language)
            kept = keep_plan(
                context.workspace,
                found,
                value,
                task=task,
                selection=selection,
                files=() if made.actions else made.files,
                delivery=context.delivery,
            )
            return ToolResult(told | _tell_kept(context, made, kept, said=said, message=message, language=language))
    # Nothing to analyse, but the words themselves say what to insert: a list with these columns, for example.
    if _INSERTS.search(message):
        drafted = draft_changes(context, document, message=message, selection=selection, language=language)
        if drafted.data is not None and drafted.data.get("plan"):
            return ToolResult({**told, **drafted.data})
    return ToolResult(told)


def _refuse(
    found: ConversationDocument, task: str, message: str, drafted: ToolResult, language: Language
) -> ToolResult:
    """A sentence that a message asks for something else than the task, or what is unclear about that."""
    asked = TEXTS.render("other_work", language, name=found.name, message=message.strip()[:60])
    if adds(task) and drafted.data is not None:
        asked = str(drafted.data["summary"])
    empty: dict[str, JsonValue] = {"tables": [], "findings": [], "plan": "", "changes": 0}
    return ToolResult({"document": found.id, "title": found.name, "summary": asked, "question": "", **empty})


def _tell_kept(
    context: ToolContext,
    made: "Proposal",
    kept: KeptPlan,
    *,
    said: str,
    message: str,
    language: Language,
) -> "dict[str, JsonValue]":
    """The name of a kept plan that has something to write, and what is said of it."""
    summary = "\n\n".join(one for one in (said, made.summary) if one)
    if made.actions:
        check_plan(kept.value, kept.target, language, contract=context.delivery.get("plan"))
        mode = choose_mode(message, kept.target.kind, context.delivery)
        if is_written(context.workspace, kept, mode, language):
            unchanged = describe_unchanged(context.workspace, kept, language)
            return {"summary": f"{summary}\n\n{unchanged}"}
    return {"summary": summary, "plan": kept.name, "changes": len(made.actions) or len(made.files)}


def draft_changes(
    context: ToolContext,
    document: WrittenId,
    *,
    message: Words,
    selection: Address = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """按用户的话起草改动（表格、清单、图表、幻灯片等），不写入。Draft changes from words; nothing is written."""
    from metier.packs.office._hosts import Selection
    from metier.packs.office.drafting import draft_plan

    with problems_in(language):
        found = open_document(context.workspace, document, language)
        is_there = (context.workspace / found.current).exists()
        reading = read_document(context.workspace, found, with_others=False) if is_there else None
        place = Selection(selection) if selection else None
        words = remove_mode(remove_mentions(message, context.workspace))
        draft = draft_plan(words, host=found.host, language=language, selection=place, reading=reading)
        told: dict[str, JsonValue] = {"document": found.id, "title": found.name, "plan": "", "changes": 0, "rest": ""}
        if draft.plan is None:  # the report asks the question
            asked = ("", draft.tell_undone(language)) if draft.rest else (draft.question, "")
            told |= {"rest": draft.rest, "summary": draft.question, "question": asked[0], "told": asked[1]}
            return ToolResult(told)
        delivery = context.delivery
        kept = keep_plan(
            context.workspace, found, draft.plan, task="document_edit", selection=selection, delivery=delivery
        )
        check_plan(kept.value, kept.target, language)
        if is_written(context.workspace, kept, choose_mode(message, kept.target.kind, context.delivery), language):
            summary = describe_unchanged(context.workspace, kept, language)
            return ToolResult({**told, "question": "", "summary": summary, "told": summary})
        summary = "\n".join((TEXTS.render("drafted", language, name=found.name), *draft.tell_assumptions(language)))
        made: dict[str, JsonValue] = {"plan": kept.name, "changes": 1, "summary": summary, "told": summary}
        return ToolResult({**told, **made, "question": ""})


def submit_plan(
    context: ToolContext,
    document: DocumentId,
    plan: PlanValue,
    *,
    selection: Address = "",
    language: ToolLanguage = "zh",
) -> ToolResult:
    """提交 ah32.plan.v1 方案，有效后可写入。Submit a plan; once it is valid, write_document can write it."""
    with problems_in(language):
        attempt = count_attempt(context.workspace, context.turn)
        found = open_document(context.workspace, document, language)
        target = plan_target(found, str(plan.get("host_app") or found.host))
        check_plan(plan, target, language, contract=context.delivery.get("plan"))
        kept = keep_plan(context.workspace, found, plan, selection=selection, delivery=context.delivery)
        writer = PlanWriter.open(context.workspace, found.id, kept.name, "direct", language)
        execution, repairs = writer.dry_run(), len(writer.loaded.repairs)
        return ToolResult(
            {
                "document": found.id,
                "plan": kept.name,
                "changes": len(execution.changes),
                "skipped": [one.to_json() for one in execution.skipped],
                "repairs": repairs,
                "attempt": attempt,
                "summary": TEXTS.render("ready", language, count=len(execution.changes), repairs=repairs),
            }
        )


def write_document(
    context: ToolContext,
    document: WrittenId,
    plan: PlanName,
    *,
    mode: Mode = "direct",
    rows: ChosenChanges = None,
    language: ToolLanguage = "zh",
) -> ToolResult:
    """把准备好的改动写入文件，需要批准，可以撤销。Write the prepared changes, with approval; can be undone."""
    with problems_in(language):
        return ToolResult(open_writer(context.workspace, document, plan, mode, language).write(rows))


def preview_document_write(
    context: ToolContext,
    document: WrittenId,
    plan: PlanName,
    *,
    mode: Mode = "direct",
    rows: ChosenChanges = None,
    language: ToolLanguage = "zh",
) -> Preview:
    """Changes that the write would make, found on a copy."""
    del rows  # the approver chooses among all
    with problems_in(language):
        return open_writer(context.workspace, document, plan, mode, language).preview()


def undo_write(context: ToolContext, document: WrittenId, language: ToolLanguage = "zh") -> ToolResult:
    """撤销最近一次写入，恢复到写入前的字节。Take the last write back: the file has the bytes of before again."""
    with problems_in(language):
        return ToolResult(undo_last_write(context.workspace, document, language))


def preview_document_undo(context: ToolContext, document: WrittenId, language: ToolLanguage = "zh") -> Preview:
    """What undoing would give back."""
    with problems_in(language):
        return preview_undo(context.workspace, document)


_NAMES: Final[Mapping[Callable[..., object], str]] = MappingProxyType(
    {list_conversation_documents: "list_documents", find_pattern_document: "find_pattern"}
)
