"""Pages without a browser: what their HTML holds, and the fallback of `browser_use`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from metier.tools import ToolContext
from metier.tools.browser import BrowserConfig, FolderSite, build_browser_tool, find_browser, probe_browser
from metier.tools.browser._content import normalize_html, read_content
from metier.tools.browser._csv import to_csv

if TYPE_CHECKING:
    from metier.json_values import JsonObject

PAGE = """<html><head><title>Shop</title></head><body><nav><ul><li>a<li>b</ul></nav>
<table><tr><td><table><tr><th>A<th>B<tr><td>1<td colspan=2>2</table></table>
<table><caption>Sizes</caption><tr><td>S<td>1<tr><td>L<td>2</table>
<h2>Links</h2><ul><li><a href="/x">one</a><li><a href="javascript:y()">two</a></ul><p hidden>SECRET</p>
<form method=post action="send?x=1"><fieldset><legend>Order</legend>
<label for=n>Name *</label><input id=n name=name required>
<label>Pass <input type=password name=pass></label><textarea name=note placeholder=Note></textarea>
<input type=hidden name=t value=1><input type=submit value=Go></fieldset></form>
<form action="/find"><input name=q aria-label=Search></form></body></html>"""


def test_tables_lists_and_forms_are_found_and_layout_and_hidden_parts_are_not() -> None:
    content = read_content(normalize_html(PAGE), "http://demo.test/zh/a")
    assert [(one.kind, one.title, one.columns, one.rows) for one in content.tables] == [
        ("table", "", ("A", "B", "3"), (("1", "2", ""),)),
        ("table", "Sizes", ("1", "2"), (("S", "1"), ("L", "2"))),
        ("list", "Links", ("text", "url"), (("one", "http://demo.test/x"), ("two", ""))),
    ]
    first, second = content.forms
    assert (first.title, first.method, first.action) == ("Order", "POST", "http://demo.test/zh/send?x=1")
    assert [(one.label, one.kind, one.required) for one in first.fields] == [
        ("Name", "text", True),
        ("Pass", "password", False),
        ("Note", "textarea", False),
        ("t", "hidden", False),
    ]
    assert (second.method, second.fields[0].label, first.buttons) == ("GET", "Search", ("Go",))
    assert content.wants_login
    assert "SECRET" not in content.text
    for broken in ("", "<", "<table><tr><td>", "\x00<form>", "<?xml version='1.0' encoding='utf-8'?><p>x</p>"):
        read_content(normalize_html(broken), "http://demo.test/")


def test_a_button_has_the_words_that_a_person_sees_on_it() -> None:
    buttons = "<button>Buy <b>now</b></button><input type=submit value=Go><input type=image alt=Search value=''>"
    (form,) = read_content(normalize_html(f"<form><input name=q>{buttons}</form>"), "http://demo.test/").forms
    assert form.buttons == ("Buy now", "Go", "Search")


def test_cells_that_a_spreadsheet_would_run_are_guarded_and_numbers_are_not() -> None:
    html = "<table><tr><th>a<th>b</tr>" + "".join(
        f"<tr><td>{cell}<td>x</tr>"
        for cell in ("=1+1", "@SUM(A1)", "-2+3+cmd|' /C calc'!A0", "-12.5", "+3 %", "- 4", "ok")
    )
    table = read_content(normalize_html(html + "</table>"), "http://demo.test/").tables[0]
    data, guarded = to_csv(table)
    cells = [line.rsplit(",", 1)[0] for line in data.decode("utf-8-sig").splitlines()[1:]]
    assert [cell.startswith("'") for cell in cells] == [True, True, True, False, False, False, False]
    assert guarded == 3


async def test_without_a_browser_pages_are_read_as_they_were_sent_and_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "shop.html").write_text(PAGE, "utf-8")
    (tmp_path / "inside.redirect").write_text("http://169.254.169.254/", "utf-8")
    (tmp_path / "name.redirect").write_text("http://inner.test/", "utf-8")

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.8"]

    config = BrowserConfig(browser="off", sites={"demo.test": FolderSite(tmp_path)}, resolve=resolve)
    tool, context = build_browser_tool(config), ToolContext(tmp_path / "files", "c1")
    read = await tool.run({"action": "read", "url": "http://demo.test/shop", "language": "en"}, context)
    assert read.data is not None
    assert read.data["title"] == "Shop"
    assert "fetch_web_content" in read.notes[0]
    saved = await tool.run({"action": "extract", "which": "Sizes"}, context)
    assert saved.data is not None
    assert (context.workspace / str(saved.data["file"])).is_file()
    failed = {
        "http://demo.test/inside": "address_refused",
        "http://demo.test/name": "address_refused",
        "http://127.0.0.1/": "address_refused",
        "file:///etc/passwd": "url_refused",
    }
    found = {url: await tool.run({"action": "open", "url": url}, context) for url in failed}
    assert {url: one.failure.code if one.failure else "" for url, one in found.items()} == failed
    (tmp_path / "send.post.html").write_text("<p>got</p><table><!-- sent --></table>", "utf-8")
    (tmp_path / "form.html").write_text(
        "<a href=/shop>Shop</a><form method=post action=/send><input name=n><input type=hidden name=t value=1></form>"
        "<h2>Far</h2><form method=post action=http://other.test/><input name=far></form>",
        "utf-8",
    )
    clicked = await tool.run({"action": "click", "url": "http://demo.test/form", "which": "Shop"}, context)
    assert (clicked.data or {})["title"] == "Shop"
    sent = await tool.run({"action": "fill", "url": "http://demo.test/form", "values": {"n": "Li"}}, context)
    assert "| n | Li" in str((sent.data or {})["content"])
    assert "| t | 1" in str((sent.data or {})["content"])
    cases: tuple[JsonObject, ...] = (
        {"action": "screenshot"},
        {"action": "fill", "url": "http://demo.test/form", "values": {"far": "x"}},
    )
    for arguments in cases:
        needed = await tool.run(arguments, context)
        assert needed.failure is not None
        assert needed.failure.code == "browser_needed"
        assert needed.failure.hint


def test_a_browser_is_found_by_its_name_and_the_probe_says_what_is_missing(tmp_path: Path) -> None:
    program = tmp_path / "chrome"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    assert find_browser(str(program)) == str(program)
    assert find_browser(str(tmp_path / "none")) is None
    assert not probe_browser("off").is_usable
    missing = probe_browser(str(tmp_path / "none"))
    assert not missing.is_usable
    assert missing.hint
