"""One pool of browsers for all tests of a module, and pages that attack it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from metier.tools.browser import BrowserConfig, BrowserPool, FolderSite, ProxyLimits, probe_browser

LIMITS = ProxyLimits(named_wait_s=0.5, download_bytes=3 << 20)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def config(site: Path) -> BrowserConfig:
    sites = {host: FolderSite(site) for host in ("demo.test", "other.test")}
    return BrowserConfig(sites=sites, limits=LIMITS, timeout_s=60, idle_s=55, browsers_max=2)


@pytest.fixture(scope="module")
def pool(config: BrowserConfig) -> Iterator[BrowserPool]:
    found = probe_browser()
    if not found.is_usable:
        pytest.skip(f"no browser: {found.message}")
    pool = BrowserPool(config)
    yield pool
    pool.close()
    assert pool.list_processes() == []
