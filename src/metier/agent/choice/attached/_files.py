"""Answers to a message that names a file which is not here, or wants new words for one where no model writes them."""

import asyncio
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal

from metier.agent.choice._attached_names import load_attached_names
from metier.agent.choice._reminders import remind_of_pause
from metier.agent.turn import TurnState
from metier.attachments import match_names, replace_names
from metier.language import Language, Sentences, choose, join_names, language_of, read_language_wish
from metier.names import is_command
from metier.patterns import compile_later
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 160
_MAX_FILES: Final = 2_000
_MAX_NAMED: Final = 5
_TABLES: Final = (".xlsx", ".xlsm", ".csv", ".tsv", ".json")
_FILE: Final = compile_later(
    r"(?<![\w./:@\\-])[\w\u4e00-\u9fff（）()\-]{1,80}\.(?:docx?|xlsx?|pptx?|pdf)(?![A-Za-z0-9])", re.IGNORECASE
)
_OTHER_PLACE: Final = compile_later(r"://|www\.|示例|样例|\b(?:sample|example)\b", re.IGNORECASE)
# Words before the name of a file that is to be made.
_MAKES: Final = compile_later(
    r"(?:[存写做转改]成|存为|另存|保存|导出|输出|转为|转换为|生成|新建|叫做?|命名|改名|重命名|名为|文件名)[^，,。；;]{0,40}$"
    r"|\b(?:save|export|write|rename|create|output|generate|make)\b.{0,60}\b(?:to|as|in|into|called|named)\W*$"
    r"|\b(?:as|into|called|named|write|create|make|generate)\W*$",
    re.IGNORECASE,
)
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_NAMED: Final = "\ue000"
_FILE_ZH: Final = (
    rf"(?:(?:这|那|附上的?|附件里?的?|上传的)?[个份些]?(?:{_NAMED}|文件|附件|文档)"
    rf"(?:[和、与跟]{_NAMED})*(?:这[个份])?(?:文件|附件|文档)?)"
)
_DELETE_ZH: Final = "(?:删除|删掉|删了|删|移除|去掉|清除|清掉|丢掉|扔掉|撤掉)"
# A whole message; with more words (删除合同里的第三条) it is an order for the content.
_DELETES: Final = compile_later(
    rf"(?:请|帮我|麻烦|给我|可以|能不能|我想|我要){{0,4}}(?:{_DELETE_ZH}(?:一下|掉)?{_FILE_ZH}"
    rf"|[把将]?{_FILE_ZH}(?:给我|都|全部|也){{0,3}}{_DELETE_ZH})(?:吧|了|掉|吗|可以吗|好吗){{0,3}}"
    r"|(?:please |can you |could you |i want to |just ){0,3}(?:delete|remove|erase|trash|throw away|get rid of) "
    rf"(?:(?:the|this|that|my|attached|uploaded|all|both) ){{0,4}}"
    rf"(?:{_NAMED}|(?:{_NAMED} )?(?:file|attachment|document)s?)"
    rf"(?: and {_NAMED})*(?:,? (?:please|now))?",
    re.IGNORECASE,
)
_QUOTED: Final = compile_later(r"[“”\"「」『』]|[：:]\s*\S")
_Wording = Literal["translation", "rewriting"]
_WORDINGS: Final[tuple[tuple[_Wording, re.Pattern[str]], ...]] = (
    (
        "translation",
        compile_later(
            r"翻译|译[成为]|译一下|(?:[英中日法德俄韩]文|[英日法德俄韩]语)版|用[英中日法德俄韩][文语](?:再)?(?:写|重写|表达)"
            r"|\btranslat(?:e|ion|ing)\b"
            r"|\b(?:english|chinese|german|french|japanese|spanish|italian|russian|korean) version\b"
            r"|\b(?:put|turn|render|convert) .{0,40}\b(?:in ?to|in) "
            r"(?:english|chinese|german|french|japanese|spanish|italian|russian|korean)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "rewriting",
        compile_later(
            r"润色(?!标点)|改写|重写|换(?:个|一种)说法|(?:改|写|说|弄)得?(?:更|再)?(?:礼貌|正式|客气|委婉|通顺|流畅|口语化?|简洁|专业|得体|地道|短|简短|详细|生动)"
            r"|\b(?:re-?write|rephrase|reword|paraphrase|polish)\b"
            r"|\b(?:make|sound)\b.{0,40}\b(?:more|less) "
            r"(?:polite|formal|informal|friendly|professional|concise|fluent|natural|casual|persuasive)"
            r"|\b(?:make|sound)\b.{0,40}\b(?:politer|friendlier|nicer)\b",
            re.IGNORECASE,
        ),
    ),
)
_ASKS: Final = compile_later(r"什么意思|是什么|怎么(?:样)?译|^(?:what|why|who|how)\b", re.IGNORECASE)
_SENTENCES: Final = Sentences(
    {
        "no_file": (
            "There is no such file here. Attached: {names}. Attach the other file and say it again, or name the one "
            "that is here.",
            "这里没有这个文件，附上的有：{names}。请附上那个文件再说一次，或者改说这里有的文件。",
        ),
        "never_deletes": (
            "I delete no attached file. Remove it yourself with the × beside its name in the list of attachments; to "
            "delete something in it, say which paragraph, row or page.",
            "我不会删除附件。要移除它，请在附件列表里点文件名旁的 ×；如果要删的是文件里的内容，请说明是哪一段、"
            "哪一行或哪一页。",
        ),
        "what_with_it": ("What shall be done with {name}?", "要对{name}做什么？"),
        "translation": ("A translation", "翻译"),
        "rewriting": ("New wording", "改写和润色"),
        "needs_model": (
            "{work} needs a language model, and none is connected; of {names} I can instead quote what it says to a "
            "question, extract how its parts begin, or replace words that you give (change “A” to “B”).",
            "{work}需要语言模型，当前没有接入；对{names}可以改做这些：按问题引用原文、摘录各部分的开头，或者把你给出的词句换上（把“甲”改成“乙”）。",
        ),
        "needs_model_table": (
            "{work} needs a language model, and none is connected; {names} I can instead check for errors, sum by a "
            "column and chart, or replace words that you give (change “A” to “B”).",
            "{work}需要语言模型，当前没有接入；对{names}可以改做这些：核查错误、按列汇总、画图，或者把你给出的词句换上（把“甲”改成“乙”）。",
        ),
        "check": ("What is wrong with {name}?", "{name}有什么问题"),
        "extract": ("What are the key points of {name}?", "提炼{name}的要点"),
        "quoted": ("“{name}”", "「{name}」"),
    }
)


async def answer_about_file(state: TurnState) -> bool:
    """Answer a message that no skill can carry out with the files that are attached; False for others."""
    message = state.request.message
    if is_command(message) or len(message) > _MAX_CHARS or not state.uses_builtin_model("converse"):
        return False
    attached, language = await load_attached_names(state), state.request.language
    if attached and (wanted := read_file_words(message, attached)) == "delete":
        told = _SENTENCES.render("never_deletes", language)
        state.queue_reply("\n\n".join(one for one in (told, remind_of_pause(state)) if one))
        return True
    if not attached or state.calls.pending_pause is not None:
        return False
    if wanted == "name":
        _ask_what(state, match_names(message, attached, stems=True)[0].name)
        return True
    folder = state.resources.workspace(state.conversation)
    if names_missing_file(message, [*attached, *await asyncio.to_thread(_list_names, folder)]):
        state.queue_reply(
            _SENTENCES.render("no_file", state.request.language, names=_quote(attached, state.request.language))
        )
        return True
    work = read_new_wording(message)
    is_about_file = state.skill.active is None or bool(match_names(message, attached))
    is_about_file = is_about_file or read_language_wish(message) is None  # else the last result is meant
    if work is None or not is_about_file or _has_skill(state, work):
        return False
    _tell_needs_model(state, work, attached)
    return True


def _ask_what(state: TurnState, name: str) -> None:
    """Ask what is to be done with a file of which only the name was said, whatever word the name is."""
    language = state.request.language
    quoted = _quote([name], language)
    state.queue_reply(_SENTENCES.render("what_with_it", language, name=quoted))
    offers = [_SENTENCES.render(code, language, name=name) for code in ("check", "extract")]
    state.calls.offers += [{"text": one, "value": one} for one in offers]


def _tell_needs_model(state: TurnState, work: _Wording, attached: Sequence[str]) -> None:
    """Say what needs a language model, and what can be done with the file instead, with an example to tap."""
    language, newest = state.request.language, attached[-1]
    is_table = newest.lower().endswith(_TABLES)
    title, names = _SENTENCES.render(work, language), _quote(attached, language)
    code = "needs_model_table" if is_table else "needs_model"
    state.queue_reply(_SENTENCES.render(code, language, work=title, names=names))
    offer = _SENTENCES.render("check" if is_table else "extract", language, name=newest)
    state.calls.offers.append({"text": offer, "value": offer})


def read_file_words(message: str, names: Sequence[str]) -> Literal["", "delete", "name"]:
    """Whether a whole message wants an attached file deleted, or only says its full name; empty for others."""
    said = replace_names(message, names, lambda _: _NAMED, stems=True)
    said = " ".join(to_simplified(said).replace("’", "'").split()).strip(_STRIP)
    if _DELETES.fullmatch(said):
        return "delete"
    is_full = any(one.form == "full" for one in match_names(message, names))
    return "name" if is_full and said.strip("“”\"'《》「」") == _NAMED else ""


def names_missing_file(message: str, known: Iterable[str]) -> bool:
    """Whether a message names a document to be read that is none of the known files."""
    if _OTHER_PLACE.search(message):
        return False
    message = replace_names(message, known, lambda _: " ")
    return any(not _MAKES.search(message[: found.start()] + _cut_stem(found[0])) for found in _FILE.finditer(message))


def read_new_wording(message: str) -> _Wording | None:
    """Whether a message wants a translation or other words for a text, and gives no words of its own."""
    said = to_simplified(message)
    if _QUOTED.search(said) or _ASKS.search(said):
        return None
    return next((work for work, pattern in _WORDINGS if pattern.search(said)), None)


def _cut_stem(name: str) -> str:
    """What may stand before a Chinese name without a blank: 导出为报告.docx; nothing of an English one."""
    return choose(language_of(name), zh=name.rpartition(".")[0], en="")


def _has_skill(state: TurnState, work: _Wording) -> bool:
    """Whether a skill says of itself that it does such work."""
    pattern = dict(_WORDINGS)[work]
    return any(
        pattern.search(text) for one in state.request.catalog for text in (one.title, *one.triggers, *one.examples)
    )


def _quote(names: Iterable[str], language: Language) -> str:
    quoted = [_SENTENCES.render("quoted", language, name=one) for one in names]
    return join_names(quoted[-_MAX_NAMED:], language)


def _list_names(folder: Path) -> list[str]:
    """Names of the files of a conversation, those that were made here among them."""
    found: list[str] = []
    for _, _, files in os.walk(folder):
        found += files
        if len(found) > _MAX_FILES:
            break
    return found[:_MAX_FILES]
