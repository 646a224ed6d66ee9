"""Words of the command line in the reader's language: that of METIER_LANGUAGE, else of the system."""

import locale
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from metier.cli.terminal._table_words import HEADS, VALUES
from metier.errors import MetierError
from metier.language import Language, Sentences, choose, language_of, split_sentences

_LOCALE_NAMES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
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
        "remove_skill": ("remove {skill} ({path})?", "删除 {skill}（{path}）吗？"),
        "skill_removed": ("removed {skill}", "已删除 {skill}"),
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
        "answer_yes": ("yes", "同意"),
        "answer_text": ("your answer", "你的回答"),
        "answer_decision": (
            "  no refuses; JSON chooses rows or changes values (--json shows the schema)",
            "  不同意则不执行；只批准部分行或改参数用 JSON（--json 显示格式）",
        ),
        "answer_choice": ("  or another choice, or its number", "  也可以是别的选项或它的序号"),
        "answer_form": ("  JSON with these fields (--json shows the schema)", "  JSON，含以上字段（--json 显示格式）"),
        "answer_form_known": (
            "  JSON with what was read so far; further fields: {others} (--json shows the schema)",
            "  JSON，已带上读到的内容；还可以填：{others}（--json 显示格式）",
        ),
        "conversation": ("conversation {id}", "对话 {id}"),
        "backup": ("→ {file} (backup: {backup})", "→ {file}（备份：{backup}）"),
        "judged_report": ("enough for the report: {reason}", "证据充分，生成报告：{reason}"),
        "judged_patch": ("add to it: {reason}", "补充分析：{reason}"),
        "judged_replan": ("plan again: {reason}", "重新规划：{reason}"),
        "judged_halt": ("stop and report: {reason}", "停止并报告：{reason}"),
        "thought": ("  … thought for {seconds} s", "  … 思考了 {seconds} 秒"),
        "ask_rows": (
            "[y]es / [n]o / rows to approve (1-{count}, as 1,3-5): ",
            "[y] 同意 / [n] 不同意 / 只批准部分行（1-{count}，如 1,3-5）：",
        ),
        "ask_call": ("[y]es / [n]o / or new arguments as JSON: ", "[y] 同意 / [n] 不同意 / 或用 JSON 写出新的参数："),
        "no_facts": ("no facts yet", "还没有已确定的信息"),
        "skills_judged": (
            "{right} of {count} known skills are judged as they should be",
            "{count} 个已知技能中 {right} 个的判断符合预期",
        ),
        "skill_misjudged": ("✗ {name}: found {found}", "✗ {name}：发现 {found}"),
        "file_checked": (
            "{file}: {errors} errors, {findings} findings",
            "{file}：{errors} 个错误，{findings} 条检查结果",
        ),
        "goes_on": ("metier chat {options}-c {talk} goes on from here", "从这里继续：metier chat {options}-c {talk}"),
        "chat_head": (
            "[bold]Metier[/] · {count} skills · model {model} · /bye ends",
            "[bold]Metier[/] · {count} 个技能 · 模型 {model} · /bye 结束",
        ),
        "older_events": ("older ones: --cursor {cursor}", "更早的：--cursor {cursor}"),
        "events_dropped": (
            "{rows} events dropped; {before} bytes before, {after} now",
            "已删除 {rows} 条事件；之前 {before} 字节，现在 {after} 字节",
        ),
        "key_made": (
            "key {key} of {user} ({roles}); it is shown only now:",
            "{user} 的密钥 {key}（{roles}）；只显示这一次：",
        ),
        "key_use": (
            "send it as 'Authorization: Bearer …'; `metier keys revoke` closes it",
            "以 'Authorization: Bearer …' 发送；用 `metier keys revoke` 作废",
        ),
        "key_revoked": ("revoked key {key} of {user}", "已作废 {user} 的密钥 {key}"),
        "value_changed": ("{path} was changed", "已修改 {path}"),
        "profile_deleted": ("the profile of {user} was deleted", "已删除 {user} 的资料"),
        "user_removed": ("removed {name}; {keys} keys revoked", "已移除 {name}；作废 {keys} 个密钥"),
        "user_deleted": (
            "deleted {name}: {talks} conversations; {keys} keys revoked",
            "已删除 {name}：{talks} 个对话；作废 {keys} 个密钥",
        ),
        "lines_checked": ("{count} lines checked, {problems} problems", "检查了 {count} 行，{problems} 处问题"),
        "plan_tools": ("tools: {tools}", "工具：{tools}"),
        "plan_tools_open": ("tools: as the gate says", "工具：由闸门决定"),
        "plan_progress": ("{goal}: {done} of {count} steps done{others}", "{goal}：{count} 步中完成 {done} 步{others}"),
        "pack_scored": (
            "{pack} on {model}: {passed} of {count} cases, {checks} of checks",
            "{pack}（模型 {model}）：{count} 个用例中 {passed} 个通过，检查项通过 {checks}",
        ),
        "below_f1": ("below the F1 of {f1} that was asked for", "低于要求的 F1 {f1}"),
        "no_messages": ("the model wrote no messages: {why}", "模型没有写出消息：{why}"),
        "brought_twice": ("{name} is brought by {owners}", "{name} 同时来自 {owners}"),
        "type_names_nobody": (
            "task type {name} names '{tool}', which nobody has",
            "任务类型 {name} 提到的工具 '{tool}' 不存在",
        ),
        "chosen_rows": (
            "chosen in words, and what a plain yes approves: rows {rows}",
            "已经用文字选出、回答「同意」只批准的行：{rows}",
        ),
        "in_doubt": (
            "words beside it were not understood; check the rows before you approve",
            "旁边说过没有听懂的话，批准前请核对要执行的行",
        ),
        "approval_changed": (
            "it was changed elsewhere after it was shown here; nothing was run. This is it now:",
            "它在别处改过，与刚才显示的不同，什么都没有执行。现在是这样：",
        ),
        "turn.done": ("the turn went on to its end", "这一轮已经继续到结束"),
        "turn.failed": ("the turn went on and failed; its conversation says why", "这一轮继续后失败，原因见它的对话"),
        "pause.opened": (
            "the turn went on and asks again: `metier approvals list`",
            "这一轮继续后又有提问：`metier approvals list`",
        ),
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
        "telemetry_counts": (
            "{events} events, {sessions} sessions, {turns} turns, {lost} lost",
            "{events} 个事件，{sessions} 个会话，{turns} 轮，丢失 {lost} 个",
        ),
        "telemetry_span": ("from {first} to {last}", "从 {first} 到 {last}"),
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
        "file_finding": ("{file}: {place}: {message} [{code}]", "{file}：{place} 有问题 [{code}]。原文：{message}"),
        "file_hint": ("    {hint}", "    原文：{hint}"),
        "delete_for_good": (
            "Delete {what} for good? --export FILE keeps a copy.",
            "永久删除 {what} 吗？--export FILE 可以保留一份。",
        ),
        "approve_this": ("Approve this version?", "批准这个版本吗？"),
        "aborted": ("Aborted!", "已中止。"),
        "usage_try": ("Try '{command}' for help.", "用 '{command}' 查看帮助。"),
        "usage_missing": ("Missing {a}.", "错误：缺少 {a}。"),
        "usage_option": ("No such option: {a}", "错误：没有选项 {a}。"),
        "usage_near": ("{a} Did you mean {b}?", "错误：没有{a}；是不是 {b}？"),
        "usage_command": ("No such command {a}.", "错误：没有命令 {a}。"),
        "usage_no_command": ("Missing command.", "错误：缺少命令。"),
        "usage_extra": ("Got unexpected extra arguments ({a})", "错误：多余的参数（{a}）。"),
        "usage_no_value": ("Option {a} does not take a value.", "错误：选项 {a} 不带值。"),
        "usage_value": ("Option {a} requires a value.", "错误：选项 {a} 需要一个值。"),
        "usage_invalid": ("Invalid value for {a}: {b}", "错误：{a} 的值无效。原文：{b}"),
        "usage_other": ("{b}", "错误：命令行有误。原文：{b}"),
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
    return tuple(map(translate_head, heads))


def translate_head(head: str) -> str:
    """A head of a table or the name of a check in the reader's language."""
    return choose(find_language(), en=head, zh=HEADS.get(head, head))


def translate_value(value: str) -> str:
    """A fixed value in a list (a state, an answer, a role) in the reader's language; other text stays as it is."""
    return choose(find_language(), en=value, zh=VALUES.get(value, value))


def keep_sentences(text: str, language: Language) -> str:
    """The sentences of a text in this language; a text that has none in it stays whole."""
    kept = [one for one in split_sentences(text) if language_of(one) == language]
    return "".join(kept).strip() or text


def find_language() -> Language:
    """Language of the settings; with `auto` that of the system."""
    from metier.settings import read_variable

    return _find_language(str(Path.cwd()), *map(read_variable, ("METIER_LANGUAGE", *_LOCALE_NAMES)))


@lru_cache(maxsize=8)
def _find_language(folder: str, *variables: str) -> Language:
    """Language of commands in this folder with these variables; a command prints many lines."""
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
