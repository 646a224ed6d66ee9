"""What is wrong with a plan, or was repaired in it, in words."""

from dataclasses import dataclass
from typing import ClassVar, Final

from metier.json_values import JsonObject
from metier.language import Language, Note, NoteValue, Sentences

__all__ = ["PLAN_SENTENCES", "PlanFault", "PlanRepair"]

PLAN_SENTENCES: Final = Sentences(
    {
        # what is wrong
        "not_json": ("The plan is not JSON: {reason}", "计划不是 JSON：{reason}"),
        "not_object": ("An object is expected here, not {found}", "此处应为对象，而不是{found}"),
        "bad_version": (
            "The plan's format {found} is not known; known is {known}",
            "不认识计划格式 {found}，只认 {known}",
        ),
        "unknown_host": ("{found} is not a host; hosts are {known}", "{found} 不是宿主；宿主有 {known}"),
        "missing_host": ("The plan does not say for which host it is", "计划没有写明宿主（host_app）"),
        "other_host": (
            "The plan is for {found}, the document for {expected}",
            "计划是给 {found} 的，而文档属于 {expected}",
        ),
        "no_actions": ("The plan has no actions", "计划里没有操作"),
        "too_many_actions": ("The plan has {found} actions; at most {limit}", "计划有 {found} 步操作，最多 {limit} 步"),
        "missing_op": ("The action has no operation", "这一步没有写明操作（op）"),
        "unknown_op": ("The operation {op} does not exist; similar: {near}", "没有操作 {op}；相近的有：{near}"),
        "unknown_op_alone": ("The operation {op} does not exist", "没有操作 {op}"),
        "op_of_other_host": (
            "{op} is an operation of {hosts}, not of {host}",
            "{op} 是 {hosts} 的操作，不能用于 {host}",
        ),
        "op_not_allowed": ("The skill may not use {op}; allowed: {allowed}", "该技能不能使用 {op}；可用：{allowed}"),
        "nested_block": ("A block cannot stand inside a block", "块里不能再放块"),
        "missing_field": ("{field} is missing", "缺少 {field}"),
        "unknown_field": ("{op} has no field {field}; similar: {near}", "{op} 没有字段 {field}；相近的有：{near}"),
        "unknown_field_alone": ("{op} has no field {field}", "{op} 没有字段 {field}"),
        "wrong_type": ("Expected {expected}, found {found}", "应为{expected}，实为{found}"),
        "not_a_choice": ("{found} is not one of {choices}", "{found} 不在可选值之内：{choices}"),
        "too_small": ("{found} is below {limit}", "{found} 小于 {limit}"),
        "too_large": ("{found} is above {limit}", "{found} 大于 {limit}"),
        "no_color": (
            "{found} is no colour; write it as #1F4E79 or by its name, such as red",
            "{found} 不是颜色；请写成 #1F4E79 这样的代码，或红色这样的名称",
        ),
        "unwritable": ("Left out characters that no document can hold", "去掉了文档无法保存的字符"),
        "too_short": ("The text is empty", "文字为空"),
        "too_long": ("The text has {found} characters; at most {limit}", "文字有 {found} 个字符，最多 {limit} 个"),
        "too_many_items": ("The list has {found} entries; at most {limit}", "列表有 {found} 项，最多 {limit} 项"),
        "needs_one_of": ("One of {fields} is needed", "{fields} 至少要有一个"),
        # what breaks the contract of a skill
        "not_exactly": (
            "The skill's plan has exactly {expected} × {op}; this plan has {found}",
            "该技能的方案必须恰好有 {expected} 个 {op}，这个方案有 {found} 个",
        ),
        "not_enough": (
            "The skill's plan has at least {expected} × {op}; this plan has {found}",
            "该技能的方案至少要有 {expected} 个 {op}，这个方案有 {found} 个",
        ),
        "too_often": (
            "The skill's plan has at most {expected} × {op}; this plan has {found}",
            "该技能的方案最多有 {expected} 个 {op}，这个方案有 {found} 个",
        ),
        "outside_block": (
            "{op} stands beside the block; all steps of this skill stand inside its block",
            "{op} 在块之外；该技能的各步都要放在块里",
        ),
        "wrong_anchor": (
            "The block's anchor is {found}; this skill writes at {expected}",
            "块的位置是 {found}，该技能写在 {expected}",
        ),
        "host_not_allowed": (
            "The skill writes plans for {hosts}, not for {found}",
            "该技能的方案只能给 {hosts}，不能给 {found}",
        ),
        # what was repaired
        "code_fence_removed": (
            "Took the plan out of a code fence or the text around it",
            "从代码围栏或前后文字中取出计划",
        ),
        "json_mended": ("Mended JSON that was not strictly valid", "修正了不合规的 JSON"),
        "unwrapped": ("Took the plan out of {field}", "从 {field} 中取出计划"),
        "renamed": ("Read {found} as {field}", "把 {found} 读作 {field}"),
        "wrapped_list": ("Read a list of actions as a plan", "把操作列表读作计划"),
        "wrapped_action": ("Read an object as a list of actions", "把对象读作操作列表"),
        "version_added": ("Added the plan's format", "补上计划格式"),
        "host_added": ("Took the host of the document", "按文档补上宿主"),
        "host_alias": ("Read the host {found} as {host}", "把宿主 {found} 读作 {host}"),
        "op_alias": ("Read the operation {found} as {op}", "把操作 {found} 读作 {op}"),
        "id_added": ("Gave the action the id {id}", "补上编号 {id}"),
        "id_changed": ("Changed the id {found} to {id}", "把编号 {found} 改为 {id}"),
        "title_added": ("Gave the action a title", "补上标题"),
        "title_cut": ("Shortened the title", "缩短了标题"),
        "flattened": ("Took the fields out of {field}", "从 {field} 中取出字段"),
        "dropped": ("Left out {field}, which is not part of the plan", "去掉了不属于计划的 {field}"),
        "null_dropped": ("Left out {field}, which was null", "去掉了为空的 {field}"),
        "number_from_text": ("Read {found} as a number", "把文字 {found} 读作数字"),
        "boolean_from_text": ("Read {found} as true or false", "把 {found} 读作是或否"),
        "text_from_value": ("Read {found} as text", "把 {found} 读作文字"),
        "choice_alias": ("Read {found} as {choice}", "把 {found} 读作 {choice}"),
        "list_from_value": ("Read a single value as a list", "把单个值读作列表"),
        "rows_from_objects": ("Read a list of objects as a table with a header", "把对象列表读作带表头的表格"),
        "size_from_data": ("Took {field} from the data", "按数据补上 {field}"),
        "limited": ("Limited {found} to {limit}", "把 {found} 限制为 {limit}"),
        "block_flattened": ("Took the actions out of a block inside a block", "把块中之块的操作提出来"),
    }
)


@dataclass(frozen=True, slots=True)
class _PlanNote(Note):
    sentences: ClassVar[Sentences] = PLAN_SENTENCES


@dataclass(frozen=True, slots=True)
class PlanFault:
    """Something wrong in a plan: where (`actions[2].rows`) and what."""

    path: str
    note: Note

    @classmethod
    def at(cls, path: str, code: str, /, **values: NoteValue) -> "PlanFault":
        return cls(path, _PlanNote(code, values))

    def text(self, language: Language = "en") -> str:
        return f"{self.path or '$'}: {self.note.text(language)}"

    def to_json(self) -> JsonObject:
        return {"path": self.path, **self.note.to_json(), "message": self.text("en")}


@dataclass(frozen=True, slots=True)
class PlanRepair:
    """A mistake in a plan that was repaired: where and how."""

    path: str
    note: Note

    @classmethod
    def at(cls, path: str, code: str, /, **values: "str | int | tuple[str, ...]") -> "PlanRepair":
        return cls(path, _PlanNote(code, values))

    def text(self, language: Language = "en") -> str:
        return f"{self.path or '$'}: {self.note.text(language)}"

    def to_json(self) -> JsonObject:
        return {"path": self.path, **self.note.to_json()}
