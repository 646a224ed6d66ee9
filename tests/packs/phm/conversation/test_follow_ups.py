"""A short follow-up that has to ask something first goes on as the whole question after the answer."""

from pathlib import Path

from metier.agent import Runtime
from metier.agent.lifecycle._start import _first_message
from metier.pack import find_installed_packs
from metier.settings import Settings
from tests.e2e.support import said


async def test_what_a_follow_up_was_read_as_is_kept_with_the_turn(tmp_path: Path) -> None:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none", model="builtin")
    async with Runtime.open(settings, packs=find_installed_packs().select(["phm"])) as runtime:
        first = await said(runtime, "评价2号风机的振动烈度，II类")
        answer = await said(runtime, "4号鼓风机呢", conversation=first.conversation)
    assert _first_message(answer.events) == "评价4号鼓风机的振动烈度，II类"
    (routed,) = [one for one in answer.events if one.kind == "skill.routed"]
    assert routed.data["read_as"] == "评价4号鼓风机的振动烈度，II类"
