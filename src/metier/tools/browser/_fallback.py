"""Reading a page without a browser: as its server sent it, under the same rules."""

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from metier.tools._calls import ToolError
from metier.tools.browser._content import PageContent, flatten, normalize_html, read_content
from metier.tools.browser._forms import FormPlan
from metier.tools.browser._problems import BrowserProblem
from metier.tools.browser._sites import LocalSite, SiteAnswer, SiteRequest
from metier.tools.builtin import Fetcher, check_url, decode_page

if TYPE_CHECKING:
    from metier.tools.browser._pool import BrowserConfig

_MAX_HOPS = 5
_SITE_S = 10.0


async def fetch_content(url: str, config: "BrowserConfig") -> PageContent:
    """Fetch a page and read what it holds; scripts do not run."""
    for _ in range(_MAX_HOPS):
        checked = check_url(url, config.rules)
        site = config.sites.get(checked.raw_host.decode("ascii"))
        if site is None:
            return await _fetch(url, config)
        answer = await _ask(site, checked.raw_path.decode("ascii"), url)
        target = dict(answer.headers).get("Location")
        if answer.status in (301, 302, 303, 307, 308) and target:
            url = str(checked.join(target))
            continue
        if answer.status == 401:
            raise ToolError("the page asks for a login", code="login_wanted")
        return await asyncio.to_thread(_read, answer.body.decode("utf-8", "replace"), url)
    raise ToolError("the page redirects too often", code="too_many_redirects")


async def send_form(plan: FormPlan, config: "BrowserConfig") -> PageContent:
    """Send a form to a site that is answered here; `BrowserProblem` for any other: its page may need its scripts."""
    url = check_url(plan.form.action, config.rules)
    site = config.sites.get(url.raw_host.decode("ascii"))
    if site is None or not plan.submits:
        raise BrowserProblem("browser_needed", why=urlsplit(plan.form.action).netloc)
    given = dict(plan.to_pairs())
    fields = [one for one in plan.form.fields if one.name and (one.kind not in ("checkbox", "radio") or one.checked)]
    pairs = {**{one.name: one.value for one in fields}, **given}
    query, path = urlencode(pairs), url.raw_path.decode("ascii").partition("?")[0]
    sends = plan.form.method == "POST"
    answer = await _ask(site, path if sends else f"{path}?{query}", str(url), query.encode() if sends else None)
    return await asyncio.to_thread(_read, answer.body.decode("utf-8", "replace"), str(url))


async def _fetch(url: str, config: "BrowserConfig") -> PageContent:
    page = await Fetcher(config.rules, config.resolve).get(url)
    if page.status == 401:
        raise ToolError("the page asks for a login", code="login_wanted")
    if page.status >= 400:
        raise ToolError(f"the server answered {page.status}", code="fetch_failed")
    return await asyncio.to_thread(_read, decode_page(page.body, page.charset).text, page.url)


async def _ask(site: LocalSite, path: str, url: str, body: bytes | None = None) -> SiteAnswer:
    request = SiteRequest("GET", path) if body is None else SiteRequest("POST", path, body)
    try:
        async with asyncio.timeout(_SITE_S):
            return await site.respond(request)
    except TimeoutError as error:
        raise ToolError(f"{url!r} did not answer", code="fetch_timeout") from error


def _read(html: str, url: str) -> PageContent:
    from lxml import html as parser

    title = parser.document_fromstring(html or "<p></p>").findtext(".//title") or ""
    return read_content(normalize_html(html), url, title=flatten(title))
