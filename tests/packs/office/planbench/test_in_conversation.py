"""Cases of the plan bench said in a conversation with their document: nothing forces the skill that writes."""

from pathlib import Path

from metier.packs.office.planbench import load_cases
from metier.packs.office.planbench._asserts import BenchOutcome, check_assert
from metier.packs.office.planbench._documents import write_document
from tests.packs.office.turns import open_turns

# A second run is the bench's own; what is selected is told by the program around the page.
_OF_THE_BENCH = {"second_run", "block_once", "asked"}


async def test_every_shipped_case_is_written_right_where_the_router_finds_the_skill(tmp_path: Path) -> None:
    wrong: dict[str, object] = {}
    async with open_turns(tmp_path / "talk") as turns:
        for case in load_cases("shipped"):
            if case.selected:
                continue
            folder = tmp_path / case.id
            folder.mkdir()
            before, _ = write_document(case.host, folder, paragraphs=case.document)
            played = await turns.play(case.request, [before])
            after = played.written.get(before.name)
            if after is None:
                wrong[case.id] = (played.skills, played.said[:200])
                continue
            outcome = BenchOutcome(before, after, asserts=case.asserts)
            misses = [
                found
                for kind, wanted in case.asserts
                if kind not in _OF_THE_BENCH and (found := check_assert(outcome, kind, wanted))
            ]
            if misses:
                wrong[case.id] = (played.skills, misses)
    assert wrong == {}
