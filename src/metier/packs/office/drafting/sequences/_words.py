"""Words that lead to the first, the next and the last item of an enumeration."""

import re
from typing import Final

__all__ = ["BARE_VERB", "MARK_EN", "MARK_ZH", "NTH_EN", "ONE_ZH", "OPENS_EN", "OPENS_ZH", "ORDINALS_EN"]

# Verbs of saying what comes; 排 and the like begin names too (排查结果).
_VERB: Final = r"写(?!作)|列(?![车支表席])|放(?![假映行射款])|讲(?![师座台])|说(?!明)|填(?!报)|介绍"
_SAYS: Final = rf"(?:(?:就|才|应该|要|则)?(?:(?:{_VERB})(?:的?是(?!否)|为)?|是(?!否)|为))"
_UNIT: Final = r"(?:个|列|栏|项|块|部分|条|点|节|章|段|格|行|步|道|件事?|类)?"
_FIRST: Final = (
    rf"(?:首先|(?<![优领事原祖率预争抢])先|第一{_UNIT}|头一{_UNIT}|一开始|开头|打头的?|最?前面|最左边?){_SAYS}|"
    r"(?<=[::])先(?![进后行前生])"
)
_NEXT: Final = (
    r"(?:(?:紧?接着|然后|其次|再次|接下来|随后|往后|再往[后下右]|紧?跟着|下来|再来|"
    rf"第[二三四五六七八九]{_UNIT})(?:{_SAYS})?|"
    rf"(?:再|后面|下面|中间|当中|之后|依次|旁边|右边|另一{_UNIT}){_SAYS}|再(?![生次见版三]))"
)
_LAST: Final = rf"(?:最后面?|末了|末尾|结尾|最末|最右边?)(?:的?(?:那|这)?一?{_UNIT})(?:{_SAYS})?"
MARK_ZH: Final = re.compile(
    rf"(?P<first>{_FIRST})|"
    rf"(?:(?<=[,，、;。\n])|(?<=[。;] ))\s*(?:(?P<next>{_NEXT})|(?P<last>{_LAST}))(?=[^,，、。;:!?\s])"
)
BARE_VERB: Final = re.compile(rf"(?:{_VERB})$")
OPENS_ZH: Final = re.compile(
    r"(?:依次|从[左上][往到至][右下]|分别|(?:列名?|表头|栏目|字段|任务|工序|环节|议题|议程|要点|章节|小节|里面|内容|"
    r"顺序|次序)(?=[是为有:要得需]))(?:要|得|需要?)?(?:依次|分别|就)?(?:是|为|有|写|:)+"
)
# 一块是甲，一块是乙，还有一块是丙
ONE_ZH: Final = re.compile(
    r"(?:(?<=[,，、;。:\n])|(?<=[有分]))\s*(?:还有|另外|另|再有|再|最后|以及|剩下)*"
    r"(?P<mark>(?<![第每同])一(?P<unit>块|部分|项|条|列|栏|个|类|章|节|段|格|行|样|件))"
    r"(?:就|要|则)?(?:叫做?|写的?|放|讲|填)?(?:是(?!否)|为)?(?=[^,，、。;:!?\s])"
)

_COMES: Final = r"(?: (?:comes?|is|are|goes|go))?"
_WITH: Final = r"(?:start(?:ing|s)?|begin(?:ning|s)?|open(?:ing|s)?|kick(?:ing|s)? off) with"
_NOT_THE_FIRST: Final = "".join(rf"(?<!\b{one} )" for one in ("the", "my", "our", "its", "their", "at"))
# “First Name” and the like are names, so that the words are small letters, but for the beginning of a sentence.
_FIRST_EN: Final = (
    rf"(?:(?<![\w-]){_NOT_THE_FIRST}first(?:ly)?(?: of all| up)?{_COMES},?|{_WITH}|"
    r"(?:(?<=[.?!:] )|(?<=^))First(?:(?:ly| of all)?,|(?: up)? (?:comes?|is|goes)))"
)
_NEXT_EN: Final = (
    r"(?:(?:and )?(?:then|after that|followed by|secondly|thirdly|next comes?|next(?= (?-i:[A-Z\"])))"
    rf"(?: there(?:['’]s| is| are))?{_COMES},?|next,|(?:(?<=\. )|(?<=; ))(?:Then|Next|After that|Second(?:ly)?|"
    r"Third(?:ly)?),)"
)
_LAST_EN: Final = (
    r"(?:(?:and )?(?:then )?(?:finally|lastly|last of all|last comes?|at the end comes?|to finish|to close|"
    rf"(?:end|finish|clos)(?:ing|e|es|s)? (?:up )?with){_COMES},?|"
    r"(?:(?<=\. )|(?<=; ))(?:And )?(?:Finally|Lastly|Last of all),)"
)
MARK_EN: Final = re.compile(
    rf"(?P<first>{_FIRST_EN})(?= \S)|"
    rf"(?:(?<=[,;] )|(?<=\. )|(?<=[a-z\d\"] ))(?:(?P<last>{_LAST_EN})|(?P<next>{_NEXT_EN}))(?= \S)"
)
# A first item without a word before it: It's Seeds 3000, then …; the columns are Item, then …
OPENS_EN: Final = re.compile(
    r"(?:\b(?:it|they|that|these|those|there)(?:['’]s|['’]re| is| are)|"
    r"\b(?:columns?|tasks|sections?|items|points|headings|topics|parts|steps|entries)(?: (?:are|is|being|"
    r"should be))?|"
    r":)(?= )",
    re.IGNORECASE,
)
ORDINALS_EN: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# The first line is …, the second one is …
NTH_EN: Final = re.compile(
    rf"(?:(?<=[.,;:?!] )|(?<= and )|(?<=^))(?:and )?the (?P<nth>{'|'.join(ORDINALS_EN)}|last)"
    r"(?: (?:column|line|section|task|bullet|point|item|one|part|heading|topic|step))? (?:(?:should|must|will) )?"
    r"(?:be|is|says?|reads?|called)(?: called)?(?= \S)",
    re.IGNORECASE,
)
