"""Advice on a catalog as code and values, worded in English or Chinese on demand."""

from typing import ClassVar, Final

from metier.language import Note, Sentences

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
