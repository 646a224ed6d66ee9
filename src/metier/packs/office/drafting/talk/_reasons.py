"""Reasons before the order: a complaint, a fear, a plan, what one has at hand, who asked; none shapes the result."""

import re
from typing import Final

from metier.packs.office.drafting._asides import names_look

__all__ = ["is_reason"]

_MAX_CHARS: Final = 60
_MAX_CHARS_EN: Final = 140
_SOON: Final = (
    r"(?:今天|今晚|明天|明早|后天|下午|晚上|上午|这周|这两天|这个月|下周[一二三四五六日末]?|下个?月|月底|月初|年底|"
    r"年初|马上|过几天|回头)"
)
_WHO: Final = r"(?:我们?|咱们?|他们?|她们?|大家|我们?[\u4e00-\u9fff]{1,4}|[\u4e00-\u9fff]{1,4}[部处科室组院办队会校店])"
_CHIEF: Final = (
    r"(?:领导|老板|客户|[\u4e00-\u9fff]{1,2}总|总?经理|主任|校长|院长|书记|处长|局长|总监|老师|评委|专家|"
    r"甲方|业主)们?"
)
_ZH: Final = tuple(
    re.compile(one)
    for one in (
        # 每次都现写纪要太费劲了, 手工对账实在麻烦
        r"(?:每[次回天周月年]|老是|总是|天天|一直|现在|手工|手写|口头|自己|一个个|靠)[\u4e00-\u9fff]{0,12}"
        r"(?:太|很|挺|真|实在|好|特别|比较)"
        r"(?:费劲|费事|麻烦|累人?|乱|杂|烦人?|头疼|折腾|吃力|辛苦|耽误事|费时间|花时间|费时|浪费时间)(?:了|的)?",
        # 怕漏掉, 生怕到时候忘了
        r"(?:就|我|真|又|也|还|很|总)*(?:怕|担心|生怕|怕是)(?:我|大家|到时候?|回头|以后|又|会|再|给|他们?|现场){0,3}"
        r"(?:漏(?:掉|了|项|事)?|遗漏|忘(?:了|掉|记)?|丢(?:了|三落四)?|来不及|搞混|弄混|搞忘|记不住|记错|"
        r"赶不上|误事|手忙脚乱|耽误)(?:什么|事|东西)?(?:了)?",
        # 我下个月要写一份方案: a plan with its time, before another clause that orders
        rf"{_WHO}?{_SOON}(?:就|都|也|还)?(?:要|得|准备|打算|需要?)(?:去|来|给[\u4e00-\u9fff]{{1,4}})?(?:写|做|"
        rf"交|办|开|搞|弄|讲|报|出|排)"
        r"(?:一[份个次场篇])?[\u4e00-\u9fff]{1,8}",
        # 要核加班费了, 快评优了: what comes soon
        r"(?:马上|眼看|快|又|这就)?(?:就)?(?:要|该|得)(?:核(?!对表)|发|评|考|验收|盘点|结算?|交|开|搬|报销|"
        r"报账|审|年检|换届|开学|开业|开工)"
        r"(?:[\u4e00-\u9fff]{1,5})?了",
        # 我手上只有零散的单子
        r"(?:我们?|咱们?|目前|现在)*(?:手上|手里|手头|这边|这里)(?:现在|目前|暂时)?(?:就|只|还)?(?:有|剩|"
        r"是)(?:些|一些|一堆|几张)?"
        r"(?:零散|零碎|乱七八糟|散乱|手写|纸质|一堆|杂乱)的?[\u4e00-\u9fff]{1,6}",
        # 得先把隐患记下来, 要赶紧把事情理清楚
        rf"{_WHO}?(?:得|要|需要|必须|应该)(?:先|赶紧|赶快|尽快)?把(?!顺序|次序|格式|数字|日期|金额|表|"
        rf"图)[\u4e00-\u9fff]{{1,8}}?"
        r"(?:记|理|管|弄|搞|摸|盯|捋|想|说|定|跟|报|交)(?:下来|清楚|起来|明白|上去|顺|好|住|牢)(?:了|才行)?",
        # 先帮我开个头吧, 帮个忙
        r"(?:先|请|麻烦)?(?:帮我|给我|替我)?(?:先)?(?:开个头|起个头|帮个忙|搭把手|救个急|救救急|出出主意|"
        r"想想办法)(?:吧|呗)?",
        # 客户刚打电话来要报价
        rf"(?:{_CHIEF}|对方|供应商|家长)(?:那边)?(?:刚|今早|又|一直|已经)*(?:打电话|来电话?|发消息|发微信|"
        rf"发邮件|过来|上门)"
        r"(?:来|过来)?(?:要|催|问)(?:我们?)?要?[\u4e00-\u9fff]{1,6}",
        # 总经理就关心一个数
        rf"(?:我们?|咱们?)?{_CHIEF}(?:这次|每次|一般|平时|向来|从来)?(?:就|只|最)(?:关心|认|问|盯着?|在乎)"
        r"(?:一个|这个|那个|这一个)?(?:数字?|指标|结果|结论)",
    )
)
_NO: Final = re.compile(
    r"[\d\"“”、/|()（）\[\]:：]|标题|表头|[行列栏页]|字[体号]|[英中]文|双语|加粗|颜色|不要|别|除了|按照?|格式"
)
# …, and I'd like to be ready: what the sentence before it is told for.
_HOPE: Final = re.compile(
    r",? (?:and|so|but) (?:i|we)(?:['’]d| would)? (?:really |just |also )*(?:like|want|need|hope) (?:"
    r"to be (?:ready|prepared|on top of (?:it|this|things)|on time)|"
    r"to (?:keep (?:track of|an eye on|tabs on)|stay on top of|be ready for|remember|write down|note down|"
    r"see coming) "
    r"(?:it|this|things|everything|who [a-z]+ what|what (?:may|might|could|can) (?:go wrong|happen|come up|"
    r"still happen))|"
    r"(?:everyone|everybody|people|them|him|her|the \w+(?: \w+)?) to (?:see|know about|notice|hear about|remember) "
    r"(?:it|this|that|them))$",
    re.IGNORECASE,
)
_KEEPS: Final = re.compile(
    r"(?:(?:our|my|the) )?(?:[a-z]+ )?(?:visitors|customers|people|everyone|everybody|parents|guests|members|"
    r"patients|staff|colleagues|clients|tenants|students|suppliers|neighbou?rs|volunteers|tourists|they|"
    r"i|we) (?:always |still )?(?:keeps?|kept) "
    r"(?:asking|forgetting|losing track|wondering|calling|phoning|emailing|mixing up|complaining|getting lost)"
    r"(?: [a-z'’]+){0,9}",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(
    r"(?:the|our|my|we|they|she|he|his|her|their|a|an|it|this|someone|some) (?:[a-z'’&-]+ ){0,5}?"
    r"(?:(?:finally|just|already|also|really|still|will|have|has|had) )*(?:is|are|was|were|come|comes|"
    r"came|coming|visits?|arrives?|beat|won|reached|"
    r"hit|passed|met|opened|opens|starts?|started|finished|launch(?:ed|es)?|meets?|turns?|begins?|calls?|called|got|"
    r"goes|moved|moves)\b(?: [a-z'’]+){0,8}",
    re.IGNORECASE,
)
_DOING: Final = re.compile(
    r"(?:i['’]m|we['’]re|they['’]re|he['’]s|she['’]s|(?:i|we|they) (?:am|"
    r"are)) (?:[a-z]+ )?[a-z]+ing(?: [a-z'’]+){1,8}",
    re.IGNORECASE,
)
_NO_EN: Final = re.compile(
    r"\b(?:no|not|without|only|except|bold|red|blue|green|columns?|rows?|title|heading|header|font|sort\w*|"
    r"order|must|"
    r"should|in (?:english|chinese)|short|brief|landscape|per|each)\b|n['’]t\b",
    re.IGNORECASE,
)


def is_reason(clause: str) -> bool:
    """Whether a clause before the order only says why something is wanted."""
    if names_look(clause):
        return False
    if re.search(r"[\u4e00-\u9fff]", clause):
        said = "".join(clause.split())
        return len(said) <= _MAX_CHARS and not _NO.search(said) and any(one.fullmatch(said) for one in _ZH)
    if len(clause) > _MAX_CHARS_EN or _NO_EN.search(clause):
        return False
    hope = _HOPE.search(clause)
    told = clause[: hope.start()] if hope else clause
    return _KEEPS.fullmatch(told) is not None or (
        hope is not None and (_SENTENCE.fullmatch(told) or _DOING.fullmatch(told)) is not None
    )
