"""The research tools of the pack: search the sources, collect evidence, check findings and write the report."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

from pydantic import BaseModel, Field

from metier.evidence import ReportFinding, contains_verbatim, verify_findings, verify_quotes
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.pack import PackContext
from metier.packs.workspace._results import keep_report
from metier.packs.workspace.research._collect import collect
from metier.packs.workspace.research._questions import ResearchQuestion, SourceKind, read_question
from metier.packs.workspace.research._sources import Corpus, Library
from metier.packs.workspace.research._state import ResearchState, keep_state, read_state
from metier.packs.workspace.research._texts import KINDS, TEXTS, TITLES
from metier.tools import FunctionTool, SideEffect, ToolContext, ToolError, add_titles, function_tool, show_as

if TYPE_CHECKING:
    from collections.abc import Mapping

_READS: Final[frozenset[SideEffect]] = frozenset({"reads", "network"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TIMEOUT_S: Final = 120.0
_MAX_FINDINGS: Final = 40
_MAX_MATERIAL: Final = 40


Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="用户的话 · the user's words",
        json_schema_extra=show_as("要研究的问题", "Question"),
    ),
]
Known = Annotated[
    str,
    Field(
        max_length=2000,
        description="对话中已研究的题目 · topic settled before",
        json_schema_extra=show_as("已知题目", "Known topic", hidden=True),
    ),
]
Sources = Annotated[
    str,
    Field(
        max_length=40,
        description="attachments, folder, web, samples; 空为自动 · empty: chosen by what is there",
        json_schema_extra=show_as("资料来源", "Sources", hidden=True),
    ),
]
ReportLanguage = Annotated[
    Language, Field(description="报告的语言 · language", json_schema_extra=show_as("语言", "Language", hidden=True))
]
Formats = Annotated[
    list[Literal["docx", "pdf", "html", "md"]],
    Field(
        max_length=4,
        description="报告文件的格式 · formats of the file",
        json_schema_extra=show_as("格式", "Formats", hidden=True),
    ),
]


class WrittenFinding(BaseModel):
    """A finding as a model writes it."""

    text: str = Field(min_length=1, max_length=1000, description="一句结论 · one sentence, numbers as in the source")
    ids: list[int] = Field(min_length=1, max_length=10, description="证据编号 · numbers of the evidence it rests on")


Findings = Annotated[
    list[WrittenFinding],
    Field(
        max_length=_MAX_FINDINGS,
        description="结论，每句注明证据编号 · findings, each sentence with the numbers of its evidence",
        json_schema_extra=show_as("结论", "Findings", hidden=True),
    ),
]


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; no document is read before one runs."""
    research = ResearchTools(Library(context))
    tools = (
        function_tool(research.search_sources, effects=_READS, idempotent=True, timeout_s=_TIMEOUT_S, retrieves="web"),
        function_tool(
            research.collect_evidence, effects=_READS, idempotent=True, timeout_s=_TIMEOUT_S, retrieves="knowledge"
        ),
        function_tool(research.write_findings, effects=_WRITES, idempotent=True, timeout_s=_TIMEOUT_S),
    )
    return add_titles(tools, TITLES)


@dataclass(frozen=True, slots=True)
class ResearchTools:
    """The tools with the library they read from."""

    library: Library

    async def search_sources(
        self,
        context: ToolContext,
        question: Question,
        known: Known = "",
        sources: Sources = "",
        language: ReportLanguage = "zh",
    ) -> JsonObject:
        """把问题分成子问题并找到资料。 Split a question and find its sources."""
        asked = read_question(question, language, known=known)
        if not asked.question:
            return {"unclear": True, "ready": False}
        before: SourceKind | None = next((kind for kind in get_args(SourceKind) if kind == sources), None)
        asked = _repeat_last(context.workspace, asked, known)
        kind = await asyncio.to_thread(self._choose, context.workspace, asked.sources, before)
        problem = ""
        if kind == "web" and self.library.has_web:
            queries = (asked.question, *(f"{asked.subject} {one.text}" for one in asked.sub_questions[:3]))
            problem = await self.library.load_pages(queries, context)
        corpus = await asyncio.to_thread(self.library.open, context.workspace, kind)
        state = ResearchState(asked, kind, len(corpus.documents), corpus.problems)
        empty = self._describe_empty(state, language, problem)
        if empty and before is not None:
            state = replace(state, kind=before)  # sources without a document are not settled: those of before stay
        else:
            keep_state(context.workspace, state)
        length = TEXTS.render("length", language, length=asked.length) if asked.length else ""
        found = self._describe_search(state, before, language)
        return {**found, "ready": not empty, "problem": empty, "length_note": length}

    async def collect_evidence(self, context: ToolContext, language: ReportLanguage = "zh") -> JsonObject:
        """从资料中逐字摘录证据，并排列出不一致的数字。 Collect evidence word for word."""
        state = _require(context.workspace)
        corpus = await asyncio.to_thread(self.library.open, context.workspace, state.kind)
        found = await asyncio.to_thread(collect, state.question, corpus, language)
        state = replace(state, collected=found, findings=(), removed=(), documents=len(corpus.documents))
        keep_state(context.workspace, state)
        missing: list[JsonValue] = list(state.missing)
        if not found.ledger.items:
            return {"found": 0, "missing": missing, "problem": self._describe_nothing(state, language)}
        material: list[JsonValue] = [
            {"id": one.id, "text": one.text, "source": one.place.title} for one in found.ledger.items[:_MAX_MATERIAL]
        ]
        return {
            "found": len(found.ledger.items),
            "material": material,
            "sub_questions": [{"question": one.question, "found": list(one.found)} for one in found.answered],
            "disagreements": [one.to_json() for one in found.disagreements],
            "missing": missing,
        }

    async def write_findings(
        self,
        context: ToolContext,
        findings: Findings | None = None,
        formats: Formats | None = None,
        language: ReportLanguage = "zh",
    ) -> JsonObject:
        """核对结论，删去没有出处的句子，写出报告。 Check findings against the evidence and write the report."""
        state = _require(context.workspace)
        if state.collected is None or not state.ledger.items:
            raise ToolError("no evidence was collected", code="no_evidence", hint="call collect_evidence first")
        corpus = await asyncio.to_thread(self.library.open, context.workspace, state.kind)
        if findings is not None:  # the report follows as a step of its own; the model learns what was taken out
            given = tuple(ReportFinding(one.text, tuple(one.ids)) for one in findings)
            state = _check(replace(state, findings=given, removed=()), corpus)
            keep_state(context.workspace, state)
            removed: list[JsonValue] = [one.to_json() for one in state.removed]
            return {"kept": [one.to_json() for one in state.findings], "removed": removed}
        chosen = tuple(formats or state.question.formats)
        return await asyncio.to_thread(self._write, context.workspace, state, corpus, chosen, language)

    def _write(
        self,
        workspace: Path,
        state: ResearchState,
        corpus: Corpus,
        formats: tuple[str, ...],
        language: Language,
    ) -> JsonObject:
        from metier.packs.workspace.research._report import build_markdown, to_result, write_files

        told = _check(state, corpus)
        keep_state(workspace, told)
        markdown = build_markdown(told, self.library.folder, language)
        report = to_result(told, self.library.folder, language)
        keep_report(workspace, "research_report", report)
        names, failed = write_files(workspace, told, markdown, language, formats)
        tail = [TEXTS.render("files", language, names=list(names))] if names else []
        tail += [failed] if failed else []
        return {
            "kind": "research_report",
            "report": "\n\n".join((markdown.strip(), *tail, TEXTS.render("next", language))),
            "sources": len({one.place.source for one in told.ledger.items}),
            "quotes": len(told.ledger.items),
            "verified": sum(contains_verbatim(one.text, corpus.read_source(one)) for one in told.ledger.items),
            "removed": [one.to_json() for one in told.removed],
            "files_written": list(names),
            "research_report": report,
        }

    def _choose(self, workspace: Path, asked: SourceKind | None, before: SourceKind | None) -> SourceKind:
        """What the message names; else what was used before, unless files were attached since."""
        if asked is None and before == "samples" and self.library.open(workspace, "attachments").documents:
            before = None
        return self.library.choose(workspace, asked or before)

    def _describe_search(self, state: ResearchState, before: SourceKind | None, language: Language) -> JsonObject:
        question = state.question
        kinds = [kind for kind in KINDS if kind != "web" or self.library.has_web]
        is_said = question.sources is not None or before == state.kind
        return {
            "unclear": False,
            "question": question.question,
            "topic": question.topic,
            "subject": question.subject,
            "sub_questions": [one.text for one in question.sub_questions],
            "sources": state.kind,
            "sources_title": KINDS[state.kind].text(language),
            "options": [{"value": kind, "label": KINDS[kind].text(language)} for kind in kinds],
            "fact_source": "words" if is_said else "assumption",
            "documents": state.documents,
            "formats": list(question.formats),
        }

    def _describe_empty(self, state: ResearchState, language: Language, problem: str) -> str:
        """Why nothing can be searched, and what to do; empty if there are documents."""
        from metier.packs.workspace.research._report import describe_problems

        if state.documents:
            return ""
        if state.kind == "web":
            why = problem or TEXTS.render("no_pages" if self.library.has_web else "no_web", language)
            return TEXTS.render("empty_web", language, problem=why)
        unread = [one for one in describe_problems(state, language) if one]
        attached = "unread_attachments" if unread else "empty_attachments"
        code = attached if state.kind == "attachments" else "empty_folder"
        return "\n\n".join((*unread, TEXTS.render(code, language, folder=self.library.folder.name)))

    def _describe_nothing(self, state: ResearchState, language: Language) -> str:
        from metier.packs.workspace.research._report import describe_problems

        values: Mapping[str, object] = {
            "subject": state.question.subject,
            "kind": KINDS[state.kind].text(language),
            "documents": state.documents,
            "folder": self.library.folder.name,
        }
        told = [TEXTS.render("nothing", language, **values)]
        return "\n\n".join((*told, *(one for one in describe_problems(state, language) if one)))


def _check(state: ResearchState, corpus: Corpus) -> ResearchState:
    """The state without evidence that is not in its source, and without findings that no evidence supports."""
    ledger, changed = verify_quotes(state.ledger, corpus.read_source)
    checked = verify_findings(state.findings, ledger)
    return replace(
        state.with_ledger(ledger), findings=checked.kept, removed=(*state.removed, *changed, *checked.removed)
    )


def _repeat_last(workspace: Path, asked: ResearchQuestion, known: str) -> ResearchQuestion:
    """A request for another file format only is about the last question, which may have been a follow-up."""
    last = read_state(workspace)
    if last is None or not asked.formats or asked.question != known or last.question.topic != known:
        return asked
    return replace(last.question, formats=asked.formats, sources=asked.sources)


def _require(workspace: Path) -> ResearchState:
    state = read_state(workspace)
    if state is None:
        raise ToolError(
            "no research was started", code="no_research", hint="call search_sources with the question first"
        )
    return state
