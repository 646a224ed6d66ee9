"""Yes and no in Chinese: what is left of each clause when words of agreeing, refusing and politeness are taken out."""

import re
from typing import Final

from metier.agent.adapters._assent import Assent, read_assent
from metier.patterns import compile_later


def _any_of(words: str) -> str:
    """Pattern of any of the words, the longest first."""
    return "|".join(sorted(words.split(), key=len, reverse=True))


_CLAUSE: Final = compile_later(r"[，,。.!！;；、~～\s]+")
_ASKS: Final = compile_later(
    r"[？?]|什么|怎么|为何|为啥|多久|多少|哪|谁|几个|吗$|嘛$|(?<!嗯)呢$|(.)不\1|(?:能|会|可|要|(?<!还)是)(?:不|否)|^(?:好|可以|行|对|成)不$"
)
_REPEATED: Final = compile_later(r"(.{1,3}?)\1+")
# 行了 and 得了吧 end the talk, 走了 takes leave, and 是吧 asks back.
_ENOUGH: Final = compile_later(r"(?:对|行|好|可以|要|是)了+|(?:行|好|得|走)了+吧?|是吧")
_PARTICLES: Final = "(?:吧|了|啊|呀|哦|嘛|呗|啦|的|哈|嘞|滴|哒|呐|呢|喽)*"
_POLITE: Final = compile_later(
    rf"(?:{_any_of('谢谢 多谢 感谢 麻烦 辛苦 有劳 拜托 劳驾 烦请')})[你您]?{_PARTICLES}|[哦噢]+|那么?|来"
    rf"|别急|不着?急|这样吧?|不好意思|抱歉|对不起|随[你您]{_PARTICLES}|[你您]看着办{_PARTICLES}"
)
_THANKS: Final = compile_later(rf"(?<=.)(?:谢谢|多谢|感谢)[你您]?{_PARTICLES}$")
# Neither yes nor no: it is all the same, nothing speaks against it, or what was said before is wrong.
_UNSURE: Final = compile_later(
    r"^我?(?:怎么)?都(?:行|可以|成|好)|无所谓|随便|不反对|不介意"
    r"|(?:[这那你]|结果|结论|答案|数[据字]|报告)(?:个|些|里|都|是|好像)*(?:不太?对|错)"
    r"|不好(?:说|讲|判断|定)|说不(?:好|准|清|上)|拿不准|没(?:有)?(?:想好|主意|把握)"
    r"|不(?:太|大|是很|怎么)?(?:一定|清楚|确定|知道|晓得|了解|明白|懂)"
)
# 先这样 alone ends the matter; after a word of agreeing it may as well mean "do it like this".
_LIKE_THIS: Final = compile_later(r"(?<!不)(?:好|行|嗯|可以|同意|ok|对)[的吧啊呀，,、\s]*(?:那|就)*先这样")
_AGREED: Final = compile_later(rf"那?(?:好|嗯+|行|来){_PARTICLES}|(?:有劳|拜托|麻烦)[你您]?了?")
_OPENING: Final = (
    "(?:嗯|好的|好|行|那么|那你|那|就|我|我们|这个|都|全)*(?:觉得|看|认为|感觉|想)?(?:挺|很|非常|完全|太|都|蛮)*"
)
_YES: Final = compile_later(
    rf"{_OPENING}(?:"
    + _any_of(
        "当然 没错 必须 来吧 来一个 走起 开始 开干 动手 就这样 就这样办 就这样做 这么办 这么做 这么定 妥 妥当 "
        "中 成 得 可 使得 ok 没毛病 肯定 一定 "
        "有必要 可以 行 好 好极 不错 合适 同意 赞成 支持 批准 需要 要 想要 愿意 搞起 搞起来 整起来 干 冲 上 "
        "走 走着 走你 安排 安排上 尽管做 尽管来 "
        "尽管跑 放手做 确定 确认 请便 它 听你的 听您的 照做 照办 没意见 没有意见 "
        "正合我意 求之不得 是 是要 跑 "
        "做 来 弄 搞 整 👍 👌 ✅"
    )
    + rf"|没(?:有|啥|什么)?问题|(?:按|照)(?:你|您|这个)?(?:说的|计划|方案)?(?:做|来|办|执行)|当然(?:可以|要|需要|好)"
    rf"|肯定(?:要|需要|可以|做)){_PARTICLES}"
)
_NOT: Final = compile_later(
    r"没(?:有|这个|那个|啥|什么)*(?:必要|需要|兴趣|打算|想法|意义|时间|空)"
    r"|不(?:太|大|怎么|是很)?(?:想|愿意)|还?(?:没|不)到时候|"
    + _any_of(
        "无需 无须 不必 不用 用不着 犯不着 不劳 不劳烦 不要 不考虑 不打算 不准备 不计划 不需要 不是现在 "
        "千万别 千万不要 可别 暂不 先不 不了 不 别 "
        "甭 免了 罢了 勿 懒得"
    )
)
_LEAVE: Final = compile_later(
    r"(?:以后|回头|晚点|过会儿?|之后|等会儿?|下次|下回|改天|改日|明天)(?:再说|再看|再做)?"
    r"|改(?:变)?主意|先?到(?:此为止|这(?:里|儿)?)|先?[放搁](?:着|置|一放|一搁|一边)?"
    r"|(?:先|再)?等(?:等|一等)(?:再说|看)?"
    r"|(?:让我|容我)?(?:再|先)?(?:想想|想一想|考虑(?:考虑|一下)?|琢磨琢磨|斟酌(?:一下)?)|停(?:止|下|一停|一下)?|"
    + _any_of("算了 算啦 拉倒 打住 取消 放弃 拒绝 否 再说 暂停 暂缓 缓缓 缓一缓 跳过 观望 够了 先这样 👎 ❌")
)
_FILL: Final = compile_later(
    _any_of(
        "然后 接着 随后 接下来 "
        "帮我 帮忙 麻烦你 麻烦您 麻烦 劳驾 有劳 拜托 烦请 那就 那么 就 请 你 您 我们 咱们 咱 我 现在 马上 "
        "立刻 立即 直接 赶紧 尽快 赶快 今天 暂时 可以 需要 想要 希望 "
        "要 想 继续 开始 进行 做 跑 来 执行 开展 启动 弄 搞 整 动 安排 试试 试 一下 一次 一个 一轮 一遍 "
        "一把 一趟 一回 一边 这个 那个 这 那 该 它 "
        "对 吧 了 啊 呀 哦 嘛 呗 啦 看看 看 的 把 再 先 还是 都 全 给 去 下 个 好 行 是 同意 什么都 任何"
    )
)
_DOES: Final = compile_later(
    _any_of("做 跑 来 执行 开展 启动 弄 搞 整 安排 试 进行 开始 继续 可以 需要 要 同意 麻烦 劳驾 有劳 拜托 烦请")
)
_CONDITION: Final = compile_later(_any_of("如果 要是 但 不过 只 除了 除非 另 其他 别的 换 也 还有 等"))
_SMALL: Final = "起一往便完着地得"
_OTHER_VERBS: Final = "懂错对会止仅光但只过如知明行好像"  # with 不 they say something else than no


def read_chinese(said: str, asked: str) -> Assent | None:
    """Whether the text says yes or no to the question that was asked."""
    said = said.casefold().replace("恩", "嗯")
    if _ASKS.search(said) or _LIKE_THIS.search(said):
        return None
    clauses = [_shorten(clause) for clause in _CLAUSE.split(_THANKS.sub("", said)) if clause] or [said]
    found = {_read_clause(clause, asked) for clause in clauses}
    answers = found - {"polite"}
    if not answers and any(_AGREED.fullmatch(clause) for clause in clauses):
        return "yes"
    return ("yes" if "yes" in answers else "no") if answers in ({"yes"}, {"no"}) else None


def _shorten(clause: str) -> str:
    """A clause that only repeats a word, as the word: 好的好的, 行行行."""
    repeated = None if _POLITE.fullmatch(clause) else _REPEATED.fullmatch(clause)
    return repeated[1] if repeated else clause


def _read_clause(clause: str, asked: str) -> str | None:
    """Whether one clause is yes, no or only polite; None if it says something else."""
    if _ENOUGH.fullmatch(clause) or _UNSURE.search(clause):
        return None
    if _POLITE.fullmatch(clause) or _AGREED.fullmatch(clause):
        return "polite"
    if (plain := read_assent(clause)) is not None:
        return plain
    if _YES.fullmatch(clause):
        return "yes"
    if len(re.findall("不|别", clause)) > 1 and not re.search("千万不|别", clause):
        return None
    kept = _LEAVE.sub("", _NOT.sub("", clause))
    rest = _FILL.sub("", kept)
    is_repeated = len(rest) >= 2 and rest in asked  # words of the question
    if kept != clause:
        return "no" if is_repeated or (len(rest) <= 1 and rest not in tuple(_OTHER_VERBS)) else None
    if is_repeated:
        return "yes"
    is_done = _DOES.search(clause) is not None and _CONDITION.search(clause) is None
    return "yes" if is_done and (not rest or rest in tuple(_SMALL)) else None
