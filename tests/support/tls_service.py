"""A service behind TLS that lets in clients of one authority alone, for clients in any language."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from support import command
from support.certificates import Authority

# The certificates name 127.0.0.1 and localhost; the service is reached here too.
ELSEWHERE = "127.0.0.2"


@contextmanager
def tls_service(directory: Path) -> Iterator[Mapping[str, str]]:
    """Run one; the environment that says where it is, and where the certificates are."""
    servers, clients = Authority("of servers"), Authority("of clients")
    files = servers.write(directory)
    key, certificate = clients.issue("a client")
    written = {
        "ca": servers.certificate,
        "stranger": Authority("of strangers").certificate,
        "client_ca": clients.certificate,
        "client": certificate,
        "client_key": key,
    }
    for name, content in written.items():
        (directory / f"{name}.pem").write_bytes(content)
    with command.start(
        *("serve", "--host", "0.0.0.0", "--port", "0", "--allow-insecure"),
        *("--data-dir", str(directory / "data"), "--log-level", "error"),
        *("--tls-cert", files["tls_cert"], "--tls-key", files["tls_key"]),
        *("--client-ca", str(directory / "client_ca.pem")),
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        port = re.search(r":(\d+) ", first)
        assert port, first
        try:
            yield {
                "TABLESTATE_TLS_FILES": str(directory),
                "TABLESTATE_TLS_TARGET": f"127.0.0.1:{port[1]}",
                "TABLESTATE_TLS_ELSEWHERE": f"{ELSEWHERE}:{port[1]}",
            }
        finally:
            process.terminate()
