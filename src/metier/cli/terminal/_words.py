"""Words of the command line in the reader's language: that of METIER_LANGUAGE, else of the system."""

import locale
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.errors import MetierError
from metier.language import Language, Sentences, choose

_LOCALE_NAMES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
_HEADS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "against the raw library": "与原始库相比",
        "at": "时间",
        "check": "检查",
        "code": "代码",
        "conversation": "对话",
        "event": "事件",
        "field": "字段",
        "figure": "指标",
        "id": "标识",
        "inputs": "输入",
        "label": "标签",
        "layer": "规则层",
        "layout": "布局",
        "made": "创建时间",
        "meaning": "含义",
        "measured": "实测",
        "node": "节点",
        "note": "备注",
        "operator": "算子",
        "pack": "领域包",
        "payload": "内容",
        "priority": "优先级",
        "reason": "原因",
        "requires": "依赖",
        "result": "结果",
        "revoked": "已撤销",
        "roles": "角色",
        "session": "会话",
        "setting": "设置",
        "skill": "技能",
        "skills": "技能",
        "state": "状态",
        "step": "步骤",
        "suite": "套件",
        "target": "目标",
        "title": "标题",
        "tool": "工具",
        "tools": "工具",
        "triggers": "触发词",
        "try": "试一试",
        "used": "最近使用",
        "user": "用户",
        "value": "值",
        "verdict": "评价",
        "version": "版本",
        "what for": "用途",
    }
)
_WORDS: Final = Sentences(
    {
        "error": ("error [{code}]: {message}", "错误 [{code}]：{message}"),
        "hint": ("  hint: {hint}", "  提示：{hint}"),
        "detail": ("  {message}", "  原文：{message}"),
        "noted": ("noted", "提示"),
        "repaired": ("repaired", "已修复"),
        "refused": ("refused", "已拒绝"),
        "no_skills": (
            "no skills here; `metier skills new my-skill` makes one",
            "这里没有技能；用 `metier skills new my-skill` 新建一个",
        ),
        "skill_made": (
            "made {path}; edit it, then `metier lint {folder}`",
            "已创建 {path}；编辑后运行 `metier lint {folder}`",
        ),
        "skill_added": ("{skill}: {target} (not approved)", "{skill}：{target}（未批准）"),
        "skill_added_approved": ("{skill}: {target} (approved)", "{skill}：{target}（已批准）"),
        "skill_not_added": ("{skill}: not added (refused)", "{skill}：没有添加（已拒绝）"),
        "approve_skill": ("approve {skill}?", "批准 {skill} 吗？"),
        "approve_untrusted": (
            "approve {skill} (untrusted: see its findings)?",
            "批准 {skill} 吗（不受信任，见上面的检查结果）？",
        ),
        "approve_version": ("approve version {digest} of {skill}?", "批准 {skill} 的版本 {digest} 吗？"),
        "approved": ("approved {skill} ({digest})", "已批准 {skill}（{digest}）"),
        "longer": ("… (longer)", "…（还有更多）"),
        "pinned": ("pinned {count} skills in {lock}", "已把 {count} 个技能写入 {lock}"),
        "trust_off": (
            "changed skills are used at once until METIER_SKILL_TRUST is 'require'",
            "METIER_SKILL_TRUST 设为 'require' 之前，改动过的技能会立即生效",
        ),
        "verified": ("unchanged since approval: {count} skills", "{count} 个技能与批准时一致"),
        "changed": ("changed: {skill}", "已改动：{skill}"),
        "new": ("new: {skill}", "新增：{skill}"),
        "missing": ("missing: {skill}", "缺失：{skill}"),
        "fixed": ("fixed {path}: {what} [{code}]", "已修复 {path}：{what} [{code}]"),
        "journeys_held": (
            "{held} of {count} journeys hold on {model}",
            "{count} 段对话中 {held} 段通过（模型 {model}）",
        ),
        "pack_problem": ("! pack {pack}: {message}", "! 领域包 {pack}：{message}"),
        "serving": ("Metier is at {address}  (Ctrl+C stops it)", "Metier 已启动：{address}（按 Ctrl+C 停止）"),
        "answer_with": ("? answer with: {command}", "? 这样回答：{command}"),
        "answer_fits": ("  the JSON must fit {schema}", "  JSON 须符合 {schema}"),
        "conversation": ("conversation {id}", "对话 {id}"),
        "backup": ("→ {file} (backup: {backup})", "→ {file}（备份：{backup}）"),
        "thought": ("  … thought for {seconds} s", "  … 思考了 {seconds} 秒"),
        "ask_rows": (
            "[y]es / [n]o / rows to approve (1-{count}, as 1,3-5): ",
            "[y] 同意 / [n] 不同意 / 只批准部分行（1-{count}，如 1,3-5）：",
        ),
        "ask_call": ("[y]es / [n]o / or new arguments as JSON: ", "[y] 同意 / [n] 不同意 / 或用 JSON 写出新的参数："),
        "no_facts": ("no facts yet", "还没有已确定的信息"),
        "nothing_waits": ("nothing waits for approval", "没有等待批准的操作"),
        "no_tool_waits": ("no tool waits for approval", "没有等待批准的工具"),
        "no_conversations": ("{user} has no conversations", "{user} 没有对话"),
        "deleted": ("deleted {name}", "已删除 {name}"),
        "no_violations": ("no call was refused", "没有被拒绝的调用"),
        "no_exceptions": ("no exception was asked for", "没有例外申请"),
        "no_report": (
            "no exception was asked for and no call was refused",
            "没有例外申请，也没有被拒绝的调用",
        ),
        "no_ratings": ("no answer was rated", "还没有评价"),
        "no_events": ("no event fits", "没有符合条件的事件"),
        "no_keys": ("no key was made: `metier users add NAME`", "还没有密钥：用 `metier users add NAME` 添加用户"),
        "no_users": ("no user was added: `metier users add NAME`", "还没有用户：用 `metier users add NAME` 添加"),
        "nothing_known": ("nothing is known of {user}", "没有 {user} 的资料"),
        "no_plan": (
            "no plan: the message needs no tool, or no skill and no tool fits",
            "没有计划：这条消息不需要工具，或没有合适的技能和工具",
        ),
        "copied": ("copied to {target}", "已复制到 {target}"),
        "checks_failed": ("{failed} of {count} checks failed", "{count} 项检查中 {failed} 项未通过"),
        "model_unusable": ("model {name!r} cannot be used", "模型 {name} 无法使用"),
    }
)


def say(code: str, /, **values: object) -> str:
    """A sentence of the command line in the reader's language."""
    return _WORDS.render(code, find_language(), **values)


def say_in(language: Language, code: str, /, **values: object) -> str:
    """A sentence of the command line in the language of a conversation."""
    return _WORDS.render(code, language, **values)


def translate_heads(heads: Sequence[str]) -> tuple[str, ...]:
    """Heads of a table in the reader's language; names that are no words stay as they are."""
    language = find_language()
    return tuple(choose(language, en=head, zh=_HEADS.get(head, head)) for head in heads)


def find_language() -> Language:
    """Language of the settings; with `auto` that of the system."""
    from metier.settings import load_settings

    try:
        setting = load_settings().language
    except MetierError:  # it is said by the command itself
        setting = "auto"
    if setting != "auto":
        return setting
    return "zh" if find_system_locale().startswith("zh") else "en"


def find_system_locale() -> str:
    """Name of the system's language, also where it is not installed as a locale."""
    from metier.settings import read_variable

    named = next((value for name in _LOCALE_NAMES if (value := read_variable(name))), "")
    return named or locale.getlocale()[0] or ""
