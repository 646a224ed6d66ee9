"""What a form would send, from its fields and the values that were given; nothing is typed into the page for that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, write_count
from metier.tools._preview import Preview, PreviewColumn, PreviewRow, PreviewTotal
from metier.tools.browser._content import FormField, PageContent, PageForm, flatten
from metier.tools.browser._problems import BrowserProblem

MAX_VALUE_CHARS: Final = 4_000
_REFUSED: Final = frozenset({"password", "file"})
_YES: Final = frozenset({"1", "true", "yes", "on", "是", "要", "勾选", "同意"})
_FREE: Final = frozenset({"text", "search", "email", "tel", "url", "number", "date", "month", "time", "textarea"})
SENT_COLUMNS: Final = (
    PreviewColumn("field", BilingualText("项目", "Field")),
    PreviewColumn("value", BilingualText("发送的内容", "Value sent"), role="new"),
)


@dataclass(frozen=True, slots=True)
class FilledField:
    """Field with the value that it gets: as the form sends it, and as people read it."""

    field: FormField
    value: str
    shown: str


@dataclass(frozen=True, slots=True)
class FormPlan:
    """What is typed into which form, and where it is sent."""

    page_url: str
    form: PageForm
    filled: tuple[FilledField, ...]
    submits: bool

    @property
    def recipient(self) -> str:
        """Host that gets the data."""
        return urlsplit(self.form.action).netloc

    @property
    def page_host(self) -> str:
        """Host of the page that the form is on, or of the frame."""
        return urlsplit(self.form.url or self.page_url).netloc

    def to_pairs(self) -> tuple[tuple[str, str], ...]:
        """Names and values of the fields that were filled in."""
        return tuple((one.field.name, one.value) for one in self.filled if one.field.name)

    def to_preview(self) -> Preview:
        """What is sent and to whom, for the person who approves it."""
        name = self.form.title or self.recipient
        count, whom, where = len(self.filled), self.recipient, self.form.action
        hidden = [one.name for one in self.form.fields if one.is_hidden and one.name]
        totals = [PreviewTotal(BilingualText("接收方", "Sent to"), f"{self.form.method} {where}")]
        if hidden:
            totals.append(PreviewTotal(BilingualText("网页自己附带的项目", "Added by the page"), ", ".join(hidden)))
        if self.form.frame and self.page_host != urlsplit(self.page_url).netloc:
            inside = {
                "zh": f"表单在本页内嵌的 {self.page_host} 里",
                "en": f"the form is in a frame of {self.page_host}",
            }
            totals.append(PreviewTotal(BilingualText("注意", "Note"), inside))
        if whom != self.page_host:
            warning = {
                "zh": f"表单在 {self.page_host}，内容却发往 {whom}",
                "en": f"the form is on {self.page_host}, but sends to {whom}",
            }
            totals.append(PreviewTotal(BilingualText("注意", "Note"), warning))
        sentence = (
            BilingualText(
                f"将把 {count} 项内容填入「{name}」并发送给 {whom}；批准之前什么都不会填写。",
                f"{write_count(count, 'values')} would be typed into {name!r} and sent to {whom}; "
                "nothing is typed before you approve.",
            )
            if self.submits
            else BilingualText(
                f"将把 {count} 项内容填入 {self.page_host} 的「{name}」，不提交；网页的脚本能读到它们。",
                f"{write_count(count, 'values')} would be typed into {name!r} on {self.page_host}, not submitted; "
                "scripts of the page can read them.",
            )
        )
        return Preview(sentence, SENT_COLUMNS, tuple(map(_to_row, self.filled)), tuple(totals), chosen_as="rows")


def plan_form(
    content: PageContent,
    which: str,
    values: Mapping[str, JsonValue],
    rows: Sequence[JsonObject] | None,
    *,
    submits: bool,
) -> FormPlan:
    """Match values to the fields of a form; `rows` are those the approver chose and edited."""
    form = _find_form(content, which, values)
    filled = [_fill(find_field(form, name), value) for name, value in values.items()]
    if rows is not None:
        edited = {str(one.get("id")): one for one in rows}
        filled = [_edit(one, edited[str(one.field.place)]) for one in filled if str(one.field.place) in edited]
    set_names = {one.field.name for one in filled if one.value}
    missing = [
        one
        for one in form.fields
        if one.required and not one.is_hidden and not one.locked and one.name not in set_names and not _has_value(one)
    ]
    if submits and missing:
        refused = next((one for one in missing if one.kind in _REFUSED), None)
        if refused is not None:
            raise BrowserProblem("field_refused", field=refused.label)
        names = [describe_field(one) for one in missing]
        raise BrowserProblem("values_missing", names=names, example=" ".join(f"{one.label}=…" for one in missing[:3]))
    return FormPlan(content.url, form, tuple(filled), submits)


def describe_field(one: FormField) -> str:
    """Name of a field for people, with its options."""
    options = [text for _, text in one.options if text][:8]
    return f"{one.label or one.name} ({' / '.join(options)})" if options else one.label or one.name


def find_field(form: PageForm, name: str) -> FormField:
    """Field by its label or name: as written, else the only one that contains it."""
    wanted = _fold(name)
    open_fields = [one for one in form.fields if not one.is_hidden and not one.locked]
    exact = [one for one in open_fields if wanted in (_fold(one.label), _fold(one.name))]
    near = [one for one in open_fields if wanted and (wanted in _fold(one.label) or _fold(one.label) in wanted)]
    found = exact or (near if len({one.name for one in near}) == 1 else [])
    if not found:
        names = [describe_field(one) for one in open_fields]
        raise BrowserProblem("unknown_field", field=name[:100], names=names)
    if found[0].kind in _REFUSED:
        raise BrowserProblem("field_refused", field=found[0].label)
    return found[0]


def _find_form(content: PageContent, which: str, values: Mapping[str, JsonValue]) -> PageForm:
    numbered = [
        (number, one) for number, one in enumerate(content.forms, 1) if any(not field.is_hidden for field in one.fields)
    ]
    forms = [one for _, one in numbered]
    if not forms:
        raise BrowserProblem("no_form")
    if which:
        wanted = _fold(which)
        named = [one for number, one in numbered if wanted == str(number) or (wanted in _fold(one.title))]
        if not named:
            names = [f"{number} {one.title}".strip() for number, one in numbered]
            raise BrowserProblem("which_form", which=which[:100], names=names)
        return named[0]
    return max(forms, key=lambda form: sum(_has_field(form, name) for name in values))


def _has_field(form: PageForm, name: str) -> bool:
    try:
        find_field(form, name)
    except BrowserProblem:
        return False
    return True


def _fill(one: FormField, value: JsonValue) -> FilledField:
    text = flatten(str(value)) if one.kind != "textarea" else str(value)
    text = text[:MAX_VALUE_CHARS]
    if isinstance(value, float) and value.is_integer():
        text = str(int(value))
    if one.kind == "checkbox":
        is_on = value is True or _fold(text) in _YES
        return FilledField(one, (one.value or "on") if is_on else "", "✓" if is_on else "–")
    if one.options:
        wanted = _fold(text)
        found = next((pair for pair in one.options if wanted in (_fold(pair[0]), _fold(pair[1]))), None)
        found = found or next((pair for pair in one.options if wanted and wanted in _fold(pair[1])), None)
        if found is None:
            names = [text for _, text in one.options][:20]
            raise BrowserProblem("unknown_option", field=one.label, value=text[:100], names=names)
        return FilledField(one, found[0], found[1])
    return FilledField(one, text, text)


def _edit(one: FilledField, row: JsonObject) -> FilledField:
    value = row.get("value")
    return one if value is None or value == one.shown else _fill(one.field, value)


def _has_value(one: FormField) -> bool:
    return one.checked if one.kind in ("checkbox", "radio") else bool(one.value)


def _to_row(one: FilledField) -> PreviewRow:
    edit: dict[str, JsonObject] = {}
    if one.field.options:
        edit = {"value": {"type": "string", "enum": [text for _, text in one.field.options]}}
    elif one.field.kind in _FREE:
        edit = {"value": {"type": "string", "maxLength": MAX_VALUE_CHARS}}
    return PreviewRow(str(one.field.place), {"field": one.field.label or one.field.name, "value": one.shown}, edit)


def _fold(text: str) -> str:
    return flatten(text).casefold().strip(" :：*")
