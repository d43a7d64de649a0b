"""TLS: who reaches the service, with which certificates, and when they are renewed."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509

from support.certificates import Authority
from support.fake_engine import FakeEngine
from tablestate import AsyncClient, RetryPolicy, UnavailableError
from tablestate_service.app import Parts, RunningService, running_service
from tablestate_service.settings import Settings, SettingsError

ONCE = RetryPolicy(attempt_timeout=2.0)


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@asynccontextmanager
async def served(directory: Path, **settings: Any) -> AsyncIterator[RunningService]:
    chosen = Settings(port=0, data_dir=directory / "data", **settings)
    async with running_service(chosen, Parts(engine=FakeEngine)) as running:
        yield running


def client(running: RunningService, *certificates: bytes | None) -> AsyncClient:
    """A client with root, key and certificate as far as they are given; without any, no TLS."""
    credentials = grpc.ssl_channel_credentials(*certificates) if certificates else None
    return AsyncClient(running.address, credentials=credentials, timeout=2.0, retry=ONCE)


async def is_served(running: RunningService, *certificates: bytes | None) -> bool:
    async with client(running, *certificates) as calling:
        try:
            await calling.server_info()
        except UnavailableError:
            return False
    return True


async def test_who_trusts_the_authority_is_served_and_nobody_else(
    tmp_path: Path, authority: Authority
) -> None:
    async with served(tmp_path, **authority.write(tmp_path)) as running:
        assert await is_served(running, authority.certificate)
        assert not await is_served(running)
        assert not await is_served(running, Authority().certificate)


async def test_with_a_client_ca_clients_show_a_certificate_of_it(
    tmp_path: Path, authority: Authority
) -> None:
    clients, strangers = Authority("of clients"), Authority("of strangers")
    (tmp_path / "clients.pem").write_bytes(clients.certificate)
    files = authority.write(tmp_path) | {"client_ca": str(tmp_path / "clients.pem")}
    async with served(tmp_path, **files) as running:
        root = authority.certificate
        assert await is_served(running, root, *clients.issue("a back end"))
        assert not await is_served(running, root)
        assert not await is_served(running, root, *strangers.issue("a stranger"))
        assert not await is_served(running, root, *authority.issue("the server's own"))


def shown(running: RunningService, authority: Authority) -> str:
    """The name in the certificate that the service shows."""
    context = ssl.create_default_context(cadata=authority.certificate.decode())
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection((running.host, running.port), timeout=5) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        assert secure.version() in ("TLSv1.2", "TLSv1.3")
        certificate = x509.load_der_x509_certificate(secure.getpeercert(True) or b"")
    return certificate.subject.rfc4514_string()


async def test_a_certificate_is_renewed_while_the_service_runs(
    tmp_path: Path, authority: Authority
) -> None:
    files = authority.write(tmp_path, "first")
    async with served(tmp_path, **files) as running:
        assert await asyncio.to_thread(shown, running, authority) == "CN=first"
        async with client(running, authority.certificate) as open_before:
            await open_before.server_info()
            authority.write(tmp_path, "second")
            assert await asyncio.to_thread(shown, running, authority) == "CN=second"
            (tmp_path / "cert.pem").write_text("no certificate")
            assert await asyncio.to_thread(shown, running, authority) == "CN=second"
            await open_before.server_info()


async def test_files_that_do_not_fit_keep_it_from_starting(
    tmp_path: Path, authority: Authority
) -> None:
    files = authority.write(tmp_path)
    key, _ = authority.issue("another")
    (tmp_path / "other.pem").write_bytes(key)
    (tmp_path / "text.pem").write_text("no certificate")
    for wrong, named in (
        ({"tls_key": str(tmp_path / "other.pem")}, "tls_key"),
        ({"tls_cert": str(tmp_path / "text.pem")}, "tls_cert"),
        ({"tls_cert": str(tmp_path / "missing.pem")}, "tls_cert"),
        ({"client_ca": str(tmp_path / "text.pem")}, "client_ca"),
        ({"client_ca": str(tmp_path / "missing.pem")}, "client_ca"),
    ):
        with pytest.raises(SettingsError, match=named) as got:
            async with served(tmp_path, **(files | wrong)):
                pass
        assert "PRIVATE" not in str(got.value)


def test_beyond_loopback_there_is_tls_or_a_word_that_there_need_be_none() -> None:
    with pytest.raises(SettingsError, match="tls_cert"):
        Settings(host="0.0.0.0")
    Settings(host="0.0.0.0", allow_insecure=True)
    Settings(host="0.0.0.0", tls_cert="cert", tls_key="key")
    incomplete: list[dict[str, Any]] = [{"tls_cert": "c"}, {"tls_key": "k"}, {"client_ca": "a"}]
    for each in incomplete:
        with pytest.raises(SettingsError, match="together"):
            Settings(**each)
