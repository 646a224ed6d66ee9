"""Everyday words about a machine that is named: which skill they are work for."""

from pathlib import Path
from typing import Final

from metier.packs.phm._machine_words import drop_numbered_machines
from metier.packs.phm._velocity_words import has_velocity
from metier.patterns import compile_later

_ASKS: Final = compile_later(
    r"看看|看一?下|怎么了|还好|瞅|瞧|查|检|测|听|诊断|怎么样|怎样|咋|如何|不对劲|问题|毛病|异常|异响|响|声音|噪声?|坏|正常|健康|状态|情况|故障|损伤|好不好|好着|走势|趋势|变化|[恶劣]化"
    r"|多久|撑|寿命|抖|震|晃|振动|烈度|(?i:\b(?:check|look|inspect|wrong|how(?:'s|\s+is|\s+long|\s+bad)|condition|health\w*|ok(?:ay)?"
    r"|nois\w+|sounds?|fault\w*|diagnos\w+|trend\w*|life|last|wors\w+|shak\w+|vibrat\w+|rattl\w+|broken|damag\w+|fine|state)\b)"
)
# Texts, trade, plans and orders: work for others, even if a machine is named in it.
_OTHER_WORK: Final = compile_later(
    r"写|拟|起草|合同|邮件|采购|报价|价格|翻译|幻灯|海报|文案|PPT|ppt|纪要|文档|文件里|表里|表格|发票|总结|改成|改为|替换|删|提醒|日程|搜索|搜一|网上|统计"
    r"|次数|多少钱|贵|便宜|买|卖|销售|销量|库存|质保|保修|订单|型号|意思|图|导出|梦|停掉|停机|停下|关掉|关闭|关停|启动|开启|打开|调高|调低|服务器|电脑|手机|电影|游戏|健身|学习"
    r"|(?i:\b(?:write|draft|e-?mail|letter|contract|slides?|translate|buy|sell|sales|stock|price|cost|quote|order|story|poem|invoice|document"
    r"|minutes|table|sheet|replace|rename|delete|remove|remind\w*|schedule|search|web|online|count|how\s+many|how\s+much|club|gym|game|movie|film"
    r"|learning|servers?|dream\w*|turn\s+o(?:n|ff)|switch|start|shut|warranty|model)\b)"
)
_TREND: Final = compile_later(
    r"走势|趋势|多久|撑|寿命|劣化|恶化|变化|(?i:\b(?:trend\w*|life|how\s+long|last|getting\s+worse|over\s+time)\b)"
)
_SEVERITY: Final = compile_later(r"烈度|抖|震|晃|振动|(?i:\b(?:severity|shak\w+|vibrat\w+|rattl\w+)\b)")
_GEAR: Final = compile_later(r"齿轮箱?(?!油|厂)|断齿|齿面|轮齿|齿根|(?i:\bgear(?:s|box(?:es)?)?\b)")
_BEARING: Final = compile_later(
    r"轴承(?!厂)|[内外]圈|滚动体|保持架|(?i:\bbearings?\b|\b(?:inner|outer)\s+(?:race|ring)s?\b)"
)
_ALL_MACHINES: Final = compile_later(
    r"(?:哪(?:一?台|几台|个|些)?|[这那](?:几台|些)|所有|全部)的?(?:设备|机器(?!人|学习|猫)|机组)|(?:[这那]几台|哪一?台|哪几台)"
    r"|(?i:\b(?:which|what)\s+(?:machines?|one\s+of\s+(?:the|my|our)\s+machines)\b)"
)
_URGENT: Final = compile_later(
    r"修|换|坏|急|危险|严重|最?差|先|关注|毛病|问题|(?i:\b(?:fix|repair|first|worst|urgent|grease|attention|stop|trouble|maintain\w*)\b)"
)
# Words that may stand in any question about a machine and give it no other subject.
_FILLERS: Final = compile_later(
    r"昨天|今天|最近|现在|目前|一下|一个?月|几天|这[台个]|那[台个]|设备|机器|机组|厂里|车间里?|现场|我们|咱们|哪个|哪里|什么|怎么|有没有|是不是|还是|还能|需要|应该|厉害|请"
    r"|帮|给|我|的|了|吗|呢|吧|啊|着|得|是|有|没|不|该|要|会|能|还|最|很|太|好|啥|点|在|里|中|和|都|把|这|那|哪|转|号|台|运行|维护|保养|数据|记录|评[价定]|预测|剩余?|多少|大|小|按|类|再|也"
    r"|ISO|I{1,3}V?(?=类)|(?i:\b(?:the|run\s+an?|next|an?|my|our|this|that|these|is|are|was|it|its|do|does|did|i|we|you|me|can|could|should|will|would|what(?:'?s)?|how|which"
    r"|with|of|on|in|for|to|and|or|any|too|much|very|so|please|need(?:s|ed)?|get(?:ting|s)?|has|have|be|there|now|today|going|doing|running"
    r"|machines?|one|most|more|out|at|up|over|long|bad|good|time|weird|strange|lot|bit|keeps?|rpm|hz|record|data|s|all|right|rate|predict|remaining|severity|also|by|iso|class|i{1,3}|iv)\b)"
)
# Nothing but the speed of the shaft: the machine in question is diagnosed with it.
_GIVES_SPEED: Final = compile_later(
    r"(?i)(?:不对?[，,]\s*|no,\s*|that's wrong,\s*|actually,?\s*)?(?:转速|转频|轴频|the\s+(?:shaft\s+)?speed|rpm)"
    r"\s*(?:应该)?(?:是|为|改成|换成|改为|按|is|should\s+be|to|[:：=])?\s*\d{1,6}(?:\.\d{1,3})?\s*(?:rpm|r/min|转(?:/分钟?|每分钟?)?|hz|赫兹?)?[。.!！]?"
)
_LETTERS: Final = compile_later(r"[A-Za-z]+|[\u4e00-\u9fff]")
_MAX_OTHER: Final = 1  # Chinese characters, such as the 水 of 水泵; no subject is as short

_RECORDS: Final = frozenset({".csv", ".txt", ".mat", ".npz", ".npy", ".h5", ".hdf5", ".parquet"})


def gives_only_speed(message: str) -> bool:
    """Whether a message gives the speed of the shaft and says nothing else."""
    return _GIVES_SPEED.fullmatch(message.strip()) is not None


def find_everyday_skill(message: str, workspace: Path) -> str:
    """The skill for a message that asks in everyday words how a machine does; empty if it is about anything else.

    A machine is named by its kind and number (pump 1, 2号风机); with an attached record, its bearing or gear is enough.
    Of a question about all machines the answer is the fleet.
    """
    rest = drop_numbered_machines(message)
    if rest == message and has_velocity(message) and not _OTHER_WORK.search(rest):
        return "vibration_value"
    if _OTHER_WORK.search(rest):
        return ""
    other, asks = _count_other(rest), _ASKS.search(rest) is not None
    if rest == message:
        if _ALL_MACHINES.search(rest):
            return "fleet_screening" if _URGENT.search(rest) and not other else ""
        return _find_part(rest) if asks and not other and _has_record(workspace) else ""
    if other > _MAX_OTHER or (other and not asks):
        return ""
    if part := _find_part(rest):
        return part
    if not asks:
        return ""
    if _TREND.search(rest):
        return "trend_and_life"
    return "vibration_severity" if _SEVERITY.search(rest) else "bearing_diagnosis"


def _count_other(rest: str) -> int:
    """How much of a message is neither a question about a machine nor a filler."""
    for known in (_ALL_MACHINES, _BEARING, _GEAR, _TREND, _SEVERITY, _ASKS, _URGENT, _FILLERS):
        rest = known.sub(" ", rest)
    return sum(map(len, _LETTERS.findall(rest)))


def _find_part(message: str) -> str:
    if _BEARING.search(message):
        return "bearing_diagnosis"
    return "gear_diagnosis" if _GEAR.search(message) else ""


def _has_record(workspace: Path) -> bool:
    return workspace.is_dir() and any(one.suffix.lower() in _RECORDS for one in workspace.rglob("*"))
