"""Clauses that tell something and ask for nothing: why, for whom, when, how it feels, and what holds anyway."""

import re
from typing import Final

from metier.packs.office.drafting._topics import list_topics
from metier.packs.office.drafting.lists import COLUMN_WORDS

__all__ = [
    "asks",
    "begins_with_order",
    "fills_part",
    "holds_anyway",
    "is_aside",
    "is_spoken",
    "names_look",
    "opens_list",
    "orders",
    "tells",
]

# What the program does in any case: one block however often it runs, nothing else touched, words as they were given.
_HOLDS: Final = re.compile(
    r".*(?:再|又|重复|多|第二)(?:次|遍|回)?(?:跑|运行|执行|点|按|操作|来|做)(?:上|了)?(?:一|1|几|两)?(?:遍|次|回|下).*|"
    r"(?:就算|即使|哪怕|万一|要是)?.*(?:两|2|多|几|三)(?:次|遍|回|下).{0,4}(?:只|一个|一张|不).*|"
    r"(?:我)?只(?:要|放|插|留|需要?|有)(?:这)?(?:一|1)[个张份次遍](?:就(?:行|好|够)了?)?|"
    r"(?:也|都|还)?(?:还)?是(?:这|那)(?:一)?[个张份]|"
    r"(?:文档|文件|文章|全文|整篇|页面|表格?|里面?|中)*(?:始终|永远|一直|最终|从头到尾|总共|也|都|还是|应该?|"
    r"必须)+(?:都|也)?(?:只|仅)(?:能|会|许|可以?|保留|保持)?(?:有|留|出现|存在)?(?:这|那)?一[个张份](?:表格?|图|块|"
    r"份)?|"
    r"(?:别的|其他|其余|其它|剩下的?|多余的?)[^,，。;\d]{0,6}?(?:不用|不要|不动|别动|不需要|不必|别加|免了|"
    r"没了)[^,，。;\d]{0,4}|没有?别的了?|"
    r"(?:(?:原话|原文|原样|文字|措辞|用词|英文|中文|内容|一个字)+(?:都|也|请|一字)?(?:别|不要|不能|不许|勿|不)(?:改|"
    r"动|翻译?|变|译)(?:了|动)?)|"
    r"(?:请)?照(?:抄|原样|原文|我写的)[^,，。;\d]{0,6}|(?:请|也|并|千万)?(?:不要|别|不许|勿)(?:乱|给我)?(?:改|"
    r"动)(?:动|字|了)?|"
    r"(?:请|也|并)?(?:不得|不许|不能|不要|不可|别|勿)(?:再|重复|多)(?:插|加|生成|建|来|放|添)(?:入|了|一[个张份])?|"
    r"(?:前面|上面|原来|原有|已有|其他|其它|别的|其余|剩下|剩余|正文|原文)的?(?:内容|文字|正文|段落|部分|地方|幻灯片|"
    r"页|东西)*(?:一律|一个字)?(?:都|也|请)?"
    r"(?:别|不要|不用|不能|不许|请勿|勿|不得)?(?:再)?(?:改动|变动|更改|修改|动|改|碰|变|管|保持原样|保持不变)(?:了)?|"
    r"(?:先后|前后|顺序|次序)*(?:可|千万)?(?:别|不要|不能)(?:给我)?(?:弄|搞|放|排|写)?(?:颠倒|反|乱|错)了?|"
    r"(?:and )?(?:just |only )?once(?: only)?|(?:and )?no matter how (?:often|many times)\b.*|"
    r"(?:running|repeating|doing|pressing|clicking)\b.*\b(?:again|twice|second time|more than once)\b.*|"
    r"(?:and |but )?(?:if|when|even if|should|in case)\b.*\b(?:again|twice|second time|more than once|re-?run)\b.*|"
    r"(?:and |but |so |please )*(?:don['’]t|do not|never|must not|should not|shouldn['’]t) (?:\w+ )?"
    r"(?:another|a second|a duplicate|duplicates?|two|twice)\b.*|"
    r"(?:and |but )?(?:everything else|all the rest|the rest)(?: of (?:it|the \w+))? "
    r"(?:stays?|remains?|is to stay|can stay)\b[^\d]*|"
    r"(?:别|不要|不许|不能|甭)(?:给我)?(?:插|加|放|做|弄|来|建|出)(?:成|出|入|上)?(?:两|2|好几|几|多|重)(?:遍|次|个|"
    r"张|份|回)?|"
    r"(?:and )?nothing (?:else|more)(?: please)?|(?:and )?leave (?:the rest|everything else)(?: \w+){0,3}|"
    r"(?:and )?just (?:the )?one(?: of them)?|"
    r"(?:keep|leave|use) (?:the|my|their|these) (?:exact )?(?:words|wording|english|text|chinese)\b.*|"
    r"(?:word for word|verbatim|exactly as written)|"
    # it happens again, and nothing more may come of it
    r"(?:就算|即使|哪怕|万一|要是|如果|假如|若是?|以后|下次|下回)?[^\d,，、]{0,10}?(?:又|再|重复|多|误|"
    r"第二[次遍回])(?:点|按|跑|运行|执行|操作|来|插|做|发|提交|触发|生成)"
    r"(?:了|上|到)?(?:一|1|几|两|好几|第二)?(?:遍|次|回|下)?(?:的话|时|的时候|也好|都行)?|"
    r"(?:到时候?|那时候?)?(?:也|就|可|请|都|千万|系统)*(?:别|不要|不能|不许|不会|不得|不可|勿|甭)(?:给我|再|又|会)*(?:重复|多|再|又|变|"
    r"冒|蹦|生|长)(?:[插加出来建放做生成入现了])*(?:(?:第?[一二两2几]|好几)[个张份遍次])?(?:重复的?)?(?:表格?|"
    r"内容)?(?:出)?(?:来|了)?|"
    # 麻烦注意别插重了
    r"(?:麻烦|请|千万|一定|所以|可|你)*(?:注意|小心|当心|记得|留神)?(?:一下|点)?(?:别|不要|不能|避免)(?:给我|再|又)*"
    r"(?:插|加|做|放|建|生成|弄|添)(?:入|成)?(?:重复|重|多)(?:了|啦)?|"
    r"(?:跑|运行|执行|点|按|操作|生成|来|做)(?:第二|第2|两|多|几|好几)[遍次回](?:的时候|时|的话|也|都)?(?:别|不要|"
    r"不能|不会|还是|只|仍)[^\d,，]{0,8}|"
    r"(?:这[次回])?(?:不管|无论|不论)[^\d,，、]{0,4}(?:点|按|跑|运行|执行|操作)(?:几|多少|"
    r"了几)?[遍次回下]?[,，]?(?:都|也)?(?:只|仅)(?:留|有|要|能有|保留)?一[张个份]|"
    r"上[次回][^\d,，、]{0,14}(?:两|几|好几|一堆|二)[个张份](?:来|了)?|"
    # once more, and no second one: 下回再跑的时候可别又插一遍
    r"(?!.*(?:加|插|补|添|写|改)[^别不]{0,4}[列行栏段页])[^\d]*(?:下次|下回|以后|往后|再次|重新|又|再|重复|多次|"
    r"反复)[^\d]*"
    r"(?:别|不要|不能|不许|不会|甭|勿|还是|仍|只)[^\d]*(?:一[遍次个张份]|两[个张份]|重复|重了?|又|再|多)[^\d]{0,4}|"
    # in the order in which it stands, and that was all
    r"(?:就|也|请|都|要)*(?:按|照|依)着?(?:这个|这样|上面|我说|我写|此|以上|先后|给出?|列出?|所列)*的?(?:顺序|次序|"
    r"先后|样子|格式|说的|写的)"
    r"(?:来|放|排|写|列|摆|做|插|走|录入?|输入?|填入?)*(?:就行|即可|吧|就好)?|(?:先后)?(?:顺序|次序)(?:就)?(?:是)?(?:这样|不变|如此|"
    r"按这个|照这个)(?:来|排|放)?|"
    r"(?:大概|差不多|暂时|目前|一共|总共|也)?就(?:是)?(?:这|那)(?:些|么多|几[个样项条]|样)(?:了|吧|就行|就好)?|"
    r"(?:以上|没别的|没有了|没了|完了|完毕)(?:就行|即可)?了?|"
    r"(?:and |but )?(?:that(?:['’]s| is)|those are) (?:all|it|everything|the lot)"
    r"(?: (?:of them|for now|i need|we need))?|"
    r"(?:just |in )?(?:that|this|the given|the same) order(?: please)?",
    re.IGNORECASE,
)
# What it is for, and what one would like to know from it.
_PURPOSE: Final = re.compile(
    r"(?:我们?|咱们?|那个)?(?:领导|老板|客户|老师|甲方|经理|主任|校长|总监|[\u4e00-\u9fff]总|"
    r"[\u4e00-\u9fff]处)们?(?:一般|平时|就|都|向来)*只(?:看|认|听|关心)"
    r"[^\d、]{1,8}|"
    r"[^\d]*(?:要用|用得上|用得着|用的|急用|备用)(?:的|了)?|(?:给|供)?[^\d,，、]{2,8}(?<![公式函数使引采])用|"
    r"(?:我们?)?(?:想|要|好|准备|打算|方便)?(?:拿去?|去)?给[^\d,，、]{1,8}(?:看看?|瞧瞧?|讲讲?|汇报|过目|审核?|"
    r"参考)[^\d,，、]{0,6}|"
    r"(?:帮我|给我|我|我们|老板|领导|大家)*(?:就|也|都|还)*(?:想|要|好|来|先)*(?:算算|算一算|看看|看一?下|瞧瞧|瞅瞅|"
    r"比一?比|了解一?下|知道)"
    r"(?!.*(?:错|文档|全文|合同|这段|病句|语句|格式))[^\d]*|"
    r"(?!.*(?:表|图|列|行|页|加|插|改|删))[^\d]*(?:了?没有|[吗么]|多少|如何|怎么样|行不行|够不够)[呢啊呀]?"
)
_VERBS_ZH: Final = (
    "插|加|添|填|设|标|放|建|做|列|画|写|改|换|删|留|补|附|弄|搞|整|来|排|配|出(?!差|口)|拉|起(?!码)|"
    "开(?![年会学工业])|挂|带|去掉|合并|复制|移|"
    "居中|调|新建|新增|创建|生成|制作|准备|保留"
)
_BEGINS_ZH: Final = (
    rf"^(?:你|您|我们?|再|然后|并且?|同时|另外|最后|末尾|还|也|都|先|接着|后面|下面|底下|里面|其中)*(?:请|麻烦|帮|"
    rf"给[我她他]|把|将|要(?!是|不|到|命|交|用|看|开|打|报(?![表价告])|发(?!票)|送|赶|去|上[会报交传]|提交|汇报|讲|"
    rf"寄|归档|备案|公示|验收|审|迎)|"
    rf"得(?!到)|必须|最好|尽量|{_VERBS_ZH})"
)
_BEGINS_EN: Final = (
    r"^(?:and |then |also |but |just |so |please |next )*(?:add|insert|put|make|create|draw|write|set|give|"
    r"use|show|list|include|leave|"
    r"keep|start|take|turn|have|do|fill|place|append|build|draft|prepare|delete|remove|change|replace|translate|send|"
    r"print|bold|center|centre|align)\b"
)
_BEGINS: Final = re.compile(rf"{_BEGINS_ZH}|{_BEGINS_EN}", re.IGNORECASE)
# Words that only begin like a verb of an order: 标书, 加盟商, 放假.
_NO_VERB: Final = re.compile(
    r"标[书段准]|加[盟班油工固]|放[学假映射]|建[设筑议]|开[学会发年工业]|排[水污查球]|画[室家展册]|写字楼|改[天日]|"
    r"留学|整[天个]|补[课考]|配[电件]|带队|挂号|移[民动]|附近|"
    r"插[班座]|换[季届]|设[备计]|制作[人方]|准备工作|生成本|删减前|做[工人]|列[车席]"
)
# What could change the result: an order, a look, a limit, a name of a part.
_DEMANDS: Final = re.compile(
    rf"{_BEGINS_ZH}|{_BEGINS_EN}|"
    r"我[要想]|想要|请|帮我|给我|"
    r"[大小粗细宽窄高低长短]一?[点些]|居中|对齐|颜色|[红蓝绿黄橙紫黑白]色|[红蓝绿黄橙紫][的字]|字体|字号|宋体|黑体|"
    r"页[眉脚码]|公式|合计|总计|"
    r"(?<![第同])(?:[一二两三四五六七八九十\d][个张份页列行级层周项]|几[列行])|一条(?!条)|[二两三四五六七八九十]条|"
    r"不要|不用|别|只|仅|除了|保留|标题|题目|署名|落款|编号|序号|"
    r"横向|纵向|横着|竖着|加粗|粗体|斜体|边框|底纹|翻译|译成|替换|表头|[列行栏](?=[是为,，。]|$)|开头|结尾|末尾|文末|"
    r"文后|顶部|最前|"
    r"\b(?:please|could you|can you|would you|(?:i|we)(?:['’]d| would)? (?:like|want|need|prefer)|columns?|"
    r"rows?|headings?|titles?|bold|italic|red|blue|green|"
    r"black|yellow|colou?r\w*|font|cent(?:er|re)d?|align\w*|totals?|formula|except|without|landscape|"
    r"portrait|bigger|smaller|"
    r"larger|wider?|narrow\w*|headers?|footers?|numbered|borders?|at the (?:top|end|bottom|start|beginning)|"
    r"(?:two|three|four|five|six|seven|eight|nine|ten)(?! (?:things|people|of us|years|months|days|hours))|"
    r"lines|points|bullets|sections|items|tasks|"
    r"(?:must|should|has to|have to) be|has to have|must have)\b",
    re.IGNORECASE,
)
# A look, an order, a choice of rows, a lock, a page or a picture: whoever says it, it is said of what is made.
_LOOKS: Final = re.compile(
    r"排序|排列|[升降倒]序|拼音|笔画|字母[表顺]|[从由按][高大早新多低小晚旧少]到|筛选|过滤|去重|分组|"
    r"归(?:[到在为成])?一[起类组]|"
    r"冻结|锁[定住上死]|锁$|只读|密码|保护|隐藏|折叠|展开|下拉|[复勾]选|打印成|[横竖纵][版排]|[单双]面|每页|分页|"
    r"换页|首[行列]|隔行|隔开|并排|挨着|"
    r"[变标涂染刷][成为上]?[灰红蓝绿黄橙紫黑白粉]|[灰红蓝绿黄橙紫黑白粉](?:底|字|色|的$)|斑马|条纹|阴影|高亮|突出|"
    r"徽标|商标|印章|抬头|二维码|"
    r"[有带配附放贴含加印](?:上|着|个|张|一张)?(?:[^,，。;]{0,3}的)?(?:照片|头像|图片|相片|标志)|显示|"
    r"[要得再][宽窄粗细矮扁密](?:一?[点些])?$|看(?:起来|上去)|显得|全(?:是|为|填|写)|"
    r"[放排摆列][在到]?最?[前后上下左右顶底][面边头]?(?:的|吧|就行)?$|(?:写|填|加|标|印|贴|列|放)[上进](?:去)?(?:的|"
    r"吧|就行)?$|"
    r"\b(?:sort(?:ed|s|ing)?|order(?:ed|ing)? by|alphabetical(?:ly)?|in (?!that\b|this\b|the\b)\w+ order|ascending|"
    r"descending|rank(?:ed|ing)?|group(?:ed|ing)? by|filter(?:s|ed|ing|able)?|freez(?:e|es|ing)|frozen|"
    r"lock(?:s|ed|ing)?|protect(?:s|ed|ion)?|password|read-?only|hid(?:e|es|den|ing)|shad(?:e|es|ed|ing)|"
    r"gr[ae]y(?:ed)?|strip(?:ed|es|y)|highlight(?:s|ed|ing)?|underlin(?:e|ed|es)|logos?|stamp(?:ed)?|watermark|"
    r"drop-?downs?|check ?box(?:es)?|(?:each|every|per) (?:page|cell|line)|cells|(?:double|single)-sided|"
    r"(?:newest|oldest|latest|largest|smallest|highest|lowest) first|alternat(?:e|ing)|repeat(?:s|ed|ing)?|"
    r"(?:has|have|gets?|with|needs?|beside|next to) (?:(?:a|an|the|his|her|their|our|my|your) )?"
    r"(?:photos?|pictures?|images?|portraits?|icons?)|"
    r"(?:above|below|beside|beneath|under|underneath|behind|around|next to|across|onto|on top of) "
    r"(?:it|them|each|every))\b|"
    # an order in the shape of a sentence: we lock it, you turn them round
    r"^(?:and |so |then )?(?:i|we|you|they|he|she|everyone) (?!(?:need|want|have|has|had|use|see|read|show|present|"
    r"discuss|know|like|love|hate|do|did|get|got|check|review|take|bring|lose|lost|forget|forgot|said|"
    r"asked|told|find|found|saw|used|needed|wanted|will|can|could|may|might|would|must)s? )\w+ (?:it|them)\b",
    re.IGNORECASE,
)
# What stands where, and who comes first: 没有的填横线, 第一行填我的名字, 再加两行备用, 班长在前.
_FILLS: Final = re.compile(
    r"第[一二三四五六七八九十\d]+[行列格栏]|[首末][行列](?=[填写放标留加])|(?:就|则|一律|统一)(?:写|填|标|打|"
    r"画)(?![了过好完得的出进])|"
    r"的(?:就|都|则|一律|统一)?(?:写|填|标|打|留|画|排)(?![了过好完得的法在作印报])|(?:[加插添补]|再[要来留])(?:上|"
    r"出)?[一二两三四五六七八九十几\d]+[行列条栏页]|"
    r"[\u4e00-\u9fff](?:在前|在后|打头|领头|垫底|殿后|优先|靠前|靠后)$|^先[\u4e00-\u9fff]{1,3}后[\u4e00-\u9fff]{1,3}$|"
    r"^(?![我你您他她咱谁])[\u4e00-\u9fff]{2,5}(?<![要想在说会没得先再手次])(?<!有人)[写填](?![得了过好完的作不在字法])[\u4e00-\u9fff]{1,8}$"
)
_DONE: Final = re.compile(
    r"(?:还)?没(?:有)?[画做写弄加填定][好完出]?|(?:要|得|会|我|我们)?(?:打印|印)出?来?|就(?:行|可以|好|够)了?$|"
    r"[一二]眼|"
    r"\b(?:does|do|did|is|are|was|were|has|have)(?:n['’]t| not)\b|\b(?:keep|kept) \w+ing\b"
)
_SPOKEN: Final = re.compile(
    r"[我你您他她咱]|(?:将至|在即|临近|快到了|将近|来临|到来)$|[了吧呢啊哦嘛呀]$|(?:下周|下午|上午|晚上|明天|今天|"
    r"后天|现在|月底|年底|晚点|回头|以后|之后再|再说)|"
    r"(?:同事|领导|老板|客户|老师|专家|学生|家长|老外|甲方|乙方|外方|对方|检查组|处|科|部)(?:们|那边)?(?:也|都|就|要|"
    r"会|想|等|来|说|催|问)|[看来用](?:的)?$|^(?:反正|因为|省得|免得|方便|毕竟|不然|主要|回头|到时|等|以后|明[天早]|"
    r"今[天晚早]|后天|下[周月个]|本[周月]|这[周月]|"
    r"周[一二三四五六日末]|星期|月底|年底|最近|马上|稍后|晚点|后面|后续|具体|大家|领导|老板|客户|财务|同事|急|谢|"
    r"辛苦|麻烦|不好意思|其实|反而)|"
    r"\b(?:i|we|you|he|she|they|everyone|someone)(?:['’]\w+)? \w|"
    r"^(?:and |so |but |it['’]s |it is |just )*(?:for|to|because|since|before|until|by|as|so|when|if|after|once) .*"
    r"\b(?:my|our|your|us|me|boss)\b|"
    r"\b(?:my|our|your|us|me|boss)\b.*(?:\b(?:is|are|was|were|has|have|had|will|can|came|went|said|asked|told|"
    r"wanted|liked|got|met|want|like|need|read|see|keep|\w{2,}[^\Ws]s)\b|['’](?:s|re|ve|ll|d)\b)|"
    r"\b(?:is|are|was|were|has|have|had|will|said|asked|wants?|told|tells?|lets?|gives?|helps?)\b.*"
    r"\b(?:my|our|your|us|me|boss)\b|"
    r"\b(?:thanks?|sorry|because|since|later|tomorrow|today|tonight|this (?:week|afternoon|morning)|next week)\b",
    re.IGNORECASE,
)
# What makes a sentence of a clause, and no name.
_TELLS_ZH: Final = re.compile(
    r"[了着过吧呢]$|[要想让叫等怕没不还正快得说问看会能肯用给也都在去报发交讲开催太很挺差缺少来我你他她们]|着急|忘|"
    r"开始|马上|即将|为了|因为|由于|"
    r"准备|打算|需要|方便|省得|好让|那种"
)
_TELLS_EN: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|am|keeps?|kept|left|came|comes?|went|goes|asked|asks|said|says|"
    r"wants?|likes?|loves?|starts?|begins?|means?|got|gets?|met|meets?|reads?|sees?|needs?|can|to \w+|"
    r"for \w+|\w{3,}(?:ed|ing|s))\b|['’](?:s|re|ve|ll|m|d|t)\b",
    re.IGNORECASE,
)

# A sentence has somebody or something in front of its verb, or begins as a reason does; a part of one is an order.
_SUBJECT_EN: Final = re.compile(
    r"(?:(?:and|so|but|well|okay|hi|hello|anyway|now|next \w+|this \w+|last \w+|today|tomorrow|yesterday)[, ]+)*"
    r"(?:(?:i|we|he|she|they|you|it|this|that|these|those|there|here|who|what|my|our|his|her|their|your|the|an?|"
    r"some\w*|"
    r"every\w*|nobody|people|all|both|most|many|three|two|half)\b|\w+['’]s (?:not|still|only)\b|"
    r"(?-i:[A-Z])\w+(?: \w+)? (?:\w+s|is|are|was|were|has|have|had|"
    r"will|can|asked|told|said|wanted|left|came|got)\b|\w+s (?:are|were|keep|want|need|come|like|ask|have|will|can)\b|"
    r"(?:for|because|since|as|so that|before|after|until|when|while|if|"
    r"to (?:see|know|show|help|find|give|keep|let)|in order) )",
    re.IGNORECASE,
)
_ORDER_EN: Final = re.compile(
    r"\b(?:should|must|ought|may not|mustn['’]t|cannot|shall|goes (?:first|last)|comes? (?:first|last|before|after)|"
    r"gets? an?|"
    r"is always|defaults?|skips?|ignores?|leaves? out|signs?|in (?:capitals|bold|italics|red|blue|green|colou?r)|"
    r"under the (?:last|first)|(?:may|can|could) (?:edit|tick|sign|see only|filter|sort))\b",
    re.IGNORECASE,
)


_CLAUSE_SIGN: Final = re.compile(r"[,，。;.!?\n]")
_MAX_LEAD_CHARS: Final = 100  # before a colon; to the start of the message each colon would read all before it


def holds_anyway(clause: str) -> bool:
    """Whether a clause asks for what is done in any case."""
    return _HOLDS.fullmatch(clause.strip()) is not None


def asks(clause: str) -> bool:
    """Whether a clause names an object, a value, a list or a quotation, or orders something."""
    if re.search(r"[\d\"、/|()\[\]→]|对应", clause) or any(topic.pattern.search(clause) for topic in list_topics()):
        return True
    if _FILLS.search(clause):
        return True
    if _PURPOSE.fullmatch(clause) and not re.search(COLUMN_WORDS, clause, re.IGNORECASE):
        return False
    if names_look(clause):
        return True
    bare = _DONE.sub("", clause)
    return bool(_DEMANDS.search(bare) or re.search(COLUMN_WORDS, bare, re.IGNORECASE))


def names_look(clause: str) -> bool:
    """Whether a clause says how the thing looks, is ordered, chosen, locked or printed, or what is put on it."""
    return _LOOKS.search(clause) is not None


def fills_part(clause: str) -> bool:
    """Whether a clause says what stands where, or who comes first."""
    return _FILLS.search(clause) is not None


def orders(clause: str) -> bool:
    """Whether an English sentence says what is to be, in the shape of a statement."""
    return _ORDER_EN.search(clause) is not None


def is_spoken(clause: str) -> bool:
    """Whether a clause is surely said to the reader: a sentence about somebody, a particle, a reason or a time."""
    return not asks(clause) and not _ORDER_EN.search(clause) and _SPOKEN.search(clause) is not None


def begins_with_order(clause: str) -> bool:
    """Whether a clause begins as an order does: with a verb of making or changing, or with whom it asks."""
    return _BEGINS.search(clause) is not None and _NO_VERB.match(clause) is None


def tells(clause: str) -> bool:
    """Whether a clause has what makes a sentence of it, and no name."""
    form = _TELLS_ZH if re.search(r"[\u4e00-\u9fff]", clause) else _TELLS_EN
    return form.search(clause) is not None


def opens_list(mask: str, colon: int) -> bool:
    """Whether the clause before a colon may lead to a list or a text: it is no aside."""
    return not is_aside(_CLAUSE_SIGN.split(mask[max(0, colon - _MAX_LEAD_CHARS) : colon])[-1])


def is_aside(clause: str) -> bool:
    """Whether a clause fills no slot and could not change the result: no object, value, list, quotation, no order."""
    if asks(clause):
        return False
    if re.search(r"[\u4e00-\u9fff]", clause):
        return _TELLS_ZH.search(clause) is not None and (
            len(clause) > 4 or clause.endswith(("了", "的", "要用", "没有"))
        )
    if re.match(
        r"(?:and|plus|also|then|or)\b(?! (?:i|we|they|he|she|people|someone|everyone|the|my|our)\b)",
        clause,
        re.IGNORECASE,
    ):
        return False  # what is joined to an order goes on with it
    is_sentence = _SUBJECT_EN.match(clause) is not None and not _ORDER_EN.search(clause)
    return is_sentence and _TELLS_EN.search(clause) is not None and len(clause.split()) > 3
