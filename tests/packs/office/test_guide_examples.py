"""Every example that a guide or a skill gives can be said: it is planned, or it leads to a question.

A guide marks its examples: in a table below a comment that begins with `examples:`, every “…” of a second cell is one,
and so is the message of every `metier run --pack office` in a console block.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from metier.language import language_of
from tests.packs.office.guide_files import make_guide_files
from tests.packs.office.turns import OfficeTurns, Played

ROOT = Path(__file__).parents[3]
_GUIDES = ("docs/guides/office.md", "docs/guides/office.zh-CN.md")
_KINDS = {"document": "docx", "文档": "docx", "sheet": "xlsx", "表格": "xlsx", "slides": "pptx", "演示": "pptx"}
_PACK = ROOT / "src" / "metier" / "packs" / "office"
_SAMPLES = _PACK / "samples"
_SAVED = ROOT / "tests" / "packs" / "office" / "corpus" / "saved"
_NAMED = {
    "录音稿.docx": "sample-transcript.zh.docx",
    "transcript.docx": "sample-transcript.en.docx",
    "合同.docx": "sample-contract.docx",
    "contract.docx": "sample-contract.docx",
}
_EXAM = (_SAVED / "h13-exam-mixed.docx", _SAVED / "d14-exam-key.docx")
_LEDGER = (_SAMPLES / "sample-ledger.zh.xlsx",)
_OUTLINE = (_SAMPLES / "sample-outline.zh.docx",)
_FITTING: dict[str, tuple[Path, ...]] = {
    "answer-mode": _EXAM,
    "bidding-helper": (_SAVED / "h15-tender.docx", _SAVED / "d18-bid.docx"),
    "contract-review": (_SAMPLES / "sample-contract.docx",),
    "et-analyzer": _LEDGER,
    "et-visualizer": _LEDGER,
    "exam-answering": _EXAM,
    "finance-audit": _LEDGER,
    "meeting-minutes": (_SAMPLES / "sample-transcript.zh.docx",),
    "ppt-creator": _OUTLINE,
    "ppt-outline": _OUTLINE,
    "ppt-review": (_SAVED / "d22-slides-review.pptx",),
    "wpp-outline": _OUTLINE,
}
_NOTICE = (_SAMPLES / "sample-notice.docx",)
_in_one_loop = pytest.mark.asyncio(loop_scope="module")


def _list_said(guide: str) -> Iterator[tuple[str, str]]:
    """Kind of file and words of each example in the marked tables of a guide."""
    text = (ROOT / guide).read_text("utf-8")
    for table in re.findall(r"<!-- examples:.*?-->\n((?:\|.*\n)+)", text):
        for row in table.splitlines()[2:]:
            kind, said = row.strip("|").split("|", 1)
            yield from ((_KINDS[kind.strip()], one) for one in re.findall("“([^“”]+)”", said))


def _list_commands(guide: str) -> Iterator[tuple[tuple[Path, ...], str]]:
    """Files and words of each command in a guide that runs a message."""
    for line in re.findall(r"^\$ (metier run --pack office .*)$", (ROOT / guide).read_text("utf-8"), re.MULTILINE):
        *options, said = shlex.split(line)[4:]
        yield tuple(_SAMPLES / _NAMED[one] for one in options if not one.startswith("-")), said


_SAID = [(kind, said) for guide in _GUIDES for kind, said in _list_said(guide)]
_COMMANDS = [one for guide in _GUIDES for one in _list_commands(guide)]
_SKILLS = sorted(_PACK.glob("skills/*/skill.json"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[Path]]:
    return make_guide_files(tmp_path_factory.mktemp("files"))


def _read_examples(skill: Path) -> list[str]:
    found: list[str] = json.loads(skill.read_text("utf-8"))["routing"]["examples"]
    return found


def _read_editor() -> Any:
    return yaml.safe_load((_PACK / "skills" / "document_edit.md").read_text("utf-8").split("\n---")[0].strip("-"))


def _leads_on(played: Played) -> bool:
    """Whether a message was taken up: by a skill that wrote, answered or asked."""
    return not played.dead_end and bool(played.skills) and bool(played.written or played.questions or played.texts)


def test_both_guides_have_examples_for_each_kind_of_file() -> None:
    assert [{kind for kind, _ in _list_said(one)} for one in _GUIDES] == [{"docx", "xlsx", "pptx"}] * 2
    assert all(list(_list_commands(one)) for one in _GUIDES)


def _sort_by_fit(files: Sequence[Path], said: str) -> list[Path]:
    """Those in the language of the message first."""
    return sorted(files, key=lambda one: language_of(one.stem) != language_of(said))


@_in_one_loop
@pytest.mark.parametrize(("kind", "said"), _SAID, ids=[said for _, said in _SAID])
async def test_an_example_of_a_guide_changes_a_file_that_it_fits(
    turns: OfficeTurns, files: Mapping[str, Sequence[Path]], kind: str, said: str
) -> None:
    told = []
    for file in _sort_by_fit(files[kind], said):
        played = await turns.play(said, [file])
        if played.written:
            return
        assert _leads_on(played), (said, played.said)
        told.append(played.said)
    pytest.fail(f"{said}: {told}")


@_in_one_loop
async def test_an_example_is_taken_up_beside_a_file_of_the_other_language(
    turns: OfficeTurns, files: Mapping[str, Sequence[Path]]
) -> None:
    firsts = {(kind, language_of(said)): said for kind, said in reversed(_SAID)}
    for (kind, _), said in firsts.items():
        played = await turns.play(said, [_sort_by_fit(files[kind], said)[-1]], approves=False)
        assert _leads_on(played), (said, played.said)


@_in_one_loop
@pytest.mark.parametrize(("files", "said"), _COMMANDS, ids=[said for _, said in _COMMANDS])
async def test_a_command_of_a_guide_writes_a_file(turns: OfficeTurns, files: tuple[Path, ...], said: str) -> None:
    assert (await turns.play(said, files)).written


@_in_one_loop
@pytest.mark.parametrize("file", _SKILLS, ids=[one.parent.name for one in _SKILLS])
async def test_every_example_of_a_skill_is_taken_up(turns: OfficeTurns, file: Path) -> None:
    """The first is played to its end, the others to what is to be approved."""
    said, beside = _read_examples(file), _FITTING.get(file.parent.name, _NOTICE)
    played = {one: await turns.play(one, beside, approves=one == said[0]) for one in said}
    assert {one: found.said for one, found in played.items() if not _leads_on(found)} == {}


@_in_one_loop
async def test_every_example_of_the_editing_skill_is_taken_up(turns: OfficeTurns) -> None:
    said = _read_editor()["examples"]
    played = {one: await turns.play(one, _NOTICE, approves=one == said[0]) for one in said}
    assert {one: found.said for one, found in played.items() if not _leads_on(found)} == {}


@_in_one_loop
async def test_what_the_editing_skill_offers_next_changes_the_file(
    turns: OfficeTurns, files: Mapping[str, Sequence[Path]]
) -> None:
    offered = [one for listed in _read_editor()["metadata"]["next_messages"].values() for one in listed]
    played = {one["text"]: await turns.play(one["text"], [files[one["files"]][-1]]) for one in offered}
    unchanged = [said for said, one in played.items() if not one.written]
    assert unchanged == ["幻灯片换成16:9"]  # the deck is that already
