"""Errors in the reader's language: what each code means and what to do.

The words of an error itself are English and precise; a reader of Chinese gets the sentence of its code with the values
that the words quote. The page has the same sentences (`web/src/words/errors.ts` is generated from this table).
"""

import re
from typing import Final

from metier.language import Language, Sentences, choose, quote_names

_QUOTED: Final = re.compile(r"(?<!\w)'([^'\n]{1,80})'(?!\w)")
_FULL_STOP: Final = "。"
ERROR_TEXTS: Final = Sentences(
    {
        "model_key_refused": (
            "The model's service refused the key. Check the key in the settings, or choose another model.",
            "模型服务不接受密钥。请检查密钥设置，或换一个模型。",
        ),
        "model_unavailable": (
            "The model did not answer. Try again later, choose another model, or check whether its service is running.",
            "模型没有响应。请稍后再试、换一个模型，或确认模型服务是否在运行。",
        ),
        "model_not_found": ("This model is not configured. Choose another one.", "没有配置这个模型。请换一个模型。"),
        "invalid_settings": (
            "A setting is not right; the details say what to change.",
            "设置有误，详细信息里写着要改什么。",
        ),
        "missing_extra": (
            "A package that is needed here is not installed. The details have the command.",
            "缺少需要的软件包。安装命令见详细信息。",
        ),
        "role_missing": (
            "Your key does not have the role that this needs. Ask somebody who has it, or have the operator make "
            "you a key.",
            "你的密钥没有这项权限。请由有相应权限的人操作，或请管理员为你新建密钥。",
        ),
        "self_approval": (
            "This was asked for with your key, so you cannot approve it. Another approver has to; you may "
            "withdraw it by rejecting.",
            "这是用你的密钥提出的，不能由你自己批准。请由另一位审批人批准；你可以撤回（拒绝）。",
        ),
        "file_damaged": (
            "The file is damaged or incomplete. Open and save it again, or attach another copy.",
            "文件已损坏或不完整。请重新打开并保存，或换一份文件。",
        ),
        "office_file_refused": (
            "The document cannot be opened: damaged, locked or of an old format.",
            "文件打不开：已损坏、有密码或是旧格式。",
        ),
        "file_locked": (
            "The file is protected by a password. Open it, remove the password and save it, then attach it again.",
            "文件受密码保护。请打开文件，去掉密码并保存，再重新添加。",
        ),
        "file_has_macros": (
            "The file has macros. Macros are not run here and would be lost: open it in Word, Excel, PowerPoint or "
            "WPS and save it without macros, as docx, xlsx or pptx.",
            "文件含有宏，这里不运行也保留不了。请用 WPS 或 Office 打开，另存为不含宏的 docx、xlsx 或 pptx 再添加。",
        ),
        "old_text_format": (
            "The file is in the format of Word 97–2003 or WPS Writer (doc, wps). Open it in Word or WPS, choose Save "
            "As, and attach the docx.",
            "文件是 Word 97–2003 或 WPS 文字的格式（doc、wps）。请用 WPS 或 Word 打开，“另存为” docx 再添加。",
        ),
        "old_sheet_format": (
            "The file is in the format of Excel 97–2003 or WPS Spreadsheets (xls, et). Open it in Excel or WPS, choose "
            "Save As, and attach the xlsx.",
            "文件是 Excel 97–2003 或 WPS 表格的格式（xls、et）。请用 WPS 或 Excel 打开，“另存为” xlsx 再添加。",
        ),
        "old_slides_format": (
            "The file is in the format of PowerPoint 97–2003 or WPS Presentation (ppt, dps). Open it in PowerPoint or "
            "WPS, choose Save As, and attach the pptx.",
            "文件是 PowerPoint 97–2003 或 WPS 演示的格式（ppt、dps）。请用 WPS 打开，“另存为” pptx 再添加。",
        ),
        "file_type_refused": (
            "Files of this type are not taken, or the content is not what the ending says. Attach txt, md, csv, "
            "json, log, docx, xlsx, pptx, pdf, png, jpg or gif.",
            "不支持这种文件，或文件内容与扩展名不符。可以添加：txt、md、csv、json、log、docx、xlsx、pptx、pdf、png、jpg、gif。",
        ),
        "file_too_complex": (
            "The file is too large to read once unpacked. Attach the part you need.",
            "文件解压后过大，无法读取。请只添加需要的部分。",
        ),
        "context_overflow": (
            "The prompt is longer than the model's window. Shorten the message, or choose a model with a larger "
            "window.",
            "内容超过了模型的上下文长度。请缩短消息，或换一个上下文更长的模型。",
        ),
        "failed": ("It ended by an error.", "操作因错误没有完成。"),
        "usage": ("The request itself is wrong; change it and try again.", "请求的用法不对，请修改后再试。"),
        "not_found": (
            "It is not there. It may be gone, or somebody else's.",
            "找不到要找的内容。它可能已被删除，或属于别人。",
        ),
        "path_not_found": ("There is no such file or folder.", "找不到这个文件或文件夹。"),
        "skill_not_found": (
            "This skill is not loaded. Look for it in the list of skills.",
            "没有加载这个技能。请在技能列表中查找。",
        ),
        "tool_not_found": ("There is no such tool.", "没有这个工具。"),
        "operator_not_found": ("There is no such operator.", "没有这个算子。"),
        "pack_not_found": ("This pack is not installed.", "没有安装这个领域包。"),
        "record_not_found": (
            "There is no such record: it was deleted, or it belongs to another user.",
            "这条记录不存在：它已被删除，或属于另一个用户。",
        ),
        "refused": ("A rule forbids it; trying again does not help.", "规则不允许这样做，再试也不会通过。"),
        "target_taken": (
            "It is there already, so nothing was written. Choose another name or folder, or remove it first.",
            "目标已经存在，什么都没有写入。请换一个名字或文件夹，或先把它删除。",
        ),
        "operator_refused": (
            "The inputs or parameters do not fit this operator, or a rule forbids it.",
            "输入或参数不适合这个算子，或规则不允许。",
        ),
        "unauthorized": (
            "A key is needed, or the one given is wrong. Enter it again.",
            "需要密钥，或密钥不正确。请重新输入密钥。",
        ),
        "invalid_input": ("What was sent cannot be used; change it and try again.", "输入的内容不能用，请修改后再试。"),
        "invalid_skill": (
            "The skill cannot be used as it is; its findings say what to change.",
            "这个技能目前无法使用，检查结果里写着要改什么。",
        ),
        "invalid_tool": ("The tool is declared wrongly and cannot be used.", "工具的声明有误，无法使用。"),
        "invalid_rules": ("The rules are wrong; mend them and try again.", "规则文件有误，请修改后再试。"),
        "invalid_pack": ("The pack is wrong and cannot be used.", "领域包有误，无法使用。"),
        "invalid_record": ("Stored data is damaged and cannot be read.", "存储的数据有误，无法读取。"),
        "too_large": ("It is too large. Send less, or in parts.", "内容过大。请缩短或分成几部分。"),
        "too_many_steps": ("A rule takes too many steps on this data.", "规则在这些数据上计算量过大。"),
        "unavailable": (
            "Something that is needed is not there. Try again later.",
            "所需的服务暂时不可用。请稍后再试。",
        ),
        "embedder_broken": (
            "The embedding model does not work; search by meaning is off.",
            "向量模型无法工作，语义检索已停用。",
        ),
        "sandbox_missing": ("This machine has no sandbox for the script.", "这台机器没有运行脚本的沙箱。"),
        "store_unavailable": ("The database does not answer. Try again in a moment.", "数据库无法访问。请稍后再试。"),
        "store_busy": ("The database is busy. Try again in a moment.", "数据库正忙。请稍后再试。"),
        "store_incompatible": (
            "The database does not fit this version; upgrade it.",
            "数据库的版本与程序不符，请升级。",
        ),
        "storage_full": ("The disk is full. Free some space, then try again.", "磁盘已满。请先腾出空间，再重试。"),
        "rate_limited": ("Too many requests. Wait a moment.", "请求过于频繁。请稍等片刻。"),
        "conflict": (
            "Somebody else changed it first. Read it again, then decide.",
            "内容已被别人改动。请重新读取后再决定。",
        ),
        "conversation_busy": (
            "The conversation is still working on a message. Wait for it, or stop it.",
            "对话正在处理上一条消息。请等它完成，或先停止它。",
        ),
        "key_reused": (
            "The same request id was used for another request. Send it again.",
            "同一个请求标识已用于另一个请求。请重新发送。",
        ),
        "lease_lost": ("Another process took over this work. Load it again.", "另一个进程接手了这项工作。请重新加载。"),
        "approval_changed": (
            "It was changed elsewhere, so nothing was run. Look again, then decide.",
            "已在别处改动，什么都没有执行。请重新查看后再决定。",
        ),
        "already_decided": ("Somebody has decided already. Load it again to see.", "已经有人做出决定。请刷新后查看。"),
    }
)


def describe_error(code: str, message: str, language: Language) -> str:
    """The error in this language: its own words, or in Chinese the sentence of its code with the values they quote."""
    if code not in ERROR_TEXTS:
        return message
    return choose(language, en=message, zh=_say_in_chinese(code, message))


def _say_in_chinese(code: str, message: str) -> str:
    sentence = ERROR_TEXTS.render(code, "zh")
    names = tuple(dict.fromkeys(_QUOTED.findall(message)))
    return f"{sentence.removesuffix(_FULL_STOP)}（{quote_names(names)}）{_FULL_STOP}" if names else sentence
