"""Installs a checked draft into the skills folder, and removes it again for the one who installed it.

What was installed from conversations is recorded outside of their folders, so that no sandboxed program can name
another skill for removal. Each user has a record of their own, which is deleted with the user.
"""

import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonInvalid, load_json
from metier.packs.workspace.creator._problems import SkillProblem
from metier.skills import Skill, SkillApprovals, SkillLibrary, add_skills, open_skill_approvals
from metier.store import LOCAL_USER
from metier.workspaces import user_folder

if TYPE_CHECKING:
    from metier.settings import Settings

_RECORD: Final = "created-skills.json"


@dataclass(frozen=True, slots=True)
class InstalledSkill:
    """A skill that was installed from a conversation."""

    id: str
    title: str
    folder: str
    digest: str
    conversation: str
    by: str


@dataclass(frozen=True, slots=True)
class SkillInstaller:
    """Installs into the first skills folder of the settings; `storage` is that of the pack."""

    settings: "Settings"
    storage: Path

    @property
    def folder(self) -> Path:
        """The user's skills folder."""
        if not self.settings.skills_dir:
            raise SkillProblem("no_folder")
        return self.settings.skills_dir[0]

    @property
    def waits_for_approval(self) -> bool:
        """Whether an administrator has to approve the version before it is used (`METIER_SKILL_TRUST=require`)."""
        return self.settings.skill_trust == "require"

    def install(self, draft: Skill, title: str, conversation: str, user: str) -> InstalledSkill:
        """Copy the draft into the skills folder; the approval of the call approves it for this user."""
        target = self.folder / draft.id
        if target.exists() or target.is_symlink():
            raise SkillProblem("skill_exists", id=draft.id)
        author, approvals = user or LOCAL_USER, open_skill_approvals(self.settings)
        if (entry := approvals.find(draft.id)) is not None and entry.owner != author:
            raise SkillProblem("skill_exists", id=draft.id)  # another's id is not taken, wherever the skill stands
        self._own(approvals, draft, author)  # before the skill is there: it never belongs to everybody
        add_skills(draft.source.folder, self.folder)
        found = SkillLibrary.from_folders(self.folder).catalog().get(draft.id)
        if found is None:
            shutil.rmtree(target, ignore_errors=True)
            approvals.withdraw(draft.id)
            raise SkillProblem("draft_refused", why=draft.id)
        self._own(approvals, found, author)  # with its place
        made = InstalledSkill(draft.id, title, str(target.absolute()), found.digest, conversation, author)
        with self._change(author) as known:
            known[draft.id] = made
        return made

    def find(self, name: str, conversation: str, user: str) -> InstalledSkill:
        """A skill that this user installed, by id or title; without a name the last one of this conversation.

        What somebody else installed is as unknown here as what nobody did.
        """
        known = list(self._load(user or LOCAL_USER).values())
        if not name:
            own = [one for one in known if one.conversation == conversation]
            if not own:
                raise SkillProblem("nothing_installed")
            return own[-1]
        folded = name.strip().casefold()
        found = next((one for one in known if folded in (one.id.casefold(), one.title.casefold())), None)
        if found is None:
            raise SkillProblem("not_installed_here", name=name[:60])
        return found

    def check_removable(self, one: InstalledSkill) -> Path:
        """Folder of an installed skill; raises `SkillProblem` if somebody changed it or approved it for all since."""
        folder = Path(one.folder)
        entry = open_skill_approvals(self.settings).lock.read().get(one.id)
        if entry is not None and entry.owner != (one.by or LOCAL_USER):
            raise SkillProblem("approved_for_all", name=one.title)
        found = SkillLibrary.from_folders(folder.parent).catalog().get(one.id)
        if found is not None and found.digest != one.digest:
            raise SkillProblem("changed_since", name=one.title)
        return folder

    def remove(self, one: InstalledSkill) -> None:
        """Remove an installed skill and the approval for the one who installed it."""
        folder = self.check_removable(one)
        if folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)
        open_skill_approvals(self.settings).withdraw(one.id)
        with self._change(one.by or LOCAL_USER) as known:
            known.pop(one.id, None)

    def split_old_record(self) -> None:
        """Give every user their part of the record that an older version kept of all users in one file."""
        old = self.storage / "creator" / _RECORD
        if not old.is_file():
            return
        for name, one in _read_record(old).items():
            with self._change(one.by or LOCAL_USER) as known:
                known.setdefault(name, one)
        old.unlink(missing_ok=True)

    def _own(self, approvals: SkillApprovals, skill: Skill, author: str) -> None:
        """Write down that a skill is its author's; it is approved for the author unless an administrator has to."""
        if self.waits_for_approval:
            approvals.claim(skill, author)
        else:
            approvals.pin([skill], author, owner=author)

    def _load(self, author: str) -> dict[str, InstalledSkill]:
        return _read_record(user_folder(self.storage, author) / _RECORD)

    @contextmanager
    def _change(self, author: str) -> Iterator[dict[str, InstalledSkill]]:
        """The record, to be changed in the block and written after it; one thread of one process at a time."""
        folder = user_folder(self.storage, author)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f".{_RECORD}.write").open("w") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            known = self._load(author)
            yield known
            fresh = folder / f"{_RECORD}.new"
            rows = {name: asdict(one) for name, one in known.items()}
            fresh.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
            fresh.replace(folder / _RECORD)


def _read_record(path: Path) -> dict[str, InstalledSkill]:
    try:
        found = load_json(path.read_text("utf-8"))
    except (OSError, JsonInvalid):
        return {}
    rows = found.items() if isinstance(found, Mapping) else ()
    names = InstalledSkill.__dataclass_fields__
    return {
        name: InstalledSkill(**{key: str(row.get(key, "")) for key in names})
        for name, row in rows
        if isinstance(row, Mapping)
    }
