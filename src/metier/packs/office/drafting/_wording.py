"""Everyday wordings of a request for something new, in the words that the rules know; why it is wanted is set aside."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from metier.packs.office._counts import COUNT, PERIODS
from metier.packs.office._request_text import RequestText, rewrite_unquoted
from metier.packs.office.drafting._asides import asks, holds_anyway, is_aside, is_spoken, opens_list
from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.lists import find_lists
from metier.packs.office.drafting.talk import CUT, FREE, is_demand, is_statement

__all__ = ["drop_asides", "is_manner", "list_asides", "reword"]

_Q: Final = r"[“\"「][^”\"」]+[”\"」]"
_LIST: Final = r"(?:[^,，。;；:：、()（）]+、)+[^,，。;；:：、()（）]+?"
_IN_PERIOD: Final = re.compile(rf"(?<![\w.])(\d[\d,.]*\d|\d)\s+(?:in|for|during)\s+({PERIODS})", re.IGNORECASE)
_IS_ONE: Final = re.compile(r"\b(?:first|second|third|one|other|another)(?: table)?\s*$", re.IGNORECASE)


def _name_columns(found: re.Match[str]) -> str:
    is_one = _IS_ONE.search(found.string[: found.start()])
    return f"with {found[1]}" if is_one else f"with columns {found[1]},"


def _join_last(found: re.Match[str]) -> str:
    clause = re.split(r"[。;；:：]", found.string[: found.start()])[-1]
    return "、" if "、" in clause else "，"


# What people write, and the words of the rules for it; quotations stay as they are.
_PHRASES: Final[tuple[tuple[str, "str | Callable[[re.Match[str]], str]"], ...]] = (
    # where
    (r"(?:接|放|加|附|写|跟|留)?(?:在|到)(?:这份|这篇|本)?(?:全文|文档|正文|文章|文件|"
     r"报告)的?(?:后面|后头|后边|之后)|在?文后(?=[加附写补])", "在文末"),
    (r"一[个项条][\u4e00-\u9fff]{1,4}一[行列格](?=留|共|要|,|，)", ""),
    (r"最(?:上头|上边|前头|前边|顶上|顶头)|整篇的?最前面?|(?:最|顶)头上", "最前面"),
    (r"最(?:后头|后边|底下|下头|下边|末了)|(?:文件|文档|文章)的?(?:屁股|尾巴|末了)", "最后面"),
    (r"(?:下|底)头(?=跟|放|再|接|是|来|加|写|配)|底下(?=跟|放|再|接|是|来|加|写|配|[两三四一二\d])", "下面"),
    (r"\b(?:onto|on to|right at|at) the (?:very )?(?:end|bottom|back)\b", "at the end"),
    (r"\b(?:onto|on to|right at|at) the (?:very )?(?:top|start|front|beginning)\b", "at the top"),
    (r"\b(?:at the foot|on the last page) of\b", "at the end of"),
    # doing
    (r"(?:给我)?(?<![突超支退付列举])(?:续|接|跟|带|拉|挂|搁|添|缀|贴|来|弄|整|搞|起|配|摆|出)(?:上|"
     r"出)?(?=[一二两三四五六七八九十\d]?[个张份页条幅段块])", "加"),
    (r"空架子|架子|空壳子?|样子(?=[:：])|空白样本", "模板"),
    (r"\b(?:tack|pop|stick|throw|slip|slot) (?:in|on)?\b|\bdrop (?:(?:in|on)\b|(?=an?\b))", "add "),
    (r"\b(?:set|lay|laid|write|draw|work) (?:up|out)\b", "make"),
    (r"艺术字(?:写|做|弄|搞)?得?(?:醒目|大|显眼|好看|漂亮|花哨)一?[点些]?", "艺术字"),
    # columns
    (rf"(?:表头|列名|栏目|字段|列标题|抬头|栏名)(?:就|里|上|分别|依次)*(?:(?:设置?|设定|拟定?|定|标|列)(?:为|成)|(?:写|用|叫|放|要|填)?(?:成|上|"
     rf"有)?)\s*(?=(?!为|是|:|：|行|有|的|写){_LIST})", "表头为"),
    (rf"(?:依次|顺序)(?:是|为|写|放)\s*(?={_LIST})", "表头为"),
    (r"[,，]\s*(?:最后|末尾|最末)(?:一[项列栏个])?(?:是|为)(?=[^,，。;；:：、\d]{2,12}(?:$|[。,，;；]))", _join_last),
    (r"(?<=[\u4e00-\u9fff])[,，]\s*最后(?=(?!.*[加放写插附留做要来列算求给画出合总])[\u4e00-\u9fff]{2,6}[。]?$)",
     _join_last),
    (rf"(?<=[\u4e00-\u9fff])从({_LIST})(?:一?直|再)?到(?P<last>[^,，。;；:：、\d]{{2,12}})(?=$|"
     rf"[。,，;；])", r"包括\1、\g<last>"),
    (r"\b(?:with|i want|use|i need|we need|have|put|and)\s+((?:(?!\bwith\b)[^.;:?!])+?)\s+as (?:its |the |"
     r"their |my )?(?:column(?: name)?s?|"
     r"heading(?:s)?|headers?)(?=[\s,.;]|$)",
        _name_columns),
    (r"\bwith ((?:[^,.;:/]+[,/])+[^,.;:/]+?) (?:across|along|at|on) the top\b", r"with columns \1,"),
    (r"(?P<lead>^|[.;:?!]\s+)((?:[^,.;:/]+[,/])+[^,.;:/]+?) (?:across|along|at|on)"
     r" the top\b", r"\g<lead>columns \2,"),
    (r"\bheadings?\s+(?=[\u4e00-\u9fff])", "columns "),
    (r"\bsections? (?:headed|titled|called|named|:)\s*", "sections "),
    (r"\bcolumns for\b", "columns"),
    (r"(?<=[A-Za-z]) / (?=[A-Za-z])", "/"),
    (r"\bword-art\b", "word art"),
    (r"\bon the (?:subject|topic|theme)(?: of)?\s+", "about "),
    # rows and weeks
    (r"(?:各|每)?(?:任务|进度|周次?|单元|时间)?(?:的)?格子?(?:里|内)?(?:就|都|先|暂时?|全部?|一律|统一|请|均)*(?:空着|留空|留白|空白|不填|不画|不涂|空出来)"
     r"(?:不填|即可|就行|就好|吧)?", "空格子"),
    (r"\b(?:and )?(?:please )?(?:leave|leaving|keep|keeping|with) (?:all )?(?:the )?(?:week |grid |other |schedule )?"
     r"(?:cells|grid|boxes|squares|weeks)"
     r" (?:blank|empty|free)(?: for now| for the moment)?\b", "with an empty grid"),
    (r"(?:with )?one column (?:per|for each|for every) week\b|(?:每|一)周(?:占|用|各|写)?一列", ""),
    (rf"\b({COUNT}) (?:empty |blank )*lines? to (?:write on|fill in|write in|complete)", r"\1 rows"),
    (rf"\b(?:room|space|place) for ({COUNT}) (?:entries|items|tasks|lines|rows|records)", r"\1 rows"),
    (r"(?:下面|底下|里面)?(?:一行|一条|什么|数据)(?:内容|数据)?(?:都|也)(?:不要|不用|别放|不需要|"
     r"没有)", "不要数据行"),
    (r"(?:光|单|就)(?:是|有|要|留|带)?(?:一[个行])?表头", "只有表头"),
    (r"\bno rows? (?:beneath|below|under|underneath)(?: it)?\b|\bnothing (?:beneath|below|under|underneath)"
     r"(?: it)?\b", "no data rows"),
    (r"内容行|数据行(?=要|[一二三四五六七八九十\d])", ""),
    # charts and figures
    (r"(?<![\w.])(\d+)\s*(?:x|×|pcs(?: of)?|pieces of)\s+([A-Za-z][A-Za-z -]{1,30}?)\s+(?:at|@|for)\s+[£$€]?(\d[\d.]*)"
     r"(?: each| apiece)?(?=\s*(?:[,;]|\.(?!\d)|and\b|$))", r"\2 x\1 at \3"),
    (r"(?:只|就|单独)?(?:突出|强调|展示|显示|放|写|亮出)(?:出)?(?:一|1)个(?:大|关键|核心|重点)?数字"
     r"(?=[:：,，是为])", "KPI"),
    (r"[,，]\s*(?:数字|字体?|字号)(?:要|得|弄|写|放|做)?(?:得)?(?:特别|尽量|越|要)?(?:大|醒目)"
     r"(?:一?[点些]|越好)?(?=[,，。]|$)", ""),
    (r"(?:用|拿|画成|做成|变成)?柱子(?:来)?(?:表示|画|展示|显示|比较)?|柱图(?!表)", "柱状图"),
    (r"(?:画|拉|连)(?:成|个|条|一?条)?(?:折|曲)线(?!图)", "画折线图"),
    (r"(?:画|做)(?:成|个|一?个)?饼(?!图|状)", "画饼图"),
    (rf"(?:(?<![\w.])\d[\d,.]*\s+(?:in|for|during)\s+(?:{PERIODS})[,;]?\s*(?:(?:[a-z'’]+\s+){{0,6}}(?=\d))?){{2,}}+",
        lambda found: ", ".join(f"{one[2]} {one[1]}" for one in _IN_PERIOD.finditer(found[0]))),
    (r"(?:帮我|给我|都|先)*(?:录|填|输|记)(?:进去|进来|上去|一下|到表里)", "录入"),
    (r"(?:顺手|顺便|顺带)(?=画|做|加|来|出)", ""),
    (r"(?<=图)(?:来)?看看?(?:走势|趋势|变化|效果)", ""),
    (r"\s+(?:under|below|beneath|underneath) (?:them|it|that)\b", ""),
    (r"\s+for (?:the |my |our )?\w+(?: \w+)? to (?:fill in|write on|write in|complete|sign)\b", ""),
    (r"(?:加总|求和|加一加|加起来|合起来|拢一拢|合一合|归一?归|归总|"
     r"合(?:计|到)一(?:下|起)(?:算总数)?|加(?:在|到)?一(?:起|块)|算个?总(?:数|账|和)?)(?:一下)?", "汇总"),
    (r"按(.{1,4}?)(?:给我|帮我|来|都)+(?=汇总)", r"按\1"),
    (r"(?:差额|差异|差值|偏差)(?:那|这)?(?:一)?[列栏]?(?:让表|用公式|要|自己|自动|写|请|来)*(?:写|"
     r"用)?(?:公式)?(?:自己|自动)?(?:算|计算|公式)(?:出来)?"
     r"(?:[,，]\s*(?:别|不要|不能)(?:给我)?写死(?:了)?)?", "差额用公式计算"),
    (r"(?:最后|末尾|末行|最后一行)?(?:再)?(?:算|加|给|列|求|来)(?:个|一?个|一下|出)?(合计|总计|总价)", r"最后加\1"),
    (r"\b(?:work|figure) out the (?=合计|total)", "add the "),
    # titles and notes
    (rf"(?:名字|图名|标题|题目|名称)(?:就|还|也)?(?:用|叫|写|起|取)?(?:成|作)?(?={_Q})", "标题为"),
    (rf"副标题为?(?:写|是|用)?(?:上|成)?(?:我们|咱们|本|我)?(?:部门|单位|公司|处室)?(?:的)?(?:名字?|"
     rf"名称)?(?={_Q})", "副标题"),
    (rf"(?:下面|底下|旁边|图下|图底下)?(?:小字|小一?点)(?:的)?副标题(?={_Q})", "副标题"),
    (rf"(?:大标题|主标题)(?:写|是|为)?(?={_Q})|(?:大字)(?:写|是|为)?(?={_Q}.*副标题)", "标题为"),
    (rf"(?:别忘了?|记得|不要忘了?)(?:写|加|标|注|带|放)?(?:上|明)?(?:一?句)?(?={_Q})", "注明"),
    (rf"(?:注|写|标)(?:上|明)?(?:一?[句行])(?:话|字|说明)?(?={_Q})", "注明"),
    (rf"(?<=[图表]|[下后]|[面方头边])(?:[再也都要]*)(?:加|配|附|补|来|放|跟)(?:上|个)?一"
     rf"(?:句|行)小?(?:话|字|说明|文字)?[:：]?(?={_Q})", "注明"),
    (r"(?<=[”\"」])(?:这|那)(?:一)?[句行](?:说明|话|字)?", ""),
    (rf"\bcaption (?:it|that|this)(?: as)?\s*(?={_Q})", "caption "),
    (r"\bthis week's report\b", "weekly report"),
    (rf",?\s*(?:and )?(?:write|put|add)\s+(?P<it>{_Q})\s+(?:underneath|below|beneath|under)(?: it| the chart|"
     rf" the picture)?", r", note \g<it>"),
    (rf"(?P<it>{_Q})\s+as (?:a |the )?bold (?:heading|title|headline)", r"bold heading \g<it>"),
    (r"\bas (?:big|large|huge) as (?:possible|you can|it gets|it can be)\b", "in very large type"),
    (r"大数字页?|(?:特|超|巨)大(?:的)?(?:字|数字)", "KPI"),
    (r"(?<=[,，。;；])\s*(?:并|再|请|都|要)?(?P<order>依次|分别|逐一|按顺序)?写(?:上(?![海级市线报限下午周次月学课班])|"
     r"明(?![天年显确细星])|[清入进])(?=[^,，。;；、：:\"“”]{2,12}、)", r"\g<order>写"),
    # kinds
    (r"\b(?:box|space|spot|frame|gap)\b[^,.;“\"]{0,20}?\b(?:picture|photo|image|figure|drawing)\b(?: (?:will|"
     r"can|should|is to|is going to|"
     r"goes|belongs|comes))*(?: (?:go|be|come|stand))?(?: later)?", "picture placeholder"),
    (r"(?:占|留)(?:一?个|出|好)*(?:放|贴)?(?:图片?|照片|插图)(?:的)?(?:位置?|地方|空|框)", "图片占位"),
    (r"\b(?:slide|page) that (?:shouts|screams|just says|shows off)\b", "KPI slide"),
    (rf"\bwith\s+(?P<it>{_Q})\s+(?:written |printed |shown |set |put )?(?:underneath|below|beneath|under)"
     rf"(?: it)?(?: as (?:the|a|its) (?:label|caption))?",
        r"label \g<it>"),
    (rf"(?P<it>{_Q})\s*(?:当|作为?|做)(?:小|大)?标题", r"标题\g<it>"),
    (rf"(?:一?[个条])?(?:粗体|加粗|黑体)的?(?:小|大)?(?={_Q})", "加粗标题"),
    (rf"加粗标题(?P<it>{_Q})标题", r"加粗标题\g<it>"),
    (rf"(?:小|大)?标题为?(?P<it>{_Q})[,，]?\s*(?:要|用|得|字)?(?:加粗|粗体|粗一?点)(?:的)?", r"加粗标题\g<it>"),
    (rf"(?:第?[一二]|另外?一|另|前|后)(?:行|句)(?:是|写|为)?(?={_Q})", ""),
    (r"(?:另起|接着|再|下面|底下)([两三四二\d])行(?=[:：])", r"\1行文字"),
    (r"(?:细|分|写|列)?到第?([一二三四五])级(?:标题)?", r"\1级标题"),
    (rf"\b({COUNT}) levels? deep\b", r"\1 levels"),
    (r"(?:[按用标以照]\s*|(?<=[,，。;；(（])\s*|^\s*)1[、,，.]\s*2[、,，.]\s*3(?:[、,，.]\s*\d)*(?:这样)?(?:的)?(?:编号|列|排|写|标)*(?:出来|"
     r"好|下来)?", "编号列出"),
    (r"[一1]级?[、,，]\s*[二2]级?[、,，和及]\s*[三3]级标题(?:都|全|均)*(?:要)?(?:有|俱全|齐全)?的?", "三级标题"),
    (r"(?:时间线|时间轴)的?(?:片子|幻灯片?|PPT)", "时间线页"),
    (r"总共|一总", "共"),
    (r"(?<=[张个])(?:登记|记录)(?=[\u4e00-\u9fff]{1,4}[（(])", ""),
    (r"前一?([张个])(?=[\u4e00-\u9fff]{0,6}[（(])|头一?([张个])(?=[\u4e00-\u9fff]{0,6}[（(])", "第一张表"),
    (r"后一?([张个])(?=[\u4e00-\u9fff]{0,6}[（(])", "第二张表"),
)  # fmt: skip
_COMPILED: Final = tuple((re.compile(form, re.IGNORECASE), new) for form, new in _PHRASES)
# Manner and courtesy: what holds anyway, or is said to the reader and not about the file.
_MANNER: Final = re.compile(
    r"(?:先)?(?:空着?)?(?:内容|正文|文字|数据|里面|其余|剩下的?|后面的?|具体的?)?(?:我们?|大家|他们|同事们?|"
    r"领导)?(?:之后|以后|回头|待会儿?|后面|晚点|明天)*"
    r"(?:我们?|大家|他们)?(?:再|会|来|就)?(?:自己|手动|手工|慢慢)(?:再|会|来|去)*(?:填|写|补|弄|改|加|画)"
    r"(?:进去|上去|上|内容)?|"
    r"(?:我|实在|完全|现在|暂时)?(?:没|毫无|没有)(?:什么)?(?:头绪|思路|主意|想法)|(?:先后)?(?:顺序|次序|前后)"
    r"(?:可|千万)?(?:别|不要|不能)(?:给我)?(?:弄|搞|放|写|排)?"
    r"(?:反|乱|错|颠倒)了?|一[个项条][\u4e00-\u9fff]{1,4}(?:占|用|写)?一[行列格]|"
    r"每[个项条]?(?!.{0,3}[空隔间超])[\u4e00-\u9fff]{1,4}(?:占|用|写)?一[行列格]|"
    r"(?:不用|不要|别|无需)(?:太|很|搞得太)?(?:复杂|花哨|讲究|麻烦)|(?:越)?(?:简单|简洁|精简|清爽|朴素)"
    r"(?:一?[点些])?(?:就|越好)?(?:行|好|可以)?|"
    r"(?:数量|单价|金额|[\u4e00-\u9fff]{2,4})(?:[、和][\u4e00-\u548b\u548d-\u9fff]{2,4})*(?:要)?(?:分开|单独|各自?)(?:列|写|"
    r"放|一列)|看看?(?:走势|趋势|变化|效果)|"
    r"(?:嗯|呃|额|那个|就是|哎|喂|对了|注意(?:哈|啊|了)?|嗨|你好|您好|hi|hello|hey|ok|okay)+|注意|"
    r"(?:别|不要|不能)(?:给我)?(?:写|填)死(?:数字?|了)?|(?:先|再|接着|然后|另)*(?:加|来|做|弄|放)(?:一|1)[张个份][^,，\d]{1,6}的|"
    r"(?:辛苦|谢谢|多谢|拜托|麻烦)(?:了|你了|您了|啦)?|急用?|挺?急的|"
    r"nothing (?:fancy|special|too fancy)|(?:and )?(?:keep it|just something) simple|in (?:that|this|the same) order|"
    r"(?:and )?(?:i|we|they|the team|someone|people)(?:['’]ll| will| can| shall|['’]d like to|"
    r" want to)? (?:then |just )?(?:write|fill|add|do|complete|type|draw|put)\b[^,.;:]{0,30}"
    r"(?:myself|ourselves|themselves|later|in|by hand|afterwards)|(?:i|we) (?:don['’]t|do not|haven['’]t|"
    r"have not)[^,.;:\d]{2,30} yet|"
    r"for (?:the |my |our )?\w+(?: \w+)? to (?:fill in|write on|complete|sign)|(?:many )?thanks(?: a lot)?|"
    r"thank you|cheers|please|that(?:'s| is) all|will do|(?:and )?that will do",
    re.IGNORECASE,
)
_SO: Final = re.compile(r"\s*(?:,?\s*so\b|所以|因此|于是)\s*", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"[了着过吧呢]$|^(?:就|都|我|你|他|她|大家|今天|明天|下午|上午)|[要想让会肯没]")
_SHORT: Final = 5
_MAX_REQUESTS: Final = 64  # a draft divides the same request four times


def reword(request: str) -> str:
    """The request in the words of the rules, without reasons and manners; quotations stay as they are."""
    return drop_asides(rewrite_unquoted(request, _reword))


def _reword(request: str) -> str:
    said = request
    for form, new in _COMPILED:
        said = form.sub(new, said)
    return re.sub(r",\s*(?=[,.;])", "", said) if said != request else said


def drop_asides(said: str) -> str:
    """The request without the clauses that only tell something, and without what holds anyway."""
    return _divide(said)[0]


def list_asides(said: str) -> list[str]:
    """Clauses of a request that are set aside because they only tell something; manners and thanks are left out."""
    return list(_divide(said)[1])


def is_manner(clause: str) -> bool:
    """Whether a clause is courtesy or asks for no more than what is done anyway."""
    return _MANNER.fullmatch(clause) is not None


# For whom something is, before the word for it: 要发给王总的周报.
_WHOSE: Final = re.compile(
    r"(?:^|(?<=[,，。;；:：]))[^,，。;；:：的、\d“]{0,8}(?:要|得|准备|打算|急着)(?:发|交|报|送|拿|寄|呈|递)(?:给|到|去)?[^,，。;；:：的、\d“]{0,6}的"
    r"(?=[^,，。;；:：、\d“]{0,8}(?:[周月季年]报|报告|纪要|表格?|清单|方案|[提大]纲|单|幻灯片|PPT)(?:$|[,，。;；:：]))"
)


@lru_cache(_MAX_REQUESTS)
def _divide(said: str) -> tuple[str, tuple[str, ...]]:
    """What is kept of a request, and the clauses that only tell something."""
    whose = [found[0] for found in _WHOSE.finditer(RequestText(said).mask)]
    said = said if not whose else _strike(said, whose)
    mask = RequestText(said).mask
    edges = [0, *(found.end() for found in CUT.finditer(mask)), len(said)]
    parts = [(said[start:end], mask[start:end]) for start, end in pairwise(edges) if start < end]
    bare = [CUT.sub("", f"{shown} ").strip(" .:：") for _, shown in parts]
    starts = [start for start, end in pairwise(edges) if start < end]
    kept: list[str] = []
    told: list[str] = [*whose]
    found_lists = list(find_lists(RequestText(said)))
    lists = [(one.start, one.end) for one in found_lists]
    names = {item for one in found_lists for item in one.items if len(item) > 1}
    content = _start_of_content(mask)
    first = next((at for at, clause in enumerate(bare) if asks(clause)), len(bare))
    for at, (part, _) in enumerate(parts):
        clause = _SO.sub("", bare[at], count=1) if _SO.match(bare[at]) else bare[at]
        end = starts[at] + len(part)
        in_list = any(start < end and starts[at] < stop for start, stop in lists)
        in_list = in_list and not (at == 0 and _SENTENCE.search(clause))
        is_content = starts[at] >= content or in_list
        is_content = is_content or any(name in clause for name in names)
        is_told = not is_content and _is_told(clause, is_before=at < first) and not _is_between_names(bare, at)
        only_topic = not is_told and _is_only_topic(bare, at)
        if only_topic:
            kept.append(f"{only_topic}, ")
        elif (
            is_told or (_MANNER.fullmatch(clause) and not (in_list and len(clause) < _SHORT)) or holds_anyway(clause)
        ) and len(parts) > 1:
            _close(kept, part, is_last=at + 1 == len(parts))
            is_manner = _MANNER.fullmatch(clause) or holds_anyway(clause)
            told += [] if is_manner else [part.strip(" ,，。;；.!！?？:：\n")]
        else:
            kept.append(part[found.end() :] if (found := _SO.match(part)) else part)
    shown = "".join(kept).strip()
    return (shown, tuple(told)) if shown else (said, ())


def _strike(said: str, parts: Sequence[str]) -> str:
    for part in parts:
        said = said.replace(part, "", 1)
    return said


def _is_told(clause: str, *, is_before: bool) -> bool:
    """Whether a clause only tells something; behind the first order it must be surely so."""
    if is_statement(clause):
        return False
    return (is_aside(clause) and not is_demand(clause)) if is_before else is_spoken(clause)


def _is_only_topic(clauses: Sequence[str], at: int) -> str:
    """The thing that a clause names beside which nothing is asked for in it, where no other clause names one."""
    if not _MANNER.fullmatch(clauses[at]):
        return ""
    found = next((one for topic in list_topics() if (one := topic.pattern.search(clauses[at]))), None)
    if found is None:
        return ""
    others = [one for number, one in enumerate(clauses) if number != at]
    return "" if any(topic.pattern.search(one) for topic in list_topics() for one in others) else found[0]


_PAIR: Final = re.compile(r"[,，]\s*的?(?:对策|应对|措施|办法)(?:措施|办法)?(?:是|为|:)|——|→|->")


def _start_of_content(mask: str) -> int:
    """Where text of the user's own begins: after a colon behind an order, or after the word for free sentences."""
    # Behind the word for points a colon says where they begin.
    points = [
        mask.find(":", found.end()) + 1 or found.end()
        for topic in list_topics()
        if topic.kind == "points"
        for found in topic.pattern.finditer(mask)
    ]
    points += [found.end() for found in FREE.finditer(mask)]
    if len(pairs := list(_PAIR.finditer(mask))) > 1:
        points.append(
            max((one.end() for one in re.finditer(r"[。:\n]|\.\s", mask[: pairs[0].start()])), default=len(mask))
        )
    colons = [found.end() for found in re.finditer(":", mask) if opens_list(mask, found.start())]
    return min((*points, *colons), default=len(mask))


def _is_between_names(clauses: Sequence[str], at: int) -> bool:
    """Whether the clause may be one of several short names between commas."""
    if _SENTENCE.search(clauses[at]):
        return False
    near = [clauses[one] for one in (at - 1, at + 1) if 0 <= one < len(clauses)]
    sizes = [len(one) if re.search(r"[\u4e00-\u9fff]", one) else len(one.split()) * 2 for one in (clauses[at], *near)]
    return sizes[0] <= 6 and any(size <= 6 and not asks(one) for size, one in zip(sizes[1:], near, strict=True))


def _close(kept: list[str], dropped: str, *, is_last: bool) -> None:
    """Let what was kept end as what was dropped did: with a colon before a list, with nothing at the end."""
    if kept and (is_last or dropped.rstrip()[-1:] in (":", "：")):
        kept[-1] = kept[-1].rstrip(" ,，;；:：") + ("" if is_last else dropped.rstrip()[-1] + " ")
