"""Advice on a catalog as code and values, worded in English or Chinese on demand."""

from typing import ClassVar, Final

from metier.language import Language, Note, Sentences

_SENTENCES: Final = Sentences(
    {
        # why two skills collide
        "same_trigger": ("both have the triggers {words}", "两者有相同的触发词：{words}"),
        "same_example": ("both have the example “{text}”", "两者有相同的示例「{text}」"),
        "same_words": ("both descriptions speak of {words}", "两者的说明都提到：{words}"),
        "contained": (
            "nearly all that '{skill}' says, '{other}' says too",
            "「{skill}」说的内容，「{other}」几乎都说到了",
        ),
        "near_meaning": (
            "they use different words for nearly the same thing",
            "两者用词不同，意思却很接近",
        ),
        "no_examples": ("'{skill}' has no examples", "「{skill}」没有示例"),
        "no_boundary": (
            "neither description says what the other is for",
            "两者的说明都没有写明哪些归对方处理",
        ),
        # what a skill lacks, and what to write
        "skill": ("{skill}:", "{skill}："),
        "short_description": (
            "the description says too little: say what the skill does and when to use it",
            "说明太短：请写明它做什么、什么时候用",
        ),
        "few_examples": (
            "it has {count} examples of what people say; {wanted} different ones make it found far more often",
            "只有 {count} 条示例；有 {wanted} 条各不相同的，被找到的机会会大得多",
        ),
        "one_language": (
            "its texts are {language} only: people who write in the other language find it less often",
            "它的文字只有{language}：用另一种语言的人更难找到它",
        ),
        "en": ("English", "英文"),
        "zh": ("Chinese", "中文"),
        "not_found": ("“{text}” finds no skill", "「{text}」没有找到任何技能"),
        "false_alarm": ("“{text}” is not for it, and finds it", "「{text}」不该归它，却找到了它"),
        "collides": (
            "it collides with '{other}': say in both descriptions what the other is for, or give each examples that "
            "only it has",
            "它与「{other}」冲突：请在两者的说明里写明哪些归对方，或给各自加上只属于它的示例",
        ),
        "add_example": ("+ example: {text}", "＋ 示例：{text}"),
        "write_description": ("+ description: {text}", "＋ 说明：{text}"),
        "effect": (
            "with this {after} of {count} messages that were tried are right, now {before}",
            "这样改后，试过的 {count} 条消息里有 {after} 条正确，现在是 {before} 条",
        ),
        "effect_generated": (
            "with this {after} of {count} generated messages are right, now {before}; it has no evals of its own",
            "这样改后，{count} 条生成的消息里有 {after} 条正确，现在是 {before} 条；它没有自己的评测",
        ),
        # a fit to labelled messages
        "fit_right": (
            "{count} messages, the first skill right for {percent} % of those that mean one",
            "{count} 条消息；在确实需要技能的消息里，首选正确的占 {percent} %",
        ),
        "fit_error": (
            "probabilities as shipped are {before} % off; fitted, they are {after} % off on messages not fitted",
            "出厂的概率偏差 {before} %；拟合之后，在没有参与拟合的消息上偏差 {after} %",
        ),
        "fit_confused": (
            "'{other}' gets {count} messages meant for '{skill}': “{text}”",
            "有 {count} 条应归「{skill}」的消息去了「{other}」：「{text}」",
        ),
        "fit_skipped": ("left out: {text}", "没有用上：{text}"),
        "fit_saved": ("saved {place}", "已保存到 {place}"),
        "fit_kept_error": (
            "nothing saved: messages that were not fitted would be told worse, so {count} messages show too little of "
            "this catalog; label more, or mend the skills that take each other's first",
            "没有保存：没有参与拟合的消息反而更不准，{count} 条消息还看不出这个目录的规律；请再标注一些，"
            "或先改好互相抢消息的技能",
        ),
        "fit_kept_loss": (
            "nothing saved: on messages that were not fitted the probabilities tell right from wrong less well than "
            "before; label more than {count} messages",
            "没有保存：在没有参与拟合的消息上，概率更难区分对错；标注的消息要多于 {count} 条",
        ),
        # the pair
        "collide": (
            "'{first}' and '{second}' collide: {lost} of {count} messages go to the other one, {close} more nearly do",
            "「{first}」与「{second}」冲突：{count} 条消息里有 {lost} 条去了对方，另有 {close} 条难分高下",
        ),
        "went_to": (
            "“{text}” is for '{skill}' and goes to '{other}'",
            "「{text}」本应归「{skill}」，却去了「{other}」",
        ),
        "close_to": (
            "“{text}” is for '{skill}'; '{other}' is nearly as near",
            "「{text}」应归「{skill}」，「{other}」几乎一样近",
        ),
    }
)


class AdviceNote(Note):
    """Statement about skills of a catalog: a code for programs and values for the sentence."""

    sentences: ClassVar[Sentences] = _SENTENCES


_BOUNDARY: Final = Sentences(
    {
        "noun": ("Do not use for {request}; use {skill} instead.", "不用于{request}，那请用 {skill}。"),
        "verb": ("Do not use to {request}; use {skill} instead.", "不用于{request}，那请用 {skill}。"),
    }
)


def render_boundary(language: Language, *, request: str, form: str, skill: str) -> str:
    """Sentence for a description: what the skill is not for, and which one is."""
    return _BOUNDARY.render("verb" if form == "verb" else "noun", language, request=request, skill=skill)
