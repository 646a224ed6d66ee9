"""What goes wrong with a new skill, as sentences in the user's language."""

from typing import Final

from metier.language import Sentences
from metier.tools import ExpectedProblem

_BY_OPERATOR: Final = "an administrator removes any skill: `metier skills remove ID`"
_BY_OPERATOR_ZH: Final = "管理员可以删除任何技能：`metier skills remove ID`"
_PROBLEMS: Final = Sentences(
    {
        "title_unusable": ("{title} cannot be the name of a skill: {why}", "「{title}」不能作为技能名称：{why}"),
        "draft_not_found": ("There is no draft of a skill {name}.", "没有技能草稿「{name}」。"),
        "draft_refused": ("The draft cannot be read as a skill: {why}", "草稿不能读成技能：{why}"),
        "draft_invalid": ("The draft has errors, so it is not installed: {why}", "草稿有错误，不能安装：{why}"),
        "skill_exists": (
            "There is a skill {id} already; nothing was installed.",
            "已经有技能「{id}」；没有安装。",
        ),
        "not_installed_here": (
            "You have not installed {name} from a conversation, so it is not removed here.",
            "「{name}」不是你在对话里安装的，这里不能删除。",
        ),
        "changed_since": (
            "{name} was changed after it was installed; it stays.",
            "「{name}」安装之后被改过，保留不删。",
        ),
        "approved_for_all": (
            "{name} was approved for everybody; it stays.",
            "「{name}」已经批准给所有人使用，保留不删。",
        ),
        "nothing_installed": ("No skill was installed from a conversation.", "没有在对话里安装过技能。"),
        "no_folder": ("There is no skills folder to install into.", "没有可以安装技能的文件夹。"),
    }
)
_HINTS: Final = Sentences(
    {
        "title_unusable": ("use letters, digits and blanks", "请用文字、数字和空格"),
        "draft_not_found": ("draft the skill first", "请先起草技能"),
        "skill_exists": ("give it another name", "请换一个名称"),
        "changed_since": (_BY_OPERATOR, _BY_OPERATOR_ZH),
        "not_installed_here": (_BY_OPERATOR, _BY_OPERATOR_ZH),
        "approved_for_all": (_BY_OPERATOR, _BY_OPERATOR_ZH),
        "no_folder": ("set METIER_SKILLS_DIR", "请设置 METIER_SKILLS_DIR"),
    }
)


class SkillProblem(ExpectedProblem):
    """Expected problem with a new skill."""

    sentences = _PROBLEMS
    hints = _HINTS
