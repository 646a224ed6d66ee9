"""The tools for new skills: draft, check, install after approval, remove."""

import re
from dataclasses import dataclass
from typing import Final

from metier.language import BilingualText
from metier.pack import PackContext
from metier.packs.workspace.creator._check import DraftChecker
from metier.packs.workspace.creator._draft import (
    DRAFTS,
    SKILL_FILE,
    SkillForm,
    digest_draft,
    read_draft,
    read_texts,
    write_draft,
)
from metier.packs.workspace.creator._fields import (
    DraftName,
    Examples,
    OtherPurpose,
    OtherTitle,
    Purpose,
    Questions,
    SkillName,
    Steps,
    Title,
    ToolLanguage,
    ToolNames,
    Triggers,
    Words,
)
from metier.packs.workspace.creator._installed import SkillInstaller
from metier.packs.workspace.creator._problems import SkillProblem
from metier.packs.workspace.creator._reports import describe_check, preview_install
from metier.packs.workspace.creator._texts import TEXTS, TITLES
from metier.tools import (
    ALWAYS,
    FunctionTool,
    Preview,
    SideEffect,
    ToolContext,
    ToolResult,
    add_titles,
    function_tool,
    problems_in,
)

_READS: Final[frozenset[SideEffect]] = frozenset({"reads"})
_WRITES: Final[frozenset[SideEffect]] = frozenset({"reads", "writes"})
_TIMEOUT_S: Final = 180.0
_MAKES: Final = re.compile(r"新建一|创建|做一?[个成]|写一?个|\b(?:create|make|write|turn)\b", re.IGNORECASE)
_REMOVES: Final = re.compile(r"删除|删掉|移除|卸载|撤掉|\b(?:remove|delete|uninstall)\b", re.IGNORECASE)
_NAMED: Final = re.compile(
    r"(?:技能|skill)\s*(?:叫做|叫|名为|called|named|for|:|：)\s*[「“\"'`]?(?P<name>[^」”\"'`，。,.\n]{1,60})",
    re.IGNORECASE,
)
_REMOVED: Final = re.compile(
    r"(?:删除|删掉|移除|卸载|\b(?:remove|delete|uninstall)\b)\s*(?:the\s+)?(?:技能|skill)?\s*[「“\"'`:：]?\s*(?P<name>[^」”\"'`，。,.\n]{1,60})",
    re.IGNORECASE,
)
_NO_NAME: Final = re.compile(
    r"^(?:新建|刚才|这个|那个|刚建|the|this|that|new|last|just|made|it|skill|技能|的|\s)*$", re.IGNORECASE
)


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; the catalog is read when a draft is checked."""
    settings = context.settings
    has_model = settings.stage_models.get("fill", settings.model) != "builtin"
    installer = SkillInstaller(settings, context.storage)
    installer.split_old_record()
    creator = SkillTools(DraftChecker(settings, context.storage / "creator"), installer, has_model)
    tools = (
        function_tool(creator.read_skill_request, idempotent=True, effects=_READS),
        function_tool(creator.draft_skill, effects=_WRITES),
        function_tool(creator.check_skill, idempotent=True, effects=_READS, timeout_s=_TIMEOUT_S),
        function_tool(
            creator.install_skill,
            approval=ALWAYS,
            effects=_WRITES,
            timeout_s=_TIMEOUT_S,
            preview=creator.preview_install_skill,
        ),
        function_tool(
            creator.remove_skill, effects=_WRITES, undoes="install_skill", preview=creator.preview_remove_skill
        ),
    )
    return add_titles(tools, TITLES)


@dataclass(frozen=True, slots=True)
class SkillTools:
    """The tools, with the checker and the installer of the settings."""

    checker: DraftChecker
    installer: SkillInstaller
    has_model: bool = False

    def read_skill_request(self, description: Words, language: ToolLanguage = "zh") -> ToolResult:
        """看用户要新建还是删除技能。Read whether a skill shall be made or removed, and its name."""
        del language
        removes = bool(_REMOVES.search(description)) and not _MAKES.search(description)
        hit = (_REMOVED if removes else _NAMED).search(description)
        name = hit["name"].strip() if hit else ""
        name = re.sub(r"\s*(?:技能|skill)$", "", name, flags=re.IGNORECASE).removesuffix("的")
        is_named = bool(name) and not _NO_NAME.match(name)
        return ToolResult(
            {"task": "remove" if removes else "new", "name": name if is_named else None, "has_model": self.has_model}
        )

    def draft_skill(
        self,
        context: ToolContext,
        title: Title,
        purpose: Purpose,
        examples: Examples,
        steps: Steps,
        *,
        title_other: OtherTitle = "",
        purpose_other: OtherPurpose = "",
        triggers: Triggers = [],  # noqa: B006 - pydantic copies a default
        questions: Questions = [],  # noqa: B006 - pydantic copies a default
        tools: ToolNames = [],  # noqa: B006 - pydantic copies a default
        language: ToolLanguage = "zh",
    ) -> ToolResult:
        """按表单写出技能草稿，不安装。Write the draft of a skill from a form; nothing is installed."""
        with problems_in(language):
            form = SkillForm(
                title.strip(),
                purpose.strip(),
                tuple(dict.fromkeys(one.strip() for one in examples)),
                tuple(steps),
                title_other.strip(),
                purpose_other.strip(),
                tuple(triggers),
                tuple(questions),
                tuple(tools),
                language,
            )
            write_draft(context.workspace, form)
            file = f"{DRAFTS}/{form.id}/{SKILL_FILE}"
            read_draft(context.workspace, form.id)
            lines = [
                TEXTS.render(
                    "drafted",
                    language,
                    title=form.title,
                    id=form.id,
                    examples=len(form.examples),
                    steps=len(form.steps),
                    file=file,
                )
            ]
            lines += [] if form.title_other and form.purpose_other else [TEXTS.render("one_language", language)]
            return ToolResult({"id": form.id, "title": form.title, "summary": "\n\n".join(lines), "file": file})

    def check_skill(self, context: ToolContext, draft: DraftName, language: ToolLanguage = "zh") -> ToolResult:
        """检查草稿：格式、触发用例、与其他技能的冲突。Check a draft: lint, trigger evals, collisions."""
        with problems_in(language):
            found = read_draft(context.workspace, draft)
            return ToolResult(
                describe_check(self.checker.check(context.workspace, found, context.user, language), language)
            )

    def install_skill(self, context: ToolContext, draft: DraftName, language: ToolLanguage = "zh") -> ToolResult:
        """把草稿安装到技能文件夹，需要批准，可以删除。Install the draft, with approval; can be removed."""
        with problems_in(language):
            found = read_draft(context.workspace, draft)
            if self.checker.is_taken(found):
                raise SkillProblem("skill_exists", id=found.id)
            title = found.title_in(language)
            made = self.installer.install(found, title, context.conversation, context.user)
            code = "waits" if self.installer.waits_for_approval else "installed"
            example = found.examples[0] if found.examples else title
            summary = TEXTS.render(code, language, title=title, folder=made.folder, id=made.id, example=example)
            return ToolResult({"id": made.id, "summary": summary, "next": TEXTS.render("next_installed", language)})

    def preview_install_skill(self, context: ToolContext, draft: DraftName, language: ToolLanguage = "zh") -> Preview:
        """The skill's file, where it would go, and what the checks say."""
        with problems_in(language):
            found = read_draft(context.workspace, draft)
            check = self.checker.check(context.workspace, found, context.user, language)
            if check.is_taken:
                raise SkillProblem("skill_exists", id=found.id)
            if errors := check.list_errors(language):
                raise SkillProblem("draft_invalid", why="; ".join(errors[:3]))
            digest = digest_draft(context.workspace, draft)
            return preview_install(check, str(self.installer.folder), read_texts(found), digest, language)

    def remove_skill(self, context: ToolContext, name: SkillName = "", language: ToolLanguage = "zh") -> ToolResult:
        """删除在对话里安装的技能。Remove a skill that was installed from a conversation."""
        with problems_in(language):
            found = self.installer.find(name, context.conversation, context.user)
            self.installer.remove(found)
            return ToolResult({"id": found.id, "summary": TEXTS.render("removed", language, title=found.title)})

    def preview_remove_skill(
        self, context: ToolContext, name: SkillName = "", language: ToolLanguage = "zh"
    ) -> Preview:
        """Which skill would be removed."""
        with problems_in(language):
            found = self.installer.find(name, context.conversation, context.user)
            self.installer.check_removable(found)
            return Preview(
                BilingualText(
                    f"将删除技能「{found.title}」：{found.folder}",
                    f"The skill {found.title!r} would be removed: {found.folder}",
                )
            )
