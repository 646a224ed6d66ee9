"""Requests that reach an analysis by the name of its document and ask for something else."""

import re
from typing import Final

# Tasks that only look and comment: a request to change, send or translate is not theirs.
_LOOKING: Final = frozenset(
    {"bidding-helper", "contract-review", "doc-analyzer", "et-analyzer", "finance-audit", "ppt-review", "risk-register"}
)
_OTHER: Final = re.compile(
    r"翻译|译成|译为|发给|发送|发邮件|打印|统一[成为]|删(?:掉|除|了|去)|[换改][成为]|替换|加一?(?:段|句|页|行|列)|插入?一|合并到|另存"
    r"|\b(?:translat\w+|e-?mail|send|print|delete|remove|replace|rename|insert|change)\b",
    re.IGNORECASE,
)
_LOOKS: Final = re.compile(
    r"审|核查|检查|查一?[查下]|风险|问题|毛病|漏洞|坑|批注|意见|合规|把关|分析|统计|矩阵|清单"
    r"|\b(?:review\w*|redline\w*|risks?|check\w*|comments?|audit\w*|analy\w+|problems?|issues?)\b",
    re.IGNORECASE,
)
# Tasks that write an outline or a contents slide: what takes one out is not theirs.
_ADDING: Final = frozenset({"ppt-outline", "wpp-outline"})
_TAKES_OUT: Final = re.compile(
    r"删(?:掉|除|了|去)?|去(?:掉|除)|拿掉|移除|不要(?!超|多|少)|\b(?:delete|remove|drop|take out|get rid of)\b",
    re.IGNORECASE,
)


def adds(task: str) -> bool:
    """Whether a task writes something new into a document."""
    return task in _ADDING


def asks_other_work(task: str, message: str) -> bool:
    """Whether a message asks a task that only looks to change the document, or one that adds to take something out."""
    if task in _ADDING:
        return _TAKES_OUT.search(message) is not None
    return task in _LOOKING and _OTHER.search(message) is not None and _LOOKS.search(message) is None
