"""Everyday words about a machine that is named: which skill they are work for."""

from pathlib import Path
from typing import Final

from metier.packs.phm._machine_words import names_numbered_machine
from metier.patterns import compile_later

_ASKS: Final = compile_later(
    r"看看|看一下|瞅|瞧|查|检|测|听|诊断|怎么样|怎样|咋|如何|不对劲|问题|毛病|异常|异响|响|声音|噪|坏|正常|健康|状态|情况|故障|损伤|好不好|好着|走势|趋势|变化"
    r"|多久|撑|寿命|抖|震|晃|振动|烈度|(?i:\b(?:check|look|inspect|wrong|how(?:'s|\s+is|\s+long|\s+bad)|condition|health\w*|ok(?:ay)?"
    r"|nois\w+|sounds?|fault\w*|diagnos\w+|trend\w*|life|last|wors\w+|shak\w+|vibrat\w+|rattl\w+|broken|damag\w+|fine|state)\b)"
)
_OTHER_WORK: Final = compile_later(
    r"写|拟|起草|合同|邮件|采购|报价|价格|翻译|幻灯|海报|文案|PPT|ppt"
    r"|(?i:\b(?:write|draft|e-?mail|letter|contract|slides?|translate|buy|price|quote|order|story|poem)\b)"
)
_TREND: Final = compile_later(
    r"走势|趋势|多久|撑|寿命|劣化|恶化|变化|(?i:\b(?:trend\w*|life|how\s+long|last|getting\s+worse|over\s+time)\b)"
)
_SEVERITY: Final = compile_later(r"烈度|抖|震|晃|振动|(?i:\b(?:severity|shak\w+|vibrat\w+|rattl\w+)\b)")
_GEAR: Final = compile_later(r"齿|(?i:\bgear)")
_BEARING: Final = compile_later(r"轴承|[内外]圈|滚动体|保持架|(?i:\bbearing|\brace\b)")
_WHICH_OF_ALL: Final = compile_later(
    r"(?:哪|[这那]几|所有|全部).{0,3}(?:台|个|些)?.{0,4}(?:设备|机器|机组|台).{0,12}|.{0,8}(?:[这那]几台|哪[台一几]).{0,12}"
    r"|(?i:.{0,24}\b(?:which|what)\s+(?:machines?(?!\s+learning)|one\s+of\s+(?:the|my)\s+machines)\b.{0,40})"
)
_URGENT: Final = compile_later(
    r"修|换|坏|急|危险|严重|最差|先|关注|毛病|问题|(?i:\b(?:fix|repair|first|worst|urgent|grease|attention|stop|trouble|maintain)\b)"
)


_RECORDS: Final = frozenset({".csv", ".txt", ".mat", ".npz", ".npy", ".h5", ".hdf5", ".parquet"})


def find_everyday_skill(message: str, workspace: Path) -> str:
    """The skill for a message that asks in everyday words how a machine does; empty if it names none or wants a text.

    A machine is named by its kind and number (pump 1, 2号风机); with an attached record, its bearing or gear is enough.
    Of a question about all machines the answer is the fleet.
    """
    if _OTHER_WORK.search(message):
        return ""
    if _WHICH_OF_ALL.fullmatch(message.strip()) and _URGENT.search(message):
        return "fleet_screening"
    if not names_numbered_machine(message):
        part = _find_part(message) if _ASKS.search(message) else ""
        return part if part and _has_record(workspace) else ""
    if part := _find_part(message):
        return part
    if not _ASKS.search(message):
        return ""
    if _TREND.search(message):
        return "trend_and_life"
    return "vibration_severity" if _SEVERITY.search(message) else "bearing_diagnosis"


def _find_part(message: str) -> str:
    if _BEARING.search(message):
        return "bearing_diagnosis"
    return "gear_diagnosis" if _GEAR.search(message) else ""


def _has_record(workspace: Path) -> bool:
    return workspace.is_dir() and any(one.suffix.lower() in _RECORDS for one in workspace.rglob("*"))
