import ssl
from typing import Any

import pytest

from metier.tools import ToolError, read_certificates
from metier.tools.builtin._engines import ENGINES, SearchClient

_NOBODY_LISTENS = "http://127.0.0.1:9"


async def test_requests_of_one_process_read_the_certificates_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, create = list[object](), ssl.create_default_context

    def count(*purpose: ssl.Purpose, **files: Any) -> ssl.SSLContext:
        read.append(files)
        return create(*purpose, **files)

    monkeypatch.setattr(ssl, "create_default_context", count)
    read_certificates.cache_clear()
    for _ in range(3):
        with pytest.raises(ToolError, match="cannot be reached"):
            await SearchClient(ENGINES["brave"], _NOBODY_LISTENS, "key").search("words", 3)
    assert len(read) == 1


def test_what_is_trusted_checks_certificates_and_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    read_certificates.cache_clear()
    for trust_env in (True, False):
        trusted = read_certificates(trust_env=trust_env)
        assert trusted.verify_mode is ssl.CERT_REQUIRED
        assert trusted.check_hostname
        assert trusted.cert_store_stats()["x509_ca"] > 50
