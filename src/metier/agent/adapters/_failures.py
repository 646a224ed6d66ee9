"""What a failure that ends a turn tells the user: a sentence and a hint in their language, the cause as detail."""

from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, choose

_OTHER: Final = "failed"
_UNFORESEEN: Final = "turn_failed"
_FAILURES: Final = Sentences(
    {
        "failed": ("The turn ended by an error.", "本轮因错误结束。"),
        "interrupted": ("The process that ran this turn ended.", "执行本轮的进程已结束。"),
        "turn_failed": ("The turn ended by an error inside Metier.", "本轮因内部错误结束。"),
        "turn_crashed": (
            "The process that ran this turn died each time; it is not run again.",
            "执行本轮的进程多次中途崩溃，不再继续执行本轮。",
        ),
        "model_failed": ("The model failed.", "调用模型失败。"),
        "model_unavailable": ("The model did not answer.", "模型没有响应。"),
        "model_key_refused": ("The model's service refused the key.", "模型服务不接受密钥。"),
        "model_not_found": ("This model is not configured.", "没有配置这个模型。"),
        "context_overflow": ("The prompt is longer than the model's window.", "内容超过了模型的上下文长度。"),
        "invalid_settings": ("A setting is not right.", "设置有误。"),
        "missing_extra": ("A package that is needed is not installed.", "缺少需要的软件包。"),
        "invalid_skill": ("The skill cannot be used as it is.", "这个技能目前无法使用。"),
        "skill_not_found": ("The skill is not loaded.", "这个技能没有加载。"),
        "tool_not_found": ("A tool that is needed is not there.", "缺少需要的工具。"),
        "too_many_steps": (
            "A rule of the skill takes too many steps on this data.",
            "技能中的规则在这些数据上计算量过大。",
        ),
        "store_busy": ("The database is busy.", "数据库正忙。"),
        "store_unavailable": ("The database does not answer.", "数据库无法访问。"),
        "storage_full": ("The disk is full.", "磁盘已满。"),
        "sandbox_missing": ("This machine has no sandbox for the script.", "这台机器没有运行脚本的沙箱。"),
    }
)
_HINTS: Final = Sentences(
    {
        "failed": ("The detail names the cause.", "原因见详细信息。"),
        "interrupted": ("It goes on by itself, or send the message again.", "它会自动继续；也可以重新发送消息。"),
        "turn_failed": (
            "See what the tools did before you send the message again.",
            "重新发送之前，请先查看工具做了什么。",
        ),
        "turn_crashed": (
            "Send it again without the file that it works on, or in smaller parts.",
            "请去掉或更换所处理的文件，或拆成小步，再重新发送。",
        ),
        "model_failed": ("Send the message again, or choose another model.", "请重新发送，或换一个模型。"),
        "model_unavailable": ("Try again later, or choose another model.", "请稍后再试，或换一个模型。"),
        "model_key_refused": ("Check the key in the settings.", "请检查设置中的密钥。"),
        "model_not_found": ("Choose another model.", "请换一个模型。"),
        "context_overflow": ("Shorten the message.", "请缩短消息，或换一个上下文更长的模型。"),
        "store_busy": ("Try again in a moment.", "请稍后再试。"),
        "store_unavailable": ("Try again in a moment.", "请稍后再试。"),
        "storage_full": ("Free some space, then try again.", "请先腾出空间，再重试。"),
    }
)


def localize_failure(told: JsonObject, language: Language) -> JsonObject:
    """Data of a failure in the user's language; `detail` keeps the words of the error, which are English.

    In English an error of ours speaks for itself; one that nobody foresaw does not.
    """
    code = str(told.get("code", ""))
    message = _FAILURES.render(code if code in _FAILURES else _OTHER, language)
    hint = _HINTS.render(code if code in _HINTS else _OTHER, language)
    words = [str(told[name]) for name in ("message", "hint") if told.get(name)]
    translated: JsonObject = {**told, "message": message, "hint": hint, "detail": "; ".join(words)}
    return translated if code == _UNFORESEEN else choose(language, en=told, zh=translated)
