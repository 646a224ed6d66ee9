"""The actions of `browser_use`: what each returns, for people and for programs."""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, shorten_text
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._preview import Preview
from metier.tools.browser._content import MAX_ROWS, Clickable, PageContent, PageTable
from metier.tools.browser._csv import to_csv
from metier.tools.browser._fallback import fetch_content, send_form
from metier.tools.browser._find import probe_browser
from metier.tools.browser._forms import FormPlan, plan_form
from metier.tools.browser._guard import PageGuard, SendPermit
from metier.tools.browser._pool import BrowserConfig, BrowserPool
from metier.tools.browser._preview import preview_click
from metier.tools.browser._problems import BrowserProblem, problem_from_failure
from metier.tools.browser._results import describe_page, find_table, quote_text
from metier.tools.browser._session import PageSession, find_clickable
from metier.tools.browser._texts import NOTES, TEXTS
from metier.tools.builtin import add_to_workspace
from metier.workspaces import WorkspaceQuota

_FOLDER: Final = "web"
_MAX_KNOWN: Final = 500
_MAX_SHOWN_ROWS: Final = 200
_UNSAFE: Final = re.compile(r"[^\w一-鿿-]+")


@dataclass(frozen=True, slots=True)
class PageCall:
    """Where a call is made, and for whom."""

    context: ToolContext
    language: Language
    url: str
    max_chars: int

    @property
    def key(self) -> str:
        return self.context.conversation or str(self.context.workspace)


@dataclass(slots=True)
class PageActions:
    """Actions on the page of a conversation. `known` holds the last address of each conversation."""

    config: BrowserConfig
    quota: WorkspaceQuota
    pool: BrowserPool
    known: OrderedDict[str, str] = field(default_factory=OrderedDict)

    async def read(self, call: PageCall, *, with_text: bool) -> ToolResult:
        """Open the page if an address is given, and tell what it holds; `with_text` quotes it for people."""
        content, notes = await self._look(call, always_open=not with_text)
        answer = describe_page(content, call.max_chars, call.language)
        if with_text:
            answer["summary"] = f"{answer['summary']}\n\n{quote_text(content, call.language)}"
        return ToolResult(answer, notes=notes)

    async def extract(self, call: PageCall, which: str, file: str) -> ToolResult:
        """Save a table or list of the page as CSV."""
        content, notes = await self._look(call)
        table, name, others = find_table(content, which, call.language)
        data, guarded = to_csv(table)
        path = self._save(call, file or name, ".csv", data)
        render = TEXTS.render
        saved = render("saved", call.language, rows=len(table.rows), columns=len(table.columns), name=name, file=path)
        summary = [saved, *([render("others", call.language, names=others)] if others else [])]
        notes = (
            *notes,
            *([NOTES.render("guarded", call.language, count=guarded)] if guarded else []),
            *([NOTES.render("rows_cut", call.language, rows=MAX_ROWS)] if len(table.rows) >= MAX_ROWS else []),
        )
        answer: dict[str, JsonValue] = {"url": content.url, "file": path, "rows": len(table.rows)}
        answer |= {"summary": " ".join(summary), "table": _show_table(table, name)}
        return ToolResult(answer, notes=notes)

    async def take_picture(self, call: PageCall, file: str) -> ToolResult:
        """Save the page as a picture."""
        self._require_browser()

        async def act(session: PageSession) -> tuple[bytes, PageContent, tuple[str, ...]]:
            content, notes = await self._show(session, call)
            return await session.take_picture(), content, notes

        picture, content, notes = await self.pool.run(call.key, act)
        title = content.title or urlsplit(content.url).netloc
        path = self._save(call, file or title, ".png", picture)
        summary = TEXTS.render("picture", call.language, title=title, file=path)
        return ToolResult({"url": content.url, "title": content.title, "file": path, "summary": summary}, notes=notes)

    async def click(self, call: PageCall, which: str, *, send: bool) -> ToolResult:
        """Click a link or a button; what sends a form is clicked only with an approval."""

        async def act(session: PageSession) -> tuple[PageContent, tuple[str, ...]]:
            before, _ = await self._show(session, call)
            target = find_clickable(before, which)
            if target.sends_form is not None and not send and _form_method(before, target) != "GET":
                raise BrowserProblem("click_sends", which=which[:100])
            permit = SendPermit(frozenset(_click_hosts(before, target))) if send else None
            await session.click(target, permit)
            content = await session.read()
            return content, self._note_page(session.guard, content, call)

        if self._has_browser:
            content, notes = await self.pool.run(call.key, act)
        else:
            before, _ = await self._look(call)
            href = find_clickable(before, which).href
            self._require_browser(unless=bool(href))
            content, notes = await self._look(replace(call, url=href))
        answer = describe_page(content, call.max_chars, call.language)
        clicked = TEXTS.render("clicked", call.language, which=which[:100])
        answer["summary"] = f"{clicked} {answer['summary']}\n\n{quote_text(content, call.language)}"
        return ToolResult(answer, notes=notes)

    async def fill(
        self,
        call: PageCall,
        which: str,
        values: Mapping[str, JsonValue],
        rows: Sequence[JsonObject] | None,
        *,
        submits: bool,
    ) -> ToolResult:
        """Type approved values into a form and submit it."""

        async def act(session: PageSession) -> tuple[FormPlan, list[str], PageContent, tuple[str, ...]]:
            before, _ = await self._show(session, call)
            plan = plan_form(before, which, values, rows, submits=submits)
            permit = await session.fill(plan)
            content = await session.read()
            return plan, permit.sent, content, self._note_page(session.guard, content, call)

        if self._has_browser:
            plan, sent, content, notes = await self.pool.run(call.key, act)
        else:
            before, notes = await self._look(call)
            plan = plan_form(before, which, values, rows, submits=submits)
            content, sent = await send_form(plan, self.config), [f"{plan.form.method} {plan.form.action}"]
        answer = describe_page(content, call.max_chars, call.language)
        shown = "; ".join(f"{one.field.label}: {one.shown}" for one in plan.filled)
        render, title = TEXTS.render, content.title or TEXTS.render("unnamed", call.language)
        if submits:
            told = render("sent", call.language, whom=plan.recipient, address=sent[0], values=shown)
            after = render("after", call.language, title=title, url=content.url)
            answer["summary"] = f"{told} {after}\n\n{quote_text(content, call.language)}"
        else:
            answer["summary"] = render("typed", call.language, values=shown)
        answer |= {"sent": list(sent), "recipient": plan.recipient}
        return ToolResult(answer, notes=notes)

    async def preview_fill(
        self,
        call: PageCall,
        which: str,
        values: Mapping[str, JsonValue],
        rows: Sequence[JsonObject] | None,
        *,
        submits: bool,
    ) -> Preview:
        """What a form would send, and to whom; the page is only read."""
        content, _ = await self._look(call)
        plan = plan_form(content, which, values, rows, submits=submits)
        self._require_browser(unless=plan.recipient in self.config.sites and submits)
        return plan.to_preview()

    async def preview_click(self, call: PageCall, which: str) -> Preview:
        """What a click may send, and to whom."""
        self._require_browser()
        content, _ = await self._look(call)
        target = find_clickable(content, which)
        return preview_click(content, target, _click_hosts(content, target))

    async def _look(self, call: PageCall, *, always_open: bool = False) -> tuple[PageContent, tuple[str, ...]]:
        """What the page holds; without a browser as its server sent it."""
        found = probe_browser(self.config.browser)
        why = found.message
        if found.is_usable:
            try:
                return await self.pool.run(call.key, lambda session: self._show(session, call, always_open=always_open))
            except BrowserProblem as problem:
                if problem.code != "browser_needed":  # it is there, but does not start
                    raise
                why = str(problem.values["why"])
        url = call.url or self.known.get(call.key, "")
        if not url:
            raise BrowserProblem("no_page")
        try:
            content = await fetch_content(url, self.config)
        except ToolError as error:
            raise problem_from_failure(error.failure, url) from error
        self._remember(call.key, content.url)
        notes = [NOTES.render("no_browser", call.language, why=why)]
        return content, (*notes, *_note_content(content, call))

    async def _show(
        self, session: PageSession, call: PageCall, *, always_open: bool = False
    ) -> tuple[PageContent, tuple[str, ...]]:
        """Open the page of the call, unless it is open already, and read it."""
        url, status = call.url or session.url or self.known.get(call.key, ""), 200
        if not url:
            raise BrowserProblem("no_page")
        if session.url != url or (call.url and (always_open or session.has_sent)):
            try:
                status = await session.open(url)
            except ToolError as error:
                raise problem_from_failure(error.failure, url) from error
        content = await session.read()
        self._remember(call.key, content.url)
        notes = self._note_page(session.guard, content, call)
        return content, (*([NOTES.render("status", call.language, status=status)] if status >= 400 else []), *notes)

    def _note_page(self, guard: PageGuard, content: PageContent, call: PageCall) -> tuple[str, ...]:
        refused = [
            f"{one.target[:120]}: {one.failure.message[:160]}"
            for one in guard.proxy.refusals
            if one.failure.code in ("address_refused", "url_refused")
        ]
        noted = (
            ("dialogs", guard.dialogs),
            ("popups", guard.popups),
            ("downloads", guard.downloads),
            ("held", guard.held),
            ("refused", refused),
        )
        made = [
            NOTES.render(code, call.language, texts=list(dict.fromkeys(texts))[:3]) for code, texts in noted if texts
        ]
        return (*_note_content(content, call), *made)

    def _remember(self, key: str, url: str) -> None:
        self.known[key] = url
        self.known.move_to_end(key)
        while len(self.known) > _MAX_KNOWN:
            self.known.popitem(last=False)

    @property
    def _has_browser(self) -> bool:
        return probe_browser(self.config.browser).is_usable

    def _require_browser(self, *, unless: bool = False) -> None:
        found = probe_browser(self.config.browser)
        if not found.is_usable and not unless:
            raise BrowserProblem("browser_needed", why=found.message)

    def _save(self, call: PageCall, name: str, suffix: str, data: bytes) -> str:
        stem = _UNSAFE.sub("-", name.removesuffix(suffix)).strip("-")[:60] or "page"

        def choose_name(taken: Sequence[str]) -> str:
            numbers = (f"{stem}{'' if at == 1 else f'-{at}'}{suffix}" for at in range(1, len(taken) + 2))
            return next(one for one in numbers if one not in taken)

        return add_to_workspace(Path(call.context.workspace), _FOLDER, choose_name, data, self.quota)


def _note_content(content: PageContent, call: PageCall) -> tuple[str, ...]:
    shown = len(content.text) > call.max_chars
    return (
        NOTES.render("untrusted", call.language),
        *([NOTES.render("cut", call.language)] if content.cut else []),
        *([NOTES.render("text_cut", call.language, shown=call.max_chars, chars=len(content.text))] if shown else []),
        *([NOTES.render("login", call.language)] if content.wants_login else []),
    )


def _form_method(content: PageContent, target: Clickable) -> str:
    form = content.find_sent_form(target)
    return form.method if form else "POST"


def _click_hosts(content: PageContent, target: Clickable) -> tuple[str, ...]:
    """Hosts that may get data by a click: that of the page, and those of the form and of the frame it is in."""
    form = content.find_sent_form(target)
    addresses = (content.url, *((form.url, form.action) if form else ()))
    return tuple(dict.fromkeys(urlsplit(url).netloc for url in addresses if url))


def _show_table(table: PageTable, name: str) -> JsonObject:
    columns: list[JsonValue] = [{"key": f"c{at}", "title": title} for at, title in enumerate(table.columns)]
    rows: list[JsonValue] = [
        {f"c{at}": shorten_text(cell, 300) for at, cell in enumerate(row)} for row in table.rows[:_MAX_SHOWN_ROWS]
    ]
    return {"title": name, "columns": columns, "rows": rows}
