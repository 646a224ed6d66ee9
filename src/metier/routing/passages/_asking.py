"""Sentences that ask for something, and whom they ask: the reader of the message, or other people."""

from typing import Final

from metier.patterns import compile_later
from metier.routing.text import has_request_verb, is_request_start
from metier.textsearch import has_cjk, lower_keep_length

_ADDRESSED: Final = compile_later(
    r"(?:帮[我忙]|请你?帮|麻烦|请(?:你|根据|按|把|用|给|写|做|帮|先|将|整理|分析|总结|生成)|(?:^|[,，。;；:：\s])请(?![假客教])|给我|我想(?:要|让|问|请|知道|把)?|我要|我需要|能不能|可不可以|能否|可以帮|怎么|如何|替我"
    r"|^\W*which\b|\b(?:please|can\s+you|could\s+you|would\s+you|help\s+me|i\s+(?:need|want|would\s+like)|id\s+like|i'd\s+like|lets|let's"
    r"|how\s+(?:do|can|should|would|to)|what\s+(?:should|is|are|would)|(?:(?:tell|know|say|see|decide|choose)\s+(?:me\s+|us\s+)?)which|should\s+(?:i|we)|we\s+(?:need|want))\b)"
)
# Chinese orders without a subject, which say the means or the matter first: 用 FFmpeg 转换视频格式.
_ORDERS_ZH: Final = compile_later(
    r"(?:[先再并就也都要得]|赶紧|尽快|帮忙|咱们)*[请帮我先再并行]*(?:(?:[使应]?用|利用|借助|通过|基于|根据|按照?|从|对|在|为|给)[^，。了]{1,40}?)?"
    r"(?:进行|分析|生成|管理|处理|创建|构建|搭建|训练|转换|获取|提取|绘|画|写|制作|美化|增强|控制|执行|设计|开发|实现|部署|辅助|优化|预测"
    r"|模拟|计算|查询|查找|搜索|检索|识别|检测|编写|撰写|测试|调试|可视化|发布|导出|整理|总结|翻译|评估|验证|监控|操作|编辑|修改|合并|下载"
    r"|抓取|爬取|读取|连接|配置|研究|建模|分类|聚类|拟合|标注|比较|追踪|完成"
    r"|制定|编制|拟定|起草|草拟|策划|组织|规划|安排|准备|建立|新建|新增|添加|删除|移除|清除|取消|暂停|播放|打开|关闭|开启|开具|设置|调整|更新|登记"
    r"|核实|核对|校对|审核|审查|排查|定位|汇总|梳理|统计|盘点|对账|压缩|申请|申领|办理|补办|预订|预约|提醒|冻结|回复|发送|填写|列出|逐[项条一个]|出一?[个份张])"
    r"|[请帮我]*[使应]?用\s*[a-z]"
)
_CLAUSE_END: Final = compile_later(r"[,，;；]\s*")
# Questions without a question mark: 今天星期几, 猫王是哪一年出生的.
_ASKS: Final = compile_later(
    r"[?？]\s*$|什么|哪[个里些儿一位种家款]|谁(?!都|也)|星期几|几[点号]|多少|为何|怎样|是不是|有没有|[吗呢][。!！]?$"
)
# English orders by any verb, known by what follows it: "Underwrite a furniture factory", "…, rip out the old ones". The
# first word is none that begins a statement, and no plural, past or participle.
_NO_VERB: Final = (
    "the|an|this|that|these|those|our|my|your|his|her|its|their|all|both|each|every|some|any|no|not|none|many|much|few|several|half|most|more"
    "|such|quite|rather|even|only|just|almost|nearly|what|which|who|whom|whose|when|where|why|how|while|whether|if|unless|until|till|since"
    "|because|though|although|and|or|but|nor|so|yet|than|then|as|at|by|for|from|in|into|of|off|on|onto|out|over|per|to|toward|under|up|upon"
    "|with|within|without|about|above|across|after|against|along|amid|among|around|before|behind|below|beneath|beside|between|beyond|despite"
    "|down|during|except|inside|like|near|outside|past|round|through|via|once|twice|again|also|always|anyway|away|back|early|ever|finally"
    "|first|second|third|here|there|however|instead|last|late|later|maybe|meanwhile|never|next|now|often|perhaps|please|recently|sometimes"
    "|somehow|soon|still|today|tomorrow|tonight|too|usually|very|well|yesterday|nobody|everybody|somebody|anybody|everyone|someone|anyone"
    "|one|two|three|four|five|six|he|she|it|we|they|you|am|is|are|was|were|be|been|has|had|have|does|did|will|would|shall|should|can|could"
    "|may|might|must|got|took|met|saw|bought|went|came|gave|made|found|lost|sent|told|left|heard|felt|kept|wrote|began|spent|paid|half"
    "|nothing|everything|something|anything|other|another|same|own|new|old|good|great|happy|sorry|hello|dear|thank"
)
_ORDER: Final = (
    rf"(?!(?:{_NO_VERB})\b)[a-z]{{2,14}}(?<![^s]s)(?<!ed)(?<!ing)(?<!ly)\s+(?:(?:up|out|down|back|off|over|in|to|for|together)\s+)?"
    r"(?:the|an?|our|my|me|us|this|these|those|all|every|each|any|some|both|its|his|her|their|it|them|which|what|how|that)\b"
    r"(?!(?:(?!\b(?:that|which|who|whose|where|when|if)\b)[^,.;:?!]){0,50}\s(?:is|was|were|are|had|will|would)\b)"
)
_ORDERS: Final = compile_later(
    rf"(?:^|[,;:–—]\s*|\s-+\s)\W*(?:(?:so|and|then|now|also|please|pls|just|kindly|ok|okay|i'd\s+say)\W+)*{_ORDER}"
)
# Several people are asked, and no one in particular; or someone is to answer, or to keep something in mind. The letters
# that a word begins with are looked at first: a tenth of the time.
_TO_OTHERS: Final = compile_later(
    r"\b(?=[acdefhilnprstvwy])(?:"
    r"(?:can|could|would|will|please|does|do|has|have|if|should)\s+(?:any|some|every)(?:body|one)\b|(?:some|any|every)(?:body|one)\s+(?:should|must|has\s+to|please)\b"
    r"|who(?:ever)?\s+(?:can|could|has|is|was|will|wants|knows|took|moved|left|drives)\b|those\s+(?:who|of\s+you)\b|(?:all\s+of\s+you|you\s+all|you\s+guys|everyone|folks)\b"
    r"|let\s+me\s+know\s+(?:if|whether|when)\s+(?:you|there|any)\b|(?:don't|do\s+not|never)\s+forget\b|remember\s+(?:to|that)\b|feel\s+free\b|see\s+you\b"
    r"|volunteers\b)"
    r"|(?=[别不收有各大诸同谁哪@])(?:别忘了?|不要忘|收到请?回复|有(?:问题|疑问|意见|事)(?:请|就|随时|可以)"
    r"|各位|大家|诸位|同事们|谁(?:有|能|来|去|要|动|会|拿|看|知道|愿)|有没有人|哪位|有人能|@\S)"
)
# What stands above is not to be done now: 这些先放着, leave these for now.
_PUTS_OFF: Final = compile_later(
    r"(?:[这那]些|(?:以上|上面|前面)(?:[这那]?(?:些|几[条点项件个]))?|[这那]几[条点项件个])(?:内容|事情?|任务)?(?:都|就|暂时)?"
    r"(?:先(?:放着|放一[放下边]|不[用必管做急要]|别)|放着不管|不[用必](?:做|管|处理)|别[管做]|以后再|回头再)"
    r"|\b(?=[ailnpst])(?:(?:leave|put|set)\s+(?:all\s+(?:of\s+)?)?(?:these|those|them|the\s+above)\s+(?:for\s+(?:now|later)|aside|until|alone)\b"
    r"|(?:ignore|skip|park|postpone)\s+(?:all\s+(?:of\s+)?)?(?:these|those|the\s+above)\b(?!\s+\w+s\b)"
    r"|(?:these|those|they|(?:all\s+)?the\s+above)\s+(?:can|will|must|have\s+to)\s+wait\b|none\s+of\s+(?:these|those|the\s+above)\s+now\b)"
)
# What somebody else wants and the author does not: 刘洋说今晚下发，我觉得不行.
_OBJECTS: Final = compile_later(
    r"(?<!我)(?=[说提建要希想])(?:说|提议|建议|要求|希望|想)[^。！？!?\n]{2,60}[，,。；;]\s*(?:但是?|不过|可是?)?(?:我们?|咱们?)(?:觉得|认为|看)?(?:这样)?"
    r"(?:不(?:太)?(?:行|同意|赞成|想|妥|合适|建议|支持)|没必要|反对)"
    r"|\b(?=[wsat])(?:wants?|says?|said|asks|asked|suggests?|suggested|thinks)\b[^.!?\n]{2,80}[.,;]\s*(?:but\s+)?(?:i|we)\s+"
    r"(?:don'?t|do\s+not|disagree|would\s+(?:rather\s+)?not|wouldn'?t|object)\b"
)
_GREETS_OTHERS: Final = compile_later(
    r"\W*(?:(?:hi|hello|hey|dear|good\s+(?:morning|afternoon))\W+(?:all|team|everyone|everybody|folks|colleagues|both|guys|friends|neighbou?rs)\b"
    r"|(?:各位|大家|诸位|同事们|亲爱的(?:同事|朋友|家长|邻居)们?)[^，。！？]{0,8}(?:好|[:：,，]))"
)


def is_asking(text: str) -> bool:
    """Whether a sentence asks for something: an order, a question, or a wish."""
    low = lower_keep_length(text)
    if has_cjk(text):
        starts = is_request_start(low) or any(_orders(clause) for clause in _CLAUSE_END.split(low))
    else:
        starts = has_request_verb(low) or _ORDERS.search(low) is not None
    return bool(starts or _ADDRESSED.search(low) or _ASKS.search(text))


def _orders(clause: str) -> bool:
    """Whether a Chinese clause says what is to be done; with 了 it says what was done."""
    return "了" not in clause and _ORDERS_ZH.match(clause) is not None


def asks_others(text: str) -> bool:
    """Whether a sentence asks several people, none of whom is the reader: could everybody …, 谁有 …."""
    return _TO_OTHERS.search(lower_keep_length(text)) is not None


def greets_others(text: str) -> bool:
    """Whether a text begins with a greeting to several people: Dear all, 各位好."""
    return _GREETS_OTHERS.match(lower_keep_length(text)) is not None


def puts_off(text: str) -> bool:
    """Whether a text says that what stands above it is not to be done now."""
    return _PUTS_OFF.search(lower_keep_length(text)) is not None


def objects_to_others(text: str) -> bool:
    """Whether a text says what somebody else wants and that its author does not."""
    return _OBJECTS.search(lower_keep_length(text)) is not None
