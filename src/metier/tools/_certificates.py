"""The certificates that HTTPS trusts, read once per process."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


@cache
def read_certificates(*, trust_env: bool) -> "ssl.SSLContext":
    """What `httpx` trusts, for the `verify` of its clients: each would read the file of certificates anew, 45 ms.

    With `trust_env`, SSL_CERT_FILE and SSL_CERT_DIR of the environment count.
    """
    import httpx

    return httpx.create_ssl_context(trust_env=trust_env)
