"""Words that demand something of the result beside its content: tone, length, language, order, place, source, time."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from metier.packs.office._counts import COUNT

__all__ = ["FORMS", "OF_PART", "DemandForm", "DemandKind"]

DemandKind = Literal[
    "tone", "length", "language", "order", "place", "omission", "source", "verbatim", "time", "unit", "look", "part",
    "mark", "some_rows",
]  # fmt: skip
# Demands on some of the result: any text of the plan may have their words in it, wherever it stands.
OF_PART: Final = frozenset[DemandKind]({"mark", "some_rows"})
_COUNT: Final = rf"(?:{COUNT}|[几半]|两三|三五|三四)"
_TONES_ZH: Final = (
    r"(?:正式|庄重|严肃|严谨|委婉|客气|礼貌|活泼|轻松|幽默|风趣|口语|书面|简练|精炼|凝练|"
    r"通俗|专业|亲切|热情|官方|商务|学术|接地气|有力|生动)"
)
_TONES_EN: Final = (
    r"(?:formal|informal|friendly|polite|casual|serious|humorous|funny|professional|academic|neutral|punchy|lively|"
    r"persuasive|conversational|businesslike|warm|official|modest|confident|diplomatic)"
)
_LANGUAGES_EN: Final = r"(?:english|chinese|french|german|spanish|japanese|russian|korean|italian|portuguese)"
_SIZES_EN: Final = r"(?:pages?|words?|sentences?|paragraphs?|characters?|minutes?|lines?)"
_FAR_EN: Final = r"(?:large|small|bigg?|high|low|new|old|late|early|cheap|long|short|import|urg)"


@dataclass(frozen=True, slots=True)
class DemandForm:
    """Words of one kind of demand; group `value`, where there is one, is what the plan must write to meet it."""

    kind: DemandKind
    pattern: "re.Pattern[str]"


def _form(kind: DemandKind, *patterns: str) -> DemandForm:
    return DemandForm(kind, re.compile("|".join(patterns), re.IGNORECASE))


FORMS: Final = (
    _form(
        "tone",
        rf"(?:语气|口吻|口气|措辞|用语|用词|文风|笔调|风格|行文|文字|语言)(?:上|要|得|请|尽量|应当?|再|都|最好|更|写|用|稍微?|偏|走)*{_TONES_ZH}",
        rf"[写说弄做讲](?:得|的)(?:要|再|更|稍微?|尽量)*{_TONES_ZH}|{_TONES_ZH}(?:化|范儿?|风格?|腔调?|口吻|语气|的?语言)",
        r"[用以](?:敬语|敬称|书面语|口语|大白话|白话文?|文言文?|第[一二三]人称)",
        rf"\b{_TONES_EN} (?:tone|style|language|wording|voice|manner|register|english)\b|"
        r"\bin the (?:style|manner) of\b|\b(?:in )?plain (?:words|english|language)\b",
        rf"\b(?:tone|style|wording|voice|language)\b(?! of)[^,.;:]{{0,12}}\b{_TONES_EN}\b|"
        rf"\b(?:make|keep) it (?:\w+ )?{_TONES_EN}\b|\bsounds? (?:\w+ )?{_TONES_EN}\b",
    ),
    _form(
        "length",
        r"(?:控制|限制|限定|压缩|保持|浓缩)(?:在|到|成)|(?:字数|篇幅|长度)(?:要|得|别|不|尽量|控制|多|少|短|长)",
        rf"(?:不超过|不要超过|别超过|不多于|最多|至少|不少于|不低于|少于|多于|超过)\s*{_COUNT}\s*[百千]?个?(?:字|页|句|段|词|分钟)",
        rf"{_COUNT}(?:百|千)?(?:多)?(?:页|字|句话?|分钟)(?:纸)?(?:以内|之内|内|左右|上下)",
        rf"[每各](?:个|一)?(?:部分|条|段|项|点|节|章|标题|议题|小节|要点|内容|栏目?)(?:下面?|里面?|后面?|底下)?(?:都|要|再|各|得|请)*"
        rf"[写配附加有带补](?:上|个)?{_COUNT}(?:[到至]{_COUNT})?个?(?:句|段|行(?!表)|字|例子)",
        rf"每行{_COUNT}个?字|{_COUNT}个?字(?:一|为一|占一)[行排]|一[行排]{_COUNT}个?字|(?<![\"这那])(?P<signs>{COUNT})个字$",
        r"[写说做弄讲](?:得|的)?(?:再|更|要|稍微?)*(?:详细|具体|简短|简略|简要|详尽|充实|丰富|长|短|细)一?[点些]",
        rf"\b(?:no (?:longer|more) than|at most|at least|under|within|up to|about|around|maximum|max|exceed\w*|to|"
        rf"less than|fewer than|over)\s+(?:of )?(?:{COUNT}|half an?|a few|an?)\s+(?:\w+ )?{_SIZES_EN}\b",
        rf"\b(?:{COUNT}|a few|several)\s+(?:\w+ )?sentences?\s+(?:under|for|per|in|below|on|each|beneath|about)\b",
        r"\bin (?:more|greater|full|much) detail\b|\b(?:keep|make) (?:it|them|each \w+|every \w+|the \w+) "
        r"(?:short|brief|long|concise|detailed|under|below)\b",
    ),
    _form(
        "language",
        r"双语|(?:中英|英中|汉英|英汉|中日|中俄)文?(?:对照|双语|各|两[版份])|繁体|(?:英|日|法|德|俄|韩|中)[文语]版|"
        r"(?:用|写成|做成|附|配|带|加|标|换成)(?:上|个|有|纯|全)?(?P<language>(?:英|日|法|德|俄|韩|中)[文语])(?!名)",
        rf"\bbilingual\b|\bin (?:both|two) (?:{_LANGUAGES_EN}|languages)\b|"
        rf"\bin (?:simplified |traditional )?(?P<tongue>{_LANGUAGES_EN})\b",
        rf"\b{_LANGUAGES_EN} (?:translation|version|equivalent|subtitles?)\b|\b(?:british|american|us|uk) "
        r"(?:spelling|english|way|style)\b",
    ),
    _form(
        "order",
        rf"[按依照](?!周排)(?!\s*{COUNT}\s*个?[周月天季年])[^,，。;、:]{{1,8}}?(?:排(?![版班放期气水污])(?:序|列|名|好|一?下)?(?=$|[,，。;]|就|吧|来)|归类|分类(?=$|[,，。;]))",
        r"并行|同[步时](?:进行|开始|开工|开展)|错开|重叠|交叉(?:进行|作业)",
        r"(?:急|重要|要紧|金额|数额|大|高|多|早|新|近|贵|紧急)(?:程度)?[^,，。;、]{0,4}的(?:项|事|先|要|都)*[排放写列摆]?[在到]?最?"
        r"(?:前面?|上面?|靠前|头里|后面?|下面?|靠后)(?=$|[,，。;])",
        r"(?:提|挪|移|调|换)(?:到|在|至)(?:最)?(?:前|后|首|末|开头|第|[^,，。;、:]{1,10}(?:[前后上下]面?|之[前后]))",
        r"\b(?:sort|rank|arrang|shuffl)(?:e|ed|ing)?\b(?! (?:of|out))|\bin (?:alphabetical|chronological|reverse|"
        r"ascending|descending|random|any) order\b|\b(?:alphabetically|chronologically)\b",
        rf"\b(?:(?:most|least) \w+|{_FAR_EN}\w*est|newest|biggest)(?: \w+){{0,2}} (?:first|last|on top|at the (?:top|"
        r"bottom|start|end))\b",
        rf"\bfrom {_FAR_EN}\w* to\b",
    ),
    _form(
        "place",
        r"(?:图片?|表格?|文字|标题|标志|要点|照片)?(?:放|排|摆|靠|居|置)(?:在|到|于)?(?:页面|纸面?|图|表格?|幻灯片|版面)?的?"
        r"(?:[左右](?:侧|边|面|上角?|下角?)?|正?中间?|两边|旁边)(?=$|[,，。;]|就|吧)",
        rf"另起一页|每页(?:放|印|排|只)?(?:{COUNT})[张个份]|一页一[张个份]|"
        r"(?:单独|各|独立)(?:占|放|成|做)?(?:在)?一页|[分排](?:成|为)?[两二三双23]栏|从[A-Z]{1,2}\d{1,4}(?:单元格)?[开起]",
        r"\bon (?:an?|its|their|the)?\s?(?:separate|own|new|next|left|right|other|same) (?:hand )?"
        r"(?:page|slide|sheet|side)\b",
        r"\bon an? (?:page|slide|sheet) of (?:its|their) own\b|\b(?:next to|beside|alongside|opposite) the\b",
        r"\bas (?:the |slide |page )+(?:first|second|third|fourth|fifth|last|number|\d+)\b|"
        r"\b(?:left|right)-hand side\b",
        r"\b(?:starting|beginning|start|begin)s? (?:in|at|from) (?:cell )?[A-Z]{1,2}\d{1,4}\b|\bright after the\b",
        r"\b(?:just|right|directly|shortly) (?:before|after|behind) (?:the|slide|page)\b|"
        r"\b(?:pictures?|images?|photos?|charts?|logos?|text) (?:on|at|to) the (?:left|right|top|bottom|side)\b",
    ),
    _form(
        "omission",
        r"(?:省略|略去|略过|跳过|省去|省掉|免去)(?P<gone>[^,，。;、]{1,8})",
        r"\b(?:leave out|skip|omit|drop(?! (?:in|on|me|an?)\b)|exclude|hide|suppress)\b "
        r"(?:the |any |all )?(?P<left>[^,.;:]{2,30})",
    ),
    _form(
        "source",
        r"[用取按照以从拿](?:着)?(?:[^,，。;:、]{0,6}?)(?:表格?[里中](?:面)?|附件|上面|上文|前面|文中|原文|系统|数据库|台账|报表|上周|上月|去年|上次|上回|网上|"
        r"录音|草稿|旧版)[^,，。;:、]{0,6}?(?:数字?|数据|内容|为准|取|来(?=$|[,，。;])|填|抄|样子|格式|样式|版式|口径|版本|来源|一样)",
        r"以[^,，。;:、]{1,8}为准|(?:数据|数字|数值|金额)(?:都|就)?[照按用取](?:上[周月次回]|去年|以前|原来)[^,，。;:、]{0,4}",
        r"\b(?:using|use|take\w*|from|with|based on|copy|copied|pull\w*|following)\b[^,.;:\d]{0,24}?\b"
        r"(?:attach\w+|above|"
        r"sheet ?\d|spreadsheet|workbook|database|"
        r"(?:the|these|those|my|our) (?:table|figures|numbers|data) (?:in|on|from|below)(?: (?:the|my|our|sheet))?|"
        r"(?:last|previous|earlier) (?:week|month|year|time|report|version)(?:['’]s)?)\b",
        r"\bfrom the (?:report|table|system|file|minutes|recording|transcript|email|sheet)\b",
    ),
    _form(
        "verbatim",
        r"照抄|原话|一字不[差漏改]|逐字(?:逐句)?|原样照?[搬抄]",
        r"\bword for word\b|\bverbatim\b|\bquote (?:people|them|everyone|everybody|each|the|all)\b",
    ),
    _form(
        "time",
        r"(?:是|为|注明|写上?|标上?|标明|算|按|填)(?:的)?(?:是|为)?(?P<year>明年|去年|今年|后年|前年|来年|上年度?|本年度?|下年度?|今天|当天|昨天)"
        r"(?=的|$|[,，。;])",
        r"(?P<whose>明年|去年|后年|前年|来年|上年度?|下年度?)的?(?=[^,，。;:、了要会就]{0,8}(?:表|图|计划|预算|报告|大纲|提纲|清单|总结))",
        r"^(?:and |all )?(?:for|of|in) (?P<when>(?:next|last|this|the coming) (?:year|month|quarter))$|"
        r"\b(?P<owner>(?:next|last) (?:year|month|quarter))['’]s\b|\btoday['’]s date\b|\bfiscal year\b",
        r"\b(?:table|chart|budget|outline|report|plan|schedule|slide) (?:for|of) (?P<which>(?:next|last) "
        r"(?:year|month|quarter))\b",
    ),
    _form(
        "unit",
        r"单位(?:都|统一|就)?(?:用|是|为|写|按|标)?(?P<unit>(?:万元|千元|亿元|元|吨|公斤|千克|台|件|人|个|小时|天|百分比|%|美元|欧元))(?=$|[,，。;])",
        r"保留[^,，。;]{0,4}小数|小数点?后|千分[位号]|[用以按](?:百分比|百分数|%)|大写金额|金额[^,，。;]{0,2}大写|科学[计记]数|"
        r"(?:用|以|按|换算?成|折成)(?P<coin>美元|欧元|英镑|港币|日元|万元|千元|人民币)",
        r"\bin (?:\w+ of )?(?P<money>euros?|dollars?|pounds|usd|eur|rmb|yuan|thousands|millions|percent)\b|"
        r"(?:\w+ )?\bdecimals?(?: places?)?\b|\bas (?:a )?percent\w*|\bthousands? separators?\b|\brounded\b",
    ),
    _form(
        "look",
        r"字(?:号|体)?(?:要|再|得|都|弄|放|调|写)*(?:大|小|粗|细)一?[点些]|(?:柱子?|线条?|边?框|[行列])(?:要|再|得|画|做|调|弄)+(?:窄|宽|粗|细|高|矮|扁|密)|"
        r"动画|切换效果|[可能][^,，。;]{0,3}打勾|打勾的?(?:方?框|格子?)|"
        r"(?:带|加|配|前面?)(?:上|个|有)?(?:方框|复选框|勾选框)",
        r"\b(?:larger|bigger|smaller|bold|italic) (?:letters|type|font|text|print)\b|\bbox(?:es)? to tick\b|"
        r"\b(?:tick|check) ?box(?:es)?\b|\banimat(?:ed|ions?)\b|\btransitions?\b|\bread[ -]?only\b",
        r"\b(?:thicker|thinner|wider|narrower|darker|lighter|dashed|dotted|double) (?:\w+ )?"
        r"(?:lines?|borders?|bars?|columns?)\b",
    ),
    # Parts and features that a draft has only where its text names them.
    _form(
        "part",
        r"三维|立体图|趋势线|网格线|[纵横]轴|坐标轴|数据标签|(?:显示|标出|标上|注明)(?:数值|数字|数据|百分比|占比)|箭头|连线|流程图|思维导图|罗马数字|"
        r"含税|折后|打[一二三四五六七八九\d.]+折|自动编号?|签[字名章](?:处|栏|的地方)|盖章|徽标|标志图|超?链接|二维码|[脚尾批]注|页[眉脚码]|封面|目录(?!页)|致谢|讲稿|演讲稿",
        r"\b(?:3-?d|trend ?lines?|grid ?lines?|axis|axes|data labels?|arrows?|flow ?charts?|mind maps?|roman numerals?|"
        r"values on|percentages on|logos?|hyperlinks?|qr codes?|foot ?notes?|end ?notes?|speaker notes?|cover page|"
        r"signature (?:line|block|field)|call to action|page numbers?|table of contents)\b",
        r"(?:也|都|还)(?:要|得)?[补加带算列附](?:上|进去?)(?=$|[,，。;])",
        r"\brepeat(?:s|ed|ing)? (?:its |the |their )?head|\bonly in the (?:first|last|second|third)\b",
    ),
    # How some of it is to look.
    _form(
        "mark",
        r"[标涂染刷变描][成为上出]?[红黄绿蓝橙紫灰黑白粉粗亮星](?!头|线|皮|榜|酒)|(?:标|变|涂)[成为上]?(?:颜色|底色|重点)|高亮|[加打画][上个]?(?:星号?|叉|下划线|着重号|底色|底纹)(?!级|座)|划掉|"
        r"(?<!黑)加[粗黑亮红](?!的?(?:标题|表头|字体?)|墨)",
        r"^\s*(?:(?:and|then|also|please|but|so) )*(?-i:highlight|underline|shade|bold|embolden|italici[sz]e|tick|star|"
        r"flag|mark|circle|grey out|gray out|strike out|cross out) (?:the |any\w* |all |every\w* |each )*[a-z]",
        r"\b(?:highlighted|underlined|shaded|bolded|italici[sz]ed|gr[ae]yed out|crossed out|starred|flagged)\b",
    ),
    # Some rows are spoken of, which is no number of rows of a new table.
    _form(
        "some_rows",
        rf"(?:倒数|末尾|[前后头]面?|最[后前上下]面?)\s*(?![一1]行)(?:{COUNT}|几)行(?=[标涂染刷变描加留给由归空放排写填用是为都要合])",
        rf"(?<![空白填写用表需要])的(?:这|那|前|后)?(?:{COUNT}|几)行(?!的?表)",
        rf"[\u4e00-\u9fff][和与跟及、][\u4e00-\u9fff]{{1,6}}?各(?:自|留|占|写|加|给|来|放|要|有)*(?P<each>{COUNT})[行条]",
        r"\b(?:the )?(?:first|last|top|bottom|middle) (?:two|three|four|five|few|\d+) (?:rows|lines)\b|"
        r"\ba (?:row|line) (?:each )?(?:for each of|each for|apiece for)\b",
    ),
)  # fmt: skip
