"""What a sentence says without meaning it as work: conditions, examples, quotations, reports and refusals."""

import re
from typing import Final

__all__ = ["cut_unmeant", "is_idle_request"]

_CONDITION: Final = re.compile(
    r"前提是|条件是|如果|假如|要是|倘若|万一|除非|一旦|(?:^|[，,])若|的话[，,]|"
    r"(?:^|,\s*)(?:and |but |so )?(?:if|unless|in case)\b",
    re.IGNORECASE,
)
_EXAMPLE: Final = re.compile(
    r"例子|举例|打个比方|比方说|比如|譬如|假设|诈骗|念给|读给|念一下|读一下|念一段|读一段|原话|台词|"
    r"for example|for instance",
    re.IGNORECASE,
)
_JOKE: Final = re.compile(
    r"哈哈|嘿嘿|开(?:个|个小)?玩笑|说着玩|逗你|闹着玩|太阳从西边|猴年马月|\b(?:just kidding|kidding|joking|lol|"
    r"haha)\b|(?:负责|管)(?:吃|躺|摸鱼|喝|玩|睡|笑|美|帅|鼓掌|干杯|加油|貌美|捧场|围观|看戏|看热闹|点赞|花钱|数钱|当观众)(?![\u4e00-\u9fff]{0,3}[单费具票安])|"
    r"^(?:那)?我[给为][^，,]{1,4}(?:打气|加油|鼓掌|助威)|带(?:着)?(?:嘴|张嘴|脑子|胃)(?:[来去]|$|。)|精神上|"
    r"\b(?:in charge of|responsible for|here for|stick to) (?:the )?(?:tasting|eating|drinking|snacks|fun|jokes|"
    r"looking|napping|sleeping)\b|"
    r"\b(?:bring|add|provide|lend) my (?:charm|smile|wit|good looks|sense of humou?r|moral support|appetite|"
    r"sparkling)\b|"
    r"\blook(?:ing)? (?:pretty|busy|good)\b|\bmoral support\b|when (?:pigs fly|hell freezes)",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"“[^”]{4,}”|\"[^\"]{4,}\"|「[^」]{4,}」|‘[^’]{4,}’")
# A quotation is what somebody says or writes where a verb of saying or a text stands before it.
_SAYING: Final = re.compile(
    r"(?:说|讲|写|念|读|问|回复|邮件|短信|通知|消息|微信|里|是|道|said|says|wrote|reads)[着了过的：:，,\s]{0,3}$"
)
_REPORTED: Final = re.compile(
    r"(?:他|她|他们|她们|有人|客户|领导|老板|对方|供应商|厂家|甲方|乙方)(?:们)?(?:上次|昨天|刚才|之前|都|也|又|"
    r"还)?(?:跟我|和我|对我)?(?:说|讲|问|写)"
)
_REFUSED: Final = re.compile(
    r"我(?:们)?(?:哪|怎么|何)(?:敢|能|会|有空|可能|德)|(?:不用|不必|不需要|无需|用不着|轮不到|不该|不应该|不归|"
    r"不由|不是|别让|别叫)(?:由|让)?我"
    r"|我(?:们)?(?:就|也|都|可|实在|真的?|恐怕|可能|暂时|这边|现在)*(?:不(?!但|仅|如|妨|得不|光|断|只)|没(?:法|"
    r"办法|时间|空|精力|人手)|来不及|无法)"
    r"|我[^，,]{0,6}?[\u4e00-\u9fff]不(?:了|完|成|动|到|出来|上)(?!解)"
    r"|我(?:们)?(?:才|可|又|绝|从来|本来|根本|当然)+(?:就|也)?不(?!但|仅|如)|"
    r"(?<![少免大])[\u4e00-\u9fff]不(?:了(?!解)|完|成(?!立|本|功))"
    r"|(?:未|没有?|不肯|不愿|不)(?:同意|答应|接受|表态)|太忙|忙不过来|走不开|抽不出|没有?(?:空|时间|"
    r"精力)(?!.{0,6}再)|拒绝|婉拒|推辞|难道|怎么可能|凭什么"
    r"|做不了|做不到|来不及|办不了|办不到|完不成|交不了|弄不了"
)

_DOES: Final = (
    r"(?:负责|完成|提交|整理|联系|跟进|落实|安排|通知|沟通|采购|编写|修复|更新|交付|汇总|核对|核实|确认|组织|"
    r"办理|制定|提供|答复|回复|反馈|"
    r"协调|对接|修改|调整|上报|收集|统计|梳理|补充|签|付|测试|上线|部署|培训|检查|处理|解决|搞定|写|发|交|报|改|查)"
)
_AHEAD: Final = re.compile(
    r"明天|明早|后天|今晚|晚上|一会|待会|回头|现在就|这就|顺便|周[一二三四五六日末](?!.{0,8}(?:就|已))|下(?:个|下)?(?:周|月|季|星期|礼拜)|月底|年底|会(?!议|场|员)|将|(?<!主|重|需|只)要|再|马上|"
    r"尽快|一定|争取|保证|"
    r"(?<![以之目提])前(?![天几年期面])|之前$|我来|我去(?!年)"
)
_PAST: Final = re.compile(
    r"(?:上上?个?(?:周|星期|礼拜)[一二三四五六日天末]?|上个?月|上次|上回|上个?季度|去年|前年|昨[天晚日]|前天|"
    r"前几天|前段时间)(?![的那这])"
    rf"|{_DOES}[好完过]?了(?!再|就|才|之后|以后|后|[吗呢解])"
    rf"|完毕[。！]?$|(?:刚刚|我刚)(?!好)|{_DOES}得(?:很|不|非常|挺|真|特别|太|比较)|不合适|不妥"
)
# What somebody sent or handed over: `我把合同发法务了`, `合同我发法务了`.
_HANDED: Final = re.compile(
    r"(?:^|[，,我])[把将][^，,]{1,16}了[。！!]?$|我[^，,去来]{0,10}?(?:发|交|送|寄|转|报|订|定|买|签|付|写|做|"
    r"改|查|打|约|问)[\u4e00-\u9fff]{0,6}了[。！!]?$"
)
_ONGOING: Final = re.compile(
    rf"我(?:们)?[^，,]{{0,6}}(?:正在?|一直在?|还在|在)(?:忙着?|着手)?(?:做|写|改|弄|等|"
    rf"跟|找|看|问|对|查|排|谈|约|忙|{_DOES})"
)
# A duty that stands already; from now on it is a new one.
_STANDING: Final = re.compile(
    r"(?:主要|一直|日常|平时|向来)(?:以来)?都?(?:是|由)?我?在?(?:负责|管|做)|"
    r"天天|月月|年年|每(?:天|日|周|月|年|季度|次|个?(?:周|月|星期|礼拜)[一二三四五六日天末初底]?)"
)
_FROM_NOW: Final = re.compile(r"以后|今后|往后|从[^，,]{1,8}(?:起|开始)|下(?:周|个?月|季度)(?:起|开始)|改为")
_REQUESTS: Final = re.compile(r"请|麻烦|辛苦|由|让|你")
_COURTESY: Final = re.compile(r"[^，,]{0,4}你(?:们)?(?:先|就|去)?(?:忙|歇着?|休息|别管了?)(?:吧|去吧|你的)?[。！!]?")
_OVER: Final = re.compile(
    r"(?<![而早])已(?:经)?(?:把|将|跟|和|给|联系|订|做|写|改|修|买|签|付|办|约|问|查|交|由|转|移交|安排|委托|被|"
    r"让|请|完成|处理|提交|发)|曾经?[\u4e00-\u9fff]{1,4}过|^(?:我们?)?(?:曾经)|^(?:此前|原先|原来|原本|本来|"
    r"曾经?|之前|以前)"
    r"|(?:是|为|当|任)[^，,]{0,4}负责人|是[^，,]{1,6}负责的"
    r"|感谢|谢谢|多谢|表扬|辛苦[^，,]{0,8}了|^(?:平时|平常|日常|通常|一般)"
)
_ADVISED: Final = re.compile(
    r"建议(?![书稿表函信])|最好|可以考虑|不如|提议(?![书稿])|推荐(?:由|让|请)|应该由|\b(?:probably|maybe|"
    r"perhaps|possibly|hopefully|might)\b"
    r"|(?<!check)(?<!see)(?<!ask)(?<!confirm)(?<!verify)(?<!out)(?<!test) if\b",
    re.IGNORECASE,
)
_SHOWS: Final = re.compile(r"^(?:下面|接下来|现在|首先)[，,]?(?:由|请)?我")
_SPEAKS: Final = re.compile(
    r"^(?:同志|老师|经理|来|先|再|也|简单|具体|向大家|给大家|为大家)*(?:发言|讲|说|介绍|谈|汇报|分享|"
    r"补充(?:一下|两句|几句|发言|$|。)|致辞|演示|展示|主持|回答|读|念|"
    r"看|听|坐|入座|进|开始|继续)"
)


def is_idle_request(rest: str, has_date: bool) -> bool:
    """Whether somebody is only asked to speak: `请李娜发言` is no work unless a day is said for it."""
    return not has_date and _SPEAKS.match(rest) is not None


def _is_over(part: str, sentence: str, *, is_reply: bool) -> bool:
    """A part that tells what was done, is being done or is always done, gives thanks, or only advises."""
    plain = part.strip("，,；;。 ")
    if _OVER.search(plain) or _ADVISED.search(plain) or _SHOWS.match(plain) or _COURTESY.fullmatch(plain):
        return True
    if _ONGOING.search(plain) and _AHEAD.search(sentence) is None:
        return True
    if _STANDING.search(plain) and not _FROM_NOW.search(sentence) and not _REQUESTS.search(sentence):
        return True
    is_past = _PAST.search(plain) or (not is_reply and _HANDED.search(plain))
    return bool(is_past) and _AHEAD.search(plain) is None


def cut_unmeant(sentence: str, *, is_reply: bool = False) -> str:
    """The parts of a sentence that are meant; empty for a condition, an example or a quotation.

    In a reply that says yes first, `好，我把价格调了` is still to come.
    """
    if _EXAMPLE.search(sentence) or _JOKE.search(sentence):
        return ""
    plain = _QUOTED.sub(lambda match: "" if _SAYING.search(sentence[: match.start()]) else match[0], sentence)
    if _CONDITION.search(plain):
        return ""
    parts = re.split(r"(?<=[，,；;])", plain)
    # What stands before a refusal is refused with it: `我下周要出差，写不了`.
    refused = max((at + 1 for at, part in enumerate(parts) if _REFUSED.search(part)), default=0)
    kept = [
        part for part in parts[refused:] if not (_REPORTED.search(part) or _is_over(part, plain, is_reply=is_reply))
    ]
    return plain if len(kept) == len(parts) else "".join(kept).strip("，,；; ")
