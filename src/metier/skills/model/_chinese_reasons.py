"""Reasons and figures of findings in Chinese, read from their English words.

A finding is written once, in English with its values; what a reader of Chinese needs beside the meaning of its code is
the reason and the measure. A test holds every finding of the hostile skills and of the linter against this table.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.patterns import compile_later

_REASONS: Final[Sequence[tuple[str, str]]] = (
    (r"(\d+) bytes; the most is (\d+)", "{0} 字节，上限 {1}"),
    (r"(\d+) characters; the (?:standard's )?most is (\d+)", "{0} 个字符，上限 {1}"),
    (r"(\d+) (?:items|tools); the most is (\d+)", "{0} 项，上限 {1}"),
    (r"(\d+) tokens[^;]*; advised: (\d+)", "{0} 个 token，建议不超过 {1}"),
    (r"(\d+) tokens[^;]*; the most is (\d+)", "{0} 个 token，上限 {1}"),
    (r"(\d+) lines", "{0} 行"),
    (r"more than (\d+) files", "超过 {0} 个文件"),
    (r"limited to (\d+) bytes", "上限 {0} 字节"),
    (r"longer than (\d+) bytes", "超过 {0} 字节"),
    (r"deeper than (\d+) levels|more than (\d+) levels down", "上限 {0} 层"),
    (r"the first (\d+) folders", "只读取了前 {0} 个文件夹"),
    (r"unpacks (\d+) bytes to (\d+)", "{0} 字节解压为 {1} 字节"),
    (r"at depth (\d+)", "第 {0} 层"),
    (r"has (\d+) names on this disk", "共有 {0} 个名字"),
    (r"from (\d+) to (\d+)", "允许 {0} 到 {1}"),
    (r"less than the minimum of (\d+)", "小于最小值 {0}"),
    (r"greater than the maximum of (\d+)", "大于最大值 {0}"),
    (r"not UTF-8 \((?:byte )?([^)]+)\)", "{0}"),
    (r"(U\+[0-9A-F]{4,6})", "{0}"),
    (r"it is empty", "为空"),
    (r"it starts with a dot", "以点开头"),
    (r"it holds an invisible character", "含有不可见字符"),
    (r"it has upper-case letters", "含有大写字母"),
    (r"it starts or ends with a hyphen", "以连字符开头或结尾"),
    (r"two hyphens in a row", "有两个连续的连字符"),
    (r"it ends with a dot or a space", "以点或空格结尾"),
    (r"it is reserved by some systems", "是某些系统的保留名"),
    (r"it is not valid UTF-8", "不是有效的 UTF-8"),
    (r"only letters, digits and hyphens", "只能用字母、数字和连字符"),
    (r"hides an order in a comment", "指令藏在注释中"),
    (r"hides text from the eye", "文字被设为不可见"),
    (r"asks to run an encoded block", "要求运行编码后的内容"),
    (r"pipes a download into a shell", "把下载的内容直接交给命令行运行"),
    (r"tells the model to drop its instructions", "要求模型放弃原有指令"),
    (r"takes its instructions from an address", "从网址获取指令"),
    (r"is a script$", "实际是脚本"),
    (r"backreferences are not supported", "不支持反向引用"),
    (r"look-around", "不支持环视"),
    (r"not of type", "类型不符"),
    (r"is a required property", "缺少必填项"),
    (r"neither never nor always", "既不是 never 也不是 always"),
    (r"neither a name nor an object", "既不是名称也不是对象"),
    (r"must be true or false", "只能是 true 或 false"),
    (r"must be a whole number", "只能是整数"),
    (r"must be (?:a )?text", "只能是文本"),
    (r"must be a list", "只能是列表"),
    (r"cannot start any token", "有不能用在开头的字符"),
    (r"did not find expected", "缺少键、逗号或括号"),
    (r"a character that YAML does not allow", "有 YAML 不允许的字符"),
    (r"mapping values are not allowed", "冒号的位置不对"),
    (r"NaN is not JSON", "NaN 不是 JSON"),
    (r"too large a number", "数字过大"),
)
_COMPILED: Final = tuple((compile_later(pattern), text) for pattern, text in _REASONS)


def explain_in_chinese(message: str) -> Iterator[str]:
    """Reasons and figures that the words of a finding name."""
    plain = re.sub(r"(?<!\w)'[^'\n]{1,240}'(?!\w)", "''", message)  # values are no words of ours
    for pattern, text in _COMPILED:
        if found := pattern.search(plain):
            yield text.format(*(one for one in found.groups() if one is not None))
