"""Messages for two skills, and messages for one that look like two, over the skills of all shipped packs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from metier.pack import build_pack_glossary, pack_skill_roots, select_packs
from metier.routing import open_router
from metier.settings import load_settings
from metier.skills import open_skill_library

_MESSAGES = Path(__file__).parent / "data" / "seed_004" / "one_or_two_requests.jsonl"


def _is_taken_for(asked: Sequence[str], meant: Sequence[Sequence[str]]) -> bool:
    return len(asked) == len(meant) and all(one in among for one, among in zip(asked, meant, strict=True))


def test_most_messages_for_two_are_two_tasks_in_their_order_and_one_request_stays_one() -> None:
    settings = load_settings()
    packs = select_packs(settings, ("life", "office", "phm", "telecom", "workspace")).found
    catalog = open_skill_library(settings, pack_skill_roots(packs)).catalog()
    router = open_router(settings, glossary=build_pack_glossary(packs))
    right: dict[bool, list[bool]] = {True: [], False: []}
    for line in _MESSAGES.read_text("utf-8").splitlines():
        case: Mapping[str, object] = json.loads(line)
        meant = case["skills"]
        assert isinstance(meant, list)
        asked = [skill for skill, _ in router.route(str(case["message"]), catalog=catalog).requests]
        several = len(meant) > 1
        right[several].append(_is_taken_for(asked, meant) if several else len(asked) < 2)
    assert {several: len(found) for several, found in right.items()} == {True: 165, False: 158}
    assert sum(right[True]) >= 139  # 144 at the time of writing
    assert sum(right[False]) >= 156  # 157
