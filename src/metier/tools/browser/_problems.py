"""What goes wrong with pages, as sentences in the user's language."""

from typing import Final

from metier.language import Sentences
from metier.tools._calls import ToolFailure
from metier.tools._problems import ExpectedProblem

_PROBLEMS: Final = Sentences(
    {
        "invalid_url": ("This is no address of a web page: {url}", "这不是网页地址：{url}"),
        "url_refused": (
            "{url} is not opened: only http and https pages on the usual ports are, without a user name.",
            "不能打开 {url}：只打开常用端口上的 http 和 https 网页，地址里不能带用户名。",
        ),
        "address_refused": (
            "{url} is not opened: it leads to this machine, a private network or a cloud machine's own data.",
            "不能打开 {url}：它指向本机、内部网络或云主机自身的数据。",
        ),
        "host_not_found": ("The name of {url} cannot be found.", "找不到 {url} 的域名。"),
        "fetch_failed": ("{url} does not answer.", "{url} 没有响应。"),
        "certificate_invalid": (
            "The certificate of {url} is not valid, so it was not opened.",
            "{url} 的证书无效，没有打开。",
        ),
        "page_timeout": (
            "{url} did not answer within {seconds} s; the attempt was stopped.",
            "{url} 在 {seconds} 秒内没有响应，已停止。",
        ),
        "login_wanted": (
            "{url} asks for a login. Passwords are never typed here.",
            "{url} 要求登录。这里不会输入密码。",
        ),
        "is_download": ("{url} is a file, not a page; it was not downloaded.", "{url} 是文件而不是网页，没有下载。"),
        "too_many_redirects": ("{url} redirects in a circle.", "{url} 一直在跳转。"),
        "page_too_large": (
            "The page brought more than {megabytes} MB and was stopped.",
            "网页传来的数据超过 {megabytes} MB，已停止。",
        ),
        "browser_crashed": ("The browser ended while it showed {url}.", "浏览器在显示 {url} 时中断了。"),
        "browser_memory": (
            "The page used more memory than a browser may and was closed.",
            "网页占用的内存超过上限，已关闭。",
        ),
        "browser_busy": ("All {count} browsers are in use.", "{count} 个浏览器都在使用中。"),
        "browser_needed": (
            "This needs a browser, and there is none: {why}",
            "这一步需要浏览器，但是没有可用的：{why}",
        ),
        "no_page": ("No page is open.", "还没有打开网页。"),
        "no_table": ("The page has no table or list that could be saved.", "网页里没有可以保存的表格或列表。"),
        "no_table_links": (
            "The page has no table or list that could be saved. Its links: {links}",
            "网页里没有可以保存的表格或列表。它的链接：{links}",
        ),
        "which_table": ("There is no {which}. The page has: {names}", "没有「{which}」。网页里有：{names}"),
        "no_form": ("The page has no form.", "网页里没有表单。"),
        "which_form": ("There is no form {which}. The page has: {names}", "没有表单「{which}」。网页里有：{names}"),
        "unknown_field": (
            "The form has no field {field}. Its fields: {names}",
            "表单里没有「{field}」这一项。表单的项目：{names}",
        ),
        "field_refused": (
            "The field {field} is not filled: passwords and files are never given to a page.",
            "「{field}」不能填写：密码和文件不会交给网页。",
        ),
        "unknown_option": (
            "{field} cannot be {value}. It may be: {names}",
            "「{field}」不能是「{value}」，可以是：{names}",
        ),
        "values_missing": (
            "The form still needs: {names}",
            "表单还需要：{names}",
        ),
        "no_element": ("There is nothing to click called {which}.", "没有可以点击的「{which}」。"),
        "click_sends": (
            "{which} sends a form, so it needs an approval.",
            "点击「{which}」会发送表单，需要先批准。",
        ),
        "send_changed": (
            "Nothing was sent: the page wanted to send something else than was approved ({what}).",
            "没有发送：网页要发送的内容与批准的不同（{what}）。",
        ),
        "not_sent": (
            "The page sent nothing: it did not accept the values.",
            "网页没有发送：它没有接受填写的内容。",
        ),
        "call_timeout": ("The call took longer than {seconds} s and was stopped.", "操作超过 {seconds} 秒，已停止。"),
    }
)
_HINTS: Final = Sentences(
    {
        "invalid_url": ("write it as https://example.com/page", "请写成 https://example.com/page"),
        "host_not_found": ("check the spelling", "请检查拼写"),
        "page_timeout": ("try again later, or open another page", "请稍后再试，或打开别的网页"),
        "login_wanted": (
            "log in yourself, save the page and attach the file",
            "请自己登录后保存网页，再把文件附上",
        ),
        "is_download": ("download it yourself and attach the file", "请自己下载后附上文件"),
        "no_table_links": ("open one of them and save that page", "请打开其中一个，再保存那个网页"),
        "browser_busy": ("try again in a minute", "请一分钟后再试"),
        "browser_needed": (
            "install Chrome or Chromium; `metier doctor` tells what is missing",
            "请安装 Chrome 或 Chromium；`metier doctor` 会说明缺什么",
        ),
        "no_page": ("open a page first, with its url", "请先用网址打开网页"),
        "values_missing": (
            "give them as name=value, for example {example}",
            "请写成「名称=内容」，例如：{example}",
        ),
        "click_sends": ("use the action fill, or click with send", "请用 fill，或在 click 时设 send"),
        "send_changed": ("look at the page and try again", "请查看网页后重试"),
    }
)


class BrowserProblem(ExpectedProblem):
    """Expected problem with a page."""

    sentences = _PROBLEMS
    hints = _HINTS


def problem_from_failure(failure: ToolFailure, url: str) -> BrowserProblem:
    """The problem that a refused request is."""
    code = failure.code if failure.code in _PROBLEMS else "fetch_failed"
    return BrowserProblem(code, url=shorten_url(url))


def shorten_url(url: str) -> str:
    """A URL as a sentence shows it."""
    return url if len(url) <= 200 else f"{url[:199]}…"
