"""How people are called in messages: 小李, 王姐, 老师, Tom, Mr Okafor; words that only look like a name are none."""

import re
from typing import Final

from metier.packs.office.drafting._asides import asks, names_look

__all__ = ["FULL_NAME", "NAME", "PERSON", "TITLED", "is_name", "is_person"]

_SURNAMES: Final = (
    "王李张刘陈杨赵黄周吴徐孙朱马胡郭林何高罗郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎闫薛尹段雷黎史龙陶贺"
    "顾毛郝龚邵万钱严覃武戚莫孔向汤柳倪鲁葛庄祝焦牛樊安齐易温殷滕靳祁翟俞柴霍童詹耿关裴申翁单尤包解岳辛尚左甄游项穆符聂路晏匡司苗季卜娄梅盛路骆管蓝费纪舒屈涂谷庞池鲍甘桑宫闻冉阮敖兰景"
)
# Surnames with which few other words begin.
_PLAIN_SURNAMES: Final = (
    "王李张刘陈杨赵吴徐孙郭罗郑梁邓冯曹曾彭萧蔡潘袁蒋杜魏吕沈姚卢傅崔廖汪陆韦贾薛邱侯孟秦闫邵龚谭邹郝尹"
)
_TITLES: Final = (
    r"姐|哥|叔|姨|伯|嫂|爷|妹|弟|老师|老板|秘书|助理|会计|出纳|经理|主任|主管|总监|科长|处长|部长|局长|校长|院长|"
    r"所长|队长|组长|班长|店长|园长|厂长|站长|社长|"
    r"馆长|行长|镇长|村长|书记|干事|委员|律师|法官|警官|医生|大夫|护士长|护士|药师|教授|博士|工程师|师傅|师兄|师姐|"
    r"学长|学姐|编辑|教练|导演|女士|先生|小姐|"
    r"同学|同志|工长|总工|董事长|技术员|调度"
)
_SHORT_TITLES: Final = r"[总工队科处局院校所董导律店厂]"
# What is small, old or big, and nobody.
_NOT_SMALL: Final = (
    r"[一二三四五六七八九十初号计结区组时题学节数车票型写字说家孩班样额麦米吃伙标件块表图条事心提程册卡贴费段行列项]"
)
_NOT_OLD: Final = r"[一四五六七八九十人年板师旧家婆公规样客项的版化弱是实早大二三]"
# Given names that are said twice: 佳佳, 婷婷.
_TWICE: Final = "|".join(
    2 * one
    for one in "佳倩婷丽娜莉莎菲晶圆媛芳蓉露璐琪琳楠蕾贝笑蓓珊姗萌欢豆飞强涛洋阳晓秀玲芸薇雯静敏燕霞萍梅莹盈冰甜彤依"
    "可苗果糖朵妞毛宁安康健伟磊斌波辉龙虎鹏晨辰宸瑶瑞睿悦思诗文雅芬兰凤云英华珍军浩淇蒙欣馨"
)
PERSON: Final = (
    rf"(?:小(?!{_NOT_SMALL})[\u4e00-\u9fff]|老(?!{_NOT_OLD})[\u4e00-\u9fff]|阿(?!里|尔|拉|富|根)[\u4e00-\u9fff]|"
    rf"大[刘李王张陈杨赵周吴徐孙朱马胡郭何罗郑谢宋许邓冯韩曹彭潘袁蒋魏吕姚卢崔谭廖汪陆邱侯孟秦]|"
    rf"{_TWICE})(?:{_TITLES}|儿|子)?|"
    rf"(?:小|老)?(?:[{_SURNAMES}]|欧阳|上官|司马|诸葛|司徒|端木|皇甫)[\u4e00-\u9fff]{{0,2}}(?:{_TITLES})|"
    rf"[{_SURNAMES}]{_SHORT_TITLES}|"
    rf"[\u4e00-\u9fff]{{1,3}}(?:部|科|处|室|组|队|班|台|度|政|务|事|计|库|购|流)[小老][{_SURNAMES}]"
)
# Who is called by what they are: only with a greeting or right before what they are asked for.
TITLED: Final = (
    r"(?:各位|亲爱的|尊敬的)?(?:老师|老板|领导|主任|经理|师傅|护士长|店长|队长|班长|组长|书记|秘书|同事|同学|家人|"
    r"朋友|专家|评委|亲|姐|哥|师兄|师姐|学姐|学长|大佬|大神|"
    r"宝子|姐妹|兄弟)们?|大家|各位|同学们|亲爱的"
)
FULL_NAME: Final = (
    rf"[{_PLAIN_SURNAMES}]"
    r"(?!牌|贴|数|列|述|梅|子|率|时|续|路|点|语|文|式|型|类|级|项|期|量|额|[色底边框])"
    r"[\u4e00-\u9fff]{1,2}"
)
_SINGLE: Final = re.compile(PERSON)
# Words with a capital that begin a message or stand behind the thanks, and are no name.
_NO_NAME: Final = re.compile(
    r"(?:please|sorry|thanks?|yes|no|ok|okay|so|also|and|but|well|right|now|today|tomorrow|tonight|then|first|next|"
    r"last|"
    r"finally|again|here|there|this|that|these|those|it|its|i|we|you|he|she|they|my|our|your|his|her|their|the|an?|"
    r"some|"
    r"all|both|each|every|one|two|three|four|five|six|seven|eight|nine|ten|mon|tues?|wed|thurs?|fri|sat|sun|\w+day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|"
    r"winter|"
    r"week|month|quarter|year|date|time|name|item|task|owner|status|title|header|heading|column|row|table|chart|slide|"
    r"list|report|summary|agenda|minutes|budget|actual|total|note|notes|text|bold|italics?|red|blue|green|black|white|"
    r"grey|gray|yellow|orange|landscape|portrait|urgent|draft|final|confidential|internal|english|chinese|french|"
    r"german|spanish|formal|informal|plain|simple|short|long|big|small|large|huge|word|excel|powerpoint|pdf|wps|"
    r"quantity|price|amount|unit|cost|risk|impact|action|result|comments?|remarks?|area|check|topic|subject|sum|"
    r"monochrome|numbered|sorted|centred|centered|blank|empty|none|nothing|only|just|could|can|would|will|add|insert|"
    r"put|make|create|draw|write|draft|set|give|quick|hello|hi|hey|dear|morning|afternoon|evening|regarding|re|fyi|"
    r"asap|"
    r"background|context|reason|goal|purpose|content|format|layout|style|colou?r|font|size|order|version|"
    r"\w+(?:ly|al|ed|ing|tion|sion|ment|ity|ness|ance|ence|ous|ful|able|ible|ic|ship|ware|less|age|ure|er|ers|ies|ts|"
    r"ds|ks|"
    r"ms|ps|rs|ns))",
    re.IGNORECASE,
)
# Names that end as other words do.
_STILL_NAME: Final = re.compile(
    r"(?:peter|walter|alexander|oliver|christopher|jennifer|heather|esther|amber|tyler|hunter|carter|roger|xavier|"
    r"spencer|cooper|jasper|oscar|piper|harper|ester|rainer|gunter|dieter|pieter|viktor|javier|olivier|didier|"
    r"emily|lily|molly|polly|sally|kelly|billy|holly|carly|ally|milly|elly|shelly|beverly|kimberly|"
    r"neal|al|val|hal|kendal|randal|ted|fred|alfred|jared|ahmed|mohammed|muhammed|mohamed|sterling|eric|dominic|"
    r"frederic|cedric|ludovic|vic|nic|zoric|florence|clarence|terence|lawrence|laurence|prudence|constance|candace|"
    r"charity|felicity|trinity|page|paige|anders|thomas|charles|james|hans|jens|frances|agnes|rogers|francis|"
    r"mads|lars|klaus|niklas|andreas|lucas|lukas|jonas|silas|elias|tomas|matias|mathias|tobias|ines|hannes|johannes|"
    r"marcus|markus|magnus|rasmus|linus|julius|angus|amadeus|dennis|boris|doris|iris|chris|phyllis|alexis|travis|"
    r"curtis|morris|lewis|louis|luis|carlos|marcos|nikos|andres|mercedes|lourdes)",
    re.IGNORECASE,
)
NAME: Final = r"[A-Z][A-Za-z'’-]{1,14}"


def is_person(clause: str) -> bool:
    """Whether a clause is a name and nothing else, as people are called in Chinese messages."""
    return _SINGLE.fullmatch(clause.strip()) is not None


def is_name(word: str) -> bool:
    """Whether a word with a capital may be a name: no word of an order, a date, a look or a part of a document."""
    if not re.fullmatch(NAME, word) or asks(word) or names_look(word):
        return False
    return _STILL_NAME.fullmatch(word) is not None or _NO_NAME.fullmatch(word) is None
