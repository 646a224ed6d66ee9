"""The runtime of an arm: the same tools and documents everywhere, skills and settings by the layers that are on."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml
from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent import NativeToolModel, Runtime, SchemaToolModel
from metier.packs.workspace.dispatch._arms import Arm
from metier.packs.workspace.dispatch._tasks import DATA
from metier.packs.workspace.dispatch._tools import build_tools
from metier.settings import Settings, load_settings

SKILLS: Final = DATA / "skills"
_GATE_KEYS: Final = ("allowed_tools", "forbidden_tools", "preapproved_tools")
_PLAN_KEYS: Final = ("sop", "milestones")
# A type of task that no message has and that refuses nothing.
_NO_TASK_TYPES: Final = '[none]\nkeywords = ["\\u0001"]\n'
_MAX_STEPS: Final = 16


@dataclass(frozen=True, slots=True)
class World:
    """An open runtime and the folder of its storage."""

    runtime: Runtime
    storage: Path


@asynccontextmanager
async def open_world(arm: Arm, model: BaseChatModel | str, folder: Path) -> AsyncIterator[World]:
    """Open the runtime of an arm on a model, which speaks natively or, if the arm says so, under a schema.

    A name stands for a model of the settings, at their address and with their key.
    """
    settings = make_settings(arm, folder, model if isinstance(model, str) else "builtin")
    wrapped = None
    if not isinstance(model, str):
        wrapped = SchemaToolModel(model=model, dialect="open") if arm.schema else NativeToolModel(model=model)
    async with Runtime.open(settings, model=wrapped, tools=build_tools()) as runtime:
        await runtime.prepare()
        yield World(runtime, folder)


def make_settings(arm: Arm, folder: Path, model: str = "builtin") -> Settings:
    """Settings of an arm; its skills are copied without the keys of the layers that are off."""
    skills = folder / "skills"
    skills.mkdir(parents=True)
    for source in sorted(SKILLS.iterdir()) if arm.menu else ():
        (skills / source.name).mkdir()
        text = strip_layers((source / "SKILL.md").read_text("utf-8"), arm)
        (skills / source.name / "SKILL.md").write_text(text, "utf-8")
    documents = folder / "documents"
    shutil.copytree(DATA / "documents", documents)
    given: dict[str, object] = {
        "model": model,
        **({} if model == "builtin" else {"model_tools": "schema" if arm.schema else "native"}),
        "skills_dir": (skills,),
        "storage_dir": folder,
        "database_url": f"sqlite:///{folder}/bench.sqlite3",
        "web_search_folder": documents,
        "skill_choice": "both" if arm.router else "model",
        "turn_max_steps": _MAX_STEPS,
    }
    if not arm.gate:
        given["task_types_file"] = folder / "task_types.toml"
        (folder / "task_types.toml").write_text(_NO_TASK_TYPES, "utf-8")
    return load_settings(given)


def strip_layers(text: str, arm: Arm) -> str:
    """A skill's file without the keys of the layers that are off."""
    _, front, body = text.split("---\n", 2)
    fields = yaml.safe_load(front)
    for key in (*(() if arm.gate else _GATE_KEYS), *(() if arm.plan else _PLAN_KEYS)):
        fields.pop(key, None)
    return f"---\n{yaml.safe_dump(fields, allow_unicode=True, sort_keys=False)}---\n{body}"
