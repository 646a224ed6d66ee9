"""Decks are changed by a plan, and the same plan a second time changes nothing."""

from pathlib import Path
from typing import Any

from pptx import Presentation

from metier.json_values import JsonObject
from metier.packs.office._hosts import Execution, WriteRequest, host_for
from metier.packs.office.plan import load_plan


def change_deck(path: Path, *steps: JsonObject) -> tuple[Execution, Any]:
    actions: list[Any] = [{"id": f"a{at}", "title": "改", **one} for at, one in enumerate(steps)]
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": "wpp", "actions": actions}, host="wpp").plan
    assert plan is not None
    target = path.with_name("out.pptx")
    done = host_for("wpp").execute(plan, path, target, request=WriteRequest())
    assert host_for("wpp").execute(plan, target, path.with_name("again.pptx"), request=WriteRequest()).unchanged
    return done, Presentation(str(target))
