"""A skill from a form: drafted, checked against the catalog, installed after a preview, removed again."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from metier.json_values import JsonValue, load_json
from metier.packs.workspace.creator._check import MIN_EVALS, DraftChecker
from metier.packs.workspace.creator._draft import SkillForm, read_draft, write_draft
from metier.packs.workspace.creator._installed import InstalledSkill, SkillInstaller
from metier.packs.workspace.creator._tools import SkillTools
from metier.settings import Settings
from metier.skills import SkillLibrary, open_skill_approvals
from metier.tools import ToolContext, ToolError
from metier.workspaces import user_folder

QUOTE: dict[str, Any] = {
    "title": "报价核对",
    "purpose": "把供应商的报价单和价目表逐项核对，列出不一致的地方",
    "examples": ["帮我核对这份报价", "报价和价目表一致吗", "供应商的报价有没有算错"],
    "steps": ["读报价单", "逐项对照价目表", "列出差异和金额"],
}


@pytest.fixture
def creator(tmp_path: Path) -> SkillTools:
    return make_tools(tmp_path)


def make_tools(tmp_path: Path, trust: str = "off") -> SkillTools:
    settings = Settings(
        storage_dir=tmp_path / "storage",
        skills_dir=(tmp_path / "skills",),
        skill_lock=tmp_path / "skills.lock",
        skill_trust=trust,
        embedder="none",
    )
    return SkillTools(DraftChecker(settings, tmp_path / "own"), SkillInstaller(settings, tmp_path / "own"))


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    (tmp_path / "workspace").mkdir()
    return ToolContext(tmp_path / "workspace", conversation="c1", user="ann")


def load(tmp_path: Path) -> list[str]:
    return [one.id for one in SkillLibrary.from_folders(tmp_path / "skills").catalog()]


def test_a_draft_is_checked_installed_used_at_once_and_removed(
    tmp_path: Path, creator: SkillTools, context: ToolContext
) -> None:
    drafted = creator.draft_skill(
        context, **QUOTE, title_other="Quote check", purpose_other="Compare a quote with the price list"
    )
    assert drafted.data is not None
    name = str(drafted.data["id"])
    assert name == "quote-check"
    skill = read_draft(context.workspace, name)
    assert (skill.title_in("zh"), skill.title_in("en")) == ("报价核对", "Quote check")
    assert len(skill.sop) == 1  # without a model it asks what to work on
    told = creator.check_skill(context, name).data
    assert told is not None
    assert (told["installable"], told["errors"]) == (True, [])
    assert int(str(told["evals"])) >= MIN_EVALS
    assert int(str(told["passed"])) >= int(str(told["evals"])) - 2
    preview = creator.preview_install_skill(context, name)
    assert "报价核对" in str(preview.rows[0].values["content"])
    assert load(tmp_path) == []  # nothing before the approval
    assert preview.digest == creator.preview_install_skill(context, name).digest
    creator.install_skill(context, name)
    assert load(tmp_path) == ["quote-check"]
    with pytest.raises(ToolError) as caught:
        creator.install_skill(context, name)
    assert caught.value.failure.code == "skill_exists"
    creator.preview_remove_skill(context)
    creator.remove_skill(context)
    assert load(tmp_path) == []
    with pytest.raises(ToolError) as caught:
        creator.preview_remove_skill(context)
    assert caught.value.failure.code == "nothing_installed"


def test_every_file_that_would_be_installed_is_shown(creator: SkillTools, context: ToolContext) -> None:
    creator.draft_skill(context, **QUOTE)
    script = context.workspace / "skill-drafts" / "报价核对" / "scripts" / "send.py"
    script.parent.mkdir()
    script.write_text("def send() -> dict:\n    return {}\n", "utf-8")
    shown = {row.id: str(row.values["content"]) for row in creator.preview_install_skill(context, "报价核对").rows}
    assert list(shown) == ["SKILL.md", "scripts/send.py"]
    assert "def send" in shown["scripts/send.py"]


def test_collisions_are_named_with_their_reason(creator: SkillTools, context: ToolContext) -> None:
    creator.draft_skill(
        context,
        "整理纪要",
        "把会议录音稿整理成会议纪要，列出待办",
        ["整理会议纪要", "把录音稿整理成会议纪要", "会议纪要列出待办"],
        ["读录音稿", "写纪要"],
        triggers=["会议纪要"],
    )
    told = creator.check_skill(context, "整理纪要").data
    assert told is not None
    assert "meeting-minutes" in str(told["collisions"])
    assert "meeting-minutes" in str(told["summary"])


def test_an_id_of_a_pack_and_a_bad_title_are_refused(creator: SkillTools, context: ToolContext) -> None:
    creator.draft_skill(context, **{**QUOTE, "title": "code"}, language="en")
    told = creator.check_skill(context, "code", language="en").data
    assert told is not None
    assert told["installable"] is False
    for call in (creator.preview_install_skill, creator.install_skill):
        with pytest.raises(ToolError) as caught:
            call(context, "code", language="en")
        assert caught.value.failure.code == "skill_exists"
    with pytest.raises(ToolError):
        creator.draft_skill(context, **{**QUOTE, "title": "！！！"})


def test_texts_with_dashes_quotes_and_orders_stay_texts(context: ToolContext) -> None:
    purpose = 'says "a: b" --- and\n---\nmetadata: {x: 1}'
    form = SkillForm("A 'b' \"c\"", purpose, ("--- one", "{$.two}", "three: [4]"), ("# step",), language="en")
    write_draft(context.workspace, form)
    skill = read_draft(context.workspace, form.id)
    assert skill.title_in("en") == form.title
    assert skill.examples == form.examples
    assert "metadata: {x: 1}" in skill.description


def test_where_trust_is_required_an_installed_skill_waits_for_its_approval(
    tmp_path: Path, context: ToolContext
) -> None:
    from metier.skills import open_skill_library

    creator = make_tools(tmp_path, trust="require")
    creator.draft_skill(context, **QUOTE)
    told = creator.install_skill(context, "报价核对").data
    assert told is not None
    assert "metier skills approve" in str(told["summary"])
    catalog = open_skill_library(creator.installer.settings).catalog()
    assert ([one.id for one in catalog], [one.id for one in catalog.waiting]) == ([], ["报价核对"])


def test_a_skill_that_was_changed_since_is_not_removed(
    tmp_path: Path, creator: SkillTools, context: ToolContext
) -> None:
    creator.draft_skill(context, **QUOTE)
    creator.install_skill(context, "报价核对")
    file = tmp_path / "skills" / "报价核对" / "SKILL.md"
    file.write_text(file.read_text("utf-8") + "\nmine\n", "utf-8")
    with pytest.raises(ToolError) as caught:
        creator.remove_skill(context, "报价核对")
    assert caught.value.failure.code == "changed_since"
    assert file.exists()


def test_words_say_whether_a_skill_is_made_or_removed(creator: SkillTools) -> None:
    cases = {
        "新建一个技能": ("new", None),
        "新建一个技能：报价核对": ("new", "报价核对"),
        "create a skill called quote check": ("new", "quote check"),
        "做一个删除日志的技能": ("new", None),
        "删除新建的技能": ("remove", None),
        "remove the new skill": ("remove", None),
        "删除技能 报价核对": ("remove", "报价核对"),
    }
    found = {text: creator.read_skill_request(text).data or {} for text in cases}
    assert {text: (one["task"], one["name"]) for text, one in found.items()} == cases


def test_what_another_user_installed_is_removed_by_nobody_else_and_is_as_unknown_as_what_is_not_there(
    tmp_path: Path, creator: SkillTools, context: ToolContext
) -> None:
    creator.draft_skill(context, **QUOTE)
    creator.install_skill(context, "报价核对")
    for other in (replace(context, conversation="c2", user="ben"), replace(context, user="ben")):
        for call in (creator.preview_remove_skill, creator.remove_skill):
            said = []
            for name in ("报价核对", "并不存在"):
                with pytest.raises(ToolError) as caught:
                    call(other, name)
                said.append((caught.value.failure.code, caught.value.failure.message.replace(name, "")))
            assert said[0] == said[1]
            with pytest.raises(ToolError) as caught:
                call(other)
            assert caught.value.failure.code == "nothing_installed"
    assert load(tmp_path) == ["报价核对"]


def test_a_name_that_another_user_has_is_refused_without_telling_where(
    creator: SkillTools, context: ToolContext
) -> None:
    creator.draft_skill(context, **QUOTE)
    creator.install_skill(context, "报价核对")
    ben = replace(context, conversation="c2", user="ben")
    told = creator.check_skill(ben, "报价核对").data or {}
    assert (told["installable"], told["collisions"]) == (False, [])
    said = str(told["summary"])
    for call in (creator.preview_install_skill, creator.install_skill):
        with pytest.raises(ToolError) as caught:
            call(ben, "报价核对")
        assert caught.value.failure.code == "skill_exists"
        said += caught.value.failure.message
    assert str(creator.installer.folder) not in said


@pytest.mark.parametrize("trust", ["off", "require"])
def test_an_id_that_is_approved_for_all_is_not_taken_by_a_skill_in_another_folder(
    tmp_path: Path, context: ToolContext, trust: str
) -> None:
    creator = make_tools(tmp_path, trust)
    creator.draft_skill(context, **QUOTE)
    found = SkillLibrary.from_folders(next(context.workspace.rglob("SKILL.md")).parent).catalog()["报价核对"]
    approvals = open_skill_approvals(creator.installer.settings)
    approvals.approve(found, "root")
    before = approvals.lock.read()
    with pytest.raises(ToolError) as caught:
        creator.install_skill(context, "报价核对")
    assert (caught.value.failure.code, load(tmp_path), approvals.lock.read()) == ("skill_exists", [], before)


def test_a_skill_that_was_approved_for_all_stays_when_its_author_removes_it(
    tmp_path: Path, creator: SkillTools, context: ToolContext
) -> None:
    creator.draft_skill(context, **QUOTE)
    creator.install_skill(context, "报价核对")
    approvals = open_skill_approvals(creator.installer.settings)
    approvals.approve(SkillLibrary.from_folders(tmp_path / "skills").catalog()["报价核对"], "root")
    for call in (creator.preview_remove_skill, creator.remove_skill):
        with pytest.raises(ToolError) as caught:
            call(context, "报价核对")
        assert caught.value.failure.code == "approved_for_all"
    assert (load(tmp_path), list(approvals.lock.read())) == (["报价核对"], ["报价核对"])


def test_skills_that_are_removed_at_once_are_all_forgotten(
    tmp_path: Path, creator: SkillTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [InstalledSkill(f"s{at}", f"S{at}", str(tmp_path / "skills" / f"s{at}"), "", "c1", "ann") for at in range(5)]
    record = user_folder(tmp_path / "own", "ann") / "created-skills.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({one.id: asdict(one) for one in made}), "utf-8")

    def read_slowly(text: str) -> JsonValue:
        time.sleep(0.02)  # everybody has read it before anybody writes
        return load_json(text)

    monkeypatch.setattr("metier.packs.workspace.creator._installed.load_json", read_slowly)
    with ThreadPoolExecutor(len(made)) as pool:
        list(pool.map(creator.installer.remove, made[:-1]))
    assert list(json.loads(record.read_text("utf-8"))) == ["s4"]


def test_the_record_of_an_older_version_is_split_among_its_users(tmp_path: Path) -> None:
    installer = SkillInstaller(Settings(skills_dir=(tmp_path / "skills",)), tmp_path / "own")
    old = tmp_path / "own" / "creator" / "created-skills.json"
    old.parent.mkdir(parents=True)
    rows = {
        name: asdict(InstalledSkill(name, name, f"/skills/{name}", "d", "c1", by))
        for name, by in (("quote", "ann"), ("tour", "bob"))
    }
    old.write_text(json.dumps(rows), "utf-8")
    installer.split_old_record()
    assert [installer.find("", "c1", user).id for user in ("ann", "bob")] == ["quote", "tour"]
    assert "bob" not in (user_folder(tmp_path / "own", "ann") / "created-skills.json").read_text("utf-8")
    assert not old.exists()
