"""What the check of a model says, by code, in English and Chinese; the page uses the same texts."""

from collections.abc import Mapping

CHECK_SENTENCES: Mapping[str, tuple[str, str]] = {
    "builtin": ("the built-in model needs no service", "内置模型不需要任何服务"),
    "loaded": ("{model} at {address}", "{model}，地址 {address}"),
    "loaded_own_address": ("{model} at its own address", "{model}，使用服务自己的地址"),
    "timing": (
        "first token after {first_ms} ms, all after {total_ms} ms",
        "首个 token {first_ms} 毫秒，全部 {total_ms} 毫秒",
    ),
    "empty": ("the reply is empty", "回答为空"),
    "pieces": ("{count} pieces", "分 {count} 段到达"),
    "tokens": ("{read} tokens read, {written} written", "读入 {read} 个 token，写出 {written} 个"),
    "no_usage": ("not reported", "服务没有报告"),
    "replied": ("“{text}”", "“{text}”"),
    "replied_nothing": ("an empty reply", "空回答"),
    "called": ("{call}", "{call}"),
    "no_call": ("no call, but “{text}”", "没有调用，只回答了“{text}”"),
    "no_call_no_text": ("no call, but an empty reply", "没有调用，回答也为空"),
    "schema_held": ("replies are held to it ({way})", "服务能保证输出符合结构（{way}）"),
    "schema_not_held": ("replies are not held to it", "服务不保证输出符合结构"),
    "window_set": ("{tokens} tokens, from the settings", "{tokens} 个 token，来自设置"),
    "window_asked": ("{tokens} tokens, as the service says", "{tokens} 个 token，由服务告知"),
    "window_unknown": ("the service does not say", "服务没有告知"),
    "reachable": ("{address} answers", "{address} 有响应"),
    "unreachable": ("{address} does not answer ({why})", "{address} 没有响应（{why}）"),
    "key_refused": ("{address} refuses the key ({status})", "{address} 不接受密钥（{status}）"),
    "hint_empty": (
        "try another model, or raise METIER_MODEL_MAX_OUTPUT",
        "换一个模型，或调大 METIER_MODEL_MAX_OUTPUT",
    ),
    "hint_streaming": (
        "answers appear at once, at the end; see the streaming option of the service",
        "回答会在结束时一次显示；请查看服务的流式输出选项",
    ),
    "hint_usage": (
        "tokens are counted here instead, and may differ from the bill",
        "改由这里估算 token 数，可能与账单不同",
    ),
    "hint_english": ("a stronger model follows instructions better", "更强的模型更能听从指令"),
    "hint_chinese": (
        "answers to Chinese messages may be in another language; try a model that speaks Chinese",
        "对中文消息的回答可能是其他语言；请换一个会中文的模型",
    ),
    "hint_tools": (
        "set METIER_MODEL_TOOLS=text, or use a model that calls tools",
        "设置 METIER_MODEL_TOOLS=text，或换一个会调用工具的模型",
    ),
    "hint_schema": ("tools are called natively or as text", "工具改用服务自带的方式或文本方式调用"),
    "hint_window": ("set METIER_MODEL_WINDOW", "请设置 METIER_MODEL_WINDOW"),
    "hint_window_named": ("set window in [models.{name}]", "请在 [models.{name}] 中设置 window"),
    "hint_start": ("start the service, or change METIER_BASE_URL", "请启动服务，或修改 METIER_BASE_URL"),
    "hint_key": ("check the key", "请检查密钥"),
}
