"""Wordings by which a description says what it is not for, in Chinese and English, and what it excepts from that.

A wording counts where the skill is meant: at the start of a clause, or with the skill as its subject. "Services that do
not respond" and 排查不支持双面打印的问题 are what a skill is for.
"""

import re
from typing import Final

from metier.patterns import compile_later

# Another skill: an id, a word in quotation marks, the last word of a sentence, or anything called "skill" or "instead".
_OTHER_SKILL: Final = r"""(?:[^.,;]*\b(?:skill|instead)\b|[`"'“/]?[a-z0-9][\w.-]*[`"'”]?\s*(?:[.;(]|$))"""
_START: Final = r"(?:^\W*|[,;:(—–]\s*(?:and\s+|but\s+|please\s+)?|\s-\s|\b(?:it|this|skill|tool|and|but|please|so)\s+)"
_START_ZH: Final = (
    r"(?:^\W*|[，,；;（(：:—\s]|时|时候|情况下|的话|但|并|而|且)"
    r"(?:但|也|且|而|并|均|都|仅|只|本技能|该技能|此技能|它|目前|暂时?|一律|一般|不过|请)*"
)
_NOT_MUCH: Final = (
    r"(?!\s+(?:only|just|merely|yet|sure|limited|necessarily|always|too|all|every|simply|even|so|as|more|less"
    r"|to\s+mention)\b)"
)

# The whole sentence says what a skill is not for.
WHOLE: Final = compile_later(
    rf"""
      ^\W*(?:when\s+not\s+to\s+use|out\s+of\s+scope|(?:anti|negative)[-\s]?triggers?|not\s+(?:in\s+scope|covered)
        |non-?goals?|exclusions?|excluded?)\b[^:：\n]{{0,30}}(?:[:：]|$)
    | ^\W*(?:skip|avoid)\s+(?:this\b|(?:it\s+)?(?:for|when|if)\b|using\b)
    | ^\W*(?:for|if|when)\b[^,]{{3,120}},\s*(?:please\s+)?
      (?:(?:see|consult|refer\s+to|go\s+to|invoke)\s+(?!(?:the|an?|its|your|our|this|these|that|any|all)\s(?![^.;]*\bskill))
        |(?:use|try|prefer)\s+{_OTHER_SKILL})
    | ^\W*for\b[^,]{{3,80}}\s(?:see|use)\s+[`"']?\w+[-_]\w[\w-]*[`"']?\s*(?:skill|instead)?\s*[.;]?\s*$
    | ^\W*(?:use|see|prefer|try)\s[^.]{{3,100}}\binstead\b\s*[.;]?\s*$
    | ^\W*(?:本技能)?(?:以下|下列)(?:情况|场景)不(?:要|应|宜)?(?:使用|适用|用)
    | ^\W*(?:何时|什么时候|什么情况下?|哪些情况下?)不(?:要|该|应|宜)?(?:使|适)?用
    | ^\W*不在(?:此|本|服务|处理|适用)?范围\S{{0,2}}[:：] | ^\W*不适用的?(?:场景|情况|范围)?\W*$
    | (?:请|应|可|则)(?:改用|使用|转到|参见|参考|用|见)\s*
      (?:[「“"'`a-z][^，。]{{0,40}}(?:技能|skill)?|[^，。]{{2,20}}技能)\s*[。.]?\s*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What begins here is excluded, up to the end of the sentence.
TAIL: Final = compile_later(
    rf"""
      (?:^|[\s,(—–:-]+)not\s+(?:intended\s+|meant\s+|suitable\s+|suited\s+|designed\s+)?(?:for|when|if)\b
    | \bnot\s+the\s+(?:right\s+)?(?:skill|tool|choice|place)\s+(?:for|to|when|if)\b
    | {_START}(?:do\s+not|don'?t|never|not\s+to)\s+(?:be\s+)?
      (?:used?|trigger|invoke|apply|activate|call|choose|select|for)\b
    | {_START}(?:should|must|may|can)\s*not\s+be\s+(?:used|triggered|invoked|applied|activated)\b
    | {_START}(?:is\s+)?not\s+applicable\s+(?:for|to|when|if)\b
    | {_START}exclud(?:es|ing)\b
    | (?:^\W*|[,(]\s*|(?P<head>\b(?:all|any|every|anything|everything)\b[^,;(]{{0,40}}?\s))
      (?:except(?!\s+(?:that|as)\b)(?:\s+for)?|other\s+than|apart\s+from|with\s+the\s+exception\s+of)\s
    | [\s,;(—–]but\s+not\b{_NOT_MUCH}
    | \b(?:has|have)\s+nothing\s+to\s+do\s+with\b
    | \bnever\s+for\b
    | {_START_ZH}不(?:要|应|宜|可|能|得|是|会)?(?:适)?用[于在](?!.{{0,4}}[都也])
    | {_START_ZH}不(?:是|要)?用来(?=[写做办处查画发管算审搞])
    | {_START_ZH}不属于(?:本|这个?|此|该)技能
    | {_START_ZH}不适用(?=\W*\w)
    | {_START_ZH}不要(?:在|触发|使用|调用|用) | {_START_ZH}(?:请|切)?勿(?:使)?用(?:于|在)?
    | {_START_ZH}别(?:使|拿来?)?用(?:它|来)*[写做]?
    | {_START_ZH}禁止(?:使用|用[于来]?) | 并?非用[于来] | (?<!是)不是用[来于] | [，,]?(?:而不是|而非)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The same, unless the sentence tells in which case a skill is used.
WEAK_TAIL: Final = compile_later(
    rf"""
      {_START}(?:does\s+not|doesn'?t|cannot|can'?t|can\s+not|will\s+not|won'?t)\s+
      (?:handle|cover|support|apply|include|do|deal|process|touch|address|replace|write|create|perform)\b
    | [,(]\s*not\b{_NOT_MUCH}(?=\s+\w)
    | {_START_ZH}(?:不
        (?:处理|负责|涉及|包括|包含|含|支持|涵盖|解决|属于|写|做|管|提供|承接|受理|适合|接受)(?!好|完|了|到|起)
        |(?:无法|不能)(?:处理|用于|支持|解决|替代))(?![^，。；（）]{{0,16}}(?:时|也能|也可|照样|仍))
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What stands in the same clause is excluded.
CLAUSE: Final = compile_later(
    r"""
      \bout\s+of\s+scope\b | \b(?:should|must|can)\s+go\s+to\s+[^.]{0,40}\bskill | \bbelongs?\s+to\s+[^.]{0,40}\bskill
    | \b(?:is|are)\s+(?:not\s+(?:covered|supported|handled|included|in\s+scope)
        |(?:handled|covered|done|dealt\s+with)\s+(?:by|in)\s+(?:[\w\s-]{0,40}\bskill\b|`?\w+-\w+))
    | (?:一律|均|都|暂|概)?不(?:处理|负责|受理|写|做|管)\s*[。.；;]?\s*$
    | 不要(?:使)?用(?:本|这个?|此|该)技能
    | (?<![哪些什么])不适用\s*(?=[，,。；;]|$) | 不在此列
    | 不(?:在|属于)(?:此|本|服务|处理|适用|本技能)?(?:技能)?的?范围(?:之?内)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Only this is excluded, or excepted: 商业推广除外, 除电梯外都可以.
OWN: Final = compile_later(
    r"(?:^|[，,（(；;。])(?P<own>[^，,。；;（(]{2,20})(?:除外|例外)"
    r"|除了?(?P<other>[^，。；]{2,30}?)(?:之|以)?外[，,]?(?=[^。；]{0,14}(?:都|均|皆|全|任何|其他|其余|所有))"
)
# Within what is excluded: the case in which it is not.
EXCEPTION: Final = compile_later(
    r"""[\s,，（(]*
      (?: (?:\bunless\b|\bexcept\b(?:\s+(?:for|when|if|where|in))?|\bother\s+than\b|\bapart\s+from\b|除非)
          \s*(?P<case>.+?)\s*[)）]?\s*[。.;；]?\s*$
        | 除了?(?P<case_zh>[^，。；）]{1,30}?)(?:之|以)?外
        | [，,（(](?P<own>[^，,。；;（(]{2,20})(?:除外|例外) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The sentence tells in which case a skill is used, whatever that case lacks.
CIRCUMSTANCE: Final = compile_later(
    r"^\W*(?:also\s+|only\s+)?(?:use|trigger|invoke|activate|apply|call|works?|helps?)\b[^,]{0,40}?\b(?:when|if|whenever|where|even)\b"
    r"|^\W*(?:当|如果|若|用户)",
    re.IGNORECASE,
)
# Says in front of a refusal what it is about: "If it is about mail, do not use this skill."
CONDITION: Final = compile_later(
    r"^\W*(?:if|when|whenever|for)\b|^\W*(?:当|如果|若|如需|要是|遇到|对于?)", re.IGNORECASE
)
# Begins something that is covered, after a list of what is not.
COVERED: Final = compile_later(
    r"^\W*(?:(?:also\s+|only\s+)?use(?:d|ful)?\s+(?:it\s+|this\s+\w*\s*)?(?:for|when|if|to|whenever)\b|(?:it\s+)?(?:supports?|works?|handles?|covers?|includes?)\b"
    r"|(?:本技能|也|还|同时|但)?(?:支持|适用|用于|可以?|能|会|当|当用户|只(?!是)))",
    re.IGNORECASE,
)
# Line that begins another part of a description: "Examples: …", 注意：….
HEADING: Final = compile_later(r"^(?:#+\s|\W*[^\W\d_][\w ]{0,24}[:：])")
# Behind a comma these explain what was excluded, and exclude nothing themselves.
EXPLAINS: Final = compile_later(
    r"^\W*(?:which|that|as|because|since|where|who|use|see|please|instead|it|they|this|those|these|there|请|应|可|因为?|而|但|由|则|这|那|它)",
    re.IGNORECASE,
)
