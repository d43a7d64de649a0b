"""Certificates for tests, made by themselves."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


class Authority:
    """Issues certificates."""

    def __init__(self, name: str = "an authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        built = _builder(self._name, self._name, self._key).add_extension(
            x509.BasicConstraints(ca=True, path_length=None), critical=True
        )
        self.certificate = built.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM)

    def issue(self, name: str) -> tuple[bytes, bytes]:
        """A private key, and a certificate of it for this machine."""
        key = ec.generate_private_key(ec.SECP256R1())
        here = x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        )
        built = _builder(_name(name), self._name, key).add_extension(here, critical=False)
        certificate = built.sign(self._key, hashes.SHA256())
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return pem, certificate.public_bytes(Encoding.PEM)

    def write(self, directory: Path, name: str = "server") -> dict[str, str]:
        """Issue one into files; the settings that name them."""
        key, certificate = self.issue(name)
        paths = {"tls_key": directory / "key.pem", "tls_cert": directory / "cert.pem"}
        for path, content in zip(paths.values(), (key, certificate), strict=True):
            new = path.with_suffix(".new")
            new.write_bytes(content)
            new.rename(path)
        return {setting: str(path) for setting, path in paths.items()}


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now, day = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=1)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
    )
