"""Kinds of remarks, and what a plan must have for a remark of that kind to say nothing new."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonObject
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office.drafting._asides import holds_anyway, names_look
from metier.packs.office.drafting.remarks._facts import PlanFacts, read_facts

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["holds_in", "may_refuse", "may_remark"]


@dataclass(frozen=True, slots=True)
class RemarkKind:
    """Words of one kind of remark, and whether a plan bears it out."""

    pattern: "re.Pattern[str]"
    is_borne_out: "Callable[[PlanFacts], bool]"
    is_look: bool = False  # it speaks of the look that the plan gives


def _kind(is_borne_out: "Callable[[PlanFacts], bool]", *patterns: str, is_look: bool = False) -> RemarkKind:
    return RemarkKind(re.compile("|".join(patterns), re.IGNORECASE), is_borne_out, is_look)


def _is_open(facts: PlanFacts) -> bool:
    return facts.has_empty_rows or facts.has_header_alone or facts.has_places


_SOON: Final = (
    r"(?:到时候?|回头|以后|之后|稍后|随后|晚点|后面|后续|过后|今晚|晚上|下午|明天|明早|后天|开会时|现场|下周|"
    r"等[\u4e00-\u9fff]{1,6}(?:了|后|以后)?再?)"
)
_WHOM: Final = (
    r"(?:我们?|咱们?|他们|她们|大家|各自|大伙|同事们?|员工|学生|家长|护士们?|老师们?|工人们?|师傅们?|工程师|业务员|"
    r"前台(?:的姑娘)?|各?[\u4e00-\u9fff]{0,3}(?:班组|科室|部门|小组|单位|门店|车间|班级|部|科|组|处|队|店|室|员|师))"
)
_WHAT: Final = (
    r"(?:填写内容|填写部分|填写项|内容|数字|数据|数值|细节|正文|文字|明细|结果|空格|格子|单元格|空白处?|"
    r"其余的?|其他的?|其它的?|剩下的?|"
    r"余下的?|具体的?|后面的?|里面的?|里头的?|下面的?|其中的?)"
)
_FILL: Final = r"(?:填写?|写|补|录入?|贴|粘贴?|抄|记|登记|手填|手写|往里填|往里写|敲)"
_LATER: Final = _kind(
    _is_open,
    rf"(?:那|就|而|反正|至于)?(?:{_WHAT}){{0,2}}(?:都|就|则|先|由|让|请|给|等)?{_SOON}?(?:都|就|再|由|"
    rf"让)?{_WHOM}?{_SOON}?(?:分头|各自|自己|亲自|手工|手动|用笔|一边[\u4e00-\u9fff]{{1,3}}|边[\u4e00-\u9fff]边)?"
    rf"(?:再|来|会|去|慢慢|直接)?{_FILL}(?:上去?|进去|进来|进|好|一下|就行|就好|即可|吧|的|了)?",
    rf"(?:留给?|方便|便于|好让|供)?{_WHOM}(?:自己|手工|手动|现场)?{_FILL}(?:用|的)?",
    r"(?:and |but |so )?(?:the |my |our |each |every )?(?!(?:please|just|then|and|don['’]?t|do|never|always|only)\b)"
    r"[a-z'’]+(?: [a-z'’]+)?(?:['’]ll| will| can| shall|['’]d| are going to| is going to)?"
    r"(?: then| just| all| each)* (?:fill|fills|complete|completes|write|writes|add|adds|type|types|enter|enters|"
    r"finish|finishes) "
    r"(?:(?:it|them|that|this|those|everything|the (?:rest|details|content|contents|text|figures|numbers|boxes|"
    r"blanks|gaps|cells)|all of it|all of them)\b ?)?"
    r"(?:in |out |up |later |on )?(?:(?:by hand|on site|together|myself|ourselves|themselves|later(?: on)?|"
    r"afterwards|"
    r"tomorrow|tonight|on the day|as we go|in the (?:meeting|morning|evening|field)|at the meeting)(?: |$)){0,2}",
)
_EMPTY: Final = _kind(
    _is_open,
    rf"(?:{_WHAT}|位置|行|表格?|栏目?|项目)?(?:里面?|下面)?(?:就|都|先|暂时?|目前|一律|也|可以|请|给我|帮我|全部?)*"
    r"(?:空着|留空|空白|留白|占着|空出来|不用填|不用写|不必填|不必写|不需要写|不填|不写|别填|别写|"
    r"是空(?:白?的?格子?|白的?|的)|空|待填写?|备填)"
    rf"(?:着)?(?:[待备]填写?)?(?:就)?(?:行|好|成|可以|即可)?(?:了|吧|的|哈)?",
    r"(?:先|暂时)?占(?:一?个|住)?(?:位置?|地方)(?:就)?(?:行|好|成)?(?:了|吧)?",
    r"(?:and |just |please |but )*(?:leave|keep) (?:them|it|all of (?:them|it)|everything|the (?:rest|rows|cells|"
    r"boxes|body|content|contents|text|fields)|those|these)"
    r"(?: all| rows)? (?:empty|blank|open)(?: for now| please)?|(?:they|it|the (?:rows|cells|rest)) (?:can|should|"
    r"may) (?:be|stay) (?:left )?(?:empty|blank)(?: for now)?",
)
_NO_ROWS: Final = _kind(
    lambda facts: facts.has_header_alone and not facts.has_empty_rows,
    r"(?:下面|底下|表头下|里面|其他|其余|数据行?|内容行?)*(?:的)?(?:一|半)?[行条]?(?:都|也|就|先|暂时)*(?:不要|不用|"
    r"不需要|不留|别留|别放|别加|不加|没有|不放|都不要)(?:了|数据|内容|任何内容|行|数据行|内容行)?",
    r"(?:所以|因此|那)?(?:这张?|那张?)?表格?(?:里面?|里头|下面|底下)?(?:就|都|先)?(?:不用|不要|不必|别|"
    r"不需要)(?:再)?[留空加]出?(?:空白?|数据)?行(?:了)?",
    r"(?:空|数据|内容)行(?:一行|半行)?(?:也|都)?(?:不要|不用|别留|不留)(?:了)?",
    r"(?:and |but |so )*(?:no|without(?: any)?) (?:data |body |empty |blank |further |other )?rows?(?: (?:below|"
    r"beneath|under|underneath)(?: it)?)?",
)
_ROWS_LATER: Final = _kind(
    lambda facts: facts.has_header_alone and not facts.has_empty_rows,
    rf"(?:(?:其余|其他|其它|下面|后面|具体)的?)?(?:空白?|数据|内容)?的?行(?:都|就|则|"
    rf"由{_WHOM})?{_SOON}(?:再|另行?)?(?:{_WHOM})?(?:自己|自行)?"
    r"(?:加|补|增加|添加|插入?|增补)(?:上去?|进去)?(?:就行|即可|吧|的|了)?",
    r"(?:and |but )?(?:the )?(?:other |further |remaining |data |body |more )*rows (?:will |can |are to |to )(?:be )?"
    r"(?:added|follow|come|inserted)(?: in)?(?: later(?: on)?| afterwards| by hand)?",
)
_WEEKS: Final = _kind(
    lambda facts: facts.has_weeks,
    r"(?:各|每)(?:个|项)?任务(?:名称?)?(?:各|都|单独)*占?[一1]行|(?:各|每个?)周(?:各|都|单独)*占?[一1]列",
    r"除(?:了)?(?:表头行?(?:和|与|及|加|、))?(?:任务(?:名称?|名)?(?:那|这)?(?:[一1]?列)?(?:(?:和|与|"
    r"及)表头行?)?)(?:之?外|以外)|"
    r"(?:首行|第一行)(?:为|是|放)表头|(?:首列|第一列|左列)(?:为|是|放|写)任务(?:名称?|名)?",
    r"(?:也|都|再)?(?:不要|不加|没有|无|别加|不得增加|不设|不需要)(?:再有|任何)?(?:其他|其它|别的|"
    r"额外)的?(?:行(?:和|与|或|、)?列?|列)",
    r"(?:and |with )?(?:one|a|1|each) row (?:per|for each|for every) task|(?:and |with )?(?:one|a|"
    r"1) column (?:per|for each|for every) week|"
    r"(?:and |with )?no (?:other|further|extra) (?:columns|rows|rows (?:and|or) columns|columns (?:and|or) rows)",
)
_CLEAR: Final = _kind(
    lambda _: True,
    r"(?:这样|也|让|为了|好让|省得)?(?:大家|谁|领导|老板|客户|他们|她们|他|她|我们?|人家?|别人|读者|家长|居民|一看|"
    r"看的人)?(?:都|就|也|能|可以|才)*(?:一眼|一下子?|一看|随时|当场)?(?:就|都|能)*"
    r"(?:看得?|看着|看起来|读得?|读着|瞧着|查着|找着|念着|核对着)(?:也|都|就|更|才|能)*(?:清楚|清晰|明白|方便|省事|"
    r"懂|了然)(?:些|一?点|了)?(?:就)?(?:行|好|成|可以)?(?:了|吧)?",
    r"(?:要|得|能)?(?:一眼|一下子)(?:就)?(?:能)?看(?:得)?(?:清楚?|明白|懂|出来)(?:了)?(?:就)?(?:行|好|成|可以)?(?:了|"
    r"吧)?|一目了然(?:就)?(?:行|好|成)?",
    r"(?:这样|也|让|方便|便于)?(?:大家|他们|我们?|领导)?(?:好|方便|便于|容易)(?:念|读|查|找|核对|对照|对账|登记|记)"
    r"(?:一?[点些])?(?:了|的)?",
)
_HEADER: Final = _kind(
    lambda facts: facts.has_bold_headers,
    r"(?:表格?的?)?(?:表头|首行|标题行|列名|第一行)(?:那?一?行)?(?:的?(?:文字|字))?(?:也|都|要|记得|请|务必|一定|"
    r"别忘了?|最好|得|应|需|给我|帮我)*(?:加粗|粗体|加黑|用粗体|粗一?点|清楚|清晰|醒目)(?:显示|一下|哦|啊|哈|些|一?"
    r"点)?",
    r"(?:记得|请|务必|别忘了?|并)?(?:把)?(?:加粗|加黑)(?:表头|首行|标题行|列名)",
    r"(?:and |with |please )*(?:the |a |its )?(?:header|heading|title)s?(?: row| line)? (?:(?:should|must|needs? to|"
    r"has to|is to|ought to) be |is |to be |goes )?(?:in )?bold(?:ed)?(?: please)?",
    is_look=True,
)
_LARGE_TEXT: Final = _kind(
    lambda facts: facts.has_large_text,
    r"字(?:号|体)?(?:要|得)?大一?[点些](?:,|更|也)?(?:显眼|醒目|好认)?(?:就)?(?:行|好|成|可以)?(?:了|吧|哈)?",
    r"(?:要|得|尽量|字号?|务必|一定)*(?:醒目|显眼|大气|大|突出)(?:一?[点些])?(?:就)?(?:行|好|成|可以)?(?:了|吧|"
    r"哈)?",
    r"(?:as |nice and |really |very )*(?:big|large|bold|obvious|visible|clear)(?: and (?:big|large|bold|obvious|"
    r"visible|clear))?(?: (?:is|would be) (?:fine|good|great|ok)(?: (?:by|with) me)?| please)",
    is_look=True,
)
_STRIKING: Final = _kind(
    lambda facts: facts.has_large_text,
    r"(?:我|就|也)?(?:想|要|想要|得有)(?:弄|来|有|做)?一?个(?:好看|醒目|漂亮|显眼|"
    r"大气)(?:一?[点些])?的(?:标题|题目|大标题|抬头)",
    is_look=True,
)
_PLAIN: Final = _kind(
    lambda _: True,
    r"(?:我|我们|也|就)?(?:想|要|尽量|希望)?(?:做得?|弄得?|写得?)?(?:简单|简洁|"
    r"简短)(?:一?[点些])?(?:就)?(?:行|好|成|可以)?(?:了|吧)?",
)
_HEADINGS: Final = _kind(
    lambda facts: facts.has_headings,
    r"每(?:一)?(?:块|部分|节|项|段)(?:前面|上面|都|也|要|得|各)*(?:有|带|配|加|写)(?:上|着)?(?:一?个)?(?:小|"
    r"二级)?标题",
)
_FORMULAS: Final = _kind(
    lambda facts: facts.has_formulas,
    r"(?:千万|请|也|可)?(?:别|不要|不用|不能|勿|不许)(?:给我|再|去|用)?(?:手算|手工算?|手动算?|口算|心算|计算器算?|"
    r"按计算器|手填|写死)(?:了|出来|的)?",
    r"(?:各?[\u4e00-\u9fff]{0,4}的?)?(?:合计|总计|小计|数字?|金额|结果|总数|汇总数?|差额|差异)(?:都|全|也)?(?:要|得|"
    r"请|需|必须)?(?:用|走|由|靠|拿)公式(?:来)?(?:算|计算|得|生成|自动算|出)?(?:出来|得出|的)?",
    r"(?:and |but |please |so )*(?:use |with |using )?(?:real |live |proper )?formulas?(?: please)?(?:,?"
    r" not typed(?: numbers| figures)?)?|(?:and |but )?not typed(?:-in)?(?: numbers| figures| by hand)?",
)
_AMOUNTS: Final = _kind(
    lambda facts: facts.has_formulas or facts.has_amounts,
    r"(?:各项|每[行项])?的?(?:金额|小计|总价|差额|合计)(?:都|也|请|要|得|帮我|给我|自动)*"
    r"(?:算好|算出来?|算上|算清楚?|自动算|计算好|计算出来)(?:了)?",
    r"(?:and |please )*work out the (?:amounts?|totals?|sums?)|(?:with )?(?:the )?amounts? (?:worked out|calculated)",
)
_THOUSANDS: Final = _kind(
    lambda facts: facts.has_thousands,
    r"(?:所有)?(?:的)?(?:金额|数字|数值|钱数?|各列)?(?:都|也|要|得|请|给我|帮我|统一|一律)*(?:带|用|加|有|"
    r"显示成?)(?:上|着)?千[位分]位?(?:的)?"
    r"(?:分隔)?(?:符号?|逗号|格式)?(?:就)?(?:行|好)?(?:了|吧)?",
    r"(?:and |please |with )*(?:the |all )?(?:amounts?|figures|numbers)? ?(?:should |must |to )?(?:have |"
    r"with |show |use |using )?"
    r"(?:a )?thousands? separators?(?: please)?",
    is_look=True,
)
# The numbers of a chart, which stand in a table beside it.
_IN_TABLE: Final = _kind(
    lambda facts: facts.has_numbers,
    r"(?:表格?|工作表|表单)(?:里面?|中|上|里头)?[也都还得要请需]*(?:有|留|写|放|列|保留|带)(?:着|"
    r"上|下|出)?"
    r"(?:这些|这几个|上述|上面的?|原始|同样的)?的?(?:数字?|数据|数值)",
    r"(?:这些|这几个)?(?:数字?|数据|数值)[也都还得要请需]+(?:在|写在|写进|放在|留在|放进|填进|"
    r"列在)?(?:表格?|工作表)(?:里面?|中|上)?(?:有|能看到|能看见)?",
    r"(?:and |but |please |with )*(?:(?:keep|leave|put|show|have|write) )?(?:the|these|those|my) (?:numbers|"
    r"figures|data|values)"
    r"(?: (?:should|must|need to|have to|are to))?(?: (?:also|still))?(?: (?:be|stay|stand))? (?:in|"
    r"on) the (?:sheet|table)(?: (?:as well|too|also))?",
)
# Something gay at the beginning, which large coloured letters are.
_LIVELY: Final = _kind(
    lambda facts: facts.has_word_art,
    r"(?:我|我们|也|就)?(?:想|要|希望)?(?:让|把|使)?(?:它|开头|标题|题目|抬头|封面|文档|页面|整体|"
    r"这页)?(?:看起来|显得|弄得?|做得?|搞得?)?"
    r"(?:热闹|活泼|喜庆|花哨|好看|漂亮|生动|有气氛|亮眼)(?:一?[点些])?(?:就)?(?:行|好)?(?:了|吧|哈)?",
    r"(?:my|our|the) \w+(?: \w+)? (?:likes?|loves?|wants?|prefers?) (?:it|things|them|everything) (?:to be |"
    r"a bit |a little |rather |really )*"
    r"(?:colou?rful|lively|cheerful|bright|jolly|fun|fancy|festive)",
    r"(?:and |but |so |please )*(?:make it |it should be |i want it )?(?:a bit |a little |"
    r"nice and )?(?:colou?rful|lively|cheerful|jolly|festive)(?: please)?",
    is_look=True,
)
# What a blank grid is for.
_PURPOSE: Final = _kind(
    lambda facts: facts.is_blank_grid,
    r"(?:我们?|大家|回头|以后|主要|就)*(?:是)?(?:用来|用于|拿来|准备|要用来)(?:给[\u4e00-\u9fff]{1,4})?(?:排|"
    r"记|登记|贴|填|安排|统计|打勾|签到|抄|算|画|登)"
    r"[\u4e00-\u9fff]{1,6}(?:的|用的?)?",
    r"(?:it['’]s |it is )?(?:for|to) (?:(?:the|our|my) )?(?:rota|roster|shifts|planning|notes|seating|"
    r"drawing|scores|scoring)(?: plan)?",
)
# 每一项单独一行: also of what is to be filled in.
_OWN_LINES: Final = _kind(
    lambda facts: facts.has_items or facts.has_places,
    r"(?:每(?:一)?[项条个样点]|各[项条]|[一1][项条个样点])(?:都|各|均|要|单独|分别|独占)*(?:占|写|用|放|列|起|"
    r"为)?(?:一|1)?(?:个)?行",
    r"(?:and |with )?(?:each(?: (?:of (?:them|these)|one|item|point))?|every (?:item|point|one|entry)|all)"
    r"(?: (?:on|gets|has|takes|with))? (?:its|a|an|their|separate)(?: own| separate)? lines?|one (?:per|"
    r"a) line|on separate lines",
)
_NUMBERING: Final = _kind(
    lambda facts: facts.has_numbering,
    r"(?:各?级?标题|各?条目|列表|清单|每(?:一)?[条项个]|它们)?(?:前面)?(?:都|要|也|请|全部?|统一)*(?:带|有|加|"
    r"标|编|排)(?:上|好|着|有)?(?:编号|序号|号)|"
    r"(?:用|以|按)?(?:数字)?编号(?:排列|列出来?|列好)?|(?:and |with |please )*(?:all )?number(?:ed|"
    r"s)?(?: (?:them|please|each|all of them))?|"
    r"(?:the )?(?:headings|items|points|entries) (?:should be |are |must be )?numbered",
    is_look=True,
)
_ITEMS: Final = _kind(
    lambda facts: facts.has_items,
    r"(?:请|就|要|最好|再)?(?:一条一条|逐条|一项一项|逐项|分条|一点一点|一行一行|一个一行|一条一行)(?:地|的)?(?:列|"
    r"写|排|放)?(?:出来|清楚|好|下来)?(?:就)?(?:行|好)?",
    r"(?:just )?one (?:line|row|bullet) (?:per|for each|for every) (?:point|item|risk|task|entry|person|topic|thing)"
    r"(?: (?:is|will be|would be) (?:plenty|enough|fine|ok|perfect)| will do)?",
)
_OWN: Final = _kind(
    _is_open,
    rf"(?:{_SOON})?(?:我们?|咱们?)?{_SOON}?(?:自己|亲自)?(?:再|来|会)?(?:换|替换|贴|补)(?:成|上)?(?:真的|正式的|"
    rf"实景的?|照片|图片|真图)?(?:上去|进去|掉|过来)?(?:就行|就好)?",
    r"(?:and |but |so |then )*(?:i|we|he|she|they|someone|the (?:team|office|printer))(?:['’]ll| will| can| shall)"
    r" (?:then |just |later )*(?:swap|replace|exchange|paste|drop|put) "
    r"(?:it|the (?:real|final|actual|right) (?:one|thing|photo|picture|image)|that)(?: (?:in|out|later|over))*"
    r"(?: (?:later|next (?:week|month)|tomorrow|afterwards|when it (?:comes|arrives)))?",
)
_OTHER_SLIDES: Final = _kind(
    lambda facts: facts.slides > 0,
    rf"(?:其余|其他|其它|剩下|后面|别)的?(?:几|各)?(?:页|幻灯片|部分|内容|PPT)?(?:都|就|由|让|交给|归)?{_SOON}?"
    rf"(?:{_WHOM}|[\u4e00-\u9fff]{{1,3}}部){_SOON}?(?:自己|来|会|再|去)*(?:做|弄|写|补|加|负责|完成|"
    rf"准备)(?:就行|就好|吧)?",
)
_NOTHING_ELSE: Final = _kind(
    lambda _: True,
    r"(?:别的|其他|其余|其它|其他的|其余的|其他地方|别处)(?:地方|内容|部分)?(?:都|也|一律|就)*(?:不用|别|不要|不必|"
    r"不)(?:再)?(?:动|管|改|加|碰|写)(?:了|它)?",
    r"(?:别的|其他|其余|其它)的?(?:都|就|也|先|暂时)*(?:往后放(?:一?放)?|放一?放|以后再说|回头再说|不急|"
    r"先放着|不管)(?:吧)?",
    r"(?:and |but |please )*(?:nothing else(?: (?:on|in) (?:it|there|the (?:slide|page)))?|nothing more)(?: please)?",
)
# What people are not to do, and how little the result has to be.
_CONDUCT: Final = _kind(
    lambda _: True,
    r"谁(?:也|都)(?:别|不许|不要|不能|不准)(?:再)?(?![^,，。]{0,4}(?:改|动|删|编辑|碰|加|看))[\u4e00-\u9fff]{1,6}",
    r"(?:and |but )?it (?:doesn['’]t|does not|needn['’]t|need not) (?:have to |need to )?be "
    r"(?:pretty|perfect|fancy|beautiful|"
    r"polished)",
)
_OWN_WORDS: Final = _kind(
    lambda _: True,  # what a plan writes stands in the request as it is (`checks`)
    r"(?:就|请|都|也|还)*(?:用|按|照|按照)(?:着)?(?:我|咱|我们)(?:写|说|给|列)?的?(?:原话|原文|原词|原字|话|说法|"
    r"措辞|字句)(?:来)?(?:写|放|列)?(?:就行|即可|就好|吧)?",
    r"(?:and |but |please )*(?:keep|use|leave) (?:to )?my (?:own |exact |very )?(?:wording|words|phrasing|text)"
    r"(?: as (?:it is|they are|is))?(?: please)?",
)
_CHECKED: Final = _kind(
    lambda _: True,
    r"(?:(?:以上)?(?:数字?|数据|金额|名字|名单)(?:我)?(?:都)?(?:已经?|刚)?(?:核|查|对|确认)(?:对|实|"
    r"查)?过(?:了|的)?|没错|"
    r"没问题|错不了|不会错|都对)(?:的)?",
    r"(?:and )?(?:i|we)(?:['’]ve| have)? (?:checked|double-checked|verified) (?:them|it|the (?:numbers|figures))"
    r"(?: twice| already| myself)*",
)
# What is not to be there: 不用合计, “no chart”.
_NOT_ZH: Final = (
    r"(?:也|就|都|暂时|先|请|这次|里面?|表格?|给我)*(?:不要|不用|不需要|不必|无需|无须|别|甭|不)(?:再|给我|去|"
    r"来|帮我|自动|"
    r"单独|另外)*(?:加|做|写|画|放|要|设|插|插入|配|带|进行|列|弄)?(?:上|入|一?[行个张])?"
)
_NOT_EN: Final = (
    r"(?:and |but |so |oh |also |please |just )*(?:there (?:should|must|need) be |there is |i (?:want|need) |with )?"
    r"(?:no(?: need for)?|without|(?:don['’]?t|do not) (?:add|put|draw|make|want|need|include|insert))"
    r"(?: an?y?| the)?"
)
_TOTAL_ZH, _TOTAL_EN = r"(?:合计|总计|求和|汇总|小计)(?:[行列栏])?", r"(?:grand )?totals?(?: rows?| lines?)?"
_CHART_ZH, _CHART_EN = r"(?:图表|[柱折饼]\w{0,2}图|图)", r"(?:charts?|graphs?|diagrams?)"
_SORT_ZH, _SORT_EN = r"(?:重新|自动)?排序", r"sort(?:ing)?"
_PICTURE_ZH, _PICTURE_EN = r"(?:图片|照片|配图|插图)", r"(?:pictures?|photos?|images?)"
_TABLE_ZH, _TABLE_EN = r"表格", r"tables?"


def _refuse(kind: str, zh: str, en: str) -> RemarkKind:
    return _kind(
        lambda facts: kind not in facts.kinds,
        rf"{_NOT_ZH}{zh}(?:了|啦|吧|哈|就行|即可)*",
        rf"{zh}(?:就|也|都|先)*(?:不要|不用|不需要|不必)(?:加|做|画)?",  # 表格不要了 may be about one that is there
        rf"{_NOT_EN} {en}(?: (?:please|needed|at all|here|this time|either))*",
        rf"(?:and |but )?(?:do not|don['’]?t) {en}(?: (?:it|them))?",
        is_look=True,
    )


_REFUSED: Final = (
    _refuse("total", _TOTAL_ZH, _TOTAL_EN),
    _refuse("chart", _CHART_ZH, _CHART_EN),
    _refuse("sort", _SORT_ZH, _SORT_EN),
    _refuse("picture", _PICTURE_ZH, _PICTURE_EN),
    _refuse("table", _TABLE_ZH, _TABLE_EN),
)
_KINDS: Final = (
    *(_LATER, _EMPTY, _NO_ROWS, _CLEAR, _HEADER, _LARGE_TEXT, _FORMULAS, _AMOUNTS, _ITEMS, _OWN, _OTHER_SLIDES),
    *(_ROWS_LATER, _WEEKS),
    *(
        _PURPOSE,
        _THOUSANDS,
        _IN_TABLE,
        _LIVELY,
        _STRIKING,
        _PLAIN,
        _HEADINGS,
        _NUMBERING,
        _OWN_LINES,
        _NOTHING_ELSE,
        _CONDUCT,
        _OWN_WORDS,
        _CHECKED,
    ),
    *_REFUSED,
)
_COUNTS: Final = re.compile(
    rf"(?:一共|总共|就|这|那|只要|只有|拢共|正好)?(?P<count>{COUNT})(?P<unit>列|栏|个字段|行|项|条|个|块|部分|点|页)"
    r"(?:就)?(?:够|行|好|成|可以)?(?:了|吧)?"
)
_JOINED: Final = re.compile(r"^(?:and|but|so|then|also|with|because|而且|并且?|然后|另外)\s*", re.IGNORECASE)


def may_remark(clause: str) -> bool:
    """Whether a clause has the form of a remark; whether it is one depends on the plan.

    What is refused is none here: only a message whose every other word is read can leave that out.
    """
    kinds = [one for one in _find_kinds(clause) if one not in _REFUSED]
    return bool(kinds) or (_COUNTS.fullmatch(clause) is not None and not holds_anyway(clause))


def may_refuse(clause: str) -> bool:
    """Whether a clause says what is not to be there; whether that holds depends on the plan."""
    return any(one in _REFUSED for one in _find_kinds(clause))


def holds_in(clause: str, plan: JsonObject) -> bool:
    """Whether a clause only says what a plan has or does."""
    kinds = _find_kinds(clause)
    counted = _COUNTS.fullmatch(clause)
    if not kinds and not counted:
        return False
    facts = read_facts(plan)
    if counted and read_count(counted["count"]) in _list_counts(counted["unit"], facts):
        return True
    return any(one.is_borne_out(facts) for one in kinds)


def _list_counts(unit: str, facts: PlanFacts) -> frozenset[int]:
    match unit:
        case "列" | "栏" | "个字段":
            return facts.columns
        case "行":
            return facts.rows
        case "页":
            return frozenset({facts.slides})
        case _:
            return facts.items or facts.columns


@lru_cache(256)
def _find_kinds(clause: str) -> tuple[RemarkKind, ...]:
    said = clause.strip()
    if not said or '"' in said or re.search(r"\d", said):
        return ()
    bare = _JOINED.sub("", said)
    found = [one for one in _KINDS if one.pattern.fullmatch(said) or one.pattern.fullmatch(bare)]
    return tuple(one for one in found if one.is_look or not names_look(said))
