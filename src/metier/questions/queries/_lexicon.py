"""Words of questions about tables, in both languages: quantities, comparisons, orders, figures, and words without weight.

What none of these lists has, and no heading or cell of a table, is a word that the reader does not know: then the
question is not answered.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# What a heading, a parameter, an indicator or a finding can be about.
CONCEPTS: Final[Mapping[str, re.Pattern[str]]] = MappingProxyType(
    {
        name: re.compile(pattern, re.IGNORECASE | re.ASCII)
        for name, pattern in {
            "rsrp": r"RSRP|信号(?:强度|电平)?|电平|\bsignal(?: strength| level)?\b",
            "sinr": r"SINR|信噪比|信干噪比|信号质量|\bsignal quality\b",
            "prb": r"PRB(?:利用率| utili[sz]ation| usage| load)?|利用率|负荷(?!小区)|负载|占用率?|\butili[sz]ation\b|\bload\b",
            "throughput": r"速率|速度|网速|吞吐量?|Mbps|兆|\bthroughput\b|\bspeeds?\b|\bdata rates?\b",
            "downlink": r"下行|\bdown ?link\b|\bDL\b|\bdownload\b",
            "uplink": r"上行|\bup ?link\b|\bUL\b|\bupload\b",
            "power": r"(?:发射)?(?<!成)功率|\b(?:transmit |tx )?power\b",
            "tilt": r"(?:总|电子|机械)?(?:下)?倾角|\b(?:electrical |total )?(?:down)?tilts?\b",
            "azimuth": r"方位角|方向角|朝向|\bazimuths?\b|\bbearings?\b",
            "neighbour": r"邻区|邻小区|\bneighbou?r(?:ing)?(?: cells?| relations?)?s?\b",
            "handover": r"切换|\bhand-?overs?\b|\bHO\b",
            "success": r"成功率|\bsuccess(?: rates?)?\b",
            "access": r"接入|RRC(?:连接)?|\baccess\b",
            "drop": r"掉线率?|掉话率?|\bdrops?(?: rate)?\b|\bdropped\b",
            "coverage": r"(?:MR)?覆盖(?:率|(?!度|电平))|\b(?:MR )?coverage(?: rate)?\b(?! level)",
            "overlap": r"重叠|\boverlap(?:ping)?\b",
            "interference": r"干扰|\binterference\b",
            "overload": r"高负荷|过载|超负荷|\boverload(?:ed)?\b|\bhigh load\b",
            "weak": r"弱覆盖|\bweak(?:ly)? cover(?:age|ed)\b|\bpoor coverage\b",
            "users": r"用户数?|\busers?\b|\bsubscribers?\b",
            "traffic": r"流量|话务量?|\btraffic\b",
            "latency": r"时延|延迟|\blatency\b|\bdelay\b",
            "gain": r"(?:目标函数|预期)?增益|\bgains?\b",
            "simulated": r"仿真|\bsimulat(?:ed|ion)\b",
            "district": r"行政区|区县|片区|地区|区域|(?<![小邻社])区|\bdistricts?\b|\bareas?\b|\bregions?\b",
            "site": r"站点|基站|\bsites?\b|\bbase stations?\b",
            "band": r"频段|频点|\bbands?\b",
            "cell": r"小区(?:id|名)?|\bcells?\b|\bsectors?\b|扇区",
            "grid": r"栅格|\bgrids?\b",
            "parameter": r"参数|\bparam(?:eter)?s?\b|\bsettings?\b",
            "indicator": r"指标|\bKPIs?\b|\bindicators?\b",
            "cause": r"根因|原因|问题类型|\b(?:root )?causes?\b|\breasons?\b|\bsymptoms?\b|现象",
        }.items()
    }
)
# Names of the rows or of the table; they need no column of their own.
NOUNS: Final = frozenset({"cell", "grid", "parameter", "indicator", "cause", "site"})

_WORDS: Final[tuple[tuple[str, str, str], ...]] = (
    # comparisons, the longer before the shorter
    ("delta", "above", r"(?:变化|调整|改动|改变|改|调|变|动)了?(?:幅度)?(?:超过|大于|多于|高于|超)了?|\b(?:change[ds]?|mov(?:e|es|ed)|adjust(?:s|ed)?|shift(?:s|ed)?|turn(?:s|ed)?|differ(?:s|ed)?)(?: \w+)? by (?:more than|over|above)|\bby (?:more than|over)"),
    ("delta", "at_least", r"(?:变化|调整|改动|改|调|变)了?(?:幅度)?(?:至少|不小于|不低于|达到)|\b(?:change[ds]?|mov(?:e|es|ed)|adjust(?:s|ed)?) by at least|\bby at least"),
    ("delta", "below", r"(?:变化|调整|改动|改|调|变)了?(?:幅度)?(?:小于|低于|不到|不足|少于)|\b(?:change[ds]?|mov(?:e|es|ed)|adjust(?:s|ed)?) by less than|\bby less than"),
    ("compare", "at_most", r"小于等于|不高于|不大于|[不没未]超过?|不多于|至多|≤|[<＜]=|\bat most|\bno (?:more|higher) than|\bup to|\bnot (?:above|over|more than)|\bat or below"),
    ("compare", "at_least", r"大于等于|不低于|不小于|不少于|不弱于|至少|≥|[>＞]=|\bat least|\bno (?:less|lower|fewer) than|\bnot (?:below|under|less than)|\bat or above"),
    ("compare", "below", r"低于|小于|少于|[不没未]到|没有到|达不到|[没未]达到?|不足|不满|弱于|低过|小过|[<＜]|\bbelow|\bunder(?:neath)?|\bbeneath|\b(?:less|lower|weaker|smaller|fewer) than"),
    ("compare", "above", r"高于|大于|超过了?|超出|多于|强于|高过|大过|[>＞]|\babove|\bover|\bbeyond|\bexceed(?:s|ing|ed)?|\b(?:more|higher|greater|stronger|larger|bigger) than|\bnorth of|[超过](?=\s*-?[\d〇零一二两三四五六七八九十百])"),
    ("compare", "worse", r"差于|不如|\bworse than"),
    ("compare", "better", r"好于|优于|\bbetter than"),
    ("compare", "equal", r"等于|正好是?|刚好是?|\bequals?(?: to)?|\bexactly|="),
    ("after", "at_least", r"(?:及|或)?以上|之上|\bor (?:more|higher|above|better)\b|\band (?:up|above)\b|\bplus\b"),
    ("after", "below", r"以下|之下|以内|\bor (?:less|lower|below|worse)\b|\band below\b"),
    ("than", "", r"比(?=\s*-?\d)"),
    ("between", "", r"介于|之间|\bbetween\b"),
    ("to", "", r"到(?=\s*-?\d)|至(?=\s*-?\d)|[~～—–]|\bto(?= -?\d)|\bthrough(?= -?\d)"),
    # orders
    ("order", "low_first", r"从[低小弱慢少]到[高大强快多]|由[低小]到[高大]|升序|\bascending\b|\bincreasing\b|\blow(?:est)? to high(?:est)?|\b(?:lowest|smallest|slowest|weakest) (?:first|on top|at the top)\b"),
    ("order", "high_first", r"从[高大强快多]到[低小弱慢少]|由[高大]到[低小]|降序|倒序|\bdescending\b|\bdecreasing\b|\bhigh(?:est)? to low(?:est)?|\b(?:highest|largest|biggest|fastest|strongest|most) (?:first|on top|at the top)\b"),
    ("order", "worst_first", r"从差到好|最?差的?(?:排|放)?在?最?前面?|\bworst (?:first|on top|at the top)\b"),
    ("order", "best_first", r"从好到差|\bbest (?:first|on top|at the top)\b"),
    ("most", "worst", r"最(?:差|糟|烂|惨|坏|不好|严重)的?|倒数|垫底的?|\b(?:worst|poorest|bottom|most severe|laggards?)\b"),
    ("most", "best", r"最(?:好|优|佳|棒)的?|\b(?:best|finest)\b"),
    ("most", "low", r"最(?:低|小|弱|少)值?的?|\b(?:lowest|smallest|weakest|fewest|least|min(?:imum)?|shallowest)\b"),
    ("most", "high", r"最(?:高|大|强|多|重|猛|狠)值?的?|\b(?:highest|largest|biggest|greatest|strongest|most(?: often)?|max(?:imum)?|peak|top)\b"),
    ("most", "high:throughput", r"最快的?|\bfastest\b|\bquickest\b"),
    ("most", "low:throughput", r"最慢的?|\bslowest\b"),
    ("most", "high:prb", r"最(?:忙|繁忙|拥塞|堵|满)的?|\b(?:busiest|fullest|most (?:loaded|congested|crowded))\b"),
    ("most", "low:prb", r"最(?:闲|空闲|空|轻载)的?|\b(?:emptiest|idlest|quietest|least (?:loaded|busy))\b"),
    ("most", "high:tilt", r"最陡的?|\bsteepest\b"),
    ("sort", "", r"排(?:个|一下|一?个)?序|排列|重新排|排一下|排排|\bsort(?:ed)?\b|\border(?:ed)?(?= by| them| it| the)|\brank(?:ed|ing)?\b|\barrange[ds]?\b"),
    # figures
    ("figure", "mean", r"平均值?|均值|\bmeans?\b|\baverages?\b|\bavg\b|\bon average\b"),
    ("figure", "median", r"中位数?|中值|\bmedian\b"),
    ("figure", "spread", r"标准差|离散(?:程度|度)?|波动|\bspread\b|\bstd(?:ev)?\b|\bstandard deviation\b|\bdeviation\b"),
    ("figure", "range", r"(?:在)?什么范围|范围|区间|从多少到多少|\branges?\b|\bextremes?\b"),
    ("figure", "sum", r"总和|合计|总计|加起来|加总|求和|之和|加在一起|\bsums?\b|\bsum up\b|\badd(?:ed)? up\b|\btotal\b|\baltogether\b"),
    ("figure", "share", r"占多[大少]?比例|占(?:了)?(?:多少|几成|百分之几)|占比|比例(?:是多少|多大)?|百分之几|百分比|几成|\b(?:what |which )?(?:share|percentage|percent|proportion|fraction)(?: of)?\b"),
    ("figure", "count", r"(?:一共|总共|共|有)?(?:有)?(?:多少|几)(?:个|条|处|行|项|台|家|张|份|类|种|次)|有多少|多少(?=小区|栅格|站|参数|个)|(?:小区|栅格)数(?!据)|个数|数量|条数|数目|数一[下数]|\bhow many\b|\bnumber of\b|\bcount(?:s| of)?\b|\bhow often\b"),
    ("gap", "", r"(?:相)?差(?:了)?(?:多少|几)(?:个)?(?:dB|点|百分点|度|兆)?|差(?:距|别|值)(?:是?多少|多大)?|相差|高(?:出|了)?多少|低(?:了)?多少|多了?多少|少了?多少|\bdifferences?\b|\bhow far (?:is|are|off|from)\b|\bgap\b|\bhow much (?:higher|lower|better|worse|more|less|faster|slower)\b|\bby how (?:much|many)\b"),
    ("versus", "", r"比(?=[,，。?？ ]|$)|比较|对比|比一比|比一下|相比|比比|哪个(?:小区)?的?(?:覆盖|信号)?(?:更|比较)?(?:好|差|高|低|强|弱|快|慢|忙|大|小(?!区))(?:一?些|一点)?|谁(?:更)?(?:好|差|高|低|强|弱)|\bcompared? (?:to|with)\b|\bcompare[sd]?\b|\bversus\b|\bvs\b|\bside by side\b|\bwhich (?:one )?is (?:better|worse|higher|lower|stronger|weaker|faster|slower)\b"),
    ("group", "", r"各个?|每个?|按|分(?=区|行政|参数|根因)|\bgroup(?:ed)? by\b|\bby\b|\bper\b|\bfor each\b|\beach\b|\bbroken down by\b|\bsplit by\b"),
    ("which", "", r"哪几(?:个|条|项|类|台)|哪些|哪一?(?:个|条|项|类|种|家|台|座)?|谁|\bwhich(?: one| ones)?\b|\bwho\b|\bwhere\b|在哪(?:里|儿|些)?"),
    ("any", "", r"有没有|有无|是否有|存不存在|有吗|\b(?:is|are) there(?: any)?\b|\bany\b|\bdo we have any\b"),
    ("only", "", r"只(?:留|看|要|显示|剩|列|给)|仅(?:看|留)|筛(?:选)?出?|过滤(?:出|到)?|单独|\bonly\b|\bjust\b|\bfilter(?:ed)?(?: to| by| for)?\b|\brestrict(?:ed)? to\b|\blimit(?:ed)? to\b"),
    ("not", "", r"除了|除去|除开|除外|不算|不包括|不含|排除|去掉|不要|别动|别改|不(?:下发|改|动|调)|跳过|\b(?:except(?: for)?|apart from|excluding|other than|besides|but not|without|leave out|leave|skip(?:ping)?|exclude|not)\b"),
    ("first", "", r"(?:前|头|开头的?)(?=\s*[\d一二两三四五六七八九十])|\b(?:first|top|initial)(?= (?:\d|one|two|three|four|five|six|seven|eight|nine|ten))"),
    ("last", "", r"(?:最后|末尾的?|后)(?=\s*[\d一二两三四五六七八九十])|\blast(?= (?:\d|two|three|four|five|six|seven|eight|nine|ten))"),
    # before and after
    ("old", "", r"(?:改|调整?|优化|仿真|下发|变)?之前|(?:改|调整|优化|仿真|下发)前|原来的?值?|原值|旧值|现值|以前|\bbefore\b|\bold\b|\boriginal(?:ly)?\b|\bused to be\b|\bwas\b(?= set)|\bprevious(?:ly)?\b"),
    ("new", "", r"(?:改|调整?|优化|仿真|下发|变)(?:了)?(?:之|以)后|(?:改|调整|优化|仿真|下发)后|新值|新的?|改成|调成|变成|调到|改到|\bafter(?:wards)?\b|\bnew\b|\bbecame\b"),
    ("both", "", r"(?:优化|调整|仿真|改动?|下发)?前后(?:对比|变化)?|\bbefore (?:and|vs\.?|versus) after\b|\bfrom before to after\b"),
    ("lowered", "", r"(?:[调降改压变]低|[调改变]小|下调|下压|减[小少]|降[了过]|降下来)(?:过|了)?|\b(?:lower(?:ed)?|reduc(?:ed?|ing)|decreas(?:ed?|ing)|cut|turned down|brought down|went down|go down|drop(?:ped)? in)\b"),
    ("raised", "", r"(?:[调提升改变]高|[调加增变]大|上调|增[加强]|升[了过]|上升)(?:过|了)?|\b(?:rais(?:ed?|ing)|increas(?:ed?|ing)|boost(?:ed)?|turned up|went up|go up)\b"),
    ("size", "", r"(?:调整|变化|改动|改变|变动)?(?:的)?幅度|调整量|变化量?|改动量|\b(?:size of )?(?:the )?(?:change|adjustment)(?= (?:in|of|on))|\bmagnitude\b"),
    ("changed", "", r"(?:被|要|会|已|需要|需|应该?|该|建议|推荐)?(?:改动|改变|变更|改过|改了|改的|修改|调整|调过|调了|动过|动了|动|改|调)(?:过|了|的)?|推荐|建议|\b(?:chang(?:ed?|es|ing)|touch(?:ed)?|adjust(?:ed|ments?|s)?|modif(?:y|ied)|tweak(?:ed|s)?|recommended|recommendations?|suggested|updates?|updated)\b"),
    ("better", "", r"变好|改善|好转|提升|提高|改进|变强|\bimprov(?:ed?|es|ements?|ing)\b|\b(?:got|get|became|become) better\b|\bgained\b"),
    ("worse", "", r"变差|变坏|恶化|退步|劣化|\b(?:got|get|became|become|went) worse\b|\bworsen(?:ed)?\b|\bdegrad(?:ed|ations?)\b|\bdeteriorat(?:ed|ions?)\b|\bregress(?:ed|ions?)\b"),
    ("percent", "", r"(?:百分之|几个?)百分点|\bby how many percent\b|\b(?:how many|in) percent\b|\bpercentage(?:-| )points?\b|几个?点|多少个?点"),
    # charts
    ("chart", "histogram", r"直方图|分布图|\bhistograms?\b|\bdistributions?\b"),
    ("chart", "scatter", r"散点图?|点图|\bscatter(?: ?plot| chart| graph)?\b"),
    ("chart", "line", r"折线图?|曲线图?|线图|走势图|\b(?:as )?(?:a )?line(?:s)?(?: chart| graph| plot)?\b"),
    ("chart", "grouped_bar", r"(?:水平|横向)?(?:柱状图?|柱形图|条形图|柱图)|\b(?:horizontal |vertical )?bars?(?: ?chart| graph| plot)?\b|\bcolumn chart\b"),
    ("chart", "pie", r"饼[状形]?图?|\bpie(?: chart)?\b"),
    ("chart", "", r"画成?(?:一?[张个])?图|出(?:一?[张个])?图|作图|图表?|\b(?:chart|plot|graph|draw)\b"),
    ("side", "", r"全部指标|所有指标|所有列|全部(?:的)?数据|所有(?:的)?数据|每一?列|\ball (?:the )?(?:columns|values|figures|numbers|indicators|kpis)\b|\beverything (?:about|on|for)\b"),
    ("row", "", r"第(?=\s*[\d一二两三四五六七八九十])|\b(?:row|line|no\.?|number)(?= ?\d)|#(?=\d)|\brow(?= (?:one|two|three|four|five|six|seven|eight|nine|ten))"),
    ("names", "", r"(?:小区)?名字?(?:称)?|名单|\bnames?\b"),
    ("and", "", r"并且|而且|同时|且|又|也|都|以及|\band(?: also)?\b|\bboth\b|\bas well\b|\balso\b|[和与跟、,，&]"),
    ("or", "", r"或者?|要么|\bor\b"),
    ("good", "", r"覆盖好|好的|\bgood\b"),
    ("bad", "", r"差的|坏的|\bbad\b|\brubbish\b|\bpoor\b"),
    ("outlier", "", r"离群(?:点|的|值)?|异常点|\boutliers?\b"),
    ("match", "", r"(?:对得上|一致|吻合|相等|对不对得上)吗?|\b(?:does it|do they|is it) (?:match|equal|agree with)\b|\bmatch(?:es)?\b"),
)
WORDS: Final = tuple((kind, value, re.compile(pattern, re.IGNORECASE | re.ASCII)) for kind, value, pattern in _WORDS)

# Words without weight.
FILL: Final = re.compile(
    r"请问|请|麻烦|帮(?:我|忙)|给我|告诉我|我(?:想|要|看|觉得|感觉|以为)?|你|您|咱们?|我们|想(?:看|知道)|看(?:看|一下|下(?![行倾发]))?|瞧瞧|查(?:一下|下|查)?"
    r"|列(?:一下|出来?|举|个)?|显示|展示|拉(?:出来)?给?|念(?:一遍|一下)?|说(?:一下|说)?|讲|写进|写|报|日报|周报|画(?:一?[个张])?"
    r"|(?:给|来|出)?一?[个份张](?=$|[^\d])|一下|一遍|来着|呢|吗|吧|啊|呀|嘛|哦|哈|了|的|是|有|在|把|将|被|里头?|里面|当中|其中|中|那|这"
    r"|那个|这个|这些|那些|它们?|他们?|她|什么|啥|怎么样?|如何|多少|多大|几(?=度|兆|个dB|dB)|到底|究竟|反而|其实|真的|大概|大约|左右"
    r"|现在|目前|刚才|刚刚|已经|一共|总共|共|全部|所有|整个|行不(?:行)?|可以|能不能|能|好不好|先|就|才|还|再|另外|顺便|分别|各自|具体|详细"
    r"|情况|结果|数据|表格?|那张|这张|重新|一起|两个?|俩|家伙|先不看|不看|别的|其他的?|其余的?|别(?:给|算|要)平均值?|不要平均值?|程度|闲到|涉及"
    r"|为(?:什么|啥|何)?|差不多|感觉|时候|的话|来说|来看|而言|要|想|给|做|个|条|名|位|行|项|处|类|种|度|座|站|次|用|以|对|于|从|换成?"
    r"|改成(?=.{0,2}图)|成|也|上|下|出|单|进|拉|全网|整体|总体|总的|呗|咋|嗯|哎|唉|喂|每?一?档|大家"
    r"|\bleave (?:you|it) (?:alone|there)\b|\bnot (?:the )?(?:mean|average|avg|median)\b|\boff limits\b"
    r"|[\s。.!！?？:：;；\"“”'’()（）「」『』\[\]·/|-]",
    re.IGNORECASE | re.ASCII,
)
FILL_WORD: Final = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
FILL_WORDS: Final = frozenset(
    """the a an of in on at for to from with as it its it's that this these those them they there here me my mine i i'm
    i'd i'll i've we we've we'd we're us our you your is are was were be been being isn't aren't do does did don't has
    have had having got get gets getting can could would will shall should may might must what what's whats who's how
    how's hows where's so then than please pls thanks thank show list give tell see let let's lets find look looks
    looking want need like know think thought say said says again actually really quickly quick overall roughly right
    now still yet well ok okay hey hi hmm oh ah sorry one ones out up down off about into instead if but because all
    every full whole entire complete some other others rest same sit sits sitting stand stands lie lies come comes end
    ended run runs running table tables result results data value values figure figures number numbers row rows entries
    entry item items line lines shown listed screen alone much many make makes made together dbm db degree degrees deg
    often among amongst across within inside anything something step steps bin bins bucket buckets wide size sized
    limit limits thing things real really bit little kind sort-of pretty quite fairly just-in-case exactly today
    report reports currently moment go goes going went took take takes put puts call called named name's per-cell
    apiece respectively total-wise network net s ve ll re m d t us readout read reads reading spare quickie far hit
    hits show's display print pull pulled bring brings back it'd that's there's which's whose who whom why when""".split()
)
