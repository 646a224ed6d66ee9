"""Sentences and titles of the tools for new skills."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Sentences

TITLES: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "read_skill_request": BilingualText("看要求", "Read the request"),
        "draft_skill": BilingualText("起草技能", "Draft the skill"),
        "check_skill": BilingualText("检查技能", "Check the skill"),
        "install_skill": BilingualText("安装技能", "Install the skill"),
        "remove_skill": BilingualText("删除新建的技能", "Remove the new skill"),
    }
)
TEXTS: Final = Sentences(
    {
        "drafted": (
            "Drafted {title} (`{id}`): {examples} examples, {steps} steps. The file is `{file}`.",
            "已起草「{title}」（`{id}`）：{examples} 个示例，{steps} 步。文件是 `{file}`。",
        ),
        "one_language": (
            "It has one language only; the other uses the same text until you fill in the other name and purpose.",
            "只填了一种语言，另一种语言暂用同样的文字；可以再补上另一种语言的名称和用途。",
        ),
        "checked": (
            "Checks of {title}: {findings}; {passed} of {total} trigger evals pass ({positive} that should choose it, "
            "{negative} that should not); {collisions}.",
            "「{title}」的检查：{findings}；触发用例 {total} 个通过 {passed} 个"
            "（应选中 {positive} 个，不应选中 {negative} 个）；{collisions}。",
        ),
        "no_findings": ("no lint findings", "格式检查没有问题"),
        "findings": ("{errors} errors and {others} remarks", "{errors} 个错误、{others} 条提示"),
        "no_collisions": ("no collisions with other skills", "与其他技能没有冲突"),
        "collisions": ("collides with {names}", "与 {names} 有冲突"),
        "taken": (
            "There is a skill with this id already. Give it another name.",
            "已经有同名技能。请换一个名称。",
        ),
        "unknown_tools": ("Unknown tools, which will never run: {names}.", "不认识的工具，不会运行：{names}。"),
        "evals_table": ("Trigger evals", "触发用例"),
        "collisions_table": ("Collisions", "冲突"),
        "findings_table": ("Findings", "检查结果"),
        "yes": ("yes", "是"),
        "no": ("no", "否"),
        "passed": ("pass", "通过"),
        "failed": ("fail", "未通过"),
        "nothing": ("none", "无"),
        "installed": (
            "Installed {title} in {folder}. You can use it from your next message on: say “{example}”, or /{id}. "
            "Others see it once an administrator approves it for all: metier skills approve {id}",
            "已安装「{title}」到 {folder}。你从下一条消息起可用：说「{example}」，或用 /{id}。"
            "管理员批准后其他人也能用：metier skills approve {id}",
        ),
        "waits": (
            "Placed {title} in {folder}. It is used once an administrator approves it: metier skills approve {id}",
            "已把「{title}」放到 {folder}。管理员批准后才会启用：metier skills approve {id}",
        ),
        "next_installed": ("To take it back, say “remove the new skill”.", "要撤掉，请说「删除新建的技能」。"),
        "removed": ("Removed {title}; the skills are as before.", "已删除「{title}」，技能恢复原样。"),
        "severity_error": ("error", "错误"),
        "severity_warning": ("warning", "警告"),
        "severity_info": ("remark", "提示"),
    }
)
