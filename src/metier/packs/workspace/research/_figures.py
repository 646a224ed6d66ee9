"""Figures of research, `metier bench research`: time over 1,000 indexed documents, and what passes unverified."""

import asyncio
import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from metier.bench import Figure
from metier.evidence import ReportFinding, contains_verbatim, read_quantities, verify_findings
from metier.language import Language
from metier.pack import PackContext
from metier.packs.workspace.research._questions import read_question
from metier.packs.workspace.research._sources import SAMPLES, Corpus, Library
from metier.packs.workspace.research._state import read_state
from metier.packs.workspace.research._tools import ResearchTools
from metier.settings import Settings
from metier.tools import ToolContext
from metier.tools.builtin import DocumentIndex

_DOCUMENTS: Final = 1000
_RUNS: Final = 5
_TARGET_S: Final = 3.0
_QUESTIONS: Final[tuple[tuple[str, Language], ...]] = (
    ("分析新能源汽车市场趋势", "zh"),
    ("研究储能的成本和风险", "zh"),
    ("研究远程办公的现状", "zh"),
    ("research the new energy vehicle market", "en"),
    ("research energy storage", "en"),
    ("research remote work", "en"),
)


def measure(_data: Path | None = None) -> Iterator[Figure]:
    """Measure on documents that are made from the sample articles."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "documents"
        _make_documents(folder, _DOCUMENTS)
        tools = ResearchTools(Library(PackContext(Settings(web_search_folder=folder), Path(temporary))))
        start = perf_counter()
        asyncio.run(_run(tools, Path(temporary), *_QUESTIONS[0]))
        yield Figure(
            "research", "1,000 documents: first report, with indexing", perf_counter() - start, None, 1, unit="s"
        )
        spent = []
        for question, language in _QUESTIONS[:_RUNS]:
            start = perf_counter()
            asyncio.run(_run(tools, Path(temporary), question, language))
            spent.append(perf_counter() - start)
        yield Figure("research", "1,000 indexed documents: report, median", median(spent), _TARGET_S, _RUNS, unit="s")
        yield Figure("research", "1,000 indexed documents: report, slowest", max(spent), _TARGET_S, _RUNS, unit="s")
        yield from _measure_verification(Path(temporary))


async def _run(tools: ResearchTools, workspace: Path, question: str, language: Language) -> None:
    context = ToolContext(workspace)
    await tools.search_sources(context, question, sources="folder", language=language)
    await tools.collect_evidence(context, language)
    await tools.write_findings(context, language=language)


def _measure_verification(workspace: Path) -> Iterator[Figure]:
    """Count quotes that are not in their source, and findings with a changed number that pass the check."""
    corpus = Corpus("samples", DocumentIndex(SAMPLES).list_documents())
    tools = ResearchTools(Library(PackContext(Settings(web_search_folder=workspace / "none"), workspace)))
    quotes = unverified = changed = passed = 0
    for question, language in _QUESTIONS:
        assert read_question(question, language).question
        asyncio.run(_collect(tools, workspace, question, language))
        state = read_state(workspace)
        assert state is not None
        quotes += len(state.ledger.items)
        unverified += sum(not contains_verbatim(one.text, corpus.read_source(one)) for one in state.ledger.items)
        for one in state.ledger.items:
            for quantity in read_quantities(one.text):
                wrong = one.text[: quantity.start] + _change(quantity.text) + one.text[quantity.end :]
                changed += 1
                passed += bool(verify_findings([ReportFinding(wrong, (one.id,))], state.ledger).kept)
    yield Figure("research", "quotes that do not stand in their source", unverified, 1, quotes, unit="")
    yield Figure("research", "changed numbers that pass the check", passed, 1, changed, unit="")


async def _collect(tools: ResearchTools, workspace: Path, question: str, language: Language) -> None:
    context = ToolContext(workspace)
    await tools.search_sources(context, question, sources="samples", language=language)
    await tools.collect_evidence(context, language)


def _change(figure: str) -> str:
    """The figure with its first digit, or its first numeral, replaced by another one."""
    if found := re.search(r"\d", figure):
        return f"{figure[: found.start()]}{(int(found[0]) + 3) % 9 + 1}{figure[found.end() :]}"
    return f"七{figure[1:]}" if figure[:1] != "七" else f"八{figure[1:]}"


def _make_documents(folder: Path, count: int) -> None:
    """Documents made of the paragraphs of the samples with other numbers; the same ones every time."""
    chance = random.Random(20)  # noqa: S311 - test data
    texts = [file.read_text("utf-8") for file in sorted(SAMPLES.rglob("*.md"))]
    folder.mkdir(parents=True)
    for number in range(count):
        text = re.sub(r"(?<=\d)\d(?=[.%万\d])", lambda _: str(chance.randrange(10)), texts[number % len(texts)])
        more = "\n\n".join(chance.choice(texts).split("\n\n", 2)[2] for _ in range(3))
        (folder / f"{number:04d}.md").write_text(f"{text}\n{more}", "utf-8")
