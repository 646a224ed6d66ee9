"""Words that may stand around the slots of a table and say nothing more: verbs of making, courtesy, what it is for."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import CHINESE

__all__ = ["EDITS", "is_frame", "names_table"]

# What a table is about: 风险识别, 施工. Nothing that says how it looks, what it lacks or which one is meant.
_TOPIC: Final = (
    r"(?:(?!图表|饼图|柱状|折线|合并|居中|对齐|加粗|插入|新建|生成|每[一个行列]|其[他它余]|原[有来])"
    r"[\u4e00-\u548b\u548d-\u9fffA-Z](?<![不别没未删改换移除拆筛红黄蓝绿色粗斜框线宽窄横竖纵和及或每各第这那只仅的有为是])){0,10}?"
)
_TABLE: Final = r"(?:表格|一览表|表单|表|清单|台账|登记册|登记簿|名册|名单|(?<=.{2})单(?![位独价元]))"
_MEASURE: Final = r"(?:[一1这]?[个张份])"
_MAKE: Final = (
    r"(?:插入|插|添加|添|加入|加上|加|新增|增加|增设|新建|新做|创建|建立|建|制作|做成|做出|做|生成|画|绘制|放置|放进|放|来|弄|搞|整|补上|补|"
    r"设置|设|追加|附上|附|列成|列|排|给出|出|搭好|搭|留出|留|预留|准备|配上|配|写下|写上|写|填|登记|记录|记|录|接|跟|带|安排|拟|起草|有|备)"
)
_PERSON: Final = (
    r"(?:大家|我们|咱们|他们|同事|家长|学生|客户|甲方|业主|领导|现场|后续|以后|回头|之后|各?[\u4e00-\u9fff]{0,2}(?:车间|部门|科室|班组|"
    r"单位|门店|组|室|店|部|人员|人|员|师|工))"
)
# What it is for: 让大家登记风险用, 用来记录风险, 给各车间填, 方便逐条回应.
_PURPOSE: Final = (
    rf"(?:(?:专门|主要)?(?:用来|用于|用作|以便|方便|便于|供|让|给|留给|好让|等)(?:{_PERSON})?(?:现场|逐条|一一|日后|手工|手写|统一|好|自己|自行|亲自)*"
    rf"(?:填写?|登记|记录?|回应|回复|答复|跟踪|统计|核对|检查|排查|录入|写|用|使用|签)(?:[\u4e00-\u548b\u548d-\u9fff]{{0,6}}?)(?:用的?|的)?|"
    r"(?:登记|记录|跟踪|统计|核对|排查|排|贴|抄|画)(?:[\u4e00-\u548b\u548d-\u9fff]{1,8}?)(?:用的?|的(?=表|清单|$))|贴[\u4e00-\u9fff]{2,4}$|"
    r"给[\u4e00-\u548b\u548d-\u9fff]{1,8}(?:看|用)的)"
)
_EMPTY: Final = (
    r"(?:(?:先|都|全部?|暂时?|现在|目前)*(?:空白|空着|留空|空格子?|空的|空|留白)(?:着|的)?(?:待|备|可|供)?(?:填写?|用)?|"
    r"(?:待|备|可以?|可供)(?:填写?|写|用)的?|填写?的?(?:地方|处|部分)|备用|(?:每个|所有|全部)?(?:格子?|单元格)(?:里面?|中)?(?:都|全|先)*(?:空着|留空|空白|不填)|(?:里面?|其中|内容)?(?:什么)?(?:都|也|先|暂时)*(?:不填|不写)(?:内容|东西|字)?)"
)
_WORDS_ZH: Final = (
    *(_PURPOSE, _EMPTY, _MAKE, _MEASURE),
    r"(?:给|往|为|在)(?:这份|本|该|这个)?(?:文档|文件|文章|材料)(?:里面?|中|内)?|[这那](?:几|些)(?:[列项栏个样]|字段)?|这(?=\ufffc)",
    r"(?:麻烦|辛苦|拜托|烦请|劳驾|请|帮忙|帮我|帮|给我|替我|为我|我们?|咱们?|你|您|需要|需|想要|想|要的(?:就)?是|要|希望|得|能不能|能否|可否|可不可以|可以|能|一下|谢谢|谢了|多谢)",
    r"(?:吧|呢|啊|哦|哈|呗|嘛|啦|了|的话|吗|呀|的|着|地|好了|就好|就行|行就行|即可|就够了?|够了?|就可以了?|行了?|好)",
    r"(?:应当|应该|这样|那样|那一行|粗体的|凑成|排成|组成|结果|先|再|然后|接着|紧接着|随后|另外|另|还|就|也|都|并且?|同时|其中|其|它|此|该|这里|此处|在此|在|到|于|中|里面?|里头|内|上|下|处|里|位置|那里|那儿|地方|部分)",
    r"(?:下面|下方|底下|下边|之下|以下|后面|之后|其余|余下|剩下|另外|旁边)",
    r"(?:表头|标题行|栏名|列名称?|列标题|列头|栏目名?|栏名|字段名?|(?:第一行|首行)(?=[^,，。;]{0,8}\ufffc)|抬头|列|栏|字段|表里|表中|项目(?=$))",
    r"(?:分别|依次|顺次|从左到右|从左往右|左起|从左数|依序|按顺序|包含|包括|含|有|是|为|叫做?|用|以|按照?|把|将|设为|共计|总共|一共|共|合计?(?=有|是|共)|就要|如下|以下|下列|填上|写明|标上|标)",
    r"(?:数据区?|内容|正文|示例|记录|条目|填写区|空格|行数|列数|(?:数据|内容|正文|空白?)?行|空白?)(?=\ufffc|$|[是为要有留共给先放])|(?:竖[着向]|横[着向])(?=[\ufffc留放是有])",
    r"(?:给|为|替|向)(?:客户|甲方|业主|领导|老板|对方|他们|大家|学校|家长|买家|采购方)(?!的)|报价(?:明细|如下)?|询价|明细|东西|货品|商品|(?:以|用)?表格的?形式|成表格?",
    r"(?:简单|简易|简短|小|新|普通|规范|通用|标准|可填写|可编辑)的?",
    r"(?:每[条个行项份](?:记录|风险|需求|内容)?(?=包|有|含|写|记|填|要))",
    r"(?:即|也就是|比如说?|嗯|那|好吧)",
    r"(?:文档|文件|文章|材料|报告|稿子|word)(?:里面?|中|内)?",
    r"[\ufffc\s]+",
)
_BEHIND: Final = (
    r"(?:(?<=[个张份的入建做加成画放来弄搞补置出列附整造作写是要上立制增添写设拟])|(?<=^)|(?<=\ufffc)|(?<=着)|(?<=的))"
)
# English: a table by its name, what it is for, and small words.
_BAD_EN: Final = (
    r"(?!(?:\d[\w-]*|(?:three|four|five|six|seven|eight|nine|ten|twelve|half)[\w-]*|not|no|without|except|only|but|delet\w*|remov\w*|replac\w*|chang\w*|existing|every|all|chart|graph|picture|image|slide|"
    r"merg\w*|red|blue|green|yellow|colou?r\w*|wide|narrow|landscape|portrait|sort\w*|totals?|sum|average|formulas?|bold|italic|"
    r"borders?|font|cent(?:re|er)\w*|first|second|third|last|other|another|two|both|rows?|columns?|header|heading|headings|and|or|with|"
    r"paragraph|section|title|titled|called|named|headed|text|words?|bullets?|outline|minutes)\b)"
)
_TOPIC_EN: Final = rf"(?:{_BAD_EN}[a-z][\w'’-]*\s+)"
_TABLE_EN: Final = (
    r"(?:tables?|registers?|check ?lists?|check-lists?|lists?|logs?|trackers?|grids?|sheets?|forms?|to-?dos?|plan)"
)
_FOR_EN: Final = (
    rf"(?<!\ufffc )(?<!\ufffc)(?:for|of|about|"
    rf"on)\s+{_TOPIC_EN}{{0,4}}{_BAD_EN}[a-z][\w'’-]*(?=\s*(?:[,.;:]|\ufffc|$|and\b|with\b|that\b|which\b|"
    rf"where\b|in (?:a )?table|as a table))"
)
_USE_EN: Final = (
    rf"(?:so (?:that )?|where |that |which )?(?:we |i |the \w+ |people |they |you |someone |staff |"
    rf"everyone )?(?:can |could |will |may |should )?(?:use (?:it )?|be used )?(?:to |for )?"
    rf"(?:track(?:ing)?|log(?:ging)?|record(?:ing)?|keep(?:ing)? track of|note(?: down)?|enter|see(?:ing)?|"
    rf"fill in|write (?:on|in|down)|list(?:ing)?|use|check(?:ing)?|complete)"
    rf"(?:\s+(?:{_TOPIC_EN}{{0,4}}{_BAD_EN}[a-z][\w'’-]*))?(?=\s*(?:[,.;:]|\ufffc|$|with\b))"
)
_WORDS_EN: Final = (
    r"(?:what (?:i|we) (?:need|want) is|there should be|it (?:needs|should have|has|must have|wants|gets)|"
    r"can we have|could we have|can i have|could i (?:get|have)|i['’]d like|we['’]d like|i would like|we would like)",
    rf"(?:so (?:that )?(?:nobody|no one|everyone|everybody|we|people|they|the \w+)|to (?:keep|track|help|"
    rf"see|log|record|remember|note))\b(?:\s+{_BAD_EN}[\w'’-]+)*?(?=\s+(?:we|i)(?:['’]d| would|"
    rf" will)? (?:need|want|like|have)\b)",
    rf"(?:our|the|my|your) (?:{_TOPIC_EN}){{1,3}}(?:needs?|wants?|would like|asked for)(?= (?:a|an|the)\b)",
    rf"(?:that |which |where |in which |on which )?(?:we|i|they|people|everyone|someone|(?:our|the|my|"
    rf"your) (?:{_TOPIC_EN}){{1,3}})\s*(?:can|will|could|may|"
    rf"shall) (?:{_TOPIC_EN}){{0,5}}{_BAD_EN}[a-z]+(?=\s*(?:[,.;:]|$))",
    r"(?:(?:i|we|you)['’](?:d|ll|m|ve)(?: (?:like|need|want|love))?)",
    r"(?:those|these) (?:two|three|four|five|six|seven|eight)|all (?:blank|empty)|with nothing in (?:them|"
    r"it)(?: yet)?|like (?:that|this)|exactly|such|across|beneath|whose|somewhere to (?:tick off|note|log|"
    r"track|write down|list) (?:[a-z-]+ ){0,4}?[a-z-]+(?=\s*(?:[,.;:]|$))",
    r"(?:nothing (?:is |has been |to be )?(?:filled in|in it|written)(?: yet| for now)?|"
    r"all (?:the )?(?:other )?cells (?:are |left |stay |to be )?(?:left )?(?:empty|blank)|somewhere|a place)",
    r"(?:in (?:the )?(?:form of a table|table form(?:at)?|tabular form)|as a table|set out as a table|"
    r"laid out as a table|in a table|table format)",
    r"(?:left to right|from left to right|in that order|in this order|across the top|along the top|"
    r"at the top of it|as follows|the following|these|this|that|those|it|its|them|their|they|each|there)",
    r"(?:please|kindly|thanks|thank you|pls|hi|hello|could|can|would|will|you|me|us|i|we|need|needs|want|"
    r"wants|wanted|like|just|also|then|so|now|here|wish|let|have|has|having|get|is|are|be|being|should|must|goes|go|going|shall|do|enough|fine|plenty)",
    r"(?:insert|add|put|place|create|make|build|draft|draw|set|set up|up|in|give|start|drop|include|prepare|"
    r"provide|write|show|shows|showing|contain|contains|containing|lay|out|leave|leaving|keep|keeping|left|"
    r"needed|required|read|reads|reading|say|says|saying|hold|holds|begin|start|need|use|using|come|follow|"
    r"followed by)",
    r"(?:a|an|one|the|our|my|new|small|little|tiny|short|simple|compact|plain|basic|quick|blank|empty|bare|free|open|clean|handy|proper|single)",
    r"(?:called|named|headed|labell?ed|titled|reading|consisting of|with|and|of|for|in|into|on|at|to|as|by|"
    r"plus|under|below|beneath|underneath|above|after|over|or so)",
    r"(?:columns?(?: (?:names?|headings?|headers?|titles?|heads))?|cols?|fields?|headings?|"
    r"headers?(?: rows?)?|header line|rows?|lines?|cells?|row of headings|(?:first|top) (?:row|"
    r"line)(?=[^,.;]{0,25}\ufffc)|body|document|doc|text|entries|entry|items|data|room|space|spaces|spare|"
    r"blanks?|filled|fill|filled in|fill in|complete|by hand|be completed|to write on|word)",
    r"[\ufffc\s.]+",
)


def _split(form: str) -> Iterator[str]:
    """The choices of a form that stand beside each other, outside of brackets."""
    inside = form[3:-1] if form.startswith("(?:") and _closes_last(form) else form
    depth, start = 0, 0
    for at, sign in enumerate(inside):
        if inside[at - 1 : at] == "\\":
            continue
        depth += (sign in "([") - (sign in ")]")
        if sign == "|" and not depth:
            yield inside[start:at]
            start = at + 1
    yield inside[start:]


def _closes_last(form: str) -> bool:
    """Whether the bracket that a form begins with is closed by its last sign."""
    depth = 0
    for at, sign in enumerate(form):
        depth += (sign in "([") - (sign in ")]") if form[at - 1 : at] != "\\" else 0
        if not depth:
            return at == len(form) - 1
    return False


def _compile(forms: Sequence[str], behind: str = "") -> "tuple[re.Pattern[str], ...]":
    return tuple(re.compile(f"(?:{one}){behind}", re.IGNORECASE) for form in forms for one in _split(form) if one)


_FRAME_ZH: Final = _compile((f"{_BEHIND}{_TOPIC}{_TABLE}(?:[一1][个张份])?", *_WORDS_ZH))
_FRAME_EN: Final = _compile(
    (rf"{_TOPIC_EN}{{0,4}}{_TABLE_EN}\b", _FOR_EN, _USE_EN, *_WORDS_EN), r"(?:(?<=[\s\ufffc.])|(?![\w-]))\s*"
)
_NAMES_TABLE: Final = re.compile(
    r"(?<!列)表(?![示明达扬彰现])|台账|登记册|登记簿|(?<![排系并陈罗下])列(?![出举表])|栏|字段|\b(?:tables?|registers?|columns?|headers?|headings?|cols|fields)\b",
    re.IGNORECASE,
)
# What changes a table that is there, or asks for lines of one.
EDITS: Final = re.compile(
    rf"(?:加|插|添|补|增|追加)(?:上|入|加|设)?\s*{COUNT}\s*个?新?[行列栏](?![^,，。;]{{0,6}}(?:的|表|[合总]计|总价|总额)|\s*[x×*乘]|\s*{COUNT}\s*[行列])|"
    r"(?:给|把|将|对|从|在)(?:这|那|第|原|上|下|该|文档里?的?)?(?:一|二|三)?[个张]?[^,，。;一]{0,6}表格?(?:里|中|内|的)?(?:再|也|都)?(?:加|插|添|补|删|改|换|移|增|设|填)|"
    r"(?:第[一二三四五\d]|这|那|上述|原有?|已有|现有|前面的?|上面的?|每)(?:[个张份])?(?:[^,，。;]{0,4})表格?(?:里|中|内)|"
    r"\b(?:add|insert|append|put|include)\s+(?:the |these |this |two |three |four |five |a |an |"
    r"\d+ )?(?:new |more |blank |empty |further |following )*(?:columns?|rows?|lines?|headers?|fields?)\b|"
    r"\b(?:to|into|of|from|inside|within) (?:the|this|that|my|our|each|every) (?:\w+ ){0,2}?(?:table|"
    r"checklist|register|list)\b|"
    r"\b(?:first|second|third|last|existing|previous|current|each|every) table\b",
    re.IGNORECASE,
)
_MAX_CLAUSE: Final = 120


def is_frame(clause: str) -> bool:
    """Whether a clause without its slots says nothing more; a slot is a stretch of signs that were read."""
    said = clause.strip()
    if len(said) > _MAX_CLAUSE:
        return False
    forms = _FRAME_ZH if CHINESE.search(said) else _FRAME_EN
    reached, open_ends = {0}, [0]
    while open_ends:
        at = open_ends.pop()
        ends = {found.end() for form in forms if (found := form.match(said, at))} - reached
        reached |= ends
        open_ends += ends
    return len(said) in reached


def names_table(mask: str) -> bool:
    """Whether a message speaks of a table or its columns."""
    return _NAMES_TABLE.search(mask) is not None
