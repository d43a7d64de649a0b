"""How commands reach a service that asks who calls."""

from __future__ import annotations

import argparse
from pathlib import Path

import grpc

from tablestate import Client
from tablestate_service.cli.arguments import CommandError


def add_credentials(parser: argparse.ArgumentParser) -> None:
    """Add `--key-file`, `--tls` and `--ca-file`."""
    parser.add_argument(
        "--key-file",
        type=Path,
        metavar="FILE",
        help="a file that holds an API key or a token, for a service that asks for one",
    )
    parser.add_argument("--tls", action="store_true", help="speak TLS with the service")
    parser.add_argument(
        "--ca-file",
        type=Path,
        metavar="FILE",
        help="certificates in PEM form to trust instead of the system's; switches TLS on",
    )


def connected(args: argparse.Namespace, target: str | None = None) -> Client:
    """A client of a service, that of `--server` by default; raises CommandError."""
    return Client(
        target or args.server, credentials=_credentials(args), metadata=_metadata(args.key_file)
    )


def _credentials(args: argparse.Namespace) -> grpc.ChannelCredentials | None:
    if not args.tls and args.ca_file is None:
        return None
    return grpc.ssl_channel_credentials(args.ca_file and _read("--ca-file", args.ca_file))


def _metadata(path: Path | None) -> tuple[tuple[str, str], ...]:
    if path is None:
        return ()
    key = _read("--key-file", path).strip()
    # What else it may hold is no header; whose it is, the service says.
    if not key.isascii() or not key.decode("ascii").isprintable() or not key:
        raise CommandError(f"--key-file: {path} holds no key or token")
    return (("authorization", f"Bearer {key.decode('ascii')}"),)


def _read(option: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{option}: cannot read {path}: {error.strerror}") from None
