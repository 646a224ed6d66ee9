"""Messages that are orders for a document of the conversation, understood to their last word."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from metier.errors import MetierError
from metier.json_values import JsonObject
from metier.language import Language, language_of
from metier.packs.office.conversation._documents import ConversationDocument, list_documents, remove_mentions
from metier.packs.office.conversation._modes import choose_mode
from metier.packs.office.conversation._plans import build_plan, check_plan, keep_plan
from metier.packs.office.conversation._reading import read_head
from metier.packs.office.conversation._shares import share_message
from metier.packs.office.conversation._texts import TEXTS
from metier.packs.office.conversation._writing import describe_unchanged, is_written
from metier.packs.office.plan import HostApp
from metier.tools import ToolContext

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading

__all__ = ["find_ordered", "keep_order", "read_steps", "tells_new"]

_TRACKING: Final = "doc-editor"  # what it replaces is written as tracked changes
_MAX_DOCUMENTS: Final = 4
_MAX_BYTES: Final = 3_000_000  # a larger file is read by the skill that is asked, not before
_MAX_DRAFTED_CHARS: Final = (
    1000  # a longer message is found by its words; a draft of it takes too long for each message
)


# Work of the other skills: a question of the grammar must not stand in its way.
_OTHER_WORK: Final = re.compile(
    r"审查|审核|审一?下|核查|核对|检查|查一?查|分析|纪要|风险|总结|摘要|概括|翻译|整理|排版|公文|投标|招标|试卷|答案|答题|大纲|提纲|模板|"
    r"矩阵|会议记录|幻灯片|PPT|撤销|是什么|什么意思|怎么|为什么|解释|介绍|\b(?:review|check|audit|analy[sz]e|minutes|risks?|summari[sz]e|summary|"
    r"translate|outline|template|tender|bid|compliance|matrix|exam|answer|undo|what|why|how|explain|deck)\b",
    re.IGNORECASE,
)
# What is to be taken out of a text that is there is read by the skill for it, not made up as something new.
_FROM_TEXT: Final = re.compile(
    r"从[^，。,;；]{1,15}(?:里|中)|\b(?:from|out of) (?:the|this|that|my|our|these)\b", re.IGNORECASE
)
# A new empty form is no reading of a text, whatever it is for: 补一个会议记录的模版, a blank template for minutes.
_NEW_FORM: Final = re.compile(
    r"(?:补|做|写|建|加|插入|来|要|搭|起草|准备|弄|出|设计|留|给我?|放)[^，。,;；：:这那]{0,4}(?:一?[个份张套]|空白的?)"
    r"[^，。,;；：:用按照套]{0,16}(?:模板|模版)(?!.{0,8}(?:填|生成|套))"
    r"|\b(?:make|write|add|insert|create|prepare|draft|set up|need|want|give me|put)\b[^.,;:]{0,12}"
    r"\b(?:an?|blank|empty)"
    r"(?: (?!(?:from|with|in|on|using|of|our|this|the)\b)[\w-]+){0,3} (?:template|form)\b"
    r"(?! (?:to|with|from) (?:fill|each|every|the rows))",
    re.IGNORECASE,
)
_LISTS: Final = re.compile(
    r"[、，,：:；;“\"《]"
)  # what says all of something new names more than one thing, or quotes one
# Questions of a rule that understood what is to be done, and misses where or to what.
_PRECISE: Final = frozenset(
    {
        "no_column",
        "no_such",
        "many_places",
        "no_text_here",
        "has_total",
        "value_count",
        "which_table",
        "which_columns",
        "which_sheet",
    }
    | {"has_total_here", "numbers_beside_total"}
    | {"name_of_value", "term_in_text", "no_numbers", "renumber", "no_chart_type", "no_password", "only_sheets"}
)


def find_ordered(message: str, workspace: Path) -> ConversationDocument | None:
    """Document that all of the message is orders for, or that a rule has a precise question about; None if neither."""
    if shares := share_message(message, workspace):
        is_clear = all(_judge(one.words, one.document, workspace) for one in shares)
        return shares[0].document if is_clear else None
    words = remove_mentions(message, workspace)
    asked: list[ConversationDocument] = []
    for document in list_documents(workspace)[:_MAX_DOCUMENTS]:
        found = _judge(words, document, workspace)
        if found == "ordered":
            return document
        if found == "asked":
            asked.append(document)
    return asked[0] if len(asked) == 1 else None


def _judge(words: str, document: ConversationDocument, workspace: Path) -> Literal["ordered", "asked", ""]:
    """Whether words are orders for a document, or a precise question of a rule is; empty if they are neither."""
    from metier.packs.office.orders import read_orders

    file = workspace / document.current
    try:
        if file.stat().st_size > _MAX_BYTES:
            return ""
        if (head := read_head(workspace, document)) is None:
            return ""
        found = read_orders(words, head, language=language_of(words))
    except (MetierError, OSError):
        return ""  # the skill that opens it says what is wrong
    if found.actions or _is_drafted(words, document.host, head):
        return "ordered"
    is_precise = found.note is not None and found.note.code in _PRECISE and not _OTHER_WORK.search(words)
    is_asked = is_precise or (document.host == "wps" and _NEW_FORM.search(words) is not None)
    return "asked" if is_asked else ""


def tells_new(message: str) -> bool:
    """Whether a message says all of something new, for whatever kind of document: a table, slide or text of its own."""
    return _LISTS.search(message) is not None and any(_is_drafted(message, host, None) for host in get_args(HostApp))


def _is_drafted(words: str, host: HostApp, head: "Reading | None") -> bool:
    """Whether something new can be drafted from words; work of another skill only if they say what stands in it.

    Without a document they must say it too.
    """
    from metier.packs.office.drafting import draft_plan, gives_texts

    if len(words) > _MAX_DRAFTED_CHARS or _FROM_TEXT.search(words):
        return False
    plan = draft_plan(words, host=host, language=language_of(words), reading=head).plan
    is_free = head is not None and not _OTHER_WORK.search(words)
    return plan is not None and (is_free or gives_texts(words, plan))


def read_steps(words: str, reading: "Reading", language: Language | None = None) -> tuple[JsonObject, ...]:
    """Steps of a plan that a message orders, which names no file; empty if a part of it was not understood."""
    from metier.packs.office.orders import read_orders

    return read_orders(words, reading, language=language or language_of(words)).actions


def keep_order(
    context: ToolContext,
    found: ConversationDocument,
    reading: "Reading",
    *,
    task: str,
    message: str,
    language: Language,
) -> JsonObject | None:
    """Changes of a message that is an order to its last word; None if it is none: then the analysis has its turn."""
    steps = read_steps(remove_mentions(message, context.workspace), reading, language)
    if not steps:
        return None
    if task == _TRACKING:
        steps = tuple({**one, "track": True} if one["op"] == "replace_text" else one for one in steps)
    kept = keep_plan(
        context.workspace, found, build_plan(found.host, steps, task), task=task, delivery=context.delivery
    )
    check_plan(kept.value, kept.target, language)
    told: JsonObject = {"document": found.id, "title": found.name, "question": "", "tables": [], "findings": []}
    if is_written(context.workspace, kept, choose_mode(message, found.kind, context.delivery), language):
        return {**told, "plan": "", "changes": 0, "summary": describe_unchanged(context.workspace, kept, language)}
    summary = TEXTS.render("drafted", language, name=found.name)
    return {**told, "plan": kept.name, "changes": len(steps), "summary": summary}
