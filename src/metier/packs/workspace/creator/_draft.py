"""Writes a skill from the fields of a form, and reads it back as the runtime would."""

import hashlib
import json
import re
import shutil
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language, choose
from metier.packs.workspace.creator._problems import SkillProblem
from metier.skills import Skill, SkillLibrary

DRAFTS: Final = "skill-drafts"
SKILL_FILE: Final = "SKILL.md"
EVALS_FILE: Final = "evals/eval_queries.json"
_MAX_ID_CHARS: Final = 60
_SPACES: Final = re.compile(r"[\s_\-]+")
_UNNAMED: Final = re.compile(r"[^\w-]+")
_DASHES: Final = re.compile(r"-{3,}")
_DEFAULT_QUESTION: Final = BilingualText("要处理的内容是什么？", "What shall be worked on?")


@dataclass(frozen=True, slots=True)
class SkillForm:
    """What a person said about a new skill; the texts of the other language may be empty."""

    title: str
    purpose: str
    examples: tuple[str, ...]
    steps: tuple[str, ...]
    title_other: str = ""
    purpose_other: str = ""
    triggers: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    language: Language = "zh"

    @property
    def id(self) -> str:
        """Id of the skill: its English title if there is one, as lower-case words with hyphens."""
        english = choose(self.language, en=self.title, zh=self.title_other)
        return slugify(english if english.isascii() and english.strip() else self.title)

    @property
    def titles(self) -> BilingualText:
        return _pair(self.title, self.title_other, self.language)

    @property
    def purposes(self) -> BilingualText:
        return _pair(self.purpose, self.purpose_other, self.language)


def slugify(title: str) -> str:
    """Title as an id; raises `SkillProblem` if nothing is left of it."""
    plain = unicodedata.normalize("NFKC", title).strip().lower()
    made = _UNNAMED.sub("", _SPACES.sub("-", plain)).strip("-")[:_MAX_ID_CHARS].strip("-")
    if not made:
        raise SkillProblem("title_unusable", title=title[:60], why="?")
    return made


def render_skill(form: SkillForm) -> str:
    """Text of SKILL.md: texts in both languages, and the lists as JSON under `metadata`."""
    questions = form.questions or (_DEFAULT_QUESTION.text(form.language),)
    sop: list[JsonValue] = [
        {"id": f"answer_{number}", "title": one, "ask": one} for number, one in enumerate(questions, 1)
    ]
    numbered = "\n".join(f"{number}. {one}" for number, one in enumerate(form.steps, 1))
    answers = "\n".join(f"- {one} {{$.answer_{number}}}" for number, one in enumerate(questions, 1))
    triggers = form.triggers or tuple(dict.fromkeys((form.titles.zh, form.titles.en)))
    metadata: dict[str, JsonValue] = {
        "version": "0.1.0",
        "triggers": list(triggers),
        "examples": list(form.examples),
        "sop": sop,
        "report": f"**{form.title}**\n\n{numbered}\n\n{answers}",
    }
    metadata |= {"allowed_tools": list(form.tools)} if form.tools else {}
    described = " ".join(dict.fromkeys((form.purposes.zh, form.purposes.en)))  # the standard wants one text
    lines = [f"name: {_quote(form.id)}", f"description: {_quote(described)}", "metadata:", "  title:"]
    lines += [f"    {key}: {_quote(text)}" for key, text in (("zh", form.titles.zh), ("en", form.titles.en))]
    for key, value in metadata.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines.append(f"  {key}: {_quote(text)}")
    body = f"# {form.title}\n\n{form.purpose}\n\n{numbered}\n"
    return "---\n" + "\n".join(lines) + f"\n---\n\n{body}"


def write_draft(workspace: Path, form: SkillForm) -> Path:
    """Write the draft into the conversation's folder, in place of one with the same id; returns the skill's folder."""
    folder = workspace / DRAFTS / form.id
    if folder.is_symlink() or (workspace / DRAFTS).is_symlink():
        raise SkillProblem("draft_not_found", name=form.id)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / SKILL_FILE).write_text(render_skill(form), "utf-8")
    return folder


def read_draft(workspace: Path, name: str) -> Skill:
    """The draft as a skill; raises `SkillProblem` if there is none or it cannot be read."""
    folder = workspace / DRAFTS / slugify(name)
    if not (folder / SKILL_FILE).is_file() or folder.is_symlink():
        raise SkillProblem("draft_not_found", name=name[:60])
    catalog = SkillLibrary.from_folders(folder.parent).catalog()
    found = next((one for one in catalog if one.source.folder == folder), None)
    if found is None:
        refused = [one.message for one in catalog.diagnostics if one.path.is_relative_to(folder)]
        raise SkillProblem("draft_refused", why="; ".join(refused[:3]) or folder.name)
    return found


def read_texts(draft: Skill) -> dict[str, str]:
    """Every file that would be installed, by path: scripts too. The trigger evals are left out: they are generated."""
    paths = sorted(one.path for one in draft.files if one.path != EVALS_FILE)
    paths.sort(key=lambda path: path != SKILL_FILE)
    return {path: (draft.source.folder / path).read_bytes().decode("utf-8", "replace") for path in paths}


def digest_draft(workspace: Path, name: str) -> str:
    """SHA-256 of the draft's files, for the approver's preview."""
    folder = workspace / DRAFTS / slugify(name)
    found = hashlib.sha256()
    for file in sorted(one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()):
        found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()


def save_evals(workspace: Path, name: str, queries: Sequence[JsonObject]) -> None:
    """Write the trigger evals beside the draft."""
    file = workspace / DRAFTS / slugify(name) / EVALS_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(list(queries), ensure_ascii=False, indent=2, default=dict) + "\n", "utf-8")


def _pair(text: str, other: str, language: Language) -> BilingualText:
    """Texts of both languages; one that was not given is the other one."""
    return choose(language, en=BilingualText(other or text, text), zh=BilingualText(text, other or text))


def _quote(text: str) -> str:
    """A text as a double-quoted YAML scalar; three dashes would end the front matter for some readers."""
    return _DASHES.sub(lambda hit: "\\u002d" * len(hit[0]), json.dumps(text, ensure_ascii=False))
