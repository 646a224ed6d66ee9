"""Words around the data of a message that say nothing new of a thing, by language and by thing."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

__all__ = ["SUBJECTS_ZH", "list_words"]

# Who wants it, and for whom or what it is.
SUBJECTS_ZH: Final = (
    r"(?:领导|老板|客户|大家|听众|观众|家长们?|学生们?|理事会|董事会|投资人|会计|财务|主任|校长|院长|经理|"
    r"同事们?|别人|人家?|会上|开会|汇报|"
    r"月底|年底|月初|明天|后天|下周|对账|大会|会议)"
)
_ZH: Final = (
    rf"放?在?一起|{SUBJECTS_ZH}|你|您|我要的是|我想要的是|我手上|手上|手头|麻烦(?:你|您)?|劳驾|请(?!假)|"
    rf"帮[我忙]?|给[我们]*|让|叫|为了|便于|方便|我们?|咱们?|"
    rf"想要?|希望|需要|要(?!求)|"
    r"能(?!力|源|耗|效)|可以|应该|知道|一下子?|一眼就?|好不好|行吗|可以吗|好吗|吧|呢|哦|啊|谢谢|先|再|"
    r"然后|接着|最后|并且?|同时|也|都(?!市)|"
    r"就(?!业|诊|餐|医)|即可|行了?|好(?!评)|来(?!客|访|电)|去(?!年)|把|将|用(?!户|水|电|量|气|工|时|途|"
    r"纸)|以|按照?|根据|依据|据此|对应?的?|从(?=$)|"
    r"到(?!店|货|岗|访|人|客|课|场|院|会)|"
    r"在(?!校|职|建|库|册)|里面?|中(?=$|[,，的])|之?[内间](?=$|的)|上面?(?=$|的|是|写)|的(?!士)|地(?=$)|"
    r"得(?=[出到])|成(?!本|绩|品|交|员|活|材)|"
    r"做|弄|搞|写|记录?(?!者)|录入?|填|列(?!车)|放|存|输入?|录|"
    r"画|绘制?|出(?!口|货|勤|院|生|栏|租|租)|插入?|加入?|添加|新建|新增|新开?|建立?|创建|生成|制作|准备|"
    r"展示|显示|反映|体现|表示|说明|呈现|看出|看看?|出来|起来|"
    r"进(?![货口度价])去?|进来|向(?!导)|"
    r"(?:一|1|这|那|几|这几)?\s?(?:张(?![三贵])|份(?=$|[\u4e00-\u9fff])|幅|组(?=$|数))|(?:一|这|那|几|"
    r"这几|那几)?(?:个(?!人)|条|笔|页)|一|这些?|那些?|"
    r"下面|下列|以下|如下|上述|以上|上面|它们?|其(?!他|它|余)|各自|是|为(?!止)|有(?!机|效)|和|与|及|以及|"
    r"做好|好|后(?!勤|厨)|之后|记完|填完|完|时(?=$|说)|简单|"
    r"简易|简洁|清楚|清晰|小(?=表|$)|"
    r"一共|总共|共(?!享)|样子?|形式|方式|版|分别|依次|具体|情况|明细|内容|原始|一起|放一起|留(?!言|学|守)|"
    r"保留|着|了(?!解)|个?数字?(?=$|[也都放写填列，]|进|据)"
)
_EN: Final = (
    r"\b(?:please|kindly|what i(?:['’]d like| need| want)(?: here)? is|i(?:['’]d| would)? (?:need|want|like)|"
    r"i have|we have|we['’]d|i['’]d|i|we|you|us|me|"
    r"can|could|would|will|may|to see|to show|to know|to have|to|see|show(?:s|n|ing)?|display(?:s|ed|ing)?|"
    r"present|give|let|put|enter|type|"
    r"fill|list(?:ed|ing)?|set|lay|this|these|those|that|them|they|it|its|their|here|are|is|be|was|were|an?|"
    r"the|some|our|my|your|of|for|"
    r"from|with|in|into|on|onto|at|by|as|and|then|also|too|well|so|next|out|up|down|make|makes|made|create|add|"
    r"insert|draw|drawn|build|"
    r"prepare|produce|do|get|new|simple|small|little|nice|plain|clear|short|quick|following|follows?|"
    r"they should|should (?:be|end up)|go(?:es)?|like|"
    r"based|using|use|keep|start|standing|stand|data|figures?|numbers?|values?|amounts?|counts?|which|where|"
    r"how|what|who|when|just|"
    r"one|a single|over|time|board|boss|manager|director|sponsors|crew|people|everyone|client|customers?|"
    r"meeting|for (?:today|tomorrow)|"
    r"at a glance|easily|same|come|comes|take|taken|end)\b"
)
_SLIDE_ZH: Final = (
    r"幻灯片|PPT|(?:新的?|一|这|那|另)?(?:一)?(?:页|张)(?:纸)?|页面|多出来?|占|做成|放在|排|标出|列出?|"
    r"写上?|标题下有一个文本框|文本框|像|样子|一样|"
    r"一条|一个|一眼看出|哪个|点缀|正好|每项|先后|这个|据此|单独|之间|上(?=$)|里(?=$)|中间|中央|内容|安排|"
    r"形式|表示|画|补|包含|包括|"
)
_SLIDE_EN: Final = (
    r"|\b(?:slides?|page|ppt|deck|presentation|new|one|single|own|layout|called|put|goes?|starts?|with it|"
    r"it['’]s|should (?:say|read)|says?|extra|just|tells?|order)\b"
)
_OF_ZH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cover": r"封面页?|标题页|标题幻灯片|首页|[头扉]页|开[场篇]页|封面|大标题|主标题|副标题|副题|标题|题目|题|落款|"
        r"署名|单位|底下|下面|大|小字|样子|汇报",
        "agenda": (
            r"流程|今[天日](?:安排|内容|要点)?|都|干什么|同一个?|放在|分行|议程页?|目录页?|日程页?|目录|会议|"
            r"今[天日]|讲(?:哪些|什么)?|内容|条目|事情?|部分|听众|各占|先放|"
            r"先后|其中|里面|本次|四项|开始|标题(?=议程|目录)"
        ),
        "kpi": (
            r"KPI页?|关键指标页?|核心指标页?|关键数字页?|关键|核心|指标页?|数据页|数字|数|只(?:突出|看)|"
            r"一个数字?|标签|说明文字|说明|配文|注明|小字|底下|下面|下方|中间|中央|旁边|"
            r"上面|突出|看|大"
        ),
        "pairs": r"岔子|讲清|清楚|写清|主要|潜在|可能|出的|存在|风险|问题|隐患|困难|难点|应对(?:措施)?|对策|措施|办法|"
        r"解决|处理|怎么办|怎么|对应|哪个|相应|各自|左边|右边|讲|其",
        "timeline": r"时间[线轴]页?|里程碑页?|路线图页?|"
        r"进度页?|进度|计划|[一二三四五六七八九十\d]*周|星期|月|节点|步骤?|"
        r"四步|上线|横向|左|右|形式|布局",
        "series": (
            r"能看出趋势的|图表?类型|图表?(?!像|片)|走势|趋势|变化|波动|比较|对比|比一比|比比|怎么变|谁多谁少|多少|"
            r"数据|数字|数值|这?几?个?数(?=$|[写填放列做也都，])|表格?(?:里|中|上)?|工作表|工作簿|单元格|"
            r"电子表格?|格子|旁边|右边|右侧|边上|一旁|"
            r"[一每]?(?:个)?(?:月|周|天|行|店|项)占?一行|每行一个|两列|横轴|纵轴|每个?月|每周|每天|每日|"
            r"各个?月|各周|这几[周月天]|上半年|下半年|全年|"
            r"从?(?:第?[一二三四1-4]季度|\d{1,2}月份?|[一二三四五六七八九十]+月份?|周[一二三四五六日]|(?:19|"
            r"20)\d\d年?|第[一二三四五六七八九十\d]+周|"
            r"[一二三四1-4]季度)(?:到|至|-|—|~)(?:第?[一二三四1-4]季度|\d{1,2}月份?|"
            r"[一二三四五六七八九十]+月份?|周[一二三四五六日]|(?:19|20)\d\d年?|"
            r"第[一二三四五六七八九十\d]+周)|"
            r"去年|今年|留在|配上?|附上?|也要|各(?!类人)|一个(?!人)"
        ),
        "grouped": (
            r"汇总|合计|总计|总数|求总|种类|总额|总和|求和|加总|相加|加(?=起来|在一起|一起|总|到一起)|统计|"
            r"算(?:一算|一下|出来?|出)?|归类|归总|归拢|分组|一共|多少钱?|各自?|"
            r"每个?|同一?个?|只占|占|一行|"
            r"表格?|工作[表簿]|小表|公式|数据|明细|记录|流水|金额|结果|数改了|数字改了|能?跟着变|"
            r"一个[\u4e00-\u9fff]{1,4}一行|自动|总共|花了|花|用了|卖了|得出|能跟着|写上|拿|这是|几天"
        ),
        "budget": (
            r"预算(?:执行)?(?:情况)?|对照|对比|比较|实际|差额|费用|花费|开支|经费|各项|每项|表格?|工作表|表头|"
            r"数据|内容|行|超没超支|超支|多了|少了|还是|知道|自动|算|公式|超出|"
            r"长这样|这样|从|列|栏|名|交代|开销|放"
        ),
        "gantt": (
            r"甘特(?:图表?|样式|表)?|排[在到]?个?|横道[图表]?|进度|计划|排期|安排|工期|周期|跨度|时间|任务|"
            r"工序|工作|环节|步骤?|事情?|件事|阶段|项目|表头|表格?|工作表|"
            r"图(?=$|[表，])|总工期|工期|"
            r"(?:行|纵向|竖着看|竖着|左边|左侧|首列|第一列|左列|最左(?:边一列)?|左边一列)(?:是|为|写|放|排)?|"
            r"(?:列|横向|横着看|横着|上面|首行|第一行|上方|最上面一?行|横排|"
            r"后面)(?:是|为|写|放|排)?|"
            r"(?:每?一?[个道项件步])?(?:任务|工序|工作|环节|步骤|事)?占?一行|(?:每?一?)?周占?一列|周次|周数|"
            r"周(?=$|[，的])|表头|其后|每周|完成|起止|"
            r"左(?=$)|下面每道|每道|每项|另开|五步|合理|[一二两三四五六七八九十\d]+(?=[件项个步道]|$)|[项个件步道]"
        ),
    }
)
_OF_EN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cover": (
            r"\b(?:title|subtitle|cover|opening|front|first|heading|headline|big|smaller|letters|reading|says|"
            r"below|underneath|under)\b"
        ),
        "agenda": (
            r"\b(?:agenda|overview|topics?|points?|items?|contents?|cover|audience|meeting|lines?|order of the day|"
            r"bullets?|talk|listing)\b"
        ),
        "kpi": (
            r"\b(?:kpis?|key|figure|number|metric|label(?:led)?|caption|underneath|below|under|stands?|out|hit|"
            r"words|needs?|it)\b"
        ),
        "pairs": (
            r"\b(?:risks?|problems?|issues?|threats?|challenges?|remed(?:y|ies)|responses?|countermeasures?|"
            r"answers?|solutions?|mitigations?|fix(?:es)?|actions?|measures?|"
            r"could|go(?:es)? wrong|we['’]d|we would|handle|pairs?|each|its|their|thought of it|board)\b"
        ),
        "timeline": (
            r"\b(?:timeline|roadmap|milestones?|weeks?|months?|four|steps?|plan|per|horizontal|running|left|right|"
            r"parents?|drawn)\b"
        ),
        "series": (
            r"\b(?:charts?|graphs?|diagram|plot(?:ted)?|how (?:many|much)|each (?:day|week|month|year|quarter)|"
            r"one (?:per|for each) [a-z]+|compare|comparing|comparison|trend|developed|"
            r"development|changes?|sheet|table|spreadsheet|cells|column|columns|row|beside|next to|alongside|"
            r"monthly|weekly|daily|quarterly|"
            r"yearly|per [a-z]+|by (?:month|week|day|quarter|year)|(?:one|each) per (?:month|week|day|quarter|year)|"
            r"over the (?:weeks|months|years|days)|quarters?|months?|weeks?|days?|years?|two columns|two-column|"
            r"track|record|them|"
            r"(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: (?:to|"
            r"through) )?|collected|most|sell|sold)\b"
        ),
        "grouped": (
            r"\b(?:totals?|totall?ed|sums?|sum up|summari[sz]e|add(?:ed)? up|altogether|in total|in all|together|"
            r"per|by|each|every|group(?:ed)?|"
            r"formulas?|sheet|table|one line|one row|line|row|how much|how many|did|does|has|have|work(?:ed)? out|"
            r"calculate|live|columns?)\b"
        ),
        "budget": (
            r"\b(?:budget|cost|costs|comparison|compare|planned|actual|real|spending|overspent|table|sheet|rows?|"
            r"columns?|headings?|difference|"
            r"variance|formulas?|work(?:ed)? out|calculated?|items?|excel|last)\b"
        ),
        "gantt": (
            r"\b(?:gantt|chart|table|sheet|grid|schedule|plan|timetable|tasks?|steps?|stages?|phases?|jobs?|weeks?|"
            r"week|across|down|top|side|"
            r"left|rows?|columns?|per|each|every|one row|one column|covering|spanning|spread|running|does|layout|"
            r"header|first|time|lasting|long)\b"
        ),
    }
)


_SLIDES: Final = frozenset({"cover", "agenda", "kpi", "pairs", "timeline"})


@cache
def list_words(thing: str) -> "re.Pattern[str]":
    """The words that say nothing new of a thing, in both languages."""
    slide = (_SLIDE_ZH, _SLIDE_EN) if thing in _SLIDES else ("", "")
    return re.compile(f"{_OF_ZH[thing]}|{slide[0]}{_ZH}|{_OF_EN[thing]}|{_EN}{slide[1]}", re.IGNORECASE)
