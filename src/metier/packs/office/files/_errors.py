"""Why a file is not opened or not written, as sentences that a clerk understands."""

from typing import Final

from metier.errors import InvalidInput
from metier.language import Language, Sentences

__all__ = ["FILE_SENTENCES", "OfficeFileError"]

# Per reason what happened and, under `<reason>.hint`, what to do.
FILE_SENTENCES: Final = Sentences(
    {
        "missing": ("There is no file {name}", "没有文件“{name}”"),
        "missing.hint": ("Check the name and the folder", "请核对文件名和文件夹"),
        "not_a_file": ("{name} is not a file", "“{name}”不是文件"),
        "not_a_file.hint": ("Name a document, not a folder", "请指定一份文档，而不是文件夹"),
        "outside": ("{name} lies outside the folder that may be used", "“{name}”在允许使用的文件夹之外"),
        "outside.hint": ("Upload the file or copy it into the folder first", "请先上传该文件，或把它复制到该文件夹"),
        "too_large": (
            "{name} has {size} MB; at most {limit} MB can be edited",
            "“{name}”有 {size} MB，最多处理 {limit} MB",
        ),
        "too_large.hint": (
            "Compress the pictures or divide the document, then try again",
            "请压缩其中的图片或拆分文档后再试",
        ),
        "bomb": (
            "{name} unpacks to far more data than its size allows and is not opened",
            "“{name}”解压后的数据量异常庞大，没有打开",
        ),
        "bomb.hint": ("Ask the sender for the original document", "请向发件人索取原始文档"),
        "empty": ("{name} is empty (0 bytes)", "“{name}”是空文件（0 字节）"),
        "empty.hint": ("Save the document again and send it once more", "请重新保存文档后再传一次"),
        "corrupt": ("{name} is damaged and cannot be read", "“{name}”已损坏，无法读取"),
        "corrupt.hint": (
            "Open it in Word or WPS, let the program repair it, and save it under a new name",
            "请用 Word 或 WPS 打开并修复，另存为新文件后再试",
        ),
        "password": ("{name} is protected by a password", "“{name}”设有打开密码"),
        "password.hint": (
            "Open it with the password, remove the password (File, Info, Protect), and save it",
            "请用密码打开，在“文件-文档加密”中去掉密码并保存后再试",
        ),
        "old_format": ("{name} is in the old format {kind}", "“{name}”是旧格式 {kind}"),
        "old_format.hint": (
            "Open it in Word or WPS and save it as {wanted}",
            "请用 Word 或 WPS 打开，另存为 {wanted} 后再试",
        ),
        "other_type": ("{name} is not a Word, Excel or PowerPoint file", "“{name}”不是 Word、Excel 或 PowerPoint 文件"),
        "other_type.hint": ("Save it as docx, xlsx or pptx", "请另存为 docx、xlsx 或 pptx"),
        "wrong_ending": ("{name} is really a {kind} file", "“{name}”实际上是 {kind} 文件"),
        "wrong_ending.hint": ("Give the file the ending .{kind}", "请把扩展名改为 .{kind}"),
        "strict": (
            "{name} was saved as Strict Open XML, which few programs read",
            "“{name}”是 Strict Open XML 格式",
        ),
        "strict.hint": (
            "Open it in Word and save it as an ordinary {wanted} file",
            "请用 Word 打开，另存为普通的 {wanted} 文件后再试",
        ),
        "signed": (
            "{name} is digitally signed; any change would make the signature invalid",
            "“{name}”带有数字签名，任何改动都会使签名失效",
        ),
        "signed.hint": (
            "Work on a copy without the signature, or write the result into a new document",
            "请在去掉签名的副本上操作，或把结果写入新文档",
        ),
        "protected": ("{name} is protected against editing ({kind})", "“{name}”设有编辑保护（{kind}）"),
        "protected.hint": (
            "Stop the protection in Word or WPS (Review, Restrict Editing) and save the file",
            "请在 Word 或 WPS 的“审阅-限制编辑”中停止保护并保存后再试",
        ),
        "protection.readOnly": ("read-only", "只读"),
        "protection.comments": ("only comments are allowed", "只允许批注"),
        "protection.trackedChanges": ("only tracked changes are allowed", "只允许修订"),
        "protection.forms": ("only forms may be filled in", "只允许填写表单"),
        "protection.password": ("a password is needed for changes", "修改需要密码"),
        "read_only": ("{name} is read-only", "“{name}”是只读文件"),
        "read_only.hint": (
            "Remove the read-only attribute, or let the result be written beside it",
            "请去掉只读属性，或把结果另存为新文件",
        ),
        "locked": ("{name} is open in another program", "“{name}”正被其他程序打开"),
        "locked.hint": ("Close it there, then try again", "请在那边关闭后再试"),
        "busy": ("{name} is being written by another request", "“{name}”正在被另一个请求写入"),
        "busy.hint": ("Wait a moment and try again", "请稍候再试"),
        "changed": (
            "{name} was changed after the preview was made; nothing was written",
            "“{name}”在预览之后被改动过，没有写入任何内容",
        ),
        "changed.hint": ("Look at a new preview and confirm again", "请重新预览后再确认"),
        "no_version": ("There is no earlier version of {name}", "“{name}”没有更早的版本"),
        "no_version.hint": ("Only what was written here can be undone", "只能撤销在这里写入的改动"),
        "hostile": (
            "{name} contains XML that tries to load or expand other data",
            "“{name}”含有试图加载或展开其他数据的 XML",
        ),
        "hostile.hint": ("Ask the sender for the original document", "请向发件人索取原始文档"),
    }
)


class OfficeFileError(InvalidInput):
    """A document is not opened or not written; `reason` says why, the file stays as it was."""

    code = "office_file_refused"

    def __init__(self, reason: str, **values: object) -> None:
        self.reason = reason
        self.values = values
        super().__init__(self.text("en"), hint=self.hint_text("en"))

    def to_words(self, language: Language) -> tuple[str, str]:
        """What happened and what to do."""
        return self.text(language), self.hint_text(language)

    def text(self, language: Language) -> str:
        """What happened, in this language."""
        values = dict(self.values)
        if self.reason == "protected":
            values["kind"] = FILE_SENTENCES.render(f"protection.{values['kind']}", language)
        return FILE_SENTENCES.render(self.reason, language, **values)

    def hint_text(self, language: Language) -> str:
        """What to do, in this language."""
        return FILE_SENTENCES.render(f"{self.reason}.hint", language, **self.values)
