"""What a click may send, for the person who approves it."""

from collections.abc import Sequence

from metier.language import BilingualText
from metier.tools._preview import Preview, PreviewRow, PreviewTotal
from metier.tools.browser._content import Clickable, PageContent
from metier.tools.browser._forms import SENT_COLUMNS


def preview_click(content: PageContent, target: Clickable, hosts: Sequence[str]) -> Preview:
    """The fields of the form that a button sends as they are now, and every host that may get data."""
    form = content.find_sent_form(target)
    fields = [one for one in form.fields if not one.is_hidden and one.kind != "password"] if form else []
    whom = ", ".join(hosts)
    totals = [PreviewTotal(BilingualText("接收方", "Sent to"), f"{form.method} {form.action}" if form else whom)]
    rows = tuple(PreviewRow(str(one.place), {"field": one.label or one.name, "value": one.value}) for one in fields)
    sentence = BilingualText(
        f"将点击「{target.text}」；网页可以因此向 {whom} 发送数据。",
        f"{target.text!r} would be clicked; by that the page may send data to {whom}.",
    )
    return Preview(sentence, SENT_COLUMNS if rows else (), rows, tuple(totals))
