"""Messages for two skills, and messages for one that look like two, over the skills of all shipped packs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from metier.pack import build_pack_glossary, pack_skill_roots, select_packs
from metier.routing import Router, open_router
from metier.settings import Settings, load_settings
from metier.skills import Catalog, open_skill_library

_MESSAGES = Path(__file__).parent / "data" / "seed_004" / "one_or_two_requests.jsonl"


def _is_taken_for(asked: Sequence[str], meant: Sequence[Sequence[str]]) -> bool:
    return len(asked) == len(meant) and all(one in among for one, among in zip(asked, meant, strict=True))


def _open(settings: Settings) -> tuple[Router, Catalog]:
    packs = select_packs(settings, ("life", "office", "phm", "telecom", "workspace")).found
    catalog = open_skill_library(settings, pack_skill_roots(packs)).catalog()
    return open_router(settings, glossary=build_pack_glossary(packs)), catalog


def test_the_authors_own_sentence_is_two_tasks_with_and_without_an_embedder() -> None:
    settings = load_settings()
    for known in (settings, settings.model_copy(update={"embedder": "none"})):
        router, catalog = _open(known)
        for message in ("先把试卷答题做了，再写会议纪要", "First do the exam paper, then write the meeting minutes"):
            found = router.route(message, catalog=catalog)
            assert (found.verdict, [skill for skill, _ in found.requests]) == (
                "auto",
                ["exam-answering", "meeting-minutes"],
            ), (known.embedder, message)


def test_most_messages_for_two_are_two_tasks_in_their_order_and_one_request_stays_one() -> None:
    router, catalog = _open(load_settings())
    right: dict[bool, list[bool]] = {True: [], False: []}
    for line in _MESSAGES.read_text("utf-8").splitlines():
        case: Mapping[str, object] = json.loads(line)
        meant = case["skills"]
        assert isinstance(meant, list)
        asked = [skill for skill, _ in router.route(str(case["message"]), catalog=catalog).requests]
        several = len(meant) > 1
        right[several].append(_is_taken_for(asked, meant) if several else len(asked) < 2)
    assert {several: len(found) for several, found in right.items()} == {True: 165, False: 158}
    assert sum(right[True]) >= 143  # 149 at the time of writing
    assert sum(right[False]) >= 155  # 156
