"""Words of orders about parameters, and those beside them that limit nothing; whatever else is said is asked about."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.telecom.twin import Parameter, Problem
from metier.patterns import CHINESE_NUMERALS, ENGLISH_NUMBER, UNDO_VERBS_ZH, undo_verbs_en

_FEW_WORDS: Final = r"(?:\w+\s+){0,3}"
UNDOES: Final = rf"{UNDO_VERBS_ZH}|恢复|取消|\b(?:{undo_verbs_en(_FEW_WORDS)})\b"
APPLIES: Final = (
    r"下发|写入|应用|生效|启用|执行"
    r"|\b(?:apply|applied|applying|deploy|put|push|write|activate|deliver|send|roll\s+out)\b"
)
# What is only thought of: 不行再恢复, "I can always roll back later".
LATER: Final = (
    r"不行|不好|万一|如果|要是|大不了|到时|以后|回头|实在|出问题"
    r"|\b(?:later|always|if|otherwise|in\s+case|worst\s+case)\b"
)
# What was taken back, as a thing: 把刚才撤销的重新下发, "apply what was undone".
UNDONE_THING: Final = (
    rf"(?<![以能可])(?:{UNDO_VERBS_ZH}|取消)[掉了过]*的(?![吧呢嘛])"
    r"|\b(?:what|that|which|those|ones?|parameters|changes)\s+(?:(?:i|we|you|was|were|just|have|had|been)\s+)*"
    r"(?:undone|undid|reverted|rolled\s+back|took\s+back|taken\s+back|restored)\b"
)
# Orders to apply, without nouns (the push) and participles (what was applied).
ORDERS_APPLY: Final = (
    r"(?:下发|写入|应用|生效|启用|执行)(?![了过]*的)"
    r"|(?<!\bthe )(?<!\bthat )(?<!\blast )(?<!\bmy )\b(?:re-?)?(?:apply|deploy|push|activate|roll\s+out)\b"
)
# What is done then, so that it limits no order beside it.
FALLBACK: Final = (
    rf"{UNDOES}|再(?:说|看|调|改|弄|来|议|试|商量|讨论|处理|决定)|\b(?:see|look|talk|decide|adjust|tune)\b"
)
PARAMETER_WORDS: Final[Mapping[Parameter, str]] = MappingProxyType(
    {
        "tilt": r"(?:电子|机械)?下?倾角|\b(?:electrical\s+)?(?:down)?tilts?\b",
        "azimuth": r"(?:天线)?方位角?|\bazimuths?\b",
        "power": r"(?:发射)?(?<!成)功率|\b(?:transmit\s+|tx\s+)?powers?\b",
        "offset": r"(?:小区|切换)?偏置|\b(?:cell\s+)?offsets?\b",
        "neighbour": r"(?:增配|新增|补配)?邻区(?:关系)?|\b(?:new\s+)?neighbou?rs?(?:\s+relations?)?\b",
    }
)
# What the worst cells of a scenario are worst at, in Chinese with the superlative, in English without it.
WORST_AT: Final[Mapping[Problem, tuple[str, str]]] = MappingProxyType(
    {
        "weak_coverage": (
            r"(?:覆盖|信号|电平|RSRP)(?:均值)?最[差弱低]",
            r"(?:weakest|worst|lowest)\s+(?:coverage|signals?|rsrp)",
        ),
        "overshoot": (
            r"(?:覆盖|信号|电平|RSRP)(?:均值)?最[差弱低]",
            r"(?:weakest|worst|lowest)\s+(?:coverage|signals?|rsrp)",
        ),
        "interference": (
            r"干扰最[大高强重]|SINR(?:均值)?最[差低]",
            r"(?:worst|highest|most)\s+interference|(?:worst|lowest)\s+sinr",
        ),
        "load": (
            r"(?:负荷|负载|(?:下行)?PRB(?:利用率)?)最[高重大]",
            r"(?:highest|worst|most)\s+(?:load|prb(?:\s+usage)?)",
        ),
    }
)
NUMBER_ZH: Final = rf"\d{{1,3}}|[{CHINESE_NUMERALS}]{{1,4}}"
NUMBER_EN: Final = rf"\d{{1,3}}\b|{ENGLISH_NUMBER}"
# A number of anything but cells: 最差的三成, 最差的3个基站, "the worst 10 %".
_OTHER_UNIT_ZH: Final = (
    rf"(?!\s*(?:[\d{CHINESE_NUMERALS}成%％‰倍度.到至~～-]|分之|dB|基?站|场景|区域|片区|参数|网络|载[波频]|天线|方案))"
)
_OTHER_UNIT_EN: Final = (
    r"(?!\s*(?:%|\.\d|percent|per\s+cent|sites?|stations?|areas?|networks?|scenarios?|districts?|antennas?)(?![a-z]))"
)
_COUNTED_ZH: Final = rf"(?P<count>{NUMBER_ZH})\s*+(?:个|名)?+{_OTHER_UNIT_ZH}"
COUNT_ZH: Final = rf"(?:前|这|那|头)?(?:{_COUNTED_ZH}|(?P<one>那个|这个))?\s*(?:小区)?(?![条处项行])"
IMPROVED_ZH: Final = (
    r"(?:改善|提升|改进|优化|变好|效果)(?:的?(?:幅度|程度|效果|量))?(?:得|的)?"
    rf"(?:(?P<least>最小|最少|最低|最不明显|最差)|最大|最多|最明显|最显著|最高|最好)的?\s*{COUNT_ZH}"
)
WORST_ZH: Final = rf"(?:{{worst}}|(?:问题|情况|指标|质量)?(?:最差|最严重|最糟|最坏))的?\s*{COUNT_ZH}"
GAIN_ZH: Final = (
    r"(?:预期)?(?:增益|收益)(?:(?P<least>最小|最低|最少)|最大|最高|最多)的?\s*(?:前|这|那)?"
    rf"(?P<count>{NUMBER_ZH})\s*[个条处项行](?:改动|参数|调整|推荐)?(?!小区|的?小区)"
)
LISTED_ZH: Final = rf"(?:最?前面?|头|开头)的?\s*(?P<count>{NUMBER_ZH})\s*[条处项行](?:改动|参数|调整|推荐)?"
FIRST_CELLS_ZH: Final = rf"[前头]\s*(?P<count>{NUMBER_ZH})\s*(?:个|名)?小区|[前头]\s*(?P<count2>{NUMBER_ZH})\s*名"
CELLS_EN: Final = r"(?:\s+(?:cells?|ones?|sectors?))?"
_COUNT_EN: Final = rf"(?P<count2>{NUMBER_EN}){_OTHER_UNIT_EN}"
IMPROVED_EN: Final = (
    rf"\b(?:(?P<count>{NUMBER_EN})\s+)?(?:(?P<least>least)|most|best)[\s-]improved(?:\s+{_COUNT_EN})?{CELLS_EN}\b{_OTHER_UNIT_EN}",
    rf"\b(?:(?P<count>{NUMBER_EN})\s+)?(?P<noun>cells?|ones?|sectors?)\s+(?:(?:that|which)\s+)?(?:improved?s?|gain(?:ed|s)?"
    r"|benefit(?:ed|s)?)\s+(?:the\s+)?(?:(?P<least>least)|most)\b",
    rf"\b(?:(?P<count>{NUMBER_EN})\s+)?(?P<noun>cells?|ones?|sectors?)\s+with\s+(?:the\s+)?(?:(?P<least>smallest|least|lowest)"
    r"|biggest|largest|greatest|highest|most|best)\s+improvements?\b",
    rf"\btop\s+(?P<count>{NUMBER_EN}){_OTHER_UNIT_EN}(?!\s+(?:changes?|rows?|parameters?)){CELLS_EN}\b",
)
WORST_EN: Final = (
    rf"\b(?:(?P<count>{NUMBER_EN})\s+)?(?P<noun>cells?|ones?|sectors?)\s+with\s+(?:the\s+)?(?:{{worst}})\b",
    rf"\b(?:(?P<count>{NUMBER_EN})\s+)?worst(?:\s+{_COUNT_EN})?(?:\s+(?P<noun>cells?|ones?|sectors?))?\b{_OTHER_UNIT_EN}",
)
GAIN_EN: Final = (
    rf"\b(?:top\s+(?P<count>{NUMBER_EN})\s+(?:changes?|parameters?)"
    rf"|(?P<count2>{NUMBER_EN})\s+changes?\s+with\s+(?:the\s+)?(?:(?P<least>smallest|least|lowest)|biggest|largest|highest|most)"
    r"\s+gains?)\b"
)
LISTED_EN: Final = rf"\bfirst\s+(?P<count>{NUMBER_EN})\s+(?:changes?|rows?|parameters?|lines?)\b"
REST: Final = (
    r"(?:其他|其它|其余|别的|剩下|剩余)的?(?:小区|参数|改动|调整)?(?:(?:都|就|全|先|暂时|也)*(?:别|不要|不用|不|保持)"
    r"(?:动|改|变|下发|调|不变|原样)*)?|(?:先)?(?:不要|别|不用|不)(?:全部?|都)(?:下发|动)?"
    r"|\b(?:(?:and\s+|but\s+)?(?:leave|keep)\s+)?(?:all\s+)?(?:the\s+)?(?:rest|others?|remaining(?:\s+ones)?|everything\s+else)\b"
    r"(?:\s+(?:as\s+(?:it\s+is|they\s+are)|alone|unchanged|untouched|stays?|for\s+later))?|\bnothing\s+else\b|\bnot\s+all\b"
)
ONLY: Final = r"只(?:要|需要?|把|想|能|许|准)?|仅仅?|\b(?:only|just|solely)\b"
FILLERS: Final = (
    rf"{UNDOES}|{APPLIES}|{ONLY}"
    r"|这些|这个|那些|那个|请|麻烦|劳驾|帮我|帮忙|给我|我们?|咱们|想要?|需要|打算|可以|能不能|可不可以|能|好的|好吧|好|行|没问题|同意|批准|确认|确定|不错|挺好|很好|看起来|谢谢"
    r"|那就?|这就|就|先|现在|马上|立即|立刻|直接|尽快|再次?|重新|把|将|对|给|按照?|的|了|吧|呢|啊|呀|嘛|吗|么|哈|一下|一遍|一次"
    r"|所有|全部|全都|全网|全|都|整套|整个|推荐|建议|优化|仿真|自动|计算|算|新|之?后|出来|得到|得出|给出|这|上面|上述|以上|以下|刚才|刚刚|刚|它们|它|其中|里面?|中"
    r"|参数|配置|方案|结果|改动|调整|调(?![度查研])|修改|变更|取?值|数字?孪生|孪生|现网|网络|系统|基站|场景|区域|到|至|[网生]上|进去|进|去|上去|下去|来|为|成|是|用|和|与|及|以及|跟|小区|天线"
    r"|原来|原样|原状|原有|原|之前|以前|上一?次|最近|最后|回去|回来|回|改过|做|要|让|在"
    r"|\b(?:please|can|could|would|you|we|i|let'?s|let|us|me|want|need|like|to|go|ahead|and|do|it|its|that|this|these|those|them"
    r"|the|an?|all|every(?:thing)?|of|for|on|in(?:to)?|onto|from|with|at|is|are|was|were|be|been|what|my|our|your|now|then|ok(?:ay)?|yes|yeah"
    r"|sure|fine|great|good|so|again|once|more|also|parameters?|params?|settings?|changes?|values?|configuration|config|recommended|recommendations?"
    r"|suggested|optimi[sz]ed|simulated|proposed|new|computed|results?|effect|force|digital|twin|live|network|cells?|sectors?|sites?|scenario"
    r"|district|area|thanks?|thank|back|last|latest|previous|recent|original|sent|did|have|has|just|will|up|out|through)\b"
)
