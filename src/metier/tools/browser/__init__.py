"""`browser_use`: web pages in a throw-away browser whose only way out is our own proxy."""

from metier.tools.browser._find import BrowserProbe, find_browser, probe_browser
from metier.tools.browser._pool import BrowserConfig, BrowserPool
from metier.tools.browser._proxy import BrowserProxy, ProxyLimits, RefusedRequest
from metier.tools.browser._sites import FolderSite, LocalSite, SiteAnswer, SiteRequest
from metier.tools.browser._tool import browser_config_from, build_browser_tool

__all__ = [
    "BrowserConfig",
    "BrowserPool",
    "BrowserProbe",
    "BrowserProxy",
    "FolderSite",
    "LocalSite",
    "ProxyLimits",
    "RefusedRequest",
    "SiteAnswer",
    "SiteRequest",
    "browser_config_from",
    "build_browser_tool",
    "find_browser",
    "probe_browser",
]
