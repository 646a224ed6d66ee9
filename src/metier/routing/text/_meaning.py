"""Questions about terms: what one means, what counts as good, how it is measured, how two of them differ."""

import re
from typing import Final, NamedTuple

from metier.patterns import compile_later

_MAX_TERM_CHARS: Final = 30
_MAX_QUESTION_CHARS: Final = 200
_ARTICLE: Final = compile_later(r"\b(?:the|an?|this|that) (?=\w)")
_PRONOUN: Final = compile_later(
    r"(?:这|那|它|他|她|这个|那个|这些|这是|那是|上面|刚才).{0,2}|it|this|that|these|those|you|he|she|they"
)
_FRAMES: Final = (
    compile_later(r"(?P<term>.+?)(?:是|有|到底是|具体)?(?:什么|啥|何)(?:意思|含义|概念)"),
    compile_later(r"(?P<term>.+?)(?:的|有什么)?(?:含义|定义|意思)(?:是什么|是啥|有哪些)?"),
    compile_later(r"(?P<term>.+?)(?:指|代表|表示)(?:的?是)?(?:什么|啥)(?:意思)?"),
    compile_later(r"(?P<term>.+?)是(?:什么|啥|哪几个)(?:单?词)?的?(?:缩写|简称|全称)"),
    compile_later(r"(?P<term>.+?)的?(?:是?怎么|如何)(?:计?算|定义|判定|判断|衡量|界定|得出|得来)(?:出来)?的?"),
    compile_later(r"(?P<term>.+?)的(?:计算方法|算法|判定标准|全称|单位)(?:是?什么|是?啥)?"),
    compile_later(r"(?:什么|啥)(?:是|叫做?)(?P<term>.+?)"),
    compile_later(r"(?:何为|何谓|解释)(?:一下)?(?P<term>.+?)(?:这个)?(?:词|术语|概念)?"),
    compile_later(r"what (?:does|do) (?P<term>.+?) (?:mean|stand for)"),
    compile_later(r"what (?P<term>.+?) (?:means|stands for)"),
    compile_later(r"what (?:is|are) (?P<term>.+?) (?:short for|an abbreviation (?:of|for))"),
    compile_later(r"what do you mean by (?P<term>.+?)"),
    compile_later(r"how (?:is|are) (?P<term>.+?) (?:computed|calculated|defined|measured|determined|worked out)"),
    compile_later(r"what is (?:meant by|(?:the )?(?:meaning|definition) of) (?P<term>.+?)"),
    compile_later(r"(?:the )?(?:meaning|definition) of (?P<term>.+?)"),
    compile_later(r"(?:define|explain)(?: the (?:term|word))? (?P<term>.+?)"),
)
_GOOD_ZH: Final = (
    r"(?:(?:比较|非常|很|太)?"
    r"(?:好|弱|差|正常|合格|达标|高|低|强|优|良|异常|严重|显著|理想|合适|够|大|小|忙|多|少).{0,3})?"
)
_GOOD_EN: Final = (
    r"(?:good|bad|normal|typical|acceptable|healthy|poor|ideal|usual|high|low|weak|strong|reasonable|decent|fine"
    r"|abnormal)"
)
# The same words may ask for a result (原因是什么) or for work, so these count only for terms that documents explain.
_WEAK_FRAMES: Final = (
    compile_later(
        r"(?P<term>.+?)(?:一般|通常|大概|到底|应该|要|在|达到|低于|高于|大于|小于|超过|值)*(?:多少|多高|多低|多大|几)"
        rf"(?:dbm|db|度|百分之几)?(?:以上|以下)?(?:才|就)?(?:算|叫|属于|是|为)(?:是|作)?{_GOOD_ZH}"
    ),
    compile_later(
        r"(?P<term>.+?)的?(?:正常|合理|标准|参考|典型|达标)(?:范围|值|取值|水平|门限)(?:是|为)?(?:多少|什么)?"
    ),
    compile_later(r"(?P<term>.+?)的?(?:门限|阈值|目标值?|标准)(?:是|为)?(?:多少|什么|几)"),
    compile_later(
        r"(?:什么样的?|怎么样?|怎样|多少|什么|啥|哪种情况)(?:情况)?(?:才)?(?:算|叫)(?:是|做|作)?(?P<term>.+?)"
    ),
    compile_later(
        r"(?P<term>.+?)(?:和|与|跟|同|及|、)(?P<other>.+?)(?:之间)?(?:的|有|有什么|有啥|有何|到底)*"
        r"(?:区别|差别|不同|差异|不一样)(?:是什么|在哪里?|在哪儿|大吗|大不大)?"
    ),
    compile_later(r"(?P<term>.+?)(?:和|与|跟)(?P<other>.+?)(?:是不是|是)?(?:一样的?|一回事|一个意思|同一个)"),
    compile_later(r"为(?:什么|何|啥)会?(?:有|出现|产生|发生|造成|存在|导致|引起)?(?P<term>.+?)"),
    compile_later(
        r"(?P<term>.+?)是?(?:怎么|如何|为什么会?|为何会?|咋)(?:会)?"
        r"(?:产生|来|造成|形成|引起|出现|发生|回事|测|测量|测试|得到|统计|采集)(?:出来)?的?"
    ),
    compile_later(r"(?:什么|哪些)(?:原因)?会?(?:造成|导致|引起)(?P<term>.+?)"),
    compile_later(r"(?:怎么|如何)(?:测量?|计算|统计|判断|衡量)(?P<term>.+?)"),
    compile_later(r"(?P<term>.+?)(?:是|叫)(?:什么|啥)"),
    compile_later(r"(?P<term>.+?)(?:有什么用|有啥用|是干什么的|是做什么的|干嘛用的)"),
    compile_later(r"(?:(?:what is|whats|what are) )?(?:the )?differences? between (?P<term>.+?) and (?P<other>.+?)"),
    compile_later(r"how (?:does|do|is|are) (?P<term>.+?) (?:differ|different) from (?P<other>.+?)"),
    compile_later(r"is (?P<term>.+?) the same (?:thing )?as (?P<other>.+?)"),
    compile_later(
        r"(?:what|when) (?:counts?|qualifies|is (?:considered|regarded|classed|called|something))(?: as)? (?P<term>.+?)"
    ),
    compile_later(
        rf"(?:whats|what is|what are|what would be) (?:an? |the )?{_GOOD_EN}"
        r"(?: (?:value|range|level|threshold|figure)s?)?(?: (?:of|for))? (?P<term>.+?)"
    ),
    compile_later(
        r"(?:whats|what is|what are) (?:the )?(?:normal |typical |usual |right )?"
        r"(?:threshold|range|limit|target|unit)s? (?:of|for) (?P<term>.+?)"
    ),
    compile_later(
        rf"(?:what|which) (?P<term>.+?) (?:is|are|counts as|would be) (?:considered )?(?:an? )?{_GOOD_EN}(?: one)?"
    ),
    compile_later(
        r"how (?:high|low|good|big|large|much|bad) (?:should|must|can|does) (?P<term>.+?)"
        r"(?: (?:be|have to be|need to be))?"
    ),
    compile_later(rf"when is (?P<term>.+?) (?:too |considered )?(?:{_GOOD_EN})"),
    compile_later(
        r"how (?:do|can|would) (?:you|we|i|one) (?:measure|compute|calculate|determine|define) (?P<term>.+?)"
    ),
    compile_later(
        r"why (?:does|do|is|are|would|can) (?:there )?(?P<term>.+?)(?: (?:happen|occur|arise|appear|exist)s?)?"
    ),
    compile_later(r"what (?:causes?|leads to|makes) (?P<term>.+?)"),
    compile_later(r"whats (?P<term>.+?)|what (?:is|are) (?P<other>.+?)"),
)
_CUE: Final = compile_later(
    r"什么|啥|何|含义|定义|意思|解释|怎么|缩写|简称|全称|标准|单位|算法|计算|what|mean|defin|explain|how"
)
_WEAK_CUE: Final = compile_later(
    r"区别|差别|不同|差异|一样|算|多少|多高|范围|门限|阈值|咋|differen|differ|same|why|when|which"
)


class AskedMeaning(NamedTuple):
    """Terms that a question is about; `is_weak` if the words may also ask for something else."""

    terms: tuple[str, ...]
    is_weak: bool


def parse_meanings(said: str) -> tuple[AskedMeaning, ...]:
    """Read a simplified message as a question about one term or two, in every way it can be read; the surest first."""
    if len(said) > _MAX_QUESTION_CHARS:  # two terms and a frame are shorter, and frames take time with the third power
        return ()
    is_plain = _CUE.search(said) is not None
    if not is_plain and not _WEAK_CUE.search(said):
        return ()
    for frame in _FRAMES if is_plain else ():
        if hit := frame.fullmatch(said):
            found = _read_terms(hit, is_weak=False)
            return (found,) if found is not None else ()
    hits = (frame.fullmatch(said) for frame in _WEAK_FRAMES)
    return tuple(found for hit in hits if hit and (found := _read_terms(hit, is_weak=True)) is not None)


def _read_terms(hit: re.Match[str], *, is_weak: bool) -> AskedMeaning | None:
    terms = tuple(_ARTICLE.sub("", " ".join(text.split()).strip("的 ")) for text in hit.groups() if text)
    are_terms = all(
        0 < len(term) <= _MAX_TERM_CHARS and not _PRONOUN.fullmatch(term) and not _CUE.search(term) for term in terms
    )
    return AskedMeaning(terms, is_weak) if terms and are_terms else None
