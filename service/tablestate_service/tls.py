"""Certificates: what the service shows of itself, and asks of those who connect."""

import logging
import ssl
from pathlib import Path

import grpc

from tablestate_service.settings import Settings, SettingsError

log = logging.getLogger(__name__)

_OLDEST = ssl.TLSVersion.TLSv1_2


class Certificates:
    """The files of a service's certificate, read again when they have changed.

    A connection gets what the files hold when it is made, so that a certificate is renewed without
    a restart. Files that do not fit together change nothing: they may be just being written.
    """

    def __init__(self, settings: Settings) -> None:
        """Read them; raises SettingsError."""
        self._chain = Path(settings.tls_cert)
        self._key = Path(settings.tls_key)
        self._roots = Path(settings.client_ca) if settings.client_ca else None
        self._seen = self._identities()
        self._initial = self._configuration()

    def credentials(self) -> grpc.ServerCredentials:
        """What gRPC listens with; with a `client_ca` it asks clients for a certificate of it."""
        return grpc.dynamic_ssl_server_credentials(
            self._initial,
            self._renewed,  # type: ignore[arg-type]  # It may give None: nothing new.
            require_client_authentication=self._roots is not None,
        )

    def context(self) -> ssl.SSLContext:
        """What HTTP listens with, renewed for every connection likewise."""
        self._newest = self._context()
        listening = self._context()
        listening.sni_callback = self._renew
        return listening

    def _renew(self, connection: ssl.SSLObject, _: str | None, __: ssl.SSLContext) -> None:
        """Give a connection the newest certificate; Python asks at every handshake."""
        if self._renewed() is not None:
            self._newest = self._context()
        connection.context = self._newest

    def _renewed(self) -> grpc.ServerCertificateConfiguration | None:
        """What has changed since the last connection; gRPC asks before every one."""
        identities = self._identities()
        if identities == self._seen:
            return None
        self._seen = identities
        try:
            renewed = self._configuration()
        except SettingsError as error:
            log.error("certificate was not read again", extra={"error": str(error)})
            return None
        log.info("certificate was read again")
        return renewed

    def _configuration(self) -> grpc.ServerCertificateConfiguration:
        self._require_fit()
        roots = None if self._roots is None else self._roots.read_bytes()
        pair = (self._key.read_bytes(), self._chain.read_bytes())
        return grpc.ssl_server_certificate_configuration([pair], root_certificates=roots)

    def _require_fit(self) -> None:
        """Refuse what gRPC would take, and let nobody connect then; raises SettingsError."""
        self._context()

    def _context(self) -> ssl.SSLContext:
        """What the files hold; raises SettingsError."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = _OLDEST
        try:
            # Without a password: nobody is there to be asked for one.
            context.load_cert_chain(self._chain, self._key, password="")
        except (OSError, ValueError) as error:
            why = _reason(error)
            raise SettingsError(
                f"tls_cert and tls_key: {self._chain} and {self._key}: {why}; expected a chain of "
                "certificates and its private key without a password, in PEM"
            ) from None
        try:
            if self._roots is not None:
                context.load_verify_locations(self._roots)
        except (OSError, ValueError) as error:
            raise SettingsError(
                f"client_ca: {self._roots}: {_reason(error)}; expected certificates in PEM"
            ) from None
        if self._roots is not None:
            context.verify_mode = ssl.CERT_REQUIRED
        return context

    def _identities(self) -> list[tuple[int, int, int] | None]:
        paths = [self._chain, self._key, *([self._roots] if self._roots else [])]
        return [_identity(path) for path in paths]


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or "not readable").replace("_", " ").lower()
    return (isinstance(error, OSError) and error.strerror) or "not readable"
