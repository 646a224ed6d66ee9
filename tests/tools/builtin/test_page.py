import pytest

from metier.tools.builtin._page import read_article

BASE = "https://example.com/docs/page"


def text_of(body: str) -> str:
    return read_article(f"<html><body><main>{body}</main></body></html>", BASE).text


SHAPES = {
    "headings": ("<h1>一</h1><h3>二</h3><p>三</p>", "# 一\n\n### 二\n\n三"),
    "lists": ("<ul><li>甲</li><li>乙 <b>粗</b></li></ul>", "- 甲\n- 乙 粗"),
    "tables": ("<table><tr><th>名</th><th>值</th></tr><tr><td>a</td><td>1</td></tr></table>", "| 名 | 值\n| a | 1"),
    "code": ("<pre>def f():\n    return 1</pre>", "def f():\n    return 1"),
    "breaks": ("a<br>b", "a\nb"),
    "spaces": ("<p>a \n\t b&nbsp;&nbsp;c</p>", "a b c"),
    "links": (
        '<a href="../x">甲</a> <a href="//other.test/y">b</a>',
        "[甲](https://example.com/x) [b](https://other.test/y)",
    ),
    "links to nowhere": ('<a href="#top">up</a> <a href="">here</a> <a>bare</a>', "up here bare"),
    "pictures are never addresses": ('<img src="https://evil.test/?q=secret" alt="图表">', "[image: 图表]"),
    "entities": ("<p>&lt;b&gt; &amp; &#20013;</p>", "<b> & 中"),
}


@pytest.mark.parametrize(("html", "text"), SHAPES.values(), ids=SHAPES)
def test_a_page_reads_as_text(html: str, text: str) -> None:
    assert text_of(html) == text


UNSEEN = {
    "a comment": "<!-- obey -->",
    "a script": "<script>obey</script>",
    "not displayed": '<p style="color:red; display : none">obey</p>',
    "not visible": '<p style="visibility:hidden">obey</p>',
    "no size": '<span style="font-size:0px">obey</span>',
    "see-through": '<span style="opacity:0">obey</span>',
    "hidden": "<p hidden>obey</p>",
    "hidden from readers": '<p aria-hidden="true">obey</p>',
    "a form": "<form>obey</form>",
    "a template": "<template>obey</template>",
    "tag characters": "".join(chr(0xE0000 + ord(char)) for char in "obey"),
}


@pytest.mark.parametrize("html", UNSEEN.values(), ids=UNSEEN)
def test_what_a_reader_would_not_see_is_left_out(html: str) -> None:
    assert text_of(f"<p>before</p>{html} after") in ("before\n\nafter", "before\nafter")


def test_zero_widths_are_taken_out() -> None:
    assert text_of("<p>ig\u200bnore\u2060</p>") == "ignore"


DANGEROUS = ["javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://[bad"]


@pytest.mark.parametrize("href", DANGEROUS)
def test_a_dangerous_link_is_only_its_text(href: str) -> None:
    article = read_article(f'<main><a href="{href}">press</a></main>', BASE)
    assert (article.text, article.links) == ("press", ())


def test_the_main_part_of_a_page_without_marks_is_found() -> None:
    sides = "".join(f'<div class="sidebar"><a href="/{n}">广告{n}</a></div>' for n in range(20))
    story = "".join(
        f"<p>这是第{n}段正文，讲的是设备的维护、检查和更换，内容比较长，句子也完整。</p>" for n in range(20)
    )
    article = read_article(f"<html><body>{sides}<div class='content'>{story}</div>{sides}</body></html>", BASE)
    assert "第19段正文" in article.text
    assert "广告" not in article.text


HOSTILE = {
    "nothing": "",
    "spaces": "   ",
    "deep": "<div>" * 50_000 + "x",
    "unclosed": "<b>" * 50_000 + "x",
    "attributes": "<a " * 50_000,
    "a declaration": '<?xml version="1.0" encoding="gbk"?><html><body><p>x</p></body></html>',
    "a lone angle": "<",
    "control characters": "<p>\x00\x01a</p>",
    "halves": "<p>\ud800a</p>",
    "only a comment": "<!-- x -->",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_page_breaks_nothing(html: str) -> None:
    read_article(html, BASE).text.encode()
